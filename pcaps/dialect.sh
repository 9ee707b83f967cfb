# shellcheck shell=bash
# SPDX-License-Identifier: BSD-2-Clause
# read_as FOLDER NAME: the options that a golden trace of that format is to be read with. Its dialect is the one whose
# name it carries; formats that own no port have to be named.
read_as() {
    local dialect
    # shellcheck disable=SC2016
    [[ $1 != op2p ]] || printf '%s\n' --proto op2p
    for dialect in libetherbone litex gsi order-b order-c wide hls gu rtl vhdl; do
        [[ $2 != *"$dialect"* ]] || { printf '%s\n' --dialect "$dialect"; return; }
    done
    printf '%s\n' --dialect strict
}
