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
# shellcheck source=fuzz/planted/copy.sh
. "$source_dir/fuzz/planted/copy.sh"
command -v patch >/dev/null || {
    echo "needs patch" >&2
    exit 2
}

copy_tree "$source_dir" "$tree.new" "$source_dir"/fuzz/planted/*/*.patch
# Each target has options.c; what wakes a fault comes with it.
echo '#include "planted/planted.c"' >>"$tree.new/fuzz/options.c"
keep_ages "$tree.new" "$tree"
