#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Frames, buffers and events put together by the plugin hold the bytes that `goldwire decode` shows piece by piece; what lacks
# one, and what was sent twice, is told apart. Two more arguments: the command, the source folder.
. "$(dirname "$0")/testing/lib.sh"
goldwire=$4
source_dir=$5

# wholes prints what the pieces of $work/json make, in hexadecimal, a whole a line: `frame` by InfiniBand's opcodes, `event`
# by offsets in a buffer.
wholes() {
    awk -v what="$1" '
        function number(name,    text) {
            if (!match($0, "\"name\":\"" name "\",(\"path\":\"[^\"]*\",)?\"value\":[0-9]+")) return -1
            text = substr($0, RSTART, RLENGTH)
            sub(/.*:/, "", text)
            return text + 0
        }
        function bytes(name,    text) {
            if (!match($0, "\"name\":\"" name "\",\"path\":\"[^\"]*\",\"value\":\"[0-9a-f]*\"")) return ""
            text = substr($0, RSTART, RLENGTH)
            sub(/"$/, "", text); sub(/.*"/, "", text)
            return text
        }
        what == "frame" {
            opcode = number("ims.bth.opcode")
            if (opcode < 38 || opcode > 43) next
            qp = number("ims.bth.dest_qp")
            psn = number("ims.bth.psn")
            if (opcode == 38 || opcode == 42 || opcode == 43) {
                open[qp] = ""
                whole[qp] = 1
            } else if (psn != last[qp] + 1) {
                whole[qp] = 0
            }
            last[qp] = psn
            open[qp] = open[qp] bytes("ims.data.payload")
            if (opcode != 38 && opcode != 39 && whole[qp]) print open[qp]
        }
        what == "event" && number("l1farm.tunnel.kind") == 0 {
            place = number("l1farm.tunnel.dest") " " number("l1farm.tunnel.buffer") " " number("l1farm.tunnel.event")
            match($0, /"payload":"[0-9a-f]*"/)
            data = substr($0, RSTART + 11 + 40, RLENGTH - 12 - 40)
            at = 2 * number("l1farm.tunnel.offset")
            while (length(open[place]) < at) open[place] = open[place] "00"
            open[place] = substr(open[place], 1, at) data substr(open[place], at + length(data) + 1)
        }
        END { if (what == "event") for (place in open) print open[place] }' "$work/json" | sort
}

# saved prints what tshark saves of $work/trace, in hexadecimal, a file a line.
saved() {
    rm -rf "$work/saved"
    mkdir -m 777 "$work/saved"
    ts -2 -q -r "$work/trace" --export-objects "$proto,$work/saved" "$@" >/dev/null 2>"$work/noise"
    find "$work/saved" -type f -exec sh -c 'for f; do od -An -v -tx1 "$f" | tr -d " \n"; echo; done' sh {} + | sort
}

# take NAME makes it $work/trace and $work/json.
take() {
    cp "$source_dir/pcaps/$proto/$1.pcapng" "$work/trace" && chmod a+r "$work/trace"
    "$goldwire" decode --json "$work/trace" >"$work/json" 2>/dev/null
}

# shown ARGS... prints frame, where its whole ends, and of a whole its bytes and pieces.
shown() {
    ts -2 -r "$work/trace" -T fields -E separator=' ' -e frame.number -e "$proto.object.ends_in" -e "$proto.object.len" \
        -e "$proto.object.pieces" -Y "$proto.object.len || $proto.object.ends_in" "$@" 2>/dev/null
}

proto=ims
for name in ims-session ims-images; do
    take "$name"
    is "$name: frames" "$(wholes frame)" "$(saved)"
    [ -s "$work/json" ] && [ -n "$(wholes frame)" ] || is "$name: there are frames" yes no
done
take ims-session
is "a frame in pieces" "5 8  
6 8  
7 8  
8  256 4" "$(shown | head -n 4)"
has "a tab of its own" "Reassembled frame (256 bytes):" "$(ts -r "$work/trace" -Y 'frame.number == 8' -x)"
take ims-nacks
is "a frame that lacks a packet is none" "9 12  " "$(shown | head -n 1)"

proto=l1farm
take l1farm-run
is "l1farm-run: events" "$(wholes event)" "$(saved)"

# A buffer of three packets; the second one is sent again, and then another buffer follows. Bytes of a double word are
# turned round in memory.
proto=op2p
write() { echo "udp $1 10.0.0.1:50000 10.0.0.2:50000 4f3201000000${4}00420041${2}00c0ffe0000400f0$3"; }
{
    write 1.0 00002000 11223344 0001
    write 1.1 00002004 55667788 0002
    write 1.2 00002004 55667788 0003
    write 1.3 00002008 99aabbcc 0004
    write 1.4 00003000 01020304 0005
} | capture trace
is "a buffer with a packet sent twice" "04030201
4433221188776655ccbbaa99" "$(saved -d udp.port==50000,op2p)"
is "its pieces" "1 4  
2 4  
3 4  
4  12 3
5  4 1" "$(shown -d udp.port==50000,op2p)"
capture trace </dev/null
is "nothing in an empty capture" "" "$(saved)"
finish
