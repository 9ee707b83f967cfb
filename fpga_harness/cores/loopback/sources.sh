# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034,SC2154
# What simulate.sh builds of this core, in its order.
top=tb_loopback
sources=(
    "$harness/hdl/gw_ports.vhd" "$harness/hdl/gw_axis.vhd" "$harness/hdl/gw_around.vhd"
    "$here/loopback/loopback.vhd" "$here/loopback/tb_loopback.vhd")
verilog=(
    "$harness/hdl/gw_ports.sv" "$harness/hdl/gw_axis.sv" "$harness/hdl/gw_around.sv"
    "$here/loopback/loopback.sv" "$here/loopback/tb_loopback.sv")
