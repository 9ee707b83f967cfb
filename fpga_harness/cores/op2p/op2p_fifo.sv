// SPDX-License-Identifier: BSD-2-Clause
// A FIFO between host and port, of 16 double words. An empty one shows what was read last; what comes to
// a full one is dropped.
`timescale 1ps / 1ps

module op2p_fifo
  import op2p_faults::*;
#(
    parameter int FAULT = 0
) (
    input logic clk,
    input logic rst,
    input logic push,
    input logic [31:0] in,
    input logic pop,
    output logic [31:0] out,
    output logic [4:0] count,
    output logic full
);
  localparam logic [4:0] DEPTH = FAULT == FAULT_FULL_ONE_EARLY ? 5'd15 : 5'd16;

  logic [31:0] words[0:15];
  logic [31:0] last;
  logic [3:0] first;
  logic takes, gives;
  logic [3:0] behind;

  assign full = count >= DEPTH;
  assign out = count == 0 ? last : words[first];
  assign takes = push && (!full || (FAULT == FAULT_FULL_TAKES_ONE && count == DEPTH));
  assign gives = pop && count != 0;
  assign behind = first + count[3:0];

  always_ff @(posedge clk) begin
    if (takes) words[behind] <= in;
    if (gives) begin
      last <= words[first];
      first <= first + 4'd1;
    end
    count <= count + {4'd0, takes} - {4'd0, gives};
    if (rst) begin
      first <= '0;
      count <= '0;
      last <= '0;
    end
  end
endmodule
