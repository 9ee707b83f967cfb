// SPDX-License-Identifier: BSD-2-Clause
// An AXI4-Lite master (Arm IHI 0022) by which goldwire reaches a board's registers, 32 bits wide. One access at a
// time; one that nobody answers is given up after TIMEOUT cycles, as one that ended with an error, and its answer
// is taken when it comes.
//
// SKEW is how many cycles address and data of a write lie apart, now the one first, now the other, now none. Answers
// are waited for: it is ready when they are valid, or when SHY cycles, or up to twice as many, have passed. What the
// core does against the protocol is told to goldwire. It does what gw_axil.vhd does, edge by edge.
`timescale 1ps / 1ps

module gw_axil
  import gw_ports::*;
#(
    parameter int NUMBER = 14,
    parameter int TIMEOUT = 1000,
    parameter int SKEW = 0,
    parameter int SHY = 128
) (
    input logic clk,
    input logic rst,
    output logic [31:0] awaddr,
    output logic [2:0] awprot,
    output logic awvalid,
    input logic awready,
    output logic [31:0] wdata,
    output logic [3:0] wstrb,
    output logic wvalid,
    input logic wready,
    input logic [1:0] bresp,
    input logic bvalid,
    output logic bready,
    output logic [31:0] araddr,
    output logic [2:0] arprot,
    output logic arvalid,
    input logic arready,
    input logic [31:0] rdata,
    input logic [1:0] rresp,
    input logic rvalid,
    output logic rready
);
  localparam int NO = 0, WELL = 1, BADLY = 2;
  localparam int READ = 1, WRITE = 2;
  localparam int MOMENT = 4;    // cycles behind being ready in which an answer may have waited for that
  localparam int LATE_MAX = 8;  // by chance that often in a row: once in 2 ** 40 accesses
  localparam int RESET_IN = 2;  // edges after which a reset has to be seen

  int us, ps;
  int result, done, age, busy;
  int in_reset, late, shy_left, lots, turn, aw_wait, w_wait;
  logic aw_taken, w_taken, ar_taken, b_open, r_open, b_waits, r_waits, abandoned, used;
  logic [1:0] was_bresp;
  logic [33:0] was_r;

  assign awprot = 3'b000;
  assign arprot = 3'b000;

  function automatic void breach(input int which);
    gw_hdl_breach(NUMBER, us, ps, which);
  endfunction

  // What is taken at this edge.
  task look_at_requests;
    if (awvalid && awready) begin
      aw_taken = 1'b1;
      awvalid <= 1'b0;
    end
    if (wvalid && wready) begin
      w_taken = 1'b1;
      wvalid <= 1'b0;
    end
    if (arvalid && arready) begin
      ar_taken = 1'b1;
      arvalid <= 1'b0;
    end
    b_open = busy == WRITE && aw_taken && w_taken;
    r_open = busy == READ && ar_taken;
  endtask

  // What is answered must have been asked for, and stay until it is taken.
  task look_at_answers;
    if ((bvalid && !b_open) || (rvalid && !r_open)) breach(GW_RESPONSE_UNASKED);
    if ((b_waits && !bvalid) || (r_waits && !rvalid)) breach(GW_RESPONSE_DROPPED);
    else if ((b_waits && bresp !== was_bresp) || (r_waits && {rdata, rresp} !== was_r)) breach(GW_RESPONSE_CHANGED);
    b_waits = bvalid && !bready;
    r_waits = rvalid && !rready;
    was_bresp = bresp;
    was_r = {rdata, rresp};
    if (b_open && bvalid && bready) begin
      if (^bresp === 1'bx) breach(GW_RESPONSE_UNKNOWN);
      finish(bresp === 2'b00);
    end else if (r_open && rvalid && rready) begin
      if (^{rdata, rresp} === 1'bx) breach(GW_RESPONSE_UNKNOWN);
      finish(rresp === 2'b00);
    end
  endtask

  // The answer is taken at this edge. Of an access that was given up nobody hears.
  task finish(input logic well);
    if (!used) breach(GW_BUS_USED);
    used = 1'b1;
    late = shy_left <= 0 && shy_left > -MOMENT ? late + 1 : 0;
    if (late >= LATE_MAX) breach(GW_RESPONSE_WAITED);
    if (!abandoned) done = well ? WELL : BADLY;
    busy = 0;
    abandoned = 1'b0;
    bready <= 1'b0;
    rready <= 1'b0;
  endtask

  // Ready for an answer that is there, or that does not come.
  task be_shy;
    if ((b_open && bvalid) || (r_open && rvalid)) begin
      if (shy_left > 0) shy_left = SHY + MOMENT;
    end else if (b_open || r_open) shy_left = shy_left - 1;
    bready <= b_open && (bvalid || shy_left <= 0);
    rready <= r_open && (rvalid || shy_left <= 0);
  endtask

  // The two halves of a write that waits for its turn.
  task go_on;
    if (busy == WRITE && !aw_taken && !awvalid) begin
      awvalid <= aw_wait <= 1;
      aw_wait = aw_wait - 1;
    end
    if (busy == WRITE && !w_taken && !wvalid) begin
      wvalid <= w_wait <= 1;
      w_wait = w_wait - 1;
    end
  endtask

  task begin_access;
    busy = result;
    aw_taken = 1'b0;
    w_taken = 1'b0;
    ar_taken = 1'b0;
    lots = (lots / 2 + 16384 * ((lots + lots / 2) % 2)) % 32768;
    shy_left = SHY + lots % SHY;
    if (busy == WRITE) begin
      awaddr <= gw_hdl_bus_address(NUMBER);
      wdata <= gw_hdl_bus_data(NUMBER);
      wstrb <= 4'(gw_hdl_bus_select(NUMBER));
      aw_wait = turn == 2 ? SKEW : 0;
      w_wait = turn == 1 ? SKEW : 0;
      turn = (turn + 1) % 3;
      awvalid <= aw_wait == 0;
      wvalid <= w_wait == 0;
    end else begin
      araddr <= gw_hdl_bus_address(NUMBER);
      arvalid <= 1'b1;
    end
  endtask

  task begin_anew;
    awvalid <= 1'b0;
    wvalid <= 1'b0;
    arvalid <= 1'b0;
    bready <= 1'b0;
    rready <= 1'b0;
    busy = 0;
    age = 0;
    b_waits = 1'b0;
    r_waits = 1'b0;
    abandoned = 1'b0;
    turn = 0;
    lots = 1;
  endtask

  gw_edges #(.NUMBER(NUMBER), .LANE(0), .WIRES(8), .BYTES(8), .KEEP(4)) asked (
      .clk,
      .wires({arready, arvalid, wready, wvalid, awready, awvalid,
              (awvalid & awready) | (wvalid & wready) | (arvalid & arready), awvalid | wvalid | arvalid}),
      .data({wdata, arvalid ? araddr : awaddr}), .keep(wstrb));
  gw_edges #(.NUMBER(NUMBER), .LANE(1), .WIRES(6), .BYTES(4), .KEEP(2)) answered (
      .clk, .wires({rready, rvalid, bready, bvalid, (bvalid & bready) | (rvalid & rready), bvalid | rvalid}),
      .data(rdata), .keep(rvalid === 1'b1 ? rresp : bresp));

  initial begin
    awaddr = '0;
    awvalid = 1'b0;
    wdata = '0;
    wstrb = '0;
    wvalid = 1'b0;
    bready = 1'b0;
    araddr = '0;
    arvalid = 1'b0;
    rready = 1'b0;
    busy = 0;
    age = 0;
    in_reset = 0;
    late = 0;
    turn = 0;
    lots = 1;
    shy_left = SHY;
    aw_wait = 0;
    w_wait = 0;
    aw_taken = 1'b0;
    w_taken = 1'b0;
    ar_taken = 1'b0;
    b_waits = 1'b0;
    r_waits = 1'b0;
    abandoned = 1'b0;
    used = 1'b0;
    result = gw_hdl_port(NUMBER, GW_KIND_AXIL, 4);
    if (result < 0) $finish(0);
  end

  always @(posedge clk) begin
    us = gw_us($time);
    ps = gw_ps($time);
    done = NO;
    if (rst === 1'b1) begin
      // What is asked for now is asked for behind the reset.
      if (in_reset >= RESET_IN && (bvalid === 1'b1 || rvalid === 1'b1)) breach(GW_RESPONSE_IN_RESET);
      if (in_reset < RESET_IN) in_reset = in_reset + 1;
      begin_anew;
      result = gw_hdl_pace(us, ps) < 0 ? -1 : 0;
    end else begin
      in_reset = 0;
      if (^{awready, wready, bvalid, arready, rvalid} === 1'bx) breach(GW_RESPONSE_UNKNOWN);
      else begin
        look_at_requests;
        be_shy;
        look_at_answers;
        go_on;
      end
      if (done == NO && age >= TIMEOUT) begin
        done = BADLY;
        abandoned = busy != 0;
      end
      result = gw_hdl_bus(NUMBER, us, ps, done, rdata);
      age = result > 0 ? age + 1 : 0;
      if (result > 0 && busy == 0) begin_access;
    end
    if (result < 0) $finish(0);
  end
endmodule
