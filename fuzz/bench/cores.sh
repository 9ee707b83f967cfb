#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: cores.sh BUILD SEED SECONDS FILE
# The planted faults of the example cores that Verilator takes, one after the other: how long the target CORE_core of
# BUILD, begun with SEED, looks for each, in seconds of processor time, SECONDS at the most; how many inputs it ran; and
# what showed the fault. A fault is a line of FILE, and is not tried again when it has one.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=$(dirname "$(dirname "$here")")
(($# == 4)) || {
    sed -n 's/^# usage: /usage: /p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
build=$(readlink -f "$1") seed=$2 seconds=$3 file=$4
bin=$build/fuzz
export GW_SIM_FUZZ=1 GW_SIM_BUILD=$build/sim

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# look CORE MODEL: fuzzes it, and leaves what was said in log and how many seconds of processors it took in took.
look() {
    local TIMEFORMAT='%U %S' status=0
    rm -rf "$dir/corpus" && mkdir "$dir/corpus"
    { time {
        (
            ulimit -t "$seconds"
            GOLDWIRE_FUZZ_MODEL=$2 exec "$bin/fuzz_$1_core" -seed="$seed" -timeout=600 -detect_leaks=0 -print_final_stats=1 \
                -dict="$(bash "$root/fuzz/dictionary_of.sh" "$1_core" "$bin")" -artifact_prefix="$dir/" "$dir/corpus" \
                "$root/corpus/$1_core" >"$dir/log" 2>&1 </dev/null
        ) || status=$?
    } 2>/dev/null; } 2>"$dir/time"
    took=$(awk '{ printf "%.1f", $1 + $2 }' "$dir/time")
    return "$status"
}

# outcome STATUS: seeds (one of them shows it), found, not found (the time is over), or nothing when it did not run.
outcome() {
    if grep -q '^oracle: ' "$dir/log"; then
        if grep -q 'INITED' "$dir/log"; then echo found; else echo seeds; fi
    elif (($1 > 128)) && grep -q 'INITED' "$dir/log"; then
        echo not
    fi
}

touch "$file"
for list in "$root"/fpga_harness/cores/*/faults.txt; do
    core=$(basename "$(dirname "$list")")
    [[ -x $bin/fuzz_${core}_core ]] || continue
    while read -r fault _ what; do
        [[ $fault =~ ^[0-9]+$ ]] || continue
        ! grep -q "^$core	$fault	" "$file" || continue
        model=$(bash "$root/fpga_harness/cores/model.sh" "$core" MEMORY_BITS=14 "FAULT=$fault")
        status=0
        look "$core" "$model" || status=$?
        result=$(outcome "$status")
        [[ -n $result ]] || {
            tail -n 20 "$dir/log" >&2
            echo "fuzz_${core}_core does not run with fault $fault" >&2
            exit 1
        }
        inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/log")
        [[ -n $inputs ]] || inputs=$(sed -nE 's/^#([0-9]+)[[:space:]].*/\1/p' "$dir/log" | tail -n 1)
        says=$(sed -n 's/^oracle: //p' "$dir/log" | head -n 1)
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$core" "$fault" "$result" "$took" "$inputs" "$what" "$says" | tee -a "$file"
    done <"$list"
done

awk -F '\t' '
    { how[$3]++ }
    $3 == "found" { time[how[$3]] = $4 }
    END {
        num = how["found"]
        for (i = 1; i <= num; i++)
            for (k = i + 1; k <= num; k++)
                if (time[k] < time[i]) { t = time[i]; time[i] = time[k]; time[k] = t }
        printf "%d of %d found, %d of them by a seed", num + how["seeds"], NR, how["seeds"]
        if (num > 0) printf ", the others after %.1f s in the median", time[int((num + 1) / 2)]
        print ""
    }' "$file"
