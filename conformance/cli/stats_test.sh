#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of `goldwire stats` from outside: on every golden trace it counts what decode and check tell.
. "$2/conformance/cli/testing.sh"
source_dir=$2

expect 0 "$goldwire" stats "$source_dir/pcaps/etherbone/pipelining.pcapng"
has out 'pipelining.pcapng: 32 messages in 32 frames'
grep -qE '^  read +16 +10\.000 +42\.812 +80\.000 *$' out || fail 'response times by kind are not told'
# The slowest register comes first.
[ "$(grep -oE '^  0x000200[0-9a-f]{2}' out | head -1 | tr -d ' ')" = 0x00020000 ] || fail 'the slowest address does not come first'
has out '192.0.2.1:40000 <-> 192.0.2.2:60368'
expect 0 "$goldwire" stats --json "$source_dir/pcaps/etherbone/pipelining.pcapng"
lines out 1

# Eight registers of known delays, read five times each, all of them outstanding at a time: the slowest stands first,
# neither the one that comes first nor the one with the latest answer of all.
awk 'BEGIN {
    ends = "\"src\":\"10.0.0.1:50000\",\"dst\":\"10.0.0.2:60368\""
    back = "\"src\":\"10.0.0.2:60368\",\"dst\":\"10.0.0.1:50000\""
    for (n = 0; n < 5; n++)
        for (r = 0; r < 8; r++) {
            asked = n * 10000 + r
            delay = r == 5 ? 700 + n : r == 2 && n == 3 ? 900 : 50 + 10 * r
            space = 32768 + 4 * (8 * n + r)
            printf "%06d {\"proto\":\"etherbone\",\"time\":\"%d.%06d\",\"payload\":\"4e6f1044280f0001%08x%08x\",%s}\n", asked, 1700000000, asked, space, 131072 + 4 * r, ends
            printf "%06d {\"proto\":\"etherbone\",\"time\":\"%d.%06d\",\"payload\":\"4e6f14440a0f0100%08x%08x\",%s}\n", asked + delay, 1700000000, asked + delay, space, n, back
        }
}' | sort -n | cut -d' ' -f2- | "$goldwire" encode >delays.pcapng
expect 0 "$goldwire" stats delays.pcapng
grep -A 3 'response times by first address' out | tr -s ' ' >slowest
has slowest ' 0x00020014 5 700.000 702.000 704.000'
[ "$(sed -n 2p slowest | cut -d' ' -f2)" = 0x00020014 ] || fail "the slowest register does not come first: $(sed -n 2p slowest)"
[ "$(sed -n 3p slowest)" = ' 0x00020008 5 70.000 236.000 900.000 ' ] || fail "the second is not the one with an outlier: $(sed -n 3p slowest)"
[ "$(sed -n 4p slowest)" = ' 0x0002001c 5 120.000 120.000 120.000 ' ] || fail "the third is another: $(sed -n 4p slowest)"
lacks out 'Unanswered'
lacks out 'response times by register'

