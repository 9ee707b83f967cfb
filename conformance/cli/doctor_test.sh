#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of `goldwire doctor`, and of `goldwire certify` with board files that somebody doctored.
. "$2/conformance/cli/testing.sh"

# ---- goldwire's own boards ----
expect 0 "$goldwire" doctor --dut peer:etherbone-slave
has out 'ok    probe '
has out 'ok    claim port_widths        8/16/32/64 bit, as the board shows'
has out 'jitter floor'
has out 'clock'
expect 0 "$goldwire" doctor --dut 'peer:op2p-node?via=mem' --json
has out '"what": "probe"'
has out 'OP2P node 0x0041'
expect 0 "$goldwire" doctor --dut 'peer:textarossa-switch?via=mem'
expect 0 "$goldwire" doctor --dut 'peer:etherbone-master?via=mem'

# ---- a board that is not there, calls that can be mended ----
expect 3 timeout 10 "$goldwire" doctor --dut udp://127.0.0.1:1 --role etherbone-slave
has out 'ok    link '
has out 'over lo, MTU'
has out 'bad   probe '
has out '-> is the board powered and programmed?'
expect 3 timeout 10 "$goldwire" doctor --dut tcp://127.0.0.1:1 --role etherbone-slave
has out 'bad   link '
expect 3 timeout 10 "$goldwire" doctor --serve udp://127.0.0.1:0 --role etherbone-master --wait 1
has err 'waiting for the board at udp://127.0.0.1:'
expect 2 "$goldwire" doctor
has err 'goldwire doctor: which role?'
expect 2 "$goldwire" doctor --dut udp://127.0.0.1:1 --role etherbone-slave --wait soon

# ---- a real board, and board files about it that are not quite right ----
start_peer peer.txt etherbone-slave --listen udp://127.0.0.1:0
slave=$peer
start_peer node.txt op2p-node --listen link0=udp://127.0.0.1:0 --listen regs=udp://127.0.0.1:0
node=$peer
url=$(url_of peer.txt)
link0=$(url_of node.txt link0) regs=$(url_of node.txt regs)

# board NAME SED-SCRIPT: the example's file with that change.
example=$2/fpga_harness/boards/etherbone-slave.yaml
board() {
    sed -e "s|^where:.*|where: $url|" -e "$2" "$example" >"$1.yaml"
}
good='--case eb-s/probe-* --case eb-s/write-read'

board nameless '/^identity:/,/^  firmware:/d'
expect 0 "$goldwire" doctor nameless.yaml
has out '(no make)'
! grep -n ' $' out || fail 'trailing blanks where the board has no serial and no firmware'
board good ''
expect 0 "$goldwire" doctor good.yaml
has out 'ok    board file '
# shellcheck disable=SC2086 # words on purpose
expect 0 "$goldwire" certify good.yaml $good --out good
has good/run.json '"verdict": "agrees"'
has good/run.json '"proven": true'
has good/run.json '"mutant": "m-'

# Of several ways to it all are tried, whatever became of the one before.
both="{udp: \"$url\", tcp: \"tcp://${url#udp://}\"}"
url=$both board both ''
expect 3 timeout 10 "$goldwire" doctor both.yaml
has out 'ok    udp probe '
has out 'bad   tcp '
sed -i "s|^where:.*|where: {tcp: \"tcp://${url#udp://}\", udp: \"$url\"}|" both.yaml
expect 3 timeout 10 "$goldwire" doctor both.yaml
has out 'ok    udp probe '
start_peer stream.txt etherbone-slave --listen tcp://127.0.0.1:0
stream=$peer
sed -i "s|^where:.*|where: {udp: \"$url\", tcp: \"$(url_of stream.txt)\"}|" both.yaml
expect 0 "$goldwire" doctor both.yaml
has out 'ok    tcp probe '
has out 'ok    tcp claim port_widths '
kill "$stream"
wait "$stream"

# 1: it claims less than the board shows: a note.
board less 's/port_widths: .*/port_widths: [32]/'
expect 0 "$goldwire" doctor less.yaml
has out 'note  claim port_widths        32 bit claimed, 8/16/32/64 bit shown'
expect 0 "$goldwire" certify less.yaml --case 'eb-s/widths-*' --case 'eb-s/read-*'
has out 'what is not claimed is not tested'
has out 'NA      eb-s/widths-a32-d8'
# 2: it claims more: a failure.
start_peer litex.txt etherbone-slave --dialect litex --listen udp://127.0.0.1:0
litex=$peer
litex_url=$(url_of litex.txt)
sed -e "s|^where:.*|where: $litex_url|" -e 's/^dialect:.*/dialect: litex/' "$example" >more.yaml
expect 1 "$goldwire" doctor more.yaml
has out 'bad   claim port_widths        8/16/32/64 bit claimed, 32 bit shown'
expect 1 "$goldwire" certify more.yaml --case eb-s/reply-flags --out more
has out 'FAIL    claim port_widths: 8/16/32/64 bit claimed, 32 bit shown'
has out 'FAIL (exit code 1)'
has more/run.json '"verdict": "over-claim"'
has more/junit.xml 'name="claim/port_widths"'
has more/junit.xml 'failures="2"'
# 3: it is about another board: refused.
sed -e "s|^  link0:.*|  link0: $link0|" -e "s|^  regs:.*|  regs: $regs|" -e 's/^  # node:.*/  node: 0x0777/' \
    "$2/fpga_harness/boards/op2p-node.yaml" >other.yaml
