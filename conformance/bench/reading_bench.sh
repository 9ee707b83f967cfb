#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# reading_bench.sh RELEASE [ROW...]: what reading captures costs beside its limit, with an aim for each figure: the
# taps of the Wireshark plugin (taps), a line a message (brief), an object a message (json), many captures at once
# (many), and what a live capture loses (live). The two of a row take turns, and processor time is compared, so that
# what else the machine does falls on both; but many captures at once are to take less time, whoever works.
set -euo pipefail
release=$(readlink -f "$1")
shift
rows=" ${*:-taps brief json many live} "
packets=${GW_BENCH_PACKETS:-1000000}
rounds=${GW_BENCH_ROUNDS:-7}
goldwire=$release/conformance/goldwire
bench=$release/conformance/capture_bench
cd "$(dirname "$0")/../.."

dir=$(mktemp -d)
# What is written lies in memory where it can: the figures are no disk's.
memory=$(mktemp -d -p /dev/shm 2>/dev/null) || memory=$dir
trap 'rm -rf "$dir" "$memory"' EXIT
chmod 755 "$dir"

# What is measured of a command: its processor time, or how long it takes.
measured='%U %S'

# seconds COMMAND... prints that time.
seconds() {
    local TIMEFORMAT=$measured spent
    spent=$({ time "$@" >/dev/null 2>"$dir/said" </dev/null; } 2>&1) || { cat "$dir/said" >&2; return 1; }
    awk -v s="$spent" 'BEGIN { split(s, t, " "); printf "%.3f\n", t[1] + t[2] }'
}

median() {
    sort -n | awk '{ t[NR] = $1 } END { printf "%.3f\n", (t[int((NR + 1) / 2)] + t[int(NR / 2) + 1]) / 2 }'
}

# verdict RATIO AIM prints what is aimed at, and names a miss. An empty AIM is none.
verdict() {
    [[ -n $2 ]] || return 0
    awk -v r="$1" -v aim="$2" 'BEGIN { printf "aim at most %s%s", aim, (r > aim ? ": missed" : "") }'
}

# beside NAME AIM PACKETS LIMIT_COMMAND COMMAND prints the medians of both and their ratio; the commands are words
# without blanks inside.
beside() {
    local name=$1 aim=$2 num=$3 limit command low high
    read -ra limit <<<"$4"
    read -ra command <<<"$5"
    : >"$dir/limit"
    : >"$dir/own"
    for ((i = 0; i < rounds; i++)); do
        seconds "${limit[@]}" >>"$dir/limit" || return 1
        seconds "${command[@]}" >>"$dir/own" || return 1
    done
    low=$(median <"$dir/limit")
    high=$(median <"$dir/own")
    awk -v n="$name" -v a="$low" -v b="$high" -v num="$num" \
        'BEGIN { printf "  %-34s %8.3f s %8.3f s %6.2f x  %7.0f ns a packet  ", n, a, b, b / a, b * 1e9 / num }'
    verdict "$(awk -v a="$low" -v b="$high" 'BEGIN { printf "%.2f", b / a }')" "$aim"
    echo
}

# Wireshark as root ignores plugin folders that are not its own, so tshark runs as nobody where that is needed.
taps() {
    local plugins=$release/wireshark-plugins unprivileged="" tshark format file num=$((packets / 5)) listen z
    if ! command -v tshark >/dev/null || [[ ! -d $plugins ]]; then
        echo "the plugin's taps: not measured, for there is no tshark or no plugin"
        return 0
    fi
    cp -r "$plugins" "$dir/plugins"
    mkdir -m 777 "$dir/home"
    ((EUID != 0)) || unprivileged="setpriv --reuid=65534 --regid=65534 --clear-groups"
    tshark="$unprivileged env HOME=$dir/home WIRESHARK_PLUGIN_DIR=$dir/plugins tshark -n"
    echo "tshark, one line a packet, $num packets: without and with every tap of the format"
    for file in etherbone/timing etherbone/records op2p/op2p-exchange l1farm/l1farm-run \
        textarossa/textarossa-link ims/ims-session; do
        format=${file%%/*}
        "$bench" again "pcaps/$file.pcapng" "$num" "$dir/taps.pcap"
        chmod -R a+rX "$dir"
        listen=""
        for z in "$format,tree" "$format.findings,tree" "$format.answers,tree" "$format,srt" "conv,$format" \
            "endpoints,$format"; do
            listen+=" -z $z"
        done
        beside "${file#*/}" 1.15 "$num" "$tshark -r $dir/taps.pcap" "$tshark$listen -r $dir/taps.pcap"
    done
    # What Wireshark's own taps cost beside its own dissector, for comparison.
    "$bench" dns "$num" "$dir/taps.pcap"
    chmod a+r "$dir/taps.pcap"
    listen=" -z dns,tree -z conv,udp -z endpoints,udp"
    beside "DNS by Wireshark itself" "" "$num" "$tshark -r $dir/taps.pcap" "$tshark$listen -r $dir/taps.pcap"
}

