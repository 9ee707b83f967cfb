#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of `goldwire certify --measure': numbers where there are some, a reason where there are none, and verdicts as without it. How
# fast anything is is not looked at. With `all' as the fifth argument it tries everything, else what takes no time.
. "$2/conformance/cli/testing.sh"
all=${5-}

# measured FILE EXPRESSION: what a Python expression over measure.json, `m', comes to; `sizes' are all sizes of all loads.
measured() {
    /usr/bin/python3 - "$1" "$2" <<'PYTHON'
import json
import sys

with open(sys.argv[1]) as file:
    m = json.load(file)
sizes = [size for load in m["loads"] for size in load["sizes"]]
print(eval(sys.argv[2], {"m": m, "sizes": sizes}))
PYTHON
}

# is FILE EXPRESSION WANT: the expression comes to WANT.
is() {
    local got
    got=$(measured "$1" "$2")
    [ "$got" = "$3" ] || fail "$1: $2 is $got, $3 expected"
}

# ordered FILE: each size with numbers has them in their order, and nothing was measured that was not asked for.
ordered() {
    is "$1" 'all(s["response"]["min_ns"] <= s["response"]["p50_ns"] <= s["response"]["p90_ns"] <= s["response"]["p99_ns"]
        <= s["response"]["max_ns"] and s["response"]["samples"] <= s["one"]["requests"] for s in sizes if s["why"] is None)' True
}

# ---- a board behind sockets ----
# Every size that fits has a number, and the floor beside it.
for over in udp ${all:+tcp}; do
    url=peer:etherbone-slave
    [ "$over" = udp ] || url="$url?over=$over"
    expect 0 "$goldwire" certify --dut "$url" --case eb-s/probe-echo --measure-time 3 --out "$over"
    has out 'measured, for information'
    file=$over/measure.json
    is "$file" '[load["id"] for load in m["loads"]]' "['read', 'write']"
    is "$file" 'len([s for s in sizes if s["why"] is None]) >= 16' True
    is "$file" 'all(s["floor"]["samples"] > 0 for s in sizes if s["why"] is None)' True
    is "$file" 'all(s["several"] or s["several_why"] for s in sizes if s["why"] is None)' True
    ordered "$file"
    has "$over/measure.html" 'paper IX.C, Latency'
    has "$over/measure.html" '<polyline class="floor"'
    has "$over/report.html" 'href="measure.html"'
    expect 0 "$goldwire" check "$over/measure.pcapng"
    has out 'no rule broken'
    expect 0 "$goldwire" verify "$over"
done
sed -i 's/p50/p51/' udp/measure.json
expect 1 "$goldwire" verify udp
has out 'measure.json'

# measures ROLE CASE LOADS WHERE...: a board of that role behind sockets has numbers of all sizes of all of its loads, unless
# the time was up (how many, a busy machine decides); what was sent breaks no rule, and the page has what its document prints, and WHERE.
measures() {
    local role=$1 one=$2 loads=$3 where file=$1/measure.json
    shift 3
    expect 0 "$goldwire" certify --dut "peer:${role/+/?over=}" --case "$one" --measure-time 3 --out "$role"
    has out 'measured, for information'
    is "$file" '[load["id"] for load in m["loads"]]' "$loads"
    is "$file" 'any(s["why"] is None for s in sizes)' True
    is "$file" '{s["why"] for s in sizes if s["why"] and "the time for measuring was up" not in s["why"] and "at most" not in s["why"]
        and s["size"] < 65536}' 'set()'
    is "$file" 'all(s["floor"]["samples"] > 0 for s in sizes if s["why"] is None)' True
    is "$file" 'all(s["several"] or s["several_why"] for load in m["loads"] if load["at_a_time"] > 1
        for s in load["sizes"] if s["why"] is None)' True
    is "$file" 'all(s["size"] <= (s["answer"] if load["payload_in"] == "answer" else s["request"])["bytes"] for load in m["loads"]
        for s in load["sizes"] if s["why"] is None and load["id"] != "nack")' True
    ordered "$file"
    has "$role/measure.html" '<polyline class="floor"'
    for where in "$@"; do
        has "$role/measure.html" "$where"
    done
    expect 0 "$goldwire" check "$role/measure.pcapng"
    has out 'no rule broken'
    expect 0 "$goldwire" verify "$role"
}
measures op2p-node op-e/undamaged "['read', 'write', 'copy']" 'datasheet, Electrical Interface' '6.00&nbsp;Gbit/s' 'Aurora frames' \
    'It prints no latency'
