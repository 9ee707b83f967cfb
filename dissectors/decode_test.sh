#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What datagrams look like: columns, fields, bits, padding, findings, dialects, and every cut.
. "$(dirname "$0")/testing/lib.sh"

capture a.pcap <<'LINES'
udp 1.000 10.0.0.1:60368 255.255.255.255:60368 4e6f14440a0f08007ffffff01fcbfcb0000000000301000000000000000000000000000016cd9348f6482e98
udp 1.001 10.0.0.1:40000 10.0.0.2:60368 4e6f11ff00000007
udp 1.002 10.0.0.2:60368 10.0.0.1:40000 4e6f164400000007
udp 1.003 10.0.0.1:40000 10.0.0.2:60368 4e6f1044280f00010000800000001000
udp 1.004 10.0.0.2:60368 10.0.0.1:40000 4e6f14440a0f010000008000cafe0001
udp 1.005 10.0.0.1:40000 10.0.0.2:60368 4e6f108800000000a8ff020100000000000000000000100000000000deadbeef0123456789abcdef00000000000080000000000000001008
udp 1.006 10.0.0.1:40000 10.0.0.2:60368 4e6f1012080301000010000700080100
udp 1.007 10.0.0.1:40000 10.0.0.2:60368 4e6f1844080f01000000100012345678
LINES

info=$(ts -r "$work/a.pcap" -T fields -e _ws.col.Protocol -e _ws.col.Info)
is "columns" "EtherBone	Write 8 @ 0x7ffffff0 FIFO
EtherBone	Probe a8/16/32/64 d8/16/32/64
EtherBone	Probe response a32 d32
EtherBone	Read 1 @ 0x1000
EtherBone	Reply 1 @ 0x8000 FIFO
EtherBone	Write 2 @ 0x1000, Read 1 @ 0x1008 [EB-M04 MUST: widths are 0x88; the probe that frame 3 answered leaves 0x44]
EtherBone	Write 1 @ 0x10, truncated at byte 16 [EB-M09 MUST: 1 write and 0 reads make a record of 8 bytes; here are 4]
EtherBone	Write 1 @ 0x1000 [EB-M01 MUST: the reserved header bit is set; senders clear it]" "$info"

# The column names the rule that decode --brief names, whether a tree is made or not: there another one comes first.
capture two.pcap <<'LINES'
udp 1.000 10.0.0.1:40000 10.0.0.2:60368 4e6f11ff00000007
udp 1.001 10.0.0.2:60368 10.0.0.1:40000 4e6f12440000000700000000
LINES
wanted='[EB-S05 MUST: the probe response is 12 bytes long; exactly 8 are expected]'
has "the first of two rules" "malformed at byte 8 $wanted" "$(ts -r "$work/two.pcap" | sed -n 2p)"
has "the same with a tree" "malformed at byte 8 $wanted" \
    "$(ts -r "$work/two.pcap" -Y frame.number==2 -T fields -e _ws.col.Info -e etherbone.pf)"
has "the other is in the tree, and before it" 'EB-S08 MUST' \
    "$(ts -r "$work/two.pcap" -Y frame.number==2 -V | sed '/Expert.*EB-S05/q')"

is "values of all words" \
    "0x000000001fcbfcb0,0x0000000000000000,0x0000000003010000,0x0000000000000000,0x0000000000000000,0x0000000000000000,0x0000000016cd9348,0x00000000f6482e98" \
    "$(ts -r "$work/a.pcap" -Y frame.number==1 -T fields -e etherbone.write.value)"
is "64 bit" "0x00000000deadbeef,0x0123456789abcdef	0x0000000000001008" \
    "$(ts -r "$work/a.pcap" -Y frame.number==6 -T fields -e etherbone.write.value -e etherbone.read.addr)"

