#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: build.sh [TARGET...]
# Builds the fuzz targets, or those named, as OSS-Fuzz and ClusterFuzzLite want them: $CC, $CFLAGS, $LIB_FUZZING_ENGINE,
# $WORK and $OUT are given; each target goes to $OUT, with its seeds and its dictionary beside it, and to $OUT/lib the
# libraries that the image which runs them lacks. Runs in the root of the source.
#
# The plugin's targets are left out, because libwireshark cannot be taken along.
set -euo pipefail
build=${WORK:-build}/oss-fuzz
: "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"

# The engine comes from outside, so the compiler's own coverage flags ($CFLAGS) do the rest. What a library takes is
# looked for beside it as well: the older kind of path does that.
# shellcheck disable=SC2016 # the loader replaces $ORIGIN
cmake -G Ninja -S . -B "$build" -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_BUILD_RPATH='$ORIGIN/lib' -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags \
    -DBUILD_TESTING=OFF -DGW_DISSECTOR=OFF -DGW_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DGW_FUZZ_WIRESHARK=OFF
targets=("$@")
(($#)) || mapfile -t targets <"$build/fuzz/targets.txt"
ninja -C "$build" "${targets[@]/#/fuzz_}" fuzz_dictionaries

mkdir -p "$OUT/lib"
for target in "${targets[@]}"; do
    cp "$build/fuzz/fuzz_$target" "$OUT/"
    (cd "corpus/$target" && rm -f "$OUT/fuzz_${target}_seed_corpus.zip" && zip -q -r "$OUT/fuzz_${target}_seed_corpus.zip" .)
    cp "$(bash fuzz/dictionary_of.sh "$target" "$build/fuzz")" "$OUT/fuzz_$target.dict"
    # All but the C library and what comes with the compiler.
    while IFS= read -r library; do
        cp -L -u "$library" "$OUT/lib/"
    done < <(ldd "$build/fuzz/fuzz_$target" | sed -nE 's/.* => (\/[^ ]+) .*/\1/p' |
        grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv|libgcc_s|libstdc\+\+)\.so')
done
