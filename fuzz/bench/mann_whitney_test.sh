#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The statistics of the bench, by values that can be counted by hand or stand in tables of the test.
set -euo pipefail
awk_script=$(dirname "$(readlink -f "$0")")/mann_whitney.awk
status=0

# expect "MEDIANS U P" "VALUES OF THE FIRST" "VALUES OF THE SECOND"
expect() {
    local got first second
    read -ra first <<<"$2"
    read -ra second <<<"$3"
    got=$({
        printf 'first %s\n' "${first[@]}"
        printf 'second %s\n' "${second[@]}"
    } | awk -f "$awk_script")
    [[ $got == "$1" ]] || {
        echo "{$2} and {$3}: $got; $1 is expected" >&2
        status=1
    }
}

expect '2 5 0 0.1000' '1 2 3' '4 5 6'             # 2 of 20 choices
expect '3 8 0 0.0079' '1 2 3 4 5' '6 7 8 9 10'    # 2 of 252
expect '8 3 25 0.0079' '6 7 8 9 10' '5 4 3 2 1'   # the other way round, unsorted
expect '2 2 4.5 1.0000' '1 2 3' '1 2 3'           # alike
expect '7 7 4.5 1.0000' '7 7 7' '7 7 7'           # all tied
expect '2.5 3.5 4.5 0.4571' '1 2 3 4' '2 3 4 5'  # ties
if awk -f "$awk_script" <<<'first 1' 2>/dev/null; then
    echo 'one sample is compared with nothing' >&2
    status=1
fi
exit $status
