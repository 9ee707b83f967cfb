# SPDX-License-Identifier: GPL-2.0-or-later
# What the plugin's tests share. Sourced with: PLUGIN PCAPGEN SERIES (the Wireshark series, 4.0).
#
# Wireshark loads plugins from a folder of one's own only for ordinary users, without a word to root.
# Tests therefore run tshark as nobody when they are started by root.
set -u

plugin=$1
pcapgen=$2
series=$3
failures=0

command -v tshark >/dev/null || { echo "skipped: no tshark"; exit 77; }

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/plugins/$series/epan" "$work/home"
cp "$plugin" "$work/plugins/$series/epan/goldwire.so"
chmod -R a+rX "$work"
chmod 777 "$work/home"

as_user=()
if [ "$(id -u)" = 0 ] || [ "$(id -g)" = 0 ]; then
    command -v setpriv >/dev/null || { echo "skipped: root without setpriv"; exit 77; }
    as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi

# ts ARGS... runs tshark with the plugin; a fault in the dissector ends it.
ts() {
    "${as_user[@]}" env HOME="$work/home" XDG_CONFIG_HOME="$work/home" TZ=UTC \
        WIRESHARK_PLUGIN_DIR="$work/plugins" WIRESHARK_ABORT_ON_DISSECTOR_BUG=1 tshark "$@"
}

# capture NAME makes $work/NAME from pcapgen's lines on standard input.
capture() {
    "$pcapgen" >"$work/$1" || exit 99
    chmod a+r "$work/$1"
}

# is WHAT EXPECTED ACTUAL
is() {
    [ "$2" = "$3" ] && return
    printf 'FAIL %s\n--- expected\n%s\n--- actual\n%s\n---\n' "$1" "$2" "$3"
    failures=$((failures + 1))
}

# has WHAT NEEDLE TEXT
has() {
    case $3 in *"$2"*) return ;; esac
    printf 'FAIL %s: no "%s" in\n%s\n---\n' "$1" "$2" "${3:0:4000}"
    failures=$((failures + 1))
}

# lacks WHAT NEEDLE TEXT
lacks() {
    case $3 in *"$2"*) ;; *) return ;; esac
    printf 'FAIL %s: "%s" in\n%s\n---\n' "$1" "$2" "${3:0:4000}"
    failures=$((failures + 1))
}

# plain turns how later Wiresharks print flags (True, False) into how 4.0 does (1, 0).
plain() { sed "s/\\bTrue\\b/1/g; s/\\bFalse\\b/0/g"; }

# frames FILTER ARGS... prints the numbers of the frames that match, in one line.
frames() {
    local filter=$1
    shift
    ts "$@" -Y "$filter" -T fields -e frame.number | paste -sd' '
}

finish() {
    [ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
    exit 0
}
