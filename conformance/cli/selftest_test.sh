#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The good boards pass, and every mutant is found out.
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
finish
