#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# No file of the codecs uses one that uses it in turn, directly or through others.
set -euo pipefail
source "$(dirname "$0")/files.sh"
objects=$2/codecs/CMakeFiles/goldwire.dir

# Prints "USER USED" for each name that one file takes from another.
uses() {
    local source
    while IFS= read -r -d '' source; do
        nm -g "$objects/${source#codecs/}.o" | awk -v file="$source" '{ print file, $(NF - 1), $NF }'
    done < <(own_files "$1" -path './codecs/*' -name '*.c' ! -name '*_test.c' ! -path '*/testing/*') |
        awk '$2 == "U" { user[NR] = $1; name[NR] = $3; next }
             { where[$3] = $1 }
             END { for (i in user) if (name[i] in where) print user[i], where[name[i]] }' | sort -u
}

pairs=$(uses "$1")
[[ -n $pairs ]] || {
    echo "found no objects below $objects" >&2
    exit 1
}
if ! loop=$(tsort <<<"$pairs" 2>&1 >/dev/null); then
    echo "$loop" >&2
    echo '^ these files use each other in a circle' >&2
    exit 1
fi
