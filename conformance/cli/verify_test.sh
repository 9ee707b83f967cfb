#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of `goldwire verify', `keygen' and `diff' from outside, on runs of boards in memory.
. "$2/conformance/cli/testing.sh"
slave='peer:etherbone-slave?via=mem'

# digest: of the certificate that `certify' printed into out
digest() {
    sed -n 's/^certificate: .* sha256:\([0-9a-f]*\),.*/\1/p' out
}

# ---- unsigned ----
expect 0 "$goldwire" certify --dut "$slave" --out plain
has out 'certificate: plain/cert.json sha256:'
has out ', unsigned'
sum=$(digest)
expect 0 "$goldwire" verify plain
has out 'unsigned: whoever can write the folder'
has out 'this very program; its catalogue is this one'
has out 'VERIFIED'
expect 0 "$goldwire" verify plain --digest "$sum"
expect 0 "$goldwire" verify plain --digest "sha256:${sum^^}"
expect 1 "$goldwire" verify plain --digest "${sum/[0-7]/8}"
has out 'foreign: cert.json: has another digest'
expect 2 "$goldwire" verify plain --digest 12
has plain/report.html 'unsigned'
(cd plain && sha256sum --quiet -c cert.sha256) || fail 'sha256sum does not accept cert.sha256'
[ "$(sha256sum <plain/catalogue.json | cut -d' ' -f1)" = "$(grep -oE '"catalogue":\{"path":"catalogue.json","sha256":"[0-9a-f]*' plain/cert.json | grep -oE '[0-9a-f]{64}')" ] ||
    fail 'the digest of the catalogue is another'

# ---- a run of hundreds of packets takes no time, a changed one is named ----
expect 0 timeout 10 "$goldwire" verify plain --json
has out '"verified": true'
cp -r plain bad
printf x >>bad/cases/eb-s/probe-echo.pcapng
rm bad/junit.xml
touch bad/cases/extra
expect 1 "$goldwire" verify bad
has out 'changed: cases/eb-s/probe-echo.pcapng'
has out 'missing: junit.xml'
has out 'added: cases/extra'
has out 'NOT VERIFIED: 3 differences'
expect 1 "$goldwire" verify bad --json
has out '"kind": "missing"'

# ---- signed ----
expect 0 "$goldwire" keygen lab
expect 0 "$goldwire" keygen other
expect 2 "$goldwire" keygen lab
has err 'exists'
[ "$(stat -c %a lab.key)" = 600 ] || fail 'others may read the secret key'
expect 0 "$goldwire" certify --dut "$slave" --case 'eb-s/probe*' --out signed --sign lab.key
has out 'signed with key'
expect 0 "$goldwire" verify signed --key lab.pub --digest "$(digest)"
has out 'the one that was given'
expect 0 "$goldwire" verify signed --key "$(sed -n 2p lab.pub)"
expect 0 "$goldwire" verify signed
has out 'whose it is only --key can tell'
expect 1 "$goldwire" verify signed --key other.pub
has out 'is not the key that was given'
expect 1 "$goldwire" verify plain --key lab.pub
has out 'is unsigned'
expect 2 "$goldwire" verify signed --key lab.key
has err 'no public key'
if command -v minisign >/dev/null; then
    expect 0 minisign -Vm signed/cert.json -p lab.pub
    minisign -G -W -p mini.pub -s mini.key >/dev/null 2>&1
    expect 0 "$goldwire" certify --dut "$slave" --case 'eb-s/probe*' --out mini --sign mini.key
    expect 0 "$goldwire" verify mini --key mini.pub
    expect 0 minisign -Vm mini/cert.json -p mini.pub
fi
chmod 644 lab.key
expect 2 "$goldwire" certify --dut "$slave" --out late --sign lab.key
has err 'others may use this secret key'
cp lab.pub open.pub
chmod 644 open.pub
expect 2 "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --case eb-s/probe-echo --out public --sign open.pub
has err 'open.pub is a public key'
lacks err 'chmod'
[ ! -e late ] || fail 'a run began although its key was refused'
expect 2 "$goldwire" certify --dut "$slave" --sign other.key
has err '--sign wants --out'
expect 2 "$goldwire" certify --dut "$slave" --out late --sign nowhere.key

# ---- nothing to verify ----
expect 2 "$goldwire" verify nowhere
mkdir empty
expect 2 "$goldwire" verify empty
has err 'empty/cert.json is missing'
expect 2 "$goldwire" verify

# ---- a folder belongs to one run ----
expect 0 "$goldwire" certify --dut "$slave" --case eb-s/probe-echo --out plain
[ ! -e plain/cases/eb-s/write-read.pcapng ] || fail 'an earlier run is left in the folder'
expect 0 "$goldwire" verify plain
touch plain/photo.jpg
expect 2 "$goldwire" certify --dut "$slave" --case eb-s/probe-echo --out plain
has err 'plain holds photo.jpg'
rm plain/photo.jpg

# ---- diff ----
expect 0 "$goldwire" certify --dut "$slave" --out good
expect 1 "$goldwire" certify --dut "$slave&mutant=m-cyc-not-copied" --out broken
expect 0 "$goldwire" diff good good
has out '0 worse, 0 better, 0 different'
expect 1 "$goldwire" diff good broken
has out 'worse:'
has out 'PASS -> FAIL  eb-s/'
has out 'EB-S20'
has out 'outcome   PASS -> FAIL'
expect 0 "$goldwire" diff broken good
has out 'better:'
has out 'FAIL -> PASS  EB-S20'
expect 1 "$goldwire" diff good broken --json
has out '"change": "worse"'
expect 0 "$goldwire" diff good plain
has out 'only in the old run:'
expect 0 "$goldwire" certify --dut 'peer:etherbone-master?via=mem' --out master
expect 2 "$goldwire" diff good master
has err 'etherbone-master'
expect 2 "$goldwire" diff good nowhere
expect 2 "$goldwire" diff good
printf '{"cases":[' >broken/run.json
expect 2 "$goldwire" diff good broken
has err 'broken/run.json:1'
expect 0 "$goldwire" diff good bad
has err 'bad changed since it was certified'
finish
