#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The statistics of the bench, by values that can be counted by hand or stand in tables of the test.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
awk_script=$here/mann_whitney.awk
status=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

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

# searched FAULT TARGET OUTCOME SECONDS...: lines of planted.sh.
searched() {
    local took
    for took in "${@:4}"; do
        printf '%s\tname\t%s\t1\t%s\t%s\t9\t-\t-\t-\n' "$1" "$2" "$3" "$took"
    done
}

# Of 3 only the tables know anything; 4 is shown by the corpus; of 12 nobody finds it; the order is that of numbers.
{
    searched 12 boards not 60.1 60.1
    searched 3 net found 1
    searched 4 net seeds 0.1
    searched 5 net_tcp found 1 2 3
    searched 6 net_tcp found 1 2
    searched 6 net_tcp not 60
} >"$dir/tables"
{
    searched 12 boards not 60.1 60.1
    searched 4 net seeds 0.1
    searched 6 net_tcp other 0.1
    searched 5 net_tcp found 50
    searched 5 net_tcp not 60 60.1
    searched 6 net_tcp not 60 60 60
} >"$dir/bytes"
got=$(bash "$here/beside.sh" 60 "$dir/tables" "$dir/bytes" | tail -n +2 | tr -s ' ')
want='5 net_tcp 3/3 1/3 2 over 60 0.1000
6 net_tcp 2/3 0/3 2 over 60 0.4000
12 boards 0/2 0/2 over 60 over 60 1.0000'
[[ $got == "$want" ]] || {
    printf '%s\nis told, and this is expected:\n%s\n' "$got" "$want" >&2
    status=1
}
exit $status
