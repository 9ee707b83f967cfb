#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# widths.sh GOLDWIRE SOURCE BUILD SIMULATOR [ADDRESS/DATA...]: the EtherBone slave with each pair of widths that EtherBone has,
# or with those named ("8/64"), passes its whole catalogue, and each verdict is that of the software board of the same widths,
# or etherbone/differences.txt says why not. Exit status 77: the simulator is not installed.
set -uo pipefail
goldwire=$1 source=$2 build=$3 simulator=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GW_SIM_BUILD=$build
cd "$source" || exit 1
# shellcheck source=lib.sh
. fpga_harness/cores/testing/lib.sh
here=fpga_harness/cores/etherbone
failures=0

fail() {
    printf 'FAIL: %s\n' "$*" >&2
    failures=$((failures + 1))
}

# areas BITS: what tb_eb_slave.vhd has on a bus with addresses of so many bits.
areas() {
    local name type address size
    echo 'areas:'
    while read -r name type address size; do
        echo "  - {name: $name, type: $type, address: $address, size: $size}"
    done < <(case $1 in
        8) printf '%s\n' 'ram ram 0x00 0x80' 'fifo fifo 0x80 8' 'arbiter arbiter 0x90 16' 'rom readonly 0xa0 0x10' \
            'error error 0xb0 0x10' ;;
        16) printf '%s\n' 'ram ram 0x0000 0x8000' 'fifo fifo 0x9000 8' 'rom readonly 0xa000 0x1000' \
            'error error 0xb000 0x1000' 'arbiter arbiter 0xc000 16' ;;
        esac)
}

# board ADDRESS DATA FILE: the board file of a core of these widths, in bits.
board() {
    sed -E "s#(simulate.sh, )[a-z-]+, etherbone\]#\1$simulator, etherbone, ADDRESS_BYTES=$(($1 / 8)), DATA_BYTES=$(($2 / 8))]#
        s#sim://[A-Za-z0-9_]+#sim://widths-$simulator-$$#
        s#address_widths: .*#address_widths: [$1]#; s#port_widths: .*#port_widths: [$2]#" "$here/board.yaml" >"$3"
    (($1 < 32)) || return 0
    sed -i '/^areas:/,/^$/d' "$3"
    areas "$1" >>"$3"
}

build "$simulator" etherbone

(($# > 0)) || set -- {8,16,32,64}/{8,16,32,64}
for pair in "$@"; do
    board "${pair%/*}" "${pair#*/}" "$work/board.yaml"
    "$goldwire" certify "$work/board.yaml" --hooks --seed 7 >"$work/one.txt" 2>&1 || {
        fail "the core of $pair bit in $simulator does not pass"
        grep -vE '^  (PASS|NA) ' "$work/one.txt" | head -40 >&2
    }
    # The software board has the widths that the board file claims; what is on its bus is beyond addresses of 16 bits.
    board "$((${pair%/*} < 32 ? 32 : ${pair%/*}))" "${pair#*/}" "$work/software.yaml"
    "$goldwire" certify "$work/software.yaml" --dut "peer:etherbone-slave?via=mem" --seed 7 >"$work/software.txt" 2>&1
    while read -r id software simulated; do
        explained etherbone "$id" ||
            fail "the core of $pair bit in $simulator: $id is $simulated, of the software board $software, and nothing says why"
    done < <(join <(verdicts "$work/software.txt") <(verdicts "$work/one.txt") | awk '$2 != $3')
    echo "$pair bit in $simulator: $(sed -nE 's/^([0-9]+ cases: .*);.*/\1/p' "$work/one.txt")"
done
exit $((failures > 0))
