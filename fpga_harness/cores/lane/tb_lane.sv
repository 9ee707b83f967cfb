// SPDX-License-Identifier: BSD-2-Clause
// One loopback of 8 bytes a beat behind one port, 0; port 15 is the reset wire.
`timescale 1ps / 1ps

module tb_lane;
  import gw_ports::*;
  logic clk = 1'b0;
  logic rst;
  logic [63:0] in_data, out_data;
  logic [7:0] in_keep, out_keep;
  logic in_valid, in_last, in_ready, out_valid, out_last, out_ready;

  always #4000 clk = ~clk;  // 125 MHz

  gw_reset reset (.clk(clk), .rst(rst));

  gw_axis #(.NUMBER(0), .KIND(GW_KIND_UDP), .BYTES(8)) net (
      .clk(clk), .rst(rst),
      .m_tdata(in_data), .m_tkeep(in_keep), .m_tvalid(in_valid), .m_tlast(in_last), .m_tready(in_ready),
      .s_tdata(out_data), .s_tkeep(out_keep), .s_tvalid(out_valid), .s_tlast(out_last), .s_tready(out_ready)
  );

  loopback #(.BYTES(8)) core (
      .clk(clk), .rst(rst),
      .s_tdata(in_data), .s_tkeep(in_keep), .s_tvalid(in_valid), .s_tlast(in_last), .s_tready(in_ready),
      .m_tdata(out_data), .m_tkeep(out_keep), .m_tvalid(out_valid), .m_tlast(out_last), .m_tready(out_ready)
  );
endmodule
