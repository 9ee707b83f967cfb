#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# verbs.sh GOLDWIRE SOURCE BUILD: every verb that talks to a board talks to one in a simulator, in the simulation's time:
# doctor, certify (--measure too), record, replay in each mode, regs; and a core that is deaf is looked for in its own time, not for as
# long as its start hook may take. Exit status 77: GHDL is not installed.
set -uo pipefail
goldwire=$1 source=$2 build=$3
work=$(mktemp -d)
child=
trap '[[ -z $child ]] || kill "$child" 2>/dev/null; rm -rf "$work"' EXIT
export GW_SIM_BUILD=$build XDG_RUNTIME_DIR=$work
cd "$source" || exit 1
# shellcheck source=lib.sh
. fpga_harness/cores/testing/lib.sh
failures=0

fail() {
    printf 'FAIL: %s\n' "$*" >&2
    cat "$work/out" >&2
    failures=$((failures + 1))
}

# expect CODE ARGUMENT...: goldwire ends so.
expect() {
    local want=$1 got
    shift
    timeout 300 "$goldwire" "$@" >"$work/out" 2>&1 </dev/null
    got=$?
    [[ $got == "$want" ]] || fail "exit $got, $want expected: $*"
}

has() {
    grep -qE -- "$1" "$work/out" || fail "nothing says '$1'"
}

for core in etherbone textarossa; do
    build ghdl "$core"
done
board=fpga_harness/cores/etherbone/board.yaml

# ---- doctor ----
expect 0 doctor "$board" --hooks
has '^ok +simulation +125\.000 MHz; .*\(40000 cycles\), .*\(8000\)'
has '^ok +probe '
has '^ok +jitter floor +none'
grep -v '^simulation:' "$board" >"$work/undescribed.yaml"
expect 0 doctor "$work/undescribed.yaml" --hooks
has '^note +simulation +not described'

# ---- record and replay ----
expect 0 record "$work/made.pcapng" --board-file "$board" --hooks --case 'eb-s/write-read' --case 'eb-s/write-lanes'
has '2 of 2 cases'
for mode in lockstep captured asap; do
    expect 0 replay "$work/made.pcapng" --board-file "$board" --hooks --mode "$mode"
    has '^PASS'
done
expect 1 replay pcaps/etherbone/widths.pcapng --board-file "$board" --hooks
has 'did not come'
# A trace in which five seconds pass: not simulated unasked.
"$goldwire" decode --json "$work/made.pcapng" 2>"$work/out" | awk '{
        if (NR > 4 && match($0, /"time":"[0-9]+/))
            $0 = substr($0, 1, RSTART + 7) substr($0, RSTART + 8, RLENGTH - 8) + 5 substr($0, RSTART + RLENGTH)
        print
    }' | "$goldwire" encode >"$work/long.pcapng"
expect 6 replay "$work/long.pcapng" --board-file "$board" --hooks --mode captured
has '^NA: waits 5000 ms, which would cost 6250000[0-9][0-9] cycles of the simulation; --patience 79 has'
expect 0 replay "$work/long.pcapng" --board-file "$board" --hooks --mode asap
expect 0 certify "$board" --hooks --strict --trace "$work/made.pcapng" --case 'eb-s/response-time'
has 'PASS +trace/made'

# ---- how fast it is ----
# In the simulation's time, cycles beside it, and without a floor: two runs measure the same.
node=fpga_harness/cores/textarossa/board.yaml
for run in first second; do
    expect 0 certify "$node" --hooks --case tx-r/holes --measure --out "$work/$run"
    has '^  round +4096 B +[0-9]+ ns .* 16 '
    sed -E '/"(budget_ns|took_ns)"/d' "$work/$run/measure.json" >"$work/$run.json"
done
cmp "$work/first.json" "$work/second.json" || fail 'two runs of a simulation measure different things'
grep -q '"simulated": true' "$work/first.json" || fail 'what was measured is not said to be simulated'
grep -q 'cycles</td>' "$work/first/measure.html" || fail 'the page tells no cycles'
grep -q 'clock stands still while goldwire works' "$work/first/measure.html" || fail 'the page does not say why there is no floor'

# ---- registers ----
# regs CODE ARGUMENT...: goldwire regs, which waits until a simulator of $core calls.
core=textarossa role=textarossa-node
regs() {
    local want=$1 path
    path=$work/goldwire-$(id -u)-regs
    shift
    (
        for _ in $(seq 600); do
            [[ ! -S $path ]] || break
            sleep 0.05
        done
        GOLDWIRE_COSIM=$path exec bash fpga_harness/cores/simulate.sh ghdl "$core"
    ) >"$work/simulator" 2>&1 &
    child=$!
    expect "$want" regs "$role" "$@"
    wait "$child"
    child=
}
regs 0 --dut 'sim://regs?port=1' COORDME_REG=0x843 COORDME_REG 0x18
has 'waiting for a simulator: GOLDWIRE_COSIM='
[[ $(grep -c 0x00000843 "$work/out") == 3 ]] || fail 'what was written does not read back'
regs 0 --dut 'regs=sim://regs?port=1'
has 'LATTICESIZE_REG +0xffffffff'
regs 2 --dut 'sim://regs?port=15' COORDME_REG
has 'port 15 of the testbench carries no registers'
regs 3 --dut 'sim://regs?port=1' 0x9000
has 'bus error|no answer'
# Over AXI4-Lite, whose port 7 sets a write's address and data apart.
core=buses role=etherbone-slave
for port in 0 7; do
    regs 0 --dut "sim://regs?port=$port" 0x10=0x12345678 0xfc=0x9abcdef0 0x10 0xfc
    [[ $(grep -c 0x12345678 "$work/out") == 2 && $(grep -c 0x9abcdef0 "$work/out") == 2 ]] || fail 'AXI4-Lite: what was written does not read back'
    regs 3 --dut "sim://regs?port=$port" 0x100
    has 'bus error'
    regs 3 --dut "sim://regs?port=$port" 0x200
    has 'bus error'
done

# ---- a core that answers nothing ----
# The core speaks EtherBone.
sed -E 's/settle: [0-9]+/settle: 600/; s/, textarossa\]/, etherbone]/; s/^  net: .*/  net: sim:\/\/deaf?port=0/; /^  regs:/d; /^areas:/,/^$/d' \
    fpga_harness/cores/textarossa/board.yaml >"$work/deaf.yaml"
expect 3 certify "$work/deaf.yaml" --hooks
has 'no answer to 3 attempts of '

exit $((failures > 0))
