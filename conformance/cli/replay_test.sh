#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of `goldwire record` and `goldwire replay` from outside, over real loopback sockets.
. "$2/conformance/cli/testing.sh"

# ---- the same board again, another way than it was recorded ----
for role in etherbone-slave etherbone-master op2p-node textarossa-node textarossa-switch ims-buf ims-worker l1-ru l1-cn \
    l1-du; do
    expect 0 "$goldwire" record "$role.pcapng" --dut "peer:$role?via=mem"
    expect 0 "$goldwire" replay "$role.pcapng" --dut "peer:$role?via=mem"
    has out 'PASS'
done
for role in etherbone-slave op2p-node textarossa-node textarossa-switch ims-buf l1-ru l1-cn l1-du; do
    expect 0 "$goldwire" replay "$role.pcapng" --dut "peer:$role"
    has out 'PASS'
done
expect 0 "$goldwire" record tcp.pcapng --dut 'peer:etherbone-slave?over=tcp' --case 'eb-s/*read*'
expect 0 "$goldwire" replay tcp.pcapng --dut 'peer:etherbone-slave?over=tcp&via=mem'
expect 2 "$goldwire" replay tcp.pcapng --dut peer:etherbone-slave
has err 'holds TCP connections, but the board is reached over UDP'

# A file that is there is kept.
expect 2 "$goldwire" record tcp.pcapng --dut 'peer:etherbone-slave?via=mem'
has err 'File exists'
expect 1 "$goldwire" record part.pcapng --dut 'peer:etherbone-slave?via=mem&mutant=m-cyc-not-copied'
has err 'is left out: FAIL'
expect 6 "$goldwire" record none.pcapng --dut 'peer:etherbone-slave?via=mem' --case 'eb-s/nothing*'
[ ! -e none.pcapng ] || fail 'an empty trace was left'

# ---- a mutant, at the right frame and field ----
expect 1 "$goldwire" replay etherbone-slave.pcapng --dut 'peer:etherbone-slave?mutant=m-wrong-probe-id' --out bad
has out '(eb-s/probe-answered): etherbone.probe_id at byte 4: expected 0x'
has out 'spec 845'
expect 0 "$goldwire" decode bad/cases/trace/etherbone-slave.pcapng
expect 1 "$goldwire" replay --json etherbone-slave.pcapng --dut 'peer:etherbone-slave?mutant=m-cyc-not-copied'
has out '"verdict":"FAIL"'
has out '"field":"etherbone.record.cyc"'
has out '"path":"etherbone.record[0].cyc"'
expect 1 "$goldwire" replay op2p-node.pcapng --dut 'peer:op2p-node?mutant=m-fbe-full'
has out 'op2p.fbe at byte'
expect 1 "$goldwire" replay textarossa-node.pcapng --dut 'peer:textarossa-node?mutant=m-no-address'
has out 'textarossa.dest_addr at byte'
expect 1 "$goldwire" replay etherbone-slave.pcapng --dut 'peer:etherbone-slave?mutant=m-dirty-padding&via=mem'
has out 'equal where it counts, but breaks EB-S'

# ---- as a case of a run ----
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --trace etherbone-slave.pcapng --out run
has run/run.json '"id": "trace/etherbone-slave"'
has out 'PASS (exit code 0)'
same etherbone-slave.pcapng run/traces/etherbone-slave.pcapng
has run/run.json '"path": "traces/etherbone-slave.pcapng"'
has run/catalogue.json '"traces":[{"case":"trace/etherbone-slave"'
expect 0 "$goldwire" verify run
has out "its catalogue is this one's"
printf '\001' | dd of=run/traces/etherbone-slave.pcapng bs=1 seek=100 conv=notrunc 2>dd.err
expect 1 "$goldwire" verify run
has out 'changed: traces/etherbone-slave.pcapng'
# The folder takes another run: the trace of the last one goes.
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --case eb-s/probe-echo --out run
[ ! -e run/traces/etherbone-slave.pcapng ] || fail 'the trace of an earlier run was left'
expect 0 "$goldwire" verify run
expect 1 "$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-wrong-probe-id' --case none \
    --trace etherbone-slave.pcapng
has out 'FAIL    trace/etherbone-slave'
lacks out 'eb-s/probe-echo '

# ---- pace ----
for mode in lockstep captured asap; do
    expect 0 "$goldwire" replay etherbone-slave.pcapng --dut peer:etherbone-slave --mode $mode --pace spin
done
expect 2 "$goldwire" replay etherbone-slave.pcapng --dut peer:etherbone-slave --mode backwards