# By name: of a csr.csv, of a YAML map, of the SDB table that somebody reads in the capture; the file's before the board's.
printf '%s\n' 'csr_register,slow_one,0x00020014,1,rw' 'memory_region,csr,0x00020000,0x10000,io' >csr.csv
printf 'temperature: 0x20014\n' >map.yaml
expect 0 "$goldwire" stats --registers csr.csv delays.pcapng
grep -A 3 'response times by register' out | tr -s ' ' >slowest
[ "$(sed -n 2p slowest)" = ' slow_one 5 700.000 702.000 704.000 ' ] || fail "the slowest register has no name: $(sed -n 2p slowest)"
[ "$(sed -n 3p slowest)" = ' csr+0x8 5 70.000 236.000 900.000 ' ] || fail "what lies in a region has no name: $(sed -n 3p slowest)"
expect 0 "$goldwire" stats --json --registers map.yaml delays.pcapng
has out '"response_times_by_register":[{"name":"temperature","count":5,"least":700000,"most":704000,"sum":3510000}]'
expect 0 "$goldwire" stats "$source_dir/pcaps/etherbone/config-space.pcapng"
grep -A 1 'response times by register' out | tr -s ' ' >named
has named ' ram 1 10.000 10.000 10.000'
printf 'block: 0x0-0x3\n' >map.yaml
expect 0 "$goldwire" stats --registers map.yaml "$source_dir/pcaps/etherbone/config-space.pcapng"
grep -A 1 'response times by register' out | tr -s ' ' >named
has named ' block 1 10.000 10.000 10.000'
expect 2 "$goldwire" stats --registers none.csv delays.pcapng
has err '--registers: none.csv: No such file or directory'
echo 'leds: where' >bad.yaml
expect 2 "$goldwire" stats --registers bad.yaml delays.pcapng
has err '--registers: bad.yaml: line 1 is neither one of a csr.csv nor NAME: ADDRESS'
# Byte 0x1000 of the bus is not that of the board's own settings.
{
    ends='"src":"10.0.0.1:50000","dst":"10.0.0.2:60368"' back='"src":"10.0.0.2:60368","dst":"10.0.0.1:50000"'
    for one in 1:2c0f0101 3:280f0101; do
        at=${one%%:*} head=${one#*:}
        printf '{"proto":"etherbone","time":"1700000000.%s","payload":"4e6f1044%s000010000000000100008000%08x",%s}\n' "$at" "$head" 8192 "$ends"
        printf '{"proto":"etherbone","time":"1700000000.%s","payload":"4e6f14440a0f01000000800000000001",%s}\n' "$((at + 1))" "$back"
    done
} | "$goldwire" encode >spaces.pcapng
expect 0 "$goldwire" stats spaces.pcapng
grep -A 2 'response times by first address' out | tr -s ' ' | cut -d' ' -f-4 >spaces
has spaces ' config 0x00001000 1'
has spaces ' 0x00001000 1 100000.000'
printf 'reset: 0x1000\n' >map.yaml
expect 0 "$goldwire" stats --registers map.yaml spaces.pcapng
grep -A 2 'response times by register' out | tr -s ' ' | cut -d' ' -f-3 >spaces
has spaces ' reset 1'
capture 101 "$(datagram 7 9 00112233)" >foreign.pcap
expect 6 "$goldwire" stats foreign.pcap
has err 'no message found: 1 frame, 1 on unknown ports'
expect 2 "$goldwire" stats nothing.pcap
expect 2 "$goldwire" stats
message 4e6f11ff00000000 | "$goldwire" encode >one.pcapng
head -c $(($(wc -c <one.pcapng) - 5)) one.pcapng >broken.pcapng
expect 1 "$goldwire" stats broken.pcapng
has err 'broken.pcapng: the capture breaks off: byte '
expect 0 "$goldwire" stats - <one.pcapng
has out '-: 1 message in 1 frame'

# More addresses than are told apart share a row, and memory does not grow: 9000 reads, each of another address.
awk 'BEGIN { for (i = 0; i < 9000; i++) {
    ends = "\"src\":\"10.0.0.1:50000\",\"dst\":\"10.0.0.2:60368\""
    back = "\"src\":\"10.0.0.2:60368\",\"dst\":\"10.0.0.1:50000\""
    printf "{\"proto\":\"etherbone\",\"payload\":\"4e6f1044280f000100008000%08x\",%s}\n", i * 4, ends
    printf "{\"proto\":\"etherbone\",\"payload\":\"4e6f14440a0f010000008000%08x\",%s}\n", i, back
} }' | "$goldwire" encode >many.pcapng
expect 0 "$goldwire" stats many.pcapng
has out '(more than are told apart)'

# Where nothing gets lost, what is missing is held against who did not send it.
broken=$source_dir/pcaps/l1farm/l1farm-broken.pcapng
"$goldwire" stats --json "$broken" >forgiving 2>err
"$goldwire" stats --json --lossless "$broken" >strict 2>err
grep -q L1-R02 forgiving && fail "L1-R02 is found, whatever the path may have done"
grep -q L1-R02 strict || fail "L1-R02 is not found where the path did nothing"

command -v python3 >/dev/null || { [ "$failures" = 0 ] || finish; echo 'skipped: no python3' >&2; exit 77; }
# The first few traces of each format; all of them where 'all' is asked for.
most=4
[ "${5-}" != all ] || most=1000
for proto in etherbone op2p textarossa l1farm ims; do
    told=0
    for trace in "$source_dir"/pcaps/$proto/*.pcapng; do
        [ $told -lt $most ] || break
        "$goldwire" stats --json "$trace" >stats.json 2>err
        grep -qF "\"proto\":\"$proto\"" stats.json || continue
        "$goldwire" decode --json "$trace" >decoded.json 2>err
        "$goldwire" check --json "$trace" >checked.json 2>err
        python3 "$source_dir/conformance/cli/testing/stats.py" "$source_dir/codecs/$proto/$proto.tables.txt" stats.json decoded.json \
            checked.json >differ 2>&1 || echo 'stats.py failed' >>differ
        # Which request some of its answers mean only later packets tell, and decode reads once.
        [[ $trace != */faulty-slaves.pcapng ]] || sed -i '/^first answers\|^response_times\|^histogram/d' differ
        [ ! -s differ ] || fail "$(basename "$trace"): $(head -5 differ)"
        told=$((told + 1))
    done
    [ "$told" -gt 2 ] || fail "statistics of $told traces of $proto only"
done
finish
