# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2034,SC2154
# What simulate.sh builds of this core, in its order.
top=tb_tx_node
simulators=(ghdl-llvm ghdl-mcode)
vhdl=(
    "$harness/hdl/gw_ports.vhd" "$harness/hdl/gw_axis.vhd" "$harness/hdl/gw_words.vhd" "$harness/hdl/gw_around.vhd"
    "$here/etherbone/eb_faults.vhd" "$here/etherbone/eb_slave.vhd"
    "$here/textarossa/tx_faults.vhd" "$here/textarossa/tx_secded.vhd" "$here/textarossa/tx_packet.vhd"
    "$here/textarossa/tx_queue.vhd" "$here/textarossa/tx_receive.vhd" "$here/textarossa/tx_transmit.vhd"
    "$here/textarossa/tx_router.vhd" "$here/textarossa/tx_registers.vhd" "$here/textarossa/tx_node.vhd"
    "$here/textarossa/tb_tx_node.vhd")
sources=("${vhdl[@]}")
