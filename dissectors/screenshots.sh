#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: screenshots.sh BUILD [NAME]...
# Makes docs/images/wireshark-NAME.png, with the plugin of the build folder BUILD, the profile and golden traces, on a screen
# of its own: all families, or those named. Debian packages: wireshark xvfb openbox xdotool imagemagick fonts-dejavu-core.
# Run it twice: the pictures are the same, byte for byte, where the packages are; but for `live`, a run of BUILD's goldwire that
# Wireshark looks at while it goes on.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
plugins=$build/wireshark-plugins
shift

# Of each family: the trace, the frame that is looked at, and how many lines of its tree lie above what is to be seen.
shots=(
    "etherbone etherbone/broken.pcapng 13 0"
    "op2p op2p/op2p-errors-events.pcapng 1 0"
    "textarossa textarossa/textarossa-link-broken.pcapng 8 0"
    "ims ims/ims-nacks.pcapng 28 12"
    "l1farm l1farm/l1farm-sci.pcapng 7 0"
)

work=$(mktemp -d)
pids=()
cleanup() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait
    rm -rf "$work"
}
trap cleanup EXIT

# Wireshark loads a private plugin for ordinary users only.
as_user=()
[ "$(id -u)" != 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
mkdir -p "$work"/{home/wireshark/profiles,run,plugins}
cp -r "$plugins"/. "$work/plugins/"
cp -r "$here/profile/goldwire" "$work/home/wireshark/profiles/"
[ "$(id -u)" != 0 ] || chown -R 65534 "$work"
chmod 755 "$work"
chmod 700 "$work/run"

Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp 3>"$work/display" 2>/dev/null &
pids+=($!)
for _ in $(seq 50); do
    [ ! -s "$work/display" ] || break
    sleep 0.2
done
DISPLAY=:$(cat "$work/display")
export DISPLAY
openbox >/dev/null 2>&1 &
pids+=($!)

# as_theirs COMMAND [ARGUMENT...]: runs it for the user of the pictures, with a home of their own.
as_theirs() {
    "${as_user[@]}" env HOME="$work/home" XDG_CONFIG_HOME="$work/home" XDG_RUNTIME_DIR="$work/run" TZ=UTC LC_ALL=C.UTF-8 \
        WIRESHARK_PLUGIN_DIR="$work/plugins" "$@"
}

# open_trace TRACE [ARGUMENT...]: has Wireshark show that golden trace; its process is in $pid.
open_trace() {
    local shown=$work/${1##*/}
    cp "$here/../pcaps/$1" "$shown"
    chmod a+r "$shown"
    as_theirs wireshark -C goldwire --fullscreen -r "$shown" "${@:2}" >/dev/null 2>&1 &
    pid=$!
    pids+=("$pid")
    timeout 60 xdotool search --sync --onlyvisible --name "${1##*/}" >/dev/null
    sleep 5
}

# shoot NAME [WINDOW]: takes the picture, of the screen or of a window, and ends Wireshark.
shoot() {
    local out=$here/../docs/images/wireshark-$1.png
    xdotool mousemove 1390 890
    sleep 1
    import -window "${2:-root}" "png:$work/shot"
    convert "$work/shot" -strip +dither -colors 48 -define png:exclude-chunks=date,time "png:$out"
    kill "$pid"
    wait "$pid" 2>/dev/null || true
    echo "$out"
}

# take NAME TRACE FRAME LINES: a frame's tree.
take() {
    open_trace "$2" -g "$3"
    # The last line of the tree is ours: open it with all below it, and scroll there.
    xdotool mousemove 300 500 click 1
    sleep 0.5
    xdotool key --delay 300 End shift+Right
    for _ in $(seq "$4"); do xdotool click 5; done
    sleep 2
    shoot "$1"
}

# take_filter NAME TRACE FILTER: what a display filter leaves.
take_filter() {
    open_trace "$2" -Y "$3"
    shoot "$1"
}

# take_times NAME TRACE: the slowest addresses and registers of EtherBone, as one finds them: in the menu, and by a click on a
# column. One of them has a name.
take_times() {
    local window
    echo 'temperature: 0x20004' >"$work/registers.yaml"
    open_trace "$2" -o "etherbone.registers:$work/registers.yaml"
    xdotool key alt+s
    sleep 1
    xdotool key --delay 300 r Down Down Down Down Return
    window=$(timeout 60 xdotool search --sync --onlyvisible --name 'Service Response Time' | tail -n 1)
    xdotool windowsize --sync "$window" 1000 380 windowmove --sync "$window" 100 100
    sleep 1
    xdotool mousemove --window "$window" 325 22 click 1
    sleep 1
    shoot "$1" "$window"
}

# take_live NAME: a board that hangs, while it is certified: Wireshark captures from the run.
take_live() {
    local run interface
    cp "$build/conformance/goldwire" "$work/goldwire"
    chmod a+rx "$work/goldwire"
    (cd "$work/run" && as_theirs "$work/goldwire" extcap --install) >/dev/null
    as_theirs "$work/goldwire" certify --dut 'peer:etherbone-slave?mutant=m-hangs-on-truncated' >/dev/null 2>&1 &
    run=$!
    pids+=("$run")
    for _ in $(seq 50); do
        interface=$(as_theirs "$work/goldwire" extcap | sed -n 's/^\(goldwire-[0-9]*\) .*/\1/p')
        [[ -z $interface ]] || break
        sleep 0.2
    done
    as_theirs wireshark -C goldwire --fullscreen -k -i "$interface" >/dev/null 2>&1 &
    pid=$!
    pids+=("$pid")
    timeout 60 xdotool search --sync --onlyvisible --name 'Capturing from' >/dev/null
    sleep 12
    shoot "$1"
    kill "$run"
    wait "$run" 2>/dev/null || true
}

wanted() {
    [[ " $asked " == *" $1 "* || -z $asked ]]
}

asked=$*
for shot in "${shots[@]}"; do
    read -r name trace frame lines <<<"$shot"
    ! wanted "$name" || take "$name" "$trace" "$frame" "$lines"
done
! wanted filter || take_filter filter etherbone/broken.pcapng etherbone.eb-m12
! wanted live || take_live live
! wanted times || take_times times etherbone/conversation-loss.pcapng
