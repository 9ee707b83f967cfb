# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034,SC2154
# What simulate.sh builds of this core, in its order.
top=tb_secded
vhdl=(
    "$harness/hdl/gw_ports.vhd" "$harness/hdl/gw_words.vhd"
    "$here/textarossa/tx_faults.vhd" "$here/textarossa/tx_secded.vhd" "$here/secded/tb_secded.vhd")
sources=("${vhdl[@]}")
