#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# decode and check of what is still coming: from a pipe, and on an interface, until somebody ends it.
. "$2/conformance/cli/testing.sh"
set -m # what runs in the background is interrupted as in the foreground

# ends CODE SIGNAL: tells the running one to end, and compares its exit code.
ends() {
    kill -"$2" "$running"
    wait "$running"
    local code=$?
    [ "$code" = "$1" ] || fail "exit $code upon $2, $1 expected: $(cat out err)"
}

# ---- a pipe that has more to come: what came is shown, and whoever ends it gets the summary ----
message 4e6f11ff00000000 | "$goldwire" encode >good.pcapng
message 4e6fffff00000000 | "$goldwire" encode >bad.pcapng
mkfifo pipe
# piped CODE FILE SIGNAL TEXT VERB...: reads FILE from a pipe, and is told to end when it has shown TEXT.
piped() {
    local code=$1 file=$2 signal=$3 text=$4
    shift 4
    "$goldwire" "$@" - <pipe >out 2>err &
    running=$!
    exec 9>pipe
    cat "$file" >&9
    for _ in $(seq 400); do
        grep -qF -- "$text" out && break
        sleep 0.05
    done
    has out "$text"
    ends "$code" "$signal"
    exec 9>&-
    cat out err >both
    has both 'interrupted'
    lacks both 'breaks off'
}
for signal in INT TERM; do
    piped 3 good.pcapng $signal etherbone decode --brief
    piped 1 bad.pcapng $signal ' MUST @' check
done
has out '-: 1 message in 1 frame, 0 answered'

# ---- a pipe that nobody writes to: opening it waits, until somebody ends that ----
"$goldwire" decode pipe >out 2>err &
running=$!
# It catches the signal, and opens the pipe right after it has made ready to. Until it is the program, it is a shell, which
# catches it too.
for _ in $(seq 400); do
    [ "$(cat /proc/$running/comm)" = goldwire ] &&
        [ $((0x$(sed -n 's/^SigCgt:\t//p' /proc/$running/status) & 2)) != 0 ] && break
    sleep 0.05
done
for _ in $(seq 400); do
    kill -INT $running 2>/dev/null || break
    sleep 0.05
done
wait $running
[ $? = 2 ] || fail "reading a pipe that nobody writes to: $(cat err)"
has err 'goldwire decode: pipe: interrupted, before anybody wrote to it'

# ---- interfaces that there are not ----
expect 2 "$goldwire" decode --live nothere
has err 'goldwire decode: nothere: no such interface (here are: '
# Who may not capture is told so of interfaces that there are, and only of these.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 755 .
    cp "$goldwire" anybody
    nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups ./anybody)
    expect 2 "${nobody[@]}" decode --live nothere
    has err 'goldwire decode: nothere: no such interface (here are: '
    expect 2 "${nobody[@]}" decode --live lo
    has err 'goldwire decode: lo: permission denied; capturing needs root or CAP_NET_RAW'
fi
expect 2 "$goldwire" check --live lo good.pcapng
has err '--live and files exclude each other'

# ---- an interface of our own ----
if ! unshare -rn ip link add gwa type veth peer name gwb 2>/dev/null; then
    [ "$failures" = 0 ] || finish
    echo 'skipped: this system has no network namespaces, no veth, or no iproute2' >&2
    exit 77
fi
cat >within.sh <<'END'
set -m
ip link add gwa type veth peer name gwb
ip address add 10.7.0.1/24 dev gwa
"$1" decode --live gwa
echo "down: $?"
setpriv --bounding-set -all --reuid 0 "$1" decode --live gwa 2>refused
echo "refused: $?"
ip link set gwa mtu 65000 up && ip link set gwb mtu 65000 up
ip neighbour add 10.7.0.2 lladdr 02:00:00:00:00:02 dev gwa
until_says() { for _ in $(seq 200); do grep -qF -- "$2" "$1" && return; sleep 0.05; done; echo "no '$2' in $1"; }
send() { printf "$(printf '%s' "$1" | sed 's/../\\x&/g')" >/dev/udp/10.7.0.2/60368; }

# What comes is shown as it comes.
"$1" decode --brief --live gwa >shown 2>shown.err &
running=$!
until_says shown.err 'capturing on gwa'
send 4e6f11ff00000000
until_says shown '10.7.0.2:60368  etherbone'
send 4e6f11ff00000001
for _ in $(seq 200); do [ "$(grep -c etherbone shown)" = 2 ] && break; sleep 0.05; done
kill -INT $running
wait $running
echo "decode: $? $(grep -c etherbone shown)"

# What came before it ends is shown, though nobody had looked.
"$1" decode --brief --live gwa >late 2>late.err &
running=$!
until_says late.err 'capturing on gwa'
kill -STOP $running
for _ in $(seq 100); do send 4e6f11ff00000000; done
kill -INT $running
kill -CONT $running
code=147
while [ $code = 147 ]; do wait $running; code=$?; done
echo "late: $code $(grep -c etherbone late)"

"$1" check --live gwa >checked 2>checked.err &
running=$!
until_says checked.err 'capturing on gwa'
send 4e6f11ff00000000
send 4e6fffff00000000
until_says checked ' MUST @'
kill -INT $running
wait $running
echo "check: $?"

# More than the kernel keeps, and a reader who takes his time: it is kept for him.
mkfifo slow
(exec 8<slow; until [ -e sent ]; do sleep 0.05; done; cat <&8 >unhurried) &
reader=$!
"$1" decode --json --live gwa >slow 2>slow.err &
running=$!
until_says slow.err 'capturing on gwa'
for _ in $(seq 30); do
    dd if=/dev/zero bs=60000 count=20 >/dev/udp/10.7.0.2/9 2>dd.err || cat dd.err
    sleep 0.05
done
send 4e6f11ff00000000
touch sent
until_says unhurried '"etherbone"'
kill -INT $running
wait $running $reader
echo "slow: $?"

# More than the kernel keeps while nobody can look.
"$1" check --json --live gwa >lost 2>lost.err &
running=$!
until_says lost.err 'capturing on gwa'
kill -STOP $running
dd if=/dev/zero bs=60000 count=600 >/dev/udp/10.7.0.2/9 2>dd.err || cat dd.err
kill -INT $running
kill -CONT $running
# A shell that hears late that a process goes on says once more that it was stopped.
code=147
while [ $code = 147 ]; do wait $running; code=$?; done
echo "lost: $code"

# An interface that goes away.
timeout 20 "$1" decode --brief --live gwa >gone 2>gone.err &
running=$!
until_says gone.err 'capturing on gwa'
send 4e6f11ff00000000
until_says gone 'etherbone'
ip link delete gwa
wait $running
echo "gone: $?"
END
expect 0 unshare -rn bash within.sh "$goldwire"
has out 'down: 2'
has err 'goldwire decode: gwa: is down; ip link set it up'
has out 'refused: 2'
has refused 'goldwire decode: gwa: permission denied; capturing needs root or CAP_NET_RAW'
has out 'decode: 0 2'
has shown.err ' 2 messages, 0 frames dropped'
has out 'late: 0 100'
has out 'check: 1'
has checked ' 2 messages in '
lacks checked 'dropped'
has out 'slow: 0'
has slow.err ' 600 datagrams'
has slow.err ' 1 message, 0 frames dropped'
has out 'lost: 6'
grep -q '"dropped":[1-9]' lost || fail "nothing was dropped: $(cat lost)"
has out 'gone: 1'
has gone.err 'gwa: the capture breaks off: '
lacks out "no '"

finish