measures textarossa-node tx-r/holes "['round']" 'D2.9 section 4, table 4-1' 'drawn 2 times as high' '4.66&nbsp;GB/s' 'no number: a packet of'
measures textarossa-node+tcp tx-r/holes "['round']" '34.6&nbsp;Gbit/s' 'APElink'
measures textarossa-switch tx-r/holes "['round', 'local']" 'D2.9 section 3.3' '4&nbsp;at a time' 'half of a FIFO'
measures ims-buf ims-b/version "['status', 'frame', 'ack', 'nack', 'again']" '20.0&nbsp;s' 'ims 3.2.3' 'The specification prints no speed'
measures l1-ru l1-d/event-words "['subevent']" 'thesis 7.7' '1.24&nbsp;M/s' '810&nbsp;ns' 'figures 5.11 and 7.22 alone'
measures l1-cn l1-e/complete "['event']" 'thesis 7.11, System Latency, table 7.4' 'It prints no times by size'
measures l1-du l1-u/passes-on "['result']" 'thesis 7.6' 'It prints no time'
for role in l1-ru l1-cn l1-du; do
    lacks "$role/measure.html" '>Payload<'
    is "$role/measure.json" 'm["payload_of"] is None and all(s["efficiency_permille"] is None for s in sizes if s["why"] is None)' True
done

# ---- verdicts are what they are without it ----
# The board is in virtual time, so that two runs are alike; there is no number, and a reason.
for what in --seed=1 --measure; do
    expect 1 "$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-cyc-not-copied&via=mem' "$what" --out "with$what" --json
done
mv with--seed=1 without
for folder in without with--measure; do
    sed -i -E '/"(started|duration_s|start_s)"/d' "$folder/run.json"
done
same without/run.json with--measure/run.json
is with--measure/measure.json 'm["why"]' \
    'etherbone-slave: the board lives in memory, in a virtual time that tells nothing about speed'
is with--measure/measure.json 'sizes' '[]'
has with--measure/measure.html 'Nothing was measured'
[ ! -e without/measure.json ] && [ ! -e without/measure.html ] || fail 'something was measured that nobody asked for'
lacks without/report.html 'measure.html'
# What an earlier run has measured goes with it.
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --case eb-s/probe-echo --out with--measure
[ ! -e with--measure/measure.json ] || fail 'the numbers of an earlier run stay'

# ---- boards of which nothing can be known ----
expect 3 "$goldwire" certify --dut udp://127.0.0.1:9 --role etherbone-slave --measure --out dead
has out 'not measured: '
is dead/measure.json 'm["why"] is not None and sizes == []' True
expect 0 "$goldwire" certify --dut 'peer:etherbone-master?via=mem' --case eb-m/probe-form --measure
has out 'not measured: etherbone-master: it calls us'
expect 0 "$goldwire" certify --dut 'peer:ims-worker?via=mem' --case ims-w/register --measure
has out 'not measured: ims-worker: it calls us'
# ---- arguments ----
expect 2 "$goldwire" certify --dut peer:etherbone-slave --measure --json
has err '--measure with --json wants --out'
for time in 0 -1 x 3601; do
    expect 2 "$goldwire" certify --dut peer:etherbone-slave --measure-time "$time"
    has err '--measure-time is a number from 1 to 3600'
done

# ---- what takes its time ----
[ -n "$all" ] || finish
# Who loses half has numbers of the other half, and what was lost is counted.
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?loss=0.3&seed=1' --case eb-s/probe-echo --measure-time 6 --out lossy
is lossy/measure.json 'any(s["one"]["lost"] > 0 and s["one"]["requests"] > 0 for s in sizes if s["why"] is None)' True
is lossy/measure.json 'm["lost_after_ns"] is not None and all(s["response"]["max_ns"] < 2e9 for s in sizes if s["why"] is None)' True
has out ' lost)'
has lossy/measure.html '&nbsp;lost'
has lossy/measure.html 'is lost: it is counted'
ordered lossy/measure.json
# Whoever dies of a long record keeps the numbers of shorter ones, and is not asked again.
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-dead-after-deep-record' --case eb-s/probe-echo --measure-time 2 --out dies
is dies/measure.json '[s["size"] for s in m["loads"][0]["sizes"] if s["why"] is None]' '[4, 8, 16, 32, 64, 128, 256, 512]'
has out 'no number: the board stopped answering when 1020 bytes were measured (read)'
# A device that takes short records only is not asked for long ones, nor for what it dies of.
expect 6 "$goldwire" certify --dut 'peer:etherbone-slave?dialect=litex' --case eb-s/probe-length --measure-time 1 --out litex
is litex/measure.json '{s["size"] for s in sizes if s["why"] is None} <= {4, 8, 16, 32, 64}' True
has out 'at most 16 words'

# Without a word of RAM nothing is written, and what is read is read-only.
start_peer board etherbone-slave
cat >board.yaml <<YAML
goldwire: board
role: etherbone-slave
where: $(url_of board)
claims: {config_space: true, sdb: true, zero_filled_reply: false}
YAML
expect 0 "$goldwire" certify board.yaml --case eb-s/probe-echo --measure-time 1 --out plain
is plain/measure.json '{bool(s["why"]) for s in m["loads"][1]["sizes"]}' '{True}'
has out 'no ram area'
expect 0 "$goldwire" decode --brief plain/measure.pcapng
grep 'by goldwire' out >asked
has asked 'Read 255'
lacks asked 'Write'
printf 'areas:\n  - {name: ram, type: ram, address: 0x100, size: 0x40}\n' >>board.yaml
expect 0 "$goldwire" certify board.yaml --case eb-s/probe-echo --measure-time 1 --out small
is small/measure.json '[s["size"] for s in m["loads"][1]["sizes"] if s["why"] is None]' '[4, 8, 16, 32, 64]'
kill "$peer"

