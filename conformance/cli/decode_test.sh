#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of `goldwire decode` from outside.
. "$2/conformance/cli/testing.sh"

read=4e6f1044280f00010000800000001000

# ---- what is shown ----
message $read ',"time":"3.5","src":"10.0.0.1:50000","dst":"10.0.0.2:60368"' >one.json
expect 0 "$goldwire" encode one.json
cp out one.pcapng
expect 0 "$goldwire" decode one.pcapng
has out 'frame 1  3.500000000  10.0.0.1:50000 -> 10.0.0.2:60368  etherbone  '
has out '     0             magic = 0x4e6f (No)'
has out '     2  0001 ....  version = 1'
has out '     4             Record 0'
has out 'read[0].addr = 0x00001000'
lacks out '!'
lacks err 'EB-S51' # the capture ends before anybody could have answered

expect 0 "$goldwire" decode --json one.pcapng
lines out 1
has out '"file":"one.pcapng","frame":1,"frames":[1],"time":"3.500000000","proto":"etherbone","dialect":"strict","transport":"udp","stream":null,"dir":null,"sender":null,"src":"10.0.0.1:50000","dst":"10.0.0.2:60368","carrier":{},"len":16,"cap_len":16'
has out "\"payload\":\"$read\",\"fields\":["
has out '],"error":null,"generated":[],"findings":[]}'
has out '{"name":"etherbone.magic","path":"etherbone.magic","value":20079,"offset":0,"mask":"ffff","bits":16}'
has out '{"name":"etherbone.read.addr","path":"etherbone.record[0].read[0].addr","value":4096,"offset":12,"mask":"ffffffff","bits":32}'

# standard input, and several files at once
expect 0 "$goldwire" decode --json - <one.pcapng
has out '"file":"-"'
expect 0 "$goldwire" decode --json one.pcapng one.pcapng
lines out 2

# compressed, whole and cut
expect 0 "$goldwire" decode one.pcapng
cp out plain
gzip -c one.pcapng >one.gz
expect 0 "$goldwire" decode one.gz
cmp out plain || fail 'a compressed capture reads otherwise'
expect 0 "$goldwire" decode - <one.gz
head -c $(($(wc -c <one.gz) - 3)) one.gz >cut.gz
expect 1 "$goldwire" decode cut.gz
cmp out plain || fail 'what comes before the cut is not shown'
has err 'cut.gz: the capture breaks off: byte '
has err ': gzip data is cut or damaged: its end is missing'
expect 0 "$goldwire" check one.gz

# 64-bit words are text, because not every JSON reader keeps them
message 4e6f14880000000008ff010000000000fedcba98765432108000000000000001 |
    "$goldwire" encode >wide.pcapng
expect 0 "$goldwire" decode --json wide.pcapng
has out '"value":"0xfedcba9876543210"'

# ---- cut by the sender, cut by the capture ----
message ${read:0:28} | "$goldwire" encode >short.pcapng
expect 0 "$goldwire" decode --json short.pcapng
has out '"error":{"kind":"truncated","offset":12,"field":"etherbone.read.addr","cut":"message"}'
has out '{"name":"etherbone.undecoded","path":"etherbone.undecoded","value":"0000","offset":12,"mask":"ffff","bits":16}'
message ${read:0:28} ',"len":16' | "$goldwire" encode >snapped.pcapng
expect 0 "$goldwire" decode --json snapped.pcapng
has out '"cut":"capture"'
has out '"len":16,"cap_len":14'
has err 'snapped.pcapng:1: the capture kept 14 of 16 bytes'
expect 0 "$goldwire" decode snapped.pcapng
has out '  etherbone  Record, cut by the capture'
expect 0 "$goldwire" decode short.pcapng
has out '  etherbone  Record, truncated at byte 12'
expect 0 "$goldwire" decode snapped.pcapng
has out '! truncated at byte 12: Read address (etherbone.read.addr); the capture kept 14 of 16 bytes'

