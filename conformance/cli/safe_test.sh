#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of what is kept when a run is interrupted, or when nothing more can be written.
. "$2/conformance/cli/testing.sh"

# wait_for COMMAND...: until it succeeds, for a minute at most.
wait_for() {
    for _ in $(seq 1200); do
        "$@" && return
        sleep 0.05
    done
    fail "waited in vain for: $*"
}

# caught DIR PID: a case of that run has its evidence, or the run is over.
caught() {
    ls "$1"/unfinished/cases/*/*.pcapng >ls.out 2>&1 || ! kill -0 "$2" 2>kill.err
}

# interrupt DIR SIGNAL ARGUMENT...: certifies into DIR and sends SIGNAL once a case has its evidence; again when the run
# was over before. The exit code is in $code.
interrupt() {
    local dir=$1 signal=$2 pid
    shift 2
    rm -rf kept
    [ ! -e "$dir" ] || cp -r "$dir" kept
    for _ in 1 2 3 4 5; do
        "$goldwire" certify "$@" --out "$dir" >out 2>err &
        pid=$!
        wait_for caught "$dir" "$pid"
        kill "-$signal" "$pid" 2>kill.err
        wait "$pid"
        code=$?
        [ ! -e "$dir/unfinished" ] || return
        ! grep -q '"interrupted": true' "$dir/run.json" || return
        rm -rf "$dir"
        [ ! -e kept ] || cp -r kept "$dir"
    done
}

# ---- a signal ends the run, not what it found ----
interrupt some TERM --dut peer:op2p-node
[ "$code" = 3 ] || fail "exit $code of an interrupted run"
has out ' PASS, '
has out 'INCONCLUSIVE (exit code 3)'
has out '          interrupted'
has err 'cases are undecided'
has err 'no certificate: the run was interrupted'
has some/run.json '"interrupted": true'
has some/run.json '"text": "interrupted"'
has some/junit.xml 'interrupted'
[ -s some/report.html ] || fail 'no report of an interrupted run'
[ ! -e some/cert.json ] || fail 'an interrupted run is certified'
[ ! -e some/unfinished ] || fail 'an interrupted run has not taken its place'
# A failure that was found stands.
interrupt bad TERM --dut 'peer:op2p-node?mutant=m-answers-twice'
[ "$code" = 1 ] || [ "$code" = 3 ] || fail "exit $code of an interrupted run with failures"
grep -q 'FAIL  ' out && [ "$code" != 1 ] && fail 'a failure was forgotten'

# What waits for a board to call ends at once; `timeout' tells everybody twice.
timeout -s INT 2 "$goldwire" certify --serve udp://127.0.0.1:0 --role etherbone-master --wait 3000 --out none >out 2>err
code=$?
[ "$code" = 124 ] || fail "exit $code while waiting for a master"
has out 'pre-flight: interrupted'
has out 'INCONCLUSIVE (exit code 3)'
lacks err 'does not answer'

# Hooks end with the run, and none is begun.
sed 's|^where:.*|where: udp://127.0.0.1:1|' "$2/fpga_harness/boards/etherbone-slave.yaml" >hook.yaml
cat >>hook.yaml <<'END'
hooks:
  start: {run: [sh, -c, "echo $$ >started; exec sleep 1000"], settle: 600}
  soft: {run: [touch, soft-ran]}
END
"$goldwire" certify hook.yaml --hooks >out 2>err &
pid=$!
wait_for test -s started
kill -TERM "$pid"
wait "$pid"
code=$?
[ "$code" = 3 ] || { fail "exit $code with a hook"; cat err >&2; }
! kill -0 "$(cat started)" 2>/dev/null || fail 'the start hook lives on'
[ ! -e soft-ran ] || fail 'a hook was begun after the signal'

# ---- what an earlier run left stays until there is something better ----
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --out old
expect 0 "$goldwire" verify old
cp old/cert.sha256 before
interrupt old TERM --dut peer:op2p-node
[ "$code" = 3 ] || fail "exit $code beside an earlier run"
has err 'old keeps the earlier run, which has a certificate; this one is in old/unfinished'
expect 0 "$goldwire" verify old
same old/cert.sha256 before
has old/unfinished/run.json '"interrupted": true'
# A run that was killed leaves its half; the next one takes it away, and nothing else.
interrupt old KILL --dut peer:op2p-node
expect 0 "$goldwire" verify old
[ -d old/unfinished/cases ] || fail 'nothing is left of a killed run'
expect 0 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --case '*echo' --out old
[ ! -e old/unfinished ] || fail 'the leftovers of a killed run are still there'
[ ! -e old/cases/eb-s/write-read.pcapng ] || fail 'two runs are mixed'
expect 0 "$goldwire" verify old
interrupt old KILL --dut peer:op2p-node
echo mine >old/unfinished/notes.txt
expect 2 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --out old
has err 'old holds unfinished/notes.txt, which is not of an earlier run'
has old/unfinished/notes.txt mine
rm -r old/unfinished
# A run that cannot begin changes nothing.
expect 2 "$goldwire" certify --dut udp://127.0.0.1:1 --role etherbone-master --out old
expect 0 "$goldwire" verify old
echo text >plain
expect 2 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --out plain
has err '--out: plain is not a folder'
lacks err cases

# ---- a full disk: files may not grow ----
# small BLOCKS ARGUMENT...: what goes to out and err may still grow.
small() {
    (
        set -o pipefail
        { (ulimit -f "$1" && shift && exec "$goldwire" "$@" 2>&1 >&4 3>&- 4>&-) | cat >&3; } 4>&1 | cat
    ) 3>&2
}
# last LINE: what was printed last.
last() {
    [ "$(tail -n 1 out)" = "$1" ] || fail "the last line is '$(tail -n 1 out)', '$1' expected"
}
expect 4 small 8 certify --dut 'peer:etherbone-slave?via=mem' --out full
last 'PASS, but goldwire could not do all of its work (exit code 4)'
lacks out 'report.html'
has out 'PASS    eb-s/probe-echo'
has err 'cannot write run.json: File too large'
has err 'cannot write report.html: File too large'
has err 'no certificate: evidence is missing'
lacks err 'cannot create'
[ ! -e full/run.json ] || fail 'half a report is left'
[ -s full/cases/eb-s/probe-echo.pcapng ] || fail 'evidence that could be written is not there'
[ ! -e full/cert.json ] || fail 'half the evidence is certified'
expect 4 small 8 certify --dut 'peer:etherbone-slave?via=mem' --out old
expect 0 "$goldwire" verify old
expect 4 small 8 record --dut 'peer:etherbone-slave?via=mem' trace.pcapng
lines err 1
has err 'trace.pcapng: File too large'
[ ! -e trace.pcapng ] || fail 'half a trace is left'
expect 2 small 0 keygen lab
has err 'cannot write lab.key: File too large'
[ ! -e lab.key ] && [ ! -e lab.pub ] || fail 'half a key is left'
expect 0 "$goldwire" keygen lab

# ---- a stdout that takes nothing ----
full() {
    "$goldwire" "$@" >/dev/full
}
golden=$2/pcaps/etherbone/slave-udp.pcapng
[ -e "$golden" ] || golden=$(find "$2/pcaps" -name '*.pcapng' | sort | head -1)
for call in --version help 'certify --help' 'certify --role etherbone-slave --list' \
    'certify --role etherbone-slave --list --json' 'certify --dut peer:etherbone-slave?via=mem' \
    'certify --dut peer:etherbone-slave?via=mem --json' 'verify old' 'verify old --json' 'diff old old' \
    'catalog list' 'catalog list --json' 'catalog check' 'peer --list' 'peer --list --json' \
    'farm --help' 'selftest op2p-node' 'selftest op2p-node --json' 'keygen another' "decode $golden" "check $golden"; do
    # shellcheck disable=SC2086 # words
    expect 4 full $call
    has err 'cannot write: No space left on device'
    [ "$(grep -c 'cannot write: No space' err)" = 1 ] || fail "told twice: $call"
done
# A reader that goes away is no error, and takes no evidence along.
"$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --out piped 2>err | true
[ "${PIPESTATUS[0]}" = 0 ] || fail 'a reader that went away'
lacks err 'cannot write'
expect 0 "$goldwire" verify piped
"$goldwire" catalog list 2>err | true
lacks err 'cannot write'

# ---- encode writes nothing before a message was understood ----
echo '{"proto":"etherbone"' >broken
expect 2 "$goldwire" encode broken
[ ! -s out ] || fail 'a capture of nothing'
expect 6 "$goldwire" encode /dev/null
[ ! -s out ] || fail 'a capture of no message'
{ message 4e6f11ff00000000; cat broken; } >second
expect 2 "$goldwire" encode second
has err 'second line 2'
has err '1 message before it was written'
cp out first.pcapng
expect 0 "$goldwire" decode first.pcapng

# ---- few descriptors: what was decided is told, and the last line tells how it ends ----
for descriptors in $(seq 6 16); do
    (ulimit -n "$descriptors" && exec "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --case '*echo' \
        --out "few$descriptors") >out 2>err
    code=$?
    case $code in
    0) last 'PASS (exit code 0)'; [ -s "few$descriptors/cert.json" ] || fail "$descriptors descriptors: no certificate" ;;
    2) [ ! -s out ] && [ -s err ] || fail "$descriptors descriptors: exit 2 without a reason" ;;
    4) [ ! -s out ] || last 'PASS, but goldwire could not do all of its work (exit code 4)'
        [ -s err ] || fail "$descriptors descriptors: exit 4 without a reason" ;;
    *) fail "$descriptors descriptors: exit $code" ;;
    esac
done

# ---- without /proc the certificate still says which program it was ----
# (Sanitizers do not do without it: they leave $3 empty.)
if [ -n "$3" ] && unshare -rm sh -c 'mount -t tmpfs none /proc' 2>unshare.err; then
    expect 0 unshare -rm sh -c 'mount -t tmpfs none /proc && exec "$@"' sh \
        "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --case '*echo' --out noproc
    last 'PASS (exit code 0)'
    has noproc/cert.json "$(sha256sum <"$goldwire" | cut -d' ' -f1)"
    expect 0 "$goldwire" verify noproc
else
    echo 'not tried: this system has no mount namespaces for us, so /proc stays' >&2
fi
finish
