#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# demo.sh GOLDWIRE FOLDER: the tour behind ./run demo. Shows a golden trace, certifies the software EtherBone slave over
# real loopback sockets, UDP and TCP, shows that a broken board is caught, certifies the boards of every format, and the
# slave in VHDL where GHDL is installed.
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

say "Nothing of that evidence changed since: its certificate verifies"
"$goldwire" verify "$out/udp"

say "A broken board: this slave answers every probe with another id"
status=0
"$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-wrong-probe-id' --out "$out/mutant" >"$out/mutant.txt" || status=$?
grep -A4 -E '^ +FAIL' "$out/mutant.txt" || true
tail -n 3 "$out/mutant.txt"
if ((status != 1)); then
    echo "the broken board was not caught: exit code $status" >&2
    exit 1
fi

say "Every software board, certified: one line each"
printf '%-18s %-10s %6s %6s %6s  %s\n' board format cases pass na verdict
"$goldwire" peer --list --json | while IFS= read -r board; do
    role=$(sed -E 's/.*"role":"([^"]*)".*/\1/' <<<"$board")
    proto=$(sed -E 's/.*"proto":"([^"]*)".*/\1/' <<<"$board")
    how=--dut
    [[ $board != *'"calls_us":true'* ]] || how=--serve
    "$goldwire" certify "$how" "peer:$role" --out "$out/$role" >"$out/$role.txt" 2>/dev/null || {
        cat "$out/$role.txt"
        exit 1
    }
    counts=$(grep -E '^[0-9]+ cases:' "$out/$role.txt")
    printf '%-18s %-10s %6s %6s %6s  %s\n' "$role" "$proto" "${counts%% *}" \
        "$(grep -oE '[0-9]+ PASS' <<<"$counts" | cut -d' ' -f1)" \
        "$(grep -oE "[0-9]+ NA" <<<"$counts, 0 NA" | head -n 1 | cut -d" " -f1)" "$(sed -n 's/ (exit code .*//p' "$out/$role.txt")"
done

# counts FOLDER: "125 cases: 94 PASS, 31 NA" of what was certified into it.
counts() {
    grep -E '^[0-9]+ cases:' "$1.txt" | sed 's/;.*//'
}

say "The example EtherBone slave in VHDL, in a simulator and its own time, beside the software slave"
if command -v ghdl-llvm >/dev/null || command -v ghdl-mcode >/dev/null || command -v ghdl-gcc >/dev/null; then
    GW_SIM_BUILD=$out/sim "$goldwire" certify fpga_harness/cores/etherbone/board.yaml --hooks --out "$out/vhdl" >"$out/vhdl.txt" || {
        cat "$out/vhdl.txt"
        exit 1
    }
    printf '  %-18s %-28s %s\n' 'VHDL, simulated' "$(counts "$out/vhdl")" "$out/vhdl/report.html" \
        'software, UDP' "$(counts "$out/etherbone-slave")" "$out/etherbone-slave/report.html"
    echo "  verdict by verdict: goldwire diff $out/etherbone-slave $out/vhdl"
    echo "  why they differ: fpga_harness/cores/etherbone/differences.txt"
else
    echo "left out: GHDL is not installed (Debian: apt install ghdl-llvm); then: goldwire sim etherbone"
fi

cat <<TEXT

== Where the evidence lies

  $out/udp/report.html      the whole run; every case links to its packets
  $out/udp/run.json         the same for scripts; junit.xml for CI
  $out/udp/cases/           a pcapng a case, comments on the packets that decided
  $out/udp/cert.json        what all of it was, by SHA-256
  $out/tcp, $out/mutant     the same of the next two runs
  $out/ROLE/                the same of every board
  $out/vhdl/                the same of the slave in VHDL, where GHDL is installed; goldwire sim lists more cores

Next: ./run test; or goldwire certify your-board.yaml (docs/board-file.md)
TEXT