# ---- streams ----
{
    tcp 7 client 4e6f11ff00000001
    tcp 7 server 4e6f164400000001
    tcp 7 client 080f010000001000cafe0001
    tcp 7 client 080f0100
} | "$goldwire" encode >stream.pcapng
expect 0 "$goldwire" decode --json stream.pcapng
lines out 4
has out '"transport":"tcp","stream":0'
has out '"carrier":{"tcp_dir":1}'
expect 0 "$goldwire" decode stream.pcapng
has out 'tcp stream 0'

# ---- dialects and formats ----
message 4e6f104400000000000f00010000000000001000 | "$goldwire" encode >litex.pcapng
expect 0 "$goldwire" decode --json --dialect litex@127.0.0.1:60368 litex.pcapng
has out '"dialect":"litex"'
expect 0 "$goldwire" decode --json --dialect litex@10.0.0.9 litex.pcapng
has out '"dialect":"strict"'
expect 2 "$goldwire" decode --dialect litx litex.pcapng
has err "did you mean 'litex'?"
expect 2 "$goldwire" decode --dialect litex@host litex.pcapng
has err "'host' is not HOST or HOST:PORT"
expect 2 "$goldwire" decode --dialect litx litex.pcapng
has err "no dialect 'litx'; did you mean 'litex'? (known of etherbone: strict litex gsi "
has err '; of op2p: strict vhdl; of '
expect 2 "$goldwire" decode --proto etherbne litex.pcapng
has err "did you mean 'etherbone'?"

# ---- nothing found ----
capture 101 "$(datagram 7 9 00112233)" >foreign.pcap
expect 6 "$goldwire" decode foreign.pcap
[ ! -s out ] || fail "something was shown of a foreign capture"
has err 'foreign.pcap: no message found: 1 frame, 1 on unknown ports; try --proto etherbone'
expect 0 "$goldwire" decode --proto etherbone foreign.pcap
has out '  etherbone  Header, malformed at byte 0'
expect 0 "$goldwire" decode one.pcapng foreign.pcap

# ---- names that mean to command a terminal ----
evil=$(printf 'a\033]0;owned\007\nb.pcap')
cp foreign.pcap "$evil"
for verb in decode check; do
    "$goldwire" $verb "$evil" "$evil.not-there" >out 2>err
    "$goldwire" $verb "$evil" >>out 2>>err
    ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" out err || fail "$verb: a control character reaches the terminal"
    ! grep -q '^b.pcap' out err || fail "$verb: a name makes a line of its own"
done

# ---- captures that break off ----
head -c $(($(wc -c <stream.pcapng) - 5)) stream.pcapng >broken.pcapng
expect 1 "$goldwire" decode --json broken.pcapng
lines out 4
has err 'broken.pcapng: the capture breaks off: byte '

# ---- wrong calls: told before anything is printed ----
echo 'this is no capture at all' >text
expect 2 "$goldwire" decode one.pcapng text
[ ! -s out ] || fail "output before a wrong file was told"
has err 'text'
expect 2 "$goldwire" decode missing.pcap
has err 'missing.pcap: no such file'
expect 2 "$goldwire" decode
has err 'no capture file given'
expect 2 "$goldwire" decode --jsn one.pcapng
has err 'goldwire decode: '
expect 2 "$goldwire" deocde one.pcapng
has err "did you mean 'decode'?"
expect 2 "$goldwire"
expect 0 "$goldwire" decode --help
has out 'Usage: goldwire decode [OPTION...] FILE...'
has out 'Example'
expect 0 "$goldwire" help decode
has out 'Usage: goldwire decode'
expect 0 "$goldwire" --version

