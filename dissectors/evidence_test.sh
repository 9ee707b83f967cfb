#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever goldwire writes opens with our fields and without an option: in tshark, `goldwire decode` and `goldwire
# check`. Every file of the evidence of every role, what `record` writes, and every golden trace. Two more arguments:
# the command, the source folder.
. "$(dirname "$0")/testing/lib.sh"
goldwire=$4
source_dir=$5
ours='etherbone || op2p || textarossa || l1farm || ims'

# streams FILTER: the TCP connections of $work/all with such a frame.
streams() {
    ts -2 -r "$work/all" -Y "$1" -T fields -e tcp.stream 2>/dev/null | sort -u
}

# shown WHAT FILE...: no datagram and no connection with bytes is left to others, but what is broken beneath and services
# of InfiniBand that Wireshark does not hand on.
shown() {
    local what=$1
    shift
    mergecap -a -I none -w "$work/all" "$@" && chmod a+r "$work/all"
    is "$what: tshark" "" "$(frames "udp.length > 8 && !icmp && !icmpv6 && !($ours) && \
        !(_ws.expert.severity == \"Error\") && !(infiniband.bth.opcode < 0x20)" -2 -r "$work/all" 2>/dev/null)"
    is "$what: tshark, TCP" "" "$(comm -23 <(streams 'tcp.len > 0 && tcp.hdr_len >= 20 && !icmp') <(streams "tcp && ($ours)"))"
    is "$what: tshark, ours" yes "$([ -n "$(frames "$ours" -r "$work/all" 2>/dev/null)" ] && echo yes)"
}

# opened WHAT FILE...: decode and check find messages in each, and leave nothing aside.
opened() {
    local what=$1 file
    shift
    for file; do
        "$goldwire" decode "$file" >/dev/null 2>"$work/err" || {
            [ $? = 1 ] || is "$what: decode $(basename "$file")" "" "$(head -3 "$work/err")"
        }
        lacks "$what: decode $(basename "$file")" "left alone" "$(cat "$work/err")"
        lacks "$what: decode $(basename "$file")" "are not read" "$(cat "$work/err")"
        "$goldwire" check "$file" >/dev/null 2>"$work/err"
        [ $? -le 1 ] || is "$what: check $(basename "$file")" "" "$(head -3 "$work/err")"
    done
}

num=0
sockets=0
while read -r role _; do
    "$goldwire" certify --dut "peer:$role?via=mem" --out "$work/$role" >"$work/log" 2>&1 ||
        is "$role: certified" "" "$(tail -3 "$work/log")"
    mapfile -t files < <(find "$work/$role" -name '*.pcapng' | LC_ALL=C sort)
    is "$role: there is evidence" yes "$([ "${#files[@]}" -gt 1 ] && echo yes)"
    opened "$role" "${files[@]}"
    shown "$role" "${files[@]}"
    num=$((num + 1))
done < <("$goldwire" peer --list | awk 'NF == 1')
is "all roles" 10 "$num"

# Over sockets the kernel chooses the ports, which are none that Wireshark knows.
while read -r role how; do
    mapfile -t ends < <("$goldwire" certify --role "$role" --list | sed -n '1s/ .*//p;$s/ .*//p')
    "$goldwire" certify "$how" "peer:$role" --case "${ends[0]}" --case "${ends[1]}" --out "$work/sockets-$role" >"$work/log" 2>&1 ||
        [ $? = 6 ] || is "$role over sockets: certified" "" "$(tail -3 "$work/log")"
    mapfile -t files < <(find "$work/sockets-$role" -name '*.pcapng' | LC_ALL=C sort)
    opened "$role over sockets" "${files[@]}"
    shown "$role over sockets" "${files[@]}"
    sockets=$((sockets + 1))
done < <("$goldwire" peer --list --json | sed -E 's/.*"role":"([^"]*)".*"calls_us":(true|false).*/\1 \2/; s/true$/--serve/; s/false$/--dut/')
is "all roles over sockets" 10 "$sockets"

"$goldwire" certify --dut "peer:etherbone-slave?over=tcp&via=mem" --case 'eb-s/tcp-*' --out "$work/tcp" >"$work/log" 2>&1
mapfile -t files < <(find "$work/tcp" -name '*.pcapng' | LC_ALL=C sort)
opened "EtherBone over TCP" "${files[@]}"
shown "EtherBone over TCP" "${files[@]}"
"$goldwire" record --dut "peer:op2p-node?via=mem&dialect=vhdl" --case 'op-f/*' "$work/recorded.pcapng" >"$work/log" 2>&1
opened "a recording" "$work/recorded.pcapng"
shown "a recording" "$work/recorded.pcapng"
has "its dialect" '"dialect":"vhdl"' "$("$goldwire" decode --json "$work/recorded.pcapng" 2>/dev/null | head -1)"

while IFS= read -r -d '' trace; do
    opened "golden trace" "$trace"
done < <(find "$source_dir/pcaps" -name '*.pcapng' -print0 | sort -z)
finish
