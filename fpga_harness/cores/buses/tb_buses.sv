// SPDX-License-Identifier: BSD-2-Clause
// Small memories behind the ports for registers: the ports' own test. Ports 0 to 7 are AXI4-Lite, 8 to 10 Wishbone, 11
// to 13 watch the three, 15 is the reset wire.
`timescale 1ps / 1ps

module axil_lane #(
    parameter int NUMBER = 0,
    parameter int SKEW = 0,
    parameter int FAULT = 0
) (
    input logic clk,
    input logic rst
);
  logic [31:0] awaddr, wdata, araddr, rdata;
  logic [3:0] wstrb;
  logic [1:0] bresp, rresp;
  logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;

  gw_axil #(.NUMBER(NUMBER), .TIMEOUT(300), .SKEW(SKEW), .SHY(32)) regs (
      .clk(clk), .rst(rst), .awaddr(awaddr), .awprot(), .awvalid(awvalid), .awready(awready), .wdata(wdata),
      .wstrb(wstrb), .wvalid(wvalid), .wready(wready), .bresp(bresp), .bvalid(bvalid), .bready(bready),
      .araddr(araddr), .arprot(), .arvalid(arvalid), .arready(arready), .rdata(rdata), .rresp(rresp),
      .rvalid(rvalid), .rready(rready)
  );

  bus_axil #(.FAULT(FAULT)) core (
      .clk(clk), .rst(rst), .awaddr(awaddr), .awvalid(awvalid), .awready(awready), .wdata(wdata), .wstrb(wstrb),
      .wvalid(wvalid), .wready(wready), .bresp(bresp), .bvalid(bvalid), .bready(bready), .araddr(araddr),
      .arvalid(arvalid), .arready(arready), .rdata(rdata), .rresp(rresp), .rvalid(rvalid), .rready(rready)
  );
endmodule

module wb_lane #(
    parameter int NUMBER = 8,
    parameter int FAULT = 0
) (
    input logic clk,
    input logic rst
);
  logic [31:0] adr, dat_w, dat_r;
  logic [3:0] sel;
  logic cyc, stb, we, ack, err;

  gw_wb #(.NUMBER(NUMBER), .TIMEOUT(300)) regs (
      .clk(clk), .rst(rst), .cyc(cyc), .stb(stb), .we(we), .adr(adr), .dat_w(dat_w), .sel(sel), .dat_r(dat_r),
      .ack(ack), .err(err)
  );

  gw_wb_watch #(.NUMBER(NUMBER + 3)) watch (
      .clk(clk), .rst(rst), .cyc(cyc), .stb(stb), .we(we), .adr(adr), .sel(sel), .dat(dat_w),
      .stall(!(ack || err)), .ack(ack), .err(err), .rty(1'b0)
  );

  bus_wb #(.FAULT(FAULT)) core (
      .clk(clk), .rst(rst), .cyc(cyc), .stb(stb), .we(we), .adr(adr), .dat_w(dat_w), .sel(sel), .dat_r(dat_r),
      .ack(ack), .err(err)
  );
endmodule

module tb_buses;
  logic clk = 1'b0;
  logic rst;

  always #3200 clk = ~clk;

  gw_reset reset (.clk(clk), .rst(rst));

  axil_lane #(.NUMBER(0), .SKEW(0), .FAULT(0)) lane_0 (.clk(clk), .rst(rst));
  axil_lane #(.NUMBER(1), .SKEW(0), .FAULT(1)) lane_1 (.clk(clk), .rst(rst));
  axil_lane #(.NUMBER(2), .SKEW(0), .FAULT(2)) lane_2 (.clk(clk), .rst(rst));
  axil_lane #(.NUMBER(3), .SKEW(0), .FAULT(3)) lane_3 (.clk(clk), .rst(rst));
  axil_lane #(.NUMBER(4), .SKEW(0), .FAULT(4)) lane_4 (.clk(clk), .rst(rst));
  axil_lane #(.NUMBER(5), .SKEW(0), .FAULT(5)) lane_5 (.clk(clk), .rst(rst));
  axil_lane #(.NUMBER(6), .SKEW(0), .FAULT(6)) lane_6 (.clk(clk), .rst(rst));
  axil_lane #(.NUMBER(7), .SKEW(3), .FAULT(0)) lane_7 (.clk(clk), .rst(rst));
  wb_lane #(.NUMBER(8), .FAULT(0)) lane_8 (.clk(clk), .rst(rst));
  wb_lane #(.NUMBER(9), .FAULT(1)) lane_9 (.clk(clk), .rst(rst));
  wb_lane #(.NUMBER(10), .FAULT(2)) lane_10 (.clk(clk), .rst(rst));
endmodule
