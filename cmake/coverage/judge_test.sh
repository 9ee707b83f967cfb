#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# judge_test.sh SOURCE: what falls below the table is named, with the files that miss most; so is what the table
# forgets.
set -euo pipefail
judge=$1/cmake/coverage/judge.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$*" >&2
    cat "$work/out" >&2
    exit 1
}

# A file: name, lines, lines reached, branches, branches reached. What it says of comments as well says nothing.
file() {
    printf 'SF:%s/%s\n' "$work" "$1"
    awk -v all="$2" -v reached="$3" 'BEGIN { for (i = 1; i <= all; i++) print "DA:" i "," (i <= reached ? 10 * i : 0) }'
    printf 'BRF:%s\nBRH:%s\nLF:%s\nLH:%s\nend_of_record\n' "$4" "$5" $(($2 + 9)) "$3"
}
# expect CODE [TEXT...]: how the judgement ends, and what it says.
expect() {
    local got=0 text
    bash "$judge" "$work" "$work/lcov" >"$work/out" 2>&1 || got=$?
    [[ $got == "$1" ]] || fail "exit $got, $1 expected"
    for text in "${@:2}"; do
        grep -qF -- "$text" "$work/out" || fail "not said: $text"
    done
}

{
    file core/good.c 100 100 0 0
    file core/bad.c 100 81 40 30
    file net/fine.c 10 10 8 8
} >"$work/lcov"
printf '# folder lines branches\ncore 90.5 75\nnet 100 100\n' >"$work/coverage.txt"
expect 0 '90.5%'
printf 'core 90.6 75\nnet 100 100\n' >"$work/coverage.txt"
expect 1 'codecs/core: 90.5% of its lines are tested, 90.6% are the least' 'core/bad.c (19)'
grep -q 'good.c' "$work/out" && fail 'names a file that misses nothing'
printf 'core 90 75.1\nnet 100 100\n' >"$work/coverage.txt"
expect 1 'codecs/core: 75.0% of its branches are tested, 75.1% are the least' 'core/bad.c (10)'
printf 'core 90 75\n' >"$work/coverage.txt"
expect 1 'codecs/net:' 'does not say'
printf 'core 90 75\nnet 100 100\nims 50 50\n' >"$work/coverage.txt"
expect 1 'codecs/ims: no file of it was tested'
: >"$work/coverage.txt"
expect 1 'asks for nothing'
