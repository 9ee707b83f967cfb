#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# schema_test.sh GOLDWIRE SOURCE: what certify (--measure too), diff, history, fuzz and triage write is what docs/*.schema.json say, as a
# validator that we did not write sees it (Debian's python3-jsonschema): for every role, for boards that fail, and for runs that end early.
goldwire=$1
schemas=$2/docs
python=/usr/bin/python3
"$python" -c 'import jsonschema' 2>/dev/null || {
    echo 'SKIPPED: python3-jsonschema is not installed'
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
status=0

complain() {
    echo "$*" >&2
    status=1
}

# valid SCHEMA FILE: no output when FILE is what the schema says, else the first places where it is not.
valid() {
    "$python" - "$schemas/$1.schema.json" "$2" <<'PYTHON'
import itertools
import json
import sys

import jsonschema

with open(sys.argv[1]) as file:
    schema = json.load(file)
with open(sys.argv[2]) as file:
    document = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
errors = jsonschema.Draft202012Validator(schema).iter_errors(document)
for error in itertools.islice(errors, 5):
    print(f"{sys.argv[2]}: {error.json_path}: {error.message[:200]}")
PYTHON
}

# run NAME URL [ARGUMENT...]: certifies the board and holds its report to the schema.
run() {
    local name=$1 url=$2 found
    shift 2
    "$goldwire" certify --dut "$url" --out "$name" "$@" >"$name.out" 2>"$name.err"
    [ -s "$name/run.json" ] || complain "$url: no run.json: $(head -n 2 "$name.err")"
    found=$(valid run "$name/run.json") || complain "$url: the validator failed"
    [ -z "$found" ] || complain "$found"
}

roles=$("$goldwire" peer --list | awk 'NF { print $1 }' | sort -u)
[ "$(wc -w <<<"$roles")" -ge 10 ] || complain "few roles: $roles"
for role in $roles; do
    run "$role" "peer:$role?via=mem"
done
run raw 'peer:textarossa-node?over=raw&via=mem'
run tcp 'peer:etherbone-slave?over=tcp&via=mem'
run gsi 'peer:etherbone-slave?dialect=gsi&via=mem'
run mutant 'peer:etherbone-slave?mutant=m-cyc-not-copied&via=mem'
run dead 'udp://127.0.0.1:9' --role etherbone-slave --case 'eb-s/probe-*'
run lossy 'peer:op2p-node?via=mem&loss=0.2&seed=3' --case 'op-e/*'

run measured peer:etherbone-slave --case eb-s/probe-echo --measure-time 1
run measured-op2p 'peer:op2p-node?loss=0.1&seed=2' --case op-e/undamaged --measure-time 2
run measured-switch peer:textarossa-switch --case tx-r/holes --measure-time 1
run measured-buf peer:ims-buf --case ims-b/version --measure-time 1
run measured-ru peer:l1-ru --case l1-d/event-words --measure-time 1
run unmeasured peer:etherbone-master?via=mem --case eb-m/probe-form --measure
for name in measured measured-op2p measured-switch measured-buf measured-ru unmeasured; do
    found=$(valid measure "$name/measure.json") || complain "$name: the validator failed"
    [ -z "$found" ] || complain "$found"
done
grep -q '"p99_ns"' measured/measure.json || complain 'no response time was measured'

"$goldwire" diff --json etherbone-slave mutant >diff.json
"$goldwire" history --json etherbone-slave mutant lossy >history.json
for verb in diff history; do
    found=$(valid "$verb" "$verb.json") || complain "$verb: the validator failed"
    [ -z "$found" ] || complain "$found"
done

# campaign NAME VERB ARGUMENT...: fuzzes or triages, and holds what that leaves in NAME to the schemas.
campaign() {
    local name=$1 schema found
    shift
    "$goldwire" "$@" >"$name.out" 2>"$name.err"
    for schema in findings coverage; do
        found=$(valid "$schema" "$name/$schema.json") || complain "$*: the validator failed: $(head -n 2 "$name.err")"
        [ -z "$found" ] || complain "$found"
    done
}

for role in etherbone-slave op2p-node textarossa-node textarossa-switch ims-buf l1-ru l1-cn l1-du; do
    campaign "fuzz-$role" fuzz --dut "peer:$role?via=mem" --packets 500 --out "fuzz-$role"
done
campaign bad fuzz --dut 'peer:etherbone-slave?mutant=m-hangs-on-truncated&via=mem' --packets 500 --out bad
[ "$(grep -c '"status": "new"' bad/findings.json)" -ge 1 ] || complain 'nothing was found in a board that hangs'
campaign bad triage bad
campaign good fuzz --dut 'peer:etherbone-slave?via=mem' --packets 500 --baseline bad/findings.json --out good
campaign good triage good --baseline bad/findings.json
grep -q '"status": "gone"' good/findings.json || complain 'what is gone is not told'

# The validator is not asleep.
sed 's/"virtual_time"/"virtual_tyme"/' mutant/run.json >wrong.json
[ -n "$(valid run wrong.json)" ] || complain 'a report with a wrong name is taken for a right one'
exit $status
