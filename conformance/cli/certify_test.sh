#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of `goldwire certify` from outside, over real loopback sockets.
. "$2/conformance/cli/testing.sh"

# quick SECONDS COMMAND...: fails when it takes longer. A lost board must not hold a run up.
quick() {
    timeout "$@"
}

# ---- good boards ----
expect 0 "$goldwire" certify --dut peer:etherbone-slave --out udp
has out 'PASS (exit code 0)'
has out 'evidence: udp/report.html'
lacks out 'FAIL'
for file in run.json junit.xml report.html report.sarif report.tap preflight.pcapng cases/eb-s/probe-echo.pcapng; do
    [ -s "udp/$file" ] || fail "udp/$file is missing"
done
has udp/run.json '"schema": "goldwire/run/1"'
has udp/report.html 'cases/eb-s/probe-echo.pcapng'
grep -aqF 'headers are synthesised around them' udp/cases/eb-s/probe-echo.pcapng ||
    fail 'the evidence does not say that its headers are made up'
expect 0 "$goldwire" decode udp/cases/eb-s/probe-echo.pcapng
has out 'probe_id = 0x'
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?over=tcp' --out tcp --json
has out '"outcome": "PASS"'
has out '"id": "eb-s/tcp-straddle"'
[ -s tcp/cases/eb-s/tcp-straddle.pcapng ] || fail 'no evidence over TCP'
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem'
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem&over=tcp'

# ---- hardware ----
# Devices that are not as the specification has it are certified in their dialect: spoken to as they
# can take it, and waived what they are known for. LiteEth's core dies of all else, and answers to its
# own port only.
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?dialect=litex'
has out 'WAIVED  eb-s/probe-length '
has out 'known of dialect litex: probes and their responses take 12 bytes'
has out 'WAIVED  eb-s/truncated '
has out 'PASS    eb-s/pipelining '
lacks out 'INCONC'
lacks out 'recovered'
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?dialect=litex&via=mem'
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?dialect=gsi&via=mem'
has out 'WAIVED  eb-s/hold-cycle '
has out 'PASS    eb-s/version-fallback '
has out 'PASS    eb-s/upset-lanes '
lacks out 'INCONC'
expect 1 "$goldwire" certify --dut 'peer:etherbone-slave?dialect=gsi&via=mem' --dialect strict
has out 'FAIL    eb-s/hold-cycle '

# ---- mutants ----
expect 1 "$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-cyc-not-copied' --out bad
has out 'EB-S20: etherbone.record.cyc at byte 4: expected 0x1, got 0x0'
expect 1 "$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-hangs-on-truncated' \
    --case 'eb-s/read-*' --case eb-s/write-read --case 'eb-s/truncated*'
has out 'FAIL    eb-s/truncated '
has out 'the board had to be recovered'
has out 'INCONC  eb-s/truncated-execution'
expect 1 "$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-tcp-no-close&over=tcp'
has out 'FAIL    eb-s/tcp-no-common-width'

expect 1 "$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-short-probe-response&via=mem' --case eb-s/probe-echo
has out 'etherbone.probe_id is missing from a response of 4 bytes'

# ---- a SHOULD ----
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-obeys-nr&via=mem'
has out 'WARN    eb-s/nr-with-reads'
expect 1 "$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-obeys-nr&via=mem' --strict

# ---- what failed last time ----
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --failed bad
has out '2 cases: 2 PASS'
expect 6 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --failed udp
expect 2 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --failed nowhere
has err 'nowhere/run.json'

# ---- selection ----
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --case '*echo' --case 'eb-s/bad*'
has out '3 cases: 3 PASS'
expect 6 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --case 'eb-s/nothing*'
has err "no case of etherbone-slave matches 'eb-s/nothing*'"
expect 6 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --case eb-s/tcp-dribble
expect 0 "$goldwire" certify --role etherbone-slave --list
has out 'eb-s/probe-echo'
expect 0 "$goldwire" certify --role etherbone-slave --list --json --case '*echo'
has out '"eb-s/probe-echo"'

# ---- the same seed sends the same bytes ----
for run in one two; do
    expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --seed 7 --out $run
done
same one/cases/eb-s/write-read.pcapng two/cases/eb-s/write-read.pcapng

