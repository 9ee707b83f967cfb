#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: tree.sh SOURCE TREE
# Makes TREE a copy of SOURCE with every fault of fuzz/planted in it, asleep. What is there already and has not changed
# keeps its age, so that it is not built again.
set -euo pipefail
(($# == 2)) || {
    sed -n 's/^# usage: /usage: /p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
source_dir=$(readlink -f "$1") tree=$(readlink -f "$2")
# shellcheck source=cmake/lint/files.sh
. "$source_dir/cmake/lint/files.sh"
command -v patch >/dev/null || {
    echo "needs patch" >&2
    exit 2
}

new=$tree.new
rm -rf "$new"
mkdir "$new"
(cd "$source_dir" && own_files . | xargs -0 cp --parents -t "$new")
for fault in "$source_dir"/fuzz/planted/*/*.patch; do
    patch -d "$new" -p1 -F0 -N -s -r - --no-backup-if-mismatch <"$fault" >&2 || {
        echo "$fault does not fit any more: the code it was made for has changed" >&2
        exit 1
    }
done
# Each target has options.c; what wakes a fault comes with it.
echo '#include "planted/planted.c"' >>"$new/fuzz/options.c"

if [[ ! -d $tree ]]; then
    mv "$new" "$tree"
    exit
fi
{ diff -rqN "$tree" "$new" || (($? == 1)); } |
    sed -n "s,^Files .* and $new/\\(.*\\) differ$,\\1,p" | while IFS= read -r file; do
    if [[ -e $new/$file ]]; then
        mkdir -p "$(dirname "$tree/$file")"
        cp "$new/$file" "$tree/$file"
    else
        rm -f "$tree/$file"
    fi
done
rm -rf "$new"
