#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# table.sh RESULTS.tsv prints what scale.sh has measured, a line a row and format: each point's x and nanoseconds a packet (of
# cases: milliseconds), the most memory, how far the points are apart, and what was missed. What findings and cases cost is
# their own, and not judged.
set -euo pipefail
awk -F'\t' -v aim=2 -v room=1.5 '
function show(ns) { return ns >= 1e6 ? sprintf("%.1f ms", ns / 1e6) : sprintf("%.0f", ns) }
function count(x) { return x >= 1e6 && x % 1e6 == 0 ? x / 1e6 "M" : x >= 1e3 && x % 1e3 == 0 ? x / 1e3 "k" : x }
function tell(  judged) {
    if (line == "")
        return
    judged = row != "findings" && row != "cases"
    printf "  %-12s %-14s %s", row, kind, line
    if (row != "cases")
        printf "  %.1f MB", most_kb / 1000
    if (judged)
        printf "  %.2f x%s%s", most / least, (most > aim * least ? ": bent, aim at most " aim : ""),
            (most_kb > room * least_kb ? ": memory grows" : "")
    print ""
}
NR == 1 { next }
$1 != row || $2 != kind { tell(); row = $1; kind = $2; line = ""; most = 0; least = 0; most_kb = 0; least_kb = 0 }
{
    line = line sprintf("%s%s: %s", (line == "" ? "" : "  "), count($3), show($7))
    if ($7 > most) most = $7
    if (least == 0 || $7 < least) least = $7
    if ($8 > most_kb) most_kb = $8
    if (least_kb == 0 || $8 < least_kb) least_kb = $8
}
END { tell() }' <(head -n 1 "$1"; tail -n +2 "$1" | sort -t$'\t' -s -k1,1 -k2,2 -k3,3g)
