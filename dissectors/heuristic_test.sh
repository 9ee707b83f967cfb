#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The heuristics know our formats on any UDP port and claim none of 100 000 foreign datagrams: names asked for, voice,
# clocks, calls, tunnels, measurements over InfiniBand, noise, and thousands that begin as ours do.
. "$(dirname "$0")/testing/lib.sh"

echo "foreign 100000 7" | capture foreign.pcap
is "foreign datagrams" 100000 "$(ts -r "$work/foreign.pcap" -T fields -e frame.number | wc -l)"
near=$(frames 'udp.payload[0:2] == 4e:6f || udp.payload[0:2] == 4f:32 || udp.payload[0:2] == 4c:31' \
    -r "$work/foreign.pcap" | wc -w)
is "near misses are among them" yes "$([ "$near" -ge 13000 ] && echo yes || echo "only $near")"
roce=$(frames 'infiniband' -r "$work/foreign.pcap" | wc -w)
is "InfiniBand is among them" yes "$([ "$roce" -ge 9000 ] && echo yes || echo "only $roce")"
is "none is claimed" "" "$(frames 'etherbone || op2p || textarossa || l1farm || ims' -r "$work/foreign.pcap")"

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

# Deep inside of others: what an ICMP error quotes, and copies that a switch sends to its controller, several a segment.
# Each is looked at for itself; a stranger beside one of ours stays a stranger.
copy() {
    local len=$((${#3} / 2)) ends=0a0000010a000002
    printf '010a%04x00000001ffffffff%04x00010000020000000002020000000001080045%06x0000000040110000%s%04x%04x%04x0000%s' \
        $((len + 60)) $((len + 42)) $((len + 28)) $ends "$1" "$2" $((len + 8)) "$3"
}
read=4e6f1044280f00010000800000001000
stranger=$(copy 1234 5004 $rtp) ours=$(copy 40000 60368 $read)
segment() { echo "tcp $1 10.0.0.9:$2 10.0.0.8:6653 1 1 A $3"; }
capture deep.pcap <<LINES
$(segment 1.0 41000 "$stranger")
$(segment 1.1 41001 "$ours")
$(segment 1.2 41002 "$ours$stranger")
$(segment 1.3 41003 "$stranger$ours")
quote 1.4 10.0.0.2:1234 10.0.0.3:5004 $rtp
quote 1.5 10.0.0.4:1234 10.0.0.5:5004 $read
LINES
for pass in "" -2; do
    # shellcheck disable=SC2086
    is "copies [$pass]" "openflow_v1:eth:ethertype:ip:udp:data
openflow_v1:eth:ethertype:ip:udp:etherbone
openflow_v1:eth:ethertype:ip:udp:etherbone:openflow_v1:eth:ethertype:ip:udp:data
openflow_v1:eth:ethertype:ip:udp:data:openflow_v1:eth:ethertype:ip:udp:etherbone
eth:ethertype:ip:icmp:ip:udp:data
eth:ethertype:ip:icmp:ip:udp:data" \
        "$(ts $pass -r "$work/deep.pcap" -T fields -e frame.protocols | sed 's/.*:openflow://')"
    # shellcheck disable=SC2086
    is "and nothing is broken [$pass]" "" "$(frames '_ws.expert.severity == "Error"' $pass -r "$work/deep.pcap")"
done
is "Decode As is believed" "1 2 3 4 5 6" "$(frames etherbone -r "$work/strangers.pcap" -d udp.port==5004,etherbone \
    -d udp.port==40000,etherbone -d udp.port==40001,etherbone -d udp.port==40002,etherbone)"
finish
