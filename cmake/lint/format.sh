#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Every C file looks as .clang-format says, to the one version of clang-format whose word counts: each has its own.
set -euo pipefail
source "$(dirname "$0")/files.sh"
cd "$1"
wanted=14
tool=clang-format-$wanted
command -v "$tool" >/dev/null || tool=clang-format
version=$("$tool" --version 2>/dev/null) || version="no clang-format"
[[ $version =~ version\ $wanted\. ]] || {
    echo "skipped: clang-format $wanted is wanted, here is: $version"
    exit 77
}
own_files . -name '*.[ch]' | xargs -0 "$tool" --dry-run -Werror || {
    echo "mend with: $tool -i FILE" >&2
    exit 1
}
