#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of `goldwire peer` from outside.
. "$2/conformance/cli/testing.sh"

# serve ARGUMENT...: starts a board, its process in $board, its first URLs in $udp and $tcp.
serve() {
    : >served
    "$goldwire" peer "$@" >served 2>served.err &
    board=$!
    for _ in $(seq 1000); do
        grep -q '^ready$' served && break
        kill -0 $board 2>/dev/null || break
        sleep 0.01
    done
    udp=$(sed -n 's/^listening \(udp:[^ ]*\).*/\1/p' served)
    tcp=$(sed -n 's/^listening \(tcp:[^ ]*\).*/\1/p' served)
}

# end SIGNAL CODE: ends the board and compares its exit code.
end() {
    kill -"$1" $board
    wait $board
    local code=$?
    [ $code = "$2" ] || fail "exit $code after SIG$1, $2 expected"
}

# ---- the list ----
expect 0 "$goldwire" peer --list
has out 'etherbone-slave'
has out 'etherbone-slave m-wrong-probe-id EB-S04 adds one to the probe id it echoes'
has out 'etherbone-master m-no-cyc EB-M11,EB-M10,EB-M23 never ends a cycle'
! grep -vE '^[a-z0-9-]+( m-[a-z0-9-]+ [A-Z0-9]+-[A-Z][0-9]+(,[A-Z0-9]+-[A-Z][0-9]+)* .+)?$' out ||
    fail "the list has lines of another form"
expect 0 "$goldwire" peer --list --json
lines out "$("$goldwire" peer --list | grep -vc ' ')"
has out '"role":"etherbone-slave"'
has out '"links":["bus"]'
has out '"links":["link0","link1","regs"]'

