#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# bad.sh GOLDWIRE SOURCE BUILD BAD_TESTBENCH: a testbench that goes wrong, before a run or in the middle of it, is named as
# what went wrong, blames no core, keeps nobody waiting, and what was decided before it stays decided. BAD_TESTBENCH
# stands between goldwire and the EtherBone slave and goes wrong at eb-s/write-read, behind two cases that have passed.
# Exit status 77: GHDL is not installed.
set -uo pipefail
goldwire=$1 source=$2 build=$3 bad=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GW_SIM_BUILD=$build
cd "$source" || exit 1
# shellcheck source=lib.sh
. fpga_harness/cores/testing/lib.sh
board=fpga_harness/cores/etherbone/board.yaml

build ghdl etherbone

# try NAME FAULT CODE PATTERN...: goldwire ends with CODE and says each PATTERN; what is `! PATTERN' it does not say.
# NAME is also what has failed, in $work/NAME.failed.
try() {
    local name=$1 fault=$2 want=$3 got pattern folder=$work/$1
    shift 3
    mkdir "$folder"
    [[ -e $folder.yaml ]] || sed -E "s#^  start: .*#  start: {run: [$bad, '${fault//FOLDER/$folder}', eb-s/write-read, \
fpga_harness/cores/simulate.sh, ghdl, etherbone], settle: $settle}#" "$board" >"$folder.yaml"
    XDG_RUNTIME_DIR=$folder timeout 400 "$goldwire" certify "$folder.yaml" --hooks --case eb-s/probe-echo \
        --case eb-s/read-answered --case eb-s/write-read --case eb-s/write-lanes >"$folder.out" 2>&1 </dev/null
    got=$?
    [[ $got == "$want" ]] || echo "$name: exit $got, $want expected" >>"$folder.failed"
    for pattern in "$@"; do
        if [[ $pattern == '! '* ]]; then
            ! grep -qE -- "${pattern#! }" "$folder.out" || echo "$name: says '${pattern#! }'" >>"$folder.failed"
        else
            grep -qE -- "$pattern" "$folder.out" || echo "$name: nothing says '$pattern'" >>"$folder.failed"
        fi
    done
    [[ ! -e $folder.failed ]] || cat "$folder.failed" "$folder.out" >&2
}

# start ...: tries beside others, as most of them wait for simulators to start.
start() {
    while (($(jobs -pr | wc -l) >= 5)); do
        wait -n
    done
    try "$@" &
}

before=('^  PASS +eb-s/probe-echo ' '^  PASS +eb-s/read-answered ')
whole=("${before[@]}" '^  PASS +eb-s/write-read ' '^  PASS +eb-s/write-lanes ')
# The case in which it goes wrong is nobody's failure; the one behind it has a new simulator.
middle=("${before[@]}" '^  INCONC +eb-s/write-read ' 'recovery: hook start' '^  PASS +eb-s/write-lanes ' '! FAIL'
    'the simulator was lost during this case')
never=('^  INCONC +4 cases' 'the board never answered' '! PASS' '! FAIL')

settle=300
start none none 0 "${whole[@]}" '! recovery'
# ---- before the run ----
# It is started anew for as long as its hook may take.
settle=30
start version version 3 "${never[@]}" \
    'speaks version 4\.3 of the protocol with extensions 2, this goldwire 4\.3 with extensions 1: build its testbench'
start twice ports-twice 3 "${never[@]}" 'garbage: port 0 of kind 7 with beats of 1 bytes is none, or is there twice'
start calling dies-calling 3 "${never[@]}" 'no simulator has called: start one with GOLDWIRE_COSIM=.*hook start: exit 7'
start hello dies-in-hello 3 "${never[@]}" 'the simulator is gone without a word at 0 ns'
settle=300

# ---- ports ----
start more ports-more 0 "${whole[@]}" '! recovery'
sed 's/port=0/port=13/' "$board" >"$work/lacks.yaml"
start lacks none 2 'the testbench has no port 13' '! PASS' '! INCONC'
sed 's/port=0/port=15/' "$board" >"$work/kind.yaml"
start kind none 2 'the testbench has no port 15 that carries frames' '! PASS' '! INCONC'

# ---- in the run ----
start before dies-before 3 "${middle[@]}" 'the simulator is gone without a word'
start in dies-in 3 "${middle[@]}" 'the simulator is gone without a word'
start word dies-in-word 3 "${middle[@]}" 'the simulator is gone without a word'
start after dies-after 0 "${whole[@]}" 'recovery: hook start'
start once dies-in,once=FOLDER/died 0 "${whole[@]}" 'recovery: hook start' '! INCONC'
start stalls stalls 3 "${middle[@]}" 'the simulator hangs: no sign of life for 10 s at'
start still still 3 "${middle[@]}" "the simulator's time stands still at"
start garbage garbage 3 "${middle[@]}" 'the simulator sends garbage: command 0x1234'
start long garbage-long 3 "${middle[@]}" 'the simulator sends garbage: a message of 4294967295 bytes'
start port garbage-port 3 "${middle[@]}" 'the simulator sends garbage: data of port 12, which it does not have'
start answer garbage-answer 3 "${middle[@]}" 'the simulator sends garbage: an answer to no SYNC'
# A core that takes no beat is silent: that is the core's failure.
start deaf deaf 1 "${before[@]}" '^  FAIL +eb-s/write-read ' 'no reply within .*, and again when it was repeated' \
    '^  PASS +eb-s/write-lanes '
# The first one of two goes on.
start second second 0 "${whole[@]}" '! recovery'
wait
tried=$(find "$work" -name '*.out' | wc -l) failures=$(find "$work" -name '*.failed' | wc -l)
echo "$tried bad testbenches, $failures told wrongly"
exit $((failures > 0))
