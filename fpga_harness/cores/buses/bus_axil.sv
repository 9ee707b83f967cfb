// SPDX-License-Identifier: BSD-2-Clause
// 64 words behind AXI4-Lite; an address beyond them is answered by SLVERR, and 0x200 by nothing. FAULT plants what is
// wrong: 1 valid falls while it waits, 2 an answer changes then, 3 a second answer, 4 unknown data, 5 valid in reset,
// 6 an answer waits for ready.
`timescale 1ps / 1ps

module bus_axil #(
    parameter int FAULT = 0
) (
    input logic clk,
    input logic rst,
    input logic [31:0] awaddr,
    input logic awvalid,
    output logic awready,
    input logic [31:0] wdata,
    input logic [3:0] wstrb,
    input logic wvalid,
    output logic wready,
    output logic [1:0] bresp,
    output logic bvalid,
    input logic bready,
    input logic [31:0] araddr,
    input logic arvalid,
    output logic arready,
    output logic [31:0] rdata,
    output logic [1:0] rresp,
    output logic rvalid,
    input logic rready
);
  logic [31:0] memory[64];
  logic [31:0] address, data, answer;
  logic [3:0] strobes;
  logic has_address, has_data, b_full, r_full, waited, again;
  logic [1:0] response;

  assign awready = !rst && !has_address && !b_full;
  assign wready = !rst && !has_data && !b_full;
  assign arready = !rst && !r_full;
  assign bvalid = FAULT == 5 && rst ? 1'b1 : FAULT == 1 ? b_full && !waited : FAULT == 6 ? b_full && bready : b_full;
  assign rvalid = FAULT == 1 ? r_full && !waited : FAULT == 6 ? r_full && rready : r_full;
  assign bresp = FAULT == 2 && waited ? ~response : response;
  assign rresp = response;
  assign rdata = FAULT == 4 ? 'x : FAULT == 2 && waited ? ~answer : answer;

  initial begin
    for (int i = 0; i < 64; i++) memory[i] = '0;
    {has_address, has_data, b_full, r_full, waited, again} = '0;
    {address, data, answer, strobes, response} = '0;
  end

  always @(posedge clk) begin
    waited <= (bvalid && !bready) || (rvalid && !rready);
    if (awvalid && awready) begin
      address <= awaddr;
      has_address <= 1'b1;
    end
    if (wvalid && wready) begin
      data <= wdata;
      strobes <= wstrb;
      has_data <= 1'b1;
    end
    if (has_address && has_data && !b_full && address[9:0] != 10'h200) begin
      has_address <= 1'b0;
      has_data <= 1'b0;
      b_full <= 1'b1;
      response <= address < 256 ? 2'b00 : 2'b10;
      if (address < 256)
        for (int i = 0; i < 4; i++) if (strobes[i]) memory[address[7:2]][8*i+:8] <= data[8*i+:8];
    end
    if (arvalid && arready && araddr[9:0] != 10'h200) begin
      answer <= araddr < 256 ? memory[araddr[7:2]] : '0;
      response <= araddr < 256 ? 2'b00 : 2'b10;
      r_full <= 1'b1;
      again <= 1'b1;
    end
    if (bvalid && bready) b_full <= 1'b0;
    if (rvalid && rready) begin
      r_full <= FAULT == 3 && again;
      again <= 1'b0;
    end
    if (rst) {has_address, has_data, b_full, r_full, waited, again} <= '0;
  end
endmodule
