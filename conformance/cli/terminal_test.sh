#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Colours and lines that are written over: only on a terminal, and only where they are wanted.
. "$2/conformance/cli/testing.sh"

command -v script >/dev/null || { echo 'SKIPPED: script is not installed' >&2; exit 77; }

escape=$(printf '\033')

# on_terminal [NAME=VALUE]...: what a run shows on a terminal with that environment, in out.
on_terminal() {
    env -u NO_COLOR TERM=xterm "$@" script -qec \
        "'$goldwire' certify --dut 'peer:etherbone-slave?via=mem' --case eb-s/probe-echo" /dev/null >out 2>err </dev/null ||
        fail "a run on a terminal: $*"
    grep -qF 'eb-s/probe-echo' out || fail "a run on a terminal shows no case: $*"
}

on_terminal
has out "${escape}[32mPASS"
has out "${escape}[K"
on_terminal NO_COLOR=
has out "${escape}[32mPASS"
on_terminal NO_COLOR=1
lacks out "${escape}[32m"
has out "${escape}[K"
for term in TERM=dumb TERM=; do
    on_terminal "$term"
    lacks out "$escape"
done

expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --case eb-s/probe-echo
lacks out "$escape"
lacks err "$escape"
finish
