#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A field stands where its table says and nowhere else: what a format's codec reads or writes of a message, it reads
# and writes by its table's constants. Counted are loads and stores at a place that is written down, and single bytes
# p[N]. The few that are left are of bytes that no table describes: whole words, and the header of an image.
set -euo pipefail
source "$(dirname "$0")/files.sh"
cd "$1"
most=10

mapfile -d '' -t tables < <(own_files . -path './codecs/*' -name '*_rules.def')
((${#tables[@]})) || {
    echo "found no formats below $PWD" >&2
    exit 1
}
sources=()
for table in "${tables[@]}"; do
    mapfile -d '' -t -O "${#sources[@]}" sources < <(own_files . -path "./$(dirname "$table")/*" -name '*.c' \
        ! -name '*_test.c' ! -path '*/testing/*')
done
# An endpoint is no message; elements of arrays of structs, sizes and declarations are no bytes of one.
load='\bgw_(load|store)_[bl]e\d*\((?:[^(),]*[+-] (0x[0-9a-f]+|\d+)|(?!\S*\bip[,)])[\w.>-]+)[,)]'
byte='(?<![\w.>*&])(?<!sizeof )(?:(?<=return )|(?<!\w ))(?!\w+_t\[)(?:\w+(?:->|\.))*(?!(ip|ends|numbers)\[)\w+\[(0x[0-9a-f]+|\d+)\](?![.\[])'
found=$(grep -nHoP "$load|$byte" "${sources[@]}" || true)
num=$(grep -c . <<<"$found" || true)
if ((num > most)); then
    echo "$found"
    echo "^ $num places of bytes are written down; $most are the most: name them by their table (GET, PUT)" >&2
    exit 1
fi
