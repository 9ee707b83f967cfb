#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of `goldwire check` from outside.
. "$2/conformance/cli/testing.sh"

ends=',"src":"10.0.0.1:50000","dst":"10.0.0.2:60368"'
back=',"src":"10.0.0.2:60368","dst":"10.0.0.1:50000"'
request=4e6f1044a80f00010000800000001000
answer=4e6f14440e0f0100000080000000cafe

# ---- a good conversation ----
{
    message $request "$ends,\"time\":\"1.000000000\""
    message $answer "$back,\"time\":\"1.000012000\""
} | "$goldwire" encode >good.pcapng
expect 0 "$goldwire" check good.pcapng
has out 'good.pcapng: 2 messages in 2 frames, 1 answered, 0 unanswered'
has out 'good.pcapng: no rule broken'
expect 0 "$goldwire" check --json good.pcapng
has out '"relations":{"answered":1,'
expect 0 "$goldwire" decode --json good.pcapng
has out '"generated":[{"name":"etherbone.response_to","value":1},{"name":"etherbone.response_time","value":"0.000012000"}]'
expect 0 "$goldwire" decode good.pcapng
has out '= answers frame 1 after 0.000012000 s'

# ---- what stays open, and what comes twice ----
{
    message $request "$ends,\"time\":\"1.0\""
    message $request "$ends,\"time\":\"20.0\""
    message $answer "$back,\"time\":\"20.1\""
    message $answer "$back,\"time\":\"20.2\""
} | "$goldwire" encode >open.pcapng
"$goldwire" check open.pcapng >out 2>err
has out '1 answered, 1 duplicate, 1 unanswered'

# ---- findings ----
{
    message $request "$ends"
    message ${request:0:5}c${request:6} "$ends"
    message ${request:0:8}b8${request:10} "$ends"
} | "$goldwire" encode >bad.pcapng
expect 1 "$goldwire" check bad.pcapng
grep -qE '^bad\.pcapng:2: EB-M01 MUST @2 .' out || fail "no finding about the header of frame 2"
grep -qE '^bad\.pcapng:3: EB-M01 MUST @4 .' out || fail "no finding about the record of frame 3"
grep -qE '^bad\.pcapng: EB-M01 +MUST +2 ' out || fail "EB-M01 is not counted twice"
expect 1 "$goldwire" check --json bad.pcapng
has out '{"file":"bad.pcapng","frame":2,"revealed_by":2,"rule":"EB-M01","level":"MUST","offset":2,'
has out '{"rule":"EB-M01","level":"MUST","count":2,"by_goldwire":0}'

# a broken MUST in one of two files is enough
expect 1 "$goldwire" check bad.pcapng good.pcapng
has out 'good.pcapng: no rule broken'

# ---- what a device is known to break is no finding ----
message 4e6f104400000000000f01000000100000000001 \
    ',"src":"10.0.0.1:1234","dst":"10.0.0.2:1234"' | "$goldwire" encode >litex.pcapng
expect 1 "$goldwire" check litex.pcapng
expect 0 "$goldwire" check --dialect litex litex.pcapng
has out 'no rule broken'

# ---- captures that break off, and captures without anything ----
head -c $(($(wc -c <good.pcapng) - 5)) good.pcapng >broken.pcapng
expect 1 "$goldwire" check broken.pcapng
has out 'broken.pcapng: 1 message in 1 frame,'
has out 'broken.pcapng: the capture breaks off: byte '
has out 'no rule broken before that'
expect 1 "$goldwire" check --json broken.pcapng
has out '"messages":1,"breaks_off":"byte '
expect 0 "$goldwire" check --json good.pcapng
has out '"breaks_off":null'
# The beginning of a block, a section without anything, and what comes of both is not called clean.
for bytes in 10 "$(od -An -tu4 -j4 -N4 good.pcapng)"; do
    head -c $((bytes)) good.pcapng >nothing.pcapng
    "$goldwire" check nothing.pcapng >out 2>err
    has out 'nothing.pcapng: 0 messages in 0 frames'
    has out 'nothing.pcapng: nothing was checked'
    lacks out 'no rule broken'
    has err 'nothing to check: 0 frames'
