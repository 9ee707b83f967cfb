#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Runs that are looked at while they go on: listed, captured whole, and none the worse for it.
. "$2/conformance/cli/testing.sh"
mkdir -m 700 run
export XDG_RUNTIME_DIR=$work/run
unset GOLDWIRE_WATCHABLE XDG_CONFIG_HOME

# start_run FILE ARGUMENT...: starts a certify that waits for a board to call; its process is in $run, its name in $name.
start_run() {
    local file=$1
    shift
    "$goldwire" certify --serve udp://127.0.0.1:0 --role etherbone-master --wait 120 "$@" >"$file" 2>"$file.err" &
    run=$!
    name=goldwire-$run
    until_has "$file.err" waiting
}

# until_has FILE TEXT
until_has() {
    touch "$1"
    for _ in $(seq 1200); do
        grep -qF -- "$2" "$1" && return
        sleep 0.05
    done
    fail "$1 never has '$2': $(head -5 "$1")"
}

# start_capture FILE: captures $name through a pipe; the processes are in $capture and $reader. It is there when it has
# written how its file begins.
start_capture() {
    rm -f pipe "$1"
    mkfifo pipe
    cat pipe >"$1" &
    reader=$!
    "$goldwire" extcap --capture --extcap-interface "$name" --fifo pipe 2>"$1.err" &
    capture=$!
    until_has "$1" goldwire
}

# ends CODE PROCESS WHAT
ends() {
    wait "$2"
    local code=$?
    [ "$code" = "$1" ] || fail "$3: exit $code, $1 expected"
}

# said FILE...: what the messages of these captures are and when, each once.
said() {
    local file
    for file; do
        "$goldwire" decode --json "$file" 2>err
    done | sed 's/.*\("time":.*\),"fields":.*/\1/; s/"stream":[^,]*,//' | sort -u
}

# ---- nothing that runs ----
expect 0 "$goldwire" extcap --extcap-interfaces --extcap-version=4.0
has out 'extcap {version='
expect 2 "$goldwire" extcap --capture --extcap-interface goldwire-1 --fifo -
has err 'goldwire-1: no such run: it has ended, or is another user'
expect 2 "$goldwire" extcap --capture --extcap-interface goldwire-1
has err 'where to?'
expect 2 "$goldwire" extcap --extcap-dlts
has err 'which run?'
expect 0 "$goldwire" extcap --extcap-dlts --extcap-interface goldwire-1
has out 'dlt {number=1}{name=EN10MB}'
expect 0 "$goldwire" extcap --extcap-config --extcap-interface goldwire-1
lines out 0
expect 0 "$goldwire" extcap --extcap-interface goldwire-1 --extcap-capture-filter 'udp port 1'
has out 'no capture filters'
expect 2 "$goldwire" extcap --capture --extcap-interface goldwire-1 --fifo - --extcap-capture-filter 'udp port 1'
has err 'no capture filters'

# ---- all of a run, and nothing else ----
start_run served --case eb-m/counts --case eb-m/probe-id --out evidence
expect 0 "$goldwire" extcap
grep "^$name " out | grep -qF 'certify etherbone-master at udp://127.0.0.1:0, since ' || fail "$(cat out)"
expect 0 "$goldwire" extcap --extcap-interfaces
has out "interface {value=$name}{display=goldwire certify etherbone-master at udp://127.0.0.1:0, since "
start_capture live.pcapng
url=$(sed -n 's/^waiting for the board at //p' served.err)
"$goldwire" peer etherbone-master --to "$url" >peer.out || fail 'the master is not content'
"$goldwire" peer etherbone-master --to "$url" >peer.out
ends 0 $run 'the run'
ends 0 $capture 'the capture of a run that ended'
wait "$reader"
lines live.pcapng.err 0
has served '2 cases: 2 PASS'
said live.pcapng >live.said
mapfile -t files < <(find evidence -name '*.pcapng')
said "${files[@]}" >evidence.said
[ "$(wc -l <live.said)" -gt 20 ] || fail "only $(wc -l <live.said) messages"
same live.said evidence.said
expect 0 "$goldwire" decode --json live.pcapng # each is seen once, also what a case is reminded of
lines out "$(wc -l <live.said)"
expect 0 "$goldwire" extcap
lacks out "$name "
[ ! -e run/goldwire ] || fail "$(ls run/goldwire) is left"

