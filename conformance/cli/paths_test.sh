#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Good boards at the end of paths that lose, repeat, mix up or damage what goes over them. certify may ask again; check,
# which reads what it recorded, cannot: it blames nobody for what the path did. $5: all, for ten seeds of each path.
. "$2/conformance/cli/testing.sh"
seeds=1
paths=(loss=0.2 'reorder=0.1&duplicate=0.1' corrupt=0.05)
if [ "${5-}" = all ]; then
    seeds=10
    paths=(loss=0.05 loss=0.2 reorder=0.1 duplicate=0.1 corrupt=0.05)
fi

# recorded OPTIONS: what check says of what certify recorded of that board, in check.out; the code of certify in $code.
recorded() {
    rm -rf run
    "$goldwire" certify --dut "peer:$1" --out run >certify.out 2>certify.err
    code=$?
    "$goldwire" check run/cases/*/*.pcapng >check.out 2>check.err
    grep -q ' messages in ' check.out || fail "$1: nothing was read"
}

# blamed: what of that is held against the board: what it sent, and that it answered nothing to what was sent to it.
blamed() {
    grep -E '^[^ ]+:[0-9]+: [A-Z0-9]+-[A-Z]+[0-9]+ ' check.out |
        grep -E '[(]sent by the board[)]| @[0-9]+ no (answer|reply|response|echo|STAT_|DATA_).* (within|in) |is not answered' >blame
}

# known ROLE: rules that a recording may still hold against that board (docs/network.md).
known() {
    [ "$1" = op2p-node ] || return 0
    sed -i -E '/ OP-E(25|33) /d' blame
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
            known "$role"
            if [ -s blame ]; then
                fail "$role, $path, seed $seed: the board is blamed, $(wc -l <blame) times"
                head -3 blame >&2
            fi
        done
    done
done

# What is looked for can be seen: boards that are at fault are blamed, for what they say and for what they do not.
recorded 'ims-buf?via=mem&mutant=m-unaligned-va'
blamed || fail 'a buffer that is at fault is not blamed'
"$goldwire" check "$2/pcaps/ims/ims-silence.pcapng" >check.out 2>check.err
blamed || fail 'a silent buffer is not blamed'
finish
