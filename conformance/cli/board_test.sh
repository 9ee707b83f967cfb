#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Tests of `goldwire board`: the file of each role is one, fits the software board, and has all keys. With a fifth argument,
# "all", doctor looks at every role's, else at one that is called, one that calls and one of several links.
. "$2/conformance/cli/testing.sh"
all=${5-}

# Own addresses, that no other test uses meanwhile.
own() {
    sed -e "s/127\.0\.0\.1/$net.1/g" -e "s/127\.0\.0\.2/$net.2/g" "$1"
}

# Every key on, as whoever takes the '#' away has it.
switched_on() {
    sed -E 's/^#((  )*[^ #])/\1/' "$1"
}

# known_claims ROLE: the claims of the role, as the reader's complaint about another one lists them.
known_claims() {
    printf 'goldwire: board\nrole: %s\nclaims: {nobody: 1}\n' "$1" >unknown.yaml
    "$goldwire" certify unknown.yaml --list 2>&1 >/dev/null | sed -n 's/.*allowed: *//p' | grep -oE '[a-z_]+'
}

# examine ROLE: the software board is started by the line that its file has for it, and the doctor looks at both, with what the
# file's head says switched on. With "all" the board is certified as well: it fits.
examine() {
    local role=$1 line words key
    own "$role.yaml" >"own-$role.yaml"
    for key in $(sed -n '/try it there first/s/.*with //p' "$role.yaml" | grep -oE "\`[a-z_]+'" | tr -d "\`'"); do
        sed -i -E -e "/^#$key:/,/^\$/ s/^#//" -e "s/^#(  $key:)/\1/" "own-$role.yaml"
    done
    line=$(sed -n "s/^#     goldwire peer \([^#]*\).*/\1/p" "own-$role.yaml")
    read -ra words <<<"${line//\'/}"
    if [[ $line == *--to* ]]; then
        # Until somebody listens there, and once more after a conversation.
        while :; do "$goldwire" peer "${words[@]}" >calls.txt 2>&1; sleep 0.1; done &
        peer=$!
    else
        start_peer "$role.txt" "${words[@]}"
    fi
    expect 0 timeout 120 "$goldwire" doctor "own-$role.yaml"
    has out 'ok    board file '
    has out 'ok    probe '
    lacks out 'bad  '
    lacks out 'note  areas'
    [ -z "$all" ] || expect 0 timeout 300 "$goldwire" certify "own-$role.yaml"
    kill "$peer"
    wait "$peer"
}

roles=$("$goldwire" peer --list | grep -v ' ')
[ "$(wc -w <<<"$roles")" -ge 10 ] || fail "few roles: $roles"
keys=$("$goldwire" board --keys | grep -oE '^\| `[^`]+' | tr -d '|` ')
for role in $roles; do
    expect 0 "$goldwire" board --init "$role" --out "$role.yaml"
    [ ! -s out ] || fail "$role: something is printed beside the file"
    expect 0 "$goldwire" certify "$role.yaml" --list
    switched_on "$role.yaml" >all.yaml
    expect 0 "$goldwire" certify all.yaml --list
    for key in $keys; do
        [[ $key != claims.* ]] || continue
        [[ $key != registers* ]] || grep -q 'regs:' "$role.yaml" || continue
        # l1-du and its like use no areas: there is nothing to say of one.
        [[ $key != 'areas[].'* ]] || grep -q '^#areas:$' "$role.yaml" || continue
        grep -qE "(^|[ {-])${key##*.}: ?" all.yaml || fail "$role.yaml lacks the key $key"
    done
    claims=$(known_claims "$role")
    [[ $claims == *response_us* ]] || fail "$role: the reader lists no claims: $claims"
    for claim in $claims; do
        grep -qE "^#?  $claim: .* # " "$role.yaml" || fail "$role.yaml does not explain the claim $claim"
    done
    # Nothing may be written before somebody says so.
    ! grep -qE '^( |areas)*- \{' "$role.yaml" || fail "$role.yaml declares an area"
    [ -z "$all" ] || examine "$role"
done
[ -n "$all" ] || { examine etherbone-slave; examine op2p-node; }

# ---- an existing file is left alone ----
echo mine >mine.yaml
expect 2 "$goldwire" board --init l1-cn --out mine.yaml
has err 'mine.yaml: there is such a file, and it is left alone: name another with --out'
[ "$(cat mine.yaml)" = mine ] || fail 'mine.yaml was overwritten'
ln -s nowhere link.yaml
expect 2 "$goldwire" board --init l1-cn --out link.yaml
[ ! -e nowhere ] || fail 'a link was followed'
expect 2 "$goldwire" board --init l1-cn --out no/such/folder.yaml
expect 0 "$goldwire" board --init l1-cn --out -
[ ! -e ./- ] || fail "--out - wrote a file of that name"
same out l1-cn.yaml
expect 0 "$goldwire" board --init l1-cn
same out l1-cn.yaml

# ---- a disk that is full leaves nothing behind ----
(
    ulimit -f 0
    "$goldwire" board --init l1-cn --out full.yaml 2>/dev/null
)
[ $? = 4 ] || fail 'a file that could not be written is not told'
[ ! -e full.yaml ] || fail 'half a file stays'

# ---- wrong calls ----
expect 2 "$goldwire" board --init etherbone-slav
has err "no software board 'etherbone-slav'; did you mean 'etherbone-slave'?"
expect 2 "$goldwire" board
expect 2 "$goldwire" board --init l1-cn --keys
expect 2 "$goldwire" board --keys --out keys.md
expect 2 "$goldwire" board --init l1-cn more
finish
