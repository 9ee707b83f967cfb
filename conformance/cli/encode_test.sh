#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of `goldwire encode` from outside: what was decoded comes back.
. "$2/conformance/cli/testing.sh"

read=4e6f1044280f00010000800000001000
wide=4e6f14880000000008ff010000000000fedcba98765432108000000000000001

# round FILE: decode, encode and decode again give the same messages.
round() {
    expect 0 "$goldwire" decode --json "$1"
    cp out first.json
    expect 0 "$goldwire" encode first.json
    cp out again.pcapng
    expect 0 "$goldwire" decode --json again.pcapng
    # The frames of a handshake are new; everything about the messages is not.
    for side in first.json out; do
        sed 's/^{"file":.*"time":/{"time":/' "$side" >"$side.plain"
    done
    same first.json.plain out.plain
}

# ---- round trips: good packets, and every way to cut and spoil them ----
{
    message $read
    message $wide
    message 4e6f11ff01020304
    message ''
    for ((i = 2; i < ${#wide}; i += 2)); do
        message "${wide:0:i}"
        message "${wide:0:i}ff${wide:i + 2}"
        message "${wide:0:i}" ",\"len\":$((${#wide} / 2))"
    done
    message $read ',"src":"[fe80::1]:50000","dst":"[fe80::2]:60368","carrier":{"vlan":[7,42]}'
    message $read ',"src":"10.0.0.2:60368","dst":"10.0.0.1:50000","dir":"in","time":"1350000000.000620546"'
} >udp.json
expect 0 "$goldwire" encode udp.json
cp out udp.pcapng
round udp.pcapng
payloads udp.json >wanted
payloads first.json >got
same wanted got

{
    tcp 0 client 4e6f11ff00000001
    tcp 0 server 4e6f164400000001
    tcp 0 client 080f010000001000cafe0001
    tcp 0 server 080f010000001000cafe0001
    tcp 1 server 4e6f2044
    tcp 1 client 4e6f1011080f0100
    tcp 2 client 4e6f1044
    tcp 2 client 080f010000001000cafe
} >tcp.json
expect 0 "$goldwire" encode tcp.json
cp out tcp.pcapng
round tcp.pcapng

# a stream with a hole, and one whose start nobody saw
{
    message 4e6f1044 ',"transport":"tcp","stream":0,"src":"10.0.0.1:1","dst":"10.0.0.2:60368"'
    message 080f0100 ',"transport":"tcp","stream":0,"src":"10.0.0.1:1","dst":"10.0.0.2:60368","carrier":{"lost_before":12}'
    message 080f0100 ',"transport":"tcp","stream":1,"src":"10.0.0.1:2","dst":"10.0.0.2:60368","carrier":{"start_missing":true}'
} | "$goldwire" encode >holes.pcapng
round holes.pcapng
has first.json '"carrier":{"tcp_dir":0,"lost_before":12}'
has first.json '"start_missing":true'
has err '12 bytes of TCP stream 0 are missing'

# ---- one leaf changed: its bits change, the payload is overruled ----
message $read | "$goldwire" encode | "$goldwire" decode --json - >one.json 2>err
sed 's/\("path":"etherbone.record\[0\].byte_enable","value":\)15/\13/' one.json >edited.json
! cmp -s one.json edited.json || fail "the edit did nothing"
"$goldwire" encode edited.json | "$goldwire" decode --json - >back.json 2>err
payloads back.json >got
echo "${read:0:10}03${read:12}" >wanted
same wanted got

# ---- what is wrong is said with its line and field ----
wrong() { # TEXT FILE
    expect 2 "$goldwire" encode "$2"
    has err "$1"
}
{ cat one.json; sed 's/"name":"etherbone.magic"/"name":"etherbone.magik"/' one.json; } >bad.json
wrong "bad.json line 2: etherbone.magic: etherbone has no field 'etherbone.magik'; did you mean 'etherbone.magic'?" bad.json
sed 's/"name":"etherbone.magic"/"name":"etherbone.nosuch"/' one.json >bad.json
wrong "etherbone has no field 'etherbone.nosuch'" bad.json
lacks err 'did you mean'
for path in etherbone.record[0].bcb etherbone.record[0].xbca bca op2p.record[0].bca ''; do
    sed "s/\"path\":\"etherbone.record\[0\].bca\"/\"path\":\"$path\"/" one.json >bad.json
    ! cmp -s one.json bad.json || fail "the edit did nothing"
    wrong "line 1: $path: the path is not one of etherbone.record.bca" bad.json
done
sed 's/\("path":"etherbone.record\[0\].bca","value":\)0/\12/' one.json >bad.json
wrong 'line 1: etherbone.record[0].bca: value 0x2 does not fit 1 bits' bad.json
echo '{"proto":"etherbone"' >bad.json
wrong 'bad.json line 1: column' bad.json
echo '{"payload":"4e6f"}' >bad.json
wrong 'proto: is missing' bad.json
expect 0 "$goldwire" encode --proto etherbone bad.json
wrong 'no.json: No such file' no.json
expect 2 "$goldwire" encode --proto ether one.json
has err "no format 'ether'"
expect 6 "$goldwire" encode /dev/null
has err 'no message in it'
expect 0 "$goldwire" encode --help
has out 'Usage: goldwire encode [OPTION...] [FILE]'

# ---- what an edit makes stale ----
"$goldwire" decode --json "$2/pcaps/textarossa/textarossa-link-torus.pcapng" 2>err | sed -n 1p |
    sed 's/\("textarossa.proc_id","path":"textarossa.proc_id","value":\)3/\15/' >edited.json
expect 0 "$goldwire" encode edited.json
cp out stale.pcapng
has err 'edited.json line 1: textarossa.edac is 0xd1, and the bytes around it ask for 0x'
has err '; --mend puts that in'
expect 0 "$goldwire" encode --mend edited.json
cp out mended.pcapng
lacks err edac
expect 0 "$goldwire" decode mended.pcapng
has out 'channel 5'
lacks out 'EDAC fatal'
"$goldwire" decode stale.pcapng >out 2>err
has out 'channel 5, EDAC fatal'
"$goldwire" decode --json "$2/pcaps/l1farm/l1farm-sci.pcapng" 2>err | head -1 |
    sed 's/\("l1farm.sci.target","path":"[a-z0-9.]*","value":\)[0-9]*/\177/' >edited.json
expect 0 "$goldwire" encode edited.json
has err 'line 1: l1farm.sci.crc is 0x'
expect 0 "$goldwire" encode --mend edited.json
cp out mended.pcapng
expect 0 "$goldwire" decode mended.pcapng
lacks out ', CRC bad'
has out 'writesb 0x4 -> 0x4d tid 31'

# what came before a wrong line is a whole capture
{ cat one.json; echo '{}'; } >half.json
expect 2 "$goldwire" encode half.json
cp out half.pcapng
expect 0 "$goldwire" decode --json half.pcapng
lines out 1

# ---- readers that go away ----
for _ in $(seq 2000); do message $wide; done >many.json
"$goldwire" encode many.json 2>err | head -c 10 >out
code=${PIPESTATUS[0]}
[ "$code" = 0 ] || fail "exit $code when the reader went away: $(cat err)"

finish
