#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Boards that mean harm: a run against one ends, in bounded time, memory and disk, with nothing executed, nothing written
# elsewhere, and no command for the terminal printed.
. "$2/conformance/cli/testing.sh"
hostile=$4
# against WHAT SCHEME [CASE...]: certifies that board, with 1 GB of memory at the most.
against() {
    local size what=$1 scheme=$2 cases=()
    shift 2
    while [ $# -gt 0 ]; do
        cases+=(--case "$1")
        shift
    done
    set -- "$what"
    : >port # the last board's is not read once more
    "$hostile" "$1" >port &
    local board=$!
    for _ in $(seq 200); do [ -s port ] && break; sleep 0.02; done
    (ulimit -v "$most_memory" && exec timeout 240 "$goldwire" certify --role etherbone-slave \
        --dut "$scheme://127.0.0.1:$(cat port)" "${cases[@]}" --out "$1") >out 2>err
    local code=$?
    kill "$board"
    wait "$board" 2>killed
    case $code in
    1 | 3) ;;
    *) fail "exit $code against a board of kind $1: $(tail -n 1 err)" ;;
    esac
    grep -qE '\(exit code [13]\)$' <(tail -n 1 out) || fail "$1: the last line is '$(tail -n 1 out)'"
    lacks out ' ERROR '
    harmless "$1"
    size=$(du -sm "$1" | cut -f1)
    [ "$size" -lt 160 ] || fail "$size MB of evidence against a board of kind $1"
    # What is left out of it is said, in the report and in the file. How many of many arrive is up to the machine.
    case $1 in
    endless | stream)
        has "$1/run.json" 'the evidence holds the first '
        has "$1/report.html" 'packets only: there were too many to keep'
        grep -raqF 'later packets were too many to be kept' "$1/cases" || fail "$1: no file says that it is not all"
        ;;
    esac
    rm -rf "$1"
}

# A sanitizer's address space is boundless, and it takes five times as long: some cases are enough, but to flood.
most_memory=1000000
some=('eb-s/probe*' 'eb-s/re*' 'eb-s/fifo*')
cases=()
[ -n "$3" ] || { most_memory=unlimited; cases=("${some[@]}"); }
against many udp "${some[@]}"
against endless udp
against giant udp "${cases[@]}"
against elsewhere udp "${cases[@]}"
against stream tcp
against slow tcp "${cases[@]}"

# ---- texts of the board file, of hooks and names ----
mkdir inside
cd inside || exit 1
# write_board MAKE: a board file whose texts mean harm.
write_board() {
    cat >board.yaml <<END
goldwire: board
role: etherbone-slave
where: 'udp://127.0.0.1:1'
identity:
  make: "$1"
  serial: "../../../../tmp/gw-was-here"
  firmware: "\$(touch ../executed)\`touch ../executed\`"
claims: {config_space: true, sdb: true}
hooks:
  soft:
    run: [printf, '\\033]0;owned\\007<img src=x onerror=alert(1)>%s', '\$(touch ../executed)']
    settle: 1
waivers:
  - {case: eb-s/probe-echo, text: "<i>*", reason: "<img src=x>", owner: "<b>x</b>", ticket: "';touch ../executed;'", expires: 2099-01-01}
END
}
write_board '\e[2J'
expect 2 "$goldwire" certify board.yaml
has err 'the text holds a control character (0x1b)'
lacks err "$escape"
write_board '<script>alert(1)</script>'
expect 3 timeout 60 "$goldwire" certify board.yaml --hooks --case eb-s/probe-echo --out evidence
harmless evidence
grep -rqF "$escape" evidence/hooks && fail 'what a hook wrote reaches a terminal that shows it'
cd .. || exit 1
[ ! -e executed ] || fail 'a text was executed'
[ ! -e /tmp/gw-was-here ] || fail 'a file was written elsewhere'
[ "$(find . -mindepth 1 -maxdepth 1 -not -name inside | sort | tr '\n' ' ')" = './err ./killed ./out ./port ' ] ||
    fail "files beside the folder for evidence: $(ls)"
finish
