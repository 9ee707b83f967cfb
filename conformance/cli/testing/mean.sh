#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A board that means harm: goldwire's own of the role in $4, which says what it says ten thousand times, for ever, as long
# as datagrams get, or from elsewhere as well, and whose board file calls it what does harm. A run against it ends, in
# bounded time, memory and disk, with nothing executed, nothing written elsewhere, and no command for the terminal.
. "$2/conformance/cli/testing.sh"
boards=$2/fpga_harness/boards
mean=$3
role=$4
board=''
run=''
cut=0 # runs whose evidence was
# shellcheck disable=SC2086 # none, or one each
trap 'kill -KILL $board $run 2>/dev/null; rm -rf "$work"' EXIT
mkdir inside
cd inside || exit 1

# board_file: the role's example, with an identity that means harm.
board_file() {
    sed -e "s|^  make:.*|  make: '<script src=x></script><img src=x onerror=alert(1)>'|" \
        -e 's|^  serial:.*|  serial: "../../../../../tmp/gw-mean-was-here"|' \
        -e "s|^  firmware:.*|  firmware: '\$(touch ../executed)\`touch ../executed\`'|" "$boards/$role.yaml" >board.yaml
}

# judged KIND CODE: how the run ended whose output is in out and err.
judged() {
    local size
    case $2 in
    0 | 1 | 3) ;;
    *) fail "exit $2 against a mean $role ($1): $(tail -n 1 err)" ;;
    esac
    grep -qE '\(exit code [013]\)$' <(tail -n 1 out) || fail "$1: the last line is '$(tail -n 1 out)'"
    lacks out ' ERROR '
    lacks out 'the board never answered'
    harmless ev
    # 64 MiB of packets, 64 KiB for each case on top of that, and the reports.
    size=$(du -sm ev | cut -f1)
    [ "$size" -lt 80 ] || fail "$size MB of evidence against a mean $role ($1)"
    # What was cut is told in the report and in the files, or in neither.
    if grep -q 'the evidence holds the first ' ev/run.json; then
        cut=$((cut + 1))
        grep -raqF 'later packets were too many to be kept' ev/cases || fail "$1: no file says that it is not all"
    else
        ! grep -raqF 'later packets were too many to be kept' ev/cases || fail "$1: the report does not say what is not all"
    fi
    rm -rf ev
}

# called KIND [--case CASE] LINK=URL...: a board that is called.
called() {
    local kind=$1 select=() listen=() duts=() link
    shift
    if [ "$1" = --case ]; then
        select=(--case "$2")
        shift 2
    fi
    for link; do listen+=(--listen "$link"); done
    export GW_MEAN=$kind LD_PRELOAD=$mean
    start_peer urls "$role" "${listen[@]}"
    unset GW_MEAN LD_PRELOAD
    board=$peer
    for link; do duts+=(--dut "${link%%=*}=$(url_of urls "${link%%=*}")"); done
    [[ $1 == *=* ]] || duts=(--dut "$(url_of urls)")
    board_file
    (ulimit -v 1000000 && exec timeout 280 "$goldwire" certify board.yaml "${duts[@]}" "${select[@]}" --out ev) >out 2>err
    judged "$kind" $?
    kill -KILL "$board"
    wait "$board" 2>killed
}

# calls KIND [--case CASE] URL: a board that calls us, as often as it takes.
calls() {
    local kind=$1 url select=()
    shift
    if [ "$1" = --case ]; then
        select=(--case "$2")
        shift 2
    fi
    board_file
    rm -f err
    touch err
    (ulimit -v 1000000 && exec timeout 280 "$goldwire" certify board.yaml --serve "$1" "${select[@]}" --wait 5 --out ev) \
        >out 2>err &
    run=$!
    for _ in $(seq 200); do
        grep -q '^waiting' err && break
        sleep 0.05
    done
    url=$(sed -n 's/^waiting for the board at //p' err)
    while kill -0 "$run" 2>killed; do
        GW_MEAN=$kind LD_PRELOAD=$mean "$goldwire" peer "$role" --to "$url" >peer.out 2>&1 &
        board=$!
        wait -n "$run" "$board" 2>killed # whoever has no more to say
    done
    wait "$run"
    judged "$kind" $?
    kill -KILL "$board" 2>killed
    wait "$board" 2>killed
}

here=udp://127.0.0.1:0
stream=tcp://127.0.0.1:0
case $role in
etherbone-slave)
    for kind in endless giant; do called $kind $here; done
    for kind in many elsewhere; do called $kind --case 'eb-s/re*' $here; done
    for kind in many endless giant; do called $kind --case 'eb-s/re*' $stream; done
    ;;
op2p-node)
    for kind in endless giant; do called $kind "link0=$here" "regs=$here"; done
    for kind in many elsewhere; do called $kind --case 'op-e/c*' "link0=$here" "regs=$here"; done
    ;;
textarossa-node)
    for kind in many endless giant elsewhere; do called $kind "net=$here" "regs=$here"; done
    for kind in many endless giant; do called $kind --case 'tx-e/*' "net=$stream" "regs=$here"; done
    ;;
textarossa-switch)
    for kind in many endless giant elsewhere; do
        called $kind "x+=$stream" "x-=$stream" "port0=$here" "port1=$here" "port2=$here" "port3=$here" "regs=$here"
    done
    ;;
ims-buf)
    called endless ib=roce://127.0.0.1:0 "regs=$here"
    for kind in many giant elsewhere; do called $kind --case 'ims-b/g*' ib=roce://127.0.0.1:0 "regs=$here"; done
    ;;
ims-worker)
    for kind in endless giant; do calls $kind roce://127.0.0.1:0; done
    for kind in many elsewhere; do calls $kind --case 'ims-w/p*' roce://127.0.0.1:0; done
    ;;
etherbone-master)
    for kind in many endless giant elsewhere; do calls $kind $here; done
    for kind in many endless giant; do calls $kind $stream; done
    ;;
*)
    for kind in endless giant; do called $kind "in=$here" "out=$here"; done
    for kind in many elsewhere; do called $kind --case '*/o*' "in=$here" "out=$here"; done
    ;;
esac
# How much others get to say depends on the machine.
[[ $role != etherbone-slave && $role != op2p-node ]] || [ "$cut" -gt 0 ] || fail 'no flood was ever cut off'
cd .. || exit 1
[ ! -e executed ] || fail 'a text was executed'
[ ! -e /tmp/gw-mean-was-here ] || fail 'a file was written elsewhere'
[ "$(ls)" = inside ] || fail "files beside the folder for evidence: $(ls)"
finish
