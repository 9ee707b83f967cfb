#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# core.sh GOLDWIRE SOURCE BUILD SIMULATOR CORE [whole]: the example core CORE in SIMULATOR passes, two runs leave the
# same bytes, and its planted faults are found. Without `whole' that is tried with the cases and faults of
# CORE/few.txt; with it, with all of them, and each verdict is held beside the software board's: CORE/differences.txt
# says why one differs. Exit status 77: the simulator is not installed.
set -uo pipefail
goldwire=$1 source=$2 build=$3 simulator=$4 core=$5 whole=${6-}
here=$source/fpga_harness/cores/$core
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GW_SIM_BUILD=$build
cd "$source" || exit 1
# shellcheck source=lib.sh
. fpga_harness/cores/testing/lib.sh
failures=0

fail() {
    printf 'FAIL: %s\n' "$*" >&2
    failures=$((failures + 1))
}

# board FILE [NAME=VALUE...]: the core's board file, for this simulator and a simulation of its own name.
board() {
    local file=$1 arguments
    shift
    arguments=$(printf ', %s' "$@")
    (($# > 0)) || arguments=
    sed -E "s#(simulate.sh, )[a-z-]+, $core\]#\1$simulator, $core$arguments]#; s#sim://[A-Za-z0-9_]+#sim://$core-$simulator-$$#" \
        "$here/board.yaml" >"$file"
}

# certify CODE OUT ARGUMENT...: certifies by the board file $work/OUT.yaml into $work/OUT, what is printed to $work/OUT.txt.
certify() {
    local want=$1 out=$2 got
    shift 2
    "$goldwire" certify "$work/$out.yaml" --hooks --seed 7 --out "$work/$out" "$@" >"$work/$out.txt" 2>&1
    got=$?
    [[ $got == "$want" ]] || {
        fail "$core in $simulator: exit $got, $want expected: certify $*"
        grep -vE '^  (PASS|NA) ' "$work/$out.txt" | head -40 >&2
    }
}

build "$simulator" "$core"

cases=()
if [[ $whole != whole ]]; then
    while read -r one; do
        cases+=(--case "$one")
    done < <(rows "$here/few.txt" | sed 's/^[0-9].*//; /^$/d')
fi

# ---- the core passes, and the same again ----
board "$work/one.yaml"
cp "$work/one.yaml" "$work/two.yaml"
certify 0 one ${cases[@]+"${cases[@]}"}
certify 0 two ${cases[@]+"${cases[@]}"}
for folder in one two; do
    (cd "$work/$folder" && rm -f cert.json cert.sha256 cert.sig &&
        find . -type f \( -name '*.json' -o -name '*.html' -o -name '*.sarif' -o -name '*.xml' \) -exec \
            sed -Ei "s/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/DATE/g; s#$work/$folder#FOLDER#g" {} +)
done
diff -r "$work/one" "$work/two" >"$work/differ" || fail "$core in $simulator: two runs differ: $(head -c 1000 "$work/differ")"

# ---- a board file that names a port which the testbench lacks ----
# That is told at once, however long the start hook may take.
sed -E 's#(sim://[^?]*\?port=)0#\113#' "$work/one.yaml" >"$work/port.yaml"
certify 2 port
grep -qF 'the testbench has no port 13' "$work/port.txt" || fail "$core in $simulator: nothing says that there is no port 13"

# ---- a simulation that ends in each case that takes longer than a probe ----
# Nothing is known of such a case, which is no failure of the core, and what was decided before it stays.
if [[ $simulator == ghdl-llvm && $core == etherbone ]]; then
    # shellcheck disable=SC2016
    printf 'cd %q && LD_LIBRARY_PATH=$PWD exec ./work/tb_eb_slave --ieee-asserts=disable-at-0 --stop-time=5us\n' \
        "$build/$simulator-$core" >"$work/short.sh"
    sed -E "s#run: \[.*\]#run: [bash, $work/short.sh]#" "$work/one.yaml" >"$work/short.yaml"
    certify 3 short --case eb-s/probe-echo --case eb-s/reply-flags
    grep -qE '^  PASS +eb-s/probe-echo ' "$work/short.txt" || fail "$core in $simulator: what was decided is lost"
    grep -qF 'the simulator was lost during this case: the simulation ended by itself' "$work/short.txt" ||
        fail "$core in $simulator: nothing says that the simulation ended"
fi

# ---- each verdict beside the software board's ----
if [[ $whole == whole ]]; then
    role=$(sed -n 's/^role: //p' "$here/board.yaml")
    # An APElink is a byte stream to the runner, as a software board's is over TCP.
    over=udp
    ! grep -q 'over=apelink' "$here/board.yaml" || over=tcp
    "$goldwire" certify --dut "peer:$role?via=mem&over=$over" >"$work/software.txt" 2>&1
    join <(verdicts "$work/software.txt") <(verdicts "$work/one.txt") | awk '$2 != $3' >"$work/other"
    while read -r id software simulated; do
        explained "$core" "$id" ||
            fail "$core in $simulator: $id is $simulated, of the software board $software, and nothing says why"
    done <"$work/other"
    while read -r pattern _; do
        # shellcheck disable=SC2053
        while read -r id _; do [[ $id != $pattern ]] || continue 2; done <"$work/other"
        fail "$core in $simulator: $pattern is said to differ, and does not: take it out of differences.txt"
    done < <(rows "$here/differences.txt")
    [[ $(verdicts "$work/one.txt" | wc -l) == $(verdicts "$work/software.txt" | wc -l) ]] ||
        fail "$core in $simulator: not every case was run"
fi

# ---- planted faults ----
found=0 planted=0
while read -r number chosen text; do
    if [[ $whole != whole ]] && ! rows "$here/few.txt" | grep -qx "$number"; then continue; fi
    planted=$((planted + 1))
    case=${chosen%%,*} cases=()
    for one in ${chosen//,/ }; do cases+=(--case "$one"); done
    board "$work/fault$number.yaml" "FAULT=$number"
    # Some simulators have parameters built in, which takes longer than a board may take to come up.
    bash fpga_harness/cores/simulate.sh "$simulator" "$core" --build-only "FAULT=$number" >"$work/built.txt" 2>&1 ||
        cat "$work/built.txt" >&2
    "$goldwire" certify "$work/fault$number.yaml" --hooks "${cases[@]}" >"$work/fault.txt" 2>&1
    if grep -qE "^  (FAIL|WARN) +$case " "$work/fault.txt"; then
        found=$((found + 1))
    else
        fail "$core in $simulator: fault $number ($text) is not found by $case"
        tail -15 "$work/fault.txt" >&2
    fi
done < <(rows "$here/faults.txt")
((planted > 0)) || fail "$core: no fault was tried"

grep -E '^[0-9]+ cases' "$work/one.txt"
echo "$core in $simulator: $found of $planted planted faults found, two runs alike"
exit $((failures > 0))
