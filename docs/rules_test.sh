#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# rules_test.sh GOLDWIRE SOURCE: the pages of docs/rules are those that the tables make, and have every rule.
set -euo pipefail
command=$1
source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
complain() {
    echo "$*" >&2
    status=1
}

"$command" catalog pages "$work/rules"
diff -r "$source_dir/docs/rules" "$work/rules" ||
    complain '^ pages of rules: < the tree, > the tables; `goldwire catalog pages docs/rules` makes them anew'
mapfile -t ids < <("$command" catalog list | sed -nE 's/^  ([A-Z0-9]+-[A-Z]*[0-9]+) .*/\1/p' | sort -u)
((${#ids[@]} >= 300)) || complain "only ${#ids[@]} rules are listed"
# Rules of IMS-X are no role's, and in no list.
diff <(printf '%s\n' "${ids[@]}") <(sed -nE 's/^### //p' "$work"/rules/*.md | sort -u | grep -vE '^IMS-X') ||
    complain '^ rules: < goldwire catalog list, > the pages'
# Of some rules, each of another format.
for id in EB-S04 OP-H02 TX-L6 L1-S08 IMS-W7 WB-04; do
    page=$(grep -lx "### $id" "$work"/rules/*.md) || complain "no page has the rule $id"
    link=$("$command" catalog show "$id" | sed -n 's/^page  *docs\///p')
    [[ $work/$link == "$page#${id,,}" ]] || complain "$id is in $page, and catalog show says $link"
done
[[ $("$command" catalog pages "$work/no/such" 2>&1) == *'No such file'* ]] || complain 'a folder that cannot be made is not told'
exit $status