tree=$(ts -r "$work/a.pcap" -Y frame.number==1 -V)
has "tree: protocol" "EtherBone, Write 8 @ 0x7ffffff0 FIFO" "$tree"
has "tree: record" "Record 0: CYC WFF, 8 writes" "$tree"
has "tree: bits" "    0001 .... = Version: 1" "$tree"
has "tree: flag" "        .... 1... = End of cycle (CYC): Set" "$tree"
has "tree: names" "0100 .... = Address width: 32 bit (0x4)" "$tree"
has "tree: flags in one line" "
    Flags: NR
        .... 0... = Reserved: Not set
        .... .1.. = No reads (NR): Set" "$tree"
has "tree: flags of a record" "
        Flags: CYC, WFF
            0... .... = Return base in config space (BCA): Not set" "$tree"
has "tree: behind the flags" "
            .... ...0 = Reserved: Not set
        Byte enable: 0x0f" "$tree"
has "tree: no flag" "    Flags: none
" "$(ts -r "$work/a.pcap" -Y frame.number==4 -V)"
has "tree: reserved bits" "    .... 0... = Reserved: Not set" "$tree"
has "tree: width of the wire" "Write value [0]: 0x1fcbfcb0" "$tree"
tree=$(ts -r "$work/a.pcap" -Y frame.number==6 -V)
has "tree: header padding" "Header padding: 0x00000000" "$tree"
has "tree: record padding" "Record header padding: 0x00000000" "$tree"
has "tree: both" "Record 0: BCA RFF CYC, 2 writes, 1 read" "$tree"
has "tree: eight bytes" "Write value [1]: 0x0123456789abcdef" "$tree"
tree=$(ts -r "$work/a.pcap" -Y frame.number==7 -V)
has "tree: two bytes" "Write value [0]: 0x0007" "$tree"

# Highlighted bytes: offset in the frame (42 bytes lie below) and length.
pdml() { ts -r "$work/a.pcap" -Y "frame.number==$1" -T pdml; }
place() { grep -o "name=\"$2\"[^>]*" <<<"$1" | head -1 | sed 's/.*size="\([0-9]*\)" pos="\([0-9]*\)".*/\2+\1/'; }
xml=$(pdml 1)
is "bytes of the magic" 42+2 "$(place "$xml" etherbone.magic)"
is "bytes of a flag" 44+1 "$(place "$xml" etherbone.nr)"
is "bytes of a nibble" 45+1 "$(place "$xml" etherbone.port_width)"
is "bytes of a word" 54+4 "$(place "$xml" etherbone.write.value)"
is "bytes of the record" 46+40 "$(place "$xml" etherbone.record)"

is "filter: flag" "1 4 5 6 7 8" "$(frames 'etherbone.record.cyc == 1' -r "$work/a.pcap")"
is "filter: address" "6" "$(frames 'etherbone.read.addr == 0x1008' -r "$work/a.pcap")"
is "filter: 64-bit value" "6" "$(frames 'etherbone.write.value == 0x0123456789abcdef' -r "$work/a.pcap")"
is "filter: probes" "2 3" "$(frames 'etherbone.pf == 1 || etherbone.pr == 1' -r "$work/a.pcap")"

# Findings carry their rule, at its field, whether or not a tree is built.
is "rule as a filter" "8" "$(frames 'etherbone.eb-m01' -r "$work/a.pcap")"
is "a clean packet has no error" "" \
    "$(frames 'frame.number < 6 && _ws.expert.severity == "Error"' -r "$work/a.pcap")"
tree=$(ts -r "$work/a.pcap" -Y frame.number==8 -V)
has "finding under its bit" ".... 1... = Reserved: Set
            [Expert Info (Error/Protocol): EB-M01 MUST: " "$tree"
has "expert summary without a tree" "EB-M01 MUST" "$(ts -q -z expert -r "$work/a.pcap")"

# LiteX: the dialect decides how the flags are numbered, by default, by address, by port.
capture litex.pcap <<'LINES'
udp 1.0 10.0.0.1:1234 10.0.0.9:1234 4e6f104400000000100f000100000001e0000004
LINES
flags() { ts -r "$work/litex.pcap" "$@" -T fields -e etherbone.record.cyc -e etherbone.read.addr | plain; }
is "litex as strict" "0,0	" "$(flags | sed 's/\t.*/\t/')"
is "litex by default" "1	0x00000000e0000004" "$(flags -o etherbone.dialect:litex)"
table=uat:goldwire_etherbone_dialects
is "litex by address" "1	0x00000000e0000004" "$(flags -o "$table:\"10.0.0.9\",\"0\",\"litex\"")"
is "litex by port" "1	0x00000000e0000004" "$(flags -o "$table:\"\",\"1234\",\"litex\"")"
is "another address" "0,0	" "$(flags -o "$table:\"10.0.0.8\",\"0\",\"litex\"" | sed 's/\t.*/\t/')"
is "the first line that fits" "1	0x00000000e0000004" \
    "$(flags -o "$table:\"10.0.0.9\",\"1234\",\"litex\"" -o "$table:\"\",\"0\",\"gsi\"")"