expect 2 "$goldwire" certify other.yaml
has err "the board at $link0 is not the one that other.yaml describes: node is claimed to be 0x0777, and the board shows 0x0041"
expect 2 "$goldwire" doctor other.yaml
has out 'bad   claim node '
sed -i 's/0x0777/0x0041/' other.yaml
expect 0 "$goldwire" certify other.yaml --case 'op-h/*'
# 4: a claim is missing, or excluded by another: refused, with its place.
board silent '/sdb: true/d'
expect 2 "$goldwire" certify silent.yaml
has err 'silent.yaml:21:3: '
has err "the claim 'sdb' is missing: cases go by it, and no probe shows it"
board torn 's/config_space: true/config_space: false/'
expect 2 "$goldwire" certify torn.yaml
has err 'the SDB pointer is a register of the config space'
board datagrams 's/tcp: true/tcp: false/'
expect 2 "$goldwire" certify datagrams.yaml --dut tcp://127.0.0.1:1
has err 'claims not to speak TCP'
# 5: waivers and registers that name nothing.
board waiver ''
cat >>waiver.yaml <<'END'
waivers:
  - {case: eb-s/probe-ecko, owner: Ada, ticket: FW-7, reason: known, text: id, expires: 2200-01-01}
END
expect 2 "$goldwire" certify waiver.yaml
has err "there is no case 'eb-s/probe-ecko'; did you mean 'eb-s/probe-echo'?"
cp other.yaml register.yaml
printf 'registers: {localidd: 0x48}\n' >>register.yaml
expect 2 "$goldwire" certify register.yaml
has err "there is no register 'localidd'; did you mean 'localid'?"

# ---- waivers on a real run ----
sed -i 's/probe-ecko/probe-echo/' waiver.yaml
expect 5 "$goldwire" certify waiver.yaml --case 'eb-s/probe-*'
has out 'XPASS   eb-s/probe-echo'
sed -i -e 's/2200-01-01/1999-12-31/' waiver.yaml
expect 0 "$goldwire" certify waiver.yaml --case 'eb-s/probe-*'
has out 'its expired waiver is not needed any more'
expect 0 "$goldwire" doctor waiver.yaml
has out 'note  waiver '

# ---- registers that lie elsewhere: the software node has them at 0, so what is moved is not found ----
cp other.yaml moved.yaml
printf 'registers: {base: 0x100000}\n' >>moved.yaml
expect 3 timeout 20 "$goldwire" certify moved.yaml --case op-h/holes
cp other.yaml placed.yaml
printf 'registers: {localid: 0x48, link_status: 0x4c}\n' >>placed.yaml
expect 0 "$goldwire" certify placed.yaml --case 'op-h/*'

kill "$slave" "$node" "$litex"
wait "$slave" "$node" "$litex"

# ---- hooks ----
# A start hook brings a board up for the run and takes it away afterwards; a power hook revives one.
# An address of their own keeps them apart from whoever is given the same port meanwhile.
port=$(sed 's/.*://' <<<"$url")
home=udp://$net.1:$port
url=$home board hooked ''
cat >>hooked.yaml <<END
hooks:
  start: {run: [$goldwire, peer, etherbone-slave, --listen, "$home"], settle: 20}
END
expect 3 timeout 20 "$goldwire" certify hooked.yaml --case eb-s/probe-echo
expect 0 timeout 60 "$goldwire" certify hooked.yaml --case eb-s/probe-echo --hooks --out hooked
has hooked/hooks/001-start.txt "listening $home"
# Their output is evidence like all other: the certificate vouches for it, and the next run clears it away.
expect 0 "$goldwire" verify hooked
echo more >>hooked/hooks/001-start.txt
expect 1 "$goldwire" verify hooked
expect 0 timeout 60 "$goldwire" certify hooked.yaml --case eb-s/probe-echo --hooks --out hooked
expect 0 "$goldwire" verify hooked
expect 3 timeout 20 "$goldwire" certify hooked.yaml --case eb-s/probe-echo

# A start hook makes a master call, once for each conversation.
sed -e "s|^where:.*|where: $home|" "$2/fpga_harness/boards/etherbone-master.yaml" >master.yaml
cat >>master.yaml <<END
hooks:
  start: {run: [$goldwire, peer, etherbone-master, --to, "$home"]}
END
expect 0 timeout 60 "$goldwire" certify master.yaml --hooks --case eb-m/counts --case eb-m/probe-id --wait 20
finish
