#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# board_file_test.sh GOLDWIRE SOURCE: the reference of board files names every key that the reader knows, and no other.
. "$2/conformance/cli/testing.sh"
page=$2/docs/board-file.md

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
    sed -nE 's/^\| `'"$1"'([a-z_0-9]+)`( \*)? .*/\1\2/p' keys | tr -d ' ' | sort
}

# refused LINE...: what the reader allows instead of something in a file of these lines.
refused() {
    printf '%s\n' "$@" >wrong.yaml
    "$goldwire" certify wrong.yaml --list 2>&1 >/dev/null | sed -nE 's/.*allowed: *//p' | tr -d ' ' |
        tr ',' '\n' | sort
}

"$goldwire" board --keys >keys
diff <(part 'Every key' | grep '^|') keys || fail '^ keys: < the page, > goldwire board --keys'
diff <(first_column 1) <(listed '' | tr -d '*') || fail '^ the keys of the file: < the page, > the reader'
diff <(first_column 1 Claims) <(listed 'claims\.') || fail '^ claims: < the page, > the reader'
diff <(first_column 1 Hooks) <(listed 'hooks\.') || fail '^ hooks: < the page, > the reader'
diff <(first_column 2 Hooks) <(listed 'hooks\.NAME\.' | tr -d '*') || fail '^ keys of a hook: < the page, > the reader'
diff <(first_column 1 Waivers) <(listed 'waivers\[\]\.' | tr -d '*') || fail '^ keys of a waiver: < the page, > the reader'
diff <(first_column 1 Areas) <(refused 'goldwire: board' 'role: l1-cn' 'areas: [{name: a, type: x, address: 0, size: 1}]') ||
    fail '^ kinds of areas: < the page, > the reader'
diff <(refused 'goldwire: board' 'role: l1-cn' 'nobody: 1') <(listed '' | tr -d '*') ||
    fail '^ the keys of the file: < the reader, > goldwire board --keys'
finish
