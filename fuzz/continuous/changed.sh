#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: changed.sh [BASE]
# Prints the paths that differ between the tree as it lies here and its merge base with BASE, or what a GitHub or GitLab
# job says it merges into, or the branch that a clone begins with. Fails, with the reason, where there is no such base.
set -euo pipefail
base=${1-}
if [[ -z $base ]]; then
    for name in "${CI_MERGE_REQUEST_DIFF_BASE_SHA-}" "${GITHUB_BASE_REF:+origin/$GITHUB_BASE_REF}" origin/HEAD origin/main main; do
        [[ -z $name ]] || ! git rev-parse -q --verify "$name^{commit}" >/dev/null 2>&1 || {
            base=$name
            break
        }
    done
    [[ -n $base ]] || {
        echo "no branch to compare with: this is no git checkout, or one without its history" >&2
        exit 1
    }
fi
merge_base=$(git merge-base "$base" HEAD 2>/dev/null) || {
    echo "'$base' and what is checked out here have no commit in common: fetch more history, or name another --base" >&2
    exit 1
}
git diff --name-only --no-renames "$merge_base"
git ls-files --others --exclude-standard
