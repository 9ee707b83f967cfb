#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: prove.sh SOURCE WORK fast|whole|planted [NAME]
# Runs Frama-C over the harnesses of codecs/proof, whose names begin with NAME, and prints a table: Eva, or WP over contracts. A proof fails when it has an alarm or a goal is open, when it reaches fewer functions, or has fewer
# goals, than proofs.txt says, or when it did not end. planted: every fault of codecs/proof/planted in a copy of the codecs, one
# at a time; each must make its proof fail. Exit status 0: all of it holds; 1: something does not; 77: there is no Frama-C;
# 2: anything else, as a NAME that there is not. PROVE_SECONDS is how much processor time one proof may take (1800).
set -euo pipefail
(($# == 3 || $# == 4)) || {
    sed -n 's/^# usage: /usage: /p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
source_dir=$(readlink -f "$1") mode=$3 only=${4-}
mkdir -p "$2"
work=$(readlink -f "$2")
proofs=$source_dir/codecs/proof/proofs.txt
[[ $mode =~ ^(fast|whole|planted)$ ]] || {
    echo "unknown mode '$mode': fast, whole or planted" >&2
    exit 2
}
# names prints the names that there are: those of proofs, or in mode planted those of faults' proofs.
names() {
    if [[ $mode == planted ]]; then
        sed -n 's/^Proof: //p' "$source_dir"/codecs/proof/planted/*.patch
    else
        sed -n 's/^\([a-z][^ ]*\) .*/\1/p' "$proofs"
    fi
}
names | awk -v only="$only" 'index($0, only) == 1 { found = 1 } END { exit !found }' || {
    echo "no proof is called '$only'" >&2
    exit 2
}
command -v frama-c >/dev/null || {
    echo "SKIPPED: there is no frama-c; ./run install-deps prove installs it"
    exit 77
}

# frama TREE LOG ARGUMENT... runs Frama-C where the codecs are, and prints the seconds of processor time that it took.
frama() {
    local TIMEFORMAT='%U'
    { time run_frama "$@"; } 2>&1 | sed -n 's/^\([0-9]*\)\.[0-9]*$/\1/p'
}

# run_frama does so quietly, whatever comes of it: the log tells.
run_frama() {
    (
        ulimit -t "${PROVE_SECONDS:-1800}"
        cd "$1/codecs"
        frama-c -c11 -machdep gcc_x86_64 -kernel-warn-key typing:implicit-conv-void-ptr=inactive "${@:3}"
    ) >"$2" 2>&1 || true
}

# functions_of FILE... prints the functions that are defined there, with 0 behind each, as the prover's options have them.
functions_of() {
    sed -nE 's/^[a-z].*[ *]([a-z0-9_]+)\(.*/\1:0/p' "$@" | sort -u | paste -sd ,
}

# analyse TREE NAME BYTES LOG runs one proof.
analyse() {
    local tree=$1 name=$2 bytes=$3 log=$4 harness entry how format sources files followed eva these=()
    local defines='-Iinclude -I. -DNDEBUG'
    read -r _ harness entry how _ _ _ sources < <(grep "^$name " "$proofs")
    if [[ $how == wp ]]; then
        [[ $entry == - ]] || these=(-wp-fct "$entry")
        # Its own list of provers: one's own may not know cvc4.
        WHY3CONFIG=$work/why3.conf why3 config detect >/dev/null 2>&1 || true
        WHY3CONFIG=$work/why3.conf frama "$tree" "$log" "-cpp-extra-args=$defines" "proof/$harness" -wp -wp-rte \
            -wp-skip-fct gw_write_bytes,gw_write_zeros "${these[@]}" -wp-prover cvc4 -wp-timeout 300 -wp-par 1
        return
    fi
    format=${name%%.*}
    defines+=" -DPROOF_FORMAT=$format"
    [[ $entry != *~ ]] || defines+=' -DPROOF_AT_ONCE'
    [[ $how != kept ]] || defines+=' -DPROOF_EACH_LENGTH'
    entry=${entry%'~'}
    [[ $entry != *:* ]] || defines+=" -DPROOF_PART=${entry#*:}"
    case $bytes in
    -) ;;
    *..*) defines+=" -DPROOF_LEAST=${bytes%..*} -DPROOF_BYTES=${bytes#*..}" ;;
    *) defines+=" -DPROOF_BYTES=$bytes" ;;
    esac
    # shellcheck disable=SC2086 # a list of patterns
    files=$(cd "$tree/codecs" && printf '%s\n' $sources | grep -v '_test\.c$')
    # shellcheck disable=SC2086 # a list of files
    mapfile -t followed < <(cd "$tree/codecs" && sed -nE \
        -e 's/^bool (gw_[a-z0-9_]+)\(.*/-eva-split-return-function=\1:0/p' \
        -e 's/^const char \*(gw_[a-z0-9_]+)\(.*/-eva-split-return-function=\1:full/p' $files)
    # apart: what functions return is followed state by state. joined: as one state again, but for "true" and "false"; that takes
    # a fraction of the time, and the cursor's asserts keep it as sharp where nothing else is needed. kept: joined, but what the code
    # says is to be split stays so behind its function, and each length of a message is followed by itself. wide: joined, and an
    # entry of a table is told from what stands beside it up to 4096 of them, and a place in one from none up to 64. tables: joined,
    # and what judges conversations goes through their tables in one state, whatever it did with the entries before.
    eva=(-eva-precision 4 -eva-interprocedural-splits)
    if [[ $how != apart ]]; then
        eva=(-eva-slevel 100 -eva-auto-loop-unroll 64 -eva-split-return auto -eva-ilevel 64 -eva-plevel 2500 -eva-split-limit 300)
        # What is called by its pointer is one state behind it, unless it is named; and of names that were looked up, one is as
        # long as another only where each is followed by itself.
        eva+=("${followed[@]}")
        [[ $how != kept ]] || eva+=(-eva-interprocedural-splits)
        [[ $how != wide ]] || eva+=(-eva-plevel 4096 -eva-ilevel 65)
        # shellcheck disable=SC2046 # a list of files
        [[ $how != tables ]] || eva+=(-eva-slevel-function "$(cd "$tree/codecs" && functions_of $(grep -o '[^ ]*/session[^ ]*' <<<"$files"))")
    fi
    # shellcheck disable=SC2086 # a list of names
    frama "$tree" "$log" "-cpp-extra-args=$defines" $files "proof/$harness" -main "${entry%:*}" -eva "${eva[@]}" \
        -eva-msg-key=-initial-state,-final-states -eva-no-show-progress
}

