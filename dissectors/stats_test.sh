#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Wireshark's statistics of every golden trace hold what `goldwire decode` and `check` tell: response times (for EtherBone
# address by address), messages and the values of their fields, findings by rule, answers. Two more arguments: the command,
# the source folder.
. "$(dirname "$0")/testing/lib.sh"
goldwire=$4
source_dir=$5
here=$(dirname "$0")

# table COLUMN prints the table whose rows are called COLUMN, from tshark's output: name, calls, least, most, sum in us.
table() {
    awk -v column="$1" '
        function us(t) { sub(/\./, "", t); return t + 0 }
        $1 == "Index" { wanted = $2 == column; next }
        /^(Filter|=)/ || NF == 0 { wanted = 0 }
        wanted { print $2, $(NF - 4), us($(NF - 3)), us($(NF - 2)), us($NF) }' "$work/tables"
}

# total adds the rows up.
total() {
    awk '{ n += $2; sum += $5
           if (NR == 1 || $3 < least) least = $3
           if (NR == 1 || $4 > most) most = $4 } END { print n + 0, least + 0, most + 0, NR }'
}

# told PROTO prints what decode tells of every answer: calls, least, most in us.
told() {
    grep -o "\"name\":\"$1.response_time\",\"value\":\"[0-9.]*\"" "$work/json" | awk -F'"' '
        { t = $(NF - 1); sub(/\./, "", t); t = int((t + 500) / 1000)
          n++
          if (n == 1 || t < least) least = t
          if (n == 1 || t > most) most = t } END { print n + 0, least + 0, most + 0 }'
}

