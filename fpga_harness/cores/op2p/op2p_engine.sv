// SPDX-License-Identifier: BSD-2-Clause
// What a port does with a packet that came whole, and with its host's commands: one thing at a time.
// It never waits for the partner: an answer for which the way out has no room is dropped, as is whatever
// cannot be taken, without a word.
`timescale 1ps / 1ps

module op2p_engine
  import op2p_faults::*;
#(
    parameter int FAULT = 0,
    parameter int MEMORY_BITS = 20
) (
    input logic clk,
    input logic rst,
    input logic clear,  // forget what is under way, and what was asked for
    input logic [15:0] local_id,
    // the oldest frame that came
    input logic rx_have,
    input logic [11:0] rx_len,
    input logic rx_bad,
    output logic [8:0] rx_at,
    input logic [31:0] rx_word,
    output logic rx_done,
    // frames that go
    output logic put,
    output logic [8:0] put_at,
    output logic [31:0] put_word,
    output logic commit,
    output logic [8:0] commit_words,
    output logic commit_kept,
    input logic tx_full,
    input logic tx_empty,
    input logic tx_busy,
    input logic may_start,
    output logic freeze,
    input logic [8:0] last_words,
    output logic [8:0] last_at,
    input logic [31:0] last_word,
    // buffer memory
    output logic [3:0] mem_write,
    output logic [MEMORY_BITS-1:0] mem_at,
    output logic [31:0] mem_in,
    input logic [31:0] mem_out,
    // commands of the host: local address, remote address, source id, destination id, byte count
    input logic write_ready,
    input logic [159:0] write_fields,
    output logic write_take,
    input logic read_ready,
    input logic [159:0] read_fields,
    output logic read_take,
    // what the host is told
    output logic tell_arrived,
    output logic tell_completed,
    output logic tell_stored,
    output logic [31:0] told,
    input logic stored_full,
    // the forwarding pool
    input logic [31:0] pool_base,
    input logic [8:0] pool_entry,
    input logic pool_any,
    output logic pool_take,
    output logic [8:0] pool_take_at
);
  localparam int BYTES_BITS = MEMORY_BITS + 2;
  localparam logic [3:0] WRITE = 4'h0, READ = 4'h1, COMPLETION = 4'h2, RESERVED_4 = 4'h4, RETRANSMIT = 4'ha;
  localparam logic [3:0] SUCCESS = 4'h0, UNKNOWN_ERROR = 4'h2;
  localparam logic [3:0] ASKS_IN_A_ROW = 4'd8;
  localparam logic [2:0] IDLE = 3'd0, HEADER = 3'd1, JUDGE = 3'd2, STORE = 3'd3, SEND = 3'd4, AGAIN = 3'd5;
  localparam logic [1:0] ARRIVED = 2'd0, COMPLETED = 2'd1, STORED = 2'd2;

  logic [2:0] state;
  logic [9:0] step;

  // ---- the packet's header ----
  logic [127:0] header;
  logic [15:0] src_id, dst_id, count;
  logic [31:0] dst_addr, src_addr;
  logic [3:0] kind, status, fbe;
  assign {src_id, dst_id, dst_addr, src_addr, count, kind, status, fbe} = header[127:4];

  function automatic logic fits(input logic [31:0] address, input logic [15:0] bytes);
    fits = address[31:BYTES_BITS] == 0 && {1'b0, address[BYTES_BITS-1:2]} + {{(MEMORY_BITS - 13) {1'b0}}, bytes[15:2]}
        <= {1'b1, {MEMORY_BITS{1'b0}}};
  endfunction

  function automatic logic legal(input logic [31:0] bytes);
    legal = bytes >= 4 && bytes <= 1024 && bytes[1:0] == 0;
  endfunction

  logic mine, whole, sized, placed, has_payload, read_legal;
  logic [11:0] least_len;
  logic [15:0] read_count;
  logic [31:0] entry_at;
  assign mine = dst_id == 0 || dst_id == local_id;
  assign least_len = FAULT == FAULT_STALE_HEADER ? 12'd12 : 12'd16;
  assign whole = rx_len >= least_len && rx_len[1:0] == 0 && rx_len <= 12'd1040;
  assign has_payload = kind == WRITE || (kind == COMPLETION && status == SUCCESS);
  assign sized = legal({16'd0, count}) && ({4'd0, rx_len} == count + 16'd16 || FAULT == FAULT_STALE_PAYLOAD);
  assign placed = fits(dst_addr, count);
  assign read_count = count < 4 ? 16'd4 : count;
  assign read_legal = count != 0 && legal({16'd0, read_count}) && fits(dst_addr, read_count);
  assign entry_at = pool_base + {12'd0, pool_entry, 11'd0};

  // ---- reads that wait for their data ----
  logic [15:0] asked;  // which of the following are
  logic [31:0] asked_at[0:15];
  logic [15:0] asked_of[0:15];
  logic [15:0] asked_count[0:15];
  logic [15:0] fitting;
  logic [3:0] match, vacant;

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : gen_fitting
      assign fitting[i] = asked[i] && asked_at[i] == dst_addr && (asked_of[i] == 0 || src_id == 0 || asked_of[i] == src_id)
          && (status != SUCCESS || asked_count[i] == count);
    end
  endgenerate

  function automatic logic [3:0] lowest(input logic [15:0] bits);
    lowest = '0;
    for (int i = 15; i >= 0; i--) if (bits[i]) lowest = i[3:0];
  endfunction

  assign match = lowest(fitting);
  assign vacant = lowest(~asked);

  // ---- what is stored: |store_words| of the frame from |store_skip| on ----
  logic [MEMORY_BITS-1:0] store_at;
  logic [8:0] store_words;
  logic [8:0] sticks;
  logic [2:0] store_skip;
  logic [3:0] store_enables;
  logic [1:0] store_as;
  logic storing;
  assign storing = state == STORE && step != 0;

  // ---- what is sent: a header, and |load_words| of the memory ----
  logic [127:0] out;
  logic [MEMORY_BITS-1:0] load_at;
  logic [8:0] load_words;
  logic out_kept;
  logic sending, copying;
  assign sending = state == SEND && step != 0;
  assign copying = state == AGAIN && step != 0;

  logic [3:0] asks;
  logic good_write, good_read;
  assign good_write = legal(write_fields[31:0]) && fits(write_fields[159:128], write_fields[15:0]);
  assign good_read = legal(read_fields[31:0]) && asked != 16'hffff;

  function automatic logic [127:0] command(input logic [159:0] fields, input logic [3:0] as);
    command = {fields[79:64], fields[47:32], fields[127:96], fields[159:128], fields[15:0], as, SUCCESS, 4'hf, 4'h0};
  endfunction

  // ---- addresses and data of this cycle ----
  logic [9:0] earlier;
  assign earlier = step - 10'd1;
  assign rx_at = state == STORE ? step[8:0] + {6'd0, store_skip} : step[8:0];
  assign last_at = step[8:0];
  assign freeze = state == AGAIN;
  assign mem_at = storing ? store_at + {{(MEMORY_BITS - 10) {1'b0}}, earlier} :
      load_at + {{(MEMORY_BITS - 10) {1'b0}}, step} - MEMORY_BITS'(4);
  assign mem_in = rx_word;
  assign mem_write = !storing ? 4'h0 : step == 1 ? store_enables : 4'hf;
  assign put = sending || copying;
  assign put_at = earlier[8:0];
  assign put_word = copying ? last_word : step <= 4 ? out[127-32*earlier[1:0]-:32] : mem_out;

  always_ff @(posedge clk) begin
    rx_done <= 1'b0;
    commit <= 1'b0;
    write_take <= 1'b0;
    read_take <= 1'b0;
    tell_arrived <= 1'b0;
    tell_completed <= 1'b0;
    tell_stored <= 1'b0;
    pool_take <= 1'b0;
    step <= step + 10'd1;

    case (state)
      IDLE: begin
        step <= '0;
        if (rx_have && !rx_done) begin
          state <= HEADER;
        end else if (may_start && tx_empty && !commit && write_ready && !write_take) begin
          write_take <= 1'b1;
          out <= command(write_fields, WRITE);
          load_at <= write_fields[128+2+:MEMORY_BITS];
          load_words <= write_fields[10:2];
          out_kept <= 1'b1;
          if (good_write) state <= SEND;
        end else if (may_start && tx_empty && !commit && read_ready && !read_take && !write_take) begin
          read_take <= 1'b1;
          out <= command(read_fields, READ);
          load_words <= '0;
          out_kept <= 1'b1;
          if (good_read) begin
            state <= SEND;
            asked[vacant] <= 1'b1;
            asked_at[vacant] <= read_fields[159:128];
            asked_of[vacant] <= read_fields[47:32];
            asked_count[vacant] <= read_fields[15:0];
          end
        end
      end

      HEADER: begin
        if (step != 0 && (FAULT != FAULT_STALE_HEADER || {step, 2'b00} <= rx_len)) header[127-32*earlier[1:0]-:32] <= rx_word;
        if (step == 4) begin
          state <= JUDGE;
          step <= '0;
        end
      end

      JUDGE: begin
        state <= IDLE;
        rx_done <= 1'b1;
        step <= '0;
        out <= {local_id, src_id, src_addr, dst_addr, read_count, COMPLETION, SUCCESS, fbe, 4'h0};
        out_kept <= 1'b1;
        load_at <= dst_addr[2+:MEMORY_BITS];
        load_words <= '0;
        store_at <= dst_addr[2+:MEMORY_BITS];
        store_words <= count[10:2] | (FAULT == FAULT_SIZE_STICKS ? sticks : 9'd0);
        store_skip <= 3'd4;
        store_enables <= FAULT == FAULT_BYTE_ENABLES_LOST ? 4'hf : fbe;
        told <= dst_addr;
        if (!rx_bad) asks <= '0;

        if (rx_bad) begin
          // Whoever sent it shall send it once more, but not for ever: a request without room counts as well.
          out <= {local_id, 16'd0, src_addr, dst_addr, count, RETRANSMIT, UNKNOWN_ERROR, fbe, 4'h0};
          out_kept <= 1'b0;
          if (rx_len >= 16 && kind != RETRANSMIT && asks < ASKS_IN_A_ROW) begin
            asks <= asks + 4'd1;
            if (!tx_full) state <= SEND;
          end
          if (FAULT == FAULT_DAMAGED_STORED && kind <= COMPLETION && !mine) begin
            told <= entry_at;
            tell_stored <= 1'b1;
          end
        end else if (!whole) begin
          // too short, too long, or no whole double words
        end else if (kind == RETRANSMIT) begin
          state <= AGAIN;
        end else if (kind > COMPLETION) begin
          out[31:16] <= '0;
          out[11:8] <= UNKNOWN_ERROR;
          if (mine && status == SUCCESS && kind != RESERVED_4 && !tx_full) state <= SEND;
        end else if (!mine) begin
          store_at <= entry_at[2+:MEMORY_BITS];
          store_words <= kind == READ ? 9'd4 : rx_len[10:2];
          store_skip <= '0;
          store_enables <= FAULT == FAULT_ENABLES_ON_IDS ? fbe : 4'hf;
          store_as <= STORED;
          told <= entry_at;
          pool_take_at <= pool_entry;
          if ((kind == READ || {4'd0, rx_len} == 16'd16 + (has_payload ? count : 16'd0)) && pool_any && !stored_full
              && fits(entry_at, 16'd2048)) begin
            state <= STORE;
            rx_done <= 1'b0;
          end
        end else if (kind == READ) begin
          load_words <= read_count[10:2];
          if (status == SUCCESS && fbe != 0 && read_legal && !tx_full) state <= SEND;
        end else if (kind == WRITE) begin
          store_as <= ARRIVED;
          sticks <= count[10:2] & 9'h0c0;
          if (status == SUCCESS && fbe != 0 && sized && placed) begin
            state <= STORE;
            rx_done <= 1'b0;
          end
        end else if ((fitting != 0 || FAULT == FAULT_UNASKED_TAKEN) && (status != SUCCESS || (sized && placed))) begin
          asked[match] <= 1'b0;
          store_as <= COMPLETED;
          if (status == SUCCESS) begin
            state <= STORE;
            rx_done <= 1'b0;
          end
        end
      end

      STORE:
      if (step == {1'b0, store_words}) begin
        state <= IDLE;
        rx_done <= 1'b1;
        tell_arrived <= store_as == ARRIVED;
        tell_completed <= store_as == COMPLETED;
        tell_stored <= store_as == STORED;
        pool_take <= store_as == STORED;
      end

      SEND:
      if (step == {1'b0, load_words} + 10'd4) begin
        state <= IDLE;
        commit <= 1'b1;
        commit_kept <= out_kept;
        commit_words <= load_words + (FAULT == FAULT_EARLY_END && load_words > 8 ? 9'd3 : 9'd4);
      end

      default:  // AGAIN: when nothing is being sent
      if (step == 0) begin
        if (tx_busy) step <= '0;
        else if (last_words == 0 || tx_full) state <= IDLE;
      end else if (step == {1'b0, last_words}) begin
        state <= IDLE;
        commit <= 1'b1;
        commit_kept <= 1'b1;
        commit_words <= last_words;
      end
    endcase

    if (rst || clear) begin
      state <= IDLE;
      rx_done <= 1'b0;
      commit <= 1'b0;
      write_take <= 1'b0;
      read_take <= 1'b0;
      asked <= '0;
      asks <= '0;
      sticks <= '0;
      step <= '0;
    end
  end
endmodule
