#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# board_file_test.sh GOLDWIRE SOURCE: the reference of board files names every key that the reader knows, and no other.
set -euo pipefail
command=$1
page=$2/docs/board-file.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
complain() {
    echo "$*" >&2
    status=1
}

# part [HEADING]: the page below that heading, up to the next one; without, what stands before all of them.
part() {
    awk -v heading="## ${1-}" -v inside="$((1 - $#))" '/^## / { inside = ($0 == heading) } inside' "$page"
}

# first_column NUMBER [HEADING]: the names in the first column of that table there, with the star of those that must be.
first_column() {
    local number=$1
    shift
    part "$@" | awk -v number="$number" '/^\|/ { if (!row++) table++; if (row > 2 && table == number) print; next } { row = 0 }' |
        awk -F'|' '{ print $2 }' | sed -E 's/([a-z_0-9]+`)((, `[a-z_0-9]+`)*) \*/\1 *\2/' | tr ',' '\n' | tr -d '` ' | sort
}

# listed PATTERN: the keys of the command's list that are PATTERN and a name, without the former.
listed() {
    sed -nE 's/^\| `'"$1"'([a-z_0-9]+)`( \*)? .*/\1\2/p' "$work/keys" | tr -d ' ' | sort
}

# refused LINE...: what the reader allows instead of something in a file of these lines.
refused() {
    printf '%s\n' "$@" >"$work/wrong.yaml"
    "$command" certify "$work/wrong.yaml" --list 2>&1 >/dev/null | sed -nE 's/.*allowed: *//p' | tr -d ' ' |
        tr ',' '\n' | sort
}

"$command" board --keys >"$work/keys"
diff <(part 'Every key' | grep '^|') "$work/keys" || complain '^ keys: < the page, > goldwire board --keys'
diff <(first_column 1) <(listed '' | tr -d '*') || complain '^ the keys of the file: < the page, > the reader'
diff <(first_column 1 Claims) <(listed 'claims\.') || complain '^ claims: < the page, > the reader'
diff <(first_column 1 Hooks) <(listed 'hooks\.') || complain '^ hooks: < the page, > the reader'
diff <(first_column 2 Hooks) <(listed 'hooks\.NAME\.' | tr -d '*') || complain '^ keys of a hook: < the page, > the reader'
diff <(first_column 1 Waivers) <(listed 'waivers\[\]\.' | tr -d '*') || complain '^ keys of a waiver: < the page, > the reader'
diff <(first_column 1 Areas) <(refused 'goldwire: board' 'role: l1-cn' 'areas: [{name: a, type: x, address: 0, size: 1}]') ||
    complain '^ kinds of areas: < the page, > the reader'
diff <(refused 'goldwire: board' 'role: l1-cn' 'nobody: 1') <(listed '' | tr -d '*') ||
    complain '^ the keys of the file: < the reader, > goldwire board --keys'
exit $status
