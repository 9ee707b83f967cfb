// SPDX-License-Identifier: BSD-2-Clause
// Which of the ENTRIES entries of 2 KiB of the forwarding pool are taken, 512 at most, and the lowest that is free.
`timescale 1ps / 1ps

module op2p_pool
  import op2p_faults::*;
#(
    parameter int FAULT = 0,
    parameter int ENTRIES = 512
) (
    input logic clk,
    input logic rst,
    input logic [31:0] base,
    input logic take,
    input logic [8:0] take_at,
    input logic free,
    input logic [31:0] free_at,
    output logic [8:0] entry,  // the lowest free one ...
    output logic any,  // ... if there is one
    output logic almost_full  // one is free at most
);
  // Those that are not there are never free.
  localparam logic [511:0] BEYOND = {512{1'b1}} << ENTRIES;

  logic [511:0] taken;
  logic [15:0] whole;  // groups of 32
  logic [3:0] group;
  logic [31:0] bits;
  logic [31:0] offset;
  logic frees;

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : gen_whole
      assign whole[i] = &taken[32*i+:32];
    end
  endgenerate

  function automatic logic [3:0] lowest_group(input logic [15:0] all);
    lowest_group = 4'd15;
    for (int i = 15; i >= 0; i--) if (!all[i]) lowest_group = i[3:0];
  endfunction

  function automatic logic [4:0] lowest_bit(input logic [31:0] all);
    lowest_bit = 5'd31;
    for (int i = 31; i >= 0; i--) if (!all[i]) lowest_bit = i[4:0];
  endfunction

  assign group = lowest_group(whole);
  assign bits = taken[32*group+:32];
  assign entry = {group, lowest_bit(bits)};
  assign any = FAULT == FAULT_POOL_ONE_TOO_FEW || !(&whole);
  assign almost_full = FAULT == FAULT_POOL_ONE_TOO_FEW ? 1'b0 : !any || entry == 9'(ENTRIES - 1);

  // Only the address at which an entry begins frees it.
  assign offset = free_at - base;
  assign frees = free && offset[31:20] == 0 && offset[10:0] == 0 && !BEYOND[offset[19:11]];

  always_ff @(posedge clk) begin
    if (take) taken[take_at] <= 1'b1;
    if (frees) taken[offset[19:11]] <= 1'b0;
    if (rst) taken <= BEYOND;
  end
endmodule
