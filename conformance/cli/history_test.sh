#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# goldwire history over two firmware versions of a board, another board, another role, and folders that are no run.
. "$(dirname "$0")/testing.sh"

# like FILE PATTERN: the file has a line like that.
like() {
    grep -qE -- "$2" "$1" || { fail "$1 has nothing like '$2'"; head -20 "$1" >&2; }
}

board() {
    printf 'goldwire: board\nrole: etherbone-slave\nwhere: "peer:etherbone-slave?via=mem%s"\nidentity: {make: lab, serial: "%s", firmware: "%s"}\nclaims: {config_space: true, sdb: true}\n' "$3" "$1" "$2" >"$4"
}
board 7 1.0 '&mutant=m-wrong-probe-id' old.yaml
board 7 1.1 '' new.yaml
board 8 1.1 '' other.yaml
mkdir runs
expect 1 "$goldwire" certify old.yaml --case 'eb-s/probe*' --out runs/old
sleep 1.1 # a run tells when it began by the second
expect 0 "$goldwire" certify new.yaml --case 'eb-s/probe*' --out 'runs/new #1'
expect 0 "$goldwire" certify other.yaml --case 'eb-s/probe*' --out runs/other
expect 0 "$goldwire" certify --dut 'peer:l1-cn?via=mem' --case 'l1-e/wrong-slot-1' --out runs/farm

# Whatever the order in which they are named, firmware 1.0 comes before 1.1, and what it mends is told once.
expect 0 "$goldwire" history runs/other 'runs/new #1' runs/farm runs/old --out runs/page.html
has out 'etherbone-slave'
like out '   1  FAIL  .*  lab, serial 7, firmware 1\.0  runs/old'
like out '   2  PASS  .*  lab, serial 7, firmware 1\.1  runs/new #1'
like out '   3  PASS  .*  lab, serial 8, firmware 1\.1  runs/other'
has out 'l1-cn'
has out '  1 -> 2  better  FAIL -> PASS  '
lacks out ' worse '
lacks out '  2 -> 3 '

# Each cell leads to its run's report, from where the page lies.
like runs/page.html '<td class="c m2 FAIL [a-z]+"><a href="old/report.html#EB-S[0-9]*">FAIL</a>'
like runs/page.html '<td class="c m2 PASS better"><a href="new%20%231/report.html#EB-S[0-9]*">&#9650;&nbsp;PASS</a>'
rule=$(sed -nE 's/.*href="old\/report\.html#(EB-S[0-9]+)">FAIL<.*/\1/p' runs/page.html | head -n 1)
has runs/old/report.html "id=\"$rule\""

expect 0 "$goldwire" history runs/old --json
has out '"schema": "goldwire/history/1"'

expect 2 "$goldwire" history
has err 'which runs?'
expect 2 "$goldwire" history runs/old runs
has err 'runs/run.json'
mkdir broken && printf '{"cases": [' >broken/run.json
expect 2 "$goldwire" history broken
has err 'broken/run.json:1:'
# What a stranger's run says is text, and no more.
mkdir evil && printf '{"cases": [{"id": "a", "verdict": "FAIL", "rules": [{"id": "<b>", "clause": "<script>"}]}, 7], "role": "<i>", "board": []}' >evil/run.json
expect 0 "$goldwire" history evil --out evil.html
lacks evil.html '<script>'
lacks evil.html '<i>'
expect 2 "$goldwire" history runs/old --out nowhere/page.html
has err 'nowhere/page.html: '
finish