# ---- serving ----
serve etherbone-slave --listen udp://127.0.0.1:0 --listen tcp://127.0.0.1:0
lines served 3
[ -n "$udp" ] && [ -n "$tcp" ] || fail "no URLs in: $(cat served)"
[ "$udp" != udp://127.0.0.1:0 ] || fail "port 0 is not the real port"
expect 0 timeout 60 "$goldwire" peer etherbone-master --to "$udp"
has out 'ready'
has out '10 of 10 tasks done'
expect 0 timeout 60 "$goldwire" peer etherbone-master --to bus="$tcp"
has out '10 of 10 tasks done'

# the port is taken now
expect 2 "$goldwire" peer etherbone-slave --listen "$udp"
has err "$udp"
has err 'Address already in use'
has err 'port 0 lets the kernel choose'
lacks out ready
end TERM 0

# nobody there any more
expect 2 "$goldwire" peer etherbone-master --to "$tcp"
has err 'Connection refused'

serve etherbone-slave --listen udp://127.0.0.1:0
end INT 0

# a mutant is noticed by the master
serve etherbone-slave --listen udp://127.0.0.1:0 --mutant m-no-step
expect 1 timeout 60 "$goldwire" peer etherbone-master --to "$udp"
has out 'failed: write, then read'
end TERM 0

# ---- two boards over RoCEv2, and a bad network between them ----
cat >worker.yaml <<'SETUP'
content: pattern
size: 0x200000
frame: 4096
outstanding: 64
response_timeout_ms: 5
wait_ms: 5
status_timeout_ms: 20
tries: 1000
status_tries: 1000
SETUP
serve ims-buf --listen ib=roce://127.0.0.1:0 --listen regs=udp://127.0.0.1:0
ib=$(sed -n 's/^listening \(roce:[^ ]*\) ib$/\1/p' served)
expect 0 timeout 60 "$goldwire" peer ims-worker --to "$ib?local=127.0.0.2:0"
has out '12 of 12 frames of 32832 bytes delivered, 0 refused, 0 sent again'
grep -o '393984 bytes, CRC-32C 0x.*' out >sums
expect 0 timeout 60 "$goldwire" peer ims-worker --map worker.yaml \
    --to "$ib?local=127.0.0.2:0&loss=0.1&reorder=0.05&duplicate=0.05&corrupt=0.05"
has out '512 of 512 frames of 4096 bytes delivered'
lacks out ' 0 sent again'
grep -o '2097152 bytes, CRC-32C 0x[0-9a-f]*' out >>sums
end TERM 0
# what arrived, byte for byte, is what was sent
sed -n 's/^channel 0x80: \([0-9]* bytes\) delivered\(, CRC-32C 0x[0-9a-f]*\).*/\1\2/p' served >delivered
cmp -s <(tail -n 1 sums) delivered || fail "delivered: $(cat served); sent: $(tail -n 1 sums)"

# ---- a map of one's own ----
cat >map.yaml <<'MAP'
widths: 0x44
regions:
  - {name: ram, type: ram, address: 0x1000, size: 0x1000}
MAP
serve etherbone-slave --listen udp://127.0.0.1:0 --map map.yaml
expect 0 timeout 60 "$goldwire" peer etherbone-master --to "$udp" --map map.yaml
has out '9 of 10 tasks done with 32-bit addresses and 32-bit data'
end TERM 0

sed 's/address/adress/' map.yaml >wrong.yaml
expect 2 "$goldwire" peer etherbone-slave --listen udp://127.0.0.1:0 --map wrong.yaml
has err "wrong.yaml:3:28: unknown key 'adress'; did you mean 'address'?"

# ---- boards in a hurry ----
# whole FILE: how long the cases of that run.json waited, in milliseconds of virtual time.
whole() {
    sed -nE 's/.*"(answers|silence|pauses)_s": *([0-9.e-]+).*/\2/p' "$1" | awk '{ s += $1 } END { printf "%d", s * 1000 }'
}
# They wait less, and judging them is what it was. The master is quick by itself where the path is, as this one.
for role in etherbone-master ims-worker l1-du; do
    expect 0 "$goldwire" certify --dut "peer:$role?via=mem" --json
    mv out "$role.json"
    expect 0 "$goldwire" certify --dut "peer:$role?via=mem&hurry=4" --json
    cmp <(grep -E '"(id|verdict)":' "$role.json") <(grep -E '"(id|verdict)":' out) || fail "$role: other verdicts in a hurry"
    [ $(($(whole out) * 3)) -lt "$(($(whole "$role.json") * 2))" ] ||
        fail "$role waits for $(whole out) ms in a hurry, $(whole "$role.json") ms usually"
done
# Who only asks again when it is refused must not pass for one that answers at once.
expect 1 "$goldwire" certify --dut 'peer:ims-worker?via=mem&hurry=10&mutant=m-ignores-nack' \
    --case ims-w/nack --case ims-w/resend-time
has out '1 FAIL, 1 INCONC'
serve etherbone-slave --listen udp://127.0.0.1:0
expect 0 timeout 60 "$goldwire" peer etherbone-master --hurry 10 --to "$udp"
has out '10 of 10 tasks done'
end TERM 0

# ---- bad calls ----
expect 2 "$goldwire" peer etherbone-slave --hurry 2
has err 'etherbone-slave waits for nobody by itself: it cannot hurry'
expect 2 "$goldwire" peer l1-du --hurry 11
has err '--hurry'
expect 2 "$goldwire" certify --dut 'peer:op2p-node?hurry=2'
has err 'op2p-node waits for nobody by itself: it cannot hurry'
expect 2 "$goldwire" peer
has err 'no role given'
expect 2 "$goldwire" peer etherbone-slav
has err "did you mean 'etherbone-slave'?"
expect 2 "$goldwire" peer etherbone-slave --mutant m-wrong-probe
has err "did you mean 'm-wrong-probe-id'?"
expect 2 "$goldwire" peer etherbone-slave --dialect gis
has err "did you mean 'gsi'?"
expect 2 "$goldwire" peer etherbone-slave --listen udp:127.0.0.1:0
has err 'write udp://HOST:PORT'
expect 2 "$goldwire" peer etherbone-slave --listen buss=udp://127.0.0.1:0
has err "has no link 'buss'; did you mean 'bus'?"
expect 2 "$goldwire" peer etherbone-slave --to udp://127.0.0.1:9
has err '--to is for boards that call'
expect 2 "$goldwire" peer etherbone-master
has err 'say whom with one --to URL'
expect 2 "$goldwire" peer etherbone-slave another
has err "'another' is one too many"

# A stream is impaired at the end of whoever certifies.
expect 2 "$goldwire" peer etherbone-slave --listen 'tcp://127.0.0.1:0?rtt=20ms'
has err "a software board's streams are impaired at the other end"
expect 2 "$goldwire" peer etherbone-slave --listen 'raw://lo?local=10.0.0.2:5000&rtt=20ms'
has err "a software board's frames are impaired at the other end"
serve etherbone-slave --listen tcp://127.0.0.1:0
expect 0 "$goldwire" certify --role etherbone-slave --dut "$tcp?rtt=20ms" --case eb-s/tcp-common-width --case eb-s/read-order --json
least=$(sed -n 's/.*"min_ns": *\([0-9]*\).*/\1/p' out | head -n 1)
[ "${least:-0}" -ge 20000000 ] || fail "a round trip of ${least:-0} ns over a stream of 20 ms"
end TERM 0
finish
