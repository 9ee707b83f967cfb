#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Names that command a terminal: whatever of a file, an argument or a board a verb prints, they do nothing to whoever
# reads it on stdout or stderr.
. "$2/conformance/cli/testing.sh"
escape=$(printf '\033')
evil=$(printf 'x\033]0;owned\007\033[2Jy')
slave='peer:etherbone-slave?via=mem'
one=eb-s/probe-echo

# silent EXIT ARGUMENT...: the call ends so, says something, and holds no command.
silent() {
    local got want=$1
    shift
    timeout 60 "$goldwire" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$want" ] || fail "exit $got, $want expected: $* ($(head -n 1 err))"
    [ -s out ] || [ -s err ] || fail "nothing is said: $*"
    lacks out "$escape"
    lacks err "$escape"
}

# ---- files that are there ----
capture=$2/pcaps/etherbone/config-space.pcapng
[ -e "$capture" ] || fail 'no golden trace'
cp "$capture" "$evil.pcapng"
echo text >"$evil.txt"
cp "$2/fpga_harness/boards/etherbone-slave.yaml" "$evil.yaml"
silent 0 decode "$evil.pcapng"
silent 0 check "$evil.pcapng"
has out 'owned'
silent 0 replay "$evil.pcapng" --dut "$slave"
has out 'owned'
silent 0 certify --dut "$slave" --trace "$evil.pcapng" --case "$one" --out traced
silent 0 certify --dut "$slave" --case "$one" --out "$evil"
[ "$(grep -c '^\(evidence\|certificate\): .*owned' out)" = 2 ] || fail 'the places of the evidence are not told'
silent 0 certify --dut "$slave" --case "$one" --out "$evil" --json
has err 'owned'
silent 0 verify "$evil"
silent 0 diff "$evil" "$evil"
echo >>"$evil/run.json"
silent 1 verify "$evil"
silent 0 diff "$evil" "$evil"
has err 'changed since it was certified'
silent 0 record --dut "$slave" --case "$one" "$evil-made.pcapng"
has out 'owned'
silent 2 record --dut "$slave" --case "$one" "$evil-made.pcapng"
silent 0 keygen "$evil"
has out 'owned'
silent 2 keygen "$evil"
for verb in decode check replay encode doctor; do
    silent 2 "$verb" "$evil.txt"
done
silent 2 certify "$evil.txt"
silent 2 certify "$evil.yaml" --role op2p-node
has err 'owned'
silent 2 certify --dut "$slave" --out "$evil.txt"
silent 2 certify --dut "$slave" --sign "$evil.txt" --out none
silent 2 farm --events 1 --out "$evil/none/farm.pcapng"

# ---- files that are not there, and words that mean nothing ----
silent 2 "$evil"
silent 2 help "$evil"
for verb in decode check encode replay certify doctor verify diff record keygen peer catalog selftest regs farm sim; do
    silent 2 "$verb" "--$evil"
    has err 'owned'
done
for verb in decode check encode replay certify doctor catalog selftest peer sim; do
    silent 2 "$verb" "$evil"
done
for option in --dut --role --serve --dialect; do
    silent 2 certify --dut "$slave" "$option" "$evil"
    silent 2 replay "$evil.pcapng" --dut "$slave" "$option" "$evil"
    silent 2 record "$evil-none.pcapng" --dut "$slave" "$option" "$evil"
    silent 2 doctor --dut "$slave" "$option" "$evil"
done
silent 6 certify --dut "$slave" --case "$evil"
has err 'owned'
silent 2 certify --dut "peer:etherbone-slave?$evil=1"
silent 2 certify --dut "peer:$evil"
silent 2 certify --dut "udp://$evil:1" --role etherbone-slave
silent 6 certify --dut "$slave" --failed "$evil"
silent 2 verify "$evil-none"
silent 2 diff "$evil" "$evil-none"
silent 2 catalog show "$evil"
silent 2 decode --proto "$evil" "$capture"
silent 2 check --dialect "$evil" "$capture"
silent 2 selftest --path "$evil" op2p-node
silent 2 regs --dut "udp://$evil" read
silent 2 regs --dut udp://127.0.0.1:1 read "$evil"
silent 2 peer etherbone-slave "--mutant=$evil"
silent 2 peer etherbone-slave "--on=$evil"
silent 2 farm --events "$evil"

silent 2 sim --cores "$evil"
mkdir -p cores/core cores/"$evil"
touch cores/"$evil"/board.yaml
silent 2 sim --cores cores

# ---- what a file's text says ----
cp "$2/fpga_harness/cores/etherbone/board.yaml" cores/core/board.yaml
printf 'simulators=(x\033]0;owned\007)\n' >cores/core/sources.sh
printf '1 x\033]0;owned\007 y\033]0;owned\007\n' >cores/core/faults.txt
rm -r "cores/$evil"
silent 0 sim --cores cores core
has out 'owned'
silent 0 sim --cores cores --json
sed "s|^where:.*|where: 'udp://x\\\\e[2Jy:1'|" "$2/fpga_harness/boards/etherbone-slave.yaml" >text.yaml
silent 2 certify text.yaml
printf '{"proto":"x%s"}\n' "$evil" >text.json
silent 2 encode text.json
finish