# addresses prints how often the first address of answered requests was asked for, by decode, with the sum in us.
addresses() {
    awk '
        function number(line, name,    at) {
            at = index(line, "\"name\":\"" name "\"")
            if (at == 0) return ""
            line = substr(line, at)
            match(line, /"value":"?[0-9.]+/)
            line = substr(line, RSTART + 8, RLENGTH - 8)
            sub(/^"/, "", line)
            return line
        }
        { match($0, /"frame":[0-9]+/); frame = substr($0, RSTART + 8, RLENGTH - 8)
          reads = number($0, "etherbone.read.addr"); writes = number($0, "etherbone.write.value") != ""
          if (reads != "" && !writes) asked[frame] = reads
          request = number($0, "etherbone.response_to")
          if (request == "" || !(request in asked)) next
          key = sprintf("0x%08x", asked[request]); calls[key]++
          t = number($0, "etherbone.response_time"); sub(/\./, "", t); sum[key] += t
        } END { for (key in calls) print key, calls[key], int((sum[key] + 500) / 1000) }' "$work/json" | sort
}

# tree TITLE prints the tree of that title, from tshark's output.
tree() { awk -v title="$title/$1" -f "$here/testing/tree.awk" "$work/tables" | LC_ALL=C sort; }

# tallies prints what the tree of messages has to hold, by decode.
tallies() { awk -f "$here/testing/tallies.awk" "$source_dir/codecs/$proto/$proto.tables.txt" "$work/json" | LC_ALL=C sort; }

# What ARP shows, and what the end of a capture leaves of a link, the plugin does not judge.
judged() { grep -vE ' TX-(N[6789]|L2) ' | sort; }

# broken prints the broken rules with how often, by check; findings prints them by the tree of findings.
broken() { awk '$2 ~ /^[A-Z0-9]+-[A-Z0-9]+$/ && $3 ~ /^(MUST|SHOULD|MAY)$/ && $4 ~ /^[0-9]+$/ { print $3, $2, $4 }' "$work/check" | judged; }
findings() { tree Findings | sed -nE 's/^(MUST|SHOULD|MAY)\|([A-Z0-9-]+): .*\|([0-9]+)$/\1 \2 \3/p' | judged; }

# met prints how many messages answered first, again, late and nothing, by decode and check, and how many requests have no
# answer.
met() {
    sed -nE '/ messages in /{ s/.* frames, //; s/, /\n/g; p; }' "$work/check" | awk -v first="$(grep -c "\"name\":\"$proto.response_to\"" "$work/json")" '
        { n[$2] = $1 }
        END { print first, n["duplicate"] + 0, n["stale"] + 0, n["unsolicited"] + 0, n["unanswered"] + 0 }'
}

# meets prints the same, by the tree of answers.
meets() {
    echo "$(leaf Answers 'First answer') $(leaf Answers Repeated) $(leaf Answers 'Too late')" \
        "$(leaf Answers 'No request captured') $(leaf Requests Unanswered)"
}

# leaf HEADING ITEM prints a count of the tree of answers.
leaf() { tree 'Requests and answers' | awk -F'|' -v heading="$1" -v item="$2" '$1 == heading && $2 == item { n = $3 } END { print n + 0 }'; }

# measure TRACE ARGS... fills $work/tables, $work/json and $work/check.
measure() {
    cp "$1" "$work/trace" && chmod a+r "$work/trace"
    ts -2 -q -z "$proto,srt" -z "$proto,tree" -z "$proto.findings,tree" -z "$proto.answers,tree" -r "$work/trace" \
        "${@:2}" >"$work/tables" 2>"$work/noise"
    "$goldwire" decode --json "$1" 2>/dev/null | grep -F "\"proto\":\"$proto\"" >"$work/json"
    "$goldwire" check "$1" 2>/dev/null >"$work/check"
}

# like_check fills $as with what makes the plugin read as check does.
like_check() {
    as=(-o tcp.reassemble_out_of_order:TRUE)
    [ "$proto" != ims ] || as+=(-o ims.unknown:TRUE -o ims.give_up:5000)
}

while read -r proto title; do
    answers=0
    like_check
    while IFS= read -r -d '' trace; do
        # What Wireshark does not hand to the plugin: cut packets, management, and link types that are not named.
        [[ $trace != *ims-foreign* && $trace != *ims-truncated* && $trace != *ims-broken-native* && $trace != *user0* ]] || continue
        name=$(basename "$trace" .pcapng)
        measure "$trace" "${as[@]}"
        # Which request some of its answers mean only later packets tell, and decode reads once.
        [[ $name != faulty-slaves ]] || continue
        expected=$(told "$proto")
        is "$name: calls, least and most" "$expected" "$(table Request | total | cut -d' ' -f1-3)"
        answers=$((answers + ${expected%% *}))
        is "$name: answers" "$(met)" "$(meets)"
        # What the end of a TCP stream leaves, and most of what the capture cut, is shown by decode alone.
        [[ $name != litex-server && $name != tcp-disturbed && $name != tcp-ends && $name != truncated ]] || continue
        is "$name: messages" "$(wc -l <"$work/json")" \
            "$(tree Messages | awk -F'|' '$1 == "Messages" { n += $3 } END { print n + 0 }')"
        is "$name: values of fields" "$(tallies)" "$(tree Messages | grep -v '^Messages|')"
        is "$name: findings by rule" "$(broken)" "$(findings)"
        is "$name: findings whose counts the window does not show" "" "$(tree Findings | awk -F'|' 'length($2) > 63')"
    done < <(find "$source_dir/pcaps/$proto" -name '*.pcapng' -print0 | sort -z)
    is "$proto: golden traces hold answers" yes "$([ "$answers" -gt 0 ] && echo yes)"
done <<'FORMATS'
etherbone EtherBone
op2p OP2P
textarossa TEXTAROSSA
l1farm Level-1 farm
ims IMS streaming
FORMATS

# Where nothing gets lost more is held against the ends, by check and by the plugin alike.
while IFS='|' read -r proto title trace; do
    name=$(basename "$trace" .pcapng)
    like_check
    measure "$source_dir/pcaps/$trace" "${as[@]}"
    usual=$(findings)
    measure "$source_dir/pcaps/$trace" "${as[@]}" -o "$proto.lossless:TRUE"
    "$goldwire" check --lossless "$source_dir/pcaps/$trace" 2>/dev/null >"$work/check"
    is "$name: findings where nothing gets lost" "$(broken)" "$(findings)"
    is "$name: there are more of them" yes "$([ "$(findings)" != "$usual" ] && echo yes)"
done <<'TRACES'
l1farm|Level-1 farm|l1farm/l1farm-broken.pcapng
ims|IMS streaming|ims/ims-silence.pcapng
TRACES

proto=etherbone title=EtherBone
for name in pipelining conversation-loss; do
    measure "$source_dir/pcaps/etherbone/$name.pcapng"
    is "$name: addresses" "$(addresses)" "$(table Address | awk '{ print $1, $2, $5 }' | sort)"
done

# A capture without a packet has tables without a row.
capture empty.pcap </dev/null
measure "$work/empty.pcap"
is "nothing in an empty capture" "0 0 0 0 0 0" "$(table Request | total | cut -d' ' -f1) $(meets)"
has "nothing in an empty capture" "Messages:" "$(cat "$work/tables")"
finish
