#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Runs over real sockets in whose middle somebody is stopped, killed or interrupted: the board, or goldwire itself. What
# was decided by then stands, nothing is made up, the evidence is whole, and a board that is there is left as it was.
. "$2/conformance/cli/testing.sh"
peer=
trap '[ -z "$peer" ] || kill -KILL "$peer" 2>/dev/null; rm -rf "$work"' EXIT

# decided DIR NUMBER PID: so many cases of that run have their evidence, or the run is over.
decided() {
    for _ in $(seq 2400); do
        [ "$(find "$1/unfinished/cases" -name '*.pcapng' 2>find.err | wc -l)" -lt "$2" ] || return
        kill -0 "$3" 2>kill.err || return
        sleep 0.02
    done
    fail "waited in vain for $2 cases in $1"
}

# mid_run DIR CASES ARGUMENT...: certifies into DIR, in the background, until CASES of its cases are decided. $run is it.
mid_run() {
    local dir=$1 cases=$2
    shift 2
    # (A shell's background processes would not hear SIGINT.)
    env --default-signal=INT "$goldwire" certify "$@" --out "$dir" >out 2>err &
    run=$!
    decided "$dir" "$cases" "$run"
    [ -d "$dir/unfinished" ] || fail "the run was over before $cases cases"
}

# end_of_run CODE...: its exit code is one of these.
end_of_run() {
    local code
    wait "$run"
    code=$?
    [[ " $* " == *" $code "* ]] || { fail "exit $code, one of $* expected"; tail -n 5 out err >&2; }
    grep -q "(exit code $code)" <(tail -n 1 out) || fail "the last line is '$(tail -n 1 out)' at exit code $code"
}

# readable DIR: every file of the evidence can be read, and nobody is blamed in it.
readable() {
    local file
    for file in "$1"/*.pcapng "$1"/cases/*/*.pcapng; do
        "$goldwire" decode "$file" >decode.out 2>decode.err || [ $? = 6 ] || fail "$file cannot be read: $(cat decode.err)"
        lacks decode.err 'breaks off'
    done
    xmllint --noout "$1/junit.xml" || fail "$1/junit.xml is no XML"
    ! grep -qE '"verdict": "(FAIL|WARN|ERROR)"' "$1/run.json" || fail "somebody is blamed: $(grep -B2 -A6 -E '"(FAIL|WARN|ERROR)"' "$1/run.json" | head -20)"
}

# A path of a few milliseconds: so that a run has a middle, and as real ones are.
slave=(--role etherbone-slave --case 'eb-s/read*' --case 'eb-s/write*' --case 'eb-s/reply*' --case 'eb-s/probe*')

# ---- a board that stands still for a while, and goes on ----
start_peer slave.url etherbone-slave --listen 'udp://127.0.0.1:0?rtt=8ms'
mid_run still 5 --dut "$(url_of slave.url)" "${slave[@]}"
kill -STOP "$peer"
sleep 3
kill -CONT "$peer"
end_of_run 0 3
[ "$(grep -c '^  PASS' out)" -ge 6 ] || fail 'a board that goes on passes no more cases'
readable still
expect 0 "$goldwire" verify still

# ---- a board that is killed: what was decided stands, the rest is told once ----
mid_run killed 8 --dut "$(url_of slave.url)" "${slave[@]}"
kill -KILL "$peer"
wait "$peer" 2>killed.err
peer=
end_of_run 3
has out 'INCONCLUSIVE (exit code 3)'
[ "$(grep -c '^  PASS' out)" -ge 7 ] || fail 'verdicts that were given are lost'
[ "$(grep -c 'the board was lost during' out)" = 1 ] || fail 'the loss of the board is not told once'
lacks err 'does not answer'
readable killed
expect 0 "$goldwire" verify killed

# ---- goldwire is told to stop: the board is as it was found ----
start_peer node.url op2p-node --listen 'link0=udp://127.0.0.1:0?rtt=100ms' --listen 'regs=udp://127.0.0.1:0'
node_peer=$peer
node=(--dut "link0=$(url_of node.url link0)" --dut "regs=$(url_of node.url regs)" "$2/fpga_harness/boards/op2p-node.yaml")
look=("$goldwire" regs op2p-node --dut "$(url_of node.url regs)" localid port_reset)
expect 0 "${look[@]}"
cp out found
# interrupt DIR SIGNAL: sends SIGNAL to a run while a case of it holds the board's port in reset, or has renamed the node.
interrupt() {
    for _ in 1 2 3 4 5; do
        # (Where a try ended before it was caught, its certificate would keep the next one in unfinished.)
        rm -rf "$1"
        env --default-signal=INT "$goldwire" certify "${node[@]}" --case op-h/reset-frames --case op-f/stored --out "$1" >out 2>err &
        run=$!
        while kill -0 "$run" 2>kill.err && "${look[@]}" >now 2>look.err && cmp -s now found; do :; done
        kill "-$2" "$run" 2>kill.err && break
        wait "$run"
    done
    ! cmp -s now found || fail 'no case was seen to change the registers'
}
for signal in INT TERM; do
    interrupt "told$signal" "$signal"
    end_of_run 3
    has err 'cases are undecided'
    has "told$signal/run.json" '"interrupted": true'
    lacks err 'may not be as it was found'
    [ ! -e "told$signal/unfinished" ] || fail 'the run has not taken its place'
    readable "told$signal"
    expect 0 "${look[@]}"
    same out found
done
# So it is at the end of a whole run.
expect 0 "$goldwire" certify "${node[@]}" --case 'op-f/stored' --case 'op-h/reset' --out whole
expect 0 "${look[@]}"
same out found
start_peer link.url textarossa-node --listen udp://127.0.0.1:0 --listen regs=udp://127.0.0.1:0
lattice=("$goldwire" regs textarossa-node --dut "$(url_of link.url regs)" LATTICESIZE_REG LINK_0_CONFIG_1)
expect 0 "$goldwire" regs textarossa-node --dut "$(url_of link.url regs)" LATTICESIZE_REG=0x0421
expect 0 "${lattice[@]}"
cp out lattice
kill -0 "$peer" || fail 'the board is gone'
expect 0 "$goldwire" certify "$2/fpga_harness/boards/textarossa-node.yaml" --dut "net=$(url_of link.url net)" \
    --dut "regs=$(url_of link.url regs)" --case 'tx-r/*'
expect 0 "${lattice[@]}"
same out lattice
kill "$peer"
peer=$node_peer
# A board that is gone keeps nobody.
mid_run gone 2 "${node[@]}" --case 'op-h/*' --case 'op-f/*'
kill -STOP "$peer"
kill -TERM "$run"
end_of_run 3
has err 'the board may not be as it was found'
kill -CONT "$peer"

# ---- goldwire is killed: the run before is whole ----
cp whole/cert.sha256 before
mid_run whole 2 "${node[@]}" --case 'op-f/*'
kill -KILL "$run"
wait "$run" 2>killed.err
expect 0 "$goldwire" verify whole
same whole/cert.sha256 before
readable whole
finish
