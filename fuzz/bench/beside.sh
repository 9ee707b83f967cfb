#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: beside.sh SECONDS TABLES BYTES
# Two files of planted.sh, of searches with mutation from the tables and byte by byte: of each fault and target that both
# looked for, and that an input of the corpus does not show, how many trials found it, the median of the seconds that took,
# and how likely samples of no difference would differ as much (Mann-Whitney U, two-sided, exact). A trial that found
# nothing in SECONDS counts as one that took longer than all others.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
(($# == 3)) || {
    sed -n 's/^# usage: /usage: /p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
seconds=$1 tables=$2 bytes=$3

# pairs FILE: faults and targets, in the order of the file, that were searched for beyond the corpus.
pairs() {
    awk -F '\t' -v OFS='\t' '$5 == "found" || $5 == "not" { if (!(($1, $3) in told)) print $1, $3; told[$1, $3] }' "$1"
}

# sample NAME FILE FAULT TARGET: "NAME SECONDS" of each trial.
sample() {
    awk -F '\t' -v name="$1" -v f="$3" -v t="$4" -v most="$seconds" '
        $1 == f && $3 == t && ($5 == "found" || $5 == "not") { print name, $5 == "found" ? $6 : 2 * most }' "$2"
}

# found NAME: how many of its trials in the sample found the fault.
found() {
    awk -v name="$1" -v most="$seconds" '$1 == name { n++; found += $2 <= most } END { printf "%d/%d\n", found, n }'
}

# told MEDIAN, or that it is beyond the limit.
told() {
    awk -v m="$1" -v most="$seconds" 'BEGIN { if (m > most) print "over " most; else print m }'
}

printf '%-5s %-20s %7s %7s %10s %10s %8s\n' fault target tables bytes 'tables, s' 'bytes, s' p
while IFS=$'\t' read -r fault target; do
    trials=$({
        sample tables "$tables" "$fault" "$target"
        sample bytes "$bytes" "$fault" "$target"
    })
    read -r one other _ p < <(awk -f "$here/mann_whitney.awk" <<<"$trials")
    printf '%-5s %-20s %7s %7s %10s %10s %8s\n' "$fault" "$target" "$(found tables <<<"$trials")" "$(found bytes <<<"$trials")" \
        "$(told "$one")" "$(told "$other")" "$p"
done < <(comm -12 <(pairs "$tables" | sort) <(pairs "$bytes" | sort) | sort -n)
