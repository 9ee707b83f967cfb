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
finish
