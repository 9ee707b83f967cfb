#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# waves.sh GOLDWIRE SOURCE BUILD SIMULATOR CORE FAULT CASE: the waves that SIMULATOR writes of CORE are whole, name the
# running case, and a failure tells where in them it can be seen; the report unfolds its message. Exit status 77: the
# simulator is not installed.
set -uo pipefail
goldwire=$1 source=$2 build=$3 simulator=$4 core=$5 fault=$6 case=$7
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GW_SIM_BUILD=$build
cd "$source" || exit 1
# shellcheck source=lib.sh
. fpga_harness/cores/testing/lib.sh
failures=0

fail() {
    printf 'FAIL: %s in %s: %s\n' "$core" "$simulator" "$*" >&2
    failures=$((failures + 1))
}

# marks: of the VCD on stdin, "TIME TEXT" of each change of the signal that names the case.
marks() {
    awk '
        $1 == "$var" && $3 == 256 { id = $4 }
        /^#/ { time = substr($1, 2) }
        /^b/ && $2 == id {
            bits = substr($1, 2); text = ""
            while (length(bits) % 8 != 0) bits = "0" bits
            for (i = 1; i <= length(bits); i += 8) {
                value = 0
                for (k = 0; k < 8; k++) value = 2 * value + substr(bits, i + k, 1)
                if (value > 0) text = text sprintf("%c", value)
            }
            if (text != "") print time, text
        }'
}

sed -E "s#(simulate.sh, )[a-z-]+, $core\]#\1$simulator, $core, FAULT=$fault]#; s#sim://[A-Za-z0-9_]+#sim://w-$simulator-$$#" \
    "fpga_harness/cores/$core/board.yaml" >"$work/board.yaml"
for format in vcd fst; do
    export GW_SIM_WAVE=$format
    if [[ $format == fst ]] && ! command -v fst2vcd >/dev/null; then
        echo "fst2vcd is not installed (Debian: gtkwave): FST was not read"
        continue
    fi
    GOLDWIRE_WAVE=$work/none build "$simulator" "$core" "FAULT=$fault"
    "$goldwire" certify "$work/board.yaml" --hooks --case "$case" --wave "$work/waves" --out "$work/evidence" --json >"$work/run.json" 2>"$work/said.txt"
    path=$(sed -nE 's/^ +"path": "(.*\.'$format')".*/\1/p' "$work/run.json" | head -n 1)
    at=$(awk -v path="$path" 'index($0, path) { getline; gsub(/[^0-9]/, ""); print; exit }' "$work/run.json")
    if [[ -z $path || ! -s $path ]]; then
        fail "no $format names a failure: $(cat "$work/said.txt")"
        continue
    fi
    case $format in
    vcd) cat "$path" ;;
    fst) fst2vcd "$path" ;;
    esac >"$work/whole.vcd"
    # What a VCD counts time in, in femtoseconds.
    # shellcheck disable=SC2016
    unit=$(head -n 20 "$work/whole.vcd" | tr -s '\n\t' '  ' | sed -nE 's/.*\$timescale *([0-9]+) *(fs|ps|ns) *\$end.*/\1\2/p' |
        sed 's/fs$//; s/ps$/000/; s/ns$/000000/')
    marks <"$work/whole.vcd" >"$work/marks.txt"
    grep -q " $case\$" "$work/marks.txt" || fail "no mark of $case in the $format: $(head -5 "$work/marks.txt")"
    # The packet that failed comes between the mark of its case and the mark of the failure that it made.
    awk -v unit="${unit:-0}" -v at="$at" -v id="$case" '
        { ns = $1 * unit / 1000000; text = substr($0, length($1) + 2) }
        text == id { since = ns; seen = 1 }
        seen && index(text, "FAIL ") == 1 && since <= at && at <= ns { found = 1 }
        END { exit !found }' "$work/marks.txt" ||
        fail "the $format does not have the failure at $at ns where the marks are: $(cat "$work/marks.txt")"
    [[ $(tail -n 1 "$work/whole.vcd") =~ ^(#|b|[01xzUXZ]) ]] || fail "the $format breaks off"
done
if command -v python3 >/dev/null; then
    python3 conformance/cli/testing/decoded.py "$goldwire" "$work/evidence" >"$work/decoded.txt" 2>&1 &&
        grep -qxE '[1-9][0-9]* shown' "$work/decoded.txt" || fail "of its message: $(cat "$work/decoded.txt")"
fi
exit $((failures > 0))
