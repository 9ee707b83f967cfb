#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Good boards at the end of paths that lose, repeat, mix up, damage or delay what goes over them. certify may ask again; check,
# which reads what it recorded, cannot: it blames nobody for what the path did. $5: all, for ten seeds of each path.
. "$2/conformance/cli/testing.sh"
seeds=1
all_at_once='loss=0.02&reorder=0.05&duplicate=0.05&corrupt=0.01&jitter=30ms'
paths=(loss=0.2 "$all_at_once" corrupt=0.05 jitter=10ms)
if [ "${5-}" = all ]; then
    seeds=10
    paths=(loss=0.05 loss=0.2 reorder=0.1 duplicate=0.1 duplicate=0.2 corrupt=0.05 jitter=10ms "$all_at_once")
fi

# recorded OPTIONS: what check says of what certify recorded of that board, in check.out; the code of certify in $code.
recorded() {
    rm -rf run
    "$goldwire" certify --dut "peer:$1" --out run >certify.out 2>certify.err
    code=$?
    "$goldwire" check run/cases/*/*.pcapng >check.out 2>check.err
    grep -q ' messages in ' check.out || fail "$1: nothing was read"
}

# lossless ROLE: what check says of what certify records of that good board where nothing gets lost, however slow it is.
lossless() {
    recorded "$1?via=mem&rtt=20ms"
    "$goldwire" check --lossless run/cases/*/*.pcapng >check.out 2>check.err
}

# blamed: what of that is held against the board: what it sent, and that it answered nothing to what was sent to it.
blamed() {
    grep -E '^[^ ]+:[0-9]+: [A-Z0-9]+-[A-Z]+[0-9]+ ' check.out |
        grep -E '[(]sent by the board[)]| @[0-9]+ no (answer|reply|response|echo|STAT_|DATA_).* (within|in) |is not answered' >blame
}

for role in etherbone-slave etherbone-master op2p-node textarossa-node textarossa-switch ims-buf ims-worker l1-cn l1-du l1-ru; do
    for path in "${paths[@]}"; do
        for seed in $(seq $seeds); do
            recorded "$role?via=mem&rtt=20ms&$path&seed=$seed"
            if [ $code != 0 ] && [ $code != 3 ]; then
                fail "$role, $path, seed $seed: certify ends with $code"
                grep -m 5 -E '^  (FAIL|WARN|ERROR) ' certify.out >&2
            fi
            blamed
            if [ -s blame ]; then
                fail "$role, $path, seed $seed: the board is blamed, $(wc -l <blame) times"
                head -3 blame >&2
            fi
        done
    done
    lossless "$role"
    if blamed || [ -s blame ]; then
        fail "$role: blamed where nothing gets lost"
        head -3 blame >&2
    fi
done

# What is looked for can be seen: boards that are at fault are blamed, for what they say and for what they do not.
recorded 'ims-buf?via=mem&mutant=m-unaligned-va'
blamed || fail 'a buffer that is at fault is not blamed'
"$goldwire" check "$2/pcaps/ims/ims-silence.pcapng" >check.out 2>check.err
blamed || fail 'a silent buffer is not blamed'

# Some faults are told from losses only by who knows that there were none.
for mutant in ims-buf:m-never-nacks l1-ru:m-forwards-twice; do
    recorded "${mutant%:*}?via=mem&mutant=${mutant#*:}"
    ! blamed || fail "$mutant is blamed, whatever its path may have lost"
    "$goldwire" check --lossless run/cases/*/*.pcapng >check.out 2>check.err
    blamed || fail "$mutant is not blamed where nothing gets lost"
done
finish
