#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A run that goes on stands in Wireshark's list of interfaces, and what is captured there is dissected and is what the
# evidence holds. One more argument: the command.
. "$(dirname "$0")/testing/lib.sh"
command -v dumpcap >/dev/null || { echo "skipped: no dumpcap"; exit 77; }
goldwire=$work/goldwire
cp "$4" "$goldwire" && chmod a+rx "$goldwire"
mkdir -m 700 "$work/run" && mkdir -m 777 "$work/out"
[ ${#as_user[@]} = 0 ] || chown 65534:65534 "$work/run"
unset GOLDWIRE_WATCHABLE
export XDG_RUNTIME_DIR=$work/run

# as ARGS... runs a program as tshark is run.
as() {
    "${as_user[@]}" env HOME="$work/home" XDG_CONFIG_HOME="$work/home" "$@"
}

# listed FILTER: the interfaces of goldwire that tshark -D lists.
listed() {
    ts -D 2>/dev/null | grep -o "$1.*"
}

as "$goldwire" extcap --install >"$work/log" || is "--install" "" "$(cat "$work/log")"
is "nothing runs" "" "$(listed 'goldwire-1 ')"

# A board that is served: nothing is said until somebody looks on.
as "$goldwire" certify --serve tcp://127.0.0.1:0 --role etherbone-master --wait 120 --case eb-m/counts --case eb-m/probe-id \
    --out "$work/out/evidence" >"$work/served" 2>"$work/served.err" &
run=$!
for _ in $(seq 1200); do
    grep -q waiting "$work/served.err" && break
    sleep 0.05
done
name=$(as "$goldwire" extcap 2>&1 | sed -n 's/ .*tcp:.*//p')
has "listed" "goldwire certify etherbone-master at tcp://127.0.0.1:0, since " "$(listed "$name ")"
ts -i "$name" -w "$work/out/live.pcapng" >"$work/tshark" 2>&1 &
tshark=$!
# tshark says that it captures before it does; the run has let nobody in before its first packet.
for _ in $(seq 1200); do
    [ -s "$work/out/live.pcapng" ] && break
    sleep 0.05
done
url=$(sed -n 's/^waiting for the board at //p' "$work/served.err")
for _ in 1 2; do
    as "$goldwire" peer etherbone-master --to "$url" >"$work/peer" || has "the board" "" "$(cat "$work/peer")"
done
wait $run || is "the run" 0 $?
wait $tshark || is "tshark" "" "$(cat "$work/tshark")"
has "the run" "2 cases: 2 PASS" "$(cat "$work/served")"

# shown FILE...: what tshark shows of them, each once: when, which way, from where to where, which bytes, what they are.
shown() {
    local file
    for file; do
        ts -r "$file" -Y tcp -T fields -e frame.time_epoch -e frame.packet_flags_direction -e tcp.srcport -e tcp.dstport \
            -e tcp.payload -e _ws.col.Protocol -e _ws.col.Info 2>/dev/null
    done | sed 's/Seq=[0-9]*//; s/Ack=[0-9]*//' | sort -u
}
mapfile -t files < <(find "$work/out/evidence" -name '*.pcapng')
is "what is seen is the evidence" "$(shown "${files[@]}")" "$(shown "$work/out/live.pcapng")"
has "it is dissected" "EtherBone" "$(shown "$work/out/live.pcapng")"
has "the case" "eb-m/counts: The counts of a record match the words that follow it" \
    "$(ts -r "$work/out/live.pcapng" -Y frame.comment -T fields -e frame.comment 2>/dev/null)"
is "the interface" "goldwire" "$(ts -r "$work/out/live.pcapng" -c 1 -T fields -e frame.interface_name 2>/dev/null)"
finish
