#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The arrows between the rooms point down only: conformance -> fpga_harness -> codecs,
# names -> codecs, dissectors -> names and codecs, fuzz -> anything, codecs -> nothing; so do those between conformance's own; and only the plugin and what fuzzes it
# know Wireshark.
set -euo pipefail
source "$(dirname "$0")/files.sh"
cd "$1"
status=0

# forbid WHAT PATTERN FILE...: no file may have an #include line that matches PATTERN.
forbid() {
    local what=$1 pattern=$2
    shift 2
    (($#)) || return 0
    if grep -nHE "^[[:space:]]*#[[:space:]]*include[[:space:]]+$pattern" "$@"; then
        echo "^ $what" >&2
        status=1
    fi
}

mapfile -d '' -t codecs < <(own_files . -path './codecs/*' -name '*.[ch]' ! -name '*_test.[ch]' ! -path '*/testing/*')
mapfile -d '' -t codec_tests < <(own_files . -path './codecs/*' -name '*.[ch]' \
    \( -name '*_test.[ch]' -o -path '*/testing/*' \))
mapfile -d '' -t harness < <(own_files . -path './fpga_harness/*' -name '*.[ch]')
mapfile -d '' -t conformance < <(own_files . -path './conformance/*' -name '*.[ch]')
mapfile -d '' -t dissectors < <(own_files . -path './dissectors/*' -name '*.[ch]')
((${#codecs[@]})) || {
    echo "found no codecs below $PWD" >&2
    exit 1
}

rooms='boards|campaign|cert|cli|crash|device|evidence|formats|harvest|history|inspect|json|measure|ports|replay|report|run|running|selftest|speed|suite'
upper="\"(harness|$rooms|board|capture|transport|dissectors|fuzz|names)/"
forbid 'the codecs include nothing above them' "$upper" "${codecs[@]}" "${codec_tests[@]}"
forbid 'the codecs use the freestanding headers and string.h only' \
    '<(std(io|lib)|time|errno|assert|unistd|math|ctype|inttypes|signal|threads|locale|wchar)' "${codecs[@]}"
forbid 'the codecs use the freestanding headers and string.h only' '<(sys|arpa|net|netinet|linux)/' "${codecs[@]}"
forbid 'the harness includes nothing of the command' "\"($rooms|dissectors|fuzz|names)/" \
    "${harness[@]}"
forbid 'the command includes nothing of the plugin or the fuzz targets' '"(dissectors|fuzz)/' "${conformance[@]}"
# Inside the command each room includes those named here and nothing else of its floor.
above() {
    local room=$1 allowed=$2 files others
    mapfile -d '' -t files < <(own_files . -path "./conformance/$room/*" -name '*.[ch]' ! -name '*_test.c' ! -path '*/testing/*')
    ((${#files[@]})) || {
        echo "conformance/$room has no files" >&2
        status=1
    }
    others=$(tr '|' '\n' <<<"$rooms" | grep -vxE "$room${allowed:+|$allowed}" | paste -sd '|')
    forbid "conformance/$room stands below those, or beside them" "\"($others)/" "${files[@]}"
}
above evidence ''
above json ''
above inspect 'json'
above boards ''
above measure 'evidence'
above running 'evidence'
above run 'boards|evidence|measure|running'
above device 'boards|run|evidence|measure'
above ports 'run|boards|evidence|measure'
above suite 'run|boards|evidence|measure'
above speed 'run|evidence|measure|boards'
above formats 'boards|suite|speed|run|evidence|measure'
above selftest 'formats|device|run|boards|evidence|measure'
above report 'selftest|speed|run|inspect|evidence|measure|formats'
above cert 'report|run|evidence'
above campaign 'replay|formats|suite|json|device|run|boards|inspect|evidence|measure'
above history 'report|evidence'
above crash 'run|inspect|json|evidence|boards|measure'
above harvest 'campaign|report|replay|formats|suite|run|boards|evidence|measure'
above replay 'formats|device|run|boards|inspect|evidence|measure'
mapfile -d '' -t names < <(own_files . -path './names/*' -name '*.[ch]')
forbid 'names include the codecs only' "\"(harness|$rooms|board|capture|transport|dissectors|fuzz)/" "${names[@]}"
forbid 'the plugin reads the codecs and names only' "\"(harness|$rooms|fuzz)/" "${dissectors[@]}"
mapfile -d '' -t stats < <(own_files . -path './dissectors/stats/*' -name '*.[ch]')
forbid 'the statistics of the plugin stand below the rest of it' \
    '"(announced|bridge|datagram|dialects|formats|links|message|ours|runs|stream|track|unit)\.h"' "${stats[@]}"
forbid 'only the plugin and its fuzz target may use Wireshark (it is GPL)' \
    '[<"](epan|wiretap|wsutil|wireshark|ws_[a-z]+)[/.]' "${codecs[@]}" "${codec_tests[@]}" "${harness[@]}" \
    "${conformance[@]}" "${names[@]}"
# A folder that nobody can take in at a glance wants rooms of its own.
most=40
while read -r number folder; do
    ((number <= most)) || {
        echo "$folder holds $number source files, more than $most: give them rooms" >&2
        status=1
    }
done < <(own_files . \( -name '*.[ch]' -o -name '*.def' \) ! -path './corpus/*' | xargs -0 dirname | sort | uniq -c)
exit $status
