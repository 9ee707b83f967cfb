#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# links_test.sh GOLDWIRE SOURCE: every relative link of a page (*.md) leads to a file of the tree, and to a heading of it
# where the link names one, by the name that GitHub gives headings. Every picture has a text beside it and is shown by a page,
# and the index leads to every page.
set -euo pipefail
source "$2/cmake/lint/files.sh"
cd "$2"
status=0
complain() {
    echo "$*" >&2
    status=1
}

# headings PAGE: what a link to each heading says behind '#': small letters, blanks as '-', no other signs than '_' and '-',
# and a number where an earlier heading reads alike.
headings() {
    awk '/^```/ { inside = !inside }
         !inside && /^#+ / {
             sub(/^#+ +/, "")
             gsub(/\]\([^)]*\)/, "")
             $0 = tolower($0)
             gsub(/[][`*.,:;!?()\/&"'"'"'+=<>|…-]|[^ -~]/, "&\001")
             gsub(/[^-a-z0-9_ \200-\377]\001/, "")
             gsub(/\001/, "")
             gsub(/ /, "-")
             print $0 (seen[$0]++ ? "-" seen[$0] - 1 : "")
         }' "$1"
}

# links PAGE: the targets of its links and pictures, but for what stands in code.
links() {
    awk '/^```/ { inside = !inside } !inside && !/^    /' "$1" | sed -E 's/`[^`]*`//g' | grep -oE '\]\([^) ]+' | cut -c3- || true
}

mapfile -d '' -t pages < <(own_files . -name '*.md')
((${#pages[@]} >= 20)) || complain "only ${#pages[@]} pages found"
declare -A anchors
for page in "${pages[@]}"; do
    while IFS= read -r heading; do anchors[$page#$heading]=1; done < <(headings "$page")
done
checked=0
for page in "${pages[@]}"; do
    ! grep -nE '!\[\]\(' "$page" || complain "$page: ^ a picture without a text for those who do not see it"
    while IFS= read -r link; do
        [[ ! $link =~ ^[a-z]+: ]] || continue
        checked=$((checked + 1))
        file=${link%%#*}
        target=$page
        [[ -z $file ]] || target=$(realpath -m --relative-to=. "$(dirname "$page")/$file")
        if [[ ! -e $target ]]; then
            complain "$page links to $link: there is no $target"
        elif [[ $link == *'#'* && $target == *.md && -z ${anchors[$target#${link#*#}]-} ]]; then
            complain "$page links to $link: $target has no such heading"
        fi
    done < <(links "$page")
done
((checked >= 60)) || complain "only $checked links found"

shown=$(for page in "${pages[@]}"; do links "$page"; done)
for picture in docs/images/*; do
    grep -qF -- "images/${picture##*/}" <<<"$shown" || complain "$picture is shown by no page"
done

index=$(links docs/README.md)
for page in docs/*.md; do
    [[ $page == docs/README.md ]] || grep -qxF -- "${page##*/}" <<<"$index" || complain "docs/README.md leads nobody to $page"
done
exit $status
