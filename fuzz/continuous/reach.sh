#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: reach.sh [--each] TARGET... <PATHS
# Prints those of the TARGETs that a change of PATHS, a line each and relative to the top of the tree, can reach; --each
# prints each path with each of its own. The rule goes by folders: it names a target too many rather than one too few, and
# a path that it does not know reaches all.
set -euo pipefail
each=
[[ ${1-} != --each ]] || { each=1 && shift; }
targets=("$@")
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
formats=" $(sed -n 's/^GW_FORMAT(\(.*\))$/\1/p' "$here/../../codecs/include/goldwire/formats.def" | tr '\n' ' ')"

# those PATTERN [BUT] prints the targets whose names match PATTERN, and not BUT.
those() {
    local target
    for target in "${targets[@]}"; do
        # shellcheck disable=SC2053 # the right sides are patterns
        [[ $target != $1 || $target == ${2-} ]] || echo "$target"
    done
}

# of_format FORMAT [BUT] prints the targets of FORMAT, and those that belong to no format, which take them all.
of_format() {
    local target
    for target in "${targets[@]}"; do
        # shellcheck disable=SC2053 # the right side is a pattern
        [[ $target != ${2-} ]] || continue
        [[ $target != "$1"_* && $formats == *" ${target%%_*} "* ]] || echo "$target"
    done
}

# reached PATH prints what a change of PATH reaches.
reached() {
    local path=$1 name
    case $path in
    *_test.c | *_test.sh | */testing/* | *.md | *.tables.txt | */coverage.txt | LICENSE* | REUSE.toml | .gitignore | .clang-*) ;;
    docs/* | pcaps/* | .ci/* | cmake/lint/* | cmake/package/* | cmake/coverage/* | cmake/GoldwireLint.cmake | cmake/GoldwirePackage.cmake) ;;
    fuzz/bench/* | fuzz/planted/* | fuzz/fleet/* | fuzz/oss-fuzz/* | .clusterfuzzlite/* | fuzz/replay.c | fuzz/broken.c | fuzz/empty.c) ;;
    fpga_harness/cores/*.sv | fpga_harness/cores/*/sources.sh | fpga_harness/cores/model.sh | fpga_harness/hdl/*.sv | fuzz/cores/*) those '*_core' ;;
    fpga_harness/cores/* | fpga_harness/hdl/* | conformance/bench/* | conformance/network/* | conformance/rxe/*) ;;
    corpus/*/*)
        name=${path#corpus/}
        those "${name%%/*}"
        ;;
    dissectors/* | fuzz/wireshark/*) those 'wireshark*' ;;
    codecs/*/*)
        name=${path#codecs/}
        name=${name%%/*}
        if [[ $formats == *" $name "* ]]; then of_format "$name"; else those '*'; fi
        ;;
    conformance/formats/*/*)
        name=${path#conformance/formats/}
        of_format "${name%%/*}" '*_decode'
        ;;
    conformance/crash/layout* | conformance/crash/sequences*) those '*' ;; # how inputs are laid out
    conformance/* | fpga_harness/*) those '*' '*_decode' ;;
    fuzz/*.c | fuzz/*.dict)
        name=${path#fuzz/}
        name=${name%.*}
        if [[ " ${targets[*]} " == *" $name "* ]]; then those "$name"; else those '*'; fi
        ;;
    *) those '*' ;;
    esac
}

while IFS= read -r path; do
    [[ -n $path ]] || continue
    while IFS= read -r target; do
        echo "${each:+$path }$target"
    done < <(reached "$path")
done | LC_ALL=C sort -u
