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
  localparam int GW_READY_OWN = -2;

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

  function automatic int gw_hdl_ready(input int number, input int us, input int ps, input int own);
    gw_hdl_ready = $gw_hdl_ready(number, own);
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

  function automatic void gw_hdl_edge_word(input int number, input int index, input int value);
    int none;
    none = $gw_hdl_edge_word(number, index, value);
  endfunction

  function automatic void gw_hdl_edge(input int number, input int us, input int ps, input int lane, input int edge_number,
                                      input int wires, input int bytes, input int data, input int keep, input int unknown);
    int none;
    none = $gw_hdl_edge(number, lane, edge_number, wires, bytes, data, keep, unknown);
  endfunction

  function automatic int gw_hdl_mark(input int index);
    gw_hdl_mark = $gw_hdl_mark(index);
  endfunction

  function automatic int gw_hdl_pace(input int us, input int ps);
    gw_hdl_pace = $gw_hdl_pace(0);
  endfunction

  function automatic int gw_hdl_turns(input int high, input int low);
    gw_hdl_turns = $gw_hdl_turns(0);
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
  import "DPI-C" function int gw_hdl_ready(input int number, input int us, input int ps, input int own);
  import "DPI-C" function int gw_hdl_tx_word(input int number, input int index);
  import "DPI-C" function void gw_hdl_rx_word(input int number, input int index, input int value);
  import "DPI-C" function int gw_hdl_rx(input int number, input int us, input int ps, input int bytes, input int flags);
  import "DPI-C" function int gw_hdl_bus(input int number, input int us, input int ps, input int done, input int data);
  import "DPI-C" function int gw_hdl_bus_address(input int number);
  import "DPI-C" function int gw_hdl_bus_data(input int number);
  import "DPI-C" function int gw_hdl_bus_select(input int number);
  import "DPI-C" function int gw_hdl_reset(input int number, input int us, input int ps);
  import "DPI-C" function void gw_hdl_breach(input int number, input int us, input int ps, input int which);
  import "DPI-C" function void gw_hdl_edge_word(input int number, input int index, input int value);
  import "DPI-C" function void gw_hdl_edge(input int number, input int us, input int ps, input int lane,
                                           input int edge_number, input int wires, input int bytes, input int data,
                                           input int keep, input int unknown);
  import "DPI-C" function int gw_hdl_mark(input int index);
  import "DPI-C" function int gw_hdl_pace(input int us, input int ps);
  import "DPI-C" function int gw_hdl_turns(input int high, input int low);

  // The two halves of the present time. A division of unsigned numbers by a constant is none in Verilator where its model
  // is compiled with -O2.
  function automatic int gw_us(input longint unsigned now);
    gw_us = int'(now / 64'd1000000);
  endfunction

  function automatic int gw_ps(input longint unsigned now);
    gw_ps = int'(now % 64'd1000000);
  endfunction
`endif

  // How often goldwire has had its turn before the present time: what it has not said by then, no port needs to ask for.
  // Asked by the first port at a clock edge, for all of them.
  longint unsigned asked_at = '1;
  int turns_before = 0;

  function automatic int gw_turns(input longint unsigned now);
    if (now != asked_at) begin
      asked_at = now;
      turns_before = gw_hdl_turns(int'(now >> 32), int'(now));
    end
    gw_turns = turns_before;
  endfunction
endpackage

// gw_edges tells gw_hdl.c what the signals of one direction of a port (lane 0 to the core, 1 from it) are at a clock
// edge, when they have changed and whenever something is taken: a report draws them around a failure. Wire 0 says
// that data and keep count (valid, stb), wires 0 and 1 together that they are taken.
module gw_edges
  import gw_ports::*;
#(
    parameter int NUMBER = 0,
    parameter int LANE = 0,
    parameter int WIRES = 3,
    parameter int BYTES = 1,
    parameter int KEEP = BYTES
) (
    input logic clk,
    input logic [WIRES-1:0] wires,
    input logic [8*BYTES-1:0] data,
    input logic [KEEP-1:0] keep
);
  localparam int WORDS = (BYTES + 3) / 4;
  localparam int OF_KEEP = 16, OF_UNKNOWN = 18;  // words beside the data: gw_hdl.h

  logic [WIRES-1:0] was_wires;
  logic [WIRES:0] rest;  // 0 and the wires while nothing is to be told until they change, else 1
  logic [8*BYTES-1:0] was_data;
  logic [KEEP-1:0] was_keep;
  logic [32*WORDS-1:0] beat;
  logic [63:0] lanes, unknown;
  int number, all_wires;

  task tell;
    all_wires = 0;
    for (int i = WIRES - 1; i >= 0; i--) all_wires = 4 * all_wires + (wires[i] === 1'b1 ? 1 : wires[i] === 1'b0 ? 0 : 2);
    beat = '0;
    beat[8*BYTES-1:0] = data;
    lanes = '0;
    lanes[KEEP-1:0] = keep;
    unknown = '0;
    for (int i = 0; i < BYTES; i++) if (^data[8*i+:8] === 1'bx) unknown[i] = 1'b1;
    for (int i = 1; i < WORDS; i++) gw_hdl_edge_word(NUMBER, i, beat[32*i+:32]);
    if (KEEP > 32) gw_hdl_edge_word(NUMBER, OF_KEEP + 1, lanes[63:32]);
    if (BYTES > 32) gw_hdl_edge_word(NUMBER, OF_UNKNOWN + 1, unknown[63:32]);
    gw_hdl_edge(NUMBER, gw_us($time), gw_ps($time), LANE, number & 32'h3fffffff, all_wires, BYTES, beat[31:0], lanes[31:0], unknown[31:0]);
  endtask

  // Whether there is something to tell, where that is not known from the wires alone.
  task look;
    // The first edge is told in any case: Verilator knows no X that differs from all.
    if (number == 1 || wires !== was_wires || wires[1:0] === 2'b11 || data !== was_data || keep !== was_keep) begin
      was_wires = wires;
      was_data = data;
      was_keep = keep;
      tell;
    end
    rest = {wires[0] !== 1'b0, wires};
  endtask

  initial begin
    rest = '1;
    number = 0;
  end

  // One comparison at nearly all edges: Verilator works out all of an expression, and an if alone spares it.
  always @(posedge clk) begin
    number = number + 1;
    if ({1'b0, wires} !== rest) look;
  end
endmodule
