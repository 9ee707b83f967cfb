#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# sim_bench.sh RELEASE: what goldwire's ports cost a simulator, beside the same core without them; frames a second; and the
# whole catalogue on each example core, beside the software board's over loopback sockets. A simulator that is not installed
# is named. What misses its aim says so.
set -euo pipefail
release=$(readlink -f "$1")
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
goldwire=$release/conformance/goldwire
simulate=fpga_harness/cores/simulate.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export GW_SIM_BUILD=$release/sim

# now: seconds.
now() { echo "$EPOCHREALTIME"; }

# against VALUE AIM WORD: what is said of a ratio or a time.
against() {
    awk -v v="$1" -v a="$2" -v w="$3" 'BEGIN { print v <= a ? "aim " a w : "MISSED: aim " a w }'
}

# bare SIMULATOR CYCLES: runs the core without ports for so many cycles.
bare() {
    local out=$GW_SIM_BUILD/$1-bare
    case $1 in
    ghdl-mcode) ghdl-mcode --elab-run --std=08 --workdir="$out/work" tb_bare -gCYCLES="$2" ;;
    ghdl-*) "$out/work/tb_bare" -gCYCLES="$2" ;;
    verilator) "$out/work/tb_bare" +CYCLES="$2" ;;
    icarus) vvp "$out/work/tb_bare" +CYCLES="$2" ;;
    esac >"$dir/bare.txt" 2>&1
}

# spent SIMULATOR CYCLES: the seconds of the processor's time that takes, the best of three: others use this machine as well.
spent() {
    local best='' one TIMEFORMAT='%U %S'
    for _ in 1 2 3; do
        { time bare "$@"; } 2>"$dir/spent.txt" || { cat "$dir/bare.txt" >&2; return 1; }
        one=$(awk '{ print $1 + $2 }' "$dir/spent.txt")
        best=$(awk -v a="${best:-$one}" -v b="$one" 'BEGIN { print a < b ? a : b }')
    done
    echo "$best"
}

# enough SIMULATOR: the cycles that take half a second and more beside starting.
enough() {
    local cycles=20000 none
    none=$(spent "$1" 1)
    while awk -v a="$none" -v b="$(spent "$1" $cycles)" 'BEGIN { exit !(b - a < 0.5) }'; do
        cycles=$((cycles * 2))
    done
    echo $cycles
}

# bare_rate SIMULATOR CYCLES: cycles a second; what starting takes is left out.
bare_rate() {
    awk -v n="$2" -v a="$(spent "$1" 1)" -v b="$(spent "$1" "$2")" 'BEGIN { printf "%.0f\n", (n - 1) / (b - a) }'
}

median() {
    printf '%s\n' "$@" | sort -n | sed -n "$((($# + 1) / 2))p"
}

# ports NAME SETTING: a line for the core without ports and with them, in turn, and the median of each: others use this
# machine as well, and not always as much.
ports() {
    local all_with=() all_without=() with without ratio
    for _ in 1 2 3 4 5; do
        all_without+=("$(bare_rate "$simulator" "$cycles")")
        all_with+=("$("$release/conformance/sim_bench" "$simulate" "$simulator" "$core" idle $hz ${2:+"$2"} 2>"$dir/err.txt")") ||
            { cat "$dir/err.txt" >&2; exit 1; }
    done
    without=$(median "${all_without[@]}")
    with=$(median "${all_with[@]}")
    ratio=$(awk -v a="$without" -v b="$with" 'BEGIN { printf "%.2f", a / b }')
    printf '  %-12s %-11s %12s %12s %8s x  %6s  %s\n' "$simulator" "$1" "$without" "$with" "$ratio" \
        "$(awk -v a="$without" -v b="$with" 'BEGIN { printf "%.0f", 1e9 / b - 1e9 / a }')" "$([[ $simulator == icarus ]] || against "$ratio" "$aim" ' x')"
}

simulators=()
for simulator in ghdl-llvm ghdl-mcode verilator icarus; do
    if bash "$simulate" "$simulator" bare --build-only >"$dir/built.txt" 2>&1; then
        simulators+=("$simulator")
    else
        sed 's/^simulate.sh: /  left out: /' "$dir/built.txt"
    fi
