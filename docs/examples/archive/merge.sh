#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: merge.sh LIST OUT (in a Slurm job, behind the array)
# Puts together what the tasks found, in the order of LIST: OUT/check.json is what one call of `goldwire check --json' with all
# captures prints, OUT/said.txt what it says beside it, OUT/rules.txt how often which rule was broken. Ends with that call's
# exit code, or with 4 when a capture was not read by any task: OUT/missing.txt names it.
set -euo pipefail
out=$2
mapfile -t captures <"$1"
: >"$out/check.json.new"
: >"$out/said.txt"
: >"$out/missing.txt"
: >"$out/codes"
for ((number = 0; number < ${#captures[@]}; number++)); do
    one=$out/checked/$number
    if [[ ! -e $one.code ]]; then
        printf '%s\n' "${captures[number]}" >>"$out/missing.txt"
        continue
    fi
    cat "$one.json" >>"$out/check.json.new"
    cat "$one.said" >>"$out/said.txt"
    cat "$one.code" >>"$out/codes"
done
mv "$out/check.json.new" "$out/check.json"
# Only summaries count by rule.
grep -F '"summary":{' "$out/check.json" | grep -oE '"rule":"[^"]*","level":"[^"]*","count":[0-9]+' |
    sed -E 's/"rule":"([^"]*)","level":"([^"]*)","count":([0-9]+)/\1 \2 \3/' |
    awk '{ level[$1] = $2; times[$1] += $3; files[$1]++ }
        END { for (rule in times) printf "%-8s %-6s %12d in %d captures\n", rule, level[rule], times[rule], files[rule] }' |
    sort >"$out/rules.txt" || true
# The worst of the exit codes, in the order in which goldwire takes them.
code=6
for worst in 0 3 5 1 4 2; do
    ! grep -qxF "$worst" "$out/codes" || code=$worst
done
[[ ! -s $out/missing.txt ]] || code=4
rm "$out/codes"
cat "$out/rules.txt"
echo "over, exit code $code: $(wc -l <"$1") captures, $(wc -l <"$out/missing.txt") of which nobody read" | tee "$out/finished"
exit "$code"
