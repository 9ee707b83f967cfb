# shellcheck shell=bash
# SPDX-License-Identifier: BSD-2-Clause
# read_as FOLDER NAME: the options that a golden trace of that format is to be read with. Its dialect is the one whose
# name it carries; formats that own no port have to be named.
read_as() {
    local dialect
    # shellcheck disable=SC2016
    [[ $1 != op2p && $1 != l1farm ]] || printf '%s\n' --proto "$1"
    local dialects=(libetherbone litex gsi order-b order-c wide hls gu rtl vhdl)
    [[ $1 != l1farm ]] || dialects=(crc-ffff hamming19 uncoded desc-top-down desc-prose final ode)
    [[ $1 != ims ]] || dialects=(status-be32 be32 order-auto v1-0 images)
    [[ $1/$2 != ims/*user0* ]] || printf '%s\n' --proto ims
    for dialect in "${dialects[@]}"; do
        [[ $2 != *"$dialect"* ]] || { printf '%s\n' --dialect "$dialect"; return; }
    done
    printf '%s\n' --dialect strict
}
