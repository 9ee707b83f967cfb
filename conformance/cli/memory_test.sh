#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Every allocation of a call is refused in turn: what goldwire could not do is told as its own, with exit code 4, and no
# board, file or argument is blamed for it.
. "$2/conformance/cli/testing.sh"
refuse=$3
[ -e "$refuse" ] || { echo 'SKIPPED: a sanitizer brings its own malloc'; exit 77; }
pcap=$2/pcaps/etherbone/probe.pcapng

# timeless FILE: what was printed, but for how long it took.
timeless() {
    sed -E 's/; [0-9]+\.[0-9]+ s$//; /sha256:/d' "$1"
}

# refused_in_turn MOST COMMAND...: refuses each allocation, or MOST of them evenly spread.
refused_in_turn() {
    local most=$1 total step reference n code
    shift
    rm -rf ev made.*
    LD_PRELOAD=$refuse "$goldwire" "$@" >reference 2>counted
    reference=$?
    total=$(sed -n 's/^allocations //p' counted)
    [ "${total:-0}" -gt 2 ] || fail "no allocations counted: $*"
    step=$(((total + most - 1) / most))
    for ((n = 1; n <= total; n += step)); do
        rm -rf ev made.*
        GW_REFUSE=$n LD_PRELOAD=$refuse timeout 60 "$goldwire" "$@" >out 2>err
        code=$?
        if [ "$code" = "$reference" ] && [ ! -s err ] && cmp -s <(timeless reference) <(timeless out); then
            continue
        fi
        [ "$code" = 4 ] || fail "exit $code without allocation $n: $*: $(head -n 1 err)"
        has err 'out of memory'
        ! grep -E '^ +(FAIL|WARN) ' out || fail "a board is blamed without allocation $n: $*"
    done
}

refused_in_turn 1000 certify --dut 'peer:etherbone-slave?via=mem' --case eb-s/own-port
refused_in_turn 1000 certify --dut 'peer:etherbone-slave?via=mem&over=tcp' --case 'eb-s/tcp-a*'
refused_in_turn 1000 certify --dut 'peer:op2p-node?via=mem' --case op-h/holes
refused_in_turn 1000 certify --dut 'peer:ims-worker?via=mem' --case ims-w/place
refused_in_turn 40 certify "$2/fpga_harness/boards/etherbone-slave.yaml" --dut 'peer:etherbone-slave?via=mem' --case eb-s/own-port
refused_in_turn 30 certify --dut 'peer:etherbone-slave?via=mem' --case eb-s/own-port --out ev
refused_in_turn 100 certify --dut 'peer:etherbone-slave?via=mem' --case eb-s/own-port --measure
refused_in_turn 1000 check "$pcap"
refused_in_turn 1000 decode --json "$pcap"
refused_in_turn 1000 replay "$pcap" --dut 'peer:etherbone-slave?via=mem'
"$goldwire" decode --json "$pcap" >probe.json
"$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --case eb-s/own-port --out run >out
refused_in_turn 60 encode probe.json
refused_in_turn 60 verify run
refused_in_turn 60 diff run run
refused_in_turn 100 catalog show eb-s/probe-echo
refused_in_turn 100 board --init etherbone-slave
refused_in_turn 100 peer --list
refused_in_turn 100 certify --help
refused_in_turn 100 verify --usage
refused_in_turn 100 doctor --dut 'peer:etherbone-slave?via=mem'
refused_in_turn 100 record made.pcapng --dut 'peer:etherbone-slave?via=mem' --case eb-s/probe-echo
# Its keys are others each time.
LD_PRELOAD=$refuse "$goldwire" keygen made >out 2>counted
for n in $(seq "$(sed -n 's/^allocations //p' counted)"); do
    rm -f made.*
    expect 4 env GW_REFUSE="$n" LD_PRELOAD="$refuse" "$goldwire" keygen made
    has err 'out of memory'
    [ "$(find . -name '*.key' -o -name '*.pub' | grep -cv '^./made\.')" = 0 ] || fail "keys of another name: $(ls)"
done
finish