# alarms LOG counts what Eva cannot call safe. What it says of an assertion that WP proves for every length is none: its name begins
# with "proven", and it holds wherever core.contracts does.
alarms() {
    sed '/^\[eva:alarm\].*Warning: *$/{N;s/\n//}' "$1" | grep -a '^\[eva:alarm\]' | grep -cvF "'proven_" || true
}

# strays TREE names the files of the codecs in which contracts may not hold: who else moves a cursor's ends, makes one over other
# bytes than a message's own, or makes a record of EtherBone. docs/proof.md tells why those may that do.
strays() {
    (
        cd "$1/codecs"
        grep -rlE --include='*.[ch]' '\bc(\.|->)(p|end|base) *[-+]?= ' . |
            grep -vE '_test\.c$|^\./(proof/core\.c|include/goldwire/cursor\.h|(core|ims|l1farm)/walk\.c)$'
        grep -rnE --include='*.[ch]' '\bgw_cursor_over\(' . |
            grep -vE '_test\.[ch]:|^\./[a-z0-9]*/testing/|gw_cursor_over\(([a-z>.-]*)data, \1cap_len\)' |
            sed 's/:.*//' | sort -u |
            grep -vE '^\./(proof/.*|include/goldwire/cursor\.h|net/defrag\.c|op2p/decode\.c|l1farm/(check|event|session|trace)\.c)$'
        grep -rlE --include='*.[ch]' '\brecord(\.|->)(writes|reads) *= ' . | grep -v '^\./include/goldwire/etherbone\.h$'
    ) | paste -sd ' '
}

