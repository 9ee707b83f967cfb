#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: finish.sh FOLDER TARGET SHARED (in a Slurm job, behind the array)
# What is done once: merges SHARED/corpus to what covers something, and sorts SHARED/raw into SHARED/findings. It can be
# run again, when its own node has died. Ends with 1 when something was found, as triage.sh does, and else with 2 when a
# task failed.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
mkdir -p "$3/raw" "$3/corpus"
merged=0
bash "$here/../continuous/prune.sh" "$1" "$2" "$3" /nonexistent || merged=$?
# An input of the corpus that fails is a find as well.
find "$3" -maxdepth 1 -type f \( -name 'crash-*' -o -name 'timeout-*' -o -name 'oom-*' -o -name 'leak-*' \) -exec mv -t "$3/raw" {} +
status=0
bash "$here/../continuous/triage.sh" "$1" "$2" "$3/raw" "$3/findings" | tee "$3/findings.txt.new" || status=$?
[[ ! -s $3/failed ]] || {
    tee -a "$3/findings.txt.new" <"$3/failed"
    ((status != 0)) || status=2
}
mv "$3/findings.txt.new" "$3/findings.txt"
((merged < 2 || status == 1)) || status=$merged
echo "over, exit code $status" >"$3/finished"
exit "$status"
