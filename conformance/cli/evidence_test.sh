#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What `check` finds in the evidence of good boards. EtherBone, in every dialect: who broke a
# rule there is goldwire, on purpose, and no finding may say that it was the board. The evidence says who calls.
. "$2/conformance/cli/testing.sh"

# judge ROLE RULES: evidence of that role has findings, and none of the rules that its boards owe.
judge() {
    local role=$1 owed=$2 dialect
    for dialect in strict litex gsi libetherbone; do
        for over in udp tcp; do
            [ "$dialect/$over" != litex/tcp ] || continue # a framing of its own, which is not certified
            rm -rf evidence
            "$goldwire" certify --dut "peer:$role?via=mem&dialect=$dialect&over=$over" --out evidence >log 2>&1 ||
                fail "$role, $dialect over $over does not pass: $(tail -1 log)"
            "$goldwire" check --json evidence/preflight.pcapng evidence/cases/*/*.pcapng >found 2>err
            grep -q '"rule":' found || fail "$role, $dialect over $over: no finding at all, whatever was sent"
            ! grep -m 3 "\"rule\":\"$owed" found >&2 || fail "$role, $dialect over $over: the board is blamed"
        done
    done
}

judge etherbone-slave EB-S
judge etherbone-master EB-M

# What a Worker writes is right by the first DATA_RES as by one that came unasked.
expect 0 "$goldwire" certify --dut 'peer:ims-worker?via=mem' --case ims-w/moved --out moved
expect 0 "$goldwire" check moved/cases/ims-w/moved.pcapng

# What a router's ports send comes through a tunnel, whose own ports and lengths nobody judges; check
# bytes that are made no longer are no flipped bits.
expect 0 "$goldwire" certify --dut 'peer:textarossa-switch?via=mem' --out switch
"$goldwire" decode --json switch/cases/tx-l/*.pcapng switch/cases/tx-s/*.pcapng >told 2>err
grep '"dir":"in"' told >in
grep -q '"rule":"TX-' in || fail 'nothing is said of what a switch forwards'
! grep -o -m 3 '"rule":"TX-\(N[0-9]*\|L[0-9]*\)"' in >&2 || fail 'a good switch is blamed'

# Farm boards: what a schedule of ours does with buffers (L1-X03, L1-G07) is told where it shows, and
# nothing else, of new runs, fragments in bursts, real sub-events and tags that had to wait.
for board in l1-cn l1-du l1-ru 'l1-du?dialect=final' 'l1-ru?dialect=final'; do
    case $board in *\?*) over="$board&via=mem" ;; *) over="$board?via=mem" ;; esac
    rm -rf farm
    expect 0 "$goldwire" certify --dut "peer:$over" --out farm
    "$goldwire" decode --json farm/cases/*/*.pcapng >told 2>err
    grep '"dir":"in"' told >in
    ! grep -o '"rule":"L1-[A-Z0-9]*"' in | grep -m 3 -v 'X03\|G07' >&2 || fail "a good ${board%%\?*} is blamed"
done

# A probe of LiteX's 12 bytes ends there: its tail is no record.
"$goldwire" certify --dut 'peer:etherbone-slave?via=mem&dialect=litex' --out evidence >log 2>&1
"$goldwire" decode evidence/preflight.pcapng >out
has out 'probe_tail = 0x'
! grep -q 'undecoded\|unsupported\|Record 0.*probe' out || fail 'a probe of 12 bytes is not read to its end'
finish
