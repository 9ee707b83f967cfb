#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: continuous_test.sh CLANG SOURCE
# What the scripts of this folder make of a target with a fault, one without, and one that is not there: exit codes, what
# is kept, and what they say where the disk is full or somebody interrupts. The faults are in the corpora, so nothing has
# to be found by luck.
set -euo pipefail
clang=$1 source=$(cd "$2" && pwd)
here=$source/fuzz/continuous
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
status=0
complain() {
    echo "$*" >&2
    tail -n 5 "$dir/log" >&2
    status=1
}

# expect CODE WHAT COMMAND... runs it into the log, and compares how it ends; what hangs has a name.
expect() {
    local got=0
    timeout -k 10 200 "${@:3}" >"$dir/log" 2>&1 || got=$?
    [[ $got == "$1" ]] || complain "$2: exit code $got, $1 expected"
}
told() { grep -q "$1" "$dir/log" || complain "nothing is told of '$1'"; }

mkdir "$dir/bin"
for target in broken empty; do
    "$clang" -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address -I"$source/codecs/include" \
        "$source/fuzz/$target.c" -o "$dir/bin/fuzz_$target"
done
echo '"No"' >"$dir/bin/etherbone.dict"
# A name in a corpus that leads nowhere, nothing, text, and a fault, twice.
mkdir -p "$dir/seeds" "$dir/faults"
: >"$dir/seeds/empty"
echo 'this is no packet' >"$dir/seeds/text"
printf 'No\x10\x44\x00\x00\xff\x00\x00\x00\x00\x00' >"$dir/faults/small"
printf 'No\x10\x44\x00\x00\xff\x00\x00\x00\x00\x00\x00' >"$dir/faults/large"
cd "$dir"

target=(bash "$here/target.sh" bin)
expect 0 'no fault' "${target[@]}" empty 1 out/empty seeds nowhere
expect 1 'a fault' "${target[@]}" broken 5 out/broken seeds faults
told 'broken found something'
[[ $(find out/broken -maxdepth 1 -name 'crash-*' -size +0 | wc -l) == 1 ]] || complain 'the input is not kept'
expect 2 'no such target' "${target[@]}" nobody 1 out/nobody seeds
ln -s /nonexistent seeds/dangling
expect 0 'a name that leads nowhere' "${target[@]}" empty 1 out/empty seeds
told 'leads nowhere: seeds/dangling'
limited=(bash -c 'ulimit -f 256 && exec "$@"' limited)
expect 2 'a full disk' "${limited[@]}" "${target[@]}" empty 1 out/full seeds
told 'no room is left'

# interrupt LOG CODE COMMAND... runs it, and interrupts it when LOG says that its fuzzer is under way. One that does not heed
# that is killed: none is there any more when the command has ended, which it does with CODE.
interrupt() {
    local tries got=0 killed log=$1 code=$2
    shift 2
    rm -f "$log" pid
    "$@" >"$dir/log" 2>&1 &
    killed=$!
    for ((tries = 0; tries < 600; tries++)); do
        ! grep -qs INITED "$log" || break
        sleep 0.1
    done
    kill -TERM "$killed" || true
    wait "$killed" || got=$?
    [[ $got == "$code" ]] || complain "interrupted: exit code $got, $code expected: $*"
    [[ ! -e pid ]] || ! kill -KILL "$(<pid)" 2>/dev/null || complain "interrupted: its fuzzer goes on: $*"
}
printf '%s\n' '#!/usr/bin/env bash' 'trap "" TERM' 'echo $$ >pid' 'echo INITED' 'exec sleep 60' >bin/fuzz_deaf
chmod +x bin/fuzz_deaf
for name in empty deaf; do
    interrupt "$dir/log" 3 "${target[@]}" "$name" 60 out/killed seeds
    told "$name was interrupted"
    interrupt shared/log/0-0-0-1.log 3 bash "$here/../fleet/task.sh" bin "$name" shared 60
done

mkdir -p corpus/broken corpus/empty
cp faults/small corpus/broken/
expect 1 'several, one of them with a fault' bash "$here/several.sh" bin 2 2 logs empty broken
told '^empty .* inputs$'
told '^broken .*FOUND SOMETHING'
expect 2 'several, one of them not there' bash "$here/several.sh" bin 2 2 logs empty nobody
told '^nobody .*could not be run'

# Pruned: what adds nothing goes, a regression stays, and a fault is a find.
mkdir -p out/empty/corpus
for ((i = 0; i < 20; i++)); do echo "$i" >"out/empty/corpus/$i"; done
cp seeds/text out/empty/corpus/regression-text
expect 0 'pruning' bash "$here/prune.sh" bin empty out/empty seeds
[[ -e out/empty/corpus/regression-text ]] || complain 'a regression is lost'
(($(find out/empty/corpus -type f | wc -l) < 20)) || complain 'nothing was pruned'
expect 0 'nothing to prune' bash "$here/prune.sh" bin empty out/nobody-was-here seeds
mkdir -p out/prune/corpus && cp faults/* out/prune/corpus/
expect 1 'pruning a fault' bash "$here/prune.sh" bin broken out/prune seeds
[[ -n $(find out/prune -maxdepth 1 -name 'crash-*') ]] || complain 'a fault in a corpus is no find'
expect 2 'pruning with a target that is not there' bash "$here/prune.sh" bin nobody out/prune seeds
[[ -d out/prune/corpus ]] || complain 'a corpus is lost'

# Sorted: one fault is one finding, with its smallest input, and what does not fail is not lost.
mkdir raw && cp faults/* raw/ && cp seeds/text raw/fine
expect 1 'finds' bash "$here/triage.sh" bin broken raw findings
[[ $(find findings -name report.txt | wc -l) == 1 ]] || complain "one fault is several findings: $(ls findings)"
cmp -s findings/broken-heap-buffer-overflow-*/input faults/small || complain 'the smallest input is not what is kept'
[[ $(cat findings/broken-*/found.txt | sort | paste -sd ' ') == 'large small' ]] || complain 'not all inputs are named'
cmp -s findings/not-again/fine seeds/text || complain 'what does not fail again is lost'
rm -f raw/small raw/large
expect 0 'no finds' bash "$here/triage.sh" bin broken raw findings
expect 2 'no folder of finds' bash "$here/triage.sh" bin broken nowhere findings
exit "$status"
