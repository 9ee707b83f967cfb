#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Private link types: taken by default, given back when the preference says so; streams over frames; Decode As for UDP.
. "$(dirname "$0")/testing/lib.sh"
traces=$(dirname "$0")/../pcaps
for trace in op2p/op2p-{exchange-frames,exchange-events,exchange,broken-frames,errors-events} \
    textarossa/textarossa-{link,link-broken,udp}; do
    cp "$traces/$trace.pcapng" "$work/$(basename "$trace")"
done
chmod a+r "$work"/*
count() { ts -r "$work/$1" "${@:2}" -Y "${1%%-*}" -T fields -e frame.number 2>/dev/null | wc -l; }
info() { ts -r "$work/$1" -Y "frame.number == $2" -T fields -e _ws.col.Info "${@:3}" 2>/dev/null; }

is "bare frames are OP2P" 13 "$(count op2p-exchange-frames)"
is "unless link type 147 is given back" 0 "$(count op2p-exchange-frames -o op2p.user0:FALSE)"
is "frames with an event header are OP2P" 13 "$(count op2p-exchange-events)"
is "unless link type 148 is given back" 0 "$(count op2p-exchange-events -o op2p.user1:FALSE)"
is "one does not go with the other" 13 "$(count op2p-exchange-events -o op2p.user0:FALSE)"
is "the tunnel over UDP is known by its content" 13 "$(count op2p-exchange)"
is "unless that is switched off, and the capture does not say it" 0 \
    "$(count op2p-exchange --disable-heuristic op2p_udp --disable-heuristic goldwire_announced)"
is "the capture says it" 13 "$(count op2p-exchange --disable-heuristic op2p_udp)"
is "Decode As tells it" 13 "$(count op2p-exchange -d udp.port==50000,op2p)"
is "and so does the preference" 13 "$(count op2p-exchange -o op2p.udp.port:50000)"
is "the Info column" "Completion 8 B 1.1 -> 1.2 @ 0xc0ffe0" "$(info op2p-exchange-frames 3)"
is "a link event" "XOFF" "$(info op2p-errors-events 8)"
tree=$(ts -r "$work/op2p-errors-events" -Y 'frame.number == 1' -V 2>/dev/null)
has "flags of a field" "
    Flags: 0x02 (Soft error)
        ..0. .... = PAD in the last double word: Not set" "$tree"
has "what re-reads a field lies below it" "
        .... ...0 = Sent: Not set
    Flow control code or lanes: 0x00" "$tree"
has "numbers as well" "
    Source ID: 0x0042
        0000 0000 01.. .... = Source chassis: 1
        ..00 0010 = Source slot: 2
    Destination ID: 0x0041" "$tree"
# ends FILE FRAME ARGS...: what the Source and Destination columns say.
ends() {
    LC_ALL=C.UTF-8 ts -r "$work/$1" -Y "frame.number == $2" "${@:3}" 2>/dev/null |
        sed -E 's/^ *[0-9]+ +[0-9.]+ *(.*) → (.*[^ ]) +(OP2P|TEXTAROSSA|L1 farm) .*/\1 → \2/; s/^ *//; s/ +$//'
}
is "nodes as source and destination" "1.2 → 1.1" "$(ends op2p-exchange-frames 1)"
is "the partner has no number" "1.2 → partner" "$(ends op2p-exchange-frames 7)"
is "what names no node goes from end to end" "partner 0 → port 0" "$(ends op2p-errors-events 8)"
is "datagrams keep their carrier's addresses" "192.0.2.1 → 192.0.2.2" "$(ends op2p-exchange 1)"
is "nodes are filtered by name" "3 6 8 10 12" "$(frames 'op2p.src == "1.1" && op2p.addr == "1.2"' -r "$work/op2p-exchange-frames")"
is "in datagrams, too" "3 6 8 10 12" "$(frames 'op2p.src == "1.1"' -r "$work/op2p-exchange" 2>/dev/null)"
is "a finding can be filtered" "$(printf '1\n')" \
    "$(ts -r "$work/op2p-broken-frames" -Y op2p.op-e01 -T fields -e frame.number 2>/dev/null)"
is "a completion knows its request" 2 \
    "$(ts -r "$work/op2p-exchange-events" -Y 'frame.number == 3' -T fields -e op2p.response_to 2>/dev/null)"
is "ids are chassis and slot" "1	2	1	1" \
    "$(ts -r "$work/op2p-exchange-events" -Y 'frame.number == 1' -T fields -e op2p.src.chassis -e op2p.src.slot \
        -e op2p.dst.chassis -e op2p.dst.slot 2>/dev/null)"

# APElink: each interface and direction is a stream of beats.
table='uat:user_dlts:"User 6 (DLT=153)","textarossa.link","0","","0",""'
# told FILE FRAME ARGS... prints what tshark is asked of a frame.
told() { ts -r "$work/$1" -Y "frame.number == $2" "${@:3}" 2>/dev/null | plain; }

is "beats are TEXTAROSSA" 6 "$(count textarossa-link)"
is "unless link type 153 is given back" 0 "$(count textarossa-link -o textarossa.user6:FALSE)"
is "Wireshark's own table can name it then" 6 "$(count textarossa-link -o textarossa.user6:FALSE -o "$table")"
is "datagrams do not go with it" 9 "$(count textarossa-udp -o textarossa.user6:FALSE)"
echo "udp 1.0 10.0.0.1:5000 10.0.0.2:5000 $(printf '%096d' 0)" | capture textarossa-elsewhere
is "a foreign port is left alone" 0 "$(count textarossa-elsewhere)"
is "Decode As tells it" 1 "$(count textarossa-elsewhere -d udp.port==5000,textarossa)"
is "and so does the preference" 1 "$(count textarossa-elsewhere -o textarossa.udp.port:5000-5001)"
is "runs of a frame" "16 B to 1.0.0 port 0, channel 0, 1 credit inside | 1 credit" "$(info textarossa-link 3)"
is "EDAC: status, corrected bit, syndrome" 6 "$(frames "textarossa.edac.status == 1 && textarossa.edac.bit == 21 && \
    textarossa.edac.syndrome == 0x9b" -r "$work/textarossa-link-broken" 2>/dev/null)"
