#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# IMS streaming over InfiniBand's payloads: what is claimed, what is refused, and who is asked first.
. "$(dirname "$0")/testing/lib.sh"
traces=$(dirname "$0")/../pcaps/ims
for trace in "$traces"/ims-{session,session-erf,session-pdu,session-ipv6,session-user0,foreign,nacks}.pcapng; do
    cp "$trace" "$work/"
done
chmod a+r "$work"/*
count() { ts -r "$work/$1" "${@:2}" -Y ims -T fields -e frame.number 2>/dev/null | wc -l; }
told() { ts -r "$work/$1" -Y "frame.number == $2" "${@:3}" 2>/dev/null | plain; }
frames() { ts -r "$work/$1" 2>/dev/null | wc -l; }

for trace in ims-session ims-session-ipv6 ims-session-erf ims-session-pdu; do
    is "all of $trace.pcapng is IMS" "$(frames $trace.pcapng)" "$(count $trace.pcapng)"
done
is "DLT_USER0 is OP2P's unless told" 0 "$(count ims-session-user0.pcapng)"
is "Wireshark's table of user DLTs tells it" "$(frames ims-session-user0.pcapng)" \
    "$(count ims-session-user0.pcapng -o op2p.user0:FALSE \
        -o 'uat:user_dlts:"User 0 (DLT=147)","infiniband","0","","0",""')"
is "other services are left alone" "4 5" "$(ts -r "$work/ims-foreign.pcapng" -Y ims -T fields -e frame.number | xargs)"
is "the Info column" "STAT_REQ lid 0x21 qp 0x302 to qp 0x02 psn 0" \
    "$(told ims-session.pcapng 1 -T fields -e _ws.col.Info)"
is "a response knows its frame" 8 "$(told ims-session.pcapng 9 -T fields -e ims.response_to)"
is "event bits are filters" yes "$([ "$(ts -r "$work/ims-nacks.pcapng" -Y 'ims.ack.event.outside_window == 1' 2>/dev/null | wc -l)" -gt 0 ] && echo yes)"

# One packet a line, UDP 4791 between a Worker (.17) and a buffer (.2); the ICRC is not at stake.
bth() { printf '%02x00ffff00%06x00%06x' "$1" "$2" "$3"; }
packet() { echo "udp $1 192.0.2.$2:49152 192.0.2.$3:4791 $4aabbccdd"; }
deth=0b0b0b0b00000302
zeros=$(printf '0%.0s' {1..24})
ip=45000040000040001101b70ac0000201c0000202
rest=$(printf '%088d' 0)
{
    packet 1.0 17 2 "$(bth 0x64 2 0)${deth}0000010121000000020300000b0b0b0b$zeros"
    packet 1.1 2 17 "$(bth 0x64 0x302 0)${deth}0100010121000000020300000b0b0b0b$zeros"
    packet 1.2 17 2 "$(bth 0x64 2 1)${deth}04000101210000000203000003030000$zeros"
    packet 1.3 2 17 "$(bth 0x64 0x302 1)${deth}0500010121000000020300008100000000000000200000000200feca"
} >"$work/setup"
{
    cat "$work/setup"
    packet 1.4 17 2 "$(bth 0x26 0x81 0)00000020000000000200feca00000080${zeros:0:16}$(printf '%0112d' 0)"
    # Somebody else's Ethernet over InfiniBand, which its own heuristic claims ...
    packet 1.5 17 2 "$(bth 0x24 0x99 0)08000000${ip}${rest:0:48}"
    # ... and the middle of an image that begins alike.
    packet 1.6 17 2 "$(bth 0x27 0x81 1)08000000${ip}${rest:0:80}"
} >"$work/lines"
capture place.pcap <"$work/lines"
is "the data channel is known from the status channel" "1 2 3 4 5 7" \
    "$(ts -r "$work/place.pcap" -Y ims -T fields -e frame.number | xargs)"
is "whoever claimed last is asked first, unless it is switched off" "1 2 3 4 5" \
    "$(ts -r "$work/place.pcap" -o ims.keep_place:FALSE -Y ims -T fields -e frame.number | xargs)"
sed 1,4d "$work/lines" | capture later.pcap
is "nothing is claimed of a capture that begins later" "" \
    "$(ts -r "$work/later.pcap" -Y ims -T fields -e frame.number | xargs)"
is "unless it is asked for" "1 2 3" \
    "$(ts -r "$work/later.pcap" -o ims.unknown:TRUE -Y ims -T fields -e frame.number | xargs)"
is "or Decode As says so" "1 2 3" \
    "$(ts -r "$work/later.pcap" -d infiniband,ims -Y ims -T fields -e frame.number 2>/dev/null | xargs)"
finish
