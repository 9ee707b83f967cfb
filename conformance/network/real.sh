#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Good boards behind bad networks for real: `goldwire peer' in one network namespace, `goldwire
# certify' in another, real sockets in both, and between them a program that impairs the frames.
#
#     real.sh GOLDWIRE SOURCE BETWEEN [--few] [ROLE] [NAME=PATH...]
#
# runs each of the paths (without one: all) for that role, or for all three, and demands that no case
# fails, warns or errs, and that some pass. --few takes a few cases only, which takes seconds instead
# of minutes. Exit status 77 where the system has no namespaces, or no /dev/net/tun.
set -u
goldwire=$1 source=$2 between=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
roles=(etherbone-slave op2p-node ims-buf)
few=
if [[ ${1-} == --few ]]; then
    few=yes
    shift
fi
case ${1-} in
etherbone-slave | op2p-node | ims-buf)
    roles=("$1")
    shift
    ;;
esac
paths=("$@")
[[ $# != 0 ]] || paths=('nothing=' 'rtt 1 ms=rtt=1ms' 'rtt 20 ms=rtt=20ms' 'rtt 40 ms=rtt=40ms' 'rtt 100 ms=rtt=100ms'
    'rtt 400 ms=rtt=400ms' 'rtt 20 +- 10 ms=rtt=20ms&jitter=5ms' 'rtt 40 +- 20 ms=rtt=40ms&jitter=10ms'
    'loss 1 %=loss=0.01' 'loss 5 %=loss=0.05' 'loss 20 %=loss=0.2' 'reorder 1 %=reorder=0.01'
    'reorder 5 %=reorder=0.05' 'reorder 10 %=reorder=0.1' 'duplicate 1 %=duplicate=0.01'
    'duplicate 5 %=duplicate=0.05' 'duplicate 10 %=duplicate=0.1' 'corrupt 1 %=corrupt=0.01'
    'corrupt 5 %=corrupt=0.05' 'corrupt 10 %=corrupt=0.1'
    'all at once=rtt=20ms&jitter=5ms&loss=0.05&reorder=0.05&duplicate=0.05&corrupt=0.05'
    'mtu 1500=mtu=1500' 'mtu 576=mtu=576' 'down for 3 s=outage=1s+3s')

# The board's file with the addresses of this network: our end is 10.77.0.1.
for role in "${roles[@]}"; do
    sed -E 's/127\.0\.0\.1/10.77.0.2/' "$source/fpga_harness/boards/$role.yaml" >"$work/$role.yaml"
done
# place ROLE: how its links are served, and which cases are the few ones.
place() {
    case $1 in
    etherbone-slave)
        listen=(--listen udp://10.77.0.2:60368)
        cases=(--case eb-s/reply-counts --case eb-s/write-read --case eb-s/write-fifo --case eb-s/bad-magic --case eb-s/nr-silent)
        ;;
    op2p-node)
        listen=(--listen link0=udp://10.77.0.2:50000 --listen link1=udp://10.77.0.2:50001 --listen regs=udp://10.77.0.2:60368)
        cases=(--case op-e/byte-order --case op-e/completion --case op-e/write --case op-e/write-silent --case op-f/stored)
        ;;
    ims-buf)
        listen=(--listen ib=roce://10.77.0.2 --listen regs=udp://10.77.0.2:60368)
        cases=(--case ims-b/registers --case ims-b/data-res --case ims-b/ack --case ims-b/packet-sizes)
        ;;
    esac
    [[ -n $few ]] || cases=()
}

# run ROLE NAME PATH: one run; its last lines tell.
run() {
    local role=$1 name=$2 out=$work/$1.out status listen cases
    place "$role"
    "$between" "$3${3:+&}seed=1" "$goldwire" peer "$role" "${listen[@]}" ::: \
        timeout 600 "$goldwire" certify "$work/$role.yaml" "${cases[@]}" >"$out" 2>"$out.err"
    status=$?
    if [[ $status == 77 ]]; then
        cat "$out.err" >&2
        return 77
    fi
    printf '| %s | %s | %s |\n' "$name" "$role" "$(grep ' cases: ' "$out" || tail -1 "$out.err")"
    if grep -E '^  (FAIL|WARN|ERROR)' -A1 "$out" || ! grep -qE ' cases: .*[0-9] PASS' "$out"; then
        echo "FAILED: $role over '$3', seed 1: exit status $status" >&2
        return 1
    fi
    return 0
}

code=0
for path in "${paths[@]}"; do
    for role in "${roles[@]}"; do
        run "$role" "${path%%=*}" "${path#*=}"
        case $? in
        0) ;;
        77) exit 77 ;;
        *) code=1 ;;
        esac
    done
done
exit $code
