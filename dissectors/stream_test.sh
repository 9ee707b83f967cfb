#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# TCP: any split of the stream gives the same messages, in and out of order, in one pass and in two,
# whether or not Wireshark reassembles; what was not captured is said.
. "$(dirname "$0")/testing/lib.sh"

client=10.0.0.1:40000
slave=10.0.0.2:60368
open="tcp 1.0 $client $slave 1000 0 S -
tcp 1.1 $slave $client 5000 1001 SA -
tcp 1.2 $client $slave 1001 5001 A -"
stream=4e6f1044080f010000001000123456780a0f0301000020000000000100000002000000030000800000002000080f000000000000080f0100000030000badcafe

# segment FROM LENGTH: bytes of the client's stream
segment() { echo "tcp 2.$((1000 + $1)) $client $slave $((1001 + $1)) 5001 A ${stream:$((2 * $1)):$((2 * $2))}"; }
values() {
    local file=$1
    shift
    ts -r "$work/$file" "$@" -Y etherbone -T fields -E separator=' ' -E occurrence=a \
        -e etherbone.record.wcount -e etherbone.record.rcount -e etherbone.write.value \
        -e etherbone.read.addr | tr ' ,' '\n\n' | grep -v '^$' | sort | paste -sd' '
}
size=$((${#stream} / 2))
{ echo "$open"; segment 0 "$size"; } | capture whole.pcap
want=$(values whole.pcap)
has "whole" "0x000000000badcafe" "$want"
is "whole: columns" \
    "Stream header a32 d32 | Write 1 @ 0x1000 | Write 3 @ 0x2000 FIFO, Read 1 @ 0x2000 | Empty record | Empty record | Write 1 @ 0x3000" \
    "$(ts -r "$work/whole.pcap" -Y etherbone -T fields -e _ws.col.Info)"

{ echo "$open"; for ((i = 0; i < size; i++)); do segment "$i" 1; done; } | capture bytes.pcap
modes=("" "-2" "-o tcp.desegment_tcp_streams:FALSE" "-2 -o tcp.desegment_tcp_streams:FALSE"
    "-o tcp.reassemble_out_of_order:TRUE" "-2 -o tcp.reassemble_out_of_order:TRUE")
for mode in "${modes[@]}"; do
    # shellcheck disable=SC2086 # a mode is several words
    is "a byte a segment [$mode]" "$want" "$(values bytes.pcap $mode)"
done
# All splits in two, one connection each.
for ((cut = 1; cut < size; cut++)); do
    port=$((41000 + cut))
    {
        echo "$open"
        segment 0 "$cut"
        segment "$cut" $((size - cut))
    } | sed "s/$client/10.0.0.1:$port/"
done | capture splits.pcap
all=$(for ((cut = 1; cut < size; cut++)); do tr ' ' '\n' <<<"$want"; done | sort | paste -sd' ')
is "every split" "$all" "$(values splits.pcap)"
is "every split, two passes" "$all" "$(values splits.pcap -2)"

# Out of order, with Wireshark's preference; retransmissions change nothing.
{ echo "$open"; segment 0 6; segment 20 10; segment 6 14; segment 30 $((size - 30)); } | capture order.pcap
is "out of order" "$want" "$(values order.pcap -o tcp.reassemble_out_of_order:TRUE)"
is "out of order, two passes" "$want" "$(values order.pcap -2 -o tcp.reassemble_out_of_order:TRUE)"
{ echo "$open"; segment 0 20; segment 0 20; segment 10 20; segment 30 $((size - 30)); segment 20 30; } |
    capture again.pcap
is "retransmissions" "$want" "$(values again.pcap -o tcp.analyze_sequence_numbers:FALSE)"
is "retransmissions, two passes" "$want" "$(values again.pcap -2 -o tcp.analyze_sequence_numbers:FALSE)"
is "retransmissions, put in order by Wireshark" "$want" \
    "$(values again.pcap -o tcp.reassemble_out_of_order:TRUE)"

# A segment that the capture lost.
{ echo "$open"; segment 0 18; segment 24 10; segment 34 $((size - 34)); } | capture lost.pcap
is "lost: what came before" "Stream header a32 d32 | Write 1 @ 0x1000" \
    "$(ts -r "$work/lost.pcap" -Y frame.number==4 -T fields -e _ws.col.Info)"
is "lost: how much" "6" "$(ts -r "$work/lost.pcap" -Y frame.number==5 -T fields -e etherbone.lost_before)"
is "lost: the cut record" "5" "$(frames etherbone.capture_cut -r "$work/lost.pcap")"
is "lost: nothing is guessed" "" "$(frames 'frame.number > 4 && etherbone.write.value' -r "$work/lost.pcap")"
is "lost: nobody is blamed" "" \
    "$(frames 'etherbone && _ws.expert.severity == "Error"' -2 -r "$work/lost.pcap")"

# Records sent before the probe was answered wait for the widths.
{
    echo "$open"
    echo "tcp 1.3 $client $slave 1001 5001 PA 4e6f11ff00000001080f01000000100012345678"
    echo "tcp 1.4 $slave $client 5001 1021 PA 4e6f164400000001"
    echo "tcp 1.5 $client $slave 1021 5009 PA 080f0100000020009abcdef0"
} | capture early.pcap
for pass in "" -2; do
    # shellcheck disable=SC2086
    is "early records [$pass]" "4 Probe a8/16/32/64 d8/16/32/64
5 Probe response a32 d32 | (other direction) Write 1 @ 0x1000
6 Write 1 @ 0x2000" "$(ts $pass -r "$work/early.pcap" -Y etherbone -T fields -e frame.number -e _ws.col.Info | tr '\t' ' ')"
done

# litex_server: text first, then packets that each have a header.
{
    echo "$open" | sed 's/:60368/:1234/'
    echo "tcp 1.3 10.0.0.2:1234 $client 5001 1001 PA $(printf 'CommUDP:127.0.0.1:1234' | od -An -tx1 | tr -d ' \n')"
    echo "tcp 1.4 $client 10.0.0.2:1234 1001 5023 PA 4e6f104400000000000f00010000000000000004"
    echo "tcp 1.5 10.0.0.2:1234 $client 5023 1021 PA 4e6f104400000000000f01000000000012345678"
} | capture litex.pcap
is "litex_server" "5 Read 1 @ 0x4
6 Server banner | Reply 1 @ 0x0" "$(ts -r "$work/litex.pcap" -o etherbone.dialect:litex -Y etherbone \
    -T fields -e frame.number -e _ws.col.Info | tr '\t' ' ')"

# Something else on our port is left alone, unless somebody says that it is ours.
{ echo "$open"; echo "tcp 1.3 $client $slave 1001 5001 PA 474554202f20485454502f312e300d0a"; } | capture web.pcap
is "foreign stream" "" "$(frames etherbone -2 -r "$work/web.pcap")"
sed 's/:60368/:7777/' <<<"$open
tcp 1.3 $client $slave 1001 5001 PA 474554202f20485454502f312e300d0a" | capture told.pcap
is "foreign stream, told" 4 "$(frames 'etherbone.unsupported' -r "$work/told.pcap" -d tcp.port==7777,etherbone)"
is "foreign stream, told, but only the magic is wanted" "" \
    "$(frames etherbone -r "$work/told.pcap" -d tcp.port==7777,etherbone -o etherbone.magic_only:TRUE)"
finish
