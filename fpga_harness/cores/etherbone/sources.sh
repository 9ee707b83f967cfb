# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034,SC2154
# What simulate.sh builds of this core, in its order.
top=tb_eb_slave
simulators=(ghdl-llvm ghdl-mcode)
sources=(
    "$harness/hdl/gw_ports.vhd" "$harness/hdl/gw_axis.vhd" "$harness/hdl/gw_wb_watch.vhd"
    "$harness/hdl/gw_around.vhd"
    "$here/etherbone/eb_faults.vhd" "$here/wb_memories.vhd" "$here/etherbone/eb_slave.vhd"
    "$here/etherbone/tb_eb_slave.vhd")
