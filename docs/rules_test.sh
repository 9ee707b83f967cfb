#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# rules_test.sh GOLDWIRE SOURCE: the pages of docs/rules are those that the tables make, and have every rule.
. "$2/conformance/cli/testing.sh"
source_dir=$2

expect 0 "$goldwire" catalog pages rules
diff -r "$source_dir/docs/rules" rules ||
    fail '^ pages of rules: < the tree, > the tables; `goldwire catalog pages docs/rules` makes them anew'
mapfile -t ids < <("$goldwire" catalog list | sed -nE 's/^  ([A-Z0-9]+-[A-Z]*[0-9]+) .*/\1/p' | sort -u)
((${#ids[@]} >= 300)) || fail "only ${#ids[@]} rules are listed"
# Rules of IMS-X are no role's, and in no list.
diff <(printf '%s\n' "${ids[@]}") <(sed -nE 's/^### //p' rules/*.md | sort -u | grep -vE '^IMS-X') ||
    fail '^ rules: < goldwire catalog list, > the pages'
# Of some rules, each of another format.
for id in EB-S04 OP-H02 TX-L6 L1-S08 IMS-W7 WB-04; do
    page=$(grep -lx "### $id" rules/*.md) || fail "no page has the rule $id"
    link=$("$goldwire" catalog show "$id" | sed -n 's/^page  *docs\///p')
    [[ $link == "$page#${id,,}" ]] || fail "$id is in $page, and catalog show says $link"
done
[[ $("$goldwire" catalog pages "no/such" 2>&1) == *'No such file'* ]] || fail 'a folder that cannot be made is not told'
finish
