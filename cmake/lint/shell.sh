#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Every shell script passes shellcheck.
set -euo pipefail
source "$(dirname "$0")/files.sh"
cd "$1"
own_files . \( -name '*.sh' -o -name '*.bash' -o -path ./run -o -path ./.ci/run \) |
    xargs -0 shellcheck -x -P SCRIPTDIR
