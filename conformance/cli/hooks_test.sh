#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of the hooks of board files, as `goldwire certify --hooks` and `goldwire doctor --hooks` run them.
. "$2/conformance/cli/testing.sh"
boards=$2/fpga_harness/boards

# A port that the kernel chose, on an address that nobody else has.
touch port.txt
start_peer port.txt etherbone-slave --listen udp://127.0.0.1:0
port=$(sed -n 's/^listening [^ ]*:\([0-9]*\).*/\1/p' port.txt)
kill "$peer"
wait "$peer"
home=$net.1:$port

# board FILE ROLE URL HOOK...: the example of that role with hooks.
board() {
    local file=$1 role=$2 url=$3
    shift 3
    sed "s|^where:.*|where: $url|" "$boards/$role.yaml" >"$file"
    printf 'hooks:\n' >>"$file"
    printf '  %s\n' "$@" >>"$file"
}

# ---- hooks that fail are named, and end the wait ----
one='--case eb-s/probe-echo'
board missing.yaml etherbone-slave "udp://$home" 'power: {run: [goldwire-has-no-such-program]}'
for verb in certify doctor; do
    expect 2 "$goldwire" $verb missing.yaml --hooks
    has err 'missing.yaml: hook power: cannot start goldwire-has-no-such-program: there is no such program in PATH'
done
board fails.yaml etherbone-slave "udp://$home" 'start: {run: ["false"], settle: 600}'
# shellcheck disable=SC2086 # words on purpose
expect 3 timeout 60 "$goldwire" certify fails.yaml $one --hooks
has err 'hook start: exit 1'
board caller.yaml etherbone-master "udp://$home" 'start: {run: ["false"]}'
expect 3 timeout 60 "$goldwire" certify caller.yaml --hooks --wait 600
has err 'the board did not call; hook start: exit 1'

# ---- a board that is dead at the start ----
board dead.yaml etherbone-slave "udp://$home" 'soft: {run: ["true"], settle: 0}' 'power: {run: ["false"]}'
# shellcheck disable=SC2086
expect 3 timeout 60 "$goldwire" certify dead.yaml $one --hooks
has err '3 attempts failed; nothing listens there'
has err 'hook soft: exit 0, hook power: exit 1'
# shellcheck disable=SC2086
expect 3 timeout 60 "$goldwire" certify dead.yaml $one
has err 'its hooks were not run: --hooks lets goldwire run them'
# Of a hung board nothing is known but that a reset brings it back.
cat >reset.sh <<END
#!/bin/sh
setsid "$goldwire" peer etherbone-slave --listen "udp://$home" >/dev/null 2>&1 &
echo \$! >reset.pid
sleep 0.2 # what is left of a hook's group is killed: until here it has a session of its own
END
chmod +x reset.sh
board hung.yaml etherbone-slave "udp://$home" 'soft: {run: [./reset.sh], settle: 60}'
# shellcheck disable=SC2086
expect 0 timeout 90 "$goldwire" certify hung.yaml $one --hooks
has out 'the board answers after hook soft: exit 0; before that, 3 attempts failed'
kill "$(cat reset.pid)"

# ---- doctor brings the board up as certify does, and takes it away again ----
for scheme in udp tcp; do
    board up.yaml etherbone-slave "$scheme://$home" \
        "start: {run: [$goldwire, peer, etherbone-slave, --listen, \"$scheme://$home\"], settle: 60}"
    expect 3 timeout 60 "$goldwire" doctor up.yaml
    expect 0 timeout 90 "$goldwire" doctor up.yaml --hooks
    has out 'ok    probe                    the board answers'
    expect 3 timeout 60 "$goldwire" doctor up.yaml
done

# ---- record and replay bring it up just so ----
one='--case eb-s/probe-echo --case eb-s/read-answered'
# shellcheck disable=SC2086
expect 3 timeout 60 "$goldwire" record up.pcapng --board-file up.yaml $one
has err 'its hooks were not run: --hooks lets goldwire run them'
[ ! -e up.pcapng ] || fail 'a trace of a board that was not there'
# shellcheck disable=SC2086
expect 0 timeout 90 "$goldwire" record up.pcapng --board-file up.yaml $one --hooks
has out 'up.pcapng: 2 of 2 cases'
expect 3 timeout 60 "$goldwire" replay up.pcapng --board-file up.yaml
expect 0 timeout 90 "$goldwire" replay up.pcapng --board-file up.yaml --hooks
expect 3 timeout 60 "$goldwire" doctor up.yaml # nothing of it is left

# ---- a Worker that its hook starts: for each conversation, or over and over ----
cat >again.sh <<'END'
#!/bin/sh
while :; do "$@" >/dev/null 2>&1; done
END
chmod +x again.sh
call="$goldwire, peer, ims-worker, --to, \"roce://$net.2?local=$net.3:4791\""
board each.yaml ims-worker roce://$net.2 "start: {run: [$call]}"
board again.yaml ims-worker roce://$net.2 "start: {run: [./again.sh, $call]}"
for file in each.yaml again.yaml; do
    expect 0 timeout 60 "$goldwire" certify $file --hooks --wait 30
    has out '50 PASS'
done

