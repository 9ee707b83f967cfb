#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: planted.sh FOLDER SEED SECONDS TRIALS FILE [FAULT...]
# The faults of fuzz/planted, or those with these numbers, one after the other: how long each target that ought to find
# one looks for it, TRIALS times, begun with SEED and the numbers behind it, in seconds of processor time, SECONDS at the
# most; when the fault's place was reached, when what makes it wrong was met, how many inputs were run, and what showed
# it. Once is enough where an input of the corpus does, which every search begins with. Then the targets of single packets: one run of each, with no fault awake, tells to which places it comes; these
# alone can make a difference, and are looked for by another run.
# An input that takes 20 s of the clock is a find; GOLDWIRE_BENCH_TIMEOUT says otherwise, for a machine with much to do.
# FOLDER holds the targets, built from a tree that tree.sh made; what it does not hold is left out. A search is a line of
# FILE, and is not made again when it has one:
#   fault name target seed outcome seconds inputs reached met says
# Outcomes: seeds (an input of the corpus shows it), found, not (the time is over), unreached (nor looked for: no input of
# a single-packet target comes to its place), other (a find that the fault has no part in, or that fails while no fault is
# awake as well: its input lies beside FILE).
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=$(dirname "$(dirname "$here")")
(($# >= 5)) || {
    sed -n 's/^# usage: /usage: /p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
bin=$(readlink -f "$1") seed=$2 seconds=$3 trials=$4 file=$5
timeout=${GOLDWIRE_BENCH_TIMEOUT:-20}
wanted=" ${*:6} "

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# told PATCH WHAT prints what the head of PATCH says.
told() {
    sed -n "s/^$2: //p;/^---/q" "$1"
}

# look TARGET FAULT SEED fuzzes with that fault awake, 0 for none, and leaves what was said in log, finds in finds, notes
# in notes, and the seconds of processor time it took in took.
look() {
    local TIMEFORMAT='%U %S' status=0 corpora options=() dictionary
    rm -rf "$dir/corpus" "$dir/finds" "$dir/notes"
    mkdir "$dir/corpus" "$dir/finds"
    corpora=("$dir/corpus")
    [[ ! -d $root/corpus/$1 ]] || corpora+=("$root/corpus/$1")
    dictionary=$(bash "$root/fuzz/dictionary_of.sh" "$1" "$bin")
    [[ ! -f $dictionary ]] || options+=(-dict="$dictionary")
    { time {
        (
            ulimit -c 0
            ulimit -t "$seconds"
            GOLDWIRE_PLANTED=$2 GOLDWIRE_PLANTED_NOTES=$dir/notes exec "$bin/fuzz_$1" -seed="$3" -timeout="$timeout" \
                -detect_leaks=0 -print_final_stats=1 "${options[@]}" -artifact_prefix="$dir/finds/" "${corpora[@]}" >"$dir/log" 2>&1 </dev/null
        ) || status=$?
    } 2>/dev/null; } 2>"$dir/time"
    took=$(awk '{ printf "%.1f", $1 + $2 }' "$dir/time")
    GOLDWIRE_PLANTED_TELL=1 GOLDWIRE_PLANTED_NOTES=$dir/notes "$bin/fuzz_$1" >"$dir/times"
    return "$status"
}

# outcome STATUS, as above; nothing when it did not run.
outcome() {
    if [[ -n $(find "$dir/finds" -type f ! -name 'slow-unit-*') ]]; then
        if grep -q 'INITED' "$dir/log"; then echo found; else echo seeds; fi
    elif (($1 > 128)) && grep -q 'INITED' "$dir/log"; then
        echo not
    fi
}

# What showed it: an oracle, or what a sanitizer says, and the first function of ours that it names.
says() {
    local what where
    what=$(sed -nE 's/^(oracle): /\1: /p; s/.*runtime error: //p; s/.*ERROR: (AddressSanitizer: [A-Za-z-]+).*/\1/p
        s/.*ERROR: (libFuzzer: [a-z -]+).*/\1/p' "$dir/log" | head -n 1)
    where=$(sed -nE 's/^ +#[0-9]+ 0x[0-9a-f]+ in ([a-z_0-9]+) .*\/(codecs|conformance|dissectors|fpga_harness)\/.*/\1/p' \
        "$dir/log" | head -n 1)
    [[ -z $where || $what == oracle:* ]] || what+=" in $where"
    echo "${what#oracle: }"
}

die() {
    tail -n 20 "$dir/log" >&2
    echo "$*" >&2
    exit 1
}

# known FAULT TARGET SEED: the outcome of that line of FILE, or nothing.
known() {
    awk -F '\t' -v f="$1" -v t="$2" -v s="$3" '$1 == f && $3 == t && $4 == s { print $5; exit }' "$file"
}

note() {
    local IFS=$'\t'
    echo "$*" | tee -a "$file"
}

# search FAULT NAME TARGET SEED
search() {
    local status=0 result inputs find reached=- met=-
    [[ -z $(known "$1" "$3" "$4") ]] || return 0
    look "$3" "$1" "$4" || status=$?
    result=$(outcome "$status")
    [[ -n $result ]] || die "fuzz_$3 does not run with fault $1"
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/log" | head -n 1)
    [[ -n $inputs ]] || inputs=$(sed -nE 's/^#([0-9]+)[[:space:]].*/\1/p' "$dir/log" | tail -n 1)
    read -r _ reached met < <(grep "^$1	" "$dir/times" || echo "$1	-	-")
    if [[ $result == not ]]; then
        note "$1" "$2" "$3" "$4" not "$took" "$inputs" "$reached" "$met" -
        return
    fi
    find=$(find "$dir/finds" -type f ! -name 'slow-unit-*' | head -n 1)
    if [[ $met == - ]] || ! GOLDWIRE_PLANTED=0 GOLDWIRE_PLANTED_NOTES=$dir/none "$bin/fuzz_$3" -timeout="$timeout" "$find" \
        >"$dir/again" 2>&1; then
        result=other
        cp "$find" "$file.other-$3-$1-$4"
    fi
    note "$1" "$2" "$3" "$4" "$result" "$took" "$inputs" "$reached" "$met" "$(says)"
}

# asleep TARGET SEED tells which places it reaches: lines of $dir/asleep.TARGET, with the times.
asleep() {
    local status=0 kept=$file.asleep-$1
    if [[ ! -s $kept ]]; then
        look "$1" 0 "$2" || status=$?
        [[ $(outcome "$status") == not ]] || die "fuzz_$1 finds something with no fault awake, or does not run"
        cp "$dir/times" "$kept"
    fi
    cp "$kept" "$dir/asleep.$1"
}

mkdir -p "$(dirname "$file")"
touch "$file"
patches=()
for patch in "$root"/fuzz/planted/*/*.patch; do
    fault=$(told "$patch" Fault)
    [[ $wanted == '  ' || $wanted == *" $fault "* ]] || continue
    patches+=("$patch")
    name=$(basename "${patch%.patch}")
    read -ra targets < <(told "$patch" Targets)
    for target in "${targets[@]}"; do
        [[ -x $bin/fuzz_$target ]] || continue
        for ((trial = 0; trial < trials; trial++)); do
            search "$fault" "${name#*-}" "$target" $((seed + trial))
            [[ $(known "$fault" "$target" $((seed + trial))) != seeds ]] || break
        done
    done
done
singles=()
for target in "$bin"/fuzz_*_decode; do
    [[ ! -x $target ]] || singles+=("${target##*/fuzz_}")
done
for target in "${singles[@]}"; do
    asleep "$target" "$seed"
    for patch in "${patches[@]}"; do
        fault=$(told "$patch" Fault)
        name=$(basename "${patch%.patch}")
        if grep -q "^$fault	" "$dir/asleep.$target"; then
            search "$fault" "${name#*-}" "$target" "$seed"
        elif [[ -z $(known "$fault" "$target" "$seed") ]]; then
            note "$fault" "${name#*-}" "$target" "$seed" unreached - - - - - >/dev/null
        fi
    done
done
awk -f "$here/planted.awk" "$file"
