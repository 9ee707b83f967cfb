// SPDX-License-Identifier: BSD-2-Clause
// The OP2P node as a simulated board: port 0 is its link 0 and port 2 its link 1 (1 and 3 their events), port
// 14 its registers (and the interrupt line, at f0000000h), port 15 the reset wire. Put a core of yours in the place of op2p_node.
`timescale 1ps / 1ps

module tb_op2p_node;
  parameter int GAP = 0;
  parameter int READY_ON = 5;
  parameter int READY_OFF = 2;
  parameter int FAULT = 0;
  parameter int MEMORY_BITS = 20;  // of a double word's address

  logic clk = 1'b0;
  logic rst, irq, cyc, stb, ack, err, wb_cyc, wb_stb, wb_we, wb_ack, wb_err;
  logic [31:0] wb_adr, wb_dat_w, wb_dat_r, dat_r;
  logic [1:0] channel_up, soft_error, frame_error, rx_sof, rx_eof, rx_valid, rx_ready, rx_nfc;
  logic [1:0] tx_sof, tx_eof, tx_valid, tx_ready, tx_nfc, tx_nfc_ready;
  logic [3:0] lane_up, rx_rem, tx_rem;
  logic [7:0] rx_nfc_code, tx_nfc_code;
  logic [63:0] rx_data, tx_data;

  always #6667 clk = ~clk; // 75 MHz

  gw_reset reset (.clk(clk), .rst(rst));
  gw_case marks (.clk(clk));
  gw_wb regs (
      .clk(clk), .rst(rst), .cyc(cyc), .stb(stb), .we(wb_we), .adr(wb_adr), .dat_w(wb_dat_w), .sel(),
      .dat_r(dat_r), .ack(ack), .err(err)
  );
  gw_wires wires (
      .clk(clk), .rst(rst), .cyc(cyc), .stb(stb), .we(wb_we), .adr(wb_adr), .dat_r(dat_r), .ack(ack), .err(err),
      .board_cyc(wb_cyc), .board_stb(wb_stb), .board_dat_r(wb_dat_r), .board_ack(wb_ack), .board_err(wb_err),
      .wires(irq)
  );

  genvar i;
  generate
    for (i = 0; i < 2; i = i + 1) begin : gen_links
      gw_words #(
          .NUMBER(2 * i), .EVENTS(2 * i + 1), .GAP(GAP), .READY_ON(READY_ON), .READY_OFF(READY_OFF)
      ) link (
          .clk(clk), .rst(rst), .channel_up(channel_up[i]), .lane_up(lane_up[2*i+:2]), .soft_error(soft_error[i]),
          .frame_error(frame_error[i]), .rx_data(rx_data[32*i+:32]), .rx_sof(rx_sof[i]), .rx_eof(rx_eof[i]),
          .rx_rem(rx_rem[2*i+:2]), .rx_valid(rx_valid[i]), .rx_ready(rx_ready[i]), .rx_nfc(rx_nfc[i]),
          .rx_nfc_code(rx_nfc_code[4*i+:4]), .tx_data(tx_data[32*i+:32]), .tx_sof(tx_sof[i]), .tx_eof(tx_eof[i]),
          .tx_rem(tx_rem[2*i+:2]), .tx_valid(tx_valid[i]), .tx_ready(tx_ready[i]), .tx_nfc(tx_nfc[i]),
          .tx_nfc_code(tx_nfc_code[4*i+:4]), .tx_nfc_ready(tx_nfc_ready[i])
      );
    end
  endgenerate

  op2p_node #(.FAULT(FAULT), .MEMORY_BITS(MEMORY_BITS)) dut (
      .clk(clk), .rst(rst), .wb_cyc(wb_cyc), .wb_stb(wb_stb), .wb_we(wb_we), .wb_adr(wb_adr), .wb_dat_w(wb_dat_w),
      .wb_dat_r(wb_dat_r), .wb_ack(wb_ack), .wb_err(wb_err), .irq(irq), .channel_up(channel_up), .lane_up(lane_up),
      .soft_error(soft_error), .frame_error(frame_error), .hard_error(2'b00), .rx_data(rx_data), .rx_sof(rx_sof),
      .rx_eof(rx_eof), .rx_rem(rx_rem), .rx_valid(rx_valid), .rx_ready(rx_ready), .rx_nfc(rx_nfc),
      .rx_nfc_code(rx_nfc_code), .tx_data(tx_data), .tx_sof(tx_sof), .tx_eof(tx_eof), .tx_rem(tx_rem),
      .tx_valid(tx_valid), .tx_ready(tx_ready), .tx_nfc(tx_nfc), .tx_nfc_code(tx_nfc_code),
      .tx_nfc_ready(tx_nfc_ready)
  );
endmodule
