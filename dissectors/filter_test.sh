#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `goldwire decode --filter` and a display filter of tshark with the plugin choose the same frames. Two more arguments: the
# command, the source folder.
. "$(dirname "$0")/testing/lib.sh"
goldwire=$4
source_dir=$5

# agree FILE FORMAT FILTER: of a golden trace with one message a frame, which frames are the format's and match. Both choose
# some and leave some.
agree() {
    local all chosen file=$source_dir/pcaps/$1
    cp "$file" "$work/golden" && chmod a+r "$work/golden"
    all=$(ts -r "$work/golden" -Y "$2" -T fields -e frame.number 2>/dev/null)
    chosen=$(ts -r "$work/golden" -Y "$2 && ($3)" -T fields -e frame.number 2>"$work/noise")
    is "$1: $3" "$chosen" "$("$goldwire" decode --brief --filter "$2 && ($3)" "$file" 2>/dev/null | sed 's/ .*//')"
    if [ -z "$chosen" ] || [ "$chosen" = "$all" ]; then
        printf 'FAIL %s: %s tells nothing apart\n' "$1" "$3"
        failures=$((failures + 1))
    fi
}

for filter in 'etherbone.record.rcount > 0' 'etherbone.record.rcount != 0' 'etherbone.record' '!etherbone.record.rcount' \
    'not etherbone.record.rcount == 1' 'etherbone.nr == 1 or etherbone.pf == True' 'etherbone.magic != 0x4e6f' \
    'etherbone.magic == 047157 && etherbone.version == 1 && etherbone.nr == 0' 'etherbone.magic ne 20079 or etherbone.pf eq 1' \
    'etherbone.nr == 1 or etherbone.version == 1 and etherbone.pf == 1' \
    '(etherbone.nr == 1 or etherbone.version == 1) and !etherbone.pf == 1' '!!etherbone.undecoded' \
    'frame.number >= 3 && frame.number lt 9' 'etherbone.undecoded contains 00'; do
    agree etherbone/broken.pcapng etherbone "$filter"
done
# What the plugin has and the command does not is told to be Wireshark's, and not taken for a slip: each name once, whatever
# the format, many in a filter.
ts -G fields 2>/dev/null | cut -f3 | grep -E '^(etherbone|op2p|textarossa|ims|l1farm)\.' |
    awk '{ name = $0; sub(/^[^.]*\./, "", name); sub(/[0-9]+$/, "", name) } !seen[name]++' >"$work/names"
theirs=0
mapfile -t names <"$work/names"
while [ ${#names[@]} -gt 0 ]; do
    some=("${names[@]:0:25}")
    if "$goldwire" decode --filter "$(printf '%s or ' "${some[@]}")etherbone" "$source_dir/pcaps/etherbone/probe.pcapng" \
        >"$work/out" 2>"$work/err"; then
        names=("${names[@]:25}")
        continue
    fi
    name=$(sed -n "s/.*'\(.*\)' is Wireshark's alone.*/\1/p" "$work/err")
    [ -n "$name" ] || { is 'names that are nowhere' '' "$(cat "$work/err")"; break; }
    theirs=$((theirs + 1))
    mapfile -t names < <(printf '%s\n' "${names[@]}" | grep -vxF -- "$name")
done
[ "$theirs" -gt 40 ] || is "names that are Wireshark's" 'more than 40' "$theirs"
# Many values of one field in a message.
for filter in 'etherbone.write.value == 0x03030303' 'etherbone.write.value != 0x03030303' 'etherbone.write.value > 0x03030303'; do
    agree etherbone/records.pcapng etherbone "$filter"
done
for filter in 'op2p.type == 0x2' 'op2p.type == "read completion"' 'op2p.src.chassis <= 1 && op2p.byte_count ge 8' \
    'op2p.payload' 'op2p.payload contains 22:33'; do
    agree op2p/op2p-broken.pcapng op2p "$filter"
done
# Addresses, as people write them.
for filter in 'textarossa.dest_addr.ip == 192.0.2.2' 'textarossa.dest_addr.ip != 192.0.2.2' 'textarossa.dest_addr.ip >= 192.0.2.3'; do
    agree textarossa/textarossa-udp-headers.pcapng textarossa "$filter"
done
finish
