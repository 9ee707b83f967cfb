#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What goldwire does to an OP2P board is judged by what it judges boards by: `check` finds nothing in the evidence of the
# cases that send what is legal, and in that of the others only what is wrong with single frames, on purpose. It never
# sends while XOFF holds.
. "$2/conformance/cli/testing.sh"

# Rules of one frame's form: what a case sends that tries them. Everything else is about manners.
form='OP-(E01|E03|E04|E05|E06|E07|E21|E33)'

for dialect in strict vhdl; do
    expect 0 "$goldwire" certify --role op2p-node --dut "peer:op2p-node?via=mem&dialect=$dialect" --dialect $dialect \
        --out $dialect
    num=0
    for trace in "$dialect"/cases/*/*.pcapng; do
        id=${trace#"$dialect"/cases/}
        "$goldwire" check --proto op2p --dialect $dialect "$trace" >found 2>err
        grep -oE ' OP-[A-Z]+[0-9]+ (MUST|SHOULD) .*' found >findings
        num=$((num + 1))
        grep -vE " $form " findings >manners && fail "$dialect: ${id%.pcapng}: $(head -1 manners)"
        "$goldwire" catalog show "${id%.pcapng}" >one
        if grep -q '^sends      what every board' one && [ -s findings ]; then
            fail "$dialect: ${id%.pcapng} sends what is legal: $(head -1 findings)"
        fi
    done
    [ "$num" -ge 90 ] || fail "$dialect: evidence of $num cases"
done

# The board halts its partner, and lets it go on: there is something to heed.
"$goldwire" decode --proto op2p vhdl/cases/op-e/write.pcapng >out
has out 'XOFF'
has out 'XON'
finish
