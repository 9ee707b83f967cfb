#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: mutators.sh BUILD TRIALS SECONDS TARGET...
# Mutation from the tables beside libFuzzer's own, byte by byte: TRIALS runs of each, of SECONDS of processor time each,
# from the same seeds, with the same dictionary, in turn; with GOLDWIRE_BENCH_SEEDS=none from an empty input. For each TARGET of BUILD a line for what each trial reached: edges, inputs a
# second, and, where a target has a parser of messages, the share of inputs that it read to the end; the two medians,
# and how likely samples of no difference would differ as much (Mann-Whitney U, two-sided, exact).
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=$(dirname "$(dirname "$here")")
(($# >= 4)) || {
    sed -n 's/^# usage: /usage: /p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
bin=$(readlink -f "$1")/fuzz trials=$2 seconds=$3
shift 3

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Seconds of processor time that process $1 has taken; nothing when it has ended.
spent() {
    awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); printf "%.2f\n", ($12 + $13) / hz }' "/proc/$1/stat" 2>/dev/null || true
}

# trial TARGET MUTATOR SEED: appends "MUTATOR VALUE" to the files of what was measured. A fuzzer that finds its stop file
# ends as if its time were over.
trial() {
    local target=$1 mutator=$2 seed=$3 log=$dir/log corpora pid now took=0
    rm -rf "$dir/corpus" "$dir/stop" && mkdir "$dir/corpus"
    corpora=("$dir/corpus")
    [[ ${GOLDWIRE_BENCH_SEEDS:-} == none || ! -d $root/corpus/$target ]] || corpora+=("$root/corpus/$target")
    GOLDWIRE_FUZZ_MUTATOR=$mutator GOLDWIRE_FUZZ_PARSED=1 "$bin/fuzz_$target" -seed="$seed" -timeout=10 -stop_file="$dir/stop" \
        -dict="$(bash "$root/fuzz/dictionary_of.sh" "$target" "$bin")" -artifact_prefix="$dir/" "${corpora[@]}" >"$log" 2>&1 &
    pid=$!
    while awk -v took="$took" -v most="$seconds" 'BEGIN { exit !(took < most) }'; do
        sleep 0.1
        now=$(spent "$pid")
        [[ -n $now ]] || break
        took=$now
    done
    echo stop >"$dir/stop"
    wait "$pid" || {
        tail -n 20 "$log" >&2
        echo "$target found something, or does not run: ./run fuzz $target" >&2
        return 1
    }
    sed -nE "s/^#[0-9]+[[:space:]]+DONE[[:space:]]+cov: ([0-9]+).*/$mutator \1/p" "$log" >>"$dir/$target.edges"
    awk -v name="$mutator" -v took="$took" '$2 == "DONE" { printf "%s %d\n", name, substr($1, 2) / took }' "$log" \
        >>"$dir/$target.inputs_a_second"
    awk -v name="$mutator" '/^parsed: / { printf "%s %.1f\n", name, 100 * $2 / ($4 ? $4 : 1) }' "$log" \
        >>"$dir/$target.percent_parsed"
}

# tell TARGET WHAT
tell() {
    [[ -s $dir/$1.$2 ]] || return 0
    awk -f "$here/mann_whitney.awk" "$dir/$1.$2" | while read -r tables bytes u p; do
        printf '%-20s %-16s %10s %10s %8s %8s\n' "$1" "$2" "$tables" "$bytes" "$u" "$p"
    done
}

printf '%d trials of %d s of processor time each, one at a time\n' "$trials" "$seconds"
printf '%-20s %-16s %10s %10s %8s %8s\n' target median tables bytes U p
for target in "$@"; do
    for ((seed = 1; seed <= trials; seed++)); do
        trial "$target" tables "$seed"
        trial "$target" bytes "$seed"
    done
    for what in edges inputs_a_second percent_parsed; do
        tell "$target" "$what"
    done
done
