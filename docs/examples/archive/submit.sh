#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: submit.sh GOLDWIRE LIST OUT TASKS [SBATCH OPTION...]
# Gives Slurm an array of TASKS that check the captures named in LIST, one a line, and a job behind it that puts together what
# they found. GOLDWIRE, the captures, OUT and these scripts are on a file system of all nodes. GW_CHECK_OPTIONS are words for
# `goldwire check'. A task whose node dies is run again elsewhere, without what is done; so is all of it, when it is submitted
# again with the same OUT. Prints the two jobs' ids.
set -euo pipefail
(($# >= 4)) || {
    sed -n '3,7s/^# //p' "$0" >&2
    exit 2
}
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
tasks=$4
[[ $tasks =~ ^[1-9][0-9]{0,3}$ ]] || {
    echo "TASKS is a number of four digits at the most" >&2
    exit 2
}
goldwire=$(readlink -e "$1") && [[ -x $goldwire ]] || {
    echo "$1 is no program" >&2
    exit 2
}
list=$(readlink -e "$2") && [[ -s $list ]] || {
    echo "$2 names no captures" >&2
    exit 2
}
mkdir -p "$3/checked" "$3/log"
out=$(readlink -e "$3")
# What was done is done for this list and these options.
printf '%s\n' "${GW_CHECK_OPTIONS:-}" | cat - "$list" >"$out/asked.new"
if [[ -e $out/asked ]] && ! cmp -s "$out/asked" "$out/asked.new"; then
    echo "$3 holds what another list, or other options, gave: take another folder" >&2
    exit 2
fi
mv "$out/asked.new" "$out/asked"
rm -f "$out/finished"
# command SCRIPT WORD... prints it as Slurm's --wrap takes it: a script of its own would be run as a copy elsewhere.
command() { printf 'exec bash' && printf ' %q' "$@"; }

array=$(sbatch --parsable --requeue --open-mode=append --job-name=check --array="0-$((tasks - 1))" \
    --output="$out/log/task-%a.out" "${@:5}" \
    --wrap="$(command "$here/task.sh" "$goldwire" "$list" "$out" "$tasks")")
merge=$(sbatch --parsable --requeue --open-mode=append --job-name=check-end --dependency="afterany:${array%%;*}" \
    --output="$out/log/merge.out" "${@:5}" --wrap="$(command "$here/merge.sh" "$list" "$out")")
echo "${array%%;*} ${merge%%;*}"
