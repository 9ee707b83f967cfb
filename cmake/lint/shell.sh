#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# No shell script makes shellcheck warn. SC2034: what a sourced file sets is used where it is sourced.
set -euo pipefail
source "$(dirname "$0")/files.sh"
cd "$1"
own_files . \( -name '*.sh' -o -name '*.bash' -o -path ./run -o -path ./.ci/run \) |
    xargs -0 shellcheck --shell=bash --severity=warning --exclude=SC2034 -x -P SCRIPTDIR
