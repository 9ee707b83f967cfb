#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of `goldwire record` and `goldwire replay` from outside, over real loopback sockets.
. "$2/conformance/cli/testing.sh"

# plays ARGUMENT...: a replay over sockets passes, once this machine is not too busy to keep the trace's pace.
plays() {
    for _ in 1 2 3 4; do
        "$goldwire" replay "$@" >out 2>err && return
        grep -q 'this machine was busy' out || break
    done
    expect 0 "$goldwire" replay "$@"
}

# ---- the same board again, another way than it was recorded ----
for role in etherbone-slave etherbone-master op2p-node textarossa-node textarossa-switch ims-buf ims-worker l1-ru l1-cn \
    l1-du; do
    expect 0 "$goldwire" record "$role.pcapng" --dut "peer:$role?via=mem"
    expect 0 "$goldwire" replay "$role.pcapng" --dut "peer:$role?via=mem"
    has out 'PASS'
done
for role in etherbone-slave op2p-node textarossa-node textarossa-switch ims-buf l1-ru l1-cn l1-du; do
    plays "$role.pcapng" --dut "peer:$role"
    has out 'PASS'
done
expect 0 "$goldwire" record tcp.pcapng --dut 'peer:etherbone-slave?over=tcp' --case 'eb-s/*read*'
expect 0 "$goldwire" replay tcp.pcapng --dut 'peer:etherbone-slave?over=tcp&via=mem'
expect 2 "$goldwire" replay tcp.pcapng --dut peer:etherbone-slave
has err 'holds TCP connections, but the board is reached over UDP'

# Another day, another board: what the trace did not write is not compared, unless that is wanted.
expect 0 "$goldwire" replay etherbone-slave.pcapng --dut 'peer:etherbone-slave?via=mem&random-memory=3'
has out 'values differ that the trace did not write'
expect 1 "$goldwire" replay etherbone-slave.pcapng --dut 'peer:etherbone-slave?via=mem&random-memory=3' --all-values
for role in op2p-node textarossa-node textarossa-switch ims-buf; do
    expect 0 "$goldwire" replay "$role.pcapng" --dut "peer:$role?via=mem&random-memory=4&registers-at=0x4000"
done
expect 0 "$goldwire" replay etherbone-slave.pcapng --dut 'peer:etherbone-slave?via=mem' --proto etherbone
expect 2 "$goldwire" replay etherbone-slave.pcapng --dut 'peer:etherbone-slave?via=mem' --proto ethrbone
has err "did you mean 'etherbone'?"

# What is on ports that say nothing is what the role speaks, or what --proto names.
capture 101 "$(datagram 40000 7777 4e6f1044280f00010000800000000000)" \
    "$(datagram 7777 40000 4e6f14440a0f01000000800000000000 back)" >odd.pcap
for proto in '' '--proto etherbone'; do
    # shellcheck disable=SC2086 # an option or none
    expect 0 "$goldwire" replay odd.pcap --dut 'peer:etherbone-slave?via=mem' $proto
done
expect 2 "$goldwire" replay odd.pcap --dut 'peer:etherbone-slave?via=mem' --proto op2p
has err 'odd.pcap: frame 1: '

# The same board over and over, over sockets, by its board file: a recording of all cases is what replay sends.
start_peer used.out etherbone-slave --listen udp://127.0.0.1:0 --random-memory 5
sed "s|^where:.*|where: $(url_of used.out)|" "$2/fpga_harness/boards/etherbone-slave.yaml" >used.yaml
expect 0 "$goldwire" record used.pcapng --board-file used.yaml
has out 'left out: '
for _ in 1 2; do
    plays used.pcapng --board-file used.yaml
    has out 'PASS'
