#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Every file has a licence: an SPDX line near its top, or a line of REUSE.toml. GPL code stays where
# libwireshark is linked, and no other file there hides among the free ones.
set -euo pipefail
source "$(dirname "$0")/files.sh"
cd "$1"
status=0
complain() {
    echo "$1: $2" >&2
    status=1
}

# The paths of the annotations that give a licence; "**" crosses folders, as in REUSE.toml.
mapfile -t covered < <(sed -n '/^path = \[/,/^\]/s/^ *"\(.*\)",$/\1/p' REUSE.toml)
((${#covered[@]})) || complain REUSE.toml 'no path list found'
is_covered() {
    local pattern
    for pattern in "${covered[@]}"; do
        # shellcheck disable=SC2053 # the right side is a pattern
        [[ $1 == ${pattern//\*\*/*} ]] && return 0
    done
    return 1
}

num_files=0
while IFS= read -r -d '' file; do
    num_files=$((num_files + 1))
    [[ $file == LICENSES/* ]] && continue
    licence=$(head -n 5 -- "$file" | tr -d '\0' | sed -n 's/.*SPDX-License-Identifier: \([A-Za-z0-9.-]*\).*/\1/p' | head -n 1)
    case $licence in
    '')
        is_covered "$file" || complain "$file" 'no SPDX line in its first five lines, and REUSE.toml does not name it'
        ;;
    BSD-2-Clause)
        if [[ $file == *.[ch] ]] && grep -qE '^#[[:space:]]*include[[:space:]]*[<"](epan|wiretap|wsutil|wireshark)[/.]' "$file"; then
            complain "$file" 'uses Wireshark, so it must be GPL-2.0-or-later'
        fi
        ;;
    GPL-2.0-or-later)
        [[ $file == dissectors/* || $file == fuzz/* ]] || complain "$file" 'GPL outside dissectors/ and fuzz/'
        ;;
    *) complain "$file" "licence $licence is not one of ours" ;;
    esac
done < <(own_files .)
((num_files > 20)) || complain "$PWD" "only $num_files files found"
for licence in BSD-2-Clause GPL-2.0-or-later; do
    [[ -s LICENSES/$licence.txt ]] || complain "LICENSES/$licence.txt" 'missing'
done
exit $status
