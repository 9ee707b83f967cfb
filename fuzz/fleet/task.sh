#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: task.sh FOLDER TARGET SHARED SECONDS (in a Slurm job array)
# One fuzzer of many: runs fuzz_TARGET of FOLDER for SECONDS, again after each find. All fuzzers write what is new into
# SHARED/corpus, named by its hash, and read there what others have found. Each find goes to SHARED/raw at once, which is
# why none is lost with its node; a task that Slurm starts again writes beside what it wrote before.
set -euo pipefail
folder=$1 target=$2 shared=$3 seconds=$4
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
most_finds=50 # a fault behind every second input is not to fill the disk
id=${SLURM_ARRAY_JOB_ID:-0}-${SLURM_ARRAY_TASK_ID:-0}-${SLURM_RESTART_COUNT:-0}
raw=$shared/raw/$id
mkdir -p "$raw" "$shared/corpus" "$shared/log"
dictionary=$(bash "$here/../dictionary_of.sh" "$target" "$folder")
echo "task $id on ${SLURMD_NODENAME:-this machine}, $seconds s"
stop() {
    local running
    running=$(jobs -pr)
    [[ -z $running ]] || { kill -TERM "$running" && wait "$running"; } || true
    exit 3
}
trap stop TERM INT

# finds prints how many there are. Each run names its own: the same input may be found twice.
finds() { find "$raw" -type f ! -name '*slow-unit-*' | wc -l; }

end=$((SECONDS + seconds))
for ((runs = 1; SECONDS < end; runs++)); do
    status=0
    bash "$here/../continuous/room.sh" "$shared"
    begin=$SECONDS
    before=$(finds)
    # libFuzzer ends in its signal handler, where it may wait forever for a lock that the signal found held.
    timeout --foreground -k 5 0 "$folder/fuzz_$target" -max_total_time=$((end - SECONDS)) -dict="$dictionary" -timeout=10 \
        -rss_limit_mb=2048 -reload=1 -artifact_prefix="$raw/$runs-" "$shared/corpus" >"$shared/log/$id-$runs.log" 2>&1 &
    fuzzer=$!
    wait "$fuzzer" || status=$?
    ((status != 0)) || break
    (($(finds) > before)) || {
        tail -n 20 "$shared/log/$id-$runs.log" >&2
        echo "task $id: the fuzzer ends with exit code $status and no input: log/$id-$runs.log" | tee -a "$shared/failed" >&2
        exit 2
    }
    if (($(finds) >= most_finds)); then
        echo "$most_finds finds are enough: mend them, or fuzz another target"
        break
    fi
    # A corpus that fails by itself would fail again at once, as often as the disk allows.
    ((SECONDS > begin)) || sleep 1
done
bash "$here/../continuous/room.sh" "$shared"
echo "task $id is over: $(finds) finds"
