#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Endpoints, conversations and what Follow lists of golden traces hold what `goldwire decode` tells of who sends what to whom.
# Two more arguments: the command, the source folder.
. "$(dirname "$0")/testing/lib.sh"
goldwire=$4
source_dir=$5

# ends prints of each message: who sends, who receives, its bytes.
ends() {
    awk -v proto="$proto" '
        function number(name,    text) {
            if (!match($0, "\"name\":\"" proto "." name "\",(\"path\":\"[^\"]*\",)?\"value\":[0-9]+")) return -1
            text = substr($0, RSTART, RLENGTH)
            sub(/.*:/, "", text)
            return text + 0
        }
        function carrier(name,    text) {
            if (!match($0, "\"" name "\":\"[^\"]*\"")) return ""
            text = substr($0, RSTART, RLENGTH)
            sub(/"$/, "", text); sub(/.*"/, "", text)
            return text
        }
        function node(name,    id) {
            id = number(name ".id")
            return id == 0 ? "partner" : int(id / 64) "." id % 64
        }
        function queue(name, qp) {
            sub(/:[0-9]+$/, "", name)
            return qp < 0 ? name : sprintf("%s/qp:0x%02x", name, qp)
        }
        {
            from = carrier("src"); to = carrier("dst")
            if (proto == "op2p") { from = node("src"); to = node("dst") }
            if (proto == "ims") { from = queue(from, number("deth.src_qp")); to = queue(to, number("bth.dest_qp")) }
            # Special packets and idle symbols name nobody, nor does a header that was cut.
            if (proto == "l1farm" && (number("sci.kind") > 1 || number("sci.kind") == 0 && number("sci.addr") < 0)) next
            if (proto == "l1farm") { from = sprintf("0x%x", number("sci.source")); to = sprintf("0x%x", number("sci.target")) }
            if (proto == "textarossa") to = number("dest_x") "." number("dest_y") "." number("dest_z")
            match($0, /"len":[0-9]+/)
            print from "|" to "|" substr($0, RSTART + 6, RLENGTH - 6)
        }' "$work/json"
}

# endpoints and conversations add these up as Wireshark does, and listed prints tshark's rows alike.
endpoints() {
    ends | awk -F'|' '{ sent[$1]++; out[$1] += $3; got[$2]++; in_[$2] += $3; seen[$1]; seen[$2] }
        END { for (n in seen) print n, sent[n] + got[n], out[n] + in_[n], sent[n] + 0, out[n] + 0, got[n] + 0, in_[n] + 0 }' | sort
}
conversations() {
    ends | awk -F'|' '{ key = $1 < $2 ? $1 " " $2 : $2 " " $1; n[key]++; bytes[key] += $3 }
        END { for (key in n) print key, n[key], bytes[key] }' | sort
}
listed_endpoints() { awk '/ Endpoints$/ { on = 1 } /^=/ && on { exit } { gsub(/ bytes/, "") } on && NF == 7 && $2 ~ /^[0-9]+$/ { print $1, $2, $3, $4, $5, $6, $7 }' "$work/tables" | sort; }
listed_conversations() {
    awk '/ Conversations$/ { on = 1 } /^=/ && on { exit }
        on && $2 == "<->" { a = $1; b = $3; print (a < b ? a " " b : b " " a), $10, $11 }' "$work/tables" | sort
}

while read -r proto name filter; do
    cp "$source_dir/pcaps/$proto/$name.pcapng" "$work/trace" && chmod a+r "$work/trace"
    "$goldwire" decode --json "$work/trace" 2>/dev/null | grep -F "\"proto\":\"$proto\"" >"$work/json"
    ts -q -r "$work/trace" -z "endpoints,$proto" >"$work/tables" 2>/dev/null
    is "$name: endpoints" "$(endpoints)" "$(listed_endpoints)"
    ts -q -r "$work/trace" -z "conv,$proto" >"$work/tables" 2>/dev/null
    is "$name: conversations" "$(conversations)" "$(listed_conversations)"
    first=$(ends | head -n 1 | cut -d'|' -f1,2)
    among=$(ends | awk -F'|' -v first="$first" '$1 "|" $2 == first || $2 "|" $1 == first' | wc -l)
    is "$name: the first conversation by name" "$among" "$(ts -r "$work/trace" -Y "$filter" 2>/dev/null | wc -l)"
    is "$name: the first conversation by number" "$among" "$(ts -r "$work/trace" -Y "$proto.conversation == 0" 2>/dev/null | wc -l)"
    ts -q -r "$work/trace" -z "follow,$proto,ascii,0" >"$work/tables" 2>/dev/null
    is "$name: whom to follow" "$first" "$(sed -nE 's/^Node [01]: (.*):0$/\1/p' "$work/tables" | paste -sd '|')"
    is "$name: lines to follow" "$among" "$(grep -cE '^	?[0-9]+$' "$work/tables")"
done <<'TRACES'
etherbone pipelining etherbone.addr == "192.0.2.1:40000" && etherbone.addr == "192.0.2.2:60368"
op2p op2p-exchange op2p.addr == "1.2" && op2p.addr == "1.1"
textarossa textarossa-udp-order-b textarossa.src == "192.0.2.1:64098" && textarossa.dst == "1.19.16"
l1farm l1farm-sci-crc-ffff l1farm.addr == "0x4" && l1farm.addr == "0x10"
ims ims-session ims.addr == "192.0.2.17/qp:0x302" && ims.addr == "192.0.2.2/qp:0x02"
TRACES

capture trace </dev/null
ts -q -r "$work/trace" -z endpoints,op2p >"$work/tables" 2>/dev/null
is "nobody in an empty capture" "" "$(listed_endpoints)"
finish
