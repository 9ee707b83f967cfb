#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Boards as stations on an Ethernet: in memory, on a cable in a network namespace of our own, and at
# the two ends of a cable that somebody else laid. Skipped in part where the system refuses those.
. "$2/conformance/cli/testing.sh"

# ---- what is wrong with the call is told before the first packet ----
expect 2 "$goldwire" certify --dut 'raw://nosuchif0?to=10.0.0.2' --role etherbone-slave
has err 'nosuchif0'
expect 2 "$goldwire" certify --dut 'raw://lo?to=10.0.0' --role etherbone-slave
has err 'to=10.0.0: an IPv4 address is expected'
expect 2 "$goldwire" certify --dut 'peer:op2p-node?over=raw&via=mem'
has err 'op2p-node has no Ethernet port'
expect 2 "$goldwire" peer etherbone-slave --listen 'raw://nosuchif0'
has err 'which address'
expect 2 "$goldwire" peer op2p-node --listen 'raw://nosuchif0?local=10.0.0.2:5000'
has err 'is no Ethernet port'

for wrong in vlan=0 vlan=4095 vlan=1.2.3 vlan= vlan=1. ip=5; do
    expect 2 "$goldwire" certify --dut "peer:etherbone-slave?over=raw&via=mem&$wrong"
    has err "${wrong%%=*}="
done
expect 2 "$goldwire" certify --dut 'peer:etherbone-slave?over=raw&via=mem&pcp=3'
has err 'a priority stands in a VLAN tag'
expect 2 "$goldwire" certify --dut 'peer:etherbone-slave?vlan=3'
has err 'vlan= and ip=6 are of over=raw'
expect 2 "$goldwire" certify --dut 'raw://lo?to=[]' --role etherbone-slave
has err 'to=[]: an IPv6 address is expected'
expect 2 "$goldwire" certify --dut 'raw://lo?to=[fe80::1%eth7]' --role etherbone-slave
has err 'on another interface than lo'
expect 2 "$goldwire" certify --dut 'raw://lo?to=[fe80::1]&local=10.0.0.1' --role etherbone-slave
has err 'an IPv4 and an IPv6 address'

# ---- over sockets frames are not seen: our own boards are put on an Ethernet for the cases that want them ----
expect 0 "$goldwire" certify --dut 'peer:textarossa-node?via=mem'
lacks out 'sockets do not show'
has out "note: the board was reached as a station on an Ethernet"
expect 0 "$goldwire" certify --dut 'peer:textarossa-node?via=mem&loss=0.000000001' --case 'tx-n/*' --json
[ "$(grep -c 'sockets do not show what lies below UDP' out)" = 17 ] ||
    fail "$(grep -c 'sockets do not show' out) cases do not apply, 17 expected"

# ---- in memory ----
# What a path damages, and a checksum tells, is left out and counted.
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?over=raw&via=mem&corrupt=0.02' --case 'eb-s/probe*' --case 'eb-s/re*'
has out ' packets damaged'
lacks out 'FAIL'
for role in etherbone-slave textarossa-node; do
    expect 0 "$goldwire" certify --dut "peer:$role?over=raw&via=mem" --out "mem-$role"
    lacks out 'sockets do not show'
    expect 0 "$goldwire" verify "mem-$role"
done
grep -aqF 'Frames, headers and times are real' mem-textarossa-node/cases/tx-n/arp-answer.pcapng ||
    fail 'the evidence does not say that its frames are real'
expect 1 "$goldwire" certify --dut 'peer:textarossa-node?over=raw&via=mem&mutant=m-ttl-64' --json
has out '"rule": "TX-N3"'
has out "the IP header's TTL is 64; 128 is expected"
expect 1 "$goldwire" certify --dut 'peer:etherbone-slave?over=raw&via=mem&mutant=m-wants-udp-checksum'
has out 'EB-S48'
# What was sent and received is what `check' judges in a capture: headers, ARP, lengths.
expect 0 "$goldwire" check mem-textarossa-node/cases/tx-n/ip-header.pcapng
expect 0 "$goldwire" check mem-textarossa-node/cases/tx-n/asks-first.pcapng
expect 0 "$goldwire" certify --dut 'peer:textarossa-node?over=raw&via=mem&mutant=m-ttl-64' \
    --case tx-e/well-made --out ttl
expect 1 "$goldwire" check ttl/cases/tx-e/well-made.pcapng
has out 'TX-N3'

