#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Within a folder of the codecs no file uses one that uses it in turn, directly or through others.
set -euo pipefail
source "$(dirname "$0")/files.sh"
objects=$2/codecs/CMakeFiles/goldwire.dir
status=0

# uses FOLDER prints "USER USED" for each name that one file takes from another.
uses() {
    local source
    while IFS= read -r -d '' source; do
        nm -g "$objects/${source#codecs/}.o" | awk -v file="${source##*/}" '{ print file, $(NF - 1), $NF }'
    done < <(own_files "$1" -path "./codecs/$2/*" -name '*.c' ! -name '*_test.c' ! -path '*/testing/*') |
        awk '$2 == "U" { user[NR] = $1; name[NR] = $3; next }
             { where[$3] = $1 }
             END { for (i in user) if (name[i] in where) print user[i], where[name[i]] }' | sort -u
}

found=0
for folder in "$1"/codecs/*/; do
    folder=$(basename "$folder")
    [[ -d $objects/$folder ]] || continue
    pairs=$(uses "$1" "$folder")
    found=$((found + ${#pairs}))
    if ! loop=$(tsort <<<"$pairs" 2>&1 >/dev/null); then
        echo "$loop" >&2
        echo "^ codecs/$folder: these files use each other in a circle" >&2
        status=1
    fi
done
((found)) || {
    echo "found no objects below $objects" >&2
    exit 1
}
exit $status