# ---- the other roles, when something is amiss ----
# lossy URL CASE: half of what is asked gets lost, and the rest has numbers. What became of the case is no matter here.
lossy() {
    local to="lossy-${2%%/*}"
    "$goldwire" certify --dut "$1" --case "$2" --measure-time 8 --out "$to" >out 2>err
    is "$to/measure.json" 'any(s["one"]["lost"] > 0 and s["one"]["requests"] > 0 for s in sizes if s["why"] is None)' True
    is "$to/measure.json" 'm["took_ns"] < 60e9' True
    ordered "$to/measure.json"
}
lossy 'peer:op2p-node?loss=0.3&seed=4' op-e/undamaged
lossy 'peer:textarossa-node?loss=0.3&seed=4' tx-l/gap
lossy 'peer:ims-buf?loss=0.1&seed=3' ims-b/registers
lossy 'peer:l1-ru?loss=0.2&seed=3' l1-d/event-words
lossy 'peer:l1-du?loss=0.2&seed=3' l1-u/passes-on
# An answer that is none is no number, and says so.
expect 0 "$goldwire" certify --dut 'peer:op2p-node?mutant=m-short-completion' --case op-e/undamaged --measure-time 1 --out short
is short/measure.json 'all(s["why"] == "%d bytes came where %d are due" % (s["size"] - 4, s["size"]) for s in m["loads"][0]["sizes"])' True
expect 0 "$goldwire" certify --dut 'peer:op2p-node?mutant=m-refuses-largest' --case op-e/undamaged --measure-time 1 --out refuses
is refuses/measure.json '[s["why"] for s in m["loads"][1]["sizes"] if s["size"] == 1024]' "['the memory does not keep what is written to it']"
expect 0 "$goldwire" certify --dut 'peer:textarossa-node?mutant=m-bytes-swapped' --case tx-r/holes --measure-time 1 --out swapped
is swapped/measure.json '{s["why"] for s in sizes if "at most" not in s["why"]}' "{'a packet came back that nobody has sent like that'}"
expect 0 "$goldwire" certify --dut 'peer:textarossa-node?over=tcp&mutant=m-short-buffer' --case tx-r/holes --measure-time 4 --out buffer
is buffer/measure.json '[s["size"] for s in sizes if s["why"] is None]' '[16, 32, 64, 128, 256, 512, 1024]'
has out 'got no answer within'
expect 0 "$goldwire" certify --dut 'peer:ims-buf?mutant=m-type-2' --case ims-b/version --measure-time 1 --out type
is type/measure.json '{s["why"] for load in m["loads"][1:3] for s in load["sizes"]}' "{'a frame was answered by type 2, where 0 is due'}"
is type/measure.json '[s["why"] for s in m["loads"][0]["sizes"]]' '[None]'
expect 0 "$goldwire" certify --dut 'peer:ims-buf?mutant=m-never-nacks' --case ims-b/version --measure-time 3 --out silent
is silent/measure.json '{bool(s["why"]) for load in m["loads"][3:] for s in load["sizes"]}' '{True}'
has out 'got no answer within'
# A ring that the board file makes small is written no further.
start_peer ims-peer ims-buf
cat >ring.yaml <<YAML
goldwire: board
role: ims-buf
where: {ib: '$(url_of ims-peer ib)', regs: '$(url_of ims-peer regs)'}
claims: {status_qpn: 0x10, status_qkey: 0x1d51d5}
areas:
  - {name: ring, type: ram, address: 0x1000000000, size: 0x10000}
YAML
expect 0 "$goldwire" certify ring.yaml --case ims-b/version --measure-time 3 --out ring
is ring/measure.json '[s["size"] for s in m["loads"][1]["sizes"] if s["why"] is None]' '[64, 256, 1024, 4096, 16384, 65536]'
is ring/measure.json 'all("do not lie in the first ram area" in s["why"] for load in m["loads"] for s in load["sizes"] if s["size"] > 65536)' True
is_within() { /usr/bin/python3 -c 'import re, sys
at = [int(word, 16) for word in re.findall(r"0x10[0-9a-f]{8}\b", sys.stdin.read())]
print(min(at) == 0x1000000000, max(at) < 0x1000010000)'; }
[ "$("$goldwire" decode --brief ring/measure.pcapng | is_within)" = 'True True' ] || fail 'frames were written outside of the ring'
kill "$peer"
# The published core is asked for nothing that it does not survive, and never for two things at once.
expect 0 "$goldwire" certify --dut 'peer:op2p-node?dialect=vhdl' --case op-e/write --measure-time 2 --out vhdl
is vhdl/measure.json '{s["size"] for s in sizes if s["why"] and "at most 1000 bytes" in s["why"]}' '{1024}'
is vhdl/measure.json '{s["several_why"] for s in sizes if s["why"] is None}' "{'the reference core loses frames that are sent together'}"

finish
