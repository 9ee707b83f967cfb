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

# One program for all files, not some for each.
declare -A licence uses_wireshark
while IFS= read -r -d '' file && IFS= read -r line; do
    [[ $line =~ ^[1-5]:.*SPDX-License-Identifier:\ ([A-Za-z0-9.-]*) ]] && licence[$file]=${BASH_REMATCH[1]}
done < <(own_files . | xargs -0 grep -HInZ -m 1 'SPDX-License-Identifier: [A-Za-z0-9]')
while IFS= read -r -d '' file; do
    uses_wireshark[$file]=1
done < <(own_files . -name '*.[ch]' |
    xargs -0 grep -lZE '^#[[:space:]]*include[[:space:]]*[<"](epan|wiretap|wsutil|wireshark)[/.]')

num_files=0
while IFS= read -r -d '' file; do
    num_files=$((num_files + 1))
    [[ $file == LICENSES/* ]] && continue
    case ${licence[$file]-} in
    '')
        is_covered "$file" || complain "$file" 'no SPDX line in its first five lines, and REUSE.toml does not name it'
        ;;
    BSD-2-Clause)
        [[ -z ${uses_wireshark[$file]-} ]] || complain "$file" 'uses Wireshark, so it must be GPL-2.0-or-later'
        ;;
    GPL-2.0-or-later)
        [[ $file == dissectors/* || $file == fuzz/* ]] || complain "$file" 'GPL outside dissectors/ and fuzz/'
        ;;
    *) complain "$file" "licence ${licence[$file]} is not one of ours" ;;
    esac
done < <(own_files .)
((num_files > 20)) || complain "$PWD" "only $num_files files found"
for licence in BSD-2-Clause GPL-2.0-or-later; do
    [[ -s LICENSES/$licence.txt ]] || complain "LICENSES/$licence.txt" 'missing'
done
exit $status
