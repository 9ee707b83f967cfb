#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# pages.sh GOLDWIRE SOURCE: every kind of page that goldwire writes, of good boards, of bad ones and of one that means harm,
# opened in a browser.
. "$2/conformance/cli/testing.sh"
python=/usr/bin/python3
command -v chromium >/dev/null || {
    echo 'SKIPPED: chromium is not installed'
    exit 77
}
mem='?via=mem'

# ---- reports: each format, the longest of them, failures of all kinds ----
expect 0 "$goldwire" certify --dut "peer:etherbone-slave$mem" --out good
expect 1 "$goldwire" certify --dut 'peer:etherbone-slave?mutant=m-wrong-probe-id' --out sockets
expect 1 "$goldwire" certify --dut 'peer:etherbone-slave?over=tcp&mutant=m-short-probe-response' --out tcp
expect 1 "$goldwire" certify --dut "peer:op2p-node$mem&mutant=m-short-completion" --out op2p
expect 1 "$goldwire" certify --dut "peer:ims-buf$mem&mutant=m-ack-with-events" --out ims
expect 0 "$goldwire" certify --dut "peer:l1-cn$mem" --case 'l1-e/w*' --out some
expect 3 "$goldwire" certify --dut "peer:etherbone-slave$mem&mutant=m-no-pr&loss=0.3" --out lossy

# ---- how fast boards are: with several loads, without numbers, and with reasons in the place of some ----
expect 0 "$goldwire" certify --dut peer:op2p-node --case op-e/undamaged --measure-time 2 --out fast
expect 0 "$goldwire" certify --dut peer:textarossa-node --case tx-r/holes --measure-time 2 --out faster
expect 0 "$goldwire" certify --dut "peer:ims-buf$mem" --case ims-b/version --measure --out none

# ---- a board whose file means harm ----
harm="</td><img src=x onerror=smuggled=1><script>smuggled=1</script>"
long=$(printf 'x%.0s' $(seq 60))
cat >mean.yaml <<BOARD
goldwire: board
role: etherbone-slave
where: "peer:etherbone-slave$mem&mutant=m-wrong-probe-id"
identity: {make: "$harm", serial: "$long", firmware: "$harm"}
claims: {config_space: true, sdb: true, pipeline: 3}
waivers:
  - {case: eb-s/probe-echo, owner: "$harm", ticket: "$long", reason: "$harm", text: "$harm", expires: 2099-03-31}
BOARD
expect 1 "$goldwire" certify mean.yaml --operator "$harm" --out mean

for page in sockets tcp op2p ims mean; do
    has $page/report.html '<details class="decoded">'
    has $page/report.html '<h4 class="decided">Decided</h4>'
done

# ---- a campaign, before and after its findings are made smaller, and a history ----
expect 1 "$goldwire" fuzz --dut "peer:etherbone-slave$mem&mutant=m-hangs-on-truncated" --packets 3000 --out campaign
cp campaign/*.html first.html
expect 1 "$goldwire" triage campaign
expect 0 "$goldwire" history good sockets tcp op2p ims some lossy mean --out history.html

"$python" "$2/conformance/cli/testing/pages.py" ./*/report.html ./*/measure.html first.html campaign/*.html history.html >wrong || {
    code=$?
    fail "what the browser finds (exit $code):"
    cat wrong >&2
}
finish
