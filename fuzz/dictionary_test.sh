#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The dictionary knows the header that opens every packet, and every line is one a fuzzer can read.
set -euo pipefail
dictionary=$1

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
