#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What report.html unfolds beneath a failure, of every format and over every carriage: the message that decided, as
# `decode` prints it, and no other.
. "$2/conformance/cli/testing.sh"
command -v python3 >/dev/null || {
    echo 'skipped: no python3' >&2
    exit 77
}

source_dir=$2

# unfolds LEAST BOARD: a run against that board has at least so many failures that show a message.
unfolds() {
    local shown
    expect 1 "$goldwire" certify --dut "peer:$2" --out run
    python3 "$source_dir/conformance/cli/testing/decoded.py" "$goldwire" run >out 2>err || {
        fail "$2: $(grep -v ' shown$' out | cut -c1-300)"
        cat err >&2
    }
    shown=$(sed -n 's/ shown$//p' out)
    [ "${shown:-0}" -ge "$1" ] || fail "$2: $shown failures show a message, $1 expected"
}

unfolds 2 'etherbone-slave?mutant=m-wrong-probe-id'
unfolds 1 'etherbone-slave?mutant=m-wrong-probe-id&over=tcp' # and one more where a station's frames may be sent
unfolds 2 'etherbone-slave?mutant=m-no-pr&via=mem'
unfolds 1 'etherbone-slave?mutant=m-cyc-not-copied&over=tcp&via=mem'
unfolds 2 'etherbone-slave?mutant=m-wrong-probe-id&over=raw&via=mem'
unfolds 1 'etherbone-master?mutant=m-nr-with-reads&via=mem'
unfolds 1 'etherbone-master?mutant=m-repeats-header&over=tcp&via=mem'
unfolds 1 'textarossa-node?mutant=m-no-footer&via=mem'
unfolds 3 'textarossa-switch?mutant=m-footer-changed&via=mem'
unfolds 1 'op2p-node?mutant=m-short-completion'
unfolds 1 'ims-buf?mutant=m-ack-with-events&via=mem'
unfolds 1 'ims-worker?mutant=m-wrong-rkey&via=mem'
unfolds 1 'l1-ru?mutant=m-short-pointer&via=mem'

# Byte for byte what `decode` says in the same place, but for the colours.
"$goldwire" certify --dut 'peer:op2p-node?mutant=m-short-completion&via=mem' --out run >out 2>&1
python3 - >page <<'PYTHON'
import html, re
page = open("run/report.html", encoding="utf-8").read()
fold = re.search(r'class="decoded">(.*?)</details>', page, re.S).group(1)
trees = re.findall(r"<pre>(.*?)</pre>", fold, re.S)
print(html.unescape(re.search(r"goldwire decode ([^<]*)</code>", fold).group(1)))
print(html.unescape(re.sub(r"</?(span|mark)[^>]*>", "", "\n".join(trees))))
PYTHON
read -r -a call < <(head -1 page)
(cd run && "$goldwire" decode "${call[@]}") >said 2>err
tail -n +2 page >told
same told said
finish
