# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034,SC2154
# What simulate.sh builds, in its order: one loopback behind one port, to see how many frames a second come through.
top=tb_lane
sources=(
    "$harness/hdl/gw_ports.vhd" "$harness/hdl/gw_axis.vhd" "$harness/hdl/gw_around.vhd"
    "$here/loopback/loopback.vhd" "$here/lane/tb_lane.vhd")
verilog=(
    "$harness/hdl/gw_ports.sv" "$harness/hdl/gw_axis.sv" "$harness/hdl/gw_around.sv"
    "$here/loopback/loopback.sv" "$here/lane/tb_lane.sv")