# ---- somebody else's board, without and with a board file ----
start_peer peer.txt etherbone-slave --listen udp://127.0.0.1:0
url=$(url_of peer.txt)
expect 0 "$goldwire" certify --dut "$url" --role etherbone-slave
has out 'NA      eb-s/write-read'
has out 'no ram area is declared'
has out 'PASS    eb-s/reply-flags'
sed "s|^where:.*|where: $url|" "$2/fpga_harness/boards/etherbone-slave.yaml" >board.yaml
expect 0 "$goldwire" certify board.yaml
has out 'PASS    eb-s/write-read'
kill "$peer"
wait "$peer"

# ---- boards that call us ----
expect 0 "$goldwire" certify --dut peer:etherbone-master --out master
has out 'PASS    eb-m/reply-order'
has err 'waiting for the board at peer:etherbone-master'
[ -s master/cases/eb-m/counts.pcapng ] || fail 'no evidence of a master'
expect 1 "$goldwire" certify --dut 'peer:etherbone-master?mutant=m-nr-with-reads&via=mem'
has out 'FAIL    eb-m/nr-clear'
expect 1 "$goldwire" certify --dut 'peer:etherbone-master?mutant=m-repeats-header&over=tcp&via=mem'
has out 'FAIL    eb-m/one-header'

# Somebody else's master is served where it calls; here it calls twice.
touch served.err
"$goldwire" certify --serve udp://127.0.0.1:0 --role etherbone-master --wait 20 \
    --case eb-m/counts --case eb-m/probe-id >served 2>served.err &
certify=$!
for _ in $(seq 100); do
    grep -q waiting served.err && break
    sleep 0.1
done
url=$(sed -n 's/^waiting for the board at //p' served.err)
"$goldwire" peer etherbone-master --to "$url" >/dev/null || fail 'the master is not content with us'
"$goldwire" peer etherbone-master --to "$url" >/dev/null
wait "$certify" || fail "serving a master: exit $?"
has served '2 cases: 2 PASS'
expect 3 "$goldwire" certify --serve tcp://127.0.0.1:0 --role etherbone-master --wait 1
has err 'does not answer'
expect 2 "$goldwire" certify --dut udp://127.0.0.1:1 --role etherbone-master
has err 'calls us'
expect 2 "$goldwire" certify --serve udp://127.0.0.1:0 --role etherbone-slave
has err 'does not call us'

# ---- a Worker over RoCEv2: in memory, started by us, and calling by itself ----
expect 0 quick 30 "$goldwire" certify --dut 'peer:ims-worker?via=mem'
has out 'PASS    ims-w/images'
expect 1 quick 30 "$goldwire" certify --dut 'peer:ims-worker?mutant=m-no-wait&via=mem'
has out 'FAIL    ims-w/nack-window'
expect 0 quick 60 "$goldwire" certify --dut peer:ims-worker --out worker
[ -s worker/cases/ims-w/nack.pcapng ] || fail 'no evidence of a Worker'
expect 0 "$goldwire" check --proto ims worker/cases/ims-w/no-response.pcapng
# What it shows of itself is held against what its board file says.
printf 'goldwire: board\nrole: ims-worker\nwhere: peer:ims-worker?via=mem\nclaims: {images: true, %s}\n' \
    'response_timeout_ms: 500, version: 0x0101, frame_bytes: 65536, packet_bytes: 2048' >worker.yaml
expect 1 "$goldwire" certify worker.yaml --case ims-w/place
has out 'FAIL    claim frame_bytes: 65536 claimed, 32832 shown'
has out 'claim packet_bytes: 2048 claimed, 4096 shown; what is not claimed is not tested'
has out '1 case: 1 PASS'
rm served.err # what the one before said is not waited for
touch served.err
"$goldwire" certify --serve roce://127.0.0.1:0 --role ims-worker --wait 20 \
    --case ims-w/place --case ims-w/nack --case ims-w/stranger >served 2>served.err &
certify=$!
for _ in $(seq 100); do
    grep -q waiting served.err && break
    sleep 0.1
done
url=$(sed -n 's/^waiting for the board at //p' served.err)
for _ in 1 2 3; do
    "$goldwire" peer ims-worker --to "$url?local=127.0.0.2:0" >/dev/null || fail 'the Worker is not content with us'
