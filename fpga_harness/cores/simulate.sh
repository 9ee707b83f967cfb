#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Builds an example core with its testbench for a simulator, as far as that is not done yet, and runs it:
#
#     simulate.sh SIMULATOR CORE [--build-only | NAME=VALUE...]
#     simulate.sh --simulators CORE                   # names those that the core is written for
#
# SIMULATOR is ghdl-llvm, ghdl-mcode, ghdl-gcc, or ghdl for whichever of them there is. CORE is a folder
# beside this script. NAME=VALUE sets a generic of the testbench. GW_SIM_BUILD is where it is built (a
# folder of the user's cache unless told), GW_SIM_WAVE a file for the waves (.ghw or .vcd). Exit status
# 77: the simulator is not installed. The board file's start hook runs this; goldwire ends it.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
harness=$(dirname "$here")

die() {
    printf 'simulate.sh: %s\n' "$1" >&2
    exit "${2:-2}"
}

(($# >= 2)) || die "usage: simulate.sh SIMULATOR CORE [--build-only | NAME=VALUE...]"
simulator=$1 core=$2
shift 2
[[ $core =~ ^[a-z0-9_]+$ && -r $here/$core/sources.sh ]] || die "there is no example core '$core'"

# The core's sources in their order, and its testbench.
sources=() top='' simulators=()
# shellcheck source=/dev/null
. "$here/$core/sources.sh"
if [[ $simulator == --simulators ]]; then
    printf '%s\n' "${simulators[@]}"
    exit 0
fi

if [[ $simulator == ghdl ]]; then
    for simulator in ghdl-llvm ghdl-mcode ghdl-gcc none; do
        ! command -v "$simulator" >/dev/null || break
    done
fi
[[ $simulator == ghdl-* ]] || die "no simulator '$simulator' is known or installed: ghdl-llvm, ghdl-mcode, ghdl-gcc" 77
command -v "$simulator" >/dev/null || die "$simulator is not installed (Debian: apt install $simulator)" 77

out=${GW_SIM_BUILD:-${XDG_CACHE_HOME:-$HOME/.cache}/goldwire/sim}/$simulator-$core
mkdir -p "$out"
cd "$out"

# One build at a time, and none when nothing has changed.
exec 9>lock
flock 9
inputs=("$harness/sim/gw_hdl.c" "$harness/sim/gw_hdl.h" "$harness/sim/gw_hdl_wire.h" "${sources[@]}")
stamp=$(cat "${inputs[@]}" "$here/simulate.sh" | sha256sum)
if [[ ! -e built || $(<built) != "$stamp" ]]; then
    rm -rf work built
    mkdir work
    "${CC:-cc}" -O2 -fPIC -shared -o libgw_hdl.so "$harness/sim/gw_hdl.c"
    "$simulator" -a --std=08 --workdir=work "${sources[@]}"
    export LD_LIBRARY_PATH=$out
    "$simulator" -e --std=08 --workdir=work -o "work/$top" "$top"
    printf '%s\n' "$stamp" >built
fi
exec 9>&-
[[ ${1-} != --build-only ]] || exit 0

arguments=()
for setting in "$@"; do
    [[ $setting =~ ^[A-Za-z][A-Za-z0-9_]*=[A-Za-z0-9_.]+$ ]] || die "'$setting' is no NAME=VALUE"
    arguments+=("-g$setting")
done
wave=${GW_SIM_WAVE:-}
case $wave in
'') ;;
*.vcd) arguments+=("--vcd=$wave") ;;
*) arguments+=("--wave=$wave") ;;
esac

export LD_LIBRARY_PATH=$out
if [[ $simulator == ghdl-mcode ]]; then
    exec "$simulator" --elab-run --std=08 --workdir=work "$top" --ieee-asserts=disable-at-0 "${arguments[@]}"
fi
exec "./work/$top" --ieee-asserts=disable-at-0 "${arguments[@]}"
