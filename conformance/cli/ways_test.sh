#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A board that is reached over UDP and over TCP: one run takes both, and says what it did not try.
. "$2/conformance/cli/testing.sh"

start_peer ports etherbone-slave --listen udp://127.0.0.1:0 --listen tcp://127.0.0.1:0
udp=$(awk '$2 ~ /^udp:/ { print $2 }' ports)
tcp=$(awk '$2 ~ /^tcp:/ { print $2 }' ports)
# board WHERE FILE: the example board file with that place.
board() {
    sed "s|^where:.*|where: $1|" "$2" >board.yaml
}
example=$2/fpga_harness/boards/etherbone-slave.yaml
has "$example" 'tcp: true'

# ---- TCP is claimed and nobody says where it is ----
board "$udp" "$example"
expect 0 "$goldwire" certify board.yaml --out part
[[ $(tail -n 1 out) =~ ^PASS\;\ claimed\ and\ not\ tried:\ tcp\ \([0-9]+\ cases\)\ \(exit\ code\ 0\)$ ]] ||
    fail "the last line is '$(tail -n 1 out)'"
has part/run.json '"claim": "tcp"'
has part/junit.xml 'name="untried/tcp"'
has part/report.tap 'untried/tcp: claimed and not tried # SKIP'
has part/report.html 'Claimed and not tried: tcp ('
has part/cert.json '"untried":["tcp"]'
xmllint --noout part/junit.xml || fail 'junit.xml is no XML'
expect 1 "$goldwire" certify board.yaml --strict --out strict
has out 'FAIL; claimed and not tried: tcp ('
has strict/junit.xml '<failure type="WARN" message="claimed and not tried'

# ---- both ways ----
board "{udp: '$udp', tcp: '$tcp'}" "$example"
expect 0 "$goldwire" certify board.yaml --strict --out whole
[ "$(tail -n 1 out)" = 'PASS (exit code 0)' ] || fail "the last line is '$(tail -n 1 out)'"
has out 'PASS    eb-s/tcp-dribble'
has out 'PASS    eb-s/short-datagram'
has out 'the board was reached over TCP'
lacks whole/report.html 'not tried:'
expect 0 "$goldwire" verify whole
board "{tcp: '$tcp', udp: '$udp'}" "$example"
expect 0 "$goldwire" certify board.yaml --strict --case 'eb-s/tcp-*' --case eb-s/short-datagram
has out 'PASS    eb-s/short-datagram'
has out 'the board was reached over UDP'

# ---- a recording keeps what goes the way that a replay takes ----
for where in "{udp: '$udp', tcp: '$tcp'}" "{tcp: '$tcp', udp: '$udp'}"; do
    board "$where" "$example"
    expect 0 "$goldwire" record ways.pcapng --board-file board.yaml --case 'eb-s/tcp-*' --case eb-s/reply-nr \
        --case eb-s/write-read
    grep -q 'is left out: it goes over' err || fail 'nothing goes the other way'
    expect 0 "$goldwire" replay ways.pcapng --board-file board.yaml
    rm ways.pcapng
done

# ---- ways that are none ----
board "{udp: '$tcp'}" "$example"
expect 2 "$goldwire" certify board.yaml
has err 'is no way of that kind'
board "{udp: '$udp', tcp: 'udp://127.0.0.1:1'}" "$example"
expect 2 "$goldwire" certify board.yaml
has err 'where: tcp: udp://127.0.0.1:1 is no way of that kind'
board "{udp: '$udp', ip: '$tcp'}" "$example"
expect 2 "$goldwire" certify board.yaml
board "{udp: 'udp://127.0.0.1:0', tcp: 'tcp://127.0.0.1:0'}" "$2/fpga_harness/boards/etherbone-master.yaml"
expect 2 "$goldwire" certify board.yaml
has err 'calls us over one way at a time'

kill "$peer"
wait "$peer"
finish
