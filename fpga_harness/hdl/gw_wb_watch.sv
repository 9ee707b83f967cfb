// SPDX-License-Identifier: BSD-2-Clause
// Looks at a pipelined Wishbone bus (B4, section 3.1.3) at each clock edge, and tells goldwire what its two
// sides do against the protocol. It drives nothing. For a classic bus, stall is its master's request that is not yet
// answered. It does what gw_wb_watch.vhd does, edge by edge.
`timescale 1ps / 1ps

module gw_wb_watch
  import gw_ports::*;
#(
    parameter int NUMBER = 1,
    parameter int ADDRESS_BITS = 32,
    parameter int DATA_BITS = 32,
    parameter int SELECT_BITS = 4
) (
    input logic clk,
    input logic rst,
    input logic cyc,
    input logic stb,
    input logic we,
    input logic [ADDRESS_BITS-1:0] adr,
    input logic [SELECT_BITS-1:0] sel,
    input logic [DATA_BITS-1:0] dat,  // from the master
    input logic stall,
    input logic ack,
    input logic err,
    input logic rty
);
  localparam int HALF = ((ADDRESS_BITS > DATA_BITS ? ADDRESS_BITS : DATA_BITS) + 7) / 8;
  wire [8*HALF-1:0] low = adr, high = dat;
  gw_edges #(.NUMBER(NUMBER), .WIRES(7), .BYTES(2 * HALF), .KEEP(SELECT_BITS)) edges (
      .clk(clk), .wires({rty, err, ack, stall, we, cyc, stb}), .data({high, low}), .keep(sel));

  int us, ps;
  int opened, waiting;  // requests that are not answered
  logic used, stalled, changed, was_we;
  logic [ADDRESS_BITS-1:0] was_adr;
  logic [SELECT_BITS-1:0] was_sel;
  logic [DATA_BITS-1:0] was_dat;

  function automatic void breach(input int which);
    gw_hdl_breach(NUMBER, us, ps, which);
  endfunction

  task look_at_request;
    if (^{we, adr, sel} === 1'bx) breach(GW_BUS_UNKNOWN);
    changed = we !== was_we || adr !== was_adr || sel !== was_sel || (we === 1'b1 && dat !== was_dat);
    if (stalled && changed) breach(GW_REQUEST_CHANGED);
    stalled = stall === 1'b1;
    was_we = we;
    was_adr = adr;
    was_sel = sel;
    was_dat = dat;
    if (!stalled) waiting = waiting + 1;
  endtask

  task look_at_answer;
    if ((ack === 1'b1 && err === 1'b1) || (ack === 1'b1 && rty === 1'b1) || (err === 1'b1 && rty === 1'b1))
      breach(GW_TWO_ENDS);
    if (waiting == 0) breach(GW_UNASKED_ACK);
    else waiting = waiting - 1;
  endtask

  initial begin
    used = 1'b0;
    stalled = 1'b0;
    waiting = 0;
    opened = gw_hdl_port(NUMBER, GW_KIND_WATCH, 1);
    if (opened < 0) $finish(0);
  end

  always @(posedge clk) begin
    us = gw_us($time);
    ps = gw_ps($time);
    if (rst === 1'b1) begin
      stalled = 1'b0;
      waiting = 0;
    end else if (^{cyc, stb} === 1'bx) breach(GW_BUS_UNKNOWN);
    else if (cyc) begin
      if (!used) breach(GW_BUS_USED);
      used = 1'b1;
      // A request is answered in a later cycle than the one in which it is taken, or in the same one.
      if (stb) look_at_request;
      else if (stalled) begin
        breach(GW_REQUEST_CHANGED);
        stalled = 1'b0;
      end
      if (ack === 1'b1 || err === 1'b1 || rty === 1'b1) look_at_answer;
    end else begin
      if (stb) breach(GW_STROBE_ALONE);
      // A cycle that is broken off takes its open requests along.
      stalled = 1'b0;
      waiting = 0;
    end
  end
endmodule
