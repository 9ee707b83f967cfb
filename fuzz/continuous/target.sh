#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: target.sh FOLDER TARGET SECONDS OUT [CORPUS...]
# Runs libFuzzer's fuzz_TARGET of FOLDER for SECONDS. What is new goes to OUT/corpus, finds to OUT; it starts from both
# and from each CORPUS there is. Ends with 0 when nothing was found, 1 when something was, 2 when the fuzzer could not
# run, 3 when it was interrupted.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
folder=$1 target=$2 seconds=$3
mkdir -p "$4/corpus" || exit 2
out=$(cd "$4" && pwd)
bash "$here/room.sh" "$out"
corpora=("$out/corpus")
for corpus in "${@:5}"; do
    [[ ! -d $corpus ]] || corpora+=("$corpus")
done

# libFuzzer gives up at a name in a corpus that leads nowhere.
find -L "${corpora[@]}" -type l -printf 'left out, as it leads nowhere: %p\n' >&2
find -L "$out/corpus" -type l -delete

begun=$(mktemp "$out/.begun.XXXXXX")
trap 'rm -f "$begun"' EXIT
status=0 interrupted=0 fuzzer=
interrupt() {
    interrupted=1
    [[ -z $fuzzer ]] || kill -TERM "$fuzzer" 2>/dev/null || true
}
trap interrupt TERM INT
# libFuzzer ends in its signal handler, where it may wait forever for a lock that the signal found held.
timeout --foreground -k 5 0 "$folder/fuzz_$target" -max_total_time="$seconds" \
    -dict="$(bash "$here/../dictionary_of.sh" "$target" "$folder")" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$out/" -print_final_stats=1 "${corpora[@]}" &
fuzzer=$!
((interrupted == 0)) || interrupt # before the fuzzer was known
wait "$fuzzer" || status=$?
while kill -0 "$fuzzer" 2>/dev/null; do # a signal ends the first wait
    status=0
    wait "$fuzzer" || status=$?
done
full=0
bash "$here/room.sh" "$out" || {
    full=1
    find "$out/corpus" -type f -empty -newer "$begun" -delete
}
((status != 0)) || exit $((full * 2))

# What it ends with does not tell a find from a fault of its own: sanitizers end as they are told to.
new=$(find "$out" -maxdepth 1 -type f -newer "$begun" -name '*-*' ! -name '.*' ! -name 'slow-unit-*' | LC_ALL=C sort)
if [[ -n $new ]]; then
    printf '%s found something:\n%s\nreproduce: %s\n' "$target" "$new" "$folder/fuzz_$target ${new%%$'\n'*}" >&2
    echo "when it is mended, keep the input as corpus/$target/ and a name that says what it was" >&2
    exit 1
fi
((interrupted == 0 || status != 137)) || status=143 # it had to be killed, and found nothing
case $status in
72 | 130 | 143)
    echo "$target was interrupted; what is new so far is kept in $out/corpus" >&2
    exit 3
    ;;
132 | 134 | 135 | 136 | 139) # the stack may be such that the sanitizer's report fails as well
    echo "$target fails by a signal (exit code $status) before libFuzzer can keep the input; above is what it had said" >&2
    exit 1
    ;;
*)
    echo "the fuzzer of $target could not run (exit code $status)" >&2
    exit 2
    ;;
esac
