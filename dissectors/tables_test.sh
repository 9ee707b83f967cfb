#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every table that tshark prints of the plugin's (-z: response times, the three trees, conversations, endpoints), of every
# golden trace, beside `goldwire stats`: the same numbers, row by row. Two more arguments: the command, the source folder;
# a third, 'recorded', takes what `goldwire record` makes of each software board instead.
. "$(dirname "$0")/testing/lib.sh"
goldwire=$4
source_dir=$5
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
mkdir "$work/traces" "$work/told"

# look TRACE [PROTO] fills $work/told with what both say of it, of its format or of those that stats finds.
look() {
    local name proto as=(-o tcp.reassemble_out_of_order:TRUE -o ims.unknown:TRUE -o ims.give_up:5000)
    name=$(basename "$1" .pcapng)
    [[ $name != *-user0 ]] || as+=(-o op2p.user0:FALSE -o 'uat:user_dlts:"User 0 (DLT=147)","infiniband","0","","0",""')
    cp "$1" "$work/traces/$name" && chmod a+r "$work/traces/$name"
    "$goldwire" stats --json "$1" >"$work/told/$name.stats" 2>/dev/null
    "$goldwire" decode --json "$1" >"$work/told/$name.decoded" 2>/dev/null
    for proto in ${2-$(grep -o '"proto":"[a-z0-9]*"' "$work/told/$name.stats" | cut -d'"' -f4)}; do
        # What an answer answers, and what became of a request, is known in the second pass.
        ts -2 -q -z "$proto,srt" -z "$proto,tree" -z "$proto.findings,tree" -z "$proto.answers,tree" -z "conv,$proto" \
            -z "endpoints,$proto" -r "$work/traces/$name" "${as[@]}" >"$work/told/$name.$proto.tables" 2>"$work/told/$name.noise"
    done
}

# record ROLE [CARRIAGE] makes such a trace.
record() {
    "$goldwire" record "$work/recorded/$1${2+-$2}.pcapng" --dut "peer:$1?via=mem${2+&over=$2}" >"$work/log" 2>&1 ||
        { echo "FAIL no trace of $1: $(tail -n 1 "$work/log")"; failures=$((failures + 1)); }
}

folder=$source_dir/pcaps
if [ "${6-}" = recorded ]; then
    folder=$work/recorded
    mkdir "$folder"
    for role in $("$goldwire" peer --list | awk 'NF == 1'); do record "$role"; done
    record etherbone-slave tcp
    record etherbone-master tcp
fi

# A trace of a folder PROTO is one of that format; as many at a time as there are processors.
workers=$(nproc)
worker() {
    local n=0 trace
    while IFS= read -r -d '' trace; do
        [ $((n++ % workers)) = "$1" ] || continue
        if [ "${6-}" = recorded ]; then look "$trace"; else look "$trace" "$(basename "$(dirname "$trace")")"; fi
    done < <(find "$folder" -name '*.pcapng' -print0 | LC_ALL=C sort -z)
}
for ((i = 0; i < workers; i++)); do worker "$i" "${@:2}" & done
wait

least=100
[ "${6-}" != recorded ] || least=12
traces=$(find "$work/told" -name '*.stats' | wc -l)
[ "$traces" -ge "$least" ] || { echo "FAIL only $traces traces"; failures=$((failures + 1)); }
python3 "$source_dir/dissectors/testing/tables.py" "$work/told" || failures=$((failures + 1))
finish
