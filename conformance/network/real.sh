#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Good boards behind bad networks for real: `goldwire peer' in one network namespace, `goldwire
# certify' in another, real sockets in both, and between them a program that impairs the frames.
#
#     real.sh GOLDWIRE SOURCE BETWEEN [--few] [--parts N] [--some N] [ROLE] [NAME=PATH...]
#
# runs each of the paths (without one: all; --few: one of each kind) for that role, or for all three,
# prints a table of them, and demands that no case fails, warns or errs, that some pass, and that the
# run ends. Such runs wait most of the time, so the catalogue is dealt out to N boards (without: 32)
# behind networks of their own, all at once; --some runs the first few of these parts alone. Exit
# status 77 where the system has no namespaces, or no /dev/net/tun.
set -u
goldwire=$1 source=$2 between=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
roles=(etherbone-slave op2p-node ims-buf)
paths=('nothing=' 'rtt 1 ms=rtt=1ms' 'rtt 20 ms=rtt=20ms' 'rtt 40 ms=rtt=40ms' 'rtt 100 ms=rtt=100ms'
    'rtt 400 ms=rtt=400ms' 'rtt 20 +- 10 ms=rtt=20ms&jitter=5ms' 'rtt 40 +- 20 ms=rtt=40ms&jitter=10ms'
    'loss 1 %=loss=0.01' 'loss 5 %=loss=0.05' 'loss 20 %=loss=0.2' 'reorder 1 %=reorder=0.01'
    'reorder 5 %=reorder=0.05' 'reorder 10 %=reorder=0.1' 'duplicate 1 %=duplicate=0.01'
    'duplicate 5 %=duplicate=0.05' 'duplicate 10 %=duplicate=0.1' 'corrupt 1 %=corrupt=0.01'
    'corrupt 5 %=corrupt=0.05' 'corrupt 10 %=corrupt=0.1'
    'all at once=rtt=20ms&jitter=5ms&loss=0.05&reorder=0.05&duplicate=0.05&corrupt=0.05'
    'mtu 1500=mtu=1500' 'mtu 576=mtu=576' 'down for 3 s=outage=1s+3s')
parts=32
some=
while [[ ${1-} == --* ]]; do
    case $1 in
    --few)
        paths=('rtt 20 ms=rtt=20ms' 'loss 5 %=loss=0.05' 'reorder 5 %=reorder=0.05' 'duplicate 5 %=duplicate=0.05'
            'corrupt 5 %=corrupt=0.05' 'mtu 576=mtu=576' 'down for 3 s=outage=1s+3s')
        shift
        ;;
    --parts | --some)
        [[ $1 == --some ]] && some=$2 || parts=$2
        shift 2
        ;;
    *) exit 2 ;;
    esac
done
case ${1-} in
etherbone-slave | op2p-node | ims-buf)
    roles=("$1")
    shift
    ;;
esac
[[ $# == 0 ]] || paths=("$@")

# The board's file with the addresses of this network, where our end is 10.77.0.1, and its cases.
for role in "${roles[@]}"; do
    sed -E 's/127\.0\.0\.1/10.77.0.2/' "$source/fpga_harness/boards/$role.yaml" >"$work/$role.yaml"
    "$goldwire" certify --role "$role" --list | cut -d' ' -f1 >"$work/$role.cases"
done

# place ROLE: how its links are served.
place() {
    case $1 in
    etherbone-slave) listen=(--listen udp://10.77.0.2:60368) ;;
    op2p-node) listen=(--listen link0=udp://10.77.0.2:50000 --listen link1=udp://10.77.0.2:50001 --listen regs=udp://10.77.0.2:60368) ;;
    ims-buf) listen=(--listen ib=roce://10.77.0.2 --listen regs=udp://10.77.0.2:60368) ;;
    esac
}

# run_part ROLE PATH PART: every so manieth case; its output and exit status are kept.
run_part() {
    local out=$work/$1.$3 id listen cases=()
    for id in $(awk -v n="$parts" -v part="$3" 'NR % n == part' "$work/$1.cases"); do
        cases+=(--case "$id")
    done
    place "$1"
    : >"$out"
    echo 0 >"$out.status"
    [[ ${#cases[@]} != 0 ]] || return
    # (timeout must outlast any catalogue, and not outlive the program between the two.)
    timeout 3600 "$between" "$2${2:+&}seed=$(($3 + 1))" "$goldwire" peer "$1" "${listen[@]}" ::: \
        "$goldwire" certify "$work/$1.yaml" "${cases[@]}" >"$out" 2>"$out.err"
    echo $? >"$out.status"
}

# tally ROLE: the verdicts of all parts, as a number and a name each.
tally() {
    cat "$work/$1".[0-9]* | awk '/ cases?: / { sub(/^.*cases?: /, ""); sub(/;.*/, ""); gsub(/,/, "")
        for (i = 1; i < NF; i += 2) sum[$(i + 1)] += $i }
        END { for (v in sum) printf "%d %s\n", sum[v], v }' | sort -k2
}

# cell ROLE: PASS/INCONC/NA, and what must not be.
cell() {
    tally "$1" | awk '{ sum[$2] = $1 } END {
        printf " %d/%d/%d", sum["PASS"], sum["INCONC"], sum["NA"]
        wrong = sum["FAIL"] + sum["WARN"] + sum["ERROR"] + sum["XPASS"]
        if (wrong > 0) printf " **%d wrong**", wrong
        printf " |" }'
}

# run ROLE PATH: one cell of the table.
run() {
    local role=$1 part
    rm -f "$work/$role".[0-9]*
    for ((part = 0; part < ${some:-parts}; part++)); do
        run_part "$role" "$2" "$part" &
    done
    wait
    if grep -qx 77 "$work/$role".*.status; then
        cat "$work/$role".*.err >&2
        return 77
    fi
    cell "$role"
    ! tally "$role" | grep -qE ' (FAIL|WARN|ERROR|XPASS)$' && tally "$role" | grep -q ' PASS$' &&
        ! grep -qvxE '0|3' "$work/$role".*.status && return 0
    echo "FAILED: $role over '$2', exit statuses $(cat "$work/$role".*.status | sort -un | tr '\n' ' ')" >&2
    grep -hE '^  (FAIL|WARN|ERROR|XPASS)' -A3 "$work/$role".[0-9]* >&2
    grep -h . "$work/$role".*.err >&2
    return 1
}

# A row for each path, a column for each role.
code=0
printf '| path |'
printf ' %s |' "${roles[@]}"
printf ' takes |\n|---|'
printf -- '---|%.0s' "${roles[@]}" ''
printf '\n'
for path in "${paths[@]}"; do
    began=$SECONDS
    printf '| %s |' "${path%%=*}"
    for role in "${roles[@]}"; do
        run "$role" "${path#*=}"
        case $? in
        0) ;;
        77) exit 77 ;;
        *) code=1 ;;
        esac
    done
    printf ' %d s |\n' $((SECONDS - began))
done
exit $code
