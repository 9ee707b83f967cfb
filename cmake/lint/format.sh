#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Every C file looks as .clang-format says.
set -euo pipefail
source "$(dirname "$0")/files.sh"
cd "$1"
own_files . -name '*.[ch]' | xargs -0 clang-format --dry-run -Werror || {
    echo "mend with: clang-format -i FILE" >&2
    exit 1
}
