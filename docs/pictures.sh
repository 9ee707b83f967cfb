#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: pictures.sh GOLDWIRE [NAME]...
# Makes docs/images/NAME.png, what pages of HTML look like in Chromium: `certify`, the report of a board that passes,
# `report`, that of one that fails, a failure's messages unfolded, and `campaign`, the page of a campaign that finds
# something. All unless told. Needs chromium and ImageMagick. A page tells the day and this machine's times, so no two are
# the same.
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
