#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of `goldwire fuzz` and `goldwire triage` from outside.
. "$2/conformance/cli/testing.sh"

mem='peer:etherbone-slave?via=mem'
hangs="$mem&mutant=m-hangs-on-truncated"

# ---- a good board, on a good path and on a bad one ----
expect 0 "$goldwire" fuzz --dut "$mem" --packets 4000 --out good
has out '0 new findings'
[ -s good/sent.ring ] || fail 'the packets are not on the disk'
for path in 'loss=0.05' 'loss=0.05&reorder=0.05&duplicate=0.05&rtt=5ms' 'outage=100ms+300ms'; do
    expect 0 "$goldwire" fuzz --dut "$mem&$path" --packets 2000 --out "bad-path"
    has out '0 new findings'
done
# Cases fail here again and again, as the path explains.
expect 0 "$goldwire" fuzz --dut "$mem&loss=0.05&reorder=0.05&duplicate=0.05&rtt=2ms" --packets 8000 --seed 11 --out lossy
has out '0 new findings'
expect 0 "$goldwire" fuzz --dut peer:etherbone-slave --packets 1000 --out sockets
expect 0 "$goldwire" fuzz --dut 'peer:etherbone-slave?over=tcp' --packets 1000 --out sockets
expect 0 "$goldwire" triage good
has out '0 of 0 findings show'

# ---- a board that does not survive something ----
expect 1 "$goldwire" fuzz --dut "$hangs" --packets 3000 --out hangs
has out 'next: goldwire triage hangs'
has err 'the board does not answer any more'
first=$(ls hangs/findings)
case $first in
silent.*) ;;
*) fail "the finding is called '$first'" ;;
esac
# What is known is told, and is no failure.
expect 0 "$goldwire" fuzz --dut "$hangs" --packets 3000 --out hangs
has out '0 new findings'
expect 1 "$goldwire" triage hangs
has out 'findings show'
has out '(1 packet, 4 of 4 times)'
for file in hangs/findings/*/finding.json; do
    python3 -m json.tool "$file" >/dev/null || fail "$file is no JSON"
    grep -q '"symptom":"silent"' "$file" || fail "$file names another symptom"
done
# Every evidence opens, and says what it is.
for file in hangs/findings/*/sent.pcapng; do
    expect 0 "$goldwire" decode "$file"
    has out 'etherbone'
done
# A board that was mended shows none of it.
expect 0 "$goldwire" triage hangs --dut "$mem"
has out 'does not show any more'

# Three packets, none of which does it alone, over RoCE.
expect 1 "$goldwire" fuzz --dut 'peer:ims-buf?mutant=m-hangs-on-short-third' --packets 600 --seed 1 --out third
has err 'silent.unreadable'
has err '(3 packets, 4 of 4 times)'

# ---- a board that only a case sees through, by what it breaks itself ----
cut="$mem&mutant=m-byte-enable-cut"
expect 1 "$goldwire" fuzz --dut "$cut" --packets 3000 --out cut
has err 'wrong.EB-S21: eb-s/reply-byte-enable: '
has err '(the case alone, 4 of 4 times)'
[ -s cut/findings/wrong.EB-S21/sent.pcapng ] || fail 'what the case said is not kept'
expect 1 "$goldwire" triage cut
has out '(the case alone, 4 of 4 times)'
expect 0 "$goldwire" fuzz --dut "$cut" --packets 3000 --out other --baseline cut/findings.json
expect 0 "$goldwire" triage cut --dut "$mem"
has out 'does not show any more'

# ---- boards that call us ----
for role in etherbone-master ims-worker; do
    caller="peer:$role?via=mem"
    expect 0 "$goldwire" fuzz --dut "$caller" --packets 2000 --out "good-$role"
    has out '0 new findings'
    expect 0 "$goldwire" fuzz --dut "$caller&loss=0.05&reorder=0.05&duplicate=0.05" --packets 2000 --out "lossy-$role"
    has out '0 new findings'
done
expect 0 "$goldwire" fuzz --dut peer:etherbone-master --packets 100 --out master-sockets
has out '0 new findings'
while read -r role mutant name; do
    caller="peer:$role?via=mem"
    expect 1 "$goldwire" fuzz --dut "$caller&mutant=$mutant" --packets 2000 --out "$mutant"
    has err "$name: "
    has err '(the case alone, 4 of 4 times)'
    [ -s "$mutant/findings/$name/sent.pcapng" ] || fail "what the case of $mutant said is not kept"
    expect 1 "$goldwire" triage "$mutant"
    has out "$name: "
    expect 0 "$goldwire" triage "$mutant" --dut "$caller"
    has out 'does not show any more'
done <<'END'
etherbone-master m-any-magic wrong.EB-M28
etherbone-master m-deaf-after-garbage wrong.EB-M14
ims-worker m-any-version wrong.IMS-W6
ims-worker m-seals-again wrong.IMS-W27
END

