#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The catalogue is complete, tells about every id, and none of its ids was ever lost.
# GW_UPDATE_IDS=1 adds the ids that are new to conformance/formats/ids.txt, as a release does.
. "$2/conformance/cli/testing.sh"
ledger=$2/conformance/formats/ids.txt

expect 0 "$goldwire" catalog check
has out ' 0 faults'
lacks out 'retired'
expect 0 "$goldwire" catalog list
has out 'eb-s/probe-echo'
has out 'EB-S04'
expect 0 "$goldwire" catalog list --json
has out '"id": "eb-s/probe-echo"'

# ---- one id ----
expect 0 "$goldwire" catalog show EB-S20
has out 'level      MUST'
has out 'clause     spec 5.4.2, Record processing [spec 1167]'
has out 'owed by    etherbone-slave'
has out 'cases      eb-s/reply-flags: '
has out 'broken by  m-cyc-not-copied does not copy CYC'
has out 'etherbone.record.cyc (End of cycle (CYC), spec 5.1.2, Record Header: CYC [spec 941]), named when m-cyc-not-copied breaks it'
expect 0 "$goldwire" catalog show EB-S20 --json
has out '"shown_by": "m-cyc-not-copied"'
has out '"clause": "spec 5.4.2, Record processing"'
has out '"source": "spec 1167"'
expect 0 "$goldwire" catalog show EB-M13
has out 'no case    a master that writes to one address on purpose'
expect 0 "$goldwire" catalog show TX-L6
has out 'owed by    textarossa-node'
has out 'owed by    textarossa-switch'
expect 0 "$goldwire" catalog show eb-s/truncated
has out 'rules      EB-S42 MUST (spec 5.1, Message Format [spec 780]): '
has out 'probed before and after'
has out 'm-hangs-on-truncated'
expect 0 "$goldwire" catalog show eb-s/truncated --json
has out '"kind": "case"'
expect 0 "$goldwire" catalog show m-cyc-not-copied
has out 'breaks     EB-S20'
expect 2 "$goldwire" catalog show eb-s/nothing
has err 'eb-s/nothing'
expect 2 "$goldwire" catalog show eb-s/truncatd
has err "did you mean 'eb-s/truncated'?"
expect 2 "$goldwire" catalog show
expect 2 "$goldwire" catalog
expect 2 "$goldwire" catalog prove

# ---- simulated ports ----
expect 0 "$goldwire" catalog list
has out 'AXIS-01 MUST    1 case'
has out 'axis/valid-held'
expect 0 "$goldwire" catalog show WB-04
has out 'owed by    simulated-ports'
has out 'cases      wb/request-held: '
expect 0 "$goldwire" catalog show axis/valid-first --json
has out '"id": "AXIS-06"'
expect 2 "$goldwire" catalog show axis/valid-frist
has err "did you mean 'axis/valid-first'?"

# ---- a title stands alone ----
"$goldwire" catalog list | sed -nE 's/^  ([a-z0-9-]+\/[^ ]+) +[A-Z0-9-]+ +(.*)/\1 \2/p' | sort -u >titles
[ "$(wc -l <titles)" -gt 400 ] || fail "only $(wc -l <titles) titles are listed"
! grep -E '^[^ ]+ (So|And|But|Or|Nor|Then|Also|It|Its|They|Their|This|That|These|Those|He|She|[a-z]+)\b' \
    titles || fail "a title leans on the one before it"
cut -d' ' -f2- titles | sort | uniq -d >twice
[ ! -s twice ] || fail "cases share a title: $(cat twice)"

# ---- ids are permanent ----
{
    "$goldwire" catalog list | sed -nE 's/^  ([^ ]+) .*/\1/p'
    "$goldwire" peer --list | grep -oE ' m-[a-z0-9-]+' | tr -d ' '
} | LC_ALL=C sort -u >now
[ "$(wc -l <now)" -gt 400 ] || fail "only $(wc -l <now) ids are listed"
grep -v '^#' "$ledger" | LC_ALL=C sort -u >ever
for id in $(LC_ALL=C comm -23 ever now); do
    expect 0 "$goldwire" catalog show "$id"
    has out "retired after"
done
if [ -n "${GW_UPDATE_IDS:-}" ]; then
    { grep '^#' "$ledger"; LC_ALL=C sort -u ever now; } >ids && cp ids "$ledger"
fi
finish
