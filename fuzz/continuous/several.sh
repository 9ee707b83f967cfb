#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: several.sh FOLDER SECONDS JOBS LOGS TARGET...
# Fuzzes the TARGETs, JOBS of them at once, so that all are over after SECONDS; each gets the same share, and a second at
# the least. Prints a line for each, and the end of the log of one that found something. Ends as the worst of target.sh.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
folder=$1 seconds=$2 jobs=$3 logs=$4 targets=("${@:5}")
deadline=$((SECONDS + seconds))
worst=0
running=()
mkdir -p "$logs"

# one TARGET SECONDS runs it with a line of what came of it. Loading a corpus is not bounded by libFuzzer's own limit;
# target.sh takes 5 s to kill a fuzzer that does not end.
one() {
    local log=$logs/fuzz-$1.log status=0 reads
    trap 'kill -TERM "$child" 2>/dev/null || true' TERM INT
    timeout -k 10 $(($2 + 20)) bash "$here/target.sh" "$folder" "$1" "$2" "out/fuzz/$1" "corpus/$1" >"$log" 2>&1 &
    local child=$!
    wait "$child" || status=$?
    while kill -0 "$child" 2>/dev/null; do
        wait "$child" || status=$?
    done
    reads=$(sed -n 's/^stat::number_of_executed_units: //p' "$log")
    case $status in
    0) printf '%-20s %4d s  %s inputs\n' "$1" "$2" "$reads" ;;
    1) printf '%-20s FOUND SOMETHING\n' "$1" && tail -n 25 "$log" ;;
    3) printf '%-20s interrupted\n' "$1" ;;
    124)
        printf '%-20s did not get through its corpus in time: ./run fuzz --mode prune %s makes it smaller\n' "$1" "$1"
        status=2
        ;;
    *) printf '%-20s could not be run\n' "$1" && tail -n 5 "$log" ;;
    esac
    return "$status"
}

# worse STATUS keeps the worst: something was found, could not be run, was interrupted.
worse() {
    local order=([0]=0 [3]=1 [2]=2 [1]=3)
    ((${order[$1]:-2} <= ${order[$worst]})) || worst=$1
}

trap 'kill -TERM "${running[@]}" 2>/dev/null || true; worst=3; targets=()' TERM INT
for ((next = 0; next < ${#targets[@]}; next++)); do
    while (($(jobs -pr | wc -l) >= jobs)); do
        status=0
        wait -n || status=$?
        worse "$status"
    done
    left=$((${#targets[@]} - next))
    rounds=$(((left + jobs - 1) / jobs))
    share=$(((deadline - SECONDS) / rounds))
    one "${targets[next]}" $((share > 0 ? share : 1)) &
    running+=($!)
done
while status=0 && (($(jobs -pr | wc -l))); do
    wait -n || status=$?
    worse "$status"
done
exit "$worst"