# Altered answers: no case that is played breaks anything.
hangs='peer:etherbone-master?via=mem&mutant=m-hangs-on-zeros'
expect 1 "$goldwire" fuzz --dut "$hangs" --case eb-m/counts --case eb-m/narrow-offer --packets 3000 --out altered
has err 'silent.answer.EB-S13: the board neither goes on nor ends any more'
has err '(1 answer, 4 of 4 times)'
has out 'answers that were altered'
[ "$(ls altered/findings/*/sent.pcapng | wc -l)" -gt 0 ] || fail 'what the board was answered is not kept'
grep -q '"answers":{"story":' altered/findings/*/finding.json || fail 'nobody knows how to bring it about again'
expect 1 "$goldwire" triage altered
has out 'silent.answer.'
expect 0 "$goldwire" triage altered --dut 'peer:etherbone-master?via=mem'
has out 'does not show any more'

# Somebody else's calls where it is served, and stops: then nothing is said about it.
touch served.err
"$goldwire" fuzz --serve udp://127.0.0.1:0 --role etherbone-master --case eb-m/counts --case eb-m/no-echo \
    --case eb-m/other-magic --wait 3 --time 60 --out served >served.out 2>served.err &
fuzzer=$!
for _ in $(seq 600); do
    grep -q 'waiting for' served.err && break
    sleep 0.05
done
url=$(sed -n 's/^waiting for the board at //p' served.err)
for _ in $(seq 400); do
    "$goldwire" peer etherbone-master --to "$url" >/dev/null 2>&1
    grep -q 'break something' served.err && break
    sleep 0.02
done
wait "$fuzzer"
code=$?
[ "$code" = 3 ] || fail "exit $code when a master calls no more"
has served.err 'the board does not call any more'
has served.out '0 new findings'
grep -q '"serve":"udp://127.0.0.1:0"' served/campaign.json || fail 'nobody knows where it called'

# ---- a board that fails a case before anything is mutated ----
expect 1 "$goldwire" fuzz --dut "$mem&mutant=m-config-low-part" --packets 200 --out fails
has err 'eb-s/config-widths fails before anything is mutated: EB-S39'
has out '0 new findings'
has out 'before anything is mutated'
has out 'next: goldwire certify'

# ---- a board that is lost, and packets that nobody looked behind ----
start_peer lost.out etherbone-slave --listen udp://127.0.0.1:0 --mutant m-hangs-on-truncated
sed "s|^where:.*|where: $(url_of lost.out)|" "$2/fpga_harness/boards/etherbone-slave.yaml" >lost.yaml
expect 3 "$goldwire" fuzz lost.yaml --time 30 --out lost
has err 'the board does not come back'
has out 'next: goldwire triage lost, when the board is back'
kill -9 "$peer" 2>/dev/null
wait "$peer" 2>/dev/null
# The next campaign in the folder does not throw away what nobody has looked at.
cp -r lost again
expect 0 "$goldwire" fuzz --dut "$mem" --packets 40 --out again
expect 1 "$goldwire" triage again --dut 'peer:etherbone-slave?mutant=m-hangs-on-truncated'
has out 'an earlier campaign ended behind'
[ ! -e again/earlier.ring ] || fail 'what was looked at is kept'
expect 1 "$goldwire" triage lost --dut 'peer:etherbone-slave?mutant=m-hangs-on-truncated'
has out 'the campaign ended behind'
has out '(1 packet, 4 of 4 times)'
ls lost/findings/*/finding.json >/dev/null 2>&1 || fail 'what the ring held is not kept'

# hooked NAME SOURCES: NAME.yaml is the file of a slave at $where, a free place, which ./NAME.sh, given the command, starts.
hooked() {
    chmod +x "$1.sh"
    start_peer port.out etherbone-slave --listen udp://127.0.0.1:0
    where=$(url_of port.out)
    kill "$peer"
    wait "$peer" 2>/dev/null
    sed "s|^where:.*|where: $where|" "$2/fpga_harness/boards/etherbone-slave.yaml" >"$1.yaml"
    printf 'hooks:\n  start: {run: [./%s.sh, "%s", peer, etherbone-slave, --listen, "%s"], settle: 60}\n' \
        "$1" "$goldwire" "$where" >>"$1.yaml"
}

# What shows once, and in none of the tries behind that, as the board was mended in between, is left as it was.
cat >seldom.sh <<'END'
#!/bin/sh
mkdir seldom.began 2>/dev/null && exec "$@" --mutant m-hangs-on-truncated
exec "$@"
END
hooked seldom "$2"
mkdir seldom && cp -r lost/findings lost/campaign.json seldom
one=$(ls seldom/findings | head -n 1)
cp "seldom/findings/$one/finding.json" seldom.json
expect 0 timeout 120 "$goldwire" triage seldom --finding "$one" --board-file seldom.yaml --dut "$where" --hooks
grep -qE "^$one: shows, but in none of [1-9][0-9]* tries behind that; it is left as it was\$" out ||
    fail "a finding that shows once: $(head -n 1 out)"
