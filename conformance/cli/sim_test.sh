#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# goldwire sim: the example cores, as their files tell them, wherever they lie.
. "$2/conformance/cli/testing.sh"

# ---- those of the source tree that it was built in, wherever that was ----
mkdir -p tree/build
ln -s "$(readlink -f "$2")/fpga_harness" tree/fpga_harness
cp "$goldwire" tree/build
goldwire=$(readlink -f tree)/build/goldwire
cores=$(readlink -f tree)/fpga_harness/cores
expect 0 "$goldwire" sim --list
for core in "$cores"/*/board.yaml; do
    name=$(basename "$(dirname "$core")")
    grep -qE "^$name +The " out || fail "the list lacks $name"
    has out "  board file  $core"
    has out "&& goldwire certify fpga_harness/cores/$name/board.yaml --hooks"
    has out "$(grep -cvE '^(#|$)' "$cores/$name/faults.txt") to plant"
done
lacks out 'loopback'
cp out whole
expect 0 "$goldwire" sim
cmp -s out whole || fail 'without --list something else is said'

# ---- one core ----
expect 0 "$goldwire" sim etherbone
has out 'sim://etherbone?port=0'
has out '  role        etherbone-slave'
has out 'tlast comes one byte early; found by eb-s/read-answered'
lacks out 'op2p'
expect 0 "$goldwire" sim textarossa
has out 'sim://textarossa?port=1 (regs)'

# ---- simulators that are installed, and that are not ----
mkdir bin
touch bin/ghdl-mcode bin/verilator
chmod +x bin/ghdl-mcode
PATH=$PWD/bin expect 0 "$goldwire" sim
has out '  simulators  ghdl-llvm (missing: apt install ghdl-llvm), ghdl-mcode (found)'
has out '  simulators  icarus (missing: apt install iverilog), verilator (missing: apt install verilator)'

# ---- for programs ----
PATH=$PWD/bin expect 0 "$goldwire" sim --json op2p
has out '"board_file": "'
has out '"number": 18'
has out '"package": "iverilog"'
has out '"found": false'
lacks out '"found": true'

# ---- elsewhere ----
mkdir -p "there/fpga_harness/cores"
cp -r "$cores/simulate.sh" "$cores/op2p" there/fpga_harness/cores
expect 0 "$goldwire" sim --cores there/fpga_harness/cores
has out 'cd there && goldwire certify fpga_harness/cores/op2p/board.yaml --hooks'
lacks out etherbone
mv there/fpga_harness/cores cores
expect 0 "$goldwire" sim --cores cores
has out 'start       goldwire certify cores/op2p/board.yaml --hooks'
mkdir installed
cp "$goldwire" installed
expect 2 installed/goldwire sim
has err '--cores says where they are'
mkdir -p share/doc/goldwire
mv cores share/doc/goldwire/fpga_harness-cores
mkdir share/doc/goldwire/fpga_harness
mv share/doc/goldwire/fpga_harness-cores share/doc/goldwire/fpga_harness/cores
expect 0 installed/goldwire sim
has out "  board file  $(readlink -f .)/share/doc/goldwire/fpga_harness/cores/op2p/board.yaml"

# ---- roles that cannot be simulated ----
# Exit code 2 and the reason, whatever is asked of such a board.
for role in etherbone-master ims-worker ims-buf; do
    sed -E "/^where:/,/^[a-z]+:/{s#(udp|roce)://.*#sim://role-$$?port=0#}" "$2/fpga_harness/boards/$role.yaml" >"$role.yaml"
    for verb in certify doctor 'record made.pcapng --board-file' "replay $2/pcaps/etherbone/probe.pcapng --board-file"; do
        # shellcheck disable=SC2086
        expect 2 "$goldwire" $verb "$role.yaml"
        has err "this $role "
        has err 'cannot be simulated'
    done
    expect 2 "$goldwire" certify --role "$role" --dut "sim://role-$$?port=0"
    has err "this $role "
done
for role in etherbone-master ims-worker; do
    expect 2 "$goldwire" certify --role "$role" --serve "sim://role-$$?port=0"
    has err "this $role calls us, and a core that does cannot be simulated"
done

# ---- bad calls, bad files ----
expect 2 "$goldwire" sim etherbon
has err "no example core 'etherbon'; did you mean 'etherbone'?"
expect 2 "$goldwire" sim --cores none
has err 'none: No such file'
expect 2 "$goldwire" sim --cores bin
has err 'no example core'
mkdir -p bad/one
echo 'role: toaster' >bad/one/board.yaml
expect 2 "$goldwire" sim --cores bad
has err 'bad/one/board.yaml:1:'
finish
