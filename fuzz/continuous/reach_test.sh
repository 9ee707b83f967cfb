#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: reach_test.sh SOURCE [BUILD TARGET...]
# What the rule makes of paths, and what changed.sh takes for changed in a repository of its own. With BUILD, one of Ninja
# that has replay_TARGET: no TARGET is made of a source whose change would not reach it, but those of other formats'
# rooms, which are linked and not run.
set -euo pipefail
source=$(cd "$1" && pwd)
build=${2-}
built=("${@:3}")
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
targets=(capture encode etherbone_decode etherbone_slave net op2p_core op2p_decode op2p_node op2p_session wireshark)
status=0

# expect PATHS TARGETS: both lists in a word each.
expect() {
    local got
    got=$(tr ' ' '\n' <<<"$1" | bash "$here/reach.sh" "${targets[@]}" | paste -sd ' ')
    [[ $got == "$2" ]] || {
        echo "a change of $1 reaches '$got', '$2' expected" >&2
        status=1
    }
}

all="${targets[*]}"
expect '' ''
expect 'README.md docs/fuzzing.md LICENSE' ''
expect 'codecs/op2p/codec_test.c codecs/op2p/testing/x.h' ''
expect 'fuzz/op2p_node.c' 'op2p_node'
expect 'corpus/net/new corpus/op2p_node/regression-x' 'net op2p_node'
expect 'fuzz/cores/model.c fpga_harness/hdl/gw_wb.sv' 'op2p_core'
expect 'fpga_harness/cores/op2p/op2p_rx.sv fpga_harness/cores/etherbone/eb_slave.vhd' 'op2p_core'
expect 'codecs/op2p/walk.c' 'capture encode net op2p_core op2p_decode op2p_node op2p_session wireshark'
expect 'conformance/formats/op2p/node/board.c' 'capture encode net op2p_core op2p_node op2p_session wireshark'
expect 'fpga_harness/capture/pcap.c' 'capture encode etherbone_slave net op2p_core op2p_node op2p_session wireshark'
expect 'dissectors/packet-op2p.c' 'wireshark'
expect 'fuzz/wireshark/engine.c' 'wireshark'
expect 'codecs/core/walk.c' "$all"
expect 'codecs/mutate/edit.c' "$all"
expect 'fuzz/fuzz.h' "$all"
expect 'fuzz/mutator/mutator.c' "$all"
expect 'conformance/crash/layouts.def' "$all"
expect 'CMakeLists.txt' "$all"
expect 'something/new/that nobody has heard of' "$all"
expect 'docs/x.md corpus/nobody/x' ''

# made_of prints what the targets are made of, a path and a target a line.
made_of() {
    local target formats
    formats=" $(sed -n 's/^GW_FORMAT(\(.*\))$/\1/p' "$source/codecs/include/goldwire/formats.def" | tr '\n' ' ')"
    for target in "${built[@]}"; do
        ninja -C "$build" -t inputs "replay_$target" | sed -n "s|^$source/||p" | grep -vE '^(build/|fuzz/replay\.c$)' |
            awk -v own="${target%%_*}" -v formats="$formats" -v target="$target" '
                { split($0, part, "/"); room = part[1] == "codecs" ? part[2] : $0 ~ /^conformance\/formats/ ? part[3] : "" }
                index(formats, " " own " ") && room != own && index(formats, " " room " ") { next }
                { print $0, target }'
    done | LC_ALL=C sort -u
}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
if ((${#built[@]})); then
    made_of >"$dir/made"
    (($(wc -l <"$dir/made") > 500)) || {
        echo "hardly anything is known of what targets are made of" >&2
        status=1
    }
    cut -d' ' -f1 "$dir/made" | uniq | bash "$here/reach.sh" --each "${built[@]}" | LC_ALL=C sort >"$dir/reached"
    LC_ALL=C comm -23 "$dir/made" "$dir/reached" >"$dir/missed"
    [[ ! -s $dir/missed ]] || {
        echo "a change of these would not reach what is made of them:" >&2
        head -n 20 "$dir/missed" >&2
        status=1
    }
fi
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
unset GITHUB_BASE_REF CI_MERGE_REQUEST_DIFF_BASE_SHA GIT_DIR GIT_WORK_TREE
git() { command git -c user.name=test -c user.email=test@example.org "$@"; }
# changed EXPECTED [BASE]: what changed.sh prints there.
changed() {
    local got
    got=$(bash "$here/changed.sh" "${@:2}" 2>"$dir/error" | LC_ALL=C sort | paste -sd ' ') || got="fails: $(cat "$dir/error")"
    # shellcheck disable=SC2053 # the right side is a pattern
    [[ $got == $1 ]] || {
        echo "changed.sh ${*:2}: '$got', '$1' expected" >&2
        status=1
    }
}
mkdir "$dir/tree"
cd "$dir/tree"
changed 'fails: no branch to compare with*'
git init -q -b main
echo one >kept && echo one >committed && echo one >edited
git add . && git commit -qm one
git checkout -qb change
changed ''
echo two >committed && git commit -qam two
echo two >edited
echo two >'new one'
changed 'committed edited new one'
changed 'edited new one' HEAD
git checkout -q main && echo three >kept && git commit -qm three kept && git checkout -q change
changed 'committed edited new one'
changed 'fails: *nobody* have no commit in common*' nobody
git rm -q kept
changed 'committed edited kept new one'
exit "$status"
