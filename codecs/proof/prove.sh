#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: prove.sh SOURCE WORK fast|whole|planted [NAME]
# Runs Frama-C's Eva over the harnesses of codecs/proof, whose names begin with NAME, and prints a table. Fails when one has an
# alarm, reaches fewer functions than proofs.txt says, or did not end. planted: every fault of codecs/proof/planted in
# a copy of the codecs, one at a time; each must make an alarm. Exit status 77 where there is no Frama-C.
set -euo pipefail
(($# == 3 || $# == 4)) || {
    sed -n 's/^# usage: /usage: /p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
source_dir=$(readlink -f "$1") mode=$3 only=${4-}
mkdir -p "$2"
work=$(readlink -f "$2")
command -v frama-c >/dev/null || {
    echo "SKIPPED: there is no frama-c; ./run install-deps prove installs it"
    exit 77
}
[[ $mode =~ ^(fast|whole|planted)$ ]] || {
    echo "unknown mode '$mode': fast, whole or planted" >&2
    exit 2
}

# analyse TREE NAME BYTES runs one proof; its log is NAME.log in the folder of work.
analyse() {
    local tree=$1 name=$2 bytes=$3 log=$4 harness entry format sources defines=''
    read -r _ harness entry _ _ _ sources < <(grep "^$name " "$source_dir/codecs/proof/proofs.txt")
    format=${name%%.*}
    [[ $bytes == - ]] || defines="-DPROOF_BYTES=$bytes"
    # shellcheck disable=SC2046,SC2086 # a list of patterns
    (cd "$tree/codecs" && timeout "${PROVE_SECONDS:-1800}" frama-c -c11 -machdep gcc_x86_64 \
        -cpp-extra-args="-Iinclude -I. -DNDEBUG -DPROOF_FORMAT=$format $defines" \
        $(printf '%s\n' $sources | grep -v '_test\.c$') "proof/$harness" -main "$entry" \
        -kernel-warn-key typing:implicit-conv-void-ptr=inactive -eva -eva-precision 4 -eva-interprocedural-splits \
        -eva-msg-key=-initial-state,-final-states -eva-no-show-progress) >"$log" 2>&1
}

# judge NAME LOG LEAST prints the rest of a line of the table; false when the proof does not hold.
judge() {
    local name=$1 log=$2 least=$3 functions statements alarms words='' ok=0
    read -r functions < <(sed -n 's/^ *\([0-9]*\) functions analyzed.*/\1/p' "$log") || functions=0
    read -r statements < <(sed -n 's/.* \([0-9]*\) statements reached (out of \([0-9]*\)).*/\1 of \2/p' "$log") ||
        statements=-
    alarms=$(grep -c '^\[eva:alarm\]' "$log") || true
    if ! grep -q '^\[eva:summary\]' "$log"; then
        words='did not end' ok=1
    elif grep -qE 'missing-spec|annot-error|User Error|NON TERMINATING' "$log"; then
        words='rests on what is not there' ok=1
    elif ((functions < least)); then
        words="fewer than $least functions" ok=1
    elif ((alarms > 0)); then
        ok=1
    fi
    printf '%-22s %9s %14s %6s %5s s  %s\n' "$name" "$functions" "$statements" "$alarms" "$5" "$4$words"
    return "$ok"
}

# prove TREE NAME BYTES LEAST runs one and prints its line.
prove() {
    local log=$work/$2.log begin=$SECONDS words=''
    [[ $3 == - ]] || words="up to $3 bytes "
    rm -f "$log"
    analyse "$1" "$2" "$3" "$log" || true
    judge "$2" "$log" "$4" "$words" $((SECONDS - begin))
}

# plant PATCH makes a tree of the codecs with that fault in it.
plant() {
    rm -rf "$work/tree"
    mkdir "$work/tree"
    cp -r "$source_dir/codecs" "$work/tree/codecs"
    patch -d "$work/tree" -p1 -F0 -N -s -r - --no-backup-if-mismatch <"$1" >&2 || {
        echo "$1 does not fit any more: the code it was made for has changed" >&2
        exit 1
    }
}

status=0 number=0
printf '%-22s %9s %14s %6s %7s\n' proof functions statements alarms time
if [[ $mode == planted ]]; then
    for fault in "$source_dir"/codecs/proof/planted/*.patch; do
        name=$(sed -n 's/^Proof: //p' "$fault")
        [[ $name == "$only"* ]] || continue
        number=$((number + 1))
        read -r _ _ _ bytes whole least _ < <(grep "^$name " "$source_dir/codecs/proof/proofs.txt")
        [[ $bytes != no ]] || bytes=$whole
        plant "$fault"
        prove "$work/tree" "$name" "$bytes" "$least" || true
        if grep -q '^\[eva:alarm\]' "$work/$name.log"; then
            echo "  found: $(basename "$fault" .patch)"
        else
            echo "  NOT FOUND: $(basename "$fault" .patch)"
            status=1
        fi
    done
else
    while read -r name _ _ bytes whole least _; do
        [[ $name == "$only"* ]] || continue
        [[ $mode == fast ]] || bytes=$whole
        [[ $bytes != no ]] || continue
        number=$((number + 1))
        prove "$source_dir" "$name" "$bytes" "$least" || status=1
    done < <(grep -v '^#' "$source_dir/codecs/proof/proofs.txt")
fi
((number > 0)) || {
    echo "no proof is called '$only'" >&2
    exit 2
}
((status == 0)) || echo "logs: $work" >&2
exit "$status"
