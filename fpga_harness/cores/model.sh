#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Makes a shared library of an example core with its testbench, to be stepped in goldwire's own process
# (sim/gw_model.h), by Verilator; prints its path:
#
#     model.sh CORE [NAME=VALUE...]
#
# CORE is a folder beside this script whose sources.sh has Verilog sources; NAME=VALUE sets a parameter of its
# testbench. GW_SIM_BUILD is where it is built (a folder of the user's cache unless told). With GW_SIM_FUZZ=1 it is
# compiled by clang++ for libFuzzer: a fuzzer that loads it sees which lines of the core an input reaches. Exit status
# 77: Verilator, or clang++ for that, is not installed.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
harness=$(dirname "$here")

die() {
    printf 'model.sh: %s\n' "$1" >&2
    exit "${2:-2}"
}

(($# >= 1)) || die "usage: model.sh CORE [NAME=VALUE...]"
core=$1
shift
[[ $core =~ ^[a-z0-9_]+$ && -r $here/$core/sources.sh ]] || die "there is no example core '$core'"
for setting in "$@"; do
    [[ $setting =~ ^[A-Za-z][A-Za-z0-9_]*=[A-Za-z0-9_.]+$ ]] || die "'$setting' is no NAME=VALUE"
done
verilog=() top=''
# shellcheck source=/dev/null
. "$here/$core/sources.sh"
((${#verilog[@]} > 0)) || die "the core '$core' is not there in SystemVerilog, which Verilator takes"
command -v verilator >/dev/null || die "verilator is not installed (Debian: apt install verilator)" 77

out=${GW_SIM_BUILD:-${XDG_CACHE_HOME:-$HOME/.cache}/goldwire/sim}/model-$core
for setting in "$@"; do
    out+=-$setting
done
# What is counted is the core's lines, which --coverage-line keeps apart in what Verilator makes of them, and nothing of
# Verilator's own library. Nobody asks for its account of lines, which each new model would enter its lines into.
instruments=() watched='' coroutines=-fcoroutines compiler=() libraries=('-Wl,-z,defs')
if [[ -n ${GW_SIM_FUZZ-} ]]; then
    command -v clang++ >/dev/null || die "clang++ is not installed (Debian: apt install clang)" 77
    export CC=clang CXX=clang++
    out+=-fuzz instruments=(--coverage-line)
    watched=-fsanitize-coverage=inline-8bit-counters,pc-table # whose functions are the fuzzer's
    # Clang 14 to 16 know coroutines by this name; later ones have them in C++20.
    coroutines=-fcoroutines-ts
    clang++ "$coroutines" -x c++ -E /dev/null >/dev/null 2>&1 || coroutines=-std=c++20
    compiler=(CXX=clang++ CFG_CXXFLAGS_COROUTINES="$coroutines" OPT_SLOW="$watched")
    libraries=(-latomic)
fi
mkdir -p "$out"
cd "$out"

build() {
    "${CC:-cc}" -O2 -fPIC -fvisibility=hidden -DGW_HDL_IN_PROCESS -c -o gw_hdl.o "$harness/sim/gw_hdl.c"
    verilator --cc --timing "${instruments[@]}" -Wno-fatal -Wno-lint -Wno-style -O3 \
        -CFLAGS '-O2 -fPIC -fvisibility=hidden' --Mdir work --prefix Vmodel --top-module "$top" "${@/#/-G}" "${verilog[@]}"
    [[ -z $watched ]] || sed -i '/__vlCoverInsert(&/d' work/*.cpp
    # What a program of Verilator's own is linked with beside the model.
    mapfile -t runtime < <(sed -nE 's/^[[:space:]]+(verilated[a-z_]*).*/\1.o/p' work/Vmodel_classes.mk | sort -u)
    make -C work -f Vmodel.mk "${compiler[@]}" OPT_FAST="-O2 $watched" Vmodel__ALL.a "${runtime[@]}"
    include=$(sed -n 's/^VERILATOR_ROOT = //p' work/Vmodel.mk)/include
    "${CXX:-g++}" -std=c++20 "$coroutines" -O2 -fPIC -fvisibility=hidden -shared -o model.so -I"$harness/sim" -Iwork \
        -I"$include" -I"$include/vltstd" "$harness/sim/gw_model.cpp" gw_hdl.o \
        work/Vmodel__ALL.a "${runtime[@]/#/work/}" "${libraries[@]}" -pthread
}

# One build at a time, and none when nothing has changed.
exec 9>lock
flock 9
inputs=("$harness"/sim/gw_{hdl.c,hdl.h,hdl_wire.h,hdl_edges.h,hdl_in_process.h,model.h,model.cpp} "${verilog[@]}")
stamp=$(cat "${inputs[@]}" "$here/model.sh" | sha256sum)
if [[ ! -e built || $(<built) != "$stamp" ]]; then
    rm -rf work built
    build "$@" >build.log 2>&1 || die "$(tail -n 20 build.log)" 1
    printf '%s\n' "$stamp" >built
fi
echo "$out/model.so"