done

echo "simulated cycles a second of an example core to which nobody speaks, without ports and with them"
printf '  %-12s %-11s %12s %12s %10s  %s\n' simulator core bare ports ratio 'ns a cycle for them'
for simulator in ${simulators[@]+"${simulators[@]}"}; do
    case $simulator in
    ghdl-*) core=etherbone hz=125000000 aim=2.0 ;;
    *) core=op2p hz=75000000 aim=1.1 ;;
    esac
    cycles=$(enough "$simulator")
    ports "$core" ''
    # Without ports the core is spoken to by somebody who is always ready.
    [[ $core != op2p ]] || ports 'op2p, ready' READY_OFF=0
done
echo "  (the simulator's own processor time; etherbone has 1 port of frames, a bus that is watched, reset and case mark, op2p 2"
echo "  links with their events, a bus that is driven, reset and case mark: each costs the same however large the core is;"
echo "  'ready': goldwire takes each word at once, and not five cycles of seven: fewer edges to be kept for a failure's diagram)"
echo

echo "frames of 64 bytes a second through one AXI4-Stream port and a loopback, one at a time"
for simulator in ${simulators[@]+"${simulators[@]}"}; do
    frames=$("$release/conformance/sim_bench" "$simulate" "$simulator" lane frames 2>"$dir/err.txt") || { cat "$dir/err.txt" >&2; exit 1; }
    printf '  %-12s %12s /s\n' "$simulator" "$frames"
done
echo

# catalogue NAME ARGUMENT...: certifies, and sets |took|; what came of it is in $dir/NAME.
catalogue() {
    local name=$1 start
    shift
    start=$(now)
    "$goldwire" certify "$@" --out "$dir/$name" >"$dir/$name.txt" 2>&1 || { tail -n 20 "$dir/$name.txt" >&2; exit 1; }
    took=$(awk -v a="$start" -v b="$(now)" 'BEGIN { printf "%.2f", b - a }')
}

echo "the whole catalogue, program start, self-proof and evidence included"
printf '  %-11s %-14s %6s %14s %10s %12s\n' core in cases cycles seconds cycles/s
for core in etherbone op2p textarossa; do
    board=fpga_harness/cores/$core/board.yaml
    role=$(sed -n 's/^role: //p' "$board")
    hz=$(sed -nE 's/.*clock_hz: ([0-9]+).*/\1/p' "$board")
    for simulator in $(bash "$simulate" --simulators "$core"); do
        bash "$simulate" "$simulator" "$core" --build-only >"$dir/built.txt" 2>&1 || continue
        sed -E "s#(simulate.sh, )[a-z-]+, $core\]#\1$simulator, $core]#; s#sim://[A-Za-z0-9_]+#sim://bench-$core-$$#" "$board" >"$dir/board.yaml"
        rm -rf "$dir/sim"
        catalogue sim "$dir/board.yaml" --hooks
        cycles=$(awk -v s="$(grep -oE '"duration_s": *[0-9.e-]+' "$dir/sim/run.json" | head -n 1 | awk '{ print $NF }')" -v hz="$hz" \
            'BEGIN { printf "%.0f", s * hz }')
        aim=300
        [[ $simulator != verilator ]] || aim=60
        printf '  %-11s %-14s %6s %14s %10s %12s  %s\n' "$core" "$simulator" "$(sed -nE 's/^([0-9]+) cases:.*/\1/p' "$dir/sim.txt")" \
            "$cycles" "$took" "$(awk -v c="$cycles" -v t="$took" 'BEGIN { printf "%.0f", c / t }')" "$(against "$took" $aim ' s')"
    done
    over=udp
    ! grep -q 'over=apelink' "$board" || over=tcp
    rm -rf "$dir/software"
    catalogue software --dut "peer:$role?over=$over"
    printf '  %-11s %-14s %6s %14s %10s\n' "$core" "software, $over" "$(sed -nE 's/^([0-9]+) cases:.*/\1/p' "$dir/software.txt")" - "$took"
done
echo "  (the slave for EtherBone is written in VHDL, which Verilator does not take; TEXTAROSSA's APElink goes over TCP)"
