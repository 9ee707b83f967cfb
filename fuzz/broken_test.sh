#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Builds the deliberately broken target with libFuzzer and AddressSanitizer and fails unless the fault is caught:
# a fuzzer that has gone blind would pass everything.
set -euo pipefail
clang=$1 source=$2 dictionary=$3

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$clang" -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address -I"$source/codecs/include" \
    "$source/fuzz/broken.c" -o "$dir/broken"
"$dictionary" etherbone >"$dir/dict"
mkdir "$dir/corpus"
status=0
(cd "$dir" && ./broken -dict=dict -seed=1 -runs=2000000 -max_total_time=60 -max_len=64 \
    -artifact_prefix="$dir/" corpus) >"$dir/log" 2>&1 || status=$?
if ((status == 0)); then
    tail -n 5 "$dir/log" >&2
    echo "the broken target was not caught: the fuzzer is blind" >&2
    exit 1
fi
grep -q 'AddressSanitizer: heap-buffer-overflow' "$dir/log" || {
    tail -n 20 "$dir/log" >&2
    echo "the broken target failed, but not by the fault that is in it" >&2
    exit 1
}
echo "caught after $(grep -c '^#' "$dir/log") progress lines"
