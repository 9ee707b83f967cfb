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
# A port makes nobody guilty: voice, a name asked for and a call set up on ports of ours are nobody's EtherBone, and
# have no error of it; an answer that is broken in a conversation that is known is shown, and told apart from that.
rtp=80001234000010 dns=1a2b010000010000000000000362
capture strangers.pcap <<LINES
udp 1.0 10.0.0.1:1234 10.0.0.2:5004 $rtp
udp 1.1 10.0.0.2:40000 10.0.0.1:60368 $dns
udp 1.2 10.0.0.1:8183 10.0.0.2:40002 494e56495445207369703a
udp 1.3 10.0.0.1:40000 10.0.0.2:60368 4e6f1044280f00010000800000001000
udp 1.4 10.0.0.2:60368 10.0.0.1:40000 $dns
udp 1.5 10.0.0.2:60368 10.0.0.1:40001 $dns
LINES
for pass in "" -2; do
    # shellcheck disable=SC2086
    is "strangers on our ports [$pass]" "4 5" "$(frames etherbone $pass -r "$work/strangers.pcap")"
    # shellcheck disable=SC2086
    is "what is broken is told [$pass]" "5" \
        "$(frames '_ws.expert.severity == "Error" && etherbone' $pass -r "$work/strangers.pcap")"
done
is "strangers on TEXTAROSSA's port" "" "$(echo "udp 1.0 10.0.0.1:64098 10.0.0.2:5004 ${rtp}deadbeef
udp 1.1 10.0.0.2:40000 10.0.0.1:64098 $dns" | capture strange64.pcap
frames textarossa -r "$work/strange64.pcap")"
is "unless its port is believed" "1 2" "$(frames textarossa -r "$work/strange64.pcap" -o textarossa.by_port:TRUE)"
is "Decode As is believed" "1 2 3 4 5 6" "$(frames etherbone -r "$work/strangers.pcap" -d udp.port==5004,etherbone \
    -d udp.port==40000,etherbone -d udp.port==40001,etherbone -d udp.port==40002,etherbone)"
finish