# ---- a line a message ----
golden=$2/pcaps/etherbone/broken.pcapng
expect 0 "$goldwire" decode --brief one.pcapng
lines out 1
has out '1  3.500000000  10.0.0.1:50000 -> 10.0.0.2:60368  etherbone  '
lacks out '!'
expect 0 "$goldwire" decode --brief short.pcapng
lines out 1
has out 'truncated at byte 12'
expect 0 "$goldwire" decode --json "$golden"
messages=$(wc -l <out)
grep -c '"findings":\[{' out >judged
expect 0 "$goldwire" decode --brief "$golden"
lines out "$messages"
[ "$(grep -c '  ! EB-' out)" = "$(cat judged)" ] || fail 'a line does not say its first finding'
grep -q ' (and [1-9][0-9]* more)$' out || fail 'nothing says that there are more findings'
! grep -q '! EB-.*! EB-' out || fail 'a line says more than its first finding'
expect 1 "$goldwire" decode --brief broken.pcapng
lines out 4
has err 'broken.pcapng: the capture breaks off: byte '
expect 6 "$goldwire" decode --brief foreign.pcap
[ ! -s out ] || fail 'a line of a foreign capture'
: >empty
expect 2 "$goldwire" decode --brief empty
expect 2 "$goldwire" decode --brief - </dev/null
expect 2 "$goldwire" decode --brief --json one.pcapng
has err 'exclude each other'

