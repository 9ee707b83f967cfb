#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The heuristic knows EtherBone on any UDP port and claims none of 100 000 foreign datagrams, among
# them thousands of DNS queries and 1500 that begin with the magic by chance.
. "$(dirname "$0")/testing/lib.sh"

echo "foreign 100000 7" | capture foreign.pcap
is "foreign datagrams" 100000 "$(ts -r "$work/foreign.pcap" -T fields -e frame.number | wc -l)"
magic=$(frames 'udp.payload[0:2] == 4e:6f' -r "$work/foreign.pcap" | wc -w)
is "near misses are among them" yes "$([ "$magic" -ge 1400 ] && echo yes || echo "only $magic")"
is "none is claimed" "" "$(frames etherbone -r "$work/foreign.pcap")"

capture ours.pcap <<'LINES'
udp 1.0 10.0.0.1:30001 10.0.0.2:30002 4e6f114400000001
udp 1.1 10.0.0.2:30002 10.0.0.1:30001 4e6f164400000001
udp 1.2 10.0.0.1:30001 10.0.0.2:30002 4e6f1044280f00010000800000001000
udp 1.3 10.0.0.2:30002 10.0.0.1:30001 4e6f14440a0f010000008000cafe0001
LINES
is "ours" "1 2 3 4" "$(frames etherbone -r "$work/ours.pcap")"
is "and answered" "2 4" "$(frames etherbone.response_to -r "$work/ours.pcap")"
is "switched off" "" "$(frames etherbone -r "$work/ours.pcap" --disable-heuristic etherbone_udp)"
finish
