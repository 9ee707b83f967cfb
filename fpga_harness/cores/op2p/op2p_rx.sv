// SPDX-License-Identifier: BSD-2-Clause
// The way into a port: keeps up to eight frames until they are looked at. A frame is known good only at its
// end: whether it came within an error, and how long it was. A frame inside another takes its place.
`timescale 1ps / 1ps

module op2p_rx
  import op2p_faults::*;
#(
    parameter int FAULT = 0
) (
    input logic clk,
    input logic rst,
    input logic held,  // in reset: what comes is thrown away
    input logic channel_up,
    // from the link
    input logic [31:0] link_data,
    input logic link_sof,
    input logic link_eof,
    input logic [1:0] link_rem,
    input logic link_valid,
    output logic link_ready,
    input logic link_error,
    input logic link_nfc,
    output logic in_frame,  // a frame has begun and not ended
    // the oldest frame
    output logic have,
    output logic [11:0] len,  // bytes; a frame of more than 2048 has 2048
    output logic bad,
    input logic [8:0] at,
    output logic [31:0] word,  // a cycle after |at|
    input logic done
);
  localparam int SLOTS = 8;

  logic [11:0] lens[0:SLOTS-1];
  logic [SLOTS-1:0] bads;
  logic [2:0] first, next;
  logic [3:0] count;
  logic [8:0] num, index;
  logic open, spoilt, beat, takes, ends, worse;

  assign link_ready = held || !channel_up || count != SLOTS;
  assign beat = link_valid && link_ready && !held && channel_up;
  assign takes = beat && (link_sof || open);
  assign ends = takes && link_eof;
  assign index = link_sof ? 9'd0 : num;
  assign in_frame = open;

  logic [3:0] gap;  // cycles without a word of the frame that is open, fifteen at most
  logic stale;
  assign stale = FAULT == FAULT_GAP_KEEPS_WORD && !link_sof && gap >= 4;
  assign worse = link_error || (spoilt && !link_sof);

  assign have = count != 0;
  assign len = lens[first];
  assign bad = bads[first];

  op2p_ram #(.BITS(12)) frames (
      .clk(clk), .write(takes && !stale), .write_at({next, index}), .in(link_data), .read_at({first, at}), .out(word)
  );

  always_ff @(posedge clk) begin
    if (takes) begin
      open <= !link_eof;
      num <= index == 9'd511 ? index : index + 9'd1;
      spoilt <= worse;
    end else begin
      if (link_error) spoilt <= spoilt || open;
      if (FAULT == FAULT_FLOW_IS_A_WORD && open && link_nfc) num <= num + 9'd1;
    end
    gap <= !open || link_valid ? 4'd0 : gap == 4'd15 ? gap : gap + 4'd1;
    if (ends) begin
      lens[next] <= {1'b0, index, 2'b00} + (FAULT == FAULT_REMAINDER_IGNORED ? 12'd4 : {10'd0, link_rem} + 12'd1);
      bads[next] <= worse;
      next <= next + 3'd1;
    end
    if (done) first <= first + 3'd1;
    count <= count + {3'd0, ends} - {3'd0, done};
    if (held || !channel_up) open <= 1'b0;
    if (rst || held) begin
      first <= '0;
      next <= '0;
      count <= '0;
      open <= 1'b0;
      spoilt <= 1'b0;
      num <= '0;
    end
  end
endmodule
