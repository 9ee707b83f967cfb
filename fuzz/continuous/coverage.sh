#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: coverage.sh SOURCE BUILD OUT TARGET...
# What the corpora of the TARGETs, those of the tree and those of OUT/TARGET/corpus, reach of codecs: a folder a line, the
# lines in BUILD/fuzz-pages, and, of more than one target, beside the least that coverage.txt asks of all. BUILD is one
# of the preset coverage, of which replay_TARGET is made.
set -euo pipefail
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
out=$3 targets=("${@:4}")
here=$source/fuzz/continuous

profiles=$build/fuzz-profiles
rm -rf "$profiles" "$build/fuzz-pages"
mkdir -p "$profiles"
objects=()
for target in "${targets[@]}"; do
    corpora=("$source/corpus/$target")
    [[ ! -d $out/$target/corpus ]] || corpora+=("$out/$target/corpus")
    LLVM_PROFILE_FILE=$profiles/$target.profraw "$build/fuzz/replay_$target" "${corpora[@]}" >"$profiles/$target.log" 2>&1 || {
        tail -n 20 "$profiles/$target.log" >&2
        echo "replay of the corpora of $target failed" >&2
        exit 1
    }
    objects+=(${objects[0]:+-object} "$build/fuzz/replay_$target")
done
[[ ! -e $build/libgoldwire.so ]] || objects+=(-object "$build/libgoldwire.so")
llvm-profdata merge -sparse "$profiles"/*.profraw -o "$build/fuzz.profdata"
ours=(-instr-profile="$build/fuzz.profdata" -ignore-filename-regex='(_test\.[ch]|/testing/.*|/usr/.*|/fuzz/.*)$')
llvm-cov export -format=lcov "${objects[@]}" "${ours[@]}" 2>"$build/fuzz-llvm-cov.log" >"$build/fuzz.lcov"
llvm-cov show -format=html -output-dir="$build/fuzz-pages" -show-branches=count -Xdemangler cat "${objects[@]}" \
    "${ours[@]}" 2>>"$build/fuzz-llvm-cov.log"
if ((${#targets[@]} > 1)); then
    bash "$source/cmake/coverage/judge.sh" "$source/codecs" "$build/fuzz.lcov" "$here/coverage.txt"
else # one target alone need not reach anything
    awk '!/^#/ { print $1, 0, 0 }' "$here/coverage.txt" >"$build/fuzz-no-least.txt"
    bash "$source/cmake/coverage/judge.sh" "$source/codecs" "$build/fuzz.lcov" "$build/fuzz-no-least.txt" 2>/dev/null || true
fi
