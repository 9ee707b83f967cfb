#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The good boards pass, every mutant is found out, and the catalogue is complete.
. "$2/conformance/cli/testing.sh"

expect 0 "$goldwire" selftest
has out 'all green'
has out ' 0 not detected, 0 blamed for what they do right'
lacks out 'NOT'
expect 0 "$goldwire" selftest --json
has out '"mutant": "m-cyc-not-copied"'
has out '"mutant": null'
lacks out '"reached": false'
expect 2 "$goldwire" selftest toaster
has err "no cases for the role 'toaster'"

expect 0 "$goldwire" catalog check
has out ' 0 faults'
expect 0 "$goldwire" catalog list
has out 'eb-s/probe-echo'
has out 'EB-S04'
expect 0 "$goldwire" catalog list --json
has out '"id": "eb-s/probe-echo"'
expect 0 "$goldwire" catalog show eb-s/truncated
has out 'EB-S42'
expect 0 "$goldwire" catalog show EB-S42
has out 'eb-s/truncated'
expect 2 "$goldwire" catalog show eb-s/nothing
has err 'eb-s/nothing'
expect 2 "$goldwire" catalog
expect 2 "$goldwire" catalog prove
finish
