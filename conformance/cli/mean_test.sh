#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Boards of every role that mean harm: each is goldwire's own, which says what it says ten thousand times, for ever, as long
# as datagrams get, or from elsewhere as well, and whose board file calls it what does harm. A run against one ends, in
# bounded time, memory and disk, with nothing executed, nothing written elsewhere, and no command for the terminal.
. "$2/conformance/cli/testing.sh"
boards=$2/fpga_harness/boards
mean=$5
[ -e "$mean" ] || { echo 'SKIPPED: a sanitizer has to come first'; exit 77; }
mkdir inside
cd inside || exit 1

# board_file ROLE: its example, with an identity that means harm.
board_file() {
    sed -e "s|^  make:.*|  make: '<script src=x></script><img src=x onerror=alert(1)>'|" \
        -e 's|^  serial:.*|  serial: "../../../../../tmp/gw-mean-was-here"|' \
        -e "s|^  firmware:.*|  firmware: '\$(touch ../executed)\`touch ../executed\`'|" "$boards/$1.yaml" >board.yaml
}

# judged ROLE KIND CODE: how the run ended whose output is in out and err.
judged() {
    local size
    case $3 in
    0 | 1 | 3) ;;
    *) fail "exit $3 against a mean $1 ($2): $(tail -n 1 err)" ;;
    esac
    grep -qE '\(exit code [013]\)$' <(tail -n 1 out) || fail "$1, $2: the last line is '$(tail -n 1 out)'"
    lacks out ' ERROR '
    lacks out 'never answered'
    harmless ev
    size=$(du -sm ev | cut -f1)
    [ "$size" -lt 80 ] || fail "$size MB of evidence against a mean $1 ($2)"
    rm -rf ev
}

# called KIND ROLE CASE LINK=URL...: a board that is called.
called() {
    local kind=$1 role=$2 case=$3 listen=() duts=() link
    shift 3
    for link; do listen+=(--listen "$link"); done
    export GW_MEAN=$kind LD_PRELOAD=$mean
    start_peer urls "$role" "${listen[@]}"
    unset GW_MEAN LD_PRELOAD
    for link; do duts+=(--dut "${link%%=*}=$(url_of urls "${link%%=*}")"); done
    board_file "$role"
    (ulimit -v 1000000 && exec timeout 100 "$goldwire" certify board.yaml "${duts[@]}" --case "$case" --out ev) >out 2>err
    judged "$role" "$kind" $?
    kill -KILL "$peer"
    wait "$peer" 2>killed
}

# calls KIND ROLE CASE URL: a board that calls us, as often as it takes.
calls() {
    local kind=$1 role=$2 case=$3 url run
    board_file "$role"
    rm -f err
    touch err
    (ulimit -v 1000000 && exec timeout 100 "$goldwire" certify board.yaml --serve "$4" --case "$case" --wait 5 --out ev) \
        >out 2>err &
    run=$!
    for _ in $(seq 200); do
        grep -q '^waiting' err && break
        sleep 0.05
    done
    url=$(sed -n 's/^waiting for the board at //p' err)
    while kill -0 "$run" 2>killed; do
        GW_MEAN=$kind LD_PRELOAD=$mean "$goldwire" peer "$role" --to "$url" >peer.out 2>&1 &
        peer=$!
        wait -n "$run" "$peer" 2>killed # whoever has no more to say
    done
    wait "$run"
    judged "$role" "$kind" $?
    kill -KILL "$peer" 2>killed
    wait "$peer" 2>killed
}

here=udp://127.0.0.1:0
for kind in many endless giant elsewhere; do
    called $kind op2p-node op-e/completion "link0=$here" "regs=$here"
    called $kind textarossa-node tx-e/well-made "net=$here" "regs=$here"
    called $kind ims-buf ims-b/gap ib=roce://127.0.0.1:0 "regs=$here"
    calls $kind etherbone-master eb-m/counts $here
    calls $kind etherbone-master eb-m/counts tcp://127.0.0.1:0
done
for kind in endless giant; do
    called $kind l1-ru l1-g/one-for-one "in=$here" "out=$here"
    called $kind l1-cn l1-e/wrong-slot-3 "in=$here" "out=$here"
    called $kind l1-du l1-u/order "in=$here" "out=$here"
done
calls elsewhere ims-worker ims-w/place roce://127.0.0.1:0
cd .. || exit 1
[ ! -e executed ] || fail 'a text was executed'
[ ! -e /tmp/gw-mean-was-here ] || fail 'a file was written elsewhere'
[ "$(ls)" = inside ] || fail "files beside the folder for evidence: $(ls)"
finish
