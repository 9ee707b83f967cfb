#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# standalone.sh SOURCE BUILD [others]: the codecs fit into firmware: they compile freestanding with gcc
# and clang, for 64 and 32 bits, keep nothing in variables, call nothing but string.h, and every public
# header stands alone. Each compiler and each width takes its turn; with others the two pairs that are left.
set -euo pipefail
source "$(dirname "$0")/files.sh"
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
flags=(-std=c11 -Os -ffreestanding -fno-pic -fno-stack-protector -Wall -Wextra -Wpedantic -Werror
    -Icodecs/include -Icodecs)
libc='mem(chr|cmp|cpy|move|set)|str(chr|cmp|c?spn|n?len|ncmp|rchr|str)'
libgcc='__(u?divdi3|u?moddi3|u?divmoddi4|popcountdi2|clzdi2|ctzdi2|bswapdi2)|_GLOBAL_OFFSET_TABLE_'

mapfile -d '' -t sources < <(own_files . -path './codecs/*' -name '*.c' ! -name '*_test.c' \
    ! -path '*/testing/*' ! -path './codecs/proof/*')
((${#sources[@]})) || {
    echo "found no codecs below $PWD" >&2
    exit 1
}
variants=(gcc-32 clang-64)
[[ ${3-} != others ]] || variants=(gcc-64 clang-32)
for variant in "${variants[@]}"; do
    for source in "${sources[@]}"; do
        echo "${variant%-*} -m${variant#*-} ${flags[*]} -c $source -o $work/$variant-${source//\//-}.o"
    done | xargs -P "$(nproc)" -I{} sh -c '{}' || status=1
done
for object in "$work"/*.o; do
    name=${object#"$work/"}
    if nm "$object" | grep -E ' [bBdDcC] '; then
        echo "^ $name: a codec keeps nothing in variables" >&2
        status=1
    fi
done
# What is undefined in all of them together and defined in none has to come from outside.
for variant in "${variants[@]}"; do
    nm -g "$work/$variant"-*.o | awk '$1 == "U" { print $2 }' | sort -u >"$work/used"
    nm -g --defined-only "$work/$variant"-*.o | awk 'NF == 3 { print $3 }' | sort -u >"$work/defined"
    if comm -23 "$work/used" "$work/defined" | grep -vxE "$libc|$libgcc"; then
        echo "^ $variant: called by the codecs, and not one of string.h's" >&2
        status=1
    fi
done
for header in codecs/include/goldwire/*.h; do
    for language in c c++; do
        echo "#include \"$header\"" |
            clang -x "$language" -fsyntax-only -Wall -Werror -I. -Icodecs/include - || status=1
    done
done
exit $status
