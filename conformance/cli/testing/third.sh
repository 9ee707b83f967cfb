#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Boards that hang by the last of three packets, none of which does it alone, over sockets: a campaign finds it, triage
# makes it small, and the one line that is told brings it about again.
#
#     third.sh GOLDWIRE SOURCE udp|tcp|roce SEED...
. "$2/conformance/cli/testing.sh"
carriage=$3
shift 3
case $carriage in
udp) board='peer:etherbone-slave?mutant=m-hangs-on-reserved-third' symptom=silent ;;
tcp) board='peer:etherbone-slave?mutant=m-hangs-on-reserved-third&over=tcp' symptom=mute ;;
roce) board='peer:ims-buf?mutant=m-hangs-on-short-third' symptom=silent ;;
esac

# of FILE KEY: what the finding says of itself; how many there are, and packets that it takes.
of() {
    python3 -c 'import json, sys
found = json.load(open(sys.argv[1]))["findings"]
counts = {"findings": len(found), "sent": sum(not shot["joined"] for shot in found[0]["sent"])}
print(counts[sys.argv[2]] if sys.argv[2] in counts else found[0][sys.argv[2]])' "$1" "$2"
}

names=
for seed in "$@"; do
    began=$SECONDS
    expect 1 "$goldwire" fuzz --dut "$board" --packets 100000 --time 300 --mode pr --seed "$seed" --out "seed$seed"
    has out '1 new findings, 0 known ones'
    sent=$(sed -n 's/^\([0-9]*\) packets in .*/\1/p' out) took=$((SECONDS - began))
    expect 1 "$goldwire" triage "seed$seed"
    has out '1 of 1 findings show'
    number=$(of "seed$seed/findings.json" sent)
    [[ $number -ge 1 && $number -le 3 ]] || fail "$carriage, seed $seed: $number packets"
    [ "$(of "seed$seed/findings.json" findings)" = 1 ] || fail "$carriage, seed $seed: more than one finding"
    [[ $(of "seed$seed/findings.json" name) == $symptom.* ]] || fail "$carriage, seed $seed: called $(of "seed$seed/findings.json" name)"
    names+="$(of "seed$seed/findings.json" name)"$'\n'
    line=$(of "seed$seed/findings.json" rerun)
    (PATH=$(dirname "$goldwire"):$PATH eval "$line") >out 2>err
    code=$?
    [ "$code" = 1 ] || fail "$carriage, seed $seed: exit $code of the line '$line'"
    echo "$carriage, seed $seed: found after $sent packets and $took s, $number packets after triage and $((SECONDS - began)) s"
done
[ "$(sort -u <<<"${names%$'\n'}" | wc -l)" = 1 ] || fail "called otherwise from seed to seed: $names"
exit "$failures"