# In a VLAN, in one within another, and over IPv6: the evidence has the frames as they were.
for way in 'vlan=100&pcp=5' 'vlan=200.100' ip=6 'ip=6&vlan=7&corrupt=0.01'; do
    expect 0 "$goldwire" certify --dut "peer:etherbone-slave?over=raw&via=mem&$way" --out "way-$way"
    lacks out FAIL
    expect 0 "$goldwire" check "way-$way/cases/eb-s/probe-echo.pcapng"
    expect 0 "$goldwire" replay "way-$way/cases/eb-s/probe-echo.pcapng" --dut 'peer:etherbone-slave?via=mem'
done
expect 0 "$goldwire" certify --dut 'peer:textarossa-node?over=raw&via=mem&vlan=9&pcp=1'
# TCP of our own: the frames are there from the handshake on, and nothing is made up around them.
for way in raw-tcp 'raw-tcp&ip=6&vlan=5' 'raw-tcp&loss=0.02&reorder=0.02&duplicate=0.02&rtt=1ms'; do
    expect 0 "$goldwire" certify --dut "peer:etherbone-slave?via=mem&over=$way" --out "way-$way"
    lacks out FAIL
    expect 0 "$goldwire" check "way-$way/cases/eb-s/write-read.pcapng"
    expect 0 "$goldwire" replay "way-$way/cases/eb-s/write-read.pcapng" --dut "peer:etherbone-slave?via=mem&over=$way"
done
has out PASS
if command -v tshark >/dev/null; then
    pcap="way-raw-tcp/cases/eb-s/probe-echo.pcapng"
    [ "$(tshark -r "$pcap" -Y 'tcp.flags.syn == 1 && tcp.flags.ack == 0' 2>/dev/null | wc -l)" = \
        "$(tshark -r "$pcap" -T fields -e tcp.stream 2>/dev/null | sort -u | grep -c .)" ] ||
        fail 'not every connection in the evidence has one SYN'
    [ "$(tshark -r "$pcap" -o tcp.check_checksum:TRUE -Y 'tcp.checksum.status == 0 || tcp.analysis.flags' 2>/dev/null |
        wc -l)" = 0 ] || fail 'tshark finds fault with our TCP'
fi
expect 1 "$goldwire" certify --dut 'peer:etherbone-slave?over=raw-tcp&via=mem&mutant=m-wrong-probe-id' --case 'eb-s/probe*'
expect 2 "$goldwire" certify --dut 'raw://lo?to=10.0.0.1&over=sctp' --role etherbone-slave
has err 'over=udp and over=tcp are known'
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?over=raw&via=mem&ip=6' --json
has out "is about ARP and IPv4's header, and the board is at IPv6"

# ---- on a cable of our own ----
"$goldwire" certify --dut 'peer:textarossa-node?over=raw' --out cable >out 2>err
case $? in
0) ;;
2)
    lines err 1
    has err 'this system refuses'
    [ "$failures" = 0 ] || finish
    echo "skipped: $(cat err)" >&2
    exit 77
    ;;
*) fail "exit on a cable: $(tail -2 out) $(cat err)" ;;
esac
expect 0 "$goldwire" verify cable
expect 0 "$goldwire" check cable/cases/tx-n/ip-header.pcapng
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?over=raw'
lacks out 'sockets do not show'
# The kernel takes the outermost tag out of what comes in, and tells of it.
for way in 'vlan=100&pcp=5' 'vlan=200.100' 'ip=6&vlan=7'; do
    expect 0 "$goldwire" certify --dut "peer:etherbone-slave?over=raw&$way" --case 'eb-s/re*' \
        --case 'eb-s/probe*' --case eb-s/new-station --out "cable-$way"
    lacks out FAIL
done
if command -v tshark >/dev/null; then
    tshark -r 'cable-vlan=100&pcp=5/cases/eb-s/probe-echo.pcapng' -Y 'vlan.id == 100 && vlan.priority == 5 && udp' \
        2>/dev/null | wc -l >tagged
    tshark -r 'cable-vlan=100&pcp=5/cases/eb-s/probe-echo.pcapng' -Y udp 2>/dev/null | wc -l >all
    [ "$(cat all)" -gt 0 ] && cmp -s tagged all || fail "$(cat tagged) frames of $(cat all) have the tag"
    [ "$(tshark -r 'cable-ip=6&vlan=7/cases/eb-s/probe-echo.pcapng' -o udp.check_checksum:TRUE \
        -Y 'vlan.id == 7 && ipv6 && udp.checksum.status == 0' 2>/dev/null | wc -l)" = 0 ] ||
        fail 'tshark sees wrong checksums over IPv6'
fi
# What a network does, it does to these frames as well: what it damages is counted.
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?over=raw&rtt=4ms&corrupt=0.1&seed=3' --case 'eb-s/probe-e*' --case 'eb-s/probe-a*' --case eb-s/read-order
has out ' packets damaged'
expect 1 "$goldwire" certify --dut 'peer:textarossa-node?over=raw&mutant=m-arp-answers-all' --case 'tx-n/arp-*'
has out 'TX-N7'
expect 1 "$goldwire" certify --dut 'peer:etherbone-slave?over=raw&mutant=m-frame-padding-leaks' --case eb-s/padding-record
has out 'EB-S53'

