#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of verbs that read many captures at once: whatever is printed, nobody sees that it was at once.
. "$2/conformance/cli/testing.sh"

traces=("$2"/pcaps/*/*.pcapng)
some=("${traces[@]:0:24}")

# same VERB ARGUMENT...: three at once print what one after the other does, with the same exit code.
same() {
    local verb=$1 code
    shift
    "$goldwire" "$verb" --jobs 1 "$@" >one.out 2>one.err
    code=$?
    "$goldwire" "$verb" --jobs 3 "$@" >three.out 2>three.err || [ $? = $code ] || fail "$verb: another exit code than $code"
    cmp one.out three.out || fail "$verb $*: something else on stdout"
    cmp one.err three.err || fail "$verb $*: something else on stderr"
    [ -s three.out ] || fail "$verb $*: nothing on stdout"
}

same check "${some[@]}"
same check --json "${some[@]}"
same stats "${some[@]}"
[ -s three.err ] || fail 'no capture of these leaves anything to say on stderr'

# more on stdout than pipes hold, of one that is not at turn
for _ in $(seq 60); do
    cat "$2"/pcaps/etherbone/faulty-slaves.pcapng
done >long.pcapng
same check --json "${some[0]}" long.pcapng "${some[1]}" long.pcapng
[ "$(wc -c <three.out)" -gt 300000 ] || fail 'the findings of long.pcapng fit into a pipe'

# a file that is none, and one that breaks off
echo nonsense >nonsense
expect 2 "$goldwire" check --jobs 3 "${some[0]}" nonsense "${some[1]}"
[ ! -s out ] || fail 'something is printed although a file is none'
head -c $(($(wc -c <"${some[0]}") - 5)) "${some[0]}" >broken.pcapng
same check "${some[1]}" broken.pcapng "${some[0]}"
grep -q 'breaks off' one.out || fail 'broken.pcapng does not break off'

for jobs in 0 -1 3x '' 257 99999999999999999999; do
    expect 2 "$goldwire" check --jobs "$jobs" "${some[@]}"
    has err "'$jobs' is no number of captures: 1 to 256"
done

# a reader that goes away ends all of them, silently
for _ in $(seq 5); do
    timeout 60 "$goldwire" check --jobs 3 "${traces[@]}" 2>err | head -1 >out
    [ "${PIPESTATUS[0]}" = 0 ] || fail 'a reader that goes away is an error, or the end of nothing'
    lines out 1
done

# Two that wait for a pipe each, between two that are read: who is killed is named, and the rest told in order. By one
# that sends the parent a signal all are ended.
mkfifo first second
# begin: the first is told and over, two wait, the last is over and waits for its turn.
begin() {
    exec 7<>first 8<>second
    "$goldwire" check --jobs 4 "${some[0]}" first second "${some[1]}" >out 2>err 7>&- 8>&- &
    parent=$!
    for _ in $(seq 300); do
        mapfile -t children < <(pgrep -P "$parent")
        [ ! -s out ] || [ "${#children[@]}" != 3 ] || return
        sleep 0.1
    done
    fail "there are ${#children[@]} processes beside what the first one printed"
    kill -KILL "$parent" "${children[@]}"
    finish
}
begin
kill -KILL "${children[1]}"
kill -KILL "${children[0]}"
wait "$parent"
[ $? = 4 ] || fail 'a killed process is not a fault of goldwire'
lines err 2
head -1 err | grep -qF 'goldwire check: first: the process that read it was killed' || fail 'the first is not named'
tail -1 err | grep -qF 'goldwire check: second: the process that read it was killed' || fail 'the second is not named'
"$goldwire" check --jobs 1 "${some[0]}" "${some[1]}" >one.out
cmp one.out out || fail 'what the others found is not told'

begin
kill -TERM "$parent"
for _ in $(seq 100); do
    kill -0 "$parent" 2>dead || break
    sleep 0.1
done
! kill -0 "$parent" 2>dead || { fail 'SIGTERM ends nothing'; kill -KILL "$parent" "${children[@]}"; }
wait "$parent"
for child in "${children[@]}"; do
    ! kill -0 "$child" 2>dead || fail "process $child goes on"
done
exec 7>&- 8>&-
finish
