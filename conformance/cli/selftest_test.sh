#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The good boards pass, and every mutant is found out: all of them, and there are enough.
. "$2/conformance/cli/testing.sh"

expect 0 "$goldwire" selftest
has out 'all green'
has out ' 0 not detected, 0 blamed for what they do right; 0 cases unproven'
lacks out 'NOT'
lacks out 'besides'
# What the summary counts is what was listed, board by board, and what the boards have.
summary=$(tail -1 out)
mutants=$(grep -c '^  m-' out)
[[ $summary == *" $mutants of $mutants mutants detected (100.0 %)"* ]] ||
    fail "$mutants mutants are listed, and the summary says: $summary"
[ "$mutants" -ge 60 ] || fail "$mutants mutants: at least 60 expected"
[ "$(grep -c '^  m-.* reached, first seen by ' out)" = "$mutants" ] || fail "not all were reached"
[ "$("$goldwire" peer --list | grep -c ' m-')" = "$mutants" ] || fail "peer --list has others"
[ "$(grep -c '^  (good) .* all green' out)" = "$(grep -cE '^[a-z]' out)" ] || fail "a good board"
has out 'm-odd-writes               reached, first seen by eb-s/write-counts'
has out 'm-late-status              reached, first seen by eb-m/error-checks'
expect 0 "$goldwire" selftest --json
has out '"mutant": "m-cyc-not-copied"'
has out '"mutant": null'
has out '"first": {'
lacks out '"reached": false'
[ "$(grep -c '"unproven": \[' out)" = "$(grep -c '"mutant": null' out)" ] || fail 'not all tell of their cases'
has out '"case": "eb-s/response-time"'
lacks out '"reason": null'
# No verdict depends on what was run before.
expect 0 "$goldwire" selftest --shuffle 2 --seed 3
has out ' 2 random orders, seed 3: 0 of '
[ "$(grep -c ' 0 disagree$' out)" = "$("$goldwire" peer --list | awk '{ print $1 }' | sort -u | grep -c .)" ] || fail 'not all roles are shuffled'
lacks out ' 0 verdicts compared'
expect 0 "$goldwire" selftest --shuffle 1 --json l1-du
has out '"disagree": 0'
expect 2 "$goldwire" selftest --shuffle 0
has err "'0' is no number from 1 to 1000"
expect 2 "$goldwire" selftest toaster
has err "no cases for the role 'toaster'"
expect 2 "$goldwire" selftest etherbone-slav
has err "did you mean 'etherbone-slave'?"
expect 2 "$goldwire" selftest --path rt=20ms
has err "no option 'rt'; did you mean 'rtt'?"
finish
