#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# flow.sh GOLDWIRE SOURCE BUILD SIMULATOR: the EtherBone slave passes at any pattern of valid and ready that the URL sets;
# two runs of one seed are alike and another seed is another run; and a fault that shows only where goldwire is not ready
# for long is found by a pattern, and not without. Exit status 77: the simulator is not installed.
set -uo pipefail
goldwire=$1 source=$2 build=$3 simulator=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GW_SIM_BUILD=$build XDG_RUNTIME_DIR=$work
cd "$source" || exit 1
# shellcheck source=lib.sh
. fpga_harness/cores/testing/lib.sh
failures=0

fail() {
    printf 'FAIL: %s\n' "$*" >&2
    cat "$work/out" >&2
    failures=$((failures + 1))
}

build "$simulator" etherbone

# certify CODE OPTIONS [NAME=VALUE]: certifies at sim://...?port=0OPTIONS, in short words to $work/said.
certify() {
    local want=$1 options=$2 setting=${3:+, $3} got
    sed -E "s#(simulate.sh, )ghdl, etherbone\]#\1$simulator, etherbone$setting]#; s#\?port=0#?port=0$options#; s#settle: 60#settle: 300#" \
        fpga_harness/cores/etherbone/board.yaml >"$work/board.yaml"
    rm -rf "$work/evidence"
    timeout 300 "$goldwire" certify "$work/board.yaml" --hooks --seed 7 --out "$work/evidence" --case eb-s/probe-echo --case eb-s/write-read \
        --case eb-s/many-records --case eb-s/full-packet --case 'axis/*' >"$work/out" 2>&1 </dev/null
    got=$?
    [[ $got == "$want" ]] || fail "exit $got, $want expected: $options $setting"
}

has() {
    grep -qE -- "$1" "$work/out" || fail "nothing says '$1'"
}

# ---- it passes at each of them ----
for options in '' '\&ready=always\&valid=always' '\&ready=1/4' '\&valid=1/5' '\&ready=2/7\&valid=3/4' '\&ready=0.3\&valid=0.4\&seed=5'; do
    certify 0 "$options"
done

# ---- one seed is one run ----
digest() {
    (cd "$work/evidence" && find . -name '*.pcapng' | sort | xargs cat | sha256sum)
}
first=$(digest)
certify 0 '\&ready=0.3\&valid=0.4\&seed=5'
[[ $(digest) == "$first" ]] || fail 'two runs of one seed differ'
certify 0 '\&ready=0.3\&valid=0.4\&seed=6'
[[ $(digest) != "$first" ]] || fail 'another seed makes no other run'

# ---- a core that is never heard, and one that hears nothing ----
certify 3 '\&ready=never'
has 'no answer to [0-9]+ attempts'
certify 3 '\&valid=never'
has 'no answer to [0-9]+ attempts'

# ---- what only shows under back pressure ----
certify 0 '' FAULT=26
certify 0 '\&ready=always' FAULT=26
certify 1 '\&ready=1/20' FAULT=26
has '^  FAIL +eb-s/probe-echo '

# ---- what cannot be said ----
certify 2 '\&ready=5/4'
has 'ready=5/4: always, never, N/M'
certify 2 '\&valid=2'
has 'valid=2: always, never, N/M'

exit $((failures > 0))
