// SPDX-License-Identifier: BSD-2-Clause
// The OP2P node with a clock and a reset, both channels up, and nobody who speaks to it: what +CYCLES=N of its clock
// cost a simulator by themselves. It is to cost no more and no less than with ports around it: it counts its cycles, since a
// delay until the end costs Verilator 3 % at each edge while it is waited for, and each input is a register of its own, as
// ports have them: of inputs that are alike Verilator makes one, and of the core 4 % less.
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
  longint cycles, passed;
  // Nobody speaks, which is not known when this is compiled, and somebody looks: so nothing of the core is left out.
  int speaks, changes;
  logic wb_cyc, wb_stb, wb_we;
  logic [31:0] wb_adr, wb_dat_w;
  logic [1:0] channel_up, soft_error, frame_error, rx_sof, rx_eof, rx_valid, rx_nfc, tx_ready, tx_nfc_ready;
  logic [3:0] lane_up, rx_rem;
  logic [7:0] rx_nfc_code;
  logic [63:0] rx_data;
  logic [120:0] outputs, was;

  always #6667 clk = ~clk; // 75 MHz

  initial begin
    if ($value$plusargs("CYCLES=%d", cycles) == 0) cycles = 1;
    if ($value$plusargs("SPEAKS=%d", speaks) == 0) speaks = 0;
    changes = 0;
    passed = -4;
  end

  assign outputs = {wb_dat_r, wb_ack, wb_err, irq, rx_ready, tx_data, tx_sof, tx_eof, tx_valid, tx_rem, tx_nfc, tx_nfc_code};

  always @(posedge clk) begin
    wb_cyc <= speaks[0];
    wb_stb <= speaks[1];
    wb_we <= speaks[2];
    wb_adr <= {32{speaks[3]}};
    wb_dat_w <= {32{speaks[4]}};
    channel_up <= {2{!speaks[5]}};
    lane_up <= {4{!speaks[6]}};
    soft_error <= {2{speaks[7]}};
    frame_error <= {2{speaks[8]}};
    rx_data <= {64{speaks[9]}};
    rx_sof <= {2{speaks[10]}};
    rx_eof <= {2{speaks[11]}};
    rx_rem <= {4{speaks[12]}};
    rx_valid <= {2{speaks[13]}};
    rx_nfc <= {2{speaks[14]}};
    rx_nfc_code <= {8{speaks[15]}};
    tx_ready <= {2{!speaks[16]}};
    tx_nfc_ready <= {2{!speaks[17]}};
    was <= outputs;
    if (outputs != was) changes <= changes + 1;
    passed <= passed + 1;
    rst <= passed < 0;
    if (passed == cycles) begin
      $display("%0d changes", changes);
      $finish(0);
    end
  end

  op2p_node dut (
      .clk(clk), .rst(rst), .wb_cyc(wb_cyc), .wb_stb(wb_stb), .wb_we(wb_we), .wb_adr(wb_adr), .wb_dat_w(wb_dat_w),
      .wb_dat_r(wb_dat_r), .wb_ack(wb_ack), .wb_err(wb_err), .irq(irq), .channel_up(channel_up), .lane_up(lane_up),
      .soft_error(soft_error), .frame_error(frame_error), .hard_error(2'b00), .rx_data(rx_data), .rx_sof(rx_sof),
      .rx_eof(rx_eof), .rx_rem(rx_rem), .rx_valid(rx_valid), .rx_ready(rx_ready), .rx_nfc(rx_nfc),
      .rx_nfc_code(rx_nfc_code), .tx_data(tx_data), .tx_sof(tx_sof), .tx_eof(tx_eof), .tx_rem(tx_rem),
      .tx_valid(tx_valid), .tx_ready(tx_ready), .tx_nfc(tx_nfc), .tx_nfc_code(tx_nfc_code),
      .tx_nfc_ready(tx_nfc_ready)
  );
endmodule
