#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: planted.sh FOLDER SEED SECONDS TRIALS FILE [FAULT...]
# The faults of fuzz/planted, or those with these numbers, one after the other: how long each target that ought to find
# one looks for it, TRIALS times, begun with SEED and the numbers behind it, in seconds of processor time, SECONDS at the
# most; when the fault's place was reached, when what makes it wrong was met, how many inputs were run, and what showed
# it. Once is enough where an input of the corpus does, which every search begins with. Then the targets of single
# packets: one run of each, with no fault awake, tells to which places it comes; these alone can make a difference, and are
# looked for by another run.
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
wanted=" ${*:6} "

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# told PATCH WHAT prints what the head of PATCH says.
told() {
    sed -n "s/^$2: //p;/^---/q" "$1"
}

# shellcheck source=fuzz/bench/search.sh
. "$here/search.sh"

# look_awake TARGET FAULT SEED looks with that fault awake, 0 for none, and leaves in times what was met, and when.
look_awake() {
    local status=0
    rm -rf "$dir/notes"
    look "$bin" "$1" "$3" "$seconds" GOLDWIRE_PLANTED="$2" GOLDWIRE_PLANTED_NOTES="$dir/notes" || status=$?
    GOLDWIRE_PLANTED_TELL=1 GOLDWIRE_PLANTED_NOTES=$dir/notes "$bin/fuzz_$1" >"$dir/times"
    return "$status"
}

# known FAULT TARGET SEED: the outcome of that line of FILE, or nothing.
known() {
    awk -F '\t' -v f="$1" -v t="$2" -v s="$3" '$1 == f && $3 == t && $4 == s { print $5; exit }' "$file"
}

# search FAULT NAME TARGET SEED
search() {
    local status=0 result reached=- met=-
    [[ -z $(known "$1" "$3" "$4") ]] || return 0
    look_awake "$3" "$1" "$4" || status=$?
    result=$(outcome "$status")
    [[ -n $result ]] || die "fuzz_$3 does not run with fault $1"
    read -r _ reached met < <(grep "^$1	" "$dir/times" || echo "$1	-	-")
    if [[ $result == not ]]; then
        note "$1" "$2" "$3" "$4" not "$took" "$(inputs_of_search)" "$reached" "$met" -
        return
    fi
    if [[ $met == - ]] || fails_again "$bin" "$3" GOLDWIRE_PLANTED=0 GOLDWIRE_PLANTED_NOTES="$dir/none"; then
        result=other
        cp "$(find_of_search)" "$file.other-$3-$1-$4"
    fi
    note "$1" "$2" "$3" "$4" "$result" "$took" "$(inputs_of_search)" "$reached" "$met" "$(says)"
}

# asleep TARGET SEED tells which places it reaches: lines of $dir/asleep.TARGET, with the times.
asleep() {
    local status=0 kept=$file.asleep-$1
    if [[ ! -s $kept ]]; then
        look_awake "$1" 0 "$2" || status=$?
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
