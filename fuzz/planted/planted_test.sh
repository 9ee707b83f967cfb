#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# planted_test.sh CLANG SOURCE: the faults of fuzz/planted still fit the code, and the bench tells those that are found
# from those that are not; those for provers say which targets might find them. Of its targets the smallest is built, and
# one that comes to no place at all.
set -euo pipefail
clang=$1 source_dir=$2
command -v patch >/dev/null || {
    echo 'skipped: no patch'
    exit 77
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

die() {
    echo "$*" >&2
    exit 1
}

# ---- what the patches say of themselves ----

for patch in "$source_dir"/fuzz/planted/*/*.patch; do
    name=$(basename "$patch")
    for what in Fault Kind Wrong Targets; do
        grep -q "^$what: ." "$patch" || die "$name does not say: $what"
    done
    fault=$(sed -n 's/^Fault: //p' "$patch")
    ((10#${name%%-*} == fault && fault < 100)) || die "$name: the name has another number than $fault"
    ! grep -E '^\+.*gw_planted' "$patch" | grep -vqE "gw_planted(_if_[a-z]+)?\($fault\b" || die "$name: another fault's number"
    for target in $(sed -n 's/^Targets: //p' "$patch"); do
        [[ -f $source_dir/fuzz/$target.c || -f $source_dir/fuzz/wireshark/$target.c ]] || die "$name: no target '$target'"
    done
done

for patch in "$source_dir"/codecs/proof/planted/*.patch; do
    targets=$(sed -n 's/^Targets: //p' "$patch")
    [[ -n $targets ]] || die "$(basename "$patch") does not say which fuzz targets might find it"
    for target in $targets; do
        [[ -f $source_dir/fuzz/$target.c ]] || die "$(basename "$patch"): no target '$target'"
    done
done

# ---- the tree ----

bash "$source_dir/fuzz/planted/tree.sh" "$source_dir" "$dir/tree"
if bash "$source_dir/fuzz/planted/tree.sh" "$dir/tree" "$dir/twice" 2>"$dir/twice.log"; then
    die 'faults fit where they cannot'
fi
grep -q 'does not fit any more' "$dir/twice.log" || die "who reads this does not know what is wrong: $(cat "$dir/twice.log")"

# ---- the bench ----

tree=$dir/tree bin=$dir/bin
mkdir "$bin"
mapfile -t sources < <(find "$tree/codecs/net" -name '*.c' ! -name '*_test.c')
sources+=("$tree"/codecs/core/{checksum,writer}.c)
build() {
    "$clang" -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address -include "$tree/fuzz/planted/planted.h" -I"$tree/codecs" \
        -I"$tree/codecs/include" -I"$tree/fpga_harness/include" -I"$tree/fuzz" "${@:2}" "$tree/fuzz/options.c" -o "$bin/fuzz_$1"
}
build net_tcp "$tree/fuzz/net_tcp.c" "$tree/fuzz/lend/lend.c" "$tree/fpga_harness/capture/frame.c" "${sources[@]}"
build none_decode "$tree/fuzz/empty.c"

mkdir "$dir/corpus"
"$bin/fuzz_net_tcp" -seed=1 -runs=5000 "$dir/corpus" "$source_dir/corpus/net_tcp" >"$dir/log" 2>&1 || {
    tail -n 20 "$dir/log" >&2
    die 'without a fault that is awake, something is found'
}
bench() {
    bash "$source_dir/fuzz/bench/planted.sh" "$bin" 1 1 1 "$dir/bench.tsv" 1 7 >"$dir/told" || die "$(cat "$dir/told")"
}
bench
# Fault 1 lies in TCP; fault 7, in IP fragments, is not what this target is for, and it is not tried.
grep -qE '^1	tcp-[a-z-]*	net_tcp	1	(seeds|found)	' "$dir/bench.tsv" || die "fault 1 is not found: $(cat "$dir/bench.tsv")"
! grep -qE '^7	.*net_tcp' "$dir/bench.tsv" || die 'fault 7 is looked for where it is not'
grep -qE '^1	.*	none_decode	1	unreached	' "$dir/bench.tsv" || die 'a target that does nothing is said to come somewhere'
grep -q '^1 of 1 found by the targets of sequences, 0 by one of single packets$' "$dir/told" || die "$(cat "$dir/told")"
cp "$dir/bench.tsv" "$dir/before"
bench
cmp -s "$dir/before" "$dir/bench.tsv" || die 'what was tried is tried again'
