#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# An installed tree has every file in its usual place, and programs can be built against it: with
# pkg-config, with find_package, statically and dynamically, also after the tree was moved.
set -euo pipefail
source_dir=$1
build_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$*" >&2
    exit 1
}

DESTDIR=$work/staged cmake --install "$build_dir" --prefix /opt/gold >"$work/log" 2>&1 || {
    cat "$work/log"
    fail 'cmake --install failed'
}
[[ $(ls "$work/staged") == opt && $(ls "$work/staged/opt") == gold ]] ||
    fail "installed outside DESTDIR and prefix: $(ls "$work/staged" "$work/staged/opt")"
mv "$work/staged/opt/gold" "$work/gold"
cd "$work/gold"

expect() {
    local pattern
    for pattern in "$@"; do
        compgen -G "$pattern" >/dev/null || fail "not installed: $pattern"
    done
}
expect bin/goldwire share/man/man1/goldwire.1 share/bash-completion/completions/goldwire \
    share/doc/goldwire/LICENSE share/doc/goldwire/BSD-2-Clause.txt
expect share/doc/goldwire/docs/run.schema.json share/doc/goldwire/docs/examples/fields.c \
    share/doc/goldwire/fpga_harness/boards/op2p-node.yaml

# Whoever reads the installed documents can follow their links.
links=0
while IFS=: read -r page target; do
    target=${target#*](}
    [[ $target != *://* && $target != mailto:* ]] || continue
    [[ -e $(dirname "$page")/$target ]] || fail "$page links to $target, which is not installed"
    links=$((links + 1))
done < <(find share/doc/goldwire -name '*.md' -exec grep -oHE '\]\([^)#]+' {} +)
((links > 30)) || fail "only $links links between the installed documents"

pc=$(find . -name goldwire.pc)
[[ -n $pc ]] || fail 'not installed: goldwire.pc'
lib=$(dirname "$(dirname "$pc")")
lib=${lib#./}
expect "$lib/libgoldwire.a" "$lib/libgoldwire.so" "$lib/libgoldwire.so.0" \
    "$lib/cmake/goldwire/GoldwireConfig.cmake" "$lib/cmake/goldwire/GoldwireConfigVersion.cmake"
for header in "$source_dir"/codecs/include/goldwire/*; do
    expect "include/goldwire/${header##*/}"
done
if [[ -d $build_dir/wireshark-plugins ]]; then
    expect "lib/*/wireshark/plugins/*/epan/goldwire.so" share/doc/goldwire/GPL-2.0-or-later.txt
fi

# The installed command is the one that was built, and runs from there.
[[ $(bin/goldwire --version) == goldwire\ * ]] || fail 'bin/goldwire --version says nothing'

# The example cores are found where they were installed, and what a testbench links lies beside them.
for file in cores/simulate.sh cores/op2p/board.yaml sim/gw_hdl.c hdl/gw_axis.vhd; do
    expect "share/doc/goldwire/fpga_harness/$file"
done
for core in etherbone op2p textarossa; do
    [[ $(bin/goldwire sim "$core") == *"$PWD/share/doc/goldwire/fpga_harness/cores/$core/board.yaml"* ]] ||
        fail "bin/goldwire sim does not find the core $core where it is installed"
done
if command -v ghdl-llvm >/dev/null; then
    (cd share/doc/goldwire && GW_SIM_BUILD=$work/sim ../../../bin/goldwire certify fpga_harness/cores/etherbone/board.yaml \
        --hooks --case eb-s/probe-echo >"$work/log" 2>&1) || {
        cat "$work/log"
        fail 'an installed example core does not pass'
    }
fi

probe=4e6f11ff12345678
check_output() {
    local output
    output=$("$@" $probe) || fail "$*: failed"
    grep -q 'etherbone.probe_id *0x12345678' <<<"$output" || fail "$*: $output"
}

export PKG_CONFIG_PATH=$work/gold/$lib/pkgconfig
read -ra flags <<<"$(pkg-config --cflags goldwire)"
read -ra shared <<<"$(pkg-config --libs goldwire)"
for compiler in gcc clang; do
    $compiler -std=c11 -Wall -Wextra -Werror "$source_dir/docs/examples/fields.c" -o "$work/fields" \
        "${flags[@]}" "${shared[@]}"
    LD_LIBRARY_PATH=$work/gold/$lib check_output "$work/fields"
    libraries=$(LD_LIBRARY_PATH=$work/gold/$lib ldd "$work/fields")
    [[ $libraries == *"libgoldwire.so.0 => $work/gold"* ]] ||
        fail 'the pkg-config program does not use the installed shared library'
    $compiler -std=c11 "$source_dir/docs/examples/fields.c" -o "$work/fields" "${flags[@]}" "$lib/libgoldwire.a"
    check_output "$work/fields"
done

if ! { cmake -S "$source_dir/docs/examples" -B "$work/example" -DCMAKE_PREFIX_PATH="$work/gold" &&
    cmake --build "$work/example"; } >"$work/log" 2>&1; then
    cat "$work/log"
    fail 'find_package(Goldwire) or building with it failed'
fi
check_output "$work/example/fields"
check_output "$work/example/fields-shared"

# What the shared library exports is codecs.symbols' business; it needs nothing but libc.
[[ $(objdump -p "$lib/libgoldwire.so" | awk '$1 == "NEEDED" { print $2 }') == libc.so.6 ]] ||
    fail 'libgoldwire.so needs more than libc'
