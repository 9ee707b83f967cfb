// SPDX-License-Identifier: BSD-2-Clause
// A Wishbone master (B4, classic) by which goldwire reaches a board's registers, 32 bits wide. An access that
// nobody ends is given up after TIMEOUT cycles, as one that ended with an error.
`timescale 1ps / 1ps

module gw_wb
  import gw_ports::*;
#(
    parameter int NUMBER = 14,
    parameter int TIMEOUT = 1000
) (
    input logic clk,
    input logic rst,
    output logic cyc,
    output logic stb,
    output logic we,
    output logic [31:0] adr,
    output logic [31:0] dat_w,
    output logic [3:0] sel,
    input logic [31:0] dat_r,
    input logic ack,
    input logic err
);
  localparam int NO = 0, WELL = 1, BADLY = 2;
  int result, done, age, turns, seen;

  function automatic void breach(input int which);
    gw_hdl_breach(NUMBER, gw_us($time), gw_ps($time), which);
  endfunction

  // Whether the access on offer ends at this edge, and how.
  task look;
    done = NO;
    if (^{ack, err} === 1'bx) breach(GW_BUS_UNKNOWN);
    else if ((ack || err) && !cyc) breach(GW_UNASKED_ACK);
    else if (ack && err) breach(GW_TWO_ENDS);
    if (cyc && err === 1'b1) done = BADLY;
    else if (cyc && ack === 1'b1) done = WELL;
    else if (cyc && age >= TIMEOUT) done = BADLY;
    if (done == WELL && !we && ^dat_r === 1'bx) breach(GW_BUS_UNKNOWN);
    age = age + 1;
  endtask

  // The access on offer, or the next one. While nothing is under way, there is something to do only behind a turn of goldwire.
  task go_on;
    look;
    if (cyc || result != 0 || turns != seen) result = gw_hdl_bus(NUMBER, gw_us($time), gw_ps($time), done, dat_r);
    seen = turns;
    if (result >= 0 && (!cyc || done != NO)) begin
      // One cycle between two accesses.
      cyc <= result > 0 && !cyc;
      stb <= result > 0 && !cyc;
      age = 0;
      if (result > 0) begin
        we <= result == 2;
        adr <= gw_hdl_bus_address(NUMBER);
        dat_w <= gw_hdl_bus_data(NUMBER);
        sel <= 4'(gw_hdl_bus_select(NUMBER));
      end
    end
  endtask

  // Of an answer, wires 2 and 3 are the acknowledgement of a read, which brings data.
  gw_edges #(.NUMBER(NUMBER), .LANE(0), .WIRES(4), .BYTES(8), .KEEP(4)) asked (
      .clk, .wires({cyc, we, ack | err, stb}), .data({dat_w, adr}), .keep(sel));
  gw_edges #(.NUMBER(NUMBER), .LANE(1), .WIRES(6), .BYTES(4), .KEEP(4)) answered (
      .clk, .wires({err, ack, cyc, ack & ~we, cyc, ack | err}), .data(dat_r), .keep(sel));

  initial begin
    cyc = 1'b0;
    stb = 1'b0;
    we = 1'b0;
    adr = '0;
    dat_w = '0;
    sel = '0;
    age = 0;
    seen = -1;
    result = gw_hdl_port(NUMBER, GW_KIND_BUS, 4);
    if (result < 0) $finish(0);
  end

  always @(posedge clk) begin
    turns = gw_turns($time);
    if (rst === 1'b1) begin
      // What is asked for now is asked for behind the reset.
      cyc <= 1'b0;
      stb <= 1'b0;
      age = 0;
      result = 0;
      seen = -1;
    end else if (cyc || result != 0 || turns != seen || ack !== 1'b0 || err !== 1'b0) go_on;
    if (turns < 0 || result < 0) $finish(0);
  end
endmodule
