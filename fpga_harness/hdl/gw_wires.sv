// SPDX-License-Identifier: BSD-2-Clause
// Wires of a board that goldwire is to see, an interrupt for instance: sixteen bytes from BASE on of the bus by
// which it reaches the board's registers (gw_wb), and the rest of that bus is the board's. It looks at each edge
// of the clock, and is plain logic: a board may have it as well.
//
//     BASE + 00h  how the wires are now
//            04h  those that were 1 since they were last forgotten
//            08h  those that were 0
//            0Ch  those that were neither
//
// A write to any of the four forgets what was. Bits beyond WIDTH read 0.
`timescale 1ps / 1ps

module gw_wires #(
    parameter int WIDTH = 1,
    parameter logic [31:0] BASE = 32'hf000_0000
) (
    input logic clk,
    input logic rst,
    // the bus
    input logic cyc,
    input logic stb,
    input logic we,
    input logic [31:0] adr,
    output logic [31:0] dat_r,
    output logic ack,
    output logic err,
    // what the board has of it
    output logic board_cyc,
    output logic board_stb,
    input logic [31:0] board_dat_r,
    input logic board_ack,
    input logic board_err,
    input logic [WIDTH-1:0] wires
);
  logic here, own_ack, asked, forgets, anew;
  logic [31:0] own, level, high, low, unknown;
  logic [WIDTH-1:0] was;

  assign here = adr[31:4] == BASE[31:4];
  assign board_cyc = cyc && !here;
  assign board_stb = stb && !here;
  assign ack = own_ack || board_ack;
  assign err = board_err;
  assign dat_r = own_ack ? own : board_dat_r;
  assign asked = cyc && stb && here && !own_ack;
  assign forgets = asked && we;

  function automatic logic [31:0] equal(input logic [WIDTH-1:0] bits, input logic to);
    equal = '0;
    for (int i = 0; i < WIDTH; i++) equal[i] = bits[i] === to;
  endfunction

  assign level = equal(wires, 1'b1);

  // Wires that are as they were at the last edge add nothing.
  always_ff @(posedge clk) begin
    own_ack <= asked && !rst;
    if (asked)
      case (adr[3:2])
        2'd0: own <= level;
        2'd1: own <= high;
        2'd2: own <= low;
        default: own <= unknown;
      endcase
    if (wires !== was || forgets || anew || rst) begin
      was <= wires;
      anew <= rst;
      high <= (forgets ? '0 : high) | level;
      low <= (forgets ? '0 : low) | equal(wires, 1'b0);
      unknown <= (forgets ? '0 : unknown) | (equal({WIDTH{1'b1}}, 1'b1) & ~level & ~equal(wires, 1'b0));
      if (rst) begin
        high <= '0;
        low <= '0;
        unknown <= '0;
      end
    end
  end
endmodule
