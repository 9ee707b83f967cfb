#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: archive_test.sh GOLDWIRE SOURCE [slurm]
# What tasks find of an archive is what one call finds, however many there are, in whatever order they end, and when one of
# them is killed and run again. With 'slurm' on a Slurm of two nodes, one of which dies; exit code 77, with the reason, where
# that cannot run.
set -euo pipefail
goldwire=$(readlink -f "$1") source=$(cd "$2" && pwd)
here=$source/docs/examples/archive
dir=$(mktemp -d "${TMPDIR:-/tmp}/archive.XXXXXX")
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "$*" >&2
    exit 1
}

# expect_same OUT: what is there is what one call says.
expect_same() {
    local out=$1 sum
    cmp "$dir/all.json" "$out/check.json" || fail "the tasks' findings are not those of one call"
    cmp "$dir/all.said" "$out/said.txt" || fail "the tasks say something else than one call"
    [[ ! -s $out/missing.txt ]] || fail "captures are missing: $(cat "$out/missing.txt")"
    grep -q "^over, exit code $all: " "$out/finished" || fail "the exit code is not $all: $(cat "$out/finished")"
    # EtherBone's first rule is broken in several captures: once and again.
    sum=$(grep -oE '"rule":"EB-M01","level":"MUST","count":[0-9]+' "$dir/all.json" | awk -F: '{ n += $NF } END { print n }')
    grep -qE "^EB-M01 +MUST +$sum in [0-9]+ captures$" "$out/rules.txt" || fail "EB-M01 was broken $sum times: $(cat "$out/rules.txt")"
}

# What is good, what is broken, what cannot be read, a name with a blank.
cp "$source/pcaps/etherbone/probe.pcapng" "$dir/a name.pcapng"
cp "$source/pcaps/etherbone/probe.pcapng" "$dir/cut.pcapng"
truncate -s 1500 "$dir/cut.pcapng"
printf '%s\n' "$source"/pcaps/*/*.pcapng "$dir/a name.pcapng" "$dir/cut.pcapng" >"$dir/list"
mapfile -t captures <"$dir/list"
all=0
"$goldwire" check --json "${captures[@]}" >"$dir/all.json" 2>"$dir/all.said" || all=$?

if [[ ${3:-} != slurm ]]; then
    mkdir -p "$dir/out/checked"
    for task in 2 0; do SLURM_ARRAY_TASK_ID=$task bash "$here/task.sh" "$goldwire" "$dir/list" "$dir/out" 3 >/dev/null; done
    bash "$here/merge.sh" "$dir/list" "$dir/out" >/dev/null && fail "a third was not read, and nobody minds"
    [[ $(wc -l <"$dir/out/missing.txt") == $(((${#captures[@]} + 1) / 3)) ]] || fail "other captures are missing: $(cat "$dir/out/missing.txt")"
    # Half of a result is no result.
    echo '{"file":' >"$dir/out/checked/1.77.json"
    SLURM_ARRAY_TASK_ID=1 SLURM_CPUS_PER_TASK=4 bash "$here/task.sh" "$goldwire" "$dir/list" "$dir/out" 3 >/dev/null
    bash "$here/merge.sh" "$dir/list" "$dir/out" >/dev/null || true
    expect_same "$dir/out"
    exit 0
fi

skip() {
    echo "SKIPPED: $*"
    exit 77
}
for program in slurmctld slurmd sbatch munged; do
    command -v "$program" >/dev/null || skip "there is no $program (slurm-wlm, munge)"
done
[[ $(id -u) == 0 ]] || skip "a node needs to be root, to run jobs"
unshare --pid --fork --mount-proc true 2>/dev/null || skip "this system has no process namespaces for us"
# shellcheck source=../../../fuzz/fleet/cluster.sh
source "$source/fuzz/fleet/cluster.sh"
trap 'cluster_stop; rm -rf "$dir"' EXIT
trap 'exit 3' TERM INT

# until_true SECONDS COMMAND... waits for it to be true.
until_true() {
    local tries
    for ((tries = $1 * 2; tries > 0; tries--)); do
        ! "${@:2}" || return 0
        sleep 0.5
    done
    return 1
}

# A goldwire that takes its time, so that a node can die while it reads.
printf '#!/bin/sh\nsleep 0.3\nexec %q "$@"\n' "$goldwire" >"$dir/slow"
chmod +x "$dir/slow"
cluster_configure "$dir"
cluster_start "$dir" || fail "the cluster did not come up"
bash "$here/submit.sh" "$dir/slow" /dev/null "$dir/out" 4 2>"$dir/error" && fail "an empty list is taken"
grep -q 'names no captures' "$dir/error" || fail "the error does not say what is wrong: $(cat "$dir/error")"
jobs=$(bash "$here/submit.sh" "$dir/slow" "$dir/list" "$dir/out" 4)
read -r array _ <<<"$jobs"
on_b() { squeue --noheader --array --jobs="$array" --nodelist=b --states=running --format=%K 2>/dev/null; }
has_read() { [[ -n $(on_b) && -n $(find "$dir/out/checked" -name '*.code' -print -quit) ]]; }
until_true 120 has_read || fail "no task read a capture on node b"
cluster_kill b
[[ ! -e $dir/out/finished ]] || fail "the end came before the middle"
over() { grep -qs "^over" "$dir/out/finished"; }
until_true 300 over || fail "the jobs do not end without node b: $(squeue --array --long)"
expect_same "$dir/out"
cat "$dir/out/finished"
