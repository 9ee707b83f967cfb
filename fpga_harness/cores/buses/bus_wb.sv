// SPDX-License-Identifier: BSD-2-Clause
// 64 words behind a classic Wishbone; an address beyond them ends with err, and 0x200 not at all. FAULT plants what is
// wrong: 1 ack and err together, 2 ack a cycle longer than the bus cycle.
`timescale 1ps / 1ps

module bus_wb #(
    parameter int FAULT = 0
) (
    input logic clk,
    input logic rst,
    input logic cyc,
    input logic stb,
    input logic we,
    input logic [31:0] adr,
    input logic [31:0] dat_w,
    input logic [3:0] sel,
    output logic [31:0] dat_r,
    output logic ack,
    output logic err
);
  logic [31:0] memory[64];
  logic asked;

  assign asked = cyc && stb && !ack && !err && adr[9:0] != 10'h200;

  initial begin
    for (int i = 0; i < 64; i++) memory[i] = '0;
    {dat_r, ack, err} = '0;
  end

  always @(posedge clk) begin
    ack <= (asked && adr < 256) || (FAULT == 2 && ack && cyc);
    err <= asked && (adr >= 256 || FAULT == 1);
    if (asked && adr < 256) begin
      dat_r <= memory[adr[7:2]];
      if (we) for (int i = 0; i < 4; i++) if (sel[i]) memory[adr[7:2]][8*i+:8] <= dat_w[8*i+:8];
    end
    if (rst) {ack, err} <= '0;
  end
endmodule
