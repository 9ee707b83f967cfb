# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034,SC2154
# What simulate.sh builds of this core, in its order.
top=tb_op2p_node
simulators=(icarus verilator)
verilog=(
    "$harness/hdl/gw_ports.sv" "$harness/hdl/gw_words.sv" "$harness/hdl/gw_wb.sv" "$harness/hdl/gw_wires.sv" "$harness/hdl/gw_around.sv"
    "$here/op2p/op2p_faults.sv" "$here/op2p/op2p_fifo.sv" "$here/op2p/op2p_ram.sv" "$here/op2p/op2p_memory.sv"
    "$here/op2p/op2p_rx.sv" "$here/op2p/op2p_tx.sv" "$here/op2p/op2p_pool.sv" "$here/op2p/op2p_engine.sv"
    "$here/op2p/op2p_port.sv" "$here/op2p/op2p_node.sv" "$here/op2p/tb_op2p_node.sv")
