// SPDX-License-Identifier: BSD-2-Clause
// An AXI4-Stream port of a simulated board (Arm IHI 0051B): goldwire's frames go in by m_, the core's
// frames come out by s_. KIND says what a frame is: GW_KIND_UDP, the payload of a datagram, or GW_KIND_ETHERNET,
// a frame without its check sequence. Byte 0 of a beat is bits 7:0.
//
// GAP is how many cycles pass between two beats that goldwire sends; READY_ON and READY_OFF are how
// many cycles in turn it is ready, and is not, for what the core sends. Between frames it waits for the core
// to be valid first, and looks for SHY cycles, or up to twice as many, before it is ready for a moment: a
// core that waits for that moment each time waits for ready. What the core does against the protocol is told
// to goldwire. What goldwire says of valid and ready (sim://NAME?valid=...&ready=...) goes before READY_ON and READY_OFF,
// and comes on top of GAP. It does what gw_axis.vhd does, edge by edge.
`timescale 1ps / 1ps

module gw_axis
  import gw_ports::*;
#(
    parameter int NUMBER = 0,
    parameter int KIND = 1,
    parameter int BYTES = 8,
    parameter int GAP = 0,
    parameter int READY_ON = 1,
    parameter int READY_OFF = 0,
    parameter int SHY = 128
) (
    input logic clk,
    input logic rst,
    output logic [8*BYTES-1:0] m_tdata,
    output logic [BYTES-1:0] m_tkeep,
    output logic m_tvalid,
    output logic m_tlast,
    input logic m_tready,
    input logic [8*BYTES-1:0] s_tdata,
    input logic [BYTES-1:0] s_tkeep,
    input logic s_tvalid,
    input logic s_tlast,
    output logic s_tready
);
  localparam int WORDS = (BYTES + 3) / 4;
  localparam int MOMENT = 4;  // cycles of being ready for a core that may wait for it
  localparam int LATE_MAX = 8;  // by chance that often in a row: once in 2 ** 40 frames

  logic [32*WORDS-1:0] beat;
  logic [32*WORDS-1:0] sent;
  logic [8*BYTES-1:0] was_data;
  logic [BYTES-1:0] was_keep;
  logic was_last;
  logic waits;
  logic held;
  logic lured, first_ready, awake, ended, own;
  int us, ps;
  int result, got, pause, turn, frame, go, asked;
  int shy_left, late;
  int lots;  // of a linear-feedback shift register of 15 bits

  // The bytes of a beat, from the lowest on; -1 when there are holes between them.
  function automatic int count(input logic [BYTES-1:0] keep);
    int num;
    logic ended;
    num = 0;
    ended = 1'b0;
    for (int i = 0; i < BYTES; i++)
      if (keep[i] !== 1'b1) ended = 1'b1;
      else if (ended) num = -1;
      else num = num + 1;
    count = num;
  endfunction

  // The data bytes that count are neither 0 nor 1 throughout.
  function automatic logic unknown(input logic [8*BYTES-1:0] data, input int num);
    logic any;
    any = 1'b0;
    for (int i = 0; i < BYTES; i++)
      if (i < num && ^data[8*i+:8] === 1'bx) any = 1'b1;
    unknown = any;
  endfunction

  function automatic void breach(input int which);
    gw_hdl_breach(NUMBER, us, ps, which);
  endfunction

  // What the core offers must stay until it is taken.
  task check;
    if (waits && s_tvalid === 1'b0) breach(GW_VALID_DROPPED);
    else if (waits && (s_tdata !== was_data || s_tkeep !== was_keep || s_tlast !== was_last)) breach(GW_DATA_CHANGED);
    waits = s_tvalid === 1'b1 && s_tready === 1'b0;
    was_data = s_tdata;
    was_keep = s_tkeep;
    was_last = s_tlast;
  endtask

  // Between frames: whether to be ready from now on.
  task be_shy;
    // Who gives up being valid is not waited for again: nothing would ever come.
    awake = s_tvalid === 1'b1 || (awake && !ended);
    ended = 1'b0;
    if (s_tvalid === 1'b1) begin
      // A core that is valid by itself is that in most cycles in which nobody is ready.
      if (s_tready === 1'b0) late = 0;
      else if (lured) late = late + 1;
      if (late >= LATE_MAX && lured) breach(GW_VALID_WAITED);
      shy_left = SHY + MOMENT;
    end else if (shy_left == 0) begin
      lots = (lots / 2 + 16384 * ((lots + lots / 2) % 2)) % 32768;
      shy_left = SHY + MOMENT + lots % SHY;
    end else shy_left = shy_left - 1;
    first_ready = shy_left < MOMENT;
  endtask

  // What goes on behind a reset does not depend on what was before it.
  task begin_anew;
    turn = 0;
    awake = 1'b0;
    ended = 1'b0;
    first_ready = 1'b0;
    shy_left = SHY;
    lots = 1;
  endtask

  task take;
    got = count(s_tkeep);
    if (^s_tlast === 1'bx || ^s_tkeep === 1'bx) breach(GW_UNKNOWN);
    if (got < 0 || (got < BYTES && s_tlast !== 1'b1)) breach(GW_KEEP_HOLES);
    if (got < 0) got = BYTES;
    frame = frame + got;
    if (s_tlast === 1'b1 && frame == 0) breach(GW_EMPTY_LAST);
    if (s_tlast === 1'b1) begin
      frame = 0;
      ended = 1'b1;
    end
    if (unknown(s_tdata, got)) breach(GW_UNKNOWN);
    beat = '0;
    beat[8*BYTES-1:0] = s_tdata;
    for (int i = 0; i < WORDS; i++) gw_hdl_rx_word(NUMBER, i, beat[32*i+:32]);
    result = gw_hdl_rx(NUMBER, us, ps, got, s_tlast === 1'b1 ? GW_LAST_BEAT : 0);
  endtask

  task show;
    m_tvalid <= 1'b1;
    got = result % GW_LAST_BEAT;
    m_tdata <= sent[8*BYTES-1:0];
    m_tlast <= (result / GW_LAST_BEAT) % 2 == 1;
    for (int i = 0; i < BYTES; i++) m_tkeep[i] <= i < got;
  endtask

  // Whether goldwire says when to be ready: where it does not, that is found once.
  task ask_ready;
    asked = gw_hdl_ready(NUMBER, us, ps, go);
    own = asked == GW_READY_OWN;
    if (!own) go = asked;
  endtask

  // The next beat: shown at once, or held back for GAP cycles.
  task offer;
    result = gw_hdl_tx(NUMBER, us, ps, 1);
    if (result > 0) for (int i = 0; i < WORDS; i++) sent[32*i+:32] = gw_hdl_tx_word(NUMBER, i);
    held = result > 0 && GAP > 0;
    pause = GAP;
    m_tvalid <= 1'b0;
    if (result > 0 && !held) show;
  endtask

  gw_edges #(.NUMBER(NUMBER), .LANE(0), .BYTES(BYTES)) m_edges (
      .clk, .wires({m_tlast, m_tready, m_tvalid}), .data(m_tdata), .keep(m_tkeep));
  gw_edges #(.NUMBER(NUMBER), .LANE(1), .BYTES(BYTES)) s_edges (
      .clk, .wires({s_tlast, s_tready, s_tvalid}), .data(s_tdata), .keep(s_tkeep));

  initial begin
    m_tdata = '0;
    m_tkeep = '0;
    m_tvalid = 1'b0;
    m_tlast = 1'b0;
    s_tready = 1'b0;
    waits = 1'b0;
    held = 1'b0;
    frame = 0;
    turn = 0;
    pause = 0;
    lured = 1'b0;
    first_ready = 1'b0;
    awake = 1'b0;
    ended = 1'b0;
    own = 1'b0;
    shy_left = SHY;
    late = 0;
    lots = 1;
    result = gw_hdl_port(NUMBER, KIND, BYTES);
    if (result < 0) $finish(0);
  end

  always @(posedge clk) begin
    us = gw_us($time);
    ps = gw_ps($time);
    result = 0;
    if (rst === 1'b1) begin
      waits = 1'b0;
      frame = 0;
      begin_anew;
    end else if (^s_tvalid === 1'bx) breach(GW_UNKNOWN);
    else begin
      check;
      if (frame == 0) be_shy;
      if (s_tvalid === 1'b1 && s_tready === 1'b1) take;
    end
    turn = turn < READY_ON + READY_OFF - 1 ? turn + 1 : 0;
    lured = frame == 0 && !awake && first_ready;
    go = turn < READY_ON ? 1 : 0;
    if (rst !== 1'b1 && !own) ask_ready;
    s_tready <= go >= 0 && (lured || ((frame > 0 || awake) && go > 0));
    if (result >= 0) begin
      if (rst === 1'b1) begin
        // Nothing is offered to a core in reset; what was on offer comes again behind it.
        held = held || m_tvalid;
        pause = GAP + 1;
        m_tvalid <= 1'b0;
        if (gw_hdl_pace(us, ps) < 0) result = -1;
      end else if (held) begin
        result = gw_hdl_tx(NUMBER, us, ps, 0);
        pause = pause - 1;
        if (result == 0) held = 1'b0;  // forgotten
        else if (pause == 0 && result > 0) begin
          held = 1'b0;
          show;
        end
      end else if (m_tvalid && m_tready !== 1'b1) result = gw_hdl_tx(NUMBER, us, ps, 0);
      else offer;
    end
    if (result < 0) $finish(0);
  end
endmodule
