#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: screenshots.sh BUILD [NAME]...
# Makes docs/images/wireshark-NAME.png, with the plugin of the build folder BUILD, the profile and golden traces, on a screen
# of its own: all families, or those named. Debian packages: wireshark xvfb openbox xdotool imagemagick fonts-dejavu-core.
# Run it twice: the pictures are the same, byte for byte, where the packages are.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
plugins=$(cd "$1" && pwd)/wireshark-plugins
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

# take NAME TRACE FRAME LINES
take() {
    local shown=$work/${2##*/} out=$here/../docs/images/wireshark-$1.png pid
    cp "$here/../pcaps/$2" "$shown"
    chmod a+r "$shown"
    "${as_user[@]}" env HOME="$work/home" XDG_CONFIG_HOME="$work/home" XDG_RUNTIME_DIR="$work/run" TZ=UTC LC_ALL=C.UTF-8 \
        WIRESHARK_PLUGIN_DIR="$work/plugins" wireshark -C goldwire --fullscreen -r "$shown" -g "$3" >/dev/null 2>&1 &
    pid=$!
    pids+=("$pid")
    timeout 60 xdotool search --sync --onlyvisible --name "${2##*/}" >/dev/null
    sleep 5
    # The last line of the tree is ours: open it with all below it, and scroll there.
    xdotool mousemove 300 500 click 1
    sleep 0.5
    xdotool key --delay 300 End shift+Right
    for _ in $(seq "$4"); do xdotool click 5; done
    sleep 2
    xdotool mousemove 1390 890
    sleep 1
    import -window root "png:$work/shot"
    convert "$work/shot" -strip +dither -colors 48 -define png:exclude-chunks=date,time "png:$out"
    kill "$pid"
    wait "$pid" 2>/dev/null || true
    echo "$out"
}

for shot in "${shots[@]}"; do
    read -r name trace frame lines <<<"$shot"
    [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
    take "$name" "$trace" "$frame" "$lines"
done
