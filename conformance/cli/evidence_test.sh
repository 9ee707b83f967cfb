#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What `check` finds in the evidence of good boards, of every role in every dialect: who broke a rule there is
# goldwire, on purpose, and no finding may say that it was the board. The evidence says who sent what. Of what a case
# sends that every board must take nothing is found at all.
. "$2/conformance/cli/testing.sh"

# dialects_of ROLE: their names.
dialects_of() {
    "$goldwire" certify --dut "peer:$1?via=mem&dialect=none-such" 2>&1 | sed -n 's/.*; known: //p'
}

# What is not certified, as `certify` says why.
refused='has a TCP framing of its own|payloads with headers of further hops are for a task'
refused+='|the beats of an APElink are of 128 bits here|before revision 1.1 the events of a NACK are not known'
refused+='|the cases for a compute node write mock-up events'

# The cases that send what every board of their role must take.
"$goldwire" catalog list --json | awk -F'"' '$2 == "id" { id = $4 } /"negative": false/ { print id }' >legal
[ "$(grep -c . legal)" -ge 200 ] || fail 'which cases send what is legal is not known'

# judge WHAT ROLE OPTIONS: evidence of that board, in `evidence`, blames it for nothing. What is found stands in `found`.
judged=0
judge() {
    local what=$1 role=$2 file
    rm -rf evidence
    if ! "$goldwire" certify --dut "peer:$role?via=mem&$3" --out evidence >log 2>&1; then
        grep -qE "$refused" log || fail "$what does not pass: $(tail -1 log)"
        return
    fi
    judged=$((judged + 1))
    "$goldwire" check --json evidence/preflight.pcapng evidence/cases/*/*.pcapng >all 2>err
    grep '"rule":"[^}]*"sender":' all >found
    ! grep -m 3 '"sender":"board"' found >&2 || fail "$what: the board is blamed"
    ! grep -m 3 '"sender":null' found >&2 || fail "$what: nobody knows who is blamed"
    grep -q '"sender":"goldwire"' found || "$goldwire" check evidence/preflight.pcapng >>log 2>&1 ||
        fail "$what: nothing can be read"
    # An IMS Worker's frames have one size, place and key: a buffer must take others all the same, or say so.
    [[ $role != ims-* ]] || return
    grep -o '"file":"evidence/cases/[^"]*' found | sed 's,.*/cases/,,; s/\.pcapng//' | sort -u >cases
    file=$(grep -m 1 -xFf legal cases)
    [ -z "$file" ] || fail "$what: $file sends what is legal, and $(grep -m 1 "cases/$file\." found)"
}

roles=$("$goldwire" peer --list | awk 'NF == 1')
for role in $roles; do
    for dialect in $(dialects_of "$role"); do
        judge "$role in $dialect" "$role" "dialect=$dialect"
        case $role in
        etherbone-*) judge "$role in $dialect over TCP" "$role" "dialect=$dialect&over=tcp" ;;
        textarossa-node) judge "$role in $dialect over Ethernet" "$role" "dialect=$dialect&over=raw" ;;
        esac
    done
done
[ "$judged" -ge 75 ] || fail "evidence of $judged boards only"

# Each rule that a case breaks on purpose is found, and told to be goldwire's doing.
judge 'an EtherBone slave' etherbone-slave 'dialect=strict'
for rule in M01 M02 M04 M06 M07 M09 M11 M12 M22; do
    grep -q "\"rule\":\"EB-$rule\"" found || fail "EB-$rule is not found, whatever was sent"
done
expect 1 "$goldwire" check evidence/cases/eb-s/error-config-odd.pcapng
has out '(sent by goldwire)'
grep -qE 'EB-M22 +MUST +[0-9]+ .* \([0-9]+ sent by goldwire\)$' out || fail 'the summary does not say that it was goldwire'
"$goldwire" decode evidence/cases/eb-s/error-config-odd.pcapng >out
has out ' by goldwire  etherbone'
has out ' by the board  etherbone'

# What a router and a node pass on is told of who put it in.
judge 'a TEXTAROSSA switch' textarossa-switch 'dialect=strict'
grep -q '"rule":"TX-E6"' found || fail 'nothing is said of what a switch was sent'
"$goldwire" decode evidence/cases/tx-s/transparent.pcapng >out
has out '= passes on what frame '
# Several packets of one segment that break a rule in the same way are one line.
"$goldwire" check evidence/cases/tx-s/order-among-broken.pcapng >out
grep -qE 'TX-E5 .* \([0-9]+ times\)$' out || fail 'packets of one segment are told line by line'
[ "$(grep -c . out)" = "$(sort -u out | grep -c .)" ] || fail 'a finding is told twice'

# A probe of LiteX's 12 bytes ends there: its tail is no record.
"$goldwire" certify --dut 'peer:etherbone-slave?via=mem&dialect=litex' --out evidence >log 2>&1
"$goldwire" decode evidence/preflight.pcapng >out
has out 'probe_tail = 0x'
! grep -q 'undecoded\|unsupported\|Record 0.*probe' out || fail 'a probe of 12 bytes is not read to its end'

# A board that does wrong is blamed.
"$goldwire" certify --dut 'peer:ims-worker?via=mem&mutant=m-wrong-rkey' --out evidence >log 2>&1
"$goldwire" check --json evidence/cases/*/*.pcapng >found 2>err
grep '"rule":"IMS-W5"' found | grep -q '"sender":"board"' || fail 'a wrong key is not the Worker'"'"'s'
"$goldwire" certify --dut 'peer:l1-ru?via=mem&mutant=m-index-stands' --out evidence >log 2>&1
"$goldwire" check --json evidence/cases/*/*.pcapng >found 2>err
grep '"rule":"L1-E03"' found | grep -q '"sender":"board"' || fail 'an index that stands is not the unit'"'"'s'
# What a unit was told through a tunnel may have been lost: certify asks anew and knows, and a recording does not.
expect 1 "$goldwire" certify --dut 'peer:l1-ru?via=mem&mutant=m-short-pointer' --case l1-d/all-descriptors --out evidence
has out 'FAIL    l1-d/all-descriptors'
"$goldwire" check --json evidence/cases/*/*.pcapng >found 2>err
! grep -q '"sender":"board"' found || fail 'a unit is held to what may have got lost'
finish