done
kill "$peer"
wait "$peer"
expect 0 "$goldwire" record whole.pcapng --all --dut 'peer:etherbone-slave?via=mem'
lacks out 'left out: '
expect 2 "$goldwire" replay whole.pcapng --board-file used.yaml
has err 'cannot be read to its end'
# A board file that claims too much fails the run, and that is told.
start_peer narrow.out etherbone-slave --listen udp://127.0.0.1:0 --dialect gsi
sed "s|^where:.*|where: $(url_of narrow.out)|; s|^dialect:.*|dialect: gsi|" "$2/fpga_harness/boards/etherbone-slave.yaml" >over.yaml
for verb in record replay; do
    expect 1 "$goldwire" $verb over.pcapng --board-file over.yaml
    has err 'over.yaml claims more than the board'
done
has out 'PASS'
kill "$peer"
wait "$peer"
# Whoever records cannot allow it, and is told who can.
expect 0 "$goldwire" record odd.pcapng --dut 'peer:etherbone-slave?via=mem' --case eb-s/upset-header --case eb-s/read-counts
has err "eb-s/upset-header is left out: frame"
has err "\`goldwire replay --allow-any-address' sends it all the same"

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
has out '(spec 5.1.1, Etherbone Header: PF)'
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

# ---- a board that calls us, somebody else's ----
# call PID ERR: lets a Worker call until the goldwire that waits for it has heard enough
call() {
    local url
    while kill -0 "$1" 2>kill.err; do
        url=$(sed -n 's/^waiting for the board at //p' "$2")
        [ -z "$url" ] || "$goldwire" peer ims-worker --to "$url?local=127.0.0.2:0" >call.out 2>call.err
        sleep 0.05
    done
}
for verb in record replay; do
    cases=()
    [ $verb = replay ] || cases=(--case ims-w/place --case ims-w/nack)
    "$goldwire" $verb served.pcapng --serve roce://127.0.0.1:0 --role ims-worker --wait 20 "${cases[@]}" >out 2>err &
    waiting=$!
    call $waiting err
    wait $waiting || fail "$verb --serve: exit $?"
done
has out 'PASS'
expect 0 "$goldwire" replay served.pcapng --dut peer:ims-worker
expect 1 "$goldwire" replay served.pcapng --dut 'peer:ims-worker?mutant=m-wrong-rkey&via=mem'
has out '(ims-w/place): ims.rkey at byte 20: expected 0xcafe0001, got 0xcafe0002'
expect 2 "$goldwire" replay served.pcapng --dut 'peer:ims-worker?via=mem' --mode asap
has err 'there is nothing to answer before it has'

# ---- pace ----
for mode in lockstep captured asap; do
    expect 0 "$goldwire" replay etherbone-slave.pcapng --dut peer:etherbone-slave --mode $mode --pace spin
done
expect 2 "$goldwire" replay etherbone-slave.pcapng --dut peer:etherbone-slave --mode backwards
# What ends with its connection, or ends it, comes before the connection is closed.
expect 0 "$goldwire" record ends.pcapng --dut 'peer:etherbone-slave?over=tcp&via=mem' --case 'eb-s/probe-*' --case 'eb-s/tcp-*'
for mode in lockstep captured asap; do
    for way in '' '&via=mem' '&via=mem&rtt=100ms'; do
        expect 0 "$goldwire" replay ends.pcapng --dut "peer:etherbone-slave?over=tcp$way" --mode $mode
    done
done
for role in op2p-node textarossa-switch ims-buf l1-cn; do
    expect 0 "$goldwire" replay "$role.pcapng" --dut "peer:$role?via=mem" --mode captured
    expect 2 "$goldwire" replay "$role.pcapng" --dut "peer:$role?via=mem" --mode asap
    has err 'take lockstep or captured'
done

# ---- somebody else's board ----
start_peer peer.out etherbone-slave --listen udp://127.0.0.1:0
url=$(url_of peer.out)
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
  - {name: ram, type: ram, address: 0, size: 4}
YAML
expect 2 "$goldwire" replay etherbone-slave.pcapng --board-file board.yaml
has err 'of the recorded area ram (0x10000 bytes), and this board'
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
expect 2 "$goldwire" replay cycle.pcapng --board-file plain.yaml
has err 'reads the recorded area arbiter, of type arbiter, and the board file names none such'

