#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# coverage.sh SOURCE BUILD [pages]: what the tests of codecs reach of codecs, a folder a line, beside the least that
# codecs/coverage.txt asks for. BUILD is one of the preset coverage, of which the target codec_tests is made. With
# pages the lines themselves are shown in BUILD/pages.
set -euo pipefail
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
grep -qx 'GW_COVERAGE:BOOL=ON' "$build/CMakeCache.txt" || {
    echo "$build is no build of the preset coverage: remove it, and run ./run coverage again" >&2
    exit 1
}
rm -rf "$build/profiles"
LLVM_PROFILE_FILE=$build/profiles/%p.profraw ctest --test-dir "$build" -R '^codecs\.' --parallel "$(nproc)" --quiet \
    --output-on-failure
llvm-profdata merge -sparse "$build"/profiles/*.profraw -o "$build/codecs.profdata"

tests=("$build"/codecs/test_codecs.*)
objects=("$build/libgoldwire.so")
for test in "${tests[@]}"; do
    objects+=(-object "$test")
done
ours=(-instr-profile="$build/codecs.profdata" -ignore-filename-regex='(_test\.[ch]|/testing/.*|/usr/.*)$')
llvm-cov export -format=lcov "${objects[@]}" "${ours[@]}" 2>"$build/llvm-cov.log" >"$build/codecs.lcov"
# One main is taken for another's, of each test; any other function that cannot be told apart would not be counted.
lost=$(sed -n 's/.*warning: \([0-9]*\) functions have mismatched data.*/\1/p' "$build/llvm-cov.log")
((${lost:-0} < ${#tests[@]})) || {
    echo "$lost functions of several files are taken for one, and are not counted" >&2
    exit 1
}
if [[ ${3-} == pages ]]; then
    rm -rf "$build/pages"
    llvm-cov show -format=html -output-dir="$build/pages" -show-branches=count -Xdemangler cat "${objects[@]}" \
        "${ours[@]}" 2>>"$build/llvm-cov.log"
fi
bash "$source/cmake/coverage/judge.sh" "$source/codecs" "$build/codecs.lcov"
