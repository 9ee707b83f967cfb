#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: pictures.sh GOLDWIRE [NAME]...
# Makes docs/images/NAME.png, what pages of HTML look like in Chromium: `certify`, the report of a board that passes,
# `report`, that of one that fails, a failure's messages unfolded, `campaign`, the page of a campaign that finds
# something, `history`, two boards and three versions of their firmware, and `measure`, how fast a board is by message size.
# All unless told. Needs chromium and ImageMagick. A page tells the day and this machine's times, so no two are the same; make
# `measure` where nothing else runs.
set -euo pipefail
goldwire=$(readlink -f "$1")
images=$(cd "$(dirname "$0")" && pwd)/images
shift
asked=$*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# take NAME PAGE WIDTH HEIGHT: the top of the page.
take() {
    local as_root=()
    [[ $(id -u) != 0 ]] || as_root=(--no-sandbox)
    timeout 60 chromium --headless --disable-gpu "${as_root[@]}" --hide-scrollbars --user-data-dir="$work/profile" \
        --window-size="$3,$4" --screenshot="$work/shot.png" "file://$(readlink -f "$2")" >/dev/null 2>&1
    convert "$work/shot.png" -strip +dither -colors 48 -define png:exclude-chunks=date,time "png:$images/$1.png"
    echo "$images/$1.png"
}

wanted() {
    [[ " $asked " == *" $1 "* || -z $asked ]]
}

if wanted certify; then
    "$goldwire" keygen lab >/dev/null
    "$goldwire" certify --dut 'peer:etherbone-slave?via=mem' --out evidence --operator 'Ada Lovelace' --sign lab.key >/dev/null
    take certify evidence/report.html 1000 900
fi
if wanted report; then
    [[ -e lab.key ]] || "$goldwire" keygen lab >/dev/null
    code=0
    "$goldwire" certify --dut 'peer:etherbone-slave?via=mem&mutant=m-wrong-probe-id' --case 'eb-s/probe-*' --out failed --sign lab.key \
        >/dev/null || code=$?
    [[ $code == 1 ]] || { echo "the run ends with $code, and 1 is expected" >&2; exit 1; }
    sed '0,/<details class="decoded"/s//& open/' failed/report.html >unfolded.html
    take report unfolded.html 1120 2330
fi
if wanted campaign; then
    code=0
    "$goldwire" fuzz --dut 'peer:etherbone-slave?mutant=m-hangs-on-truncated' --time 20 --out campaign >/dev/null || code=$?
    [[ $code == 1 ]] || { echo "the campaign ends with $code, and 1 is expected" >&2; exit 1; }
    take campaign campaign/report.html 1000 900
fi
if wanted history; then
    # board SERIAL FIRMWARE [MUTANT]: a run of that board with that firmware, which has that fault.
    board() {
        local code=0
        "$goldwire" board --init etherbone-slave --out board.yaml >/dev/null
        sed -i -E '/^#areas:/,/^$/ s/^#//; s|^where:.*|where: "peer:etherbone-slave?via=mem'"${3:+\\&mutant=$3}"'"|' board.yaml
        printf 'identity: {make: ACME, serial: "%s", firmware: "%s"}\n' "$1" "$2" >>board.yaml
        "$goldwire" certify board.yaml --out "runs/$1-$2" >/dev/null || code=$?
        [[ $code -le 1 ]] || { echo "the run of $1 with $2 ends with $code" >&2; exit 1; }
        rm board.yaml
        sleep 1 # runs are told apart by the second
    }
    mkdir runs
    board 7 1.2 m-wrong-probe-id
    board 7 1.3 m-no-step
    board 7 1.4
    board 8 1.3 m-no-step
    board 8 1.4 m-wrong-lanes
    "$goldwire" history runs/* --out history.html >/dev/null || [[ $? == 1 ]]
    take history history.html 1000 1010
fi
if wanted measure; then
    "$goldwire" certify --dut peer:etherbone-slave --case eb-s/probe-echo --measure --measure-time 20 --out measured >/dev/null
    take measure measured/measure.html 1120 860
fi
