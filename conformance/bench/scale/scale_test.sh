#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# scale_test.sh GOLDWIRE SCALE_BENCH: captures of scale_bench are what they are meant to be: every request is answered, and as
# many rules are broken as were asked for; and table.sh names a row that is bent.
set -euo pipefail
goldwire=$1 bench=$2 here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "$*" >&2
    exit 1
}

# expect KIND PACKETS ENDS OPEN EVERY ANSWERED BROKEN
expect() {
    local out broken=0
    "$bench" make "$1" "$2" "$3" "$4" "$5" "$dir/made.pcap"
    out=$("$goldwire" check --json --proto "${1%%-*}" "$dir/made.pcap" 2>"$dir/said" | grep -F '"summary"') || true
    [[ ! -s $dir/said ]] || fail "$*: $(cat "$dir/said")"
    [[ $out == *"\"answered\":$6,"* ]] || fail "$*: not $6 are answered: $out"
    broken=$({ grep -oE '"count":[0-9]+' <<<"$out" || true; } | awk -F: '{ n += $2 } END { print n + 0 }')
    [[ $broken == "$7" ]] || fail "$*: not $7 rules are broken: $out"
}

kinds=0
while read -r kind; do
    kinds=$((kinds + 1))
    case $kind in
    l1farm*) answered=(0 0 0) ;;               # an echo, or a buffer's release, is no answer
    etherbone-tcp) answered=(996 996 900) ;;   # connections begin and end: 50 of them, 20 messages each
    ims*) answered=(1000 990 1000) ;;          # what is broken is dropped
    *) answered=(1000 1000 1000) ;;
    esac
    [[ $kind != etherbone-tcp ]] || continue
    expect "$kind" 2000 1 1 0 "${answered[0]}" 0
    expect "$kind" 2000 10 1 100 "${answered[1]}" 10
    expect "$kind" 2015 2015 16 0 "${answered[2]}" 0
done < <("$bench" kinds)
((kinds == 8)) || fail "there are $kinds kinds of conversations"
# 10 connections, two at a time: handshake, probe, and so many reads, of which each eighth breaks a rule.
expect etherbone-tcp 2000 10 2 0 980 0
expect etherbone-tcp 2000 10 2 8 980 121

printf 'row\tformat\tx\tpackets\tbytes\tlimit_ns\tns\tkb\n' >"$dir/results"
printf 'endpoints\tone\t%s\t9\t9\t50\t%s\t%s\n' 1 100 9000 1000 150 9900 >>"$dir/results"
printf 'endpoints\ttwo\t%s\t9\t9\t50\t%s\t%s\n' 1 100 9000 1000 201 9900 1000000 150 20000 >>"$dir/results"
bash "$here/table.sh" "$dir/results" >"$dir/table"
grep -E ' one .* 1\.50 x$' "$dir/table" >/dev/null || fail "a straight row is not told as one: $(cat "$dir/table")"
grep -E ' two .* 2\.01 x: bent, aim at most 2: memory grows$' "$dir/table" >/dev/null || fail "a bent row is not named: $(cat "$dir/table")"
