// SPDX-License-Identifier: BSD-2-Clause
// Loopbacks behind ports of all sorts: the ports' own test. Port 15 is the reset wire; the clock has
// 156.25 MHz, so that no edge falls on a whole nanosecond but every fifth.
`timescale 1ps / 1ps

module lane #(
    parameter int NUMBER = 0,
    parameter int BYTES = 8,
    parameter int GAP = 0,
    parameter int READY_ON = 1,
    parameter int READY_OFF = 0,
    parameter int FAULT = 0,
    parameter int KIND = 1
) (
    input logic clk,
    input logic rst
);
  import gw_ports::*;
  logic [8*BYTES-1:0] in_data, out_data;
  logic [BYTES-1:0] in_keep, out_keep;
  logic in_valid, in_last, in_ready, out_valid, out_last, out_ready;

  gw_axis #(
      .NUMBER(NUMBER), .KIND(KIND), .BYTES(BYTES), .GAP(GAP), .READY_ON(READY_ON), .READY_OFF(READY_OFF)
  ) net (
      .clk(clk), .rst(rst),
      .m_tdata(in_data), .m_tkeep(in_keep), .m_tvalid(in_valid), .m_tlast(in_last), .m_tready(in_ready),
      .s_tdata(out_data), .s_tkeep(out_keep), .s_tvalid(out_valid), .s_tlast(out_last), .s_tready(out_ready)
  );

  loopback #(.BYTES(BYTES), .FAULT(FAULT)) core (
      .clk(clk), .rst(rst),
      .s_tdata(in_data), .s_tkeep(in_keep), .s_tvalid(in_valid), .s_tlast(in_last), .s_tready(in_ready),
      .m_tdata(out_data), .m_tkeep(out_keep), .m_tvalid(out_valid), .m_tlast(out_last), .m_tready(out_ready)
  );
endmodule

module tb_loopback;
  logic clk = 1'b0;
  logic rst;

  always #3200 clk = ~clk;

  gw_reset reset (.clk(clk), .rst(rst));
  gw_case marks (.clk(clk));

  lane #(.NUMBER(0), .BYTES(8), .GAP(0), .READY_ON(1), .READY_OFF(0), .FAULT(0)) lane_0 (.clk(clk), .rst(rst));
  lane #(.NUMBER(1), .BYTES(1), .GAP(0), .READY_ON(3), .READY_OFF(1), .FAULT(0)) lane_1 (.clk(clk), .rst(rst));
  lane #(.NUMBER(2), .BYTES(4), .GAP(2), .READY_ON(1), .READY_OFF(2), .FAULT(0)) lane_2 (.clk(clk), .rst(rst));
  lane #(.NUMBER(3), .BYTES(64), .GAP(1), .READY_ON(2), .READY_OFF(3), .FAULT(0)) lane_3 (.clk(clk), .rst(rst));
  lane #(.NUMBER(4), .BYTES(3), .GAP(0), .READY_ON(1), .READY_OFF(1), .FAULT(0)) lane_4 (.clk(clk), .rst(rst));
  lane #(.NUMBER(5), .BYTES(8), .GAP(0), .READY_ON(1), .READY_OFF(2), .FAULT(1)) lane_5 (.clk(clk), .rst(rst));
  lane #(.NUMBER(6), .BYTES(8), .GAP(0), .READY_ON(1), .READY_OFF(2), .FAULT(2)) lane_6 (.clk(clk), .rst(rst));
  lane #(.NUMBER(7), .BYTES(8), .GAP(0), .READY_ON(1), .READY_OFF(2), .FAULT(3)) lane_7 (.clk(clk), .rst(rst));
  lane #(.NUMBER(8), .BYTES(8), .GAP(0), .READY_ON(1), .READY_OFF(2), .FAULT(4)) lane_8 (.clk(clk), .rst(rst));
  lane #(.NUMBER(9), .BYTES(8), .GAP(0), .READY_ON(1), .READY_OFF(2), .FAULT(5)) lane_9 (.clk(clk), .rst(rst));
  lane #(.NUMBER(10), .BYTES(8), .GAP(3), .READY_ON(1), .READY_OFF(0), .FAULT(6)) lane_10 (.clk(clk), .rst(rst));
  lane #(
      .NUMBER(11), .BYTES(8), .GAP(0), .READY_ON(2), .READY_OFF(1), .FAULT(0), .KIND(gw_ports::GW_KIND_ETHERNET)
  ) lane_11 (.clk(clk), .rst(rst));
endmodule
