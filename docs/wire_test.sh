#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# wire_test.sh GOLDWIRE SOURCE: the bytes that the pages of link types and tunnels show are what they say. In a block of text
# a line of a link type, or UDP, and bytes stands above what `decode --brief` tells of a frame with them.
. "$2/conformance/cli/testing.sh"
docs=$2/docs

# show WHAT HEX: what decode says of a frame of link type WHAT, or of a datagram, without frame, time, ends and format.
show() {
    if [ "$1" = UDP ]; then
        capture 101 "$(datagram 40000 50000 "$2")" >one.pcap
    else
        capture "$1" "$2" >one.pcap
    fi
    "$goldwire" decode --brief one.pcap 2>&1 | sed -E 's/^1  [0-9.]+  [^ ]+ -> [^ ]+  [^ ]+  //'
}

shown=0
for page in link-types l1farm-tunnel op2p-tunnel; do
    while read -r what bytes; do
        read -r wanted
        shown=$((shown + 1))
        said=$(show "${what%:}" "${bytes// /}")
        [ "$said" = "$wanted" ] || fail "$page.md: $what $bytes is '$said', and '$wanted' in the page"
    done < <(awk '/^```/ { inside = ($0 == "```text") } inside && !/^```/' "$docs/$page.md" | grep -A1 -E '^([0-9]+|UDP): ' | grep -v '^--')
done
[ "$shown" -ge 16 ] || fail "only $shown frames are shown"
for type in 147 148 149 150 151 152 153; do
    grep -q "^$type: " "$docs/link-types.md" || fail "link-types.md shows no frame of $type"
done
finish
