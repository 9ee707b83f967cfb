# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# What the tests of example cores share. Sourced at the top of the source tree, with a folder of the test's own in $work
# and a function `fail'.

# build SIMULATOR CORE [NAME=VALUE...]: builds the core for the simulator. The test ends when that fails, and with status
# 77 when the simulator is not installed.
build() {
    local simulator=$1 core=$2
    shift 2
    bash fpga_harness/cores/simulate.sh "$simulator" "$core" --build-only "$@" >"$work/built.txt" 2>&1
    case $? in
    0) ;;
    77)
        cat "$work/built.txt"
        exit 77
        ;;
    *)
        cat "$work/built.txt" >&2
        exit 1
        ;;
    esac
}

# rows FILE: its lines that are not comments.
rows() {
    grep -vE '^(#|$)' "$1"
}

# verdicts FILE: "CASE VERDICT" of each case of the format in what certify printed.
verdicts() {
    sed -nE 's/^  (PASS|FAIL|WARN|NA|INCONC|WAIVED|ERROR) +([a-z0-9-]+\/[a-z0-9-]+) .*/\2 \1/p' "$1" | grep -vE '^(axis|axil|wb)/' | sort
}

# explained CORE CASE: its differences.txt says why the verdict is not the software board's; there it may be a shell pattern.
explained() {
    local pattern
    while read -r pattern _; do
        # shellcheck disable=SC2053
        [[ $2 != $pattern ]] || return 0
    done < <(rows "fpga_harness/cores/$1/differences.txt")
    return 1
}
