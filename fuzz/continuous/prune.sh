#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: prune.sh FOLDER TARGET OUT SEEDS
# Makes OUT/corpus what of it adds something to SEEDS, by libFuzzer's fuzz_TARGET of FOLDER. SEEDS stays as it is; so does
# what is named regression-* in OUT/corpus. The old corpus is exchanged for the new one at the end, so that nothing is
# lost by an interruption. An input that crashes goes to OUT. Ends as target.sh does.
set -euo pipefail
folder=$1 target=$2 seeds=$4
[[ -d $3/corpus ]] || {
    printf '%-20s nothing to prune: %s is not there\n' "$target" "$3/corpus"
    exit 0
}
out=$(cd "$3" && pwd)
work=$(mktemp -d "$out/pruned.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 2' ERR # 1 is a find
trap 'kill -TERM "$merger" 2>/dev/null || true; exit 3' TERM INT
mkdir "$work/first" "$work/corpus"
[[ ! -d $seeds ]] || find "$seeds" -type f -exec cp -t "$work/first" {} +
find "$out/corpus" -maxdepth 1 -type f -name 'regression-*' -exec cp -t "$work/first" {} + -exec cp -t "$work/corpus" {} +
find "$work/first" -type f | LC_ALL=C sort >"$work/known"

# The limit for one input, as when fuzzing; what is slower is left out and told. A dangling name is no input.
find "$out/corpus" -type l -delete
status=0
"$folder/fuzz_$target" -merge=1 -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$work/find-" "$work/first" "$out/corpus" \
    >"$work/log" 2>&1 &
merger=$!
wait "$merger" || status=$?
((status == 0)) || {
    tail -n 20 "$work/log" >&2
    echo "the corpus of $target could not be merged (exit code $status), and is as it was" >&2
    exit 2
}
find "$work/first" -type f | LC_ALL=C sort | comm -13 "$work/known" - | while IFS= read -r new; do
    mv "$new" "$work/corpus/"
done
before=$(find "$out/corpus" -type f | wc -l)
after=$(find "$work/corpus" -type f | wc -l)
mv "$out/corpus" "$work/old"
mv "$work/corpus" "$out/corpus"
printf '%-20s %d inputs of %d are kept\n' "$target" "$after" "$before"

for find in "$work"/find-*; do
    [[ -e $find ]] || continue
    status=1
    mv "$find" "$out/${find##*/find-}"
    echo "$target fails at $out/${find##*/find-}" >&2
done
exit "$status"
