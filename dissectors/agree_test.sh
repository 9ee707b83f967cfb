#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# tshark with the plugin and `goldwire decode` say the same: of every golden trace, of thousands of
# packets that are whole, cut or broken, in every dialect, and of streams. Three more arguments: the
# comparing program, the command, the source folder.
. "$(dirname "$0")/testing/lib.sh"
agree=$4
goldwire=$5
source_dir=$6

proto=etherbone as=() # of whom, and what decode has to be told for it

# same NAME FILE DIALECT ARGS... compares what both say of $work/FILE.
same() {
    local name=$1 file=$work/$2 dialect=$3
    shift 3
    ts -r "$file" -o "$proto.dialect:$dialect" "$@" -Y "$proto" -T pdml >"$work/pdml" 2>"$work/noise"
    lacks "$name: no dissector bug" "Dissector bug" "$(cat "$work/pdml" "$work/noise")"
    # decode's exit code tells whether the capture breaks off, which is not at stake here. Registers are read over
    # EtherBone, whatever else a board speaks.
    "$goldwire" decode "${as[@]}" --dialect "$dialect" --json "$file" 2>"$work/noise" |
        { grep -F "\"proto\":\"$proto\"" || true; } >"$work/json"
    told=$("$agree" "$proto" "$work/pdml" "$work/json") && return
    printf 'FAIL %s\n%s\n---\n' "$name" "$told"
    failures=$((failures + 1))
}

for dialect in strict litex gsi libetherbone; do
    echo "etherbone 1500 $((${#dialect} + 1))" | capture mixed.pcap
    same "mixed, $dialect" mixed.pcap "$dialect"
done

capture talk.pcap <<'LINES'
udp 1.000 10.0.0.1:40000 10.0.0.2:60368 4e6f11ff00000007
udp 1.001 10.0.0.2:60368 10.0.0.1:40000 4e6f164400000007
udp 1.002 10.0.0.1:40000 10.0.0.2:60368 4e6f1044280f00010000800000001000
udp 1.003 10.0.0.1:40000 10.0.0.2:60368 4e6f1044280f00010000800200001004
udp 1.004 10.0.0.2:60368 10.0.0.1:40000 4e6f14440a0f010000008002cafe0002
udp 1.005 10.0.0.2:60368 10.0.0.1:40000 4e6f14440a0f010000008000cafe0001
udp 1.006 10.0.0.2:60368 10.0.0.1:40000 4e6f14440a0f010000008000cafe0001
udp 1.007 10.0.0.2:60368 10.0.0.1:40000 4e6f14440a0f010000008888cafe0001
udp 1.008 10.0.0.1:40000 10.0.0.2:60368 4e6f1044280f00010000800400001000
udp 1.009 10.0.0.2:60368 10.0.0.1:40000 4e6f1444000f010000008004cafe0001
LINES
same "a conversation" talk.pcap strict

