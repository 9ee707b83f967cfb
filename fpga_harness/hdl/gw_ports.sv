// SPDX-License-Identifier: BSD-2-Clause
// What the ports call in gw_hdl.c, for SystemVerilog: by DPI-C, and in Icarus Verilog, which has none,
// by the system functions of gw_hdl.vpi (gw_hdl.c compiled with -DGW_HDL_VPI).
// Times are whole microseconds and the picoseconds beyond.
`timescale 1ps / 1ps

package gw_ports;
  // Kinds of a port, and what gw_hdl_tx returns beside the number of bytes: as in gw_hdl.h.
  localparam int GW_KIND_UDP = 1;
  localparam int GW_KIND_ETHERNET = 2;
  localparam int GW_KIND_OP2P = 3;
  localparam int GW_KIND_APELINK = 4;
  localparam int GW_KIND_BUS = 5;
  localparam int GW_KIND_RESET = 6;
  localparam int GW_KIND_WATCH = 7;
  localparam int GW_KIND_LINK = 8;
  localparam int GW_KIND_AXIL = 9;
  localparam int GW_LAST_BEAT = 65536;
  localparam int GW_SIDE_SHIFT = 20;

  // Breaches that a port tells.
  localparam int GW_BUS_USED = 0;
  localparam int GW_VALID_DROPPED = 1;
  localparam int GW_DATA_CHANGED = 2;
  localparam int GW_KEEP_HOLES = 3;
  localparam int GW_EMPTY_LAST = 4;
  localparam int GW_UNKNOWN = 5;
  localparam int GW_STROBE_ALONE = 6;
  localparam int GW_UNASKED_ACK = 7;
  localparam int GW_TWO_ENDS = 8;
  localparam int GW_REQUEST_CHANGED = 9;
  localparam int GW_BUS_UNKNOWN = 10;
  localparam int GW_VALID_WAITED = 11;
  localparam int GW_RESPONSE_DROPPED = 12;
  localparam int GW_RESPONSE_CHANGED = 13;
  localparam int GW_RESPONSE_UNASKED = 14;
  localparam int GW_RESPONSE_UNKNOWN = 15;
  localparam int GW_RESPONSE_IN_RESET = 16;
  localparam int GW_RESPONSE_WAITED = 17;

`ifdef __ICARUS__
  // The system functions look at the clock themselves.
  function automatic int gw_hdl_port(input int number, input int kind, input int width);
    gw_hdl_port = $gw_hdl_port(number, kind, width);
  endfunction

  function automatic int gw_hdl_tx(input int number, input int us, input int ps, input int taken);
    gw_hdl_tx = $gw_hdl_tx(number, taken);
  endfunction

  function automatic int gw_hdl_tx_word(input int number, input int index);
    gw_hdl_tx_word = $gw_hdl_tx_word(number, index);
  endfunction

  function automatic void gw_hdl_rx_word(input int number, input int index, input int value);
    int none;
    none = $gw_hdl_rx_word(number, index, value);
  endfunction

  function automatic int gw_hdl_rx(input int number, input int us, input int ps, input int bytes, input int flags);
    gw_hdl_rx = $gw_hdl_rx(number, bytes, flags);
  endfunction

  function automatic int gw_hdl_bus(input int number, input int us, input int ps, input int done, input int data);
    gw_hdl_bus = $gw_hdl_bus(number, done, data);
  endfunction

  function automatic int gw_hdl_bus_address(input int number);
    gw_hdl_bus_address = $gw_hdl_bus_address(number);
  endfunction

  function automatic int gw_hdl_bus_data(input int number);
    gw_hdl_bus_data = $gw_hdl_bus_data(number);
  endfunction

  function automatic int gw_hdl_bus_select(input int number);
    gw_hdl_bus_select = $gw_hdl_bus_select(number);
  endfunction

  function automatic int gw_hdl_reset(input int number, input int us, input int ps);
    gw_hdl_reset = $gw_hdl_reset(number);
  endfunction

  function automatic void gw_hdl_breach(input int number, input int us, input int ps, input int which);
    int none;
    none = $gw_hdl_breach(number, which);
  endfunction

  function automatic int gw_hdl_mark(input int index);
    gw_hdl_mark = $gw_hdl_mark(index);
  endfunction

  function automatic int gw_hdl_pace(input int us, input int ps);
    gw_hdl_pace = $gw_hdl_pace(0);
  endfunction

  function automatic int gw_us(input longint now);
    gw_us = 0;
  endfunction

  function automatic int gw_ps(input longint now);
    gw_ps = 0;
  endfunction
`else
  import "DPI-C" function int gw_hdl_port(input int number, input int kind, input int width);
  import "DPI-C" function int gw_hdl_tx(input int number, input int us, input int ps, input int taken);
  import "DPI-C" function int gw_hdl_tx_word(input int number, input int index);
  import "DPI-C" function void gw_hdl_rx_word(input int number, input int index, input int value);
  import "DPI-C" function int gw_hdl_rx(input int number, input int us, input int ps, input int bytes, input int flags);
  import "DPI-C" function int gw_hdl_bus(input int number, input int us, input int ps, input int done, input int data);
  import "DPI-C" function int gw_hdl_bus_address(input int number);
  import "DPI-C" function int gw_hdl_bus_data(input int number);
  import "DPI-C" function int gw_hdl_bus_select(input int number);
  import "DPI-C" function int gw_hdl_reset(input int number, input int us, input int ps);
  import "DPI-C" function void gw_hdl_breach(input int number, input int us, input int ps, input int which);
  import "DPI-C" function int gw_hdl_mark(input int index);
  import "DPI-C" function int gw_hdl_pace(input int us, input int ps);

  // The two halves of the present time. A division of unsigned numbers by a constant is none in Verilator.
  function automatic int gw_us(input longint unsigned now);
    gw_us = int'(now / 64'd1000000);
  endfunction

  function automatic int gw_ps(input longint unsigned now);
    gw_ps = int'(now % 64'd1000000);
  endfunction
`endif
endpackage
