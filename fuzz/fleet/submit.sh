#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: submit.sh FOLDER TARGET SHARED TASKS SECONDS [SBATCH OPTION...]
# Gives Slurm an array of TASKS fuzzers of SECONDS each, and a job behind it that merges the corpus and sorts the finds.
# FOLDER holds fuzz_TARGET and the dictionaries; it, SHARED and these scripts are on a file system of all nodes.
# SHARED/corpus is what they start from, and share. A task whose node dies is run again elsewhere.
# Prints the two jobs' ids.
set -euo pipefail
(($# >= 5)) || {
    sed -n '3,7s/^# //p' "$0" >&2
    exit 2
}
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
target=$2 tasks=$4 seconds=$5
[[ $tasks =~ ^[1-9][0-9]{0,3}$ && $seconds =~ ^[1-9][0-9]{0,6}$ ]] || {
    echo "TASKS and SECONDS are numbers, TASKS of four digits at the most" >&2
    exit 2
}
folder=$(readlink -e "$1") && [[ -x $folder/fuzz_$target ]] || {
    echo "there is no $1/fuzz_$target: build it first, cmake --build build/fuzz-libfuzzer --target fuzz_$target fuzz_dictionaries" >&2
    exit 2
}
mkdir -p "$3/corpus" "$3/log"
shared=$(readlink -e "$3")
[[ -n $(find -L "$shared/corpus" -type f -print -quit) ]] ||
    echo "$3/corpus is empty: fuzzers are quicker with what corpus/$target holds" >&2
rm -f "$shared/finished" "$shared/failed"
# command SCRIPT WORD... prints it as Slurm's --wrap takes it: a script of its own would be run as a copy elsewhere.
command() { printf 'exec bash' && printf ' %q' "$@"; }

# Time enough to start and to end in; Slurm counts minutes.
minutes=$((seconds / 60 + 5))
array=$(sbatch --parsable --requeue --open-mode=append --job-name="fuzz-$target" --array="0-$((tasks - 1))" \
    --time="$minutes" --output="$shared/log/task-%a.out" "${@:6}" \
    --wrap="$(command "$here/task.sh" "$folder" "$target" "$shared" "$seconds")")
finish=$(sbatch --parsable --requeue --open-mode=append --job-name="fuzz-$target-end" --dependency="afterany:${array%%;*}" \
    --output="$shared/log/finish.out" "${@:6}" \
    --wrap="$(command "$here/finish.sh" "$folder" "$target" "$shared")")
echo "${array%%;*} ${finish%%;*}"