# ---- somebody else's board ----
"$goldwire" peer etherbone-slave --listen udp://127.0.0.1:0 >peer.out 2>peer.err &
peer=$!
for _ in $(seq 100); do
    grep -q '^ready' peer.out && break
    sleep 0.05
done
url=$(sed -n 's/^listening \([^ ]*\).*/\1/p' peer.out | head -1)
expect 2 "$goldwire" replay etherbone-slave.pcapng --dut "$url" --role etherbone-slave
has err 'without a board file only traces that read are sent'
expect 2 "$goldwire" replay etherbone-slave.pcapng --dut "$url"
has err 'which role?'
expect 0 "$goldwire" record probe.pcapng --dut 'peer:etherbone-slave?via=mem' --case eb-s/probe-answered
expect 0 "$goldwire" replay probe.pcapng --dut "$url" --role etherbone-slave
cat >board.yaml <<YAML
goldwire: board
role: etherbone-slave
where: $url
claims: {config_space: true, sdb: true}
areas:
  - {name: small, type: ram, address: 0, size: 4}
YAML
expect 2 "$goldwire" replay etherbone-slave.pcapng --board-file board.yaml
has err 'which no area of the board file lets goldwire write'
expect 0 "$goldwire" replay etherbone-slave.pcapng --board-file board.yaml --allow-any-address

# What a board counts goes on counting; the board file says where that is.
expect 0 "$goldwire" record cycle.pcapng --dut 'peer:etherbone-slave?via=mem' --case eb-s/hold-cycle
cat >counts.yaml <<YAML
goldwire: board
role: etherbone-slave
where: $url
claims: {config_space: true, sdb: true}
areas:
  - {name: ram, type: ram, address: 0, size: 0x10000}
  - {name: counters, type: arbiter, address: 0x40000, size: 16}
YAML
expect 0 "$goldwire" replay cycle.pcapng --board-file counts.yaml
expect 0 "$goldwire" replay cycle.pcapng --board-file counts.yaml
grep -v counters counts.yaml >plain.yaml
expect 1 "$goldwire" replay cycle.pcapng --board-file plain.yaml
has out 'etherbone.record[0].write[0].value at byte'

kill $peer
wait $peer

# ---- a buffer that names other queue pairs, keys and memory than the one that was recorded ----
expect 0 "$goldwire" record names.pcapng --dut 'peer:ims-buf?via=mem' --case 'ims-c/*' --case ims-b/gap --case ims-b/alignment
cat >other-buffer.yaml <<YAML
status_qpn: 0x22
status_qkey: 0x33
va: 0x2000000000
YAML
"$goldwire" peer ims-buf --map other-buffer.yaml --listen ib=roce://127.0.0.1:0 >buf.out 2>buf.err &
peer=$!
for _ in $(seq 100); do
    grep -q '^ready' buf.out && break
    sleep 0.05
done
url=$(sed -n 's/^listening \([^ ]*\).*/\1/p' buf.out | head -1)
cat >buffer.yaml <<YAML
goldwire: board
role: ims-buf
where: {ib: '$url'}
claims: {status_qpn: 0x22, status_qkey: 0x33}
areas:
  - {name: ring, type: ram, address: 0x2000000000, size: 0x400000}
YAML
expect 0 "$goldwire" replay names.pcapng --board-file buffer.yaml
has out 'PASS'
expect 0 "$goldwire" replay names.pcapng --board-file buffer.yaml --mode captured
sed 's/0x2000000000/0x1000000000/' buffer.yaml >elsewhere.yaml
expect 3 "$goldwire" replay names.pcapng --board-file elsewhere.yaml
has out 'is not sent: as the board names it now it writes 0x2000000000'
expect 2 "$goldwire" replay names.pcapng --dut "$url" --role ims-buf
has err 'without a board file only traces that read are sent'
kill $peer
wait $peer

# ---- no board, no trace, no sense ----
expect 3 "$goldwire" replay probe.pcapng --dut udp://127.0.0.1:9 --role etherbone-slave --timeout 50
has err 'does not answer'
expect 2 "$goldwire" replay nowhere.pcapng --dut 'peer:etherbone-slave?via=mem'
has err 'nowhere.pcapng'
head -c 300 probe.pcapng >short.pcapng
expect 2 "$goldwire" replay short.pcapng --dut 'peer:etherbone-slave?via=mem'
expect 2 "$goldwire" replay probe.pcapng probe.pcapng --dut 'peer:etherbone-slave?via=mem'
has err 'two traces would be called trace/probe'
finish
