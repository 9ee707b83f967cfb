#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# scale.sh RELEASE RESULTS.tsv [ROW...]: how the processor time of a packet, and memory, grow with a capture's length, with
# connections, endpoints, requests that are under way and findings, of each format; and that of a run with its cases.
# Captures go through a pipe and leave nothing on the disk. A row whose points differ by more than its aim is named.
# GW_SCALE_BYTES: the longest capture (4 GB); GW_BENCH_ROUNDS: of which the median is taken (3).
set -euo pipefail
release=$(readlink -f "$1") results=$2
shift 2
rows=" ${*:-length connections open endpoints requests findings cases} "
longest=${GW_SCALE_BYTES:-4000000000}
rounds=${GW_BENCH_ROUNDS:-3}
packets=${GW_BENCH_PACKETS:-1000000}
goldwire=$release/conformance/goldwire
bench=$release/conformance/scale_bench
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

median() {
    sort -n | awk '{ t[NR] = $1 } END { printf "%.1f\n", (t[int((NR + 1) / 2)] + t[int(NR / 2) + 1]) / 2 }'
}

# point ROW X KIND PACKETS ENDS OPEN EVERY measures once: a line of $dir/taken. What the program's start takes is left out.
point() {
    local row=$1 x=$2 line
    shift 2
    line=$("$bench" run "$@" "$goldwire" check) || return 1
    awk -v OFS='\t' -v FS='\t' -v row="$row" -v x="$x" -v start="$start" \
        '{ own = $8 - start / $2; print row, $1, x, $2, $6, $7, (own > 0 ? own : 0), $9 }' <<<"$line" >>"$dir/taken"
}

# points ROW KIND takes all points of a row once.
points() {
    local row=$1 kind=$2 x bytes
    case $row in
    length)
        bytes=$("$bench" run "$kind" 10000 1 1 0 "$goldwire" check | cut -f6)
        for x in 1000000 16000000 256000000 "$longest"; do
            # what takes long is measured once: it is a mean over many packets anyway
            ((x < 100000000 || turn == 0)) || continue
            point length "$x" "$kind" $((x / (bytes / 10000))) 1 1 0
        done
        ;;
    connections)
        for x in 1 100 10000 $((packets / 10)); do point connections "$x" "$kind" "$packets" "$x" 16 0; done
        ;;
    open)
        for x in 1 16 100 1000 10000; do point open "$x" "$kind" "$packets" 20000 "$x" 0; done
        ;;
    endpoints)
        for x in 1 10 1000 100000 1000000; do
            point endpoints "$x" "$kind" $((x > packets ? 2 * x : 2 * packets)) "$x" 1 0
        done
        ;;
    requests)
        for x in 1 100 10000 100000; do point requests "$x" "$kind" $((2 * packets)) 10 "$x" 0; done
        ;;
    findings)
        for x in 0 1000 10 1; do
            # of a thousand requests so many break a rule
            point findings $((x == 0 ? 0 : 1000 / x)) "$kind" "$packets" 10 1 "$x"
        done
        ;;
    esac
}

# run_cases N: the processor time of a run of so many cases, in nanoseconds each, into $dir/taken.
run_cases() {
    local TIMEFORMAT='%U %S' spent globs=() id
    while read -r id; do globs+=(--case "$id"); done < <(head -n "$1" "$dir/cases")
    spent=$({ time "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' "${globs[@]}" --out "$dir/run" >/dev/null 2>&1 </dev/null; } 2>&1)
    rm -rf "$dir/run"
    awk -v s="$spent" -v n="$1" -v OFS='\t' \
        'BEGIN { split(s, t, " "); print "cases", "certify", n, n, 0, 0, (t[1] + t[2]) * 1e9 / n, 0 }' >>"$dir/taken"
}

echo "how it grows: processor time of check a packet, without the program's start; $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg)"
start=$(for ((i = 0; i < 9; i++)); do
    "$bench" run etherbone 2 1 1 0 "$goldwire" check | awk -F'\t' '{ print $8 * $2 }'
done | median)
: >"$dir/taken"
for ((turn = 0; turn < rounds; turn++)); do
    while read -r kind; do
        for row in length endpoints requests findings; do
            [[ $rows != *" $row "* || $kind == *-tcp ]] || points "$row" "$kind"
        done
        for row in length connections open findings; do
            [[ $rows != *" $row "* || $kind != *-tcp ]] || points "$row" "$kind"
        done
    done < <("$bench" kinds)
done
if [[ $rows == *" cases "* ]]; then
    "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --list | awk '/^eb-s\// { print $1 }' >"$dir/cases"
    for ((turn = 0; turn < rounds; turn++)); do
        for num in 1 10 50 "$(wc -l <"$dir/cases")"; do run_cases "$num"; done
    done
fi

{
    printf 'row\tformat\tx\tpackets\tbytes\tlimit_ns\tns\tkb\n'
    cut -f1-3 "$dir/taken" | awk '!seen[$0]++' | while IFS=$'\t' read -r row kind x; do
        awk -F'\t' -v r="$row" -v k="$kind" -v x="$x" '$1 == r && $2 == k && $3 == x' "$dir/taken" >"$dir/point"
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$row" "$kind" "$x" "$(cut -f4 "$dir/point" | tail -n 1)" \
            "$(cut -f5 "$dir/point" | tail -n 1)" "$(cut -f6 "$dir/point" | median)" \
            "$(cut -f7 "$dir/point" | median)" "$(cut -f8 "$dir/point" | median)"
    done
} >"$results"
bash "$(dirname "$0")/table.sh" "$results"