# ---- who looks on comes and goes, two runs at a time; one that is killed leaves nothing that is listed ----
start_run first
first=$name
start_run second
expect 0 "$goldwire" extcap
has out "$first "
has out "$name "
start_capture stopped.pcapng
kill -TERM $capture
ends 0 $capture 'a capture that is told to end'
wait "$reader"
start_capture unread.pcapng
kill $reader
wait "$reader" 2>err
ends 0 $capture 'a capture that nobody reads any more'
start_capture killed.pcapng
kill -KILL $run
{ ends 137 $run 'a killed run'; } 2>err
ends 0 $capture 'the capture of a killed run'
[ -e "run/goldwire/$name.sock" ] || fail 'a killed run was expected to leave its socket'
expect 0 "$goldwire" extcap
has out "$first "
lacks out "$name "
[ ! -e "run/goldwire/$name.sock" ] || fail 'what a killed run left is still there'
kill -TERM "${first#goldwire-}"
ends 3 "${first#goldwire-}" 'an interrupted run'

# ---- a run that nobody is to look at, and one that nobody can ----
GOLDWIRE_WATCHABLE=no start_run alone
[ ! -e run/goldwire ] || fail "$(ls run/goldwire) of a run that is to be alone"
kill -TERM $run
ends 3 $run 'an interrupted run'
touch run/goldwire
probe=(certify --dut 'peer:etherbone-slave?via=mem' --case eb-s/probe-nr)
expect 0 "$goldwire" "${probe[@]}"
lacks err 'look on'
GOLDWIRE_WATCHABLE=yes expect 0 "$goldwire" "${probe[@]}"
has err "goldwire certify: nobody can look on: $work/run/goldwire: "
has out '1 case: 1 PASS'
rm run/goldwire

# ---- where Wireshark finds it ----
HOME=$work/home expect 0 "$goldwire" extcap --install
for folder in .config/wireshark/extcap .local/lib/wireshark/extcap; do
    has out "$work/home/$folder/goldwire-extcap"
    [ "$(readlink "home/$folder/goldwire-extcap")" = "$(readlink -f "$goldwire")" ] || fail "no link in $folder"
    expect 0 "home/$folder/goldwire-extcap" --extcap-interfaces
    has out 'extcap {version='
    HOME=$work/home expect 0 "$goldwire" extcap --install
done
XDG_CONFIG_HOME=$work/settings HOME=$work/home expect 0 "$goldwire" extcap --install
has out "$work/settings/wireshark/extcap/goldwire-extcap"
rm home/.local/lib/wireshark/extcap/goldwire-extcap
echo mine >home/.local/lib/wireshark/extcap/goldwire-extcap
HOME=$work/home expect 4 "$goldwire" extcap --install
has err 'File exists'
has home/.local/lib/wireshark/extcap/goldwire-extcap mine

# ---- a campaign: what is mutated is seen as it is sent, with the cases in between, and what is found ----
"$goldwire" fuzz --dut 'peer:etherbone-slave?mutant=m-hangs-on-truncated' --time 100 --out campaign >fuzzed 2>fuzzed.err &
run=$!
name=goldwire-$run
until_has fuzzed.err 'learning from'
expect 0 "$goldwire" extcap
grep "^$name " out | grep -qF 'fuzz etherbone-slave at peer:etherbone-slave?mutant=m-hangs-on-truncated, since ' || fail "$(cat out)"
start_capture campaign.pcapng
until_has fuzzed.err 'the board does not answer any more'
kill -TERM $run
ends 1 $run 'a campaign that found something'
ends 0 $capture 'the capture of a campaign that ended'
wait "$reader"
lines campaign.pcapng.err 0
"$goldwire" decode --brief campaign.pcapng >out 2>err || fail "the campaign is not decoded: $(tail -n 1 err)"
[ "$(wc -l <out)" -gt 50 ] || fail "only $(wc -l <out) messages of a campaign"
# What the board did not survive was seen.
payloads() { "$goldwire" decode --json "$@" 2>err | sed -n 's/.*"dir":"out",.*"payload":"\([0-9a-f]*\)".*/\1/p' | sort -u; }
payloads campaign.pcapng >seen
payloads campaign/findings/*/sent.pcapng >killed
[ -s killed ] || fail 'nothing was found'
[ "$(comm -12 seen killed)" = "$(cat killed)" ] || fail 'what was found was not seen'
finish
