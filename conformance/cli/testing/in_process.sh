#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# in_process.sh GOLDWIRE SOURCE BUILD PROGRAM CORE: each case of the catalogue has the same verdict with the core CORE, as
# Verilator compiles it, in goldwire's own process (PROGRAM) as over the socket. Exit status 77: Verilator is not installed.
set -uo pipefail
goldwire=$1 source=$2 build=$3 program=$4 core=$5
cores=$source/fpga_harness/cores
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GW_SIM_BUILD=$build XDG_RUNTIME_DIR=$work
cd "$source" || exit 1

"$program" "$cores/model.sh" "$core" "$cores/$core/board.yaml" 7 >"$work/here.txt"
status=$?
[[ $status == 0 ]] || exit "$status"

bash "$cores/simulate.sh" verilator "$core" --build-only >"$work/out" 2>&1 || {
    cat "$work/out" >&2
    exit 1
}
sed -E "s#(simulate.sh, )[a-z-]+, $core\]#\1verilator, $core]#" "$cores/$core/board.yaml" >"$work/board.yaml"
"$goldwire" certify "$work/board.yaml" --hooks --seed 7 >"$work/out" 2>&1 || {
    cat "$work/out" >&2
    exit 1
}
verdicts() {
    sed -nE 's#^ *(PASS|FAIL|WARN|NA|INCONC|WAIVED|ERROR) +([a-z0-9-]+/[a-z0-9-]+)( .*)?$#\2 \1#p' "$1" | sort
}
verdicts "$work/out" >"$work/socket.sorted"
verdicts "$work/here.txt" >"$work/here.sorted"
[[ -s $work/here.sorted ]] || exit 1
diff "$work/socket.sorted" "$work/here.sorted" || exit 1
echo "$core: $(wc -l <"$work/here.sorted") verdicts, in process as over the socket: $(cut -d' ' -f2 "$work/here.sorted" | sort | uniq -c | xargs)"