# A line says what a tree begins with, whatever was between the same two before.
heads() {
    expect 0 "$goldwire" decode --brief "$@"
    grep '^[0-9]' out | sed 's/  ! .*//' >lines
    expect 0 "$goldwire" decode "$@"
    sed -n 's/^frame //p' out >heads
    same lines heads
}
heads "$2"/pcaps/*/*.pcapng
[ "$(wc -l <heads)" -gt 2000 ] || fail 'few traces were read'
# The same two in another stream, and where nobody says who is the board.
"$goldwire" decode --json "$2/pcaps/etherbone/tcp.pcapng" >tcp.json 2>tcp.err
{ grep '"stream":2,' tcp.json && grep '"stream":0,' tcp.json; } | "$goldwire" encode >streams.pcapng
heads "$2/pcaps/etherbone/tcp.pcapng" streams.pcapng
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --case eb-s/probe-echo --out run
said=run/cases/eb-s/probe-echo.pcapng
"$goldwire" decode --json "$said" | sed -E 's/"sender":"[a-z]*"/"sender":null/' | "$goldwire" encode >unsaid.pcapng
heads "$said" unsaid.pcapng
grep -q ' by goldwire ' heads || fail 'a recording does not say who is who'

# ---- some frames: the conversation is followed through the others all the same ----
conversation=$2/pcaps/etherbone/probe.pcapng
expect 0 "$goldwire" decode --brief "$conversation"
cp out all
expect 0 "$goldwire" decode --brief --frames 2 "$conversation"
lines out 1
[ "$(cat out)" = "$(sed -n 2p all)" ] || fail '--frames 2 does not show frame 2'
expect 0 "$goldwire" decode --frames 2 "$conversation"
has out '= answers frame 1 after '
expect 0 "$goldwire" decode --brief --frames -2,2,4- "$conversation"
[ "$(cat out)" = "$(sed 3d all)" ] || fail '--frames -2,2,4- leaves out other frames than 3'
expect 6 "$goldwire" decode --brief --frames 999999 "$conversation"
[ ! -s out ] || fail 'a message of no frame of the list'
has err "of $(wc -l <all) messages none was selected"
expect 1 "$goldwire" decode --brief --frames 999999 broken.pcapng
for list in '' 0 a '1,' ,1 1,,2 - 3-2 1-2-3 '1 2' -0 99999999999999999999 "$(seq -s, 257)"; do
    expect 2 "$goldwire" decode --frames "$list" one.pcapng
    [ ! -s out ] || fail "output for the frames '$list'"
    has err '--frames: '
done

# ---- a filter ----
expect 0 "$goldwire" decode --brief --filter etherbone "$conversation"
cmp out all || fail 'the filter etherbone leaves something out'
expect 0 "$goldwire" decode --brief --filter 'etherbone.nr == 1 || frame.number > 0' "$conversation"
cmp out all || fail 'or leaves something out'
expect 0 "$goldwire" decode --brief --frames 1-2 --filter '! (frame.number == 1)' "$conversation"
[ "$(cat out)" = "$(sed -n 2p all)" ] || fail '--frames and --filter are not both asked'
expect 0 "$goldwire" decode --json --filter 'etherbone.read.addr == 0x1000' one.pcapng
lines out 1
expect 6 "$goldwire" decode --filter 'etherbone.read.addr == 0x1001' one.pcapng
[ ! -s out ] || fail 'a message that does not match is shown'
has err 'of 1 message none was selected'
expect 6 "$goldwire" decode --filter op2p one.pcapng
for word in true True TRUE; do
    expect 6 "$goldwire" decode --filter "etherbone.pf == $word" one.pcapng
    expect 0 "$goldwire" decode --filter "etherbone.pf != $word" one.pcapng
done
expect 0 "$goldwire" decode --filter etherbone.undecoded short.pcapng
expect 1 "$goldwire" decode --filter op2p broken.pcapng
expect 0 "$goldwire" decode --filter 'etherbone.undecoded contains 00:00' short.pcapng
expect 6 "$goldwire" decode --filter 'etherbone.undecoded contains 00:00:00' short.pcapng
message 4e6f1044280f0002000080000000100000001004 | "$goldwire" encode >two.pcapng
for filter in '== 0x1000' '== 0x1004' '!= 0x1008' '> 0x1000' '< 0x1004'; do
    expect 0 "$goldwire" decode --filter "etherbone.read.addr $filter" two.pcapng
done
for filter in '!= 0x1000' '!= 0x1004' '> 0x1004' '< 0x1000'; do
    expect 6 "$goldwire" decode --filter "etherbone.read.addr $filter" two.pcapng
done
deep=$(printf '(%.0s' $(seq 400))
long=$(printf 'etherbone||%.0s' $(seq 90))etherbone

# refused COLUMN FILTER WHY: the filter is refused, with a caret under that column.
refused() {
    expect 2 "$goldwire" decode --filter "$2" one.pcapng
    [ ! -s out ] || fail "output for the filter '$2'"
    has err "--filter: $3"
    grep -qxF -- "$(printf '  %*s^' $(($1 - 1)) '')" err || fail "no caret under column $1 of '$2': $(cat err)"
}
refused 1 '' 'the name of a field is expected'
refused 1 'etherbone.recrd == 1' "no field is called so; did you mean 'etherbone.record'?"
refused 5 'not etherbone.redd.addr' "no field is called so; did you mean 'etherbone.read.addr'?"
refused 1 'op2' "no field is called so; did you mean 'op2p'?"
refused 1 'frame.numbr' "no field is called so; did you mean 'frame.number'?"
refused 1 'etherbone.nosuch' 'no field is called so; decode --json shows the names'
refused 1 'etherbon.magic' "no field is called so; did you mean 'etherbone.magic'?"
refused 1 'weather' 'no field is called so; decode --json shows the names'
refused 1 '(etherbone' 'this parenthesis is never closed'
refused 10 'etherbone)' "'and', 'or' or the end is expected"
refused 12 '(etherbone etherbone)' "'and', 'or' or ')' is expected"
refused 11 'etherbone == 1' 'this has no value'
refused 16 'etherbone.nr ==' 'a number of at most 64 bits'
refused 17 'etherbone.nr == 0x10000000000000000' 'a number of at most 64 bits'
refused 17 'etherbone.nr == 08' 'a number of at most 64 bits'
refused 14 'etherbone.nr 1' "'and', 'or' or the end"
refused 14 'etherbone.nr = 1' 'values are compared by =='
for theirs in '&' in matches bitand '~' '[' '{'; do
    refused 14 "etherbone.nr $theirs 1" "'$theirs' is Wireshark's alone: tshark -Y takes it"
done
refused 15 '(etherbone.nr in {1})' "'in' is Wireshark's alone"
for theirs in etherbone.unanswered etherbone.response_time etherbone.register op2p.src etherbone.eb-m12 op2p.object.len \
    textarossa.note.stale tcp udp.port ip.src _ws.expert.severity; do
    refused 18 "frame.number and $theirs" "'$theirs' is Wireshark's alone: tshark -Y takes it"
done
for nobodys in etherbone.eb-m99 etherbone.EB-M12 etherbone. ipx.net etherbone.unanswered.x; do
    refused 1 "$nobodys" 'no field is called so'
done
refused 20 'etherbone.magic == "nothing"' 'no value of this field'
refused 20 'etherbone.magic == "No' 'a number of at most'
refused 14 'etherbone.nr contains 1' 'only byte strings'
refused 21 'etherbone.undecoded < 00' 'byte strings are compared by'
refused 24 'etherbone.undecoded == 0:1' '1 to 64 bytes'
for address in 5 192.0.2 192.0.2.256 192.0.2.1.1 192..2.1; do
    refused 28 "textarossa.dest_addr.ip == $address" 'an IPv4 address is expected, as 192.0.2.1'
done
refused 14 'etherbone and' 'the name of a field is expected'
refused 18 'etherbone and not' 'the name of a field is expected'
refused 5 'not é' 'this is not understood'
refused 65 "$deep" 'parentheses go too deep'
expect 2 "$goldwire" decode --filter "$long" one.pcapng
has err 'the filter is too long'
expect 2 "$goldwire" decode --filter "$(printf 'etherbone\n')x
" one.pcapng
has err 'one line of at most 1000 bytes'
expect 2 "$goldwire" decode --filter "$long $deep" one.pcapng
has err 'one line of at most 1000 bytes'

# ---- one conversation ----
{
    for i in 1 2; do
        message $read ',"src":"10.0.0.1:50000","dst":"10.0.0.2:60368"'
        message $read ',"src":"10.0.0.3:50000","dst":"10.0.0.2:60368"'
        message $read ',"src":"10.0.0.2:60368","dst":"10.0.0.1:50000"'
    done
    tcp 1 client 4e6f11ff00000001
} | "$goldwire" encode >talks.pcapng
expect 0 "$goldwire" decode --brief talks.pcapng
grep 10.0.0.1:50000 out | grep -v tcp >wanted
expect 0 "$goldwire" decode --brief --follow 2 talks.pcapng
lines out 2
lacks out 10.0.0.1
expect 0 "$goldwire" decode --brief --follow 2 --frames 5 talks.pcapng
lines out 1
expect 0 "$goldwire" stats talks.pcapng
has out '#1  10.0.0.1:50000 <-> 10.0.0.2:60368'
has out '#2  10.0.0.2:60368 <-> 10.0.0.3:50000'
expect 6 "$goldwire" decode --follow 9 talks.pcapng
has err "talks.pcapng: no conversation 9: there are 2, which 'goldwire stats' lists"
expect 6 "$goldwire" decode --follow 2 --frames 1 talks.pcapng
has err 'of 7 messages none was selected'
message 4e6f11ff00000000 | "$goldwire" encode >alone.pcapng
expect 6 "$goldwire" decode --follow 2 alone.pcapng
has err "no conversation 2: there is 1, which 'goldwire stats' lists"
expect 0 "$goldwire" decode --brief --follow 1 "$2/pcaps/op2p/op2p-broken-frames.pcapng" "$2/pcaps/op2p/op2p-broken-frames.pcapng"
for number in 0 4097 -1 x 1x '' 99999999999999999999; do
    expect 2 "$goldwire" decode --follow "$number" talks.pcapng
    has err 'is no number of a conversation'
done

# ---- registers by name ----
# named FORM MAP CAPTURE: what decode prints when it was told names.
named() {
    expect 0 "$goldwire" decode $1 --registers "$2" "$3"
}
loss=$2/pcaps/etherbone/conversation-loss.pcapng
printf 'temperature: 0x20004\nblock: 0x20000-0x2ffff\n' >registers.yaml
printf '%s\n' 'csr_register,slow_one,0x00020004,1,rw' >csr.csv
named --brief registers.yaml "$loss"
grep -q '^3 .* Read 1 @ 0x20004 \[temperature\]$' out || fail 'a line has no name'
printf 'all: 0x0-0xffffffff\n' >all.yaml
named --brief all.yaml "$2/pcaps/etherbone/flags.pcapng"
has out ' [all'
grep -q ' Reply .*\[' out && fail 'an answer is taken for an access'
named '' registers.yaml "$loss"
has out 'read[0].addr = 0x00020004 (temperature)'
has out 'read[0].addr = 0x0002000c (block+0xc)'
named --json registers.yaml "$loss"
has out '"register":"temperature"'
has out '"register":"block"'
"$goldwire" encode out >again.pcapng
"$goldwire" decode --json "$loss" | "$goldwire" encode >plain.pcapng
cmp again.pcapng plain.pcapng || fail 'encode is misled by names'
named --brief csr.csv "$loss"
has out '[slow_one]'
expect 0 "$goldwire" decode --brief "$loss"
lacks out '['
# What is written goes behind the base, unless that is a FIFO; the config space has no names.
written() {
    message "4e6f1044$1""0f020000020004cafe0001cafe0002" | "$goldwire" encode >written.pcapng
    named '' registers.yaml written.pcapng
}
written 08
has out 'write.base = 0x00020004 (temperature)'
has out 'write[0].value = 0xcafe0001 (temperature)'
has out 'write[1].value = 0xcafe0002 (block+0x8)'
written 0a
has out 'write[1].value = 0xcafe0002 (temperature)'
written 0c
lacks out temperature
# The board's own table names what comes after it was read, and nothing in the next capture.
"$goldwire" decode --json "$2/pcaps/etherbone/config-space.pcapng" >sdb.json
{
    cat sdb.json
    head -1 sdb.json | sed 's/"time":"1704067200/"time":"1704067201/'
} | "$goldwire" encode >late.pcapng
expect 0 "$goldwire" decode --brief --registers sdb late.pcapng late.pcapng
[ "$(grep -n '\[ram\]$' out | cut -d: -f1 | tr '\n' ' ')" = '13 26 ' ] || fail 'a table does not name what comes after it'
printf 'mine: 0x0\n' >mine.yaml
named --brief mine.yaml late.pcapng
[ "$(grep -c '\[mine\]$' out)" = 2 ] || fail "the file does not go before the board's table"
expect 2 "$goldwire" decode --registers none.csv "$loss"
has err '--registers: none.csv: No such file or directory'
echo 'leds: where' >bad.yaml
expect 2 "$goldwire" decode --registers bad.yaml "$loss"
has err '--registers: bad.yaml: line 1 is neither one of a csr.csv nor NAME: ADDRESS'

# ---- colours ----
for form in '' --brief; do
    expect 0 "$goldwire" decode $form "$golden"
    lacks out "$escape"
    cp out plain
    expect 0 "$goldwire" decode $form --color=always "$golden"
    has out "$escape"
    sed "s/$escape\[[0-9;]*m//g" out | cmp -s - plain || fail 'colours change more than colours'
done
expect 2 "$goldwire" decode --color=green one.pcapng
has err 'always never auto'

# ---- readers that go away, and disks that are full ----
for _ in $(seq 300); do message $read; done | "$goldwire" encode >many.pcapng
for form in --json --brief ''; do
    "$goldwire" decode $form many.pcapng 2>err | head -1 >out
    code=${PIPESTATUS[0]}
    [ "$code" = 0 ] || fail "exit $code when the reader went away"
    [ ! -s err ] || fail "a broken pipe was told: $(cat err)"
done
if [ -c /dev/full ]; then
    "$goldwire" decode many.pcapng >/dev/full 2>err
    code=$?
    [ "$code" = 4 ] || fail "exit $code on a full disk"
    has err 'cannot write: No space left'
fi

finish