kill $peer
wait $peer

# ---- a buffer that names other queue pairs, keys and memory than the one that was recorded ----
expect 0 "$goldwire" record names.pcapng --dut 'peer:ims-buf?via=mem' --case ims-c/status-format --case ims-c/response-format --case ims-b/gap
cat >other-buffer.yaml <<YAML
status_qpn: 0x22
status_qkey: 0x33
va: 0x2000000000
YAML
start_peer buf.out ims-buf --map other-buffer.yaml --listen ib=roce://127.0.0.1:0
url=$(url_of buf.out)
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
expect 0 "$goldwire" record beyond.pcapng --all --dut 'peer:ims-buf?via=mem' --case ims-c/response-format-faults
expect 2 "$goldwire" replay beyond.pcapng --board-file buffer.yaml
has err 'bytes behind what the buffer named'
expect 2 "$goldwire" replay names.pcapng --dut "$url" --role ims-buf
has err 'without a board file only traces that read are sent'
kill $peer
wait $peer

# ---- no board, no trace, no sense ----
expect 3 "$goldwire" replay probe.pcapng --dut udp://127.0.0.1:9 --role etherbone-slave --timeout 50
has err 'does not answer'
expect 2 "$goldwire" replay nowhere.pcapng --dut 'peer:etherbone-slave?via=mem'
has err 'nowhere.pcapng'

# ---- traces that are none, or somebody else's: which file, which frame, which field ----
head -c 1200 etherbone-slave.pcapng >short.pcapng
expect 2 "$goldwire" replay short.pcapng --dut 'peer:etherbone-slave?via=mem'
has err 'short.pcapng: after 4 frames: byte '
has err 'the file ends inside a block'
: >empty.pcapng
expect 2 "$goldwire" replay empty.pcapng --dut 'peer:etherbone-slave?via=mem'
has err 'empty.pcapng: is empty'
mkfifo pipe
expect 2 timeout 10 "$goldwire" replay pipe --dut 'peer:etherbone-slave?via=mem'
has err 'give an ordinary file'
expect 2 "$goldwire" replay l1-cn.pcapng --dut 'peer:l1-du?via=mem'
has err 'l1-cn.pcapng: frame 1: recorded from a board of role l1-cn, and this one is of role l1-du'
cat l1-cn.pcapng l1-du.pcapng >mixed.pcapng
expect 2 "$goldwire" replay mixed.pcapng --dut 'peer:l1-cn?via=mem'
has err 'recorded from a board of role l1-du'
pcaps=$2/pcaps
expect 2 "$goldwire" replay "$pcaps/op2p/op2p-exchange.pcapng" --dut 'peer:ims-buf?via=mem'
has err "frame 1: 192.0.2.2:50000 and 192.0.2.1:50000 talk over what is none of the board's links"
expect 2 "$goldwire" replay "$pcaps/ims/ims-images.pcapng" --dut 'peer:op2p-node?via=mem'
has err "frame 1: 192.0.2.17:4791 and 192.0.2.2:4791 talk over what is none of the board's links"
expect 2 "$goldwire" replay "$pcaps/etherbone/litex.pcapng" --dut 'peer:etherbone-slave?via=mem&dialect=litex'
has err 'two boards on link bus: 192.0.2.2:1234 in frame 1, 192.0.2.3:1234 in frame 6'
expect 2 "$goldwire" replay "$pcaps/ims/ims-truncated.pcapng" --dut 'peer:ims-buf?via=mem'
has err 'frame 5: the capture kept 56 of 92 bytes of what would have to be sent'
expect 3 "$goldwire" replay "$pcaps/etherbone/timing.pcapng" --dut 'peer:etherbone-slave?via=mem'
has out 'the trace has no answers to compare with'
expect 2 "$goldwire" replay "$pcaps/l1farm/l1farm-run.pcapng" --dut 'peer:l1-ru?via=mem'
has err '240 messages, all from the board: there is nothing to send'

