// SPDX-License-Identifier: BSD-2-Clause
// A block RAM of double words: one way in, one way out, which tells a cycle later what was asked for.
`timescale 1ps / 1ps

module op2p_ram #(
    parameter int BITS = 9
) (
    input logic clk,
    input logic write,
    input logic [BITS-1:0] write_at,
    input logic [31:0] in,
    input logic [BITS-1:0] read_at,
    output logic [31:0] out
);
  logic [31:0] words[0:2**BITS-1];

  always_ff @(posedge clk) begin
    if (write) words[write_at] <= in;
    out <= words[read_at];
  end
endmodule
