#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: build_test.sh SOURCE WORK [ROOT [TARGET...]]
# Runs .clusterfuzzlite/build.sh with the variables that OSS-Fuzz sets for libFuzzer with AddressSanitizer, or with
# $SANITIZER, and no others, and looks at what it leaves: each target, or those named, runs its seeds, with its
# dictionary, and takes no library along but from there and from the C library. With a ROOT, the folder of a bare Debian
# and not /, it runs there. WORK keeps what is built for the next time. The base image itself is another system: that is
# not tried.
set -euo pipefail
source=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
root=${3-/}
targets=("${@:4}")
sanitizer=${SANITIZER:-address}
status=0
complain() {
    echo "$*" >&2
    status=1
}

skip() {
    echo "SKIPPED: $*"
    exit 77
}
[[ $root != / ]] || for program in clang zip unzip ninja; do
    command -v "$program" >/dev/null || skip "there is no $program"
done

case $sanitizer in
address) flags=(-fsanitize=address -fsanitize-address-use-after-scope) ;;
undefined)
    kinds=array-bounds,bool,builtin,enum,function,integer-divide-by-zero,null,object-size,return,returns-nonnull-attribute
    kinds+=,shift,signed-integer-overflow,unreachable,vla-bound
    flags=("-fsanitize=$kinds,unsigned-integer-overflow" "-fno-sanitize-recover=$kinds")
    ;;
*)
    echo "unknown sanitizer '$sanitizer': address or undefined" >&2
    exit 2
    ;;
esac

rm -rf "$work/src" "$work/out"
mkdir -p "$work/src/goldwire" "$work/work" "$work/out"
(cd "$source" && find . -mindepth 1 -maxdepth 1 ! -name build ! -name out ! -name .git -exec cp -a -t "$work/src/goldwire" {} +)
cp "$work/src/goldwire/.clusterfuzzlite/build.sh" "$work/src/"

# as_oss_fuzz COMMAND... runs it in the root of the source, as the base image would.
as_oss_fuzz() {
    local at=$work into=()
    [[ $root == / ]] || {
        at=/fuzz
        # shellcheck disable=SC2016 # the words of the shell inside
        into=(unshare --mount --pid --fork --mount-proc="$root/proc" bash -c
            'mount --bind "$1" "$2/fuzz" && exec chroot "${@:2}"' bash "$work" "$root")
    }
    "${into[@]}" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        SRC="$at/src" OUT="$at/out" WORK="$at/work" CC=clang CXX=clang++ CCC=clang++ \
        FUZZING_ENGINE=libfuzzer FUZZING_LANGUAGE=c SANITIZER="$sanitizer" ARCHITECTURE=x86_64 \
        LIB_FUZZING_ENGINE=-fsanitize=fuzzer UBSAN_OPTIONS=silence_unsigned_overflow=1 \
        CFLAGS="-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION ${flags[*]} -fsanitize=fuzzer-no-link" \
        CXXFLAGS="-O1 ${flags[*]} -fsanitize=fuzzer-no-link -stdlib=libc++" \
        bash -c 'cd "$SRC/goldwire" && exec "$@"' bash "$@"
}
[[ $root == / ]] || mkdir -p "$root/fuzz"
# shellcheck disable=SC2016 # the variables of the environment inside
as_oss_fuzz bash -c 'exec bash "$SRC/build.sh" "$@"' bash "${targets[@]}" >"$work/build.log" 2>&1 || {
    tail -n 30 "$work/build.log" >&2
    echo "build.sh failed: $work/build.log" >&2
    exit 1
}

# Unless told, every source here that is a target was built, but those that are no targets to find faults by.
((${#targets[@]})) || for file in "$source"/fuzz/*.c; do
    target=$(basename "$file" .c)
    ! grep -q '^int LLVMFuzzerTestOneInput' "$file" || [[ $target =~ ^(broken|empty)$ ]] || targets+=("$target")
done
for target in "${targets[@]}"; do
    [[ -x $work/out/fuzz_$target ]] || complain "$target was not built"
done
num=0
for binary in "$work"/out/fuzz_*; do
    target=${binary##*/fuzz_}
    [[ $target != *.* ]] && [[ $target != *_seed_corpus* ]] || continue
    num=$((num + 1))
    [[ $(unzip -Z1 "${binary}_seed_corpus.zip" 2>/dev/null | grep -vc '/$') == $(find "$source/corpus/$target" -type f | wc -l) ]] ||
        complain "$target has not the seeds of corpus/$target"
    [[ -s $binary.dict ]] || complain "$target has no dictionary"
    other=$(readelf -d "$binary" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | while IFS= read -r library; do
        [[ -e $work/out/lib/$library ]] || echo "$library"
    done | grep -vE '^(libc|libm|libdl|librt|libpthread|libresolv|libgcc_s|libstdc\+\+|ld-linux-x86-64)\.so' || true)
    [[ -z $other ]] || complain "$target takes a library that is not there where it runs: $other"
    readelf -d "$binary" | grep -q 'RPATH.*\$ORIGIN/lib' || complain "$target does not look for libraries beside itself"
    # shellcheck disable=SC2016 # the variables of the environment inside
    as_oss_fuzz bash -c 'exec "$OUT/fuzz_$1" -runs=0 -timeout=25 -dict="$OUT/fuzz_$1.dict" "$SRC/goldwire/corpus/$1"' bash "$target" \
        >"$work/run.log" 2>&1 || {
        tail -n 15 "$work/run.log" >&2
        complain "$target does not run its seeds with its dictionary"
    }
done
# A format's targets have its words, and not another's.
cmp -s "$work/out/fuzz_op2p_decode.dict" "$work/out/fuzz_etherbone_decode.dict" && complain "OP2P's dictionary is EtherBone's"
((num == ${#targets[@]})) || complain "$num targets were built of ${#targets[@]}"
((status != 0)) || echo "$num targets, each with its seeds and its dictionary"
exit "$status"