# ---- captures of links: over the tunnel, where there is one ----
for trace in op2p-exchange-frames op2p-exchange-events op2p-errors-events; do
    expect 0 "$goldwire" replay "$pcaps/op2p/$trace.pcapng" --dut 'peer:op2p-node?via=mem'
    expect 0 "$goldwire" replay "$pcaps/op2p/$trace.pcapng" --dut peer:op2p-node
done
expect 1 "$goldwire" replay "$pcaps/op2p/op2p-exchange-frames.pcapng" --dut 'peer:op2p-node?mutant=m-fbe-full'
has out 'frame 6 of op2p-exchange-frames.pcapng: op2p.fbe at byte'
expect 1 "$goldwire" replay "$pcaps/op2p/op2p-errors-events.pcapng" --dut 'peer:op2p-node?mutant=m-retransmit-to-source&via=mem'
has out 'frame 2 of op2p-errors-events.pcapng'
expect 0 "$goldwire" replay "$pcaps/op2p/op2p-exchange-frames.pcapng" --dut 'peer:op2p-node?via=mem' --link link1=if:0
expect 2 "$goldwire" replay "$pcaps/op2p/op2p-exchange-frames.pcapng" --dut 'peer:op2p-node?via=mem' --link link1=if:x
has err 'NAME=if:NUMBER'
"$goldwire" decode --json --proto op2p "$pcaps/op2p/op2p-exchange-frames.pcapng" | sed 's/"dir":"[a-z]*"/"dir":null/' |
    "$goldwire" encode >undirected.pcapng
expect 2 "$goldwire" replay undirected.pcapng --dut 'peer:op2p-node?via=mem'
has err 'undirected.pcapng: frame 1: the capture does not say which way this frame went'
expect 3 "$goldwire" replay "$pcaps/textarossa/textarossa-link.pcapng" --dut 'peer:textarossa-switch?via=mem' --link x+=if:0
has out '9 messages to send'
for trace in l1farm-sci:'SCI lies beneath the tunnel' l1farm-clocks:'SCI lies beneath the tunnel' \
    l1farm-tagnet:'tag lines alone lack the registers' l1farm-memory:'seen at a memory'; do
    expect 2 "$goldwire" replay "$pcaps/l1farm/${trace%%:*}.pcapng" --dut 'peer:l1-ru?via=mem'
    has err "${trace%%:*}.pcapng: frame 1: "
    has err "${trace#*:}"
done

# ---- a million messages, and twice as many: memory stays where it is ----
expect 0 "$goldwire" record million.pcapng --dut 'peer:etherbone-slave?via=mem' --case eb-s/probe-answered --case eb-s/read-answered
for _ in $(seq 17); do
    cat million.pcapng million.pcapng >twice.pcapng
    mv twice.pcapng million.pcapng
done
if (ulimit -v 400000 && "$goldwire" --version) >out 2>err; then
    (
        failures=0
        ulimit -v 400000
        expect 0 "$goldwire" replay million.pcapng --dut 'peer:etherbone-slave?via=mem'
        has out '524288 sent, 524288 came, 524288 as recorded'
        exit $failures
    ) || fail 'a million messages'
    cat million.pcapng million.pcapng >twice.pcapng
    (
        failures=0
        ulimit -v 400000
        expect 2 "$goldwire" replay twice.pcapng --dut 'peer:etherbone-slave?via=mem'
        has err 'twice.pcapng: frame 1048577: the trace is longer than a replay takes'
        exit $failures
    ) || fail 'two million messages'
    rm twice.pcapng
fi
rm million.pcapng

# ---- two boards, two names ----
expect 2 "$goldwire" replay probe.pcapng probe.pcapng --dut 'peer:etherbone-slave?via=mem'
has err 'two traces would be called trace/probe'
finish
