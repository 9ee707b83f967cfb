#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: triage.sh FOLDER TARGET RAW OUT
# Runs libFuzzer's fuzz_TARGET of FOLDER on each file below RAW, and puts together what fails alike: by the kind of
# failure and the three topmost functions that are neither the sanitizer's nor the C library's. OUT/NAME gets the smallest
# input as `input`, what the sanitizer said as `report.txt`, and the names of all inputs as `found.txt`. What does not fail
# again is kept as well, in OUT/not-again, and told. OUT is exchanged at the end; RAW stays. Prints a line a finding. Ends
# with 1 when there is any, 0 when there is none.
set -euo pipefail
folder=$1 target=$2 raw=$3 out=$4
mkdir -p "$(dirname "$out")"
work=$(mktemp -d "$out.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 2' ERR # 1 is a find
trap 'exit 3' TERM INT
mkdir "$work/findings"

# name_of REPORT prints what its failure is called.
name_of() {
    local kind frames
    kind=$(sed -nE -e 's/.*ERROR: AddressSanitizer: ([A-Za-z-]+).*/\1/p' -e 's/.*ERROR: libFuzzer: ([a-z-]+).*/\1/p' \
        -e 's/.*: runtime error: .*/undefined-behaviour/p' -e 's/^oracle: .*/oracle/p' \
        -e 's/.*ERROR: LeakSanitizer: .*/leak/p' "$1" | head -n 1)
    # The first stack says where; those behind it, where a block came from.
    frames=$(awk '/^ +#0 / { n++ } n == 1' "$1" | sed -nE 's/^ +#[0-9]+ 0x[0-9a-f]+ in ([A-Za-z0-9_]+) .*/\1/p' |
        grep -vE '^(__|_start|raise|abort|gsignal|free|malloc|calloc|realloc|main$|mem[a-z]+$|str[a-z]+$|fuzzer)' | head -n 3 | tr '\n' '-')
    printf '%s' "$target-${kind:-fails}${frames:+-${frames%-}}" | cut -c 1-150
}

# again INPUT: it fails again, and $work/report says how.
again() {
    local status=0
    timeout -k 5 60 "$folder/fuzz_$target" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$work/artifact-" "$1" \
        >"$work/report" 2>&1 </dev/null || status=$?
    rm -f "$work"/artifact-*
    [[ $status != 124 ]] || echo "ERROR: libFuzzer: timeout" >>"$work/report"
    ((status != 0))
}

[[ -x $folder/fuzz_$target ]] || {
    echo "there is no $folder/fuzz_$target to try finds with" >&2
    exit 2
}
[[ -d $raw ]] || {
    echo "there are no finds: $raw is missing" >&2
    exit 2
}
total=0
while IFS= read -r input; do
    total=$((total + 1))
    if again "$input"; then
        into=$work/findings/$(name_of "$work/report")
    else
        into=$work/findings/not-again
    fi
    mkdir -p "$into"
    echo "${input#"$raw"/}" >>"$into/found.txt"
    if [[ $into == */not-again ]]; then
        cp "$input" "$into/$(tr / - <<<"${input#"$raw"/}")"
    elif [[ ! -e $into/input || $(stat -c %s "$input") -lt $(stat -c %s "$into/input") ]]; then
        cp "$input" "$into/input"
        cp "$work/report" "$into/report.txt"
    fi
done < <(find "$raw" -type f ! -name '*slow-unit-*' | LC_ALL=C sort)

status=0
for finding in "$work"/findings/*/; do
    [[ -d $finding ]] || continue
    name=$(basename "$finding")
    num=$(wc -l <"$finding/found.txt")
    if [[ $name == not-again ]]; then
        echo "$num of $total do not fail again: see not-again"
        continue
    fi
    status=1
    echo "$name: $num of $total, the smallest of $(stat -c %s "$finding/input") bytes"
done
((total > 0)) || echo "nothing was found"
[[ ! -e $out ]] || mv "$out" "$work/old"
mv "$work/findings" "$out"
exit "$status"
