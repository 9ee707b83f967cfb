#!/bin/bash -eu
# SPDX-License-Identifier: BSD-2-Clause
# Builds the fuzz targets as OSS-Fuzz wants them: $CC, $CFLAGS, $LIB_FUZZING_ENGINE and $OUT are
# given, each target goes to $OUT with its seeds and its dictionary beside it. Runs in the root of
# the source.
#
# libpcap, jansson, libfyaml and the like come from the base image's packages; the plugin's target is
# left out, because libwireshark cannot be taken along.
build=${WORK:-build}/oss-fuzz
: "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"

# The engine comes from outside, so the compiler's own coverage flags ($CFLAGS) do the rest.
cmake -G Ninja -S . -B "$build" -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_BUILD_TYPE=None \
    -DBUILD_TESTING=OFF -DGW_DISSECTOR=OFF -DGW_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DGW_FUZZ_WIRESHARK=OFF
ninja -C "$build" fuzz/all

for binary in "$build"/fuzz/fuzz_*; do
    target=${binary##*/fuzz_}
    case $target in
    *.* | broken | empty | dictionary | dictionaries | seeds) continue ;;
    esac
    cp "$binary" "$OUT/"
    (cd "corpus/$target" && zip -q -r "$OUT/fuzz_${target}_seed_corpus.zip" .)
    cp "$(bash fuzz/dictionary_of.sh "$target" "$build/fuzz")" "$OUT/fuzz_$target.dict"
done