# ---- a script of several tools is judged by all of them, over datagrams and over streams ----
cat >tools.sh <<'END'
#!/bin/sh
# tools.sh MUTANT PEER...: a tool without fault, one with it, and one without.
mutant=$1
shift
"$@" >/dev/null 2>&1
"$@" --mutant "$mutant" >/dev/null 2>&1
"$@" >/dev/null 2>&1
END
chmod +x tools.sh
# tools SCHEME MUTANT CASE: certifies what the script runs.
tools() {
    board tools.yaml etherbone-master "$1://$home" \
        "start: {run: [./tools.sh, $2, $goldwire, peer, etherbone-master, --to, \"$1://$home\"]}"
    expect 1 timeout 90 "$goldwire" certify tools.yaml --hooks --case eb-m/counts --case "$3" --out "tools-$1"
    has out 'the master sent 3 probes '
    has out 'PASS    eb-m/counts '
    has out "FAIL    $3 "
    "$goldwire" decode "tools-$1/cases/$3.pcapng" >decoded 2>err || fail "the evidence of $3 cannot be read"
    [ "$(awk '/^frame.* by the board / { print $4 }' decoded | sort -u | wc -l)" = 3 ] ||
        fail "the evidence of $3 does not hold three tools"
}
tools udp m-nr-with-reads eb-m/nr-clear
tools tcp m-dirty-padding eb-m/padding

# ---- and one of several Workers by all of them, as long as they come one after another ----
board workers.yaml ims-worker "roce://$net.2" \
    "start: {run: [./tools.sh, m-wrong-rkey, $goldwire, peer, ims-worker, --to, \"roce://$net.2?local=$net.3:4791\"]}"
expect 1 timeout 90 "$goldwire" certify workers.yaml --hooks --case ims-w/register --case ims-w/place --out workers
has out '; 2 came behind it, and all are judged as well'
has out 'PASS    ims-w/register '
has out 'FAIL    ims-w/place '
"$goldwire" decode workers/cases/ims-w/place.pcapng >decoded 2>err || fail 'the evidence of Workers cannot be read'
[ "$(grep -c '^frame.*STAT_REQ' decoded)" = 3 ] || fail 'the evidence of ims-w/place does not hold three Workers'
cat >crowd.sh <<'END'
#!/bin/sh
# crowd.sh PEER...: two Workers at once.
"$@" "roce://$NET.2?local=$NET.4:4791" >/dev/null 2>&1 &
"$@" "roce://$NET.2?local=$NET.3:4791" >/dev/null 2>&1
wait
END
sed -i "s/\$NET/$net/g" crowd.sh
chmod +x crowd.sh
board crowd.yaml ims-worker "roce://$net.2" "start: {run: [./crowd.sh, $goldwire, peer, ims-worker, --to]}"
expect 3 timeout 90 "$goldwire" certify crowd.yaml --hooks --case ims-w/register --case ims-w/place
has out 'another Worker called before the first had taken its leave'
lacks out 'FAIL '

# ---- masters of one request, or none, that their hooks start ----
cat >brief.sh <<'END'
#!/bin/bash
# brief.sh PROTOCOL PORT STATUS [PROGRAM...]: probes, reads a word unless PROGRAM is what is behind it, ends with STATUS
exec 3<>/dev/$1/HOST/$2 || exit 9
printf '\x4e\x6f\x11\x44\0\0\0\x86' >&3
dd bs=8 count=1 <&3 >/dev/null 2>&1
if [ $# -gt 3 ]; then
    exec 3>&-
    "${@:4}"
else
    header='\x4e\x6f\x10\x44'
    [ "$1" = udp ] || header=
    printf "$header"'\xa8\x0f\0\1\0\0\x80\0\0\0\0\x40' >&3
    dd bs=16 count=1 <&3 >/dev/null 2>&1
fi
exit "$3"
END
sed -i "s|HOST|$net.1|" brief.sh
chmod +x brief.sh
cases='--case eb-m/probe-accepted --case eb-m/widths --case eb-m/counts --case eb-m/other-magic'
for protocol in udp tcp; do
    board brief.yaml etherbone-master "$protocol://$net.1:$port" "start: {run: [./brief.sh, $protocol, \"$port\", \"0\"]}"
    # shellcheck disable=SC2086
    expect 0 timeout 60 "$goldwire" certify brief.yaml $cases --hooks --wait 30
    has out ' PASS'
    # Its user is told of a failure: that good replies are taken is not seen.
    sed -i 's/"0"\]/"1"]/' brief.yaml
    # shellcheck disable=SC2086
    expect 3 timeout 60 "$goldwire" certify brief.yaml $cases --hooks --wait 30
    has out 'the master took none of 1 good replies'
    lacks out ' PASS '
done
# One that only looks whether anybody is there, and the one behind it that asks.
call="$goldwire, peer, etherbone-master, --to, \"udp://$net.1:$port\""
for last in true "$call"; do
    board look.yaml etherbone-master "udp://$net.1:$port" "start: {run: [./brief.sh, udp, \"$port\", \"0\", $last]}"
    if [ "$last" = true ]; then
        # shellcheck disable=SC2086
        expect 3 timeout 60 "$goldwire" certify look.yaml $cases --hooks --wait 30
        has out 'INCONC  eb-m/probe-accepted'
    else
        # shellcheck disable=SC2086
        expect 0 timeout 60 "$goldwire" certify look.yaml $cases --hooks --wait 30
        has out '4 PASS'
    fi
done
finish
