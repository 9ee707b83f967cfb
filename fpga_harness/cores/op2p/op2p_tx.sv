// SPDX-License-Identifier: BSD-2-Clause
// The way out of a port: up to sixteen frames that wait, and a copy of the last one that was sent and may be
// asked for again. A frame that has begun comes to its end whatever the partner says; one that the channel
// cut off is sent again when it is up.
`timescale 1ps / 1ps

module op2p_tx
  import op2p_faults::*;
#(
    parameter int FAULT = 0
) (
    input logic clk,
    input logic rst,
    input logic clear,  // forget all but the frame under way
    input logic channel_up,
    input logic may_start,
    // the frame that is being written
    input logic put,
    input logic [8:0] put_at,
    input logic [31:0] put_word,
    input logic commit,
    input logic [8:0] commit_words,
    input logic commit_kept,  // to be copied
    output logic full,
    output logic empty,
    // the copy
    output logic busy,
    output logic [8:0] last_words,  // 0: none
    input logic [8:0] last_at,
    output logic [31:0] last_word,  // a cycle after |last_at|
    // to the link
    output logic [31:0] link_data,
    output logic link_sof,
    output logic link_eof,
    output logic [1:0] link_rem,
    output logic link_valid,
    input logic link_ready
);
  localparam int SLOTS = 16;

  logic [8:0] words[0:SLOTS-1];
  logic [SLOTS-1:0] kept;
  logic [3:0] first, next;
  logic [4:0] count;
  logic [8:0] index, read_at;
  logic active, advance, over;

  assign full = count == SLOTS;
  assign empty = count == 0;
  assign busy = active;
  assign advance = active && (link_ready || (FAULT == FAULT_READY_IGNORED && index >= 16));
  assign over = advance && link_eof;
  assign read_at = !active ? 9'd0 : advance ? index + 9'd1 : index;

  assign link_valid = active;
  assign link_sof = active && index == 0;
  assign link_eof = active && index == words[first] - 9'd1;
  assign link_rem = 2'd3;

  op2p_ram #(.BITS(13)) frames (
      .clk(clk), .write(put), .write_at({next, put_at}), .in(put_word), .read_at({first, read_at}), .out(link_data)
  );

  op2p_ram #(.BITS(9)) copy (
      .clk(clk), .write(advance && kept[first]), .write_at(index), .in(link_data), .read_at(last_at), .out(last_word)
  );

  always_ff @(posedge clk) begin
    if (commit) begin
      words[next] <= commit_words;
      kept[next] <= commit_kept;
      next <= next + 4'd1;
    end
    if (!active && count != 0 && may_start) begin
      active <= 1'b1;
      index <= '0;
    end else if (advance) index <= index + 9'd1;
    if (advance && kept[first] && index == 0) last_words <= '0;
    if (over) begin
      active <= 1'b0;
      first <= first + 4'd1;
      if (kept[first]) last_words <= words[first];
    end
    count <= count + {4'd0, commit} - {4'd0, over};
    if (!channel_up && FAULT != FAULT_SENDS_WHILE_DOWN) active <= 1'b0;
    if (rst || clear) begin
      last_words <= '0;
      next <= active ? first + 4'd1 : first;
      count <= active && !over ? 5'd1 : 5'd0;
    end
    if (rst) begin
      active <= 1'b0;
      first <= '0;
      next <= '0;
      count <= '0;
    end
  end
endmodule