done
wait "$certify" || fail "serving a Worker: exit $?"
has served '3 cases: 3 PASS'

# ---- a board with several links ----
expect 0 quick 30 "$goldwire" certify --dut peer:op2p-node --out node
has node/run.json '"outcome": "PASS"'
expect 1 quick 30 "$goldwire" certify --dut 'peer:op2p-node?mutant=m-answers-twice&via=mem'
has out 'FAIL    op-e/completion  '
expect 2 "$goldwire" certify --dut 'peer:op2p-node?over=tcp'
has err 'does not travel over byte streams'
start_peer node.urls op2p-node --listen link0=udp://127.0.0.1:0 --listen regs=udp://127.0.0.1:0
link0=$(url_of node.urls link0) regs=$(url_of node.urls regs)
# Without a board file a foreign board gets read-only cases, and without its registers fewer still.
expect 0 quick 30 "$goldwire" certify --role op2p-node --dut "link0=$link0" --dut "regs=$regs"
has out 'PASS    op-h/holes'
expect 0 quick 30 "$goldwire" certify --role op2p-node --dut "$link0"
has out 'nobody said where'
expect 2 "$goldwire" certify --role op2p-node --dut "regs=$regs"
has err "nobody said where the board's link link0 is"
expect 2 "$goldwire" certify --role op2p-node --dut "link7=$link0"
has err "no link 'link7'"
kill "$peer"
wait "$peer" || fail "the node did not end well"
# The reference core's own ways are known; none of them is a failure.
expect 0 quick 30 "$goldwire" certify --dut 'peer:op2p-node?dialect=vhdl&via=mem'
has out 'WAIVED  op-e/largest'
lacks out 'FAIL '

# ---- one board of a farm, among units and nodes that goldwire plays ----
expect 0 quick 30 "$goldwire" certify --dut peer:l1-ru
has out 'PASS    l1-x/farm-disturbed'
has out 'NA      l1-x/row '
expect 0 quick 30 "$goldwire" certify --dut 'peer:l1-ru?dialect=final&via=mem'
has out 'PASS    l1-x/row-disturbed'
expect 1 quick 30 "$goldwire" certify --dut 'peer:l1-ru?dialect=final&via=mem&mutant=m-small-table' --case l1-x/row
has out 'L1-X02: readout unit 1 of this row sends into column 0'
expect 1 quick 30 "$goldwire" certify --dut 'peer:l1-ru?dialect=final&via=mem&mutant=m-forwards-twice' --case l1-x/row
has out 'L1-G07: destination 0x00'
expect 1 quick 30 "$goldwire" certify --dut 'peer:l1-ru?via=mem&mutant=m-corrected-late' --case l1-x/farm-disturbed
has out 'L1-X01: '
sed 's/^  # node: 0x0005 /  node: 0x0006 /' "$2/fpga_harness/boards/l1-cn.yaml" >other.yaml
expect 2 "$goldwire" certify other.yaml --dut peer:l1-cn
has err 'node is claimed to be 0x0006, and the board shows 0x0005'
expect 2 "$goldwire" certify --dut 'peer:l1-cn?dialect=final'
has err 'write mock-up events'

# ---- a board whose links are byte streams, and one whose link may be either ----
expect 0 quick 30 "$goldwire" certify --dut peer:textarossa-switch --out switch
has switch/run.json '"outcome": "PASS"'
expect 0 quick 30 "$goldwire" certify --dut 'peer:textarossa-node'
has out 'NA      tx-l/run-start'
expect 0 quick 30 "$goldwire" certify --dut 'peer:textarossa-node?over=tcp'
has out 'PASS    tx-l/run-start'
expect 1 quick 30 "$goldwire" certify --dut 'peer:textarossa-switch?mutant=m-tie-to-minus&via=mem'
has out 'FAIL    tx-s/ring  '
has out 'came out at x-; x+ is expected'
expect 0 quick 30 "$goldwire" certify --dut 'peer:textarossa-switch?dialect=rtl&via=mem'
has out 'WAIVED  tx-l/framing-flips'
expect 2 "$goldwire" certify --dut 'peer:textarossa-node?dialect=gu'
has err 'goldwire check --dialect gu'
expect 2 "$goldwire" certify --dut 'peer:textarossa-node?dialect=wide&over=tcp'
has err 'of 128 bits here, not 256'
expect 2 "$goldwire" certify --role textarossa-switch --dut x+=udp://127.0.0.1:1
has err 'byte stream'

