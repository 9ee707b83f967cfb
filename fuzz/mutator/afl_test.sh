#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: afl_test.sh SOURCE MUTATOR.so
# Runs AFL++, a main and a secondary instance, on the deliberately broken target, with the mutator from the tables and
# from a seed that is legal, until the planted fault is found, 60 s at the most. The mutator alone mutates.
set -euo pipefail
source=$1 mutator=$2

dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$dir"' EXIT
export AFL_QUIET=1 AFL_USE_ASAN=1 AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_TRY_AFFINITY=1
export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_BENCH_UNTIL_CRASH=1 AFL_CUSTOM_MUTATOR_ONLY=1
afl-clang-fast -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer -I"$source/codecs/include" "$source/fuzz/broken.c" \
    -o "$dir/broken"
mkdir "$dir/in"
printf 'No\x10\x44\x08\x0f\x02\x00\x00\x00\x80\x00\xc0\xde\x00\x00\xc0\xde\x00\x01' >"$dir/in/write"

export AFL_CUSTOM_MUTATOR_LIBRARY=$mutator
if GOLDWIRE_FUZZ_TARGET=nobody afl-fuzz -i "$dir/in" -o "$dir/none" -V 5 -- "$dir/broken" >"$dir/log.none" 2>&1; then
    echo "a target that has no layout is taken" >&2
    exit 1
fi
grep -q 'the tables mutate inputs of: .*broken .* capture$' "$dir/log.none" || {
    echo "the error does not say which targets there are" >&2
    exit 1
}

export GOLDWIRE_FUZZ_TARGET=broken
afl-fuzz -M main -i "$dir/in" -o "$dir/out" -V 60 -- "$dir/broken" >"$dir/log.main" 2>&1 &
afl-fuzz -S second -i "$dir/in" -o "$dir/out" -V 60 -- "$dir/broken" >"$dir/log.second" 2>&1 &
wait -n || true
found=$(find "$dir/out" -path '*/crashes/id*' | head -n 1)
if [[ -z $found ]]; then
    wait
    found=$(find "$dir/out" -path '*/crashes/id*' | head -n 1)
fi
[[ -n $found ]] || {
    tail -n 15 "$dir/log.main" "$dir/log.second" >&2
    echo "the planted fault was not found" >&2
    exit 1
}
"$dir/broken" "$found" >"$dir/log.again" 2>&1 && {
    echo "$found does not show the fault again" >&2
    exit 1
}
grep -q 'AddressSanitizer: heap-buffer-overflow' "$dir/log.again" || {
    tail -n 20 "$dir/log.again" >&2
    echo "another fault than the planted one was found" >&2
    exit 1
}
echo "found: ${found##*/}"
