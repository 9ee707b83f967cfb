#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: task.sh GOLDWIRE LIST OUT TASKS (in a Slurm job array, or with SLURM_ARRAY_TASK_ID set)
# One of TASKS: checks every TASKSth capture of LIST, from its own number on, on as many processors as it was given. What a
# capture gives is in OUT/checked, whole or not at all.
set -euo pipefail
goldwire=$1 out=$3 tasks=$4
task=${SLURM_ARRAY_TASK_ID:-0}
read -ra options <<<"${GW_CHECK_OPTIONS:-}"
mapfile -t captures <"$2"
processors=${SLURM_CPUS_PER_TASK:-1}

# check NUMBER reads a capture. Its exit code is written last: what has one is done.
check() {
    local done=$out/checked/$1 mine status=0
    mine=$done.${SLURM_JOB_ID:-$$}
    [[ ! -e $done.code ]] || return 0
    "$goldwire" check --json "${options[@]}" -- "${captures[$1]}" >"$mine.json" 2>"$mine.said" </dev/null || status=$?
    mv "$mine.json" "$done.json"
    mv "$mine.said" "$done.said"
    echo "$status" >"$mine.code"
    mv "$mine.code" "$done.code"
}

for ((number = task; number < ${#captures[@]}; number += tasks)); do
    check "$number" &
    while (($(jobs -rp | wc -l) >= processors)); do wait -n || true; done
done
wait
echo "task $task is over, on ${SLURMD_NODENAME:-this machine}"