done
capture 101 "$(datagram 7 9 00112233)" >foreign.pcap
expect 6 "$goldwire" check foreign.pcap
has err 'nothing to check: 1 frame, 1 on unknown ports; try --proto etherbone'
# A port makes nobody guilty, a link type that anybody may use does not either, and what is passed over is told.
rtp=80001234000010 dns=1a2b0100000100000000000003
capture 101 "$(datagram 1234 5004 $rtp)" "$(datagram 5004 8183 $dns)" "$(datagram 60368 40000 '')" >strangers.pcap
expect 6 "$goldwire" check strangers.pcap
lacks out EB-
has err 'strangers.pcap:1: UDP 10.0.0.1:1234 -> 10.0.0.2:5004 uses a port of EtherBone, and nothing so far between the two is'
has err 'nothing to check: 3 frames, 3 that only their port or link type speaks for; try --proto etherbone'
expect 1 "$goldwire" check --proto etherbone strangers.pcap
has out 'EB-M01 MUST @0'
read16=4e6f1044280f00010000800000001000
capture 101 "$(datagram 40000 60368 $read16)" "$(datagram 60368 40000 $dns back)" \
    "$(datagram 60368 40001 $dns back)" \
    "$(datagram 7 9 00112233)" >known.pcap
expect 1 "$goldwire" check known.pcap
has out 'known.pcap:2: EB-S10 MUST @0'
lacks out 'known.pcap:3'
has err '1 datagrams and segments on ports of no format are not read; --proto takes them'
ib=f0020002000b00016400ffff00000412000000051111111100000313616161616161616161616161616161010203040506
capture 147 $ib $ib >user0.pcap
expect 6 "$goldwire" check user0.pcap
lacks out MUST
has err 'link type 147 is private, anybody may use it for anything, and nothing so far on this interface is OP2P'
has err "InfiniBand's headers would fit (--proto ims)"
# InfiniBand carries much besides IMS: what no session introduced is nobody's fault.
ends_ib=',"src":"10.0.0.1:50000","dst":"10.0.0.2:4791"'
for packet in 6400ffff0000041200000005111111110000031361616161616161616161616161616161616161616161616161616161 \
    2400ffff000004120000000500000000000000000000000000000000 \
    2a00ffff000004120000000500000020000000410a0b0c0d00000001ff000000; do
    printf '{"proto":"ims","payload":"%s"%s}\n' "$packet" "$ends_ib"
done | "$goldwire" encode >foreign.pcapng
expect 6 "$goldwire" check foreign.pcapng
has err 'nothing to check: 3 frames, 3 of InfiniBand that no session introduced; try --proto ims'
has out 'foreign.pcapng: 3 messages in 3 frames, 3 foreign, '
lacks out MUST
expect 6 "$goldwire" check --json foreign.pcapng
has out '"foreign":3,"messages":3'
expect 0 "$goldwire" decode foreign.pcapng
has out 'Foreign UD SEND ONLY to qp 0x412 psn 5'
lacks out 'method'
expect 1 "$goldwire" check --proto ims foreign.pcapng
has out 'IMS-C2 MUST @20 Method is 97; at most 7 is allowed'
expect 2 "$goldwire" check
expect 2 "$goldwire" check missing.pcap
expect 0 "$goldwire" check --help
has out 'Usage: goldwire check [OPTION...] FILE...'

# ---- memory: at most 64 MiB, and no more for a longer capture ----
# A capture may have any number of sections, so a long one is a short one many times over. The
# command reads a pipe that stays open at the end, so that its peak can be asked for.
peak_of=()
peak() { # TIMES: kB
    mkfifo pipe
    "$goldwire" check - <pipe >out 2>err &
    local pid=$! i
    exec 3>pipe
    for ((i = 0; i < $1; i++)); do cat chunk.pcapng; done >&3
    awk '/^VmHWM:/ { print $2 }' "/proc/$pid/status"
    exec 3>&-
    wait "$pid"
    rm pipe
}
if [ -r /proc/self/status ] && ! grep -q __asan_init "$goldwire"; then
    {
        long=$(printf '00000000%.0s' $(seq 255))
        for i in $(seq 300); do
            message $request "$ends"
            message "4e6f1444080fff0000001000$long" "$ends"
            tcp "$i" client "4e6f1044"
            tcp "$i" client "080fff0000001000$long"
            message $request ",\"transport\":\"tcp\",\"stream\":$((i + 1000)),\"src\":\"10.0.0.3:$((20000 + i))\",\"dst\":\"10.0.0.2:60368\""
        done
    } | "$goldwire" encode >chunk.pcapng
    size=$(wc -c <chunk.pcapng)
    for mb in 10 100 200; do
        peak_of[mb]=$(peak $((mb * 1000000 / size + 1)))
        has out ' messages in '
        [ "${peak_of[mb]}" -le 65536 ] || fail "${peak_of[mb]} kB of memory for $mb MB"
    done
    # Tables fill in the beginning; what grows after that would go on growing.
    [ "${peak_of[200]}" -le $((peak_of[100] + 512)) ] ||
        fail "${peak_of[100]} kB for 100 MB, but ${peak_of[200]} kB for 200 MB"
fi

finish
