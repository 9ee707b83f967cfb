#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: fields.sh PLUGIN SERIES TRACES
# Prints every field of ours that tshark shows of the golden traces below TRACES, one a line: trace, frame, name,
# place, length, bytes, text. What Wireshark's versions show differently of the same value is made alike: booleans are
# 1 and 0, times end without zeros, and of bytes, which are cut at another length, only the value counts.
set -- "$1" - "$2" "$3"
. "$(dirname "$0")/../testing/lib.sh"
traces=$4

# shellcheck disable=SC2154 # work is set there
ts -G fields | awk -F'\t' '$1 == "F" { print $3, $4 }' >"$work/types"
while IFS= read -r -d '' trace; do
    format=$(basename "$(dirname "$trace")")
    cp "$trace" "$work/trace" && chmod a+r "$work/trace"
    as=()
    for port in 50000 50001; do
        case $format in op2p | l1farm) as+=(-d "udp.port==$port,$format") ;; esac
    done
    ts -2 -r "$work/trace" -o tcp.reassemble_out_of_order:TRUE -o ims.unknown:TRUE "${as[@]}" -T pdml 2>/dev/null |
        awk -v trace="$(basename "$trace")" '
            function value(name, line) {
                if (!match(line, " " name "=\"[^\"]*\""))
                    return ""
                return substr(line, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
            }
            FNR == NR { type[$1] = $2; next }
            /<packet>/ { frame++ }
            /<field name="(etherbone|op2p|textarossa|l1farm|ims)\./ {
                name = value("name", $0)
                show = value("show", $0)
                if (type[name] == "FT_BOOLEAN")
                    show = show == "True" ? 1 : show == "False" ? 0 : show
                else if (type[name] ~ /_TIME$/ && show ~ /\./)
                    sub(/\.?0+$/, "", show)
                else if (type[name] == "FT_BYTES")
                    show = ""
                print trace, frame, name, value("pos", $0), value("size", $0), value("value", $0), show
            }' "$work/types" -
done < <(find "$traces" -name '*.pcapng' -print0 | LC_ALL=C sort -z)