stream=4e6f1044080f010000001000123456780a0f0301000020000000000100000002000000030000800000002000080f0100000030000badcafe
{
    echo "tcp 1.0 10.0.0.1:40000 10.0.0.2:60368 1000 0 S -"
    echo "tcp 1.1 10.0.0.2:60368 10.0.0.1:40000 5000 1001 SA -"
    for ((i = 0; i < ${#stream} / 2; i++)); do
        echo "tcp 2.$((100 + i)) 10.0.0.1:40000 10.0.0.2:60368 $((1001 + i)) 5001 A ${stream:$((2 * i)):2}"
    done
} | capture bytes.pcap
same "a byte a segment" bytes.pcap strict
same "a byte a segment, not reassembled" bytes.pcap strict -o tcp.desegment_tcp_streams:FALSE

# Golden traces, as the specification reads them and, where a device departs from it, as that one does.
num=0
while IFS= read -r -d '' trace; do
    cp "$trace" "$work/trace" && chmod a+r "$work/trace"
    dialects=strict
    case $(basename "$trace") in
        litex*) dialects="strict litex" ;;
        replies-zero-filled*) dialects="strict gsi" ;;
    esac
    for dialect in $dialects; do
        same "$(basename "$trace"), $dialect" trace "$dialect" -o tcp.reassemble_out_of_order:TRUE
    done
    num=$((num + 1))
done < <(find "$source_dir/pcaps/etherbone" -name '*.pcapng' -print0 2>/dev/null | sort -z)
is "there are golden traces of EtherBone" yes "$([ "$num" -gt 0 ] && echo yes)"

proto=op2p as=(--proto op2p)
num=0
while IFS= read -r -d '' trace; do
    cp "$trace" "$work/trace" && chmod a+r "$work/trace"
    dialect=strict
    [[ $trace != *vhdl* ]] || dialect=vhdl
    same "$(basename "$trace"), $dialect" trace "$dialect" -d udp.port==50000,op2p
    num=$((num + 1))
done < <(find "$source_dir/pcaps/op2p" -name '*.pcapng' -print0 2>/dev/null | sort -z)
is "there are golden traces of OP2P" yes "$([ "$num" -gt 0 ] && echo yes)"

# A run that the capture's end cuts short is shown in the second pass.
proto=textarossa as=()
num=0
while IFS= read -r -d '' trace; do
    cp "$trace" "$work/trace" && chmod a+r "$work/trace"
    dialect=strict
    for other in order-b order-c wide hls gu rtl; do
        [[ $trace != *"$other"* ]] || dialect=$other
    done
    same "$(basename "$trace"), $dialect" trace "$dialect" -2
    num=$((num + 1))
done < <(find "$source_dir/pcaps/textarossa" -name '*.pcapng' -print0 2>/dev/null | sort -z)
is "there are golden traces of TEXTAROSSA" yes "$([ "$num" -gt 0 ] && echo yes)"

proto=l1farm as=(--proto l1farm)
num=0
while IFS= read -r -d '' trace; do
    cp "$trace" "$work/trace" && chmod a+r "$work/trace"
    dialect=strict
    for other in crc-ffff hamming19 uncoded desc-top-down desc-prose final ode; do
        [[ $trace != *"$other"* ]] || dialect=$other
    done
    same "$(basename "$trace"), $dialect" trace "$dialect" -d udp.port==50000,l1farm -d udp.port==50001,l1farm
    num=$((num + 1))
done < <(find "$source_dir/pcaps/l1farm" -name '*.pcapng' -print0 2>/dev/null | sort -z)
is "there are golden traces of the Level-1 farm" yes "$([ "$num" -gt 0 ] && echo yes)"

# decode takes whatever comes over RoCEv2; so does the plugin when it is told to. Wireshark hands on neither packets
# of other services or of management, nor packets cut by the capture, nor what an LRH's length does not fit.
proto=ims
num=0
while IFS= read -r -d '' trace; do
    name=$(basename "$trace") as=() dialect=strict
    cp "$trace" "$work/trace" && chmod a+r "$work/trace"
    for other in status-be32 be32 order-auto v1-0 images; do
        [[ $name != *"$other"* ]] || { dialect=$other; break; }
    done
    [[ $name != ims-foreign* && $name != ims-truncated* && $name != ims-broken-native* ]] || continue
    told=(-o ims.unknown:TRUE)
    if [[ $name == *user0* ]]; then
        as=(--proto ims)
        told+=(-o op2p.user0:FALSE -o 'uat:user_dlts:"User 0 (DLT=147)","infiniband","0","","0",""')
    fi
    same "$name, $dialect" trace "$dialect" "${told[@]}"
    num=$((num + 1))
done < <(find "$source_dir/pcaps/ims" -name '*.pcapng' -print0 2>/dev/null | sort -z)
is "there are golden traces of IMS streaming" yes "$([ "$num" -gt 0 ] && echo yes)"
finish
