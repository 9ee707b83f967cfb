// SPDX-License-Identifier: BSD-2-Clause
// The OP2P node with a clock and a reset, both channels up, and nobody who speaks to it: what +CYCLES=N of its clock
// cost a simulator by themselves.
`timescale 1ps / 1ps

module tb_bare;
  logic clk = 1'b0;
  logic rst = 1'b1;
  logic irq, wb_ack, wb_err;
  logic [31:0] wb_dat_r;
  logic [1:0] rx_ready, tx_sof, tx_eof, tx_valid, tx_nfc;
  logic [3:0] tx_rem;
  logic [7:0] tx_nfc_code;
  logic [63:0] tx_data;
  longint cycles;
  // Nobody speaks, which is not known when this is compiled, and somebody looks: so nothing of the core is left out.
  int speaks, changes;
  logic [63:0] inputs;
  logic [120:0] outputs, was;

  always #6667 clk = ~clk; // 75 MHz

  initial begin
    if ($value$plusargs("CYCLES=%d", cycles) == 0) cycles = 1;
    changes = 0;
    if ($value$plusargs("SPEAKS=%d", speaks) == 0) speaks = 0;
    #53336 rst = 1'b0;
    #(cycles * 13334) $display("%d changes", changes);
    $finish(0);
  end

  assign outputs = {wb_dat_r, wb_ack, wb_err, irq, rx_ready, tx_data, tx_sof, tx_eof, tx_valid, tx_rem, tx_nfc, tx_nfc_code};

  always @(posedge clk) begin
    inputs <= {64{speaks != 0}};
    was <= outputs;
    if (outputs != was) changes <= changes + 1;
  end

  op2p_node dut (
      .clk(clk), .rst(rst), .wb_cyc(inputs[0]), .wb_stb(inputs[0]), .wb_we(inputs[1]), .wb_adr(inputs[31:0]),
      .wb_dat_w(inputs[31:0]), .wb_dat_r(wb_dat_r), .wb_ack(wb_ack), .wb_err(wb_err), .irq(irq),
      .channel_up(~inputs[1:0]), .lane_up(~inputs[3:0]), .soft_error(inputs[1:0]), .frame_error(inputs[1:0]),
      .hard_error(2'b00), .rx_data(inputs), .rx_sof(inputs[1:0]), .rx_eof(inputs[1:0]), .rx_rem(inputs[3:0]),
      .rx_valid(inputs[1:0]), .rx_ready(rx_ready), .rx_nfc(inputs[1:0]), .rx_nfc_code(inputs[7:0]), .tx_data(tx_data),
      .tx_sof(tx_sof), .tx_eof(tx_eof), .tx_rem(tx_rem), .tx_valid(tx_valid), .tx_ready(~inputs[1:0]), .tx_nfc(tx_nfc),
      .tx_nfc_code(tx_nfc_code), .tx_nfc_ready(~inputs[1:0])
  );
endmodule
