#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The dictionary knows the header that opens every packet, and every line is one a fuzzer can read.
set -euo pipefail
dictionary=$1
shift

out=$("$dictionary" etherbone)
grep -qF '"\x4e\x6f\x10\x44"' <<<"$out" || { echo "no token for a 32/32 packet header" >&2; exit 1; }
if bad=$(grep -vE '^(#.*|t[0-9]+="(\\x[0-9a-f]{2})+")$' <<<"$out"); then
    printf 'not in dictionary syntax: %s\n' "$bad" >&2
    exit 1
fi
if "$dictionary" nonsense 2>/dev/null; then
    echo "an unknown format is accepted" >&2
    exit 1
fi

# Every target of a format gets that format's, and knows the first bytes that its packets have.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for format; do
    "$dictionary" "$format" >"$work/$format.dict"
done
of() { basename "$(bash "$(dirname "$0")/dictionary_of.sh" "$1" "$work")"; }
for pair in etherbone_decode:etherbone op2p_node:op2p textarossa_link:textarossa l1farm_boards:l1farm ims_worker:ims \
    yaml:yaml encode:encode net_tcp:etherbone; do
    [[ $(of "${pair%:*}") == "${pair#*:}.dict" ]] || { echo "${pair%:*} gets $(of "${pair%:*}")" >&2; exit 1; }
done
grep -qE '"\\x4f\\x32' "$work/op2p.dict" || { echo "no token for the tunnel of OP2P" >&2; exit 1; }
grep -qE '"\\x4c\\x31' "$work/l1farm.dict" || { echo "no token for the tunnel of the farm" >&2; exit 1; }
