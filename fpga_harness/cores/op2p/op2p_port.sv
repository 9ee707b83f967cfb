// SPDX-License-Identifier: BSD-2-Clause
// One port of a node: its link, its host's registers and FIFOs, its forwarding pool.
`timescale 1ps / 1ps

module op2p_port
  import op2p_faults::*;
#(
    parameter int FAULT = 0,
    parameter int MEMORY_BITS = 20,
    parameter logic [15:0] LOCAL_ID = 16'h0041,
    parameter logic [31:0] POOL_BASE = 32'h0010_0000
) (
    input logic clk,
    input logic rst,
    // the host: |reg_write| and |reg_read| hold for one cycle
    input logic [6:0] reg_at,
    input logic reg_write,
    input logic [31:0] reg_in,
    input logic reg_read,
    output logic [31:0] reg_out,
    output logic irq,
    // the link core
    input logic channel_up,
    input logic [0:1] lane_up,
    input logic soft_error,
    input logic frame_error,
    input logic hard_error,
    input logic [31:0] rx_data,
    input logic rx_sof,
    input logic rx_eof,
    input logic [1:0] rx_rem,
    input logic rx_valid,
    output logic rx_ready,
    input logic rx_nfc,
    input logic [3:0] rx_nfc_code,
    output logic [31:0] tx_data,
    output logic tx_sof,
    output logic tx_eof,
    output logic [1:0] tx_rem,
    output logic tx_valid,
    input logic tx_ready,
    output logic tx_nfc,
    output logic [3:0] tx_nfc_code,
    input logic tx_nfc_ready,
    // buffer memory
    output logic [3:0] mem_write,
    output logic [MEMORY_BITS-1:0] mem_at,
    output logic [31:0] mem_in,
    input logic [31:0] mem_out
);
  localparam logic [4:0] FIFOSTATUS = 5'h00, WR_FIRST = 5'h01, WR_LAST = 5'h05, RD_FIRST = 5'h06, RD_LAST = 5'h0a;
  localparam logic [4:0] RDCOMPL = 5'h0b, BUFFERBASE = 5'h0c, FREEUP = 5'h0e, FORWREQ = 5'h10, ARRIVED = 5'h11;
  localparam logic [4:0] LOCALID = 5'h12, LINK_STATUS = 5'h13, PORT_RESET = 5'h14, ERROR_COUNT = 5'h15;
  localparam logic [3:0] XON = 4'h0, XOFF = 4'hf;
  localparam logic [4:0] POINTERS_MOST = 5'd15;

  logic [4:0] register;
  assign register = reg_at[6:2];

  // ---- registers ----
  logic [15:0] local_id;
  logic [31:0] base, errors;
  logic held, clear, resets;
  assign resets = reg_write && register == PORT_RESET && reg_in[0];
  assign clear = held || resets;

  logic was_up, glitch;
  assign glitch = FAULT == FAULT_RESET_GLITCH && channel_up && !was_up;

  always_ff @(posedge clk) begin
    was_up <= channel_up;
    if (reg_write)
      case (register)
        BUFFERBASE: base <= {reg_in[31:2], 2'b00};
        LOCALID: local_id <= reg_in[15:0];
        PORT_RESET: held <= reg_in[0];
        default: ;
      endcase
    if (resets && FAULT == FAULT_UNKNOWN_AFTER_RESET) local_id <= 'x;
    if (rst) begin
      local_id <= LOCAL_ID;
      base <= POOL_BASE;
      held <= 1'b0;
    end
  end

  // ---- FIFOs: two commands of five fields each, and three of what the host is told ----
  logic [159:0] write_fields, read_fields;
  logic [4:0] write_full, read_full, write_some, read_some;
  logic write_take, read_take;

  genvar i;
  generate
    for (i = 0; i < 5; i = i + 1) begin : gen_fields
      logic [4:0] write_count, read_count;
      assign write_some[i] = write_count != 0;
      assign read_some[i] = read_count != 0;

      op2p_fifo #(.FAULT(FAULT)) write_field (
          .clk(clk), .rst(rst || glitch), .push(reg_write && register == WR_FIRST + i), .in(reg_in), .pop(write_take),
          .out(write_fields[159-32*i-:32]), .count(write_count), .full(write_full[i])
      );

      op2p_fifo #(.FAULT(FAULT)) read_field (
          .clk(clk), .rst(rst || glitch), .push(reg_write && register == RD_FIRST + i), .in(reg_in), .pop(read_take),
          .out(read_fields[159-32*i-:32]), .count(read_count), .full(read_full[i])
      );
    end
  endgenerate

  logic tell_arrived, tell_completed, tell_stored;
  logic [31:0] told, arrived, completed, stored;
  logic [4:0] num_arrived, num_completed, num_stored;
  logic stored_full;

  op2p_fifo arrivals (
      .clk(clk), .rst(rst), .push(tell_arrived), .in(told), .pop(reg_read && register == ARRIVED), .out(arrived),
      .count(num_arrived), .full()
  );
  op2p_fifo completions (
      .clk(clk), .rst(rst), .push(tell_completed), .in(told), .pop(reg_read && register == RDCOMPL), .out(completed),
      .count(num_completed), .full()
  );
  op2p_fifo pointers (
      .clk(clk), .rst(rst), .push(tell_stored), .in(told), .pop(reg_read && register == FORWREQ), .out(stored),
      .count(num_stored), .full(stored_full)
  );

  logic rx_done, tells, any_told;
  assign tells = tell_arrived || tell_completed || tell_stored;
  assign any_told = num_arrived != 0 || num_completed != 0 || num_stored != 0;
  assign irq = (FAULT == FAULT_INTERRUPT_PULSE ? tells : any_told) || (FAULT == FAULT_INTERRUPT_ANY_FRAME && rx_done);

  // ---- flow control, and errors ----
  logic they_halted, we_halted, halt, link_error, may_start;
  logic [8:0] pause;
  logic in_frame, heeds;
  logic pool_any, pool_almost_full, pool_take;
  logic [8:0] pool_entry, pool_take_at;
  assign halt = pool_almost_full || num_stored >= POINTERS_MOST
      || (FAULT == FAULT_HALTS_EACH_OTHER && they_halted && write_some != 0);
  assign link_error = soft_error || frame_error;
  assign may_start = (channel_up || FAULT == FAULT_SENDS_WHILE_DOWN)
      && (FAULT == FAULT_XOFF_IGNORED || (!they_halted && pause == 0)) && !held;
  assign heeds = rx_nfc && !(FAULT == FAULT_FLOW_LOST_INSIDE && in_frame);
  assign tx_nfc = channel_up && halt != we_halted;
  assign tx_nfc_code = halt ? XOFF : XON;

  always_ff @(posedge clk) begin
    if (pause != 0) pause <= pause - 9'd1;
    if (heeds) begin
      they_halted <= rx_nfc_code == XOFF;
      pause <= rx_nfc_code >= 1 && rx_nfc_code <= 8 ? 9'd1 << rx_nfc_code : '0;
    end
    if (tx_nfc && tx_nfc_ready) we_halted <= halt;
    if (link_error && (!rx_valid || rx_ready)) errors <= errors + 1;
    if (resets || !channel_up) begin
      they_halted <= 1'b0;
      pause <= '0;
    end
    if (!channel_up) we_halted <= 1'b0;
    if (clear) errors <= '0;
    if (rst) begin
      they_halted <= 1'b0;
      we_halted <= 1'b0;
      pause <= '0;
      errors <= '0;
    end
  end

  op2p_pool #(.FAULT(FAULT), .ENTRIES(2 ** MEMORY_BITS / 2048)) pool (
      .clk(clk), .rst(rst || clear), .base(base), .take(pool_take), .take_at(pool_take_at),
      .free(reg_write && register == FREEUP), .free_at(reg_in), .entry(pool_entry), .any(pool_any),
      .almost_full(pool_almost_full)
  );

  // ---- frames ----
  logic rx_have, rx_bad, put, commit, commit_kept, tx_full, tx_empty, tx_busy, freeze;
  logic [11:0] rx_len;
  logic [8:0] rx_at, put_at, commit_words, last_words, last_at;
  logic [31:0] rx_word, put_word, last_word;

  op2p_rx #(.FAULT(FAULT)) rx (
      .clk(clk), .rst(rst), .held(clear), .channel_up(channel_up), .link_data(rx_data), .link_sof(rx_sof),
      .link_eof(rx_eof), .link_rem(rx_rem), .link_valid(rx_valid), .link_ready(rx_ready), .link_error(link_error),
      .link_nfc(rx_nfc), .in_frame(in_frame),
      .have(rx_have), .len(rx_len), .bad(rx_bad), .at(rx_at), .word(rx_word), .done(rx_done)
  );

  op2p_tx #(.FAULT(FAULT)) tx (
      .clk(clk), .rst(rst), .clear(clear), .channel_up(channel_up), .may_start(may_start && !freeze), .put(put),
      .put_at(put_at), .put_word(put_word), .commit(commit), .commit_words(commit_words), .commit_kept(commit_kept),
      .full(tx_full), .empty(tx_empty), .busy(tx_busy), .last_words(last_words), .last_at(last_at),
      .last_word(last_word), .link_data(tx_data), .link_sof(tx_sof), .link_eof(tx_eof), .link_rem(tx_rem),
      .link_valid(tx_valid), .link_ready(tx_ready)
  );

  op2p_engine #(.FAULT(FAULT), .MEMORY_BITS(MEMORY_BITS)) engine (
      .clk(clk), .rst(rst), .clear(clear), .local_id(local_id), .rx_have(rx_have), .rx_len(rx_len), .rx_bad(rx_bad),
      .rx_at(rx_at), .rx_word(rx_word), .rx_done(rx_done), .put(put), .put_at(put_at), .put_word(put_word),
      .commit(commit), .commit_words(commit_words), .commit_kept(commit_kept), .tx_full(tx_full), .tx_empty(tx_empty),
      .tx_busy(tx_busy), .may_start(may_start), .freeze(freeze), .last_words(last_words), .last_at(last_at),
      .last_word(last_word), .mem_write(mem_write), .mem_at(mem_at), .mem_in(mem_in), .mem_out(mem_out),
      .write_ready(&write_some), .write_fields(write_fields), .write_take(write_take), .read_ready(&read_some),
      .read_fields(read_fields), .read_take(read_take), .tell_arrived(tell_arrived), .tell_completed(tell_completed),
      .tell_stored(tell_stored), .told(told), .stored_full(stored_full), .pool_base(base), .pool_entry(pool_entry),
      .pool_any(pool_any), .pool_take(pool_take), .pool_take_at(pool_take_at)
  );

  // ---- what the host reads ----
  logic [31:0] fifostatus, link_status;
  logic [2:0] lanes;
  assign fifostatus = {19'd0, read_full, write_full, num_arrived == 0, num_completed == 0, num_stored == 0};
  assign lanes = {lane_up[0], lane_up[1], channel_up};
  assign link_status = {hard_error, they_halted, we_halted, 26'd0, held ? 3'd0 : lanes};

  always_comb
    case (register)
      FIFOSTATUS: reg_out = fifostatus;
      RDCOMPL: reg_out = completed;
      FORWREQ: reg_out = stored;
      ARRIVED: reg_out = arrived;
      LOCALID: reg_out = {16'd0, local_id};
      LINK_STATUS: reg_out = link_status;
      PORT_RESET: reg_out = {31'd0, held};
      ERROR_COUNT: reg_out = errors;
      default: reg_out = '0;
    endcase
endmodule
