#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# What a packet's comment says it breaks ("breaks EB-M01 EB-M06") is what `goldwire check` finds about it: no more,
# no less. The comments are written from the specification, by hand; here they meet the code. Every rule that traffic
# can show broken is broken somewhere. tshark tells the comments, finds the checksums right, and has nothing to
# complain about.
set -euo pipefail
goldwire=$1 source=$2
command -v tshark >/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck source=pcaps/dialect.sh
. "$source/dialect.sh"
bad=0
for trace in "$source"/*/*.pcapng; do
    name=$(basename "$trace")
    mapfile -t as < <(read_as "$(basename "$(dirname "$trace")")" "$name")
    tshark -n -r "$trace" -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE -o tcp.check_checksum:TRUE \
        -T fields -e frame.number -e frame.comment -e ip.checksum.status -e udp.checksum.status -e tcp.checksum.status \
        >"$dir/comments" 2>"$dir/noise"
    grep -vE '^Running as user "root"' "$dir/noise" >&2 && { echo "$name: tshark complains" >&2; bad=1; }
    awk -F'\t' '$2 == "" { print $1 }' "$dir/comments" >"$dir/bare"
    [[ ! -s $dir/bare ]] || { echo "$name: frames without a comment: $(tr '\n' ' ' <"$dir/bare")" >&2; bad=1; }
    awk -F'\t' '$3 $4 $5 ~ /[04]/ { print $1 }' "$dir/comments" >"$dir/wrong" # bad, or not allowed to be missing
    [[ ! -s $dir/wrong ]] || { echo "$name: frames with wrong checksums: $(tr '\n' ' ' <"$dir/wrong")" >&2; bad=1; }
    awk -F'\t' 'match($2, /breaks [A-Z0-9]+-[A-Z]+[0-9]/) { n = split(substr($2, RSTART + 7), rule, " ")
                            for (i = 1; i <= n; i++) print $1 ": " rule[i] }' "$dir/comments" |
        LC_ALL=C sort -u >"$dir/said"
    "$goldwire" check --json "${as[@]}" "$trace" >"$dir/json" 2>"$dir/notes" || (($? == 1))
    sed -nE 's/^\{"file":[^{]*"frame":([0-9]+),.*"rule":"([A-Z0-9-]+)".*/\1: \2/p' "$dir/json" |
        LC_ALL=C sort -u >"$dir/found"
    diff --label "$name: said" --label "$name: found" -U0 "$dir/said" "$dir/found" >&2 || bad=1
    cat "$dir/said" >>"$dir/all"
done
# Rules whose scope is one message (m) or a conversation (s), as each format's reviewed tables list them.
for folder in "$source"/*/; do
    format=$(basename "$folder")
    sed -nE '/^rules$/,/^dialects$/s/^  ([A-Z0-9]+-[A-Z]+[0-9]+) +[A-Z]+ +(m.|-s)[a-]+[h-]+ \|.*/\1/p' \
        "$source/../codecs/$format/$format.tables.txt"
done | LC_ALL=C sort >"$dir/rules"
cut -d' ' -f2 "$dir/all" | LC_ALL=C sort -u >"$dir/broken"
[[ -s $dir/rules ]] || { echo "no rules found" >&2; bad=1; }
diff --label "rules that traffic can show broken" --label "rules broken in a trace" -U0 "$dir/rules" "$dir/broken" >&2 || bad=1
exit $bad
