#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Service response times of every golden trace are those that `goldwire decode` tells, in all, and for EtherBone address by
# address. Two more arguments: the command, the source folder.
. "$(dirname "$0")/testing/lib.sh"
goldwire=$4
source_dir=$5

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

# measure PROTO TRACE ARGS... fills $work/tables and $work/json.
measure() {
    cp "$2" "$work/trace" && chmod a+r "$work/trace"
    ts -q -z "$1,srt" -r "$work/trace" "${@:3}" >"$work/tables" 2>/dev/null
    "$goldwire" decode --json "$2" 2>/dev/null >"$work/json"
}

for proto in etherbone op2p textarossa l1farm ims; do
    answers=0
    as=(-o tcp.reassemble_out_of_order:TRUE)
    [ "$proto" != ims ] || as+=(-o ims.unknown:TRUE)
    while IFS= read -r -d '' trace; do
        # What Wireshark does not hand to the plugin: cut packets, management, and link types that are not named.
        [[ $trace != *ims-foreign* && $trace != *ims-truncated* && $trace != *ims-broken-native* && $trace != *user0* ]] || continue
        measure "$proto" "$trace" "${as[@]}"
        expected=$(told "$proto")
        is "$(basename "$trace"): calls, least and most" "$expected" "$(table Request | total | cut -d' ' -f1-3)"
        answers=$((answers + ${expected%% *}))
    done < <(find "$source_dir/pcaps/$proto" -name '*.pcapng' -print0 | sort -z)
    is "$proto: golden traces hold answers" yes "$([ "$answers" -gt 0 ] && echo yes)"
done

for name in pipelining conversation-loss; do
    measure etherbone "$source_dir/pcaps/etherbone/$name.pcapng"
    is "$name: addresses" "$(addresses)" "$(table Address | awk '{ print $1, $2, $5 }' | sort)"
done
finish
