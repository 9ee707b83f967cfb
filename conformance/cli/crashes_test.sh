#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# crashes_test.sh GOLDWIRE: crash inputs of a fuzz target are sorted by their stacks, the smallest of each kept, with what the
# target said and the packets that it is. The target is a stand-in that reports as AddressSanitizer does.
goldwire=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
status=0

complain() {
    echo "$*" >&2
    status=1
}

cat >fuzz_etherbone_decode <<'TARGET'
#!/bin/sh
# Crashes in one function on inputs with an "x", in another on those with a "y".
for at in x y; do
    grep -q "$at" "$1" || continue
    echo '==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60200000005d at pc 0x1'
    echo "    #0 0x1 in read_$at /src/$at.c:1:2"
    exit 1
done
exit 0
TARGET
chmod +x fuzz_etherbone_decode

# expect CODE ARGUMENT...: triage ends with that exit code.
expect() {
    local wanted=$1 code=0
    shift
    "$goldwire" triage "$@" >out 2>err || code=$?
    [ "$code" = "$wanted" ] || complain "triage $*: exit $code, not $wanted: $(cat err)"
}

mkdir inputs
expect 0 inputs --target ./fuzz_etherbone_decode
printf '\0No\021Dxxxx' >inputs/crash-1
printf '\0No\021Dxxxxxxxx' >inputs/crash-2
printf '\0No\021Dyyyy' >'inputs/id:000001,sig:06'
printf '\0No\021D....' >inputs/crash-3
printf '\0No\021Dxxxx' >inputs/README.txt
expect 1 inputs --target ./fuzz_etherbone_decode --shrink 0
grep -q '^2 crashes in 4 inputs; on 1 nothing goes wrong any more$' out || complain "$(cat out)"
grep -q '^crash-3: does not crash any more$' out || complain 'what does not crash any more is not told'
for at in x y; do
    folder=inputs/findings/crash.heap-buffer-overflow.read_$at
    [ "$(stat -c %s "$folder/input")" = 9 ] || complain "$folder: not the smallest input"
    grep -q "read_$at" "$folder/report.txt" || complain "$folder: no report"
    "$goldwire" decode "$folder/sent.pcapng" | grep -q etherbone || complain "$folder: the capture holds no message"
done
again=$(sed -n 's/^  again: //p' out | head -n 1)
sh -c "$again" | grep -q AddressSanitizer || complain "does nothing when pasted: $again"
expect 2 inputs --target ./nowhere
expect 2 nowhere --target ./fuzz_etherbone_decode
exit $status
