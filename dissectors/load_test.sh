#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The plugin is found, and brings its fields, ports and preferences.
. "$(dirname "$0")/testing/lib.sh"

has "plugin is loaded" "goldwire.so" "$(ts -G plugins)"
noise=$(ts -G plugins 2>&1 >/dev/null | grep -v '^Running as user')
is "nothing is complained about" "" "$noise"

ts -G fields >"$work/fields"
for field in magic version nr pr pf addr_width port_width probe_id record record.bca record.rca \
    record.rff record.cyc record.wca record.wff record.byte_enable record.wcount record.rcount \
    record.padding header_padding write.base write.value write.padding read.base read.addr undecoded \
    response_to response_in response_time unanswered duplicate duplicate_of stale unsolicited \
    ambiguous untracked forwards forwarded_in lost_before truncated malformed unsupported capture_cut waived \
    eb-s01 eb-s50 eb-m01 eb-m27; do
    is "field $field" 1 "$(cut -f3 "$work/fields" | grep -cx "etherbone.$field" | sed 's/^[2-9]$/1/')"
done
undescribed=$(awk -F'\t' '$1 == "F" && $5 == "etherbone" && $4 != "FT_NONE" && $8 == ""' "$work/fields")
is "every field is described" "" "$undescribed"
has "descriptions name the clause" "(spec 5.1.2, Record Header: ByteEnable)" "$(grep 'etherbone\.record\.byte_enable' "$work/fields")"

ts -G currentprefs | grep "^#etherbone" >"$work/prefs"
has "dialect" "etherbone.dialect: strict" "$(cat "$work/prefs")"
ts -G decodes | grep "	etherbone" | cut -f1,2 | sort >"$work/decodes"
is "ports" "tcp.port	1234
tcp.port	60368
tcp.port	8183
udp.port	1234
udp.port	60368
udp.port	8183" \
    "$(cat "$work/decodes")"
has "heuristic" "$(printf 'udp\tetherbone')" "$(ts -G heuristic-decodes)"

capture other_port.pcap <<'LINES'
udp 1.0 10.0.0.1:40000 10.0.0.2:7777 4e6f144408
tcp 1.1 10.0.0.1:40000 10.0.0.2:7777 1000 0 S -
tcp 1.2 10.0.0.1:40000 10.0.0.2:7777 1001 1 A 4e6f114400000001
LINES
is "a foreign port is left alone" "" "$(frames etherbone -r "$work/other_port.pcap")"
is "Decode As, UDP" 1 "$(frames etherbone -r "$work/other_port.pcap" -d udp.port==7777,etherbone)"
is "Decode As, TCP" 3 "$(frames etherbone -r "$work/other_port.pcap" -d tcp.port==7777,etherbone)"
is "port preference, UDP" 1 "$(frames etherbone -r "$work/other_port.pcap" -o etherbone.udp.port:7777)"
is "port preference, TCP" 3 "$(frames etherbone -r "$work/other_port.pcap" -o etherbone.tcp.port:7000-8000)"

# The profile: its columns, colours and filter buttons all work.
mkdir -p "$work/home/wireshark/profiles"
cp -r "$(dirname "$0")/profile/goldwire" "$work/home/wireshark/profiles/"
chmod -R a+rwX "$work/home"
capture talk.pcap <<'LINES'
udp 1.000 10.0.0.1:40000 10.0.0.2:60368 4e6f1044280f00010000800000001000
udp 1.250 10.0.0.2:60368 10.0.0.1:40000 4e6f14440a0f010000008000cafe0001
LINES
for trace in op2p-exchange-frames textarossa-udp; do
    cp "$(dirname "$0")/../pcaps/${trace%%-*}/$trace.pcapng" "$work/$trace" && chmod a+r "$work/$trace"
done
is "profile: columns, OP2P" 2 "$(ts -C goldwire -r "$work/op2p-exchange-frames" -Y frame.number==3 | awk '{ print $7 }')"
is "profile: columns, TEXTAROSSA" "6 5 0.001000000" \
    "$(LC_ALL=C.UTF-8 ts -C goldwire -r "$work/textarossa-udp" -Y frame.number==6 | awk '{ print $1, $7, $8 }')"
is "profile: columns" "    2 0.250000000     10.0.0.2 → 10.0.0.1     EtherBone 1 0.250000000 58 Reply 1 @ 0x8000 FIFO" \
    "$(LC_ALL=C.UTF-8 ts -C goldwire -r "$work/talk.pcap" -Y frame.number==2)"
capture link.pcap <<'LINES'
tcp 1.000 10.0.0.1:40000 10.0.0.2:50000 1000 0 S -
tcp 1.100 10.0.0.2:50000 10.0.0.1:40000 5000 1001 SA -
tcp 1.200 10.0.0.1:40000 10.0.0.2:50000 1001 5001 A 4040000101000000000000000000004d4040000101000000000000000000004d4040000101000000000000000000004d
LINES
is "profile: APElink over TCP" 3 "$(frames textarossa.credit -C goldwire -r "$work/link.pcap")"
is "elsewhere nothing takes it for that" "" "$(frames textarossa.credit -r "$work/link.pcap")"
noise=$(ts -C goldwire --color -r "$work/talk.pcap" 2>&1 >/dev/null | grep -v '^Running as user')
is "profile: nothing is complained about" "" "$noise"
grep '^@' "$work/home/wireshark/profiles/goldwire/colorfilters" | cut -d@ -f3 >"$work/filters"
sed -n 's/^"TRUE","[^"]*","\([^"]*\)".*/\1/p' "$work/home/wireshark/profiles/goldwire/dfilter_buttons" |
    sed 's/\\x22/"/g' >>"$work/filters"
# Which tables of conversations are open at first; a name that nobody has would be left out without a word.
ts -G protocols | cut -f2 >"$work/protocols"
for what in conversation endpoint; do
    sed -n "s/^gui.${what}_tabs: //p" "$(dirname "$0")/profile/goldwire/recent" | tr ',' '\n' | sed -E 's/^ *"(.*)"$/\1/' >"$work/tabs"
    is "profile: tabs of ${what}s" 6 "$(grep -cxFf "$work/tabs" "$work/protocols")"
done
is "profile: filters" yes "$([ "$(wc -l <"$work/filters")" -ge 42 ] && echo yes)"
while IFS= read -r filter; do
    is "filter $filter" "" "$(ts -r "$work/talk.pcap" -Y "$filter" 2>&1 >/dev/null | grep -v '^Running as user')"
done <"$work/filters"
finish