is "EDAC and the first finding in the Info column" \
    "1 B to 1.0.0 port 0, channel 0, EDAC corrected bit 21 [TX-L6 MUST: check byte 0x18, 0x2f is expected: bit 21 of the header was flipped] | 1 credit" \
    "$(info textarossa-link-broken 6)"
is "EDAC: in the tree" "    [EDAC status: corrected (1)]
    [Corrected bit: 21]" "$(told textarossa-link-broken 6 -V | grep -e '\[EDAC status' -e 'Corrected bit')"
is "credits go from end to end" "partner 0 → port 0" "$(ends textarossa-link 1)"
is "a header names a node of the torus, and no source" "partner 0 → 1.0.0" "$(ends textarossa-link 2)"
is "its beats before the header go from end to end" "partner 0 → port 0" "$(ends textarossa-link 4)"
is "torus coordinates can be filtered" "2 3 5 6" "$(frames 'textarossa.dst == "1.0.0"' -r "$work/textarossa-link")"
is "rules of one run" "1 4 5 6 7" "$(frames 'textarossa.tx-l1 || textarossa.tx-l3 || textarossa.tx-l4 || textarossa.tx-l6 ||
    textarossa.tx-e15' -r "$work/textarossa-link-broken" 2>/dev/null)"
is "rules of a conversation" 3 "$(frames textarossa.tx-l2 -r "$work/textarossa-link-broken" 2>/dev/null)"

# A run across two frames is shown in the second; the first names it once it is known.
is "its first frame" "48 B, continued in another frame" "$(info textarossa-link 4)"
is "its last frame" "16 B to 1.0.0 port 0, channel 0 | 1 credit" "$(info textarossa-link 5)"
is "the frames that it came in" "4,5" "$(told textarossa-link 5 -T fields -e textarossa.link.frame)"
is "where it ends, in the first pass" "" "$(told textarossa-link 4 -T fields -e textarossa.link.ends_in)"
is "where it ends, in the second" 5 "$(told textarossa-link 4 -2 -T fields -e textarossa.link.ends_in)"
for trace in textarossa-link textarossa-link-broken; do
    columns=(-T fields -e _ws.col.Info -e textarossa.footer)
    once=$(ts -r "$work/$trace" -Y textarossa.footer "${columns[@]}" 2>/dev/null)
    is "$trace: the second pass shows what the first does" "$once" \
        "$(ts -r "$work/$trace" -2 -Y textarossa.footer "${columns[@]}" 2>/dev/null)"
    is "$trace: so it does when frames are dropped" "$once" \
        "$(ts -r "$work/$trace" -2 -R textarossa.footer "${columns[@]}" 2>/dev/null)"
done
is "what the capture's end cuts short, in the first pass" "64 B, continued in another frame" \
    "$(info textarossa-link-broken 8)"
is "in the second" \
    "16 B to 1.0.0 port 0, channel 0, truncated at byte 64 [TX-E2 MUST: the packet ends before its footer; packet_size is 16]" \
    "$(info textarossa-link-broken 8 -2)"

# The farm's four link types, and its tunnel.
traces=$(dirname "$0")/../pcaps/l1farm
for trace in l1farm-sci l1farm-clocks l1farm-tagnet l1farm-memory l1farm-run; do
    cp "$traces/$trace.pcapng" "$work/$trace" && chmod a+r "$work/$trace"
done
count() { ts -r "$work/$1" "${@:2}" -Y l1farm -T fields -e frame.number 2>/dev/null | wc -l; }
for link in sci:user2 clocks:user3 tagnet:user4 memory:user5; do
    trace=l1farm-${link%:*} pref=l1farm.${link#*:}
    is "$trace is the farm's" yes "$([ "$(count "$trace")" -gt 0 ] && echo yes)"
    is "unless $pref gives it back" 0 "$(count "$trace" -o "$pref:FALSE")"
done
is "the tunnel over UDP is known by its content" 240 "$(count l1farm-run --disable-heuristic goldwire_announced)"
is "Decode As tells it" 240 "$(count l1farm-run -d udp.port==50000,l1farm)"
is "the Info column" "SCI writesb 0x4 -> 0x10 tid 31 @ 0x10000340, 16 B" "$(info l1farm-sci 1)"
is "SCI nodes" "0x4 → 0x10" "$(ends l1farm-sci 1)"
is "no nodes where the header is cut" "SCI send packet, truncated at byte 10|" \
    "$(ts -r "$work/l1farm-sci" -Y 'frame.number == 22' -T fields -e _ws.col.Info -e l1farm.addr -E separator='|' 2>/dev/null)"
is "lines of a readout unit" "RU 1" "$(told l1farm-tagnet 4 -T fields -e l1farm.src)"
is "a tag's destination" "0x1234" "$(told l1farm-tagnet 17 -T fields -e l1farm.dst)"
is "a response knows its request" 1 \
    "$(ts -r "$work/l1farm-sci" -Y 'frame.number == 3' -T fields -e l1farm.response_to 2>/dev/null)"
is "a tag's destination is corrected" "0x0000000000001234	1" \
    "$(ts -r "$work/l1farm-tagnet" -Y l1farm.tagnet.bit -T fields -e l1farm.tagnet.dest -e l1farm.tagnet.status 2>/dev/null)"
finish
