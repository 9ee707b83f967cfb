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

finish
