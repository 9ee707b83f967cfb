#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# goldwire regs: maps, names, reads and writes on a running board, and everything a caller can get wrong.
set -euo pipefail
goldwire=$(readlink -f "$1")
dir=$(mktemp -d)
cd "$dir"
peer=
trap '[[ -z $peer ]] || kill "$peer" 2>/dev/null; rm -rf "$dir"' EXIT

fail() {
    echo "$*" >&2
    cat out err >&2 || true
    exit 1
}
expect() {
    local want=$1 got=0
    shift
    "$@" >out 2>err </dev/null || got=$?
    [[ $got == "$want" ]] || fail "exit $got instead of $want: $*"
}
has() { grep -qF -- "$2" "$1" || fail "no '$2' in $1"; }

expect 0 "$goldwire" regs textarossa-switch
has out '0x020  LATTICESIZE_REG'
expect 0 "$goldwire" regs op2p-node --json
has out '"access": "TAKES"'
expect 2 "$goldwire" regs
expect 2 "$goldwire" regs toaster
expect 2 "$goldwire" regs etherbone-slave
has err 'has no register map'
expect 2 "$goldwire" regs etherbone-slave --dut udp://127.0.0.1:1 id
has err "'id' has to be an address"
expect 2 "$goldwire" regs textarossa-node COORDME_REG
has err '--dut says where'
expect 2 "$goldwire" regs textarossa-node --dut udp://127.0.0.1:1 COORDME_RAG
has err "did you mean 'COORDME_REG'?"
expect 2 "$goldwire" regs textarossa-node --dut udp://127.0.0.1:1 COORDME_REG=four
expect 2 "$goldwire" regs textarossa-node --dut udp://127.0.0.1:1 REVISION_REG=4
has err 'can only be read'
expect 2 "$goldwire" regs textarossa-node --dut tcp://127.0.0.1:1 COORDME_REG
expect 3 "$goldwire" regs textarossa-node --dut udp://127.0.0.1:1 COORDME_REG=4
has err 'whether it was written is unknown'

# serve ARGUMENT...: starts a board, whose URLs are in urls once it serves; not before it has written them anew.
serve() {
    : >urls
    "$goldwire" peer "$@" >urls &
    peer=$!
    for _ in $(seq 600); do
        ! grep -q ready urls || return 0
        sleep 0.05
    done
    fail "no board serves: $*"
}
serve textarossa-node --listen regs=udp://127.0.0.1:0
url=$(sed -n 's/^listening \(.*\) regs$/\1/p' urls)
expect 0 "$goldwire" regs textarossa-node --dut "regs=$url" coordme_reg=0x843 COORDME_REG 0x18 0x800
[[ $(grep -c 0x00000843 out) == 3 ]] || fail 'what was written does not read back'
has out '0xf1faf1fa'
expect 0 "$goldwire" regs etherbone-slave --dut "$url" 0x18
has out '0x00000843'
expect 0 "$goldwire" regs textarossa-node --dut "$url" --json
has out '"LATTICESIZE_REG"'
has out '"value": 4294967295'
kill "$peer"
wait "$peer" || fail "the board did not end well"
peer=

# A board that takes one record a packet, and answers to its own port only: all else would be its end.
serve etherbone-slave --dialect litex --listen udp://127.0.0.1:0
url=$(sed -n 's/^listening \([^ ]*\).*/\1/p' urls)
expect 0 "$goldwire" regs etherbone-slave --dialect litex --dut "$url" 0x20004 0x100=0x12345678 0x100 0x20008
has out '0x20004 '
has out '0xc0de0001'
has out '0x12345678  written'
[[ $(grep -c 0x12345678 out) == 2 ]] || fail 'what was written does not read back'
has out '0xc0de0002'
expect 2 "$goldwire" regs etherbone-slave --dialect litx --dut "$url" 0x20004
has err "did you mean 'litex'?"
kill "$peer"
wait "$peer" || fail "the board did not end well"
peer=
