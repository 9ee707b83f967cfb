#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: room.sh FOLDER
# Ends with 2, and says so, where FOLDER has no room for another megabyte: libFuzzer goes on when it cannot write what it
# has found, and tells nobody.
set -euo pipefail
file=$(mktemp "$1/.room.XXXXXX") || exit 2
trap 'rm -f "$file"' EXIT
head -c 1M /dev/zero 2>/dev/null >"$file" || {
    echo "no room is left in $1: inputs and finds cannot be kept there" >&2
    exit 2
}
