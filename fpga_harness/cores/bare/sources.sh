# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034,SC2154
# What simulate.sh builds, in its order: an example core of each language without any port, to see what ports cost.
top=tb_bare
sources=(
    "$here/etherbone/eb_faults.vhd" "$here/wb_memories.vhd" "$here/etherbone/eb_slave.vhd" "$here/bare/tb_bare.vhd")
verilog=(
    "$here/op2p/op2p_faults.sv" "$here/op2p/op2p_fifo.sv" "$here/op2p/op2p_ram.sv" "$here/op2p/op2p_memory.sv"
    "$here/op2p/op2p_rx.sv" "$here/op2p/op2p_tx.sv" "$here/op2p/op2p_pool.sv" "$here/op2p/op2p_engine.sv"
    "$here/op2p/op2p_port.sv" "$here/op2p/op2p_node.sv" "$here/bare/tb_bare.sv")