cmp -s "seldom/findings/$one/finding.json" seldom.json || fail 'what shows once was not left as it was'

# A board that answers while it is learnt from, and does not come back for the campaign: nothing was sent, and nothing
# is said about it.
cat >once.sh <<'END'
#!/bin/sh
mkdir once.began || exit 1
exec "$@"
END
hooked once "$2"
expect 3 "$goldwire" fuzz once.yaml --hooks --case 'eb-s/probe*' --packets 100 --out once
has err 'to start from'
has err 'hook start: exit 1'
lacks out '0 new findings'

# Killed in the middle: all that was sent is there.
start_peer killed.out etherbone-slave --listen udp://127.0.0.1:0
sed "s|^where:.*|where: $(url_of killed.out)|" "$2/fpga_harness/boards/etherbone-slave.yaml" >killed.yaml
"$goldwire" fuzz killed.yaml --time 60 --out killed >killed.log 2>&1 &
fuzzer=$!
for _ in $(seq 600); do
    [ -e killed/sent.ring ] && grep -q 'to start from' killed.log && break
    sleep 0.05
done
sleep 0.5
kill -9 "$fuzzer"
wait "$fuzzer" 2>/dev/null
expect 0 "$goldwire" triage killed
kill "$peer"
wait "$peer" 2>/dev/null

# Told to stop: it says what there is.
"$goldwire" fuzz --dut peer:etherbone-slave --time 0 --out stopped >stopped.out 2>stopped.err &
fuzzer=$!
for _ in $(seq 600); do
    grep -q 'to start from' stopped.err && break
    sleep 0.05
done
kill -TERM "$fuzzer"
wait "$fuzzer"
code=$?
[ "$code" = 0 ] || fail "exit $code when told to stop"
has stopped.out '0 new findings'

# While it learns there is nothing yet, and it says so.
"$goldwire" fuzz --dut 'peer:etherbone-slave?rtt=400ms' --time 0 --out unlearnt >unlearnt.out 2>unlearnt.err &
fuzzer=$!
for _ in $(seq 600); do
    grep -q 'learning from' unlearnt.err && break
    sleep 0.05
done
kill -TERM "$fuzzer"
wait "$fuzzer"
code=$?
[ "$code" = 3 ] || fail "exit $code when told to stop while it learns"
has unlearnt.err 'interrupted while it learnt'

# ---- what does not go ----
expect 2 "$goldwire" fuzz
has err 'which board?'
expect 2 "$goldwire" fuzz --dut "$mem" --role etherbone-slav --out x
has err "did you mean 'etherbone-slave'?"
expect 2 "$goldwire" fuzz --dut udp://127.0.0.1:1 --role etherbone-master --out calling
has err 'calls us'
expect 2 "$goldwire" fuzz --dut 'peer:etherbone-master?via=mem' --from nowhere.pcapng --out calling
has err '--from is not for a board that calls us'
expect 2 "$goldwire" fuzz --dut "$mem" --case eb-s/nothing --out x
expect 2 "$goldwire" fuzz --dut "$mem" --from nowhere.pcapng --out x --packets 10
has err 'nowhere.pcapng'
printf 'no trace' >garbage.pcapng
expect 2 "$goldwire" fuzz --dut "$mem" --from garbage.pcapng --out y --packets 10
[ ! -e x ] || fail 'a folder for a trace that cannot be read'
for trace in empty.pcapng "$2/pcaps/op2p/op2p-broken-frames.pcapng"; do
    : >empty.pcapng
    expect 2 "$goldwire" fuzz --dut "$mem" --case eb-s/probe-echo --from "$trace" --out z --packets 10
    has err "$trace: "
done
mkdir foreign && echo mine >foreign/file
expect 2 "$goldwire" fuzz --dut "$mem" --out foreign
has err 'it is left alone'
[ "$(cat foreign/file)" = mine ] || fail 'a file of somebody else is gone'
expect 2 "$goldwire" fuzz --dut 'peer:op2p-node?via=mem' --out good
has err 'another role'
expect 3 "$goldwire" fuzz --role etherbone-slave --dut "udp://$net.1:9" --out silent
expect 2 "$goldwire" triage
expect 2 "$goldwire" triage nowhere
has err 'nowhere holds no campaign of goldwire fuzz (campaign.json: No such file or directory)'
expect 2 "$goldwire" fuzz --dut "$mem" --baseline nowhere.json --out x
has err 'nowhere.json: No such file or directory'
expect 2 "$goldwire" triage foreign
(
    ulimit -f 100
    expect 4 "$goldwire" fuzz --dut "$mem" --packets 100 --out full
    has err 'sent.ring: File too large; a campaign keeps 16 MiB there'
    exit "$failures"
) || fail 'a disk without room'

# From a trace as well.
expect 0 "$goldwire" record trace.pcapng --dut "$mem" --case 'eb-s/*read*'
expect 0 "$goldwire" fuzz --dut "$mem" --case eb-s/probe-echo --from trace.pcapng --packets 500 --out from
has err 'conversations'

exit "$failures"