# ---- RoCEv2: each party has an address of its own ----
expect 0 quick 30 "$goldwire" certify --dut peer:ims-buf --out buffer
has buffer/run.json '"outcome": "PASS"'
expect 0 "$goldwire" decode --proto ims buffer/cases/ims-b/ack.pcapng
has out '127.0.0.2:'
expect 0 quick 30 "$goldwire" certify --dut 'peer:ims-buf?via=mem' --out memory
# In memory the port is RoCEv2's, so the evidence needs no hint, and all rules are found kept.
expect 0 "$goldwire" check memory/cases/ims-b/interleaved.pcapng memory/cases/ims-b/ack.pcapng
expect 0 quick 30 "$goldwire" certify --dut 'peer:ims-buf?via=mem&dialect=be32'
expect 0 quick 30 "$goldwire" certify --dut 'peer:ims-buf?via=mem&dialect=qpnd-echo'
has out 'so that of the buffer is not known'
expect 1 quick 30 "$goldwire" certify --dut 'peer:ims-buf?mutant=m-misses-gaps'
has out 'FAIL    ims-b/gap '
expect 2 "$goldwire" certify --dut 'peer:ims-buf?via=mem&dialect=v1-0'
has err 'before revision 1.1'
# A network that repeats every datagram: each response comes twice, and that is not the board's doing.
expect 3 quick 30 "$goldwire" certify --dut 'peer:ims-buf?via=mem&duplicate=1' --case 'ims-b/one-response'
has out 'INCONC  ims-b/one-response'
has out 'attempts failed, which the path to the board may explain'
# Nor is what gets lost, changes places or is damaged, whatever the role; what passes has passed. Whether
# all of it can be decided is up to the losses.
decides() {
    local got=0
    quick 60 "$goldwire" certify --dut "$1" >out 2>err </dev/null || got=$?
    [ "$got" = 0 ] || [ "$got" = 3 ] || fail "exit $got, 0 or 3 expected: certify --dut $1"
}
for seed in 1 2 3; do
    decides "peer:etherbone-slave?via=mem&loss=0.02&seed=$seed"
    has out 'PASS    '
    for role in etherbone-slave ims-buf ims-worker textarossa-node l1-cn op2p-node; do
        way='loss=0.02&reorder=0.05&duplicate=0.05&corrupt=0.05'
        decides "peer:$role?via=mem&$way&seed=$seed"
        lacks out 'FAIL'
        lacks out 'WARN '
    done
done
expect 3 quick 30 "$goldwire" certify --dut 'peer:ims-buf?via=mem&loss=1' --case 'ims-b/*'
# A path that does not carry what a case needs makes it inapplicable, and no fault of anybody.
expect 0 quick 30 "$goldwire" certify --dut 'peer:ims-buf?via=mem&mtu=1500'
has out 'bytes, and the path carries 1472'
lacks out 'ERROR'
start_peer buffer.urls ims-buf --listen ib=roce://127.0.0.1:0 --listen regs=udp://127.0.0.1:0
ib=$(url_of buffer.urls ib) regs=$(url_of buffer.urls regs)
sed "s|^  ib:.*|  ib: $ib|; s|^  regs:.*|  regs: $regs|" "$2/fpga_harness/boards/ims-buf.yaml" >buffer.yaml
expect 0 quick 30 "$goldwire" certify buffer.yaml
has out 'PASS    ims-b/window-edges'
has out 'PASS    ims-b/ring'
expect 3 quick 30 "$goldwire" certify --role ims-buf --dut "$ib"
has out 'status_qpn and status_qkey in a board file'
expect 2 "$goldwire" certify --role ims-buf --dut "${ib/roce/udp}"
has err 'write roce://HOST[:PORT]'
kill "$peer"
wait "$peer" || fail "the buffer did not end well"
# Over IPv6 all that the ICRC covers is known.
if grep -q ' lo$' /proc/net/if_inet6 2>/dev/null; then
    start_peer six.urls ims-buf --listen 'ib=roce://[::1]:0' --listen regs=udp://127.0.0.1:0
    ib=$(url_of six.urls ib) regs=$(url_of six.urls regs)
    sed "s|^  ib:.*|  ib: \"$ib\"|; s|^  regs:.*|  regs: $regs|" "$2/fpga_harness/boards/ims-buf.yaml" >six.yaml
    expect 0 quick 30 "$goldwire" certify six.yaml
    has out 'PASS    ims-b/ring'
    kill "$peer"
    wait "$peer" || fail "the buffer did not end well over IPv6"