# ---- where the system refuses: an error when it was asked for, one line when it was not ----
if unshare -rn true 2>/dev/null; then
    refused='echo 0 >/proc/sys/user/max_net_namespaces && exec "$0" certify --dut "$1"'
    expect 2 unshare -rn bash -c "$refused" "$goldwire" 'peer:textarossa-node?over=raw'
    lines err 1
    has err 'this system refuses a network namespace of our own'
    expect 0 unshare -r bash -c "$refused" "$goldwire" peer:textarossa-node
    lines err 1
    has err 'cases that need whole Ethernet frames are left out: this system refuses'
    has out 'sockets do not show what lies below UDP'
fi

# ---- on somebody else's cable: the board in one process, we in another ----
if unshare -rn ip link add gwa type veth peer name gwb 2>/dev/null; then
    cat >two_ends.sh <<'END'
ip link add gwa type veth peer name gwb && ip link set gwa up && ip link set gwb up || exit 77
ip address add 10.7.0.1/24 dev gwa && ip link set lo up
"$1" peer etherbone-slave --listen 'raw://gwb?local=10.7.0.2:60368' >peer.out 2>peer.err &
peer=$!
for _ in $(seq 100); do grep -q ready peer.out && break; sleep 0.05; done
grep -qxF 'listening raw://gwb?local=10.7.0.2:60368' peer.out || echo "peer says: $(cat peer.out)"
# Our address is the interface's own: the kernel answers ARP with us, and stays silent otherwise.
"$1" certify --dut 'raw://gwa?to=10.7.0.2' --role etherbone-slave --case 'eb-s/probe-*' --case eb-s/new-station
code=$?
"$1" doctor slave.yaml >doctor.out || echo "peer is not seen by doctor: $(cat doctor.out)"
grep -qF "the board's address belongs to 02:00:0a:07:00:02" doctor.out || echo "peer has another address: $(cat doctor.out)"
# TCP: the kernel's to our board, ours to a board behind the kernel's, and ours at the kernel's own address, which has no
# connection there and must not say so.
"$1" peer etherbone-slave --listen 'tcp://10.7.0.1:60369' >kernel.out 2>&1 &
behind=$!
for _ in $(seq 100); do grep -q ready kernel.out && break; sleep 0.05; done
for dut in tcp://10.7.0.2:60368 'raw://gwb?to=10.7.0.1:60369&local=10.7.0.8&over=tcp' 'raw://gwa?to=10.7.0.2:60368&over=tcp'; do
    "$1" certify --dut "$dut" --role etherbone-slave --case 'eb-s/probe*' --case 'eb-s/read*' >tcp.out 2>&1
    echo "TCP: $? $(grep -c FAIL tcp.out)"
done
"$1" certify --dut 'raw://gwb?to=10.7.0.1:9&local=10.7.0.8&over=tcp' --role etherbone-slave --case eb-s/probe-echo >tcp.out 2>&1
echo "refused: $? $(grep -c 'the connection is refused' tcp.out)"
kill -TERM $behind && wait $behind
# In another VLAN there is nobody, and it is told what came instead.
"$1" certify --dut 'raw://gwa?to=10.7.0.2&vlan=5' --role etherbone-slave --case eb-s/probe-echo
echo "other VLAN: $?"
# Without somebody there.
kill -TERM $peer && wait $peer || echo "peer ended with $?"
"$1" certify --dut 'raw://gwa?to=10.7.0.3' --role etherbone-slave --case eb-s/probe-echo
echo "nobody: $?"
ip link set gwa down
"$1" certify --dut 'raw://gwa?to=10.7.0.3' --role etherbone-slave
echo "down: $?"
exit $code
END
    sed 's|^where:.*|where: raw://gwa?to=10.7.0.2|' "$2/fpga_harness/boards/etherbone-slave.yaml" >slave.yaml
    expect 0 unshare -rn bash two_ends.sh "$goldwire"
    has out 'PASS (exit code 0)'
    lacks out "peer "
    has err 'nobody answers ARP requests for 10.7.0.3'
    [ "$(grep -c '^TCP: 0 0$' out)" = 3 ] || fail "TCP with a kernel: $(grep '^TCP' out | tr '\n' ' ')"
grep -q '^refused: 3 [1-9]' out || fail "a kernel's refusal: $(grep '^refused' out)"
has out 'other VLAN: 3'
has out 'nobody: 3'
    has err 'the interface is down'
    has out 'down: 2'
fi
finish
