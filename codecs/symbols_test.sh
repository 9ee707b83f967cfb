#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# symbols_test.sh SOURCE SHARED STATIC: the shared library exports what codecs/libgoldwire.symbols lists and nothing
# else, all of which an installed header declares; no global name of the static one begins otherwise than with gw_.
# GW_UPDATE_SNAPSHOT=1 writes the list anew.
set -euo pipefail
export LC_ALL=C
list=$1/codecs/libgoldwire.symbols
status=0
complain() {
    echo "$*" >&2
    status=1
}

exported=$(nm -D --defined-only "$2" | awk '{ print ($2 == "T" ? "function" : "constant"), $3 }' | sort -k2)
[[ -n $exported ]] || complain "$2 exports nothing"
if [[ -n ${GW_UPDATE_SNAPSHOT-} ]]; then
    {
        echo '# SPDX-License-Identifier: BSD-2-Clause'
        echo '# What libgoldwire exports. A line that goes breaks programs; codecs/symbols_test.sh holds the library to the list.'
        echo "$exported"
    } >"$list"
fi
diff -u --label "$list" --label "$2" <(grep -v '^#' "$list") <(echo "$exported") >&2 ||
    complain "the library exports something else than its list says; if that is meant, say so in CHANGELOG.md, and run
this test once with GW_UPDATE_SNAPSHOT=1"

declared=$(cat "$1"/codecs/include/goldwire/*.h | tr '\n' ' ' | grep -oP '\bGW_API\b[^;(\[]*?\b\Kgw_\w+(?=\s*[(;\[])' | sort)
diff -u --label headers --label "$2" <(echo "$declared") <(awk '{ print $2 }' <<<"$exported") >&2 ||
    complain "what headers mark GW_API and what is exported differ"

others=$(nm -g --defined-only "$3" | awk 'NF == 3 && $3 !~ /^gw_/ { print $3 }')
[[ -z $others ]] || complain "$3 defines global names that are not ours: $others"
exit $status