fi

# ---- boards that are told by one link and tell by the other ----
for role in l1-ru l1-cn l1-du; do
    expect 0 quick 30 "$goldwire" certify --dut "peer:$role" --out "$role"
    has "$role/run.json" '"outcome": "PASS"'
done
expect 1 quick 30 "$goldwire" certify --dut 'peer:l1-cn?mutant=m-two-slots&via=mem'
has out 'FAIL    l1-e/wrong-slot-3  '
expect 1 quick 30 "$goldwire" certify --dut 'peer:l1-du?mutant=m-as-they-come&via=mem'
has out 'FAIL    l1-u/order  '

# ---- boards that do not answer ----
url=udp://127.0.0.1:1
expect 3 quick 10 "$goldwire" certify --dut "$url" --role etherbone-slave --out dead
has err "$url does not answer"
has dead/run.json '"outcome": "INCONCLUSIVE"'
[ -s dead/preflight.pcapng ] || fail 'no evidence of what a dead board was sent'
expect 3 quick 10 "$goldwire" certify --dut "tcp://${url#udp://}" --role etherbone-slave

# ---- calls that the caller can mend ----
expect 2 "$goldwire" certify
expect 2 "$goldwire" certify --dut udp://127.0.0.1:1
has err 'which role'
expect 2 "$goldwire" certify --dut udp://127.0.0.1:1 --role etherbone-salve
has err "did you mean 'etherbone-slave'?"
expect 2 "$goldwire" certify --dut sctp://127.0.0.1:1 --role etherbone-slave
has err "unknown scheme 'sctp:'"
expect 2 "$goldwire" certify --dut peer:toaster --role etherbone-slave
expect 2 "$goldwire" certify --dut 'ib://nothere?to=127.0.0.1' --role ims-buf --out unbegun
has err 'ib://nothere'
[ ! -e unbegun ] || fail 'a run began without its adapter'
# A host that nobody knows is no silent board.
expect 2 "$goldwire" certify --dut udp://board.invalid:60368 --role etherbone-slave --out unbegun
has err "host 'board.invalid':"
lacks out 'ERROR'
[ ! -e unbegun ] || fail 'a run began with a host that nobody knows'
for verb in doctor 'record none.pcapng' "replay $2/pcaps/etherbone/probe.pcapng"; do
    # shellcheck disable=SC2086 # a verb and its file
    expect 2 "$goldwire" $verb --dut udp://board.invalid:60368 --role etherbone-slave
    has err "host 'board.invalid':"
done
expect 2 "$goldwire" regs textarossa-switch --dut udp://board.invalid:60368
has err "host 'board.invalid':"
expect 2 "$goldwire" replay nowhere.pcapng --dut 'ib://nothere?to=127.0.0.1' --role ims-buf
expect 2 "$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-none'
has err "no mutant 'm-none'"
expect 2 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --dialect klingon
has err 'dialects: strict'
expect 2 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem&over=tcp' --dialect litex
expect 2 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --seed eleven
expect 2 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --out /dev/null/x
expect 2 "$goldwire" certify nowhere.yaml
has err 'nowhere.yaml: No such file or directory'
for address in peer:etherbone-slave udp://127.0.0.1:4; do
    expect 2 "$goldwire" certify "$address"
    has err "$address is an address, and no board file; where a board is says --dut $address"
done
printf 'goldwire: board\nrole: etherbone-slave\nwhere: udp://h:1\nclaims: {sbd: true}\n' >wrong.yaml
expect 2 "$goldwire" certify wrong.yaml
has err 'wrong.yaml:4:10'
has err "'sdb'"
finish
