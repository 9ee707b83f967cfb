#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# demo.sh GOLDWIRE FOLDER: the tour behind ./run demo. Certifies the software EtherBone slave over real loopback
# sockets, UDP and TCP, its partner the master, shows a golden trace, and shows that a broken board is caught.
set -euo pipefail
goldwire=$(readlink -f "$1")
mkdir -p "$2"
out=$(readlink -f "$2")
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

say() { printf '\n== %s\n\n' "$*"; }

say "A golden trace, decoded: the first exchange of pcaps/etherbone/write-read-fifo.pcapng"
"$goldwire" decode pcaps/etherbone/write-read-fifo.pcapng 2>/dev/null | awk '/^frame 4 /{ exit } { print }'

say "The same trace, judged"
"$goldwire" check pcaps/etherbone/write-read-fifo.pcapng

say "The software slave, certified over UDP on loopback"
"$goldwire" certify --dut peer:etherbone-slave --out "$out/udp"

say "The same over TCP (the table is in $out/tcp/report.html)"
"$goldwire" certify --dut 'peer:etherbone-slave?over=tcp' --out "$out/tcp" | tail -n 3

say "A broken board: this slave answers every probe with another id"
status=0
"$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-wrong-probe-id' --out "$out/mutant" >"$out/mutant.txt" || status=$?
grep -A4 -E '^ +FAIL' "$out/mutant.txt" || true
tail -n 3 "$out/mutant.txt"
if ((status != 1)); then
    echo "the broken board was not caught: exit code $status" >&2
    exit 1
fi

cat <<TEXT

== Where the evidence lies

  $out/udp/report.html      the whole run; every case links to its packets
  $out/udp/run.json         the same for scripts; junit.xml for CI
  $out/udp/cases/           a pcapng a case, comments on the packets that decided
  $out/tcp, $out/mutant     the same of the other two runs

Next: ./run test; or goldwire certify your-board.yaml (docs/board-file.md)
TEXT
