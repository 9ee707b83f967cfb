#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# schema_test.sh GOLDWIRE SOURCE: what certify and diff write is what docs/*.schema.json say, as a validator that we did not
# write sees it (Debian's python3-jsonschema): for every role, for boards that fail, and for runs that end early.
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

"$goldwire" diff --json etherbone-slave mutant >diff.json
found=$(valid diff diff.json) || complain 'diff: the validator failed'
[ -z "$found" ] || complain "$found"

# The validator is not asleep.
sed 's/"virtual_time"/"virtual_tyme"/' mutant/run.json >wrong.json
[ -n "$(valid run wrong.json)" ] || complain 'a report with a wrong name is taken for a right one'
exit $status
