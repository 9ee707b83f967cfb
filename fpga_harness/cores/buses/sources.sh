# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034,SC2154
# What simulate.sh builds of this core, in its order.
top=tb_buses
sources=(
    "$harness/hdl/gw_ports.vhd" "$harness/hdl/gw_axil.vhd" "$harness/hdl/gw_wb.vhd" "$harness/hdl/gw_wb_watch.vhd"
    "$harness/hdl/gw_around.vhd" "$here/buses/bus_axil.vhd" "$here/buses/bus_wb.vhd" "$here/buses/tb_buses.vhd")
verilog=(
    "$harness/hdl/gw_ports.sv" "$harness/hdl/gw_axil.sv" "$harness/hdl/gw_wb.sv" "$harness/hdl/gw_wb_watch.sv"
    "$harness/hdl/gw_around.sv" "$here/buses/bus_axil.sv" "$here/buses/bus_wb.sv" "$here/buses/tb_buses.sv")
