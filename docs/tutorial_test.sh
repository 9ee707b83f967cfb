#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# tutorial_test.sh GOLDWIRE SOURCE PAGE [PLUGINS]: follows docs/PAGE.md: every command of its blocks of console, in one shell, with
# boards on addresses that no other test uses. PLUGINS is the folder of Wireshark's plugins; without it a page that calls tshark
# is skipped.
set -euo pipefail
goldwire=$(readlink -f "$1") source_dir=$2 name=$3 plugins=${4-}
page=$source_dir/docs/$name.md
tools=$(grep -oE '^\$ \(?(cd [a-z]+ && )?(tshark|minisign)' "$page" | sed 's/.* //' | sort -u)
for tool in $tools; do
    command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
[[ $tools != *tshark* || -n $plugins ]] || { echo 'skipped: the plugin is not built'; exit 77; }
[[ $tools != *tshark* || $(id -u) != 0 ]] || command -v setpriv >/dev/null || { echo 'skipped: root without setpriv'; exit 77; }

work=$(mktemp -d)
# Boards that a page leaves running end with the test.
end() {
    [[ ! -s $work/boards ]] || xargs -r kill <"$work/boards" 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT
mkdir "$work/tree" "$work/bin"
ln -s "$source_dir/pcaps" "$work/tree/pcaps"
ln -s "$goldwire" "$work/bin/goldwire"
# shellcheck source=docs/console.sh
. "$source_dir/docs/console.sh"
write_tshark
strict=yes

die() {
    echo "docs/$name.md: ${*:2}" >&2
    exit 1
}
in_tree() {
    (cd "$work/tree" && PATH=$work/bin:$PATH WIRESHARK_PLUGIN_DIR=$plugins TZ=UTC bash -c ". '$1'; jobs -p >'$work/boards'")
}

awk '/^```/ { inside = ($0 == "```console"); next } inside' "$page" |
    sed "s/127\.0\.0\.1/127.$(($$ / 250 % 250 + 1)).$(($$ % 250)).1/g" >"$work/block"
(($(grep -c '^\$ ' "$work/block") >= 10)) || die 1 'few commands are shown'
run_console 1
