// SPDX-License-Identifier: BSD-2-Clause
// The buffer memory of a node: double words, byte enables, a way in and out for each of two ports. What
// is asked for comes a cycle later.
`timescale 1ps / 1ps

module op2p_memory #(
    parameter int BITS = 20
) (
    input logic clk,
    input logic [3:0] a_write,
    input logic [BITS-1:0] a_at,
    input logic [31:0] a_in,
    output logic [31:0] a_out,
    input logic [3:0] b_write,
    input logic [BITS-1:0] b_at,
    input logic [31:0] b_in,
    output logic [31:0] b_out
);
  logic [31:0] words[0:2**BITS-1];

  function automatic logic [31:0] merge(input logic [31:0] old, input logic [31:0] in, input logic [3:0] enables);
    merge = old;
    for (int i = 0; i < 4; i++) if (enables[i]) merge[8*i+:8] = in[8*i+:8];
  endfunction

  initial for (int i = 0; i < 2 ** BITS; i++) words[i] = '0;

  always_ff @(posedge clk) begin
    a_out <= words[a_at];
    b_out <= words[b_at];
    if (a_write != 0) words[a_at] <= merge(words[a_at], a_in, a_write);
    if (b_write != 0) words[b_at] <= merge(words[b_at], b_in, b_write);
  end
endmodule