brief() {
    "$bench" etherbone "$packets" "$dir/brief.pcap"
    echo "a capture of $packets packets: libpcap's own loop, and a line a message"
    beside "decode --brief" 4 "$packets" "$bench loop $dir/brief.pcap" "$goldwire decode --brief $dir/brief.pcap"
    beside "decode --brief --frames 1-" 4 "$packets" "$bench loop $dir/brief.pcap" \
        "$goldwire decode --brief --frames 1- $dir/brief.pcap"
    beside "decode --brief --filter, by a field" 4 "$packets" "$bench loop $dir/brief.pcap" \
        "$goldwire decode --brief --filter etherbone.record.wcount==8 $dir/brief.pcap"
}

json() {
    local num=$((packets / 100))
    if ! command -v jq >/dev/null; then
        echo "an object a message: not measured, for there is no jq"
        return 0
    fi
    "$bench" etherbone "$num" "$dir/json.pcap"
    "$goldwire" decode --json "$dir/json.pcap" >"$memory/json"
    echo "an object a message, $num messages: jq -c reading them, and decode --json writing them"
    beside "decode --json" 1 "$num" "jq -c . $memory/json" "$goldwire decode --json $dir/json.pcap"
}

# Some captures for each processor, so that the last one alone does not decide.
many() {
    local verb i num=$((packets / 4)) some=4 processors files=""
    processors=$(nproc)
    local measured='%R'
    "$bench" etherbone "$num" "$memory/0.pcap"
    for ((i = 0; i < some * processors; i++)); do
        [[ $i == 0 ]] || cp "$memory/0.pcap" "$memory/$i.pcap"
        files+=" $memory/$i.pcap"
    done
    echo "$((some * processors)) captures of $num packets: one after the other, and $processors at once; how long it takes"
    for verb in check stats; do
        beside "$verb" "$(awk -v n="$processors" 'BEGIN { printf "%.2f", 1.2 / n }')" $((num * some * processors)) \
            "$goldwire $verb --jobs 1$files" "$goldwire $verb --jobs $processors$files"
    done
}

# In a network namespace of our own, whose veth pair nobody else uses.
live() {
    # tcpdump as root changes its user, which a user namespace does not allow
    local a_call verb
    apart=(unshare --net)
    ((EUID == 0)) || apart=(unshare --net --map-current-user --keep-caps)
    if ! command -v tcpdump >/dev/null || ! "${apart[@]}" ip link add gwa type veth peer name gwb 2>/dev/null; then
        echo "a live capture: not measured, for there is no tcpdump, no network namespace, no veth, or no iproute2"
        return 0
    fi
    "$bench" etherbone "$((packets / 2))" "$memory/live.pcap"
    echo "a live capture, and tcpdump -w beside it, $((packets / 2)) packets as fast as they can be sent"
    for a_call in 1 8 64; do
        for verb in check 'decode --brief' 'decode --json' decode; do
            live_at "$a_call" "$verb"
        done
    done
}

# live_at N VERB sends N packets a call to goldwire VERB.
live_at() {
    "${apart[@]}" bash -s "$goldwire" "$bench" "$memory" "$rounds" "$@" <<'WITHIN' >"$dir/live"
set -euo pipefail
goldwire=$1 bench=$2 memory=$3 rounds=$4 a_call=$5
read -ra verb <<<"$6"
told=/dev/null
[[ $6 != check ]] || told=$memory/told # decode tells what it lost elsewhere
stays=()
((EUID != 0)) || stays=(-Z root)
until_says() { for ((n = 0; n < 200; n++)); do ! grep -qF -- "$2" "$1" || return 0; sleep 0.05; done; cat "$1" >&2; exit 1; }
ip link add gwa type veth peer name gwb
ip link set gwa up
ip link set gwb up
for ((i = 0; i < rounds; i++)); do
    "$goldwire" "${verb[@]}" --live gwa >"$told" 2>"$memory/ours" &
    ours=$!
    tcpdump "${stays[@]}" -n -i gwa -w "$memory/tcpdump.pcap" 2>"$memory/theirs" &
    theirs=$!
    until_says "$memory/ours" 'capturing on'
    until_says "$memory/theirs" 'listening on'
    rate=$("$bench" send gwb "$memory/live.pcap" "$a_call")
    sleep 1 # for both to read what the kernel kept
    kill -TERM $ours $theirs # not INT, which who runs in the background may have to ignore
    wait $ours $theirs || true
    lost=$(cat "$memory/ours" "$told" | sed -n 's/.* \([0-9]*\) frames \(were \)\?dropped.*/\1/p')
    echo "$rate ${lost:-0}" \
        "$(sed -n 's/^\([0-9]*\) packets dropped by kernel.*/\1/p' "$memory/theirs")"
done
WITHIN
    local rate ours theirs
    rate=$(awk '{ print $1 }' "$dir/live" | median)
    ours=$(awk '{ print $2 }' "$dir/live" | median)
    theirs=$(awk '{ print $3 }' "$dir/live" | median)
    printf '  %2d a call, %.0f packets/s: %s lost %.0f, tcpdump %.0f  ' "$1" "$rate" "$2" "$ours" "$theirs"
    verdict "$ours" "$(printf '%.0f' "$theirs")"
    echo
}

for row in taps brief json many live; do
    [[ $rows != *" $row "* ]] || "$row"
done
