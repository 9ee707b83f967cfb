# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by what looks for planted faults: one search by one target, what came of it, and what showed it. Whoever sources
# it has set root, the source tree, dir, a folder for what a search leaves, and file, where what was tried is noted.
: "${root:?}" "${dir:?}" "${file:?}"

# GOLDWIRE_BENCH_TIMEOUT says otherwise for a machine with much to do.
timeout=${GOLDWIRE_BENCH_TIMEOUT:-20}

# look BIN TARGET SEED SECONDS [NAME=VALUE...] fuzzes with fuzz_TARGET of BIN, from the target's corpus, with these in its
# environment, in SECONDS of processor time at the most. It leaves what was said in log, finds in finds, and the seconds
# that it took in took. An input that takes |timeout| seconds of the clock is a find.
look() {
    local TIMEFORMAT='%U %S' status=0 corpora options=() dictionary
    rm -rf "$dir/corpus" "$dir/finds"
    mkdir "$dir/corpus" "$dir/finds"
    corpora=("$dir/corpus")
    [[ ! -d $root/corpus/$2 ]] || corpora+=("$root/corpus/$2")
    dictionary=$(bash "$root/fuzz/dictionary_of.sh" "$2" "$1")
    [[ ! -f $dictionary ]] || options+=(-dict="$dictionary")
    { time {
        (
            ulimit -c 0
            ulimit -t "$4"
            exec env "${@:5}" "$1/fuzz_$2" -seed="$3" -timeout="$timeout" -detect_leaks=0 \
                -print_final_stats=1 "${options[@]}" -artifact_prefix="$dir/finds/" "${corpora[@]}" >"$dir/log" 2>&1 </dev/null
        ) || status=$?
    } 2>/dev/null; } 2>"$dir/time"
    # shellcheck disable=SC2034 # for whoever called
    took=$(awk '{ printf "%.1f", $1 + $2 }' "$dir/time")
    return "$status"
}

# find_of_search: what the last search found, or nothing.
find_of_search() {
    find "$dir/finds" -type f ! -name 'slow-unit-*' | head -n 1
}

# fails_again BIN TARGET [NAME=VALUE...]: whether the last search's find is one for that program too, in that environment.
fails_again() {
    ! env "${@:3}" "$1/fuzz_$2" -timeout="$timeout" "$(find_of_search)" >"$dir/again" 2>&1
}

# outcome STATUS: of the last search, which ended with that: seeds (an input of the corpus shows something), found, not (the
# time is over); nothing when it did not run.
outcome() {
    if [[ -n $(find_of_search) ]]; then
        if grep -q 'INITED' "$dir/log"; then echo found; else echo seeds; fi
    elif (($1 > 128)) && grep -q 'INITED' "$dir/log"; then
        echo not
    fi
}

# inputs_of_search: how many the last search ran.
inputs_of_search() {
    local inputs
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/log" | head -n 1)
    [[ -n $inputs ]] || inputs=$(sed -nE 's/^#([0-9]+)[[:space:]].*/\1/p' "$dir/log" | tail -n 1)
    echo "$inputs"
}

# says: what showed it: an oracle, or what a sanitizer says, and the first function of ours that it names.
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

# note FIELD... appends a line to file, and prints it.
note() {
    local IFS=$'\t'
    echo "$*" | tee -a "$file"
}
