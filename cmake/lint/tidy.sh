#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# clang-tidy finds nothing in any file of ours that the build compiles. One file a run: its analyser carries
# state from one file to the next.
set -euo pipefail
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
cd "$source"
mapfile -t files < <(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" |
    grep -F "$source/" | grep -vF "$build/" | sort -u)
((${#files[@]})) || {
    echo "$build/compile_commands.json names no file of $source" >&2
    exit 1
}
echo "${#files[@]} files"
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy --quiet -p "$build"
