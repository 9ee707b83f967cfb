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
    local source objects=() folder=$build/$1/CMakeFiles/$2.dir
    while IFS= read -r -d '' source; do
        source=${source#"$1"/}
        [[ ! -f $folder/$source.o ]] || objects+=("$folder/$source.o")
    done < <(own_files "$top" -path "./$1/*" -name '*.c' ! -name '*_test.c' ! -path '*/testing/*')
    ((${#objects[@]})) || return 0
    nm -A -g "${objects[@]}" |
        awk -v kinds="[$3]" -v before="$folder/" -v top="$1/" '
             { file = substr($0, 1, index($0, ".o:") - 1); file = top substr(file, length(before) + 1) }
             $(NF - 1) == "U" { user[NR] = file; name[NR] = $NF; next }
             $(NF - 1) ~ kinds { where[$NF] = file }
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
