#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: fleet_test.sh SOURCE FUZZ_DICTIONARY
# Two fuzzers as a job array on a real Slurm of two nodes, on a target with a planted fault. A node dies in the middle,
# when it has found the fault: what it found is in the end's findings, its task is run again, and the end is run once.
# Exit code 77, with the reason, where Slurm cannot run.
set -euo pipefail
source=$(cd "$1" && pwd)
here=$source/fuzz/fleet

skip() {
    echo "SKIPPED: $*"
    exit 77
}
for program in slurmctld slurmd sbatch munged; do
    command -v "$program" >/dev/null || skip "there is no $program (slurm-wlm, munge)"
done
[[ $(id -u) == 0 ]] || skip "a node needs to be root, to run jobs"
unshare --pid --fork --mount-proc true 2>/dev/null || skip "this system has no process namespaces for us"

dir=$(mktemp -d "${TMPDIR:-/tmp}/fleet.XXXXXX")
# shellcheck source=cluster.sh
source "$here/cluster.sh"
trap 'cluster_stop; rm -rf "$dir"' EXIT
trap 'exit 3' TERM INT

fail() {
    echo "$*" >&2
    squeue --array --long >&2 || true
    tail -n 12 "$dir"/log/slurmctld "$dir"/shared/log/* >&2 || true
    exit 1
}

# until_true SECONDS COMMAND... waits for it to be true.
until_true() {
    local tries
    for ((tries = $1 * 2; tries > 0; tries--)); do
        ! "${@:2}" || return 0
        sleep 0.5
    done
    return 1
}

mkdir -p "$dir/bin" "$dir/shared/corpus"
clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address -I"$source/codecs/include" "$source/fuzz/broken.c" \
    -o "$dir/bin/fuzz_broken"
"$2" etherbone >"$dir/bin/etherbone.dict"
# A legal write to start from, and what somebody may have left there: nothing, text, a name that leads nowhere.
printf 'No\x10\x44\x08\x0f\x02\x00\x00\x00\x80\x00\xc0\xde\x00\x00\xc0\xde\x00\x01' >"$dir/shared/corpus/write"
: >"$dir/shared/corpus/empty"
echo 'this is no packet' >"$dir/shared/corpus/garbage"
ln -s /nonexistent "$dir/shared/corpus/nowhere"

cluster_configure "$dir"
cluster_start "$dir" || fail "the cluster did not come up"
bash "$here/submit.sh" "$dir/bin" nobody "$dir/shared" 2 40 2>"$dir/error" && fail "a target that is not there is taken"
grep -q 'build it first' "$dir/error" || fail "the error does not say what to do: $(cat "$dir/error")"

jobs=$(bash "$here/submit.sh" "$dir/bin" broken "$dir/shared" 2 20)
read -r array _ <<<"$jobs"

# on_b prints the task that runs on node b.
on_b() { squeue --noheader --array --jobs="$array" --nodelist=b --states=running --format=%K 2>/dev/null; }
running() { [[ -n $(on_b) ]]; }
until_true 60 running || fail "no task came to node b"
task=$(on_b)
has_found() { [[ -n $(find "$dir/shared/raw/$array-$task-0" -type f -size +0 2>/dev/null) ]]; }
until_true 60 has_found || fail "the planted fault was not found on node b"
cluster_kill b
found=$(find "$dir/shared/raw/$array-$task-0" -type f -printf "$array-$task-0/%f\n")
[[ ! -e $dir/shared/finished ]] || fail "the end came before the middle"
echo "node b was killed in task $task, which had found $(wc -l <<<"$found") inputs"

over() { [[ -e $dir/shared/finished ]]; }
until_true 240 over || fail "the jobs do not end without node b"
[[ $(scontrol show node b | grep -c 'State=DOWN') == 1 ]] || fail "Slurm has not noticed that node b is gone"
[[ -d $dir/shared/raw/$array-$task-1 ]] || fail "the task of node b was not run again"
findings=$dir/shared/findings
while IFS= read -r input; do
    grep -qxF -- "$input" "$findings"/*/found.txt || fail "$input, found on node b, is lost"
done <<<"$found"
every=$(find "$dir/shared/raw" -type f | wc -l)
[[ $(cat "$findings"/*/found.txt | sort -u | wc -l) == "$every" ]] || fail "of $every finds some are in no finding"
[[ $(find "$findings" -name report.txt | wc -l) == 1 ]] || fail "one fault is several findings: $(ls "$findings")"
grep -q 'AddressSanitizer: heap-buffer-overflow' "$findings"/*/report.txt || fail "it is another fault than the planted one"
[[ $(grep -c '^over, exit code 1$' "$dir/shared/finished") == 1 ]] || fail "the end did not tell of a finding"
[[ -n $(find "$dir/shared/corpus" -type f -print -quit) ]] || fail "the merged corpus is empty"
cat "$dir/shared/findings.txt"
