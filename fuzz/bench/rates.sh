#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: rates.sh BUILD SECONDS [TARGET...]
# Inputs of up to 128 bytes a second of processor time, for others may be at work, of each target or of these; as a share
# of the empty target's in the same run, with the same sanitizers, which is the limit for every target; and what is
# aimed at. Without names of functions, which another program looks up.
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

rate() {
    local TIMEFORMAT='%U %S' spent
    mkdir -p "$dir/corpus_$1"
    [[ ! -d corpus/$1 ]] || cp -r "corpus/$1/." "$dir/corpus_$1/"
    spent=$({ time "$bin/fuzz_$1" -seed=1 -max_total_time="$seconds" -print_final_stats=1 -print_funcs=0 \
        -max_len=128 -len_control=0 -artifact_prefix="$dir/" "$dir/corpus_$1" >"$dir/log" 2>&1; } 2>&1)
    awk -v spent="$spent" '/stat::number_of_executed_units/ { split(spent, s, " "); printf "%d\n", $2 / (s[1] + s[2]) }' \
        "$dir/log"
    rm -rf "$dir/corpus_$1"
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
echo "fuzzing with AddressSanitizer and UndefinedBehaviorSanitizer, inputs of up to 128 bytes, $seconds s each,"
echo "by processor time"
limit=$(rate empty)
printf '  %-34s %9d /s\n' empty "$limit"
for target; do
    [[ $target != empty && -x $bin/fuzz_$target ]] || continue
    awk -v n="$target" -v r="$(rate "$target")" -v l="$limit" -v aim="$(aim "$target")" \
        'BEGIN { printf "  %-34s %9d /s  %6.4f of the empty target  %s\n", n, r, r / l, aim }'
done
