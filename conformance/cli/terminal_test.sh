#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Colours, lines that are written over, and a pager: only on a terminal, and only where they are wanted.
. "$2/conformance/cli/testing.sh"

command -v script >/dev/null || { echo 'SKIPPED: script is not installed' >&2; exit 77; }
script -qec true /dev/null >out 2>err </dev/null || { echo 'SKIPPED: this system gives no pseudo-terminal' >&2; exit 77; }

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

# decoded NAME=VALUE...: what a broken capture looks like on a terminal with that environment, in out.
decoded() {
    env -u NO_COLOR -u LESS TERM=xterm "$@" script -qec "'$goldwire' decode $options '$capture'" /dev/null \
        >out 2>err </dev/null || fail "decode on a terminal: $*"
}
capture=$2/pcaps/etherbone/broken.pcapng
options=--brief
decoded PAGER=
has out "${escape}[1;31m! EB-"
decoded PAGER= NO_COLOR=1
lacks out "$escape"
decoded PAGER= TERM=dumb
lacks out "$escape"
options='--brief --color=never'
decoded PAGER=
lacks out "$escape"
# The pager gets all of it, on a terminal only, and what it does not want does not matter.
options=--brief
decoded PAGER='sed s/^/paged:/'
has out 'paged:1  '
[ "$(grep -c paged: out)" = "$(grep -c . out)" ] || fail 'a line went past the pager'
decoded PAGER='head -n 1'
lines out 1
for none in goldwire-has-no-such-pager /; do
    env TERM=xterm PAGER="$none" script -qec "'$goldwire' decode $options '$capture'" /dev/null >out 2>err </dev/null
    got=$?
    [ $got = 2 ] || fail "exit $got where there is no pager $none"
    has out "the pager '$none' cannot be run, and nothing was shown; PAGER= shows it without one"
done
decoded PAGER='sed s/^/paged:/' TERM=dumb
lacks out paged
options=--json
decoded PAGER='sed s/^/paged:/'
lacks out paged
PAGER='sed s/^/paged:/' expect 0 "$goldwire" decode --brief "$capture"
lacks out paged
finish
