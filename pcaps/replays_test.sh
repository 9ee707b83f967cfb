#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Every golden trace is replayed against the software board of its role, and ends as replays.txt says; no trace is left
# out, and each that does not pass has a reason there.
set -euo pipefail
goldwire=$1 source=$2
bad=0
# shellcheck source=pcaps/dialect.sh
. "$source/dialect.sh"
out=$(mktemp)
trap 'rm -f "$out"' EXIT
cd "$source"

diff --label 'traces' --label 'replays.txt' -U0 <(ls -- */*.pcapng | sed 's/\.pcapng$//' | LC_ALL=C sort) \
    <(grep -v '^#' replays.txt | sed 's/ *|.*//' | LC_ALL=C sort) >&2 || bad=1

while IFS='|' read -r trace role options outcome reason; do
    [[ $trace != '#'* ]] || continue
    read -r trace <<<"$trace"
    read -r role <<<"$role"
    read -r -a options <<<"$options"
    read -r outcome <<<"$outcome"
    mapfile -t as < <(read_as "${trace%/*}" "${trace##*/}.pcapng")
    dialect=${as[-1]}
    url="peer:${role/&/?}"
    [[ $url == *\?* ]] && url+='&' || url+='?'
    code=0
    "$goldwire" replay "$trace.pcapng" --dut "${url}via=mem&dialect=$dialect" --dialect "$dialect" \
        ${options[@]+"${options[@]}"} >"$out" 2>&1 || code=$?
    ((code != 0)) || code=PASS
    if [[ $code != "$outcome" || (-z ${reason// /} && $code != PASS) ]]; then
        echo "$trace: $code, $outcome expected:${reason:- }" >&2
        tail -3 "$out" >&2
        bad=1
    fi
done <replays.txt
exit $bad