# judge TREE NAME LOG LEAST WORDS SECONDS prints a line of the table; false when the proof does not hold.
judge() {
    local tree=$1 name=$2 log=$3 least=$4 functions statements=- alarms words='' ok=0 proved goals others
    if grep -q "^$name [^ ]* [^ ]* wp " "$proofs"; then
        read -r proved goals < <(sed -n 's/^\[wp\] Proved goals: *\([0-9]*\) \/ \([0-9]*\).*/\1 \2/p' "$log") || {
            proved=0 goals=0
            words='did not end'
        }
        functions=$(grep -c '^\[rte:annot\] annotating function' "$log") || functions=0
        statements="$proved of $goals" alarms=$((goals - proved))
        ((goals >= least)) || words=${words:-"fewer than $least goals"}
        others=$(strays "$tree") || true
        words+=${others:+"cursors or records are changed by $others"}
        [[ -z $words ]] && ((alarms == 0)) || ok=1
    else
        read -r functions < <(sed -n 's/^ *\([0-9]*\) functions analyzed.*/\1/p' "$log") || functions=0
        read -r statements < <(sed -n 's/.* \([0-9]*\) statements reached (out of \([0-9]*\)).*/\1 of \2/p' "$log") ||
            statements=-
        alarms=$(alarms "$log")
        if ! grep -q '^\[eva:summary\]' "$log"; then
            words='did not end' ok=1
        elif grep -qE 'missing-spec|annot-error|User Error|NON TERMINATING' "$log"; then
            words='rests on what is not there' ok=1
        elif ((functions < least)); then
            words="fewer than $least functions" ok=1
        elif ((alarms > 0)); then
            ok=1
        fi
    fi
    printf '%-22s %9s %14s %6s %5s s  %s\n' "$name" "$functions" "$statements" "$alarms" "$6" "$5$words"
    return "$ok"
}

# prove TREE NAME BYTES LEAST runs one and prints its line; false when it does not hold.
prove() {
    local log=$work/$2.log seconds words=''
    [[ $3 == - ]] || words="up to ${3#*..} bytes "
    [[ $3 != *..* ]] || words="${3/../ to } bytes "
    rm -f "$log"
    seconds=$(analyse "$1" "$2" "$3" "$log")
    judge "$1" "$2" "$log" "$4" "$words" "$seconds"
}

# plant PATCH makes a tree of the codecs with that fault in it.
plant() {
    rm -rf "$work/tree"
    mkdir "$work/tree"
    cp -r "$source_dir/codecs" "$work/tree/codecs"
    patch -d "$work/tree" -p1 -F0 -N -s -r - --no-backup-if-mismatch <"$1" >&2 || {
        echo "$1 does not fit any more: the code it was made for has changed" >&2
        exit 2
    }
}

status=0
printf '%-22s %9s %14s %6s %7s\n' proof functions statements alarms time
if [[ $mode == planted ]]; then
    for fault in "$source_dir"/codecs/proof/planted/*.patch; do
        name=$(sed -n 's/^Proof: //p' "$fault")
        bytes=$(sed -n 's/^Bytes: //p' "$fault")
        [[ $name == "$only"* ]] || continue
        read -r _ _ _ _ _ whole least _ < <(grep "^$name " "$proofs")
        plant "$fault"
        # What is not there, or did not end, tells nothing: a fault is found by an alarm, or a goal that stays open.
        prove "$work/tree" "$name" "${bytes:-$whole}" "$least" || true
        if (($(alarms "$work/$name.log") > 0)) || grep -q '^\[wp\] \[Failed\]\|: Unknown\|: Timeout' "$work/$name.log"; then
            echo "  found: $(basename "$fault" .patch)"
        else
            echo "  NOT FOUND: $(basename "$fault" .patch)"
            status=1
        fi
    done
else
    jobs=1
    [[ $mode == fast ]] || jobs=$(nproc)
    rm -f "$work"/failed.*
    while read -r name _ _ _ bytes whole least _; do
        [[ $name == "$only"* ]] || continue
        [[ $mode == fast ]] || bytes=$whole
        [[ $bytes != no ]] || continue
        while (($(jobs -rp | wc -l) >= jobs)); do wait -n || true; done
        { prove "$source_dir" "$name" "$bytes" "$least" || touch "$work/failed.$name"; } &
    done < <(grep -v '^#' "$proofs")
    wait
    ! compgen -G "$work/failed.*" >/dev/null || status=1
fi
((status == 0)) || echo "logs: $work" >&2
exit "$status"
