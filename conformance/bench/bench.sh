#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# bench.sh RELEASE FUZZ: every figure beside a limit or a peer measured in the same run. RELEASE is a release
# build, FUZZ a build with libFuzzer and sanitizers. Nothing here passes or fails: the ratios are for people.
set -euo pipefail
release=$(readlink -f "$1") fuzz=$(readlink -f "$2")
packets=${GW_BENCH_PACKETS:-1000000}
seconds=${GW_BENCH_SECONDS:-10}
goldwire=$release/conformance/goldwire

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"

# compare TITLE LIMIT_NAME LIMIT_COMMAND [NAME COMMAND]... prints medians and ratios to the first, and with $aim whether they
# are above it.
compare() {
    local title=$1 names=() commands=()
    shift
    while (($#)); do
        names+=("$1")
        commands+=("$2")
        shift 2
    done
    hyperfine --shell=none --warmup 1 --runs 7 --ignore-failure --export-csv "$dir/times.csv" --style none \
        "${commands[@]}" >"$dir/hyperfine.log" 2>&1 || { cat "$dir/hyperfine.log" >&2; return 1; }
    echo "$title"
    # the commands themselves may hold commas, so count the columns from the end: median is the 5th
    awk -F, 'NR > 1 { print $(NF - 4) }' "$dir/times.csv" | {
        local limit="" i=0 t
        while read -r t; do
            limit=${limit:-$t}
            awk -v n="${names[i]}" -v t="$t" -v l="$limit" -v p="$packets" -v i="$i" -v aim="${aim:-}" \
                'BEGIN { printf "  %-34s %9.3f s   %6.2f x  %9.0f packets/s%s\n", n, t, t / l, p / t,
                    (i == 0 || aim == "" ? "" : "  aim at most " aim " x" (t / l > aim ? ": missed" : "")) }'
            i=$((i + 1))
        done
    }
}

echo "goldwire $("$goldwire" --version | awk '{ print $NF }'), $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg)"
echo
"$release/conformance/codec_bench"
echo
"$release/conformance/words_bench"
echo
"$release/conformance/l1_bench"
echo
"$release/conformance/roundtrip_bench"
echo
"$release/conformance/transfer_bench"
echo

# spent NAME prints one of the parts that run.json divides a run's time into.
spent() {
    grep -oE "\"$1\": *[0-9.e-]+" "$dir/run/run.json" | head -n 1 | awk '{ print $NF }'
}

# certify_one HOW BOARD prints a line for the table.
certify_one() {
    rm -rf "$dir/run"
    local start=$EPOCHREALTIME whole
    "$goldwire" certify "$1" "peer:$2" --out "$dir/run" >"$dir/run.txt" 2>&1 || { cat "$dir/run.txt" >&2; exit 1; }
    whole=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')
    echo "$2 $(spent answers_s) $(spent silence_s) $(spent pauses_s) $(spent rest_s) $(spent duration_s) $whole"
}

echo "certify, software boards over loopback: where the seconds go"
printf '  %-24s %8s %8s %8s %8s %8s %8s\n' board answers silence pauses rest around whole
# Those that wait by themselves are certified a second time, in a hurry.
"$goldwire" peer --list --json | while IFS= read -r board; do
    role=$(sed -E 's/.*"role":"([^"]*)".*/\1/' <<<"$board")
    how=--dut
    [[ $board != *'"calls_us":true'* ]] || how=--serve
    certify_one "$how" "$role"
    [[ $board != *'"waits":true'* ]] || certify_one "$how" "$role?hurry=4"
done | awk -v aim=20 '
    { printf "  %-24s %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f\n", $1, $2, $3, $4, $5, $7 - $6, $7 }
    /\?/ { spared += last - $7; spared_quiet += last_quiet - $3 - $4; next }
    { all += $7; last = $7; last_quiet = $3 + $4; quiet += last_quiet }
    function line(what, s, of) {
        printf "  %s: %.2f s, %.2f x of the silence and the pauses alone  aim at most %d s%s\n", what, s, s / of, aim, (s > aim ? ": missed" : "")
    }
    END { line("all, as they are", all, quiet); line("all, those that can in a hurry", all - spared, quiet - spared_quiet) }'
echo "  (around: start of the program and the board, self-proof, reports and certificate)"
echo

bash "$(dirname "$0")/sim_bench.sh" "$release"
echo

"$release/conformance/capture_bench" etherbone "$packets" "$dir/etherbone.pcap"
aim=2.5 compare "a capture of $packets packets" \
    "libpcap's own loop" "$release/conformance/capture_bench loop $dir/etherbone.pcap" \
    "goldwire check" "$goldwire check $dir/etherbone.pcap"
echo

# tshark_captures writes what tshark reads: $packets of ours, and as many of DNS.
tshark_captures() {
    "$release/conformance/capture_bench" etherbone "$packets" "$dir/few.pcap"
    "$release/conformance/capture_bench" dns "$packets" "$dir/dns.pcap"
    chmod a+r "$dir/few.pcap" "$dir/dns.pcap"
}

tshark_lines() {
    tshark_captures
    compare "tshark, one line a packet, $packets packets" \
        "no dissector for the port (Data)" "$tshark --disable-protocol etherbone -r $dir/few.pcap" \
        "Wireshark's DNS dissector" "$tshark -r $dir/dns.pcap" \
        "the goldwire plugin" "$tshark -r $dir/few.pcap"
}

tshark_trees() {
    tshark_captures
    compare "tshark -V, every field as text, $packets packets" \
        "Wireshark's DNS dissector" "$tshark -V -r $dir/dns.pcap" \
        "the goldwire plugin" "$tshark -V -r $dir/few.pcap"
}

# Wireshark as root ignores plugin folders that are not its own, so tshark runs as nobody where that is needed.
plugins=$release/wireshark-plugins
if command -v tshark >/dev/null && [[ -d $plugins ]]; then
    cp -r "$plugins" "$dir/plugins"
    chmod -R a+rX "$dir"
    mkdir -m 777 "$dir/home"
    unprivileged=""
    ((EUID != 0)) || unprivileged="setpriv --reuid=65534 --regid=65534 --clear-groups"
    tshark="$unprivileged env HOME=$dir/home WIRESHARK_PLUGIN_DIR=$dir/plugins tshark -n"
    # A packet costs tshark as much as goldwire a hundred, so that fewer of them measure it as well, and the bench ends.
    packets=$((packets / 4)) tshark_lines
    packets=$((packets / 20)) tshark_trees
    echo
fi

bash "$(dirname "$0")/reading_bench.sh" "$release"
echo

bash "$(dirname "$0")/../../fuzz/bench/rates.sh" "$fuzz" "$seconds"
