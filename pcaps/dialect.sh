# shellcheck shell=bash
# SPDX-License-Identifier: BSD-2-Clause
# dialect_of NAME: the dialect of a golden trace is the one whose name it carries.
dialect_of() {
    local dialect
    for dialect in libetherbone litex gsi; do
        [[ $1 != *"$dialect"* ]] || { echo "$dialect"; return; }
    done
    echo strict
}
