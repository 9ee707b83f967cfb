#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# No file calls one that calls it in turn, directly or through others; in the codecs none even reads
# a table of one that does. Elsewhere tables are how rooms are plugged in: a suite names its cases,
# a board its mutants, a registry its formats. A software board and the mutants that lie over it
# count as one: what comes passes the mutant's filter on its way into the board, what goes on its
# way out.
set -euo pipefail
source "$(dirname "$0")/files.sh"
top=$1
build=$2

# uses FOLDER LIBRARY KINDS prints "USER USED" for each name that a file of FOLDER takes from another,
# where LIBRARY is built from both; KINDS are nm's letters for those that count. What LIBRARY is not
# built from, a program's main or what a testbench links, nothing in it can call.
uses() {
    local source object
    while IFS= read -r -d '' source; do
        object=$build/$1/CMakeFiles/$2.dir/${source#"$1"/}.o
        [[ -f $object ]] || continue # not of LIBRARY
        nm -g "$object" | awk -v file="$source" '{ print file, $(NF - 1), $NF }'
    done < <(own_files "$top" -path "./$1/*" -name '*.c' ! -name '*_test.c' ! -path '*/testing/*') |
        awk -v kinds="[$3]" '$2 == "U" { user[NR] = $1; name[NR] = $3; next }
             $2 ~ kinds { where[$3] = $1 }
             END { for (i in user) if (name[i] in where) print user[i], where[name[i]] }' |
        sed -E 's#(/formats/[^ ]*)/mutants/[a-z_]+\.c#\1/board.c#g
                s#(/formats/[^ ]*)/(board|mutant)_[a-z_]+\.c#\1/board.c#g' |
        sort -u | awk '$1 != $2'
}

# judge FOLDER LIBRARY KINDS says where there is a circle.
judge() {
    local pairs loop
    pairs=$(uses "$@")
    [[ -n $pairs ]] || {
        echo "found no objects of $2 below $build/$1" >&2
        return 1
    }
    loop=$(tsort <<<"$pairs" 2>&1 >/dev/null) && return
    echo "$loop" >&2
    echo '^ these files use each other in a circle' >&2
    return 1
}

judge codecs goldwire A-Z
judge fpga_harness goldwire_harness TW
judge conformance goldwire_conformance TW
