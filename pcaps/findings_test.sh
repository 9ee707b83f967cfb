#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# `goldwire check` finds in every trace exactly what is written beside it. GW_UPDATE_FINDINGS=1 writes it anew.
set -euo pipefail
goldwire=$1 source=$2
bad=0
# shellcheck source=pcaps/dialect.sh
. "$source/dialect.sh"
for folder in "$source"/*/; do
    cd "$folder"
    for trace in *.pcapng; do
        kept=${trace%.pcapng}.findings.txt
        mapfile -t as < <(read_as "$(basename "$folder")" "$trace")
        found=$("$goldwire" check "${as[@]}" "$trace" 2>&1) || (($? == 1))
        [[ -z ${GW_UPDATE_FINDINGS:-} ]] || printf '%s\n' "$found" >"$kept"
        diff -u "$kept" - <<<"$found" >&2 || bad=1
    done
done
exit $bad
