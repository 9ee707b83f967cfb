#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Builds an example core with its testbench for a simulator, as far as that is not done yet, and runs it:
#
#     simulate.sh SIMULATOR CORE [--build-only | NAME=VALUE...]
#     simulate.sh --simulators CORE                   # names those that the core is written for
#
# SIMULATOR is ghdl-llvm, ghdl-mcode, ghdl-gcc, verilator or icarus; ghdl is whichever of the first three
# there is, verilog whichever of the last two. CORE is a folder beside this script. NAME=VALUE sets a generic or
# parameter of the testbench. GW_SIM_BUILD is where it is built (a folder of the user's cache unless told).
# GOLDWIRE_WAVE, which `goldwire certify --wave' sets, is a path for the waves without the end of its name:
# GW_SIM_WAVE, fst (unless told), vcd or, of GHDL alone, ghw. Exit status 77: the simulator is not installed.
# The board file's start hook runs this; goldwire ends it.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
harness=$(dirname "$here")
ghdls=(ghdl-llvm ghdl-mcode ghdl-gcc)

die() {
    printf 'simulate.sh: %s\n' "$1" >&2
    exit "${2:-2}"
}

(($# >= 2)) || die "usage: simulate.sh SIMULATOR CORE [--build-only | NAME=VALUE...]"
simulator=$1 core=$2
shift 2
[[ $core =~ ^[a-z0-9_]+$ && -r $here/$core/sources.sh ]] || die "there is no example core '$core'"
build_only=
if [[ ${1-} == --build-only ]]; then
    build_only=yes
    shift
fi
for setting in "$@"; do
    [[ $setting =~ ^[A-Za-z][A-Za-z0-9_]*=[A-Za-z0-9_.]+$ ]] || die "'$setting' is no NAME=VALUE"
done

# The core's sources in their order, and its testbench.
sources=() verilog=() simulators=() top=''
# shellcheck source=/dev/null
. "$here/$core/sources.sh"
if [[ $simulator == --simulators ]]; then
    printf '%s\n' "${simulators[@]}"
    exit 0
fi

# The command that a simulator is known by.
command_of() {
    [[ $1 == icarus ]] && echo iverilog || echo "$1"
}

first_of() {
    local each
    for each in "$@"; do
        if command -v "$(command_of "$each")" >/dev/null; then
            echo "$each"
            return
        fi
    done
    echo "$1"
}

case $simulator in
ghdl) simulator=$(first_of "${ghdls[@]}") ;;
verilog) simulator=$(first_of verilator icarus) ;;
esac
case $simulator in
ghdl-llvm | ghdl-mcode | ghdl-gcc) language=VHDL package=$simulator ;;
verilator) sources=("${verilog[@]}") language=SystemVerilog package=verilator ;;
icarus) sources=("${verilog[@]}") language=SystemVerilog package=iverilog ;;
*) die "no simulator '$simulator' is known: ${ghdls[*]} verilator icarus" ;;
esac
command -v "$(command_of "$simulator")" >/dev/null || die "$simulator is not installed (Debian: apt install $package)" 77
((${#sources[@]} > 0)) || die "the core '$core' is not there in $language, which $simulator takes"

# Verilog's parameters are fixed when it is built.
settings=("$@")
wave=${GOLDWIRE_WAVE:-} format=${GW_SIM_WAVE:-fst}
case $simulator:$format in
ghdl-*:ghw | *:fst | *:vcd) ;;
*) die "GW_SIM_WAVE=$format: $simulator does not write such waves" ;;
esac
out=${GW_SIM_BUILD:-${XDG_CACHE_HOME:-$HOME/.cache}/goldwire/sim}/$simulator-$core
if [[ $language == SystemVerilog ]]; then
    for setting in "${settings[@]}"; do
        out+=-$setting
    done
fi
# Verilator takes time for waves even where it writes none.
traces=()
if [[ $simulator == verilator && -n $wave ]]; then
    traces=(--trace)
    [[ $format == vcd ]] || traces=(--trace-fst)
    out+=-wave-$format
fi
mkdir -p "$out"
cd "$out"

build_ghdl() {
    mkdir work
    "${CC:-cc}" -O2 -fPIC -shared -o libgw_hdl.so "$harness/sim/gw_hdl.c"
    "$simulator" -a --std=08 --workdir=work "${sources[@]}"
    LD_LIBRARY_PATH=$out "$simulator" -e --std=08 --workdir=work -o "work/$top" "$top"
}

# The object is ours, since Verilator would give a .c file to the C++ compiler.
build_verilator() {
    "${CC:-cc}" -O2 -c -o gw_hdl.o "$harness/sim/gw_hdl.c"
    verilator --binary --timing -Wno-fatal -Wno-lint -Wno-style -O3 -MAKEFLAGS OPT_FAST=-O2 --Mdir work -o "$top" \
        ${traces[@]+"${traces[@]}"} --top-module "$top" "${settings[@]/#/-G}" "${sources[@]}" "$out/gw_hdl.o" >build.log 2>&1 ||
        die "$(tail -n 20 build.log)" 1
}

build_icarus() {
    mkdir work
    "${CC:-cc}" -O2 -fPIC -shared -DGW_HDL_VPI -I"$(vpi_headers)" -o gw_hdl.vpi "$harness/sim/gw_hdl.c"
    iverilog -g2012 -Wno-timescale -s "$top" "${settings[@]/#/-P$top.}" -o "work/$top" "${sources[@]}" 2>build.log ||
        die "$(tail -n 20 build.log)" 1
}

# Where vpi_user.h is.
vpi_headers() {
    local prefix
    prefix=$(dirname "$(dirname "$(command -v iverilog)")")
    echo "$prefix/include/iverilog"
}

# One build at a time, and none when nothing has changed.
exec 9>lock
flock 9
inputs=("$harness/sim/gw_hdl.c" "$harness/sim/gw_hdl.h" "$harness/sim/gw_hdl_wire.h" "$harness/sim/gw_hdl_edges.h" "${sources[@]}")
stamp=$(cat "${inputs[@]}" "$here/simulate.sh" | sha256sum)
if [[ ! -e built || $(<built) != "$stamp" ]]; then
    rm -rf work built
    "build_${simulator%%-*}"
    printf '%s\n' "$stamp" >built
fi
exec 9>&-
[[ -z $build_only ]] || exit 0

arguments=()
case $simulator in
icarus)
    [[ -z $wave ]] || arguments=("-$format" "+gw_wave=$wave.$format")
    exec vvp -M "$out" -m gw_hdl "work/$top" "${arguments[@]}"
    ;;
verilator)
    [[ -z $wave ]] || arguments=("+gw_wave=$wave.$format")
    exec "./work/$top" "${arguments[@]}"
    ;;
esac
[[ -z $wave ]] || arguments=("--${format/#ghw/wave}=$wave.$format")
arguments+=("${settings[@]/#/-g}")
export LD_LIBRARY_PATH=$out
if [[ $simulator == ghdl-mcode ]]; then
    exec ghdl-mcode --elab-run --std=08 --workdir=work "$top" --ieee-asserts=disable-at-0 "${arguments[@]}"
fi
exec "./work/$top" --ieee-asserts=disable-at-0 "${arguments[@]}"
