#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Private link types: taken by default, given back when the preference says so; OP2P over UDP only when it was told.
. "$(dirname "$0")/testing/lib.sh"
traces=$(dirname "$0")/../pcaps/op2p
for trace in op2p-exchange-frames op2p-exchange-events op2p-exchange op2p-broken-frames op2p-errors-events; do
    cp "$traces/$trace.pcapng" "$work/$trace" && chmod a+r "$work/$trace"
done
count() { ts -r "$work/$1" "${@:2}" -Y op2p -T fields -e frame.number 2>/dev/null | wc -l; }
info() { ts -r "$work/$1" -Y "frame.number == $2" -T fields -e _ws.col.Info "${@:3}" 2>/dev/null; }

is "bare frames are OP2P" 13 "$(count op2p-exchange-frames)"
is "unless link type 147 is given back" 0 "$(count op2p-exchange-frames -o op2p.user0:FALSE)"
is "frames with an event header are OP2P" 13 "$(count op2p-exchange-events)"
is "unless link type 148 is given back" 0 "$(count op2p-exchange-events -o op2p.user1:FALSE)"
is "one does not go with the other" 13 "$(count op2p-exchange-events -o op2p.user0:FALSE)"
is "nothing over UDP is claimed that was not told" 0 "$(count op2p-exchange)"
is "Decode As tells it" 13 "$(count op2p-exchange -d udp.port==50000,op2p)"
is "and so does the preference" 13 "$(count op2p-exchange -o op2p.udp.port:50000)"
is "the Info column" "Completion 8 B 1.1 -> 1.2 @ 0xc0ffe0" "$(info op2p-exchange-frames 3)"
is "a link event" "XOFF" "$(info op2p-errors-events 8)"
is "a finding can be filtered" "$(printf '1\n')" \
    "$(ts -r "$work/op2p-broken-frames" -Y op2p.op-e01 -T fields -e frame.number 2>/dev/null)"
is "a completion knows its request" 2 \
    "$(ts -r "$work/op2p-exchange-events" -Y 'frame.number == 3' -T fields -e op2p.response_to 2>/dev/null)"
is "ids are chassis and slot" "1	2	1	1" \
    "$(ts -r "$work/op2p-exchange-events" -Y 'frame.number == 1' -T fields -e op2p.src.chassis -e op2p.src.slot \
        -e op2p.dst.chassis -e op2p.dst.slot 2>/dev/null)"
finish
