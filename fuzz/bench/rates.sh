#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: rates.sh BUILD SECONDS [TARGET...]
# Inputs of up to 128 bytes a second of processor time, SECONDS of it, for others may be at work, of each target or of
# these; as a share of the empty target's, with the same sanitizers and right before it, which is the limit for every
# target; and what is aimed at. Without names of functions, which another program looks up.
set -euo pipefail
(($# >= 2)) || {
    sed -n 's/^# usage: /usage: /p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
bin=$(readlink -f "$1")/fuzz seconds=$2
shift 2
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."

# What fuzzers keep lies in memory where it can: thousands of small files are the file system's time, not a target's.
dir=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Seconds of processor time that process $1 has taken.
spent() {
    awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); printf "%.2f\n", ($12 + $13) / hz }' "/proc/$1/stat" 2>/dev/null || true
}

# rate TARGET SECONDS: behind the reading of the corpus, which a long run forgets. A target that takes longer over one
# input than this waits is asked to end in vain for a while.
rate() {
    local pid took began="" read=0
    mkdir -p "$dir/corpus"
    [[ ! -d corpus/$1 ]] || cp -r "corpus/$1/." "$dir/corpus/"
    "$bin/fuzz_$1" -seed=1 -print_final_stats=1 -print_funcs=0 -max_len=128 -len_control=0 -artifact_prefix="$dir/" \
        "$dir/corpus" >"$dir/log" 2>&1 &
    pid=$!
    took=0
    while [[ -z $began ]] || awk -v took="$took" -v began="$began" -v most="$2" 'BEGIN { exit !(took - began < most) }'; do
        sleep "$([[ -n $began ]] && echo 0.1 || echo 0.02)"
        took=$(spent "$pid")
        [[ -n $took ]] || break
        if [[ -z $began ]] && grep -q INITED "$dir/log"; then
            began=$took
            read=$(sed -nE 's/^#([0-9]+)[[:space:]]+INITED.*/\1/p' "$dir/log")
        fi
    done
    kill -INT "$pid" 2>/dev/null || true
    wait "$pid" || true
    awk -v took="$took" -v began="${began:-0}" -v read="$read" \
        '/stat::number_of_executed_units/ && took > began { printf "%d\n", ($2 - read) / (took - began) }' "$dir/log"
    rm -rf "$dir/corpus"
}

# A decoder has less to do than a board or a conversation.
aim() {
    case $1 in
    *_decode) echo 'aim 0.1' ;;
    *_session | *_slave | *_node | *_board | *_boards | *_buf | *_worker | boards | master) echo 'aim 0.02' ;;
    esac
}

if (($# == 0)); then
    mapfile -t targets < <(ls corpus)
    set -- "${targets[@]}"
fi
echo "fuzzing with AddressSanitizer and UndefinedBehaviorSanitizer, inputs of up to 128 bytes, $seconds s of processor"
echo "time each, beside the empty target right before it"
for target; do
    [[ $target != empty && -x $bin/fuzz_$target ]] || continue
    limit=$(rate empty "$(awk -v s="$seconds" 'BEGIN { print s / 4 }')") r=$(rate "$target" "$seconds")
    awk -v n="$target" -v r="$r" -v l="$limit" -v aim="$(aim "$target")" \
        'BEGIN { printf "  %-34s %9d /s  %6.4f of the empty target (%d /s)  %s\n", n, r, (l ? r / l : 0), l, aim }'
done
