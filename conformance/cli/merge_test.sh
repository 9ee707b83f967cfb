#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of --merge: two taps of one traffic, with clocks of their own, are read as one capture.
. "$2/conformance/cli/testing.sh"

# tap SHIFT LATENCY_US LOSES TWICE: 200 reads and their answers, 1 ms apart, as a tap sees them whose clock is SHIFT seconds
# ahead, LATENCY_US later on the way there and sooner on the way back; without the messages whose number LOSES divides; what
# TWICE divides is sent twice.
tap() {
    awk -v shift="$1" -v latency="$2" -v loses="$3" -v twice="${4-0}" 'BEGIN {
        there = "\"src\":\"10.0.0.1:50000\",\"dst\":\"10.0.0.2:60368\""
        back = "\"src\":\"10.0.0.2:60368\",\"dst\":\"10.0.0.1:50000\""
        for (i = 1; i <= 400; i++) {
            asks = i % 2
            at = 1000 + shift + i / 1000 + (asks ? latency : -latency) / 1000000
            if (loses && i % loses == 0) continue
            for (n = 0; n <= (twice && i % twice == 0); n++)
                printf "{\"proto\":\"etherbone\",\"time\":\"%.6f\",\"payload\":\"%s%08x\",%s}\n", at + n / 5000,
                    asks ? "4e6f1044280f000100008000" : "4e6f14440a0f010000008000", int((i - 1) / 2) * 4, asks ? there : back
        } }' | "$goldwire" encode
}

# told FILE: what decode showed, without numbers and times.
told() { sed -E 's/^[0-9]+  [0-9.]+  //' "$1"; }

tap 0 0 0 >board.pcapng
expect 0 "$goldwire" decode --brief board.pcapng
told out >whole
[ "$(wc -l <whole)" = 400 ] || fail 'the traffic is not what was meant'

# ---- two taps, the other one's clock 3.5 s ahead ----
tap 3.5 20 0 >host.pcapng
expect 0 "$goldwire" decode --brief --merge board.pcapng host.pcapng
told out | cmp - whole || fail 'two taps are not one traffic'
grep -qE 'host.pcapng: its clock is 3\.(499980|500020) s ahead of that of board.pcapng, by 400 frames of both' err ||
    fail "the clocks: $(cat err)"
has err 'merged: 400 frames were left out, which another tap has shown'
expect 0 "$goldwire" decode --brief --merge host.pcapng board.pcapng
told out | cmp - whole || fail 'the order of taps matters'
has err ' s behind that of host.pcapng'

# ---- each lost what the other one has ----
tap 0 0 7 >left.pcapng
tap -500 5 5 >right.pcapng
expect 0 "$goldwire" decode --brief --merge left.pcapng right.pcapng
told out >both
awk 'NR % 35' whole | cmp - both || fail 'what one tap lost is not taken from the other'
expect 0 "$goldwire" check --merge left.pcapng right.pcapng
has out 'no rule broken'

# ---- what is sent twice is shown twice ----
tap 0 0 0 10 >again.pcapng
tap 1 3 0 10 >again2.pcapng
expect 0 "$goldwire" decode --brief again.pcapng
told out >twice
[ "$(wc -l <twice)" = 440 ] || fail 'nothing was sent twice'
expect 0 "$goldwire" decode --brief --merge again.pcapng again2.pcapng
told out | cmp - twice || fail 'what is sent twice is not shown twice'
expect 0 "$goldwire" decode --brief --merge board.pcapng host.pcapng right.pcapng
told out | cmp - whole || fail 'three taps are not one traffic'
expect 0 "$goldwire" stats --merge board.pcapng host.pcapng
has out 'merged: 400 messages in 400 frames'

# ---- nothing in common; and what cannot be ----
message 4e6f11ff00000000 ',"time":"5"' | "$goldwire" encode >other.pcapng
expect 0 "$goldwire" decode --brief --merge board.pcapng other.pcapng
lines out 401
has err 'other.pcapng: no frame is once in it and once in board.pcapng: their clocks are taken to agree'
head -1 out | grep -qF ' 5.000000' || head -1 out | grep -qE '^1  5\.0' || fail 'the oldest frame does not come first'
# A frame that is twice in one says nothing about clocks; at one time it is the same all the same.
expect 0 "$goldwire" decode --json --frames 1 board.pcapng
cat out out >doubled
expect 0 "$goldwire" encode doubled
cp out doubled.pcapng
expect 0 "$goldwire" decode --brief --merge board.pcapng doubled.pcapng
has err 'doubled.pcapng: no frame is once in it and once in board.pcapng: their clocks are taken to agree'
has err 'merged: 1 frame was left out, which another tap has shown'
expect 2 "$goldwire" decode --merge board.pcapng nothing.pcapng
expect 2 "$goldwire" decode --merge board.pcapng - <host.pcapng
has err 'standard input: to be merged it is read twice, which only a file can be'
head -c $(($(wc -c <host.pcapng) - 5)) host.pcapng >broken.pcapng
expect 1 "$goldwire" decode --brief --merge board.pcapng broken.pcapng
has err 'merged: the capture breaks off: broken.pcapng: byte '
# One tap that breaks off does not end what the others saw.
head -c $(($(wc -c <board.pcapng) / 3)) board.pcapng >third.pcapng
expect 1 "$goldwire" decode --brief --merge third.pcapng host.pcapng
told out | cmp - whole || fail 'what the other tap saw ends with the one that breaks off'
has err 'merged: the capture breaks off: third.pcapng: byte '
lacks err 'more)'
expect 1 "$goldwire" decode --brief --merge third.pcapng host.pcapng broken.pcapng
told out | cmp - whole || fail 'what the third tap saw ends with those that break off'
has err '(and 1 more)'
expect 0 "$goldwire" decode --brief --merge board.pcapng board.pcapng
has err 'board.pcapng: its clock agrees with that of board.pcapng, by 400 frames of both'
gzip -k host.pcapng
expect 0 "$goldwire" decode --brief --merge board.pcapng host.pcapng.gz
told out | cmp - whole || fail 'a compressed tap is another one'
finish