has "a bad address is refused" "is not an IPv4 or IPv6 address" \
    "$(flags -o "$table:\"here\",\"0\",\"litex\"" 2>&1)"

# Wrong magic on our port is nobody's, unless somebody says that it is ours, or what was said before does.
capture magic.pcap <<'LINES'
udp 1.0 10.0.0.1:40000 10.0.0.2:60368 4e6e1044080f01000000100012345678
LINES
is "wrong magic" "" "$(frames etherbone -r "$work/magic.pcap")"
is "wrong magic, told" 1 "$(frames etherbone.malformed -r "$work/magic.pcap" -o etherbone.by_port:TRUE)"
is "wrong magic, left alone" "" \
    "$(frames etherbone -r "$work/magic.pcap" -o etherbone.by_port:TRUE -o etherbone.magic_only:TRUE)"

# A datagram quoted by an ICMP error is no new packet.
capture quote.pcap <<'LINES'
udp 1.0 10.0.0.1:40000 10.0.0.2:60368 4e6f1044280f00010000800000001000
quote 1.1 10.0.0.1:40000 10.0.0.2:60368 4e6f1044280f00010000800000001000
udp 1.2 10.0.0.2:60368 10.0.0.1:40000 4e6f14440a0f010000008000cafe0001
LINES
is "quotes are shown" "1 2 3" "$(frames etherbone -r "$work/quote.pcap")"
is "quotes are not counted" "3" "$(frames etherbone.response_to -r "$work/quote.pcap")"
is "quotes make nothing ambiguous" "" "$(frames etherbone.ambiguous -r "$work/quote.pcap")"

# Every length of a packet: shorter packets, then longer ones that the capture cut.
whole=4e6f108800000000a8ff020100000000000000000000100000000000deadbeef0123456789abcdef00000000000080000000000000001008080f000000000000
for ((n = 2; n <= ${#whole}; n += 2)); do
    echo "udp $((n / 2)) 10.0.0.1:40000 10.0.0.2:60368 ${whole:0:n}"
done | capture short.pcap
for ((n = 2; n <= ${#whole}; n += 2)); do
    echo "udp $((n / 2)) 10.0.0.1:40000 10.0.0.2:60368 $whole $((n / 2))"
done | capture cut.pcap
num=$((${#whole} / 2)) ours=(-o etherbone.by_port:TRUE)
for file in short cut; do
    out=$(ts -r "$work/$file.pcap" "${ours[@]}" -V 2>&1)
    lacks "$file: no dissector bug" "Dissector bug" "$out"
    lacks "$file: no exception" "Malformed Packet" "$out"
    is "$file: all shown" "$(seq -s' ' "$num")" "$(frames etherbone -r "$work/$file.pcap" "${ours[@]}")"
done
is "short: truncated, but at a record's end" "$(seq 1 "$num" | grep -vxE "8|56|$num" | paste -sd' ')" \
    "$(frames etherbone.truncated -r "$work/short.pcap" "${ours[@]}")"
is "cut: the capture's doing" "$(seq -s' ' $((num - 1)))" \
    "$(frames etherbone.capture_cut -r "$work/cut.pcap" "${ours[@]}")"
is "cut: nobody else's" "" "$(frames 'etherbone.truncated || _ws.expert.severity == "Error"' -r "$work/cut.pcap")"
finish
