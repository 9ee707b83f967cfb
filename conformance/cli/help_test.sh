#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What every verb says of itself, and of a wrong call.
. "$2/conformance/cli/testing.sh"

expect 0 "$goldwire" help
verbs=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' out)
[ "$(wc -w <<<"$verbs")" -ge 15 ] || fail "few verbs: $verbs"
for verb in $verbs; do
    expect 0 "$goldwire" "$verb" --help
    has out "Usage: goldwire $verb "
    ! grep -nE '[[:space:]]$' out || fail "trailing blanks in $verb --help"
    expect 0 "$goldwire" help "$verb"
    has out "Usage: goldwire $verb "
    expect 2 "$goldwire" "$verb" --no-such-option
    has err "goldwire $verb: unrecognized option '--no-such-option'"
    has err "\`goldwire $verb --help'"
done

# ---- the options that several verbs share are read alike ----
for verb in certify replay record doctor; do
    for wait in '' 0 -1 ' 5' 5s 86401 99999999999999999999; do
        expect 2 timeout 10 "$goldwire" "$verb" --dut peer:etherbone-slave --wait "$wait" none
        has err "goldwire $verb: --wait is a number from 1 to 86400, not '$wait'"
    done
done

# ---- a word that is misspelt is guessed ----
expect 2 "$goldwire" certfy
has err "did you mean 'certify'?"
expect 2 "$goldwire" certify --dut peer:etherbone-slav
has err "no software board 'etherbone-slav'; did you mean 'etherbone-slave'?"
expect 2 "$goldwire" certify --dut peer:foo
has err "no software board 'foo'; \`goldwire peer --list' lists them"
expect 2 "$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-wrong-probe-ids'
has err "did you mean 'm-wrong-probe-id'?"
expect 2 "$goldwire" certify --dut 'peer:etherbone-slave?dialect=litx'
has err "did you mean 'litex'?"
expect 2 "$goldwire" certify --dut udp://127.0.0.1:9 --role etherbone-slave --dialect litx
has err "did you mean 'litex'?"
expect 2 "$goldwire" catalog shwo
has err "list, show, check or pages; did you mean 'show'?"
expect 6 "$goldwire" certify --dut peer:etherbone-slave --case 'eb-s/read-*' --case eb-s/prob-echo
has err "no case of etherbone-slave matches 'eb-s/prob-echo'; did you mean 'eb-s/probe-echo'?"
expect 2 "$goldwire" regs etherbone-slav
has err "did you mean 'etherbone-slave'?"
finish
