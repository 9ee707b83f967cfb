// SPDX-License-Identifier: BSD-2-Clause
// A port of words of a simulated board, as a link core has them at its user's side: double words with start,
// end and remainder of a frame (kind GW_KIND_OP2P). It stands for the link core and its partner: goldwire's
// frames go in by rx_, the board's come out by tx_. rem is the number of bytes of the last word, less one.
//
// What happens on the link beside frames (flow control, the channel, errors between frames) is port EVENTS
// (GW_KIND_LINK): XOFF of the board holds goldwire's frames back at their boundaries, here; while
// the channel is down they are thrown away. A channel that is told up goes down before, for it begins anew.
//
// GAP is how many cycles pass between two words that goldwire sends, within frames as well; READY_ON and
// READY_OFF are how many cycles in turn it is ready, and is not, for what the board sends.
`timescale 1ps / 1ps

module gw_words
  import gw_ports::*;
#(
    parameter int NUMBER = 0,
    parameter int EVENTS = 1,
    parameter int GAP = 0,
    parameter int READY_ON = 1,
    parameter int READY_OFF = 0
) (
    input logic clk,
    input logic rst,
    output logic channel_up,
    output logic [0:1] lane_up,
    output logic soft_error,
    output logic frame_error,
    output logic [31:0] rx_data,
    output logic rx_sof,
    output logic rx_eof,
    output logic [1:0] rx_rem,
    output logic rx_valid,
    input logic rx_ready,
    output logic rx_nfc,
    output logic [3:0] rx_nfc_code,
    input logic [31:0] tx_data,
    input logic tx_sof,
    input logic tx_eof,
    input logic [1:0] tx_rem,
    input logic tx_valid,
    output logic tx_ready,
    input logic tx_nfc,
    input logic [3:0] tx_nfc_code,
    output logic tx_nfc_ready
);
  // Beside a word: gw_hdl.h, GW_SIM_OP2P.
  localparam int SOF = 0, EOF = 1, REM = 2, SOFT = 4, FRAME = 5;
  // Of an event.
  localparam int FLOW = 1, CHANNEL = 2, ERROR = 3;
  localparam int DOWN_CYCLES = 8;   // of a channel that begins anew
  localparam int CHUNK_WORDS = 512; // of a frame that does not end, told at once

  int result, offer, event_result, side, pause, turn, low, length, event_word, turns, seen;
  logic shown, halted, discards, waits, active;
  logic [1:0] lanes;
  logic [31:0] word;
  logic [35:0] was;

  function automatic void breach(input int which);
    gw_hdl_breach(NUMBER, gw_us($time), gw_ps($time), which);
  endfunction

  // What the board offers must stay until it is taken.
  task check;
    if (waits && tx_valid === 1'b0) breach(GW_VALID_DROPPED);
    else if (waits && {tx_data, tx_sof, tx_eof, tx_rem} !== was) breach(GW_DATA_CHANGED);
    waits = tx_valid === 1'b1 && tx_ready === 1'b0;
    was = {tx_data, tx_sof, tx_eof, tx_rem};
  endtask

  task take;
    // Not $isunknown: of a concatenation it is always true in Icarus Verilog 11.
    if (^{tx_data, tx_sof, tx_eof, tx_rem} === 1'bx) breach(GW_UNKNOWN);
    length = tx_sof === 1'b1 ? 1 : length + 1;
    gw_hdl_rx_word(NUMBER, 0, tx_data);
    side = 0;
    side[SOF] = tx_sof === 1'b1;
    side[EOF] = tx_eof === 1'b1;
    side[REM+:2] = tx_rem;
    result = gw_hdl_rx(NUMBER, gw_us($time), gw_ps($time), 4,
        (side << GW_SIDE_SHIFT) | (tx_eof === 1'b1 || length % CHUNK_WORDS == 0 ? GW_LAST_BEAT : 0));
  endtask

  // The board halts its partner, or lets it go on: told once each time.
  task take_flow;
    halted = tx_nfc_code === 4'hf;
    gw_hdl_rx_word(EVENTS, 0, {16'd0, 4'd0, tx_nfc_code, 8'(FLOW)});
    result = gw_hdl_rx(EVENTS, gw_us($time), gw_ps($time), 4, GW_LAST_BEAT);
  endtask

  task answer_flow;
    tx_nfc_ready <= rst !== 1'b1 && tx_nfc === 1'b1 && !tx_nfc_ready;
    if (result >= 0 && rst !== 1'b1 && tx_nfc === 1'b1 && tx_nfc_ready) take_flow;
  endtask

  // The next event, once the last one is over.
  task next_event;
    rx_nfc <= 1'b0;
    if (low > 0) begin
      // What was kept for the link as it was is thrown away first.
      if (low > 1 || offer == 0) low = low - 1;
      if (low == 0 && lanes != 0) begin
        channel_up <= 1'b1;
        lane_up <= lanes;
        discards = 1'b0;
      end
    end else if (turns != seen || event_result != 0) begin
      event_result = gw_hdl_tx(EVENTS, gw_us($time), gw_ps($time), 1);
      if (event_result > 0) begin
        event_word = gw_hdl_tx_word(EVENTS, 0);
        case (event_word[7:0])
          FLOW: begin
            rx_nfc <= 1'b1;
            rx_nfc_code <= event_word[11:8];
          end
          CHANNEL: begin
            lanes = {event_word[8], event_word[9]};
            discards = 1'b1;
            halted = 1'b0;
            channel_up <= 1'b0;
            lane_up <= '0;
            low = DOWN_CYCLES;
          end
          ERROR: soft_error <= 1'b1;
          default: ;
        endcase
      end
    end
  endtask

  // The next word: shown at once, or held back while the board does not want a frame to begin.
  task show;
    rx_valid <= 1'b0;
    soft_error <= 1'b0;
    frame_error <= 1'b0;
    shown = 1'b0;
    side = offer >> GW_SIDE_SHIFT;
    if (offer > 0 && low == 0 && !discards && !(halted && side[SOF]) && pause == 0) begin
      word = gw_hdl_tx_word(NUMBER, 0);
      rx_data <= word;
      rx_sof <= side[SOF];
      rx_eof <= side[EOF];
      rx_rem <= side[REM+:2];
      soft_error <= side[SOFT];
      frame_error <= side[FRAME];
      rx_valid <= 1'b1;
      shown = 1'b1;
      pause = GAP;
    end else if (pause > 0) pause = pause - 1;
  endtask

  // What is said to the board. Where nothing is under way, there is something to say only behind a turn of goldwire.
  task go_on;
    if (!shown || rx_ready === 1'b1) begin
      if (turns != seen || offer != 0) offer = gw_hdl_tx(NUMBER, gw_us($time), gw_ps($time), shown || discards);
      show;
    end
    if (offer >= 0) next_event;
    seen = turns;
    if (offer < 0 || event_result < 0) result = -1;
    active = shown || offer != 0 || event_result != 0 || low != 0 || pause != 0;
  endtask

  gw_edges #(.NUMBER(NUMBER), .LANE(0), .WIRES(4), .BYTES(4), .KEEP(2)) rx_edges (
      .clk, .wires({rx_sof, rx_eof, rx_ready, rx_valid}), .data(rx_data), .keep(rx_rem));
  gw_edges #(.NUMBER(NUMBER), .LANE(1), .WIRES(4), .BYTES(4), .KEEP(2)) tx_edges (
      .clk, .wires({tx_sof, tx_eof, tx_ready, tx_valid}), .data(tx_data), .keep(tx_rem));

  initial begin
    channel_up = 1'b1;
    lane_up = 2'b11;
    lanes = 2'b11;
    soft_error = 1'b0;
    frame_error = 1'b0;
    rx_data = '0;
    rx_sof = 1'b0;
    rx_eof = 1'b0;
    rx_rem = '0;
    rx_valid = 1'b0;
    rx_nfc = 1'b0;
    rx_nfc_code = '0;
    tx_ready = 1'b0;
    tx_nfc_ready = 1'b0;
    shown = 1'b0;
    halted = 1'b0;
    discards = 1'b0;
    waits = 1'b0;
    active = 1'b1;
    pause = 0;
    turn = 0;
    low = 0;
    length = 0;
    offer = 0;
    seen = -1;
    result = gw_hdl_port(NUMBER, GW_KIND_OP2P, 4);
    event_result = gw_hdl_port(EVENTS, GW_KIND_LINK, 4);
    if (result < 0 || event_result < 0) $finish(0);
  end

  always @(posedge clk) begin
    turns = gw_turns($time);
    result = turns < 0 ? -1 : 0;
    if (rst === 1'b1) begin
      waits = 1'b0;
      turn = 0;
      length = 0;
      halted = 1'b0;
    end else if (^tx_valid === 1'bx) breach(GW_UNKNOWN);
    else if (tx_valid || waits) begin
      check;
      if (tx_valid === 1'b1 && tx_ready === 1'b1 && channel_up) take;
    end
    turn = turn < READY_ON + READY_OFF - 1 ? turn + 1 : 0;
    tx_ready <= turn < READY_ON;
    if (tx_nfc === 1'b1 || tx_nfc_ready) answer_flow;
    if (result >= 0) begin
      if (rst === 1'b1) begin
        // Nothing is offered to a board in reset; what was on offer comes again behind it.
        rx_valid <= 1'b0;
        shown = 1'b0;
        seen = -1;
      end else if (turns != seen || active) go_on;
    end
    if (result < 0) $finish(0);
  end
endmodule
