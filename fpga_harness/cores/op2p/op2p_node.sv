// SPDX-License-Identifier: BSD-2-Clause
// An OP2P node: two ports on one buffer memory, the host's registers on Wishbone (B4, classic): those of
// port 0 from 00h on, those of port 1 from 80h on, an error beyond.
`timescale 1ps / 1ps

module op2p_node #(
    parameter int FAULT = 0,
    parameter int MEMORY_BITS = 20,
    parameter logic [15:0] LOCAL_ID = 16'h0041
) (
    input logic clk,
    input logic rst,
    input logic wb_cyc,
    input logic wb_stb,
    input logic wb_we,
    input logic [31:0] wb_adr,
    input logic [31:0] wb_dat_w,
    output logic [31:0] wb_dat_r,
    output logic wb_ack,
    output logic wb_err,
    output logic irq,
    input logic [1:0] channel_up,
    input logic [3:0] lane_up,  // two of each port
    input logic [1:0] soft_error,
    input logic [1:0] frame_error,
    input logic [1:0] hard_error,
    input logic [63:0] rx_data,
    input logic [1:0] rx_sof,
    input logic [1:0] rx_eof,
    input logic [3:0] rx_rem,
    input logic [1:0] rx_valid,
    output logic [1:0] rx_ready,
    input logic [1:0] rx_nfc,
    input logic [7:0] rx_nfc_code,
    output logic [63:0] tx_data,
    output logic [1:0] tx_sof,
    output logic [1:0] tx_eof,
    output logic [3:0] tx_rem,
    output logic [1:0] tx_valid,
    input logic [1:0] tx_ready,
    output logic [1:0] tx_nfc,
    output logic [7:0] tx_nfc_code,
    input logic [1:0] tx_nfc_ready
);
  // A quarter of the memory: the first one is the ports' own, the next ones are their pools.
  localparam logic [31:0] POOL = 32'd1 << MEMORY_BITS;

  logic [7:0] mem_write;
  logic [2*MEMORY_BITS-1:0] mem_at;
  logic [63:0] mem_in, mem_out, reg_out;
  logic [1:0] irqs;
  logic asked, known;
  assign asked = wb_cyc && wb_stb && !wb_ack && !wb_err;
  assign known = wb_adr[31:8] == 0;
  assign irq = |irqs;

  always_ff @(posedge clk) begin
    wb_ack <= asked && known && !rst;
    wb_err <= asked && !known && !rst;
    wb_dat_r <= wb_adr[7] ? reg_out[63:32] : reg_out[31:0];
  end

  genvar i;
  generate
    for (i = 0; i < 2; i = i + 1) begin : gen_ports
      logic here;
      assign here = asked && known && wb_adr[7] == i;

      op2p_port #(
          .FAULT(FAULT), .MEMORY_BITS(MEMORY_BITS), .LOCAL_ID(LOCAL_ID), .POOL_BASE(POOL * (i + 1))
      ) port (
          .clk(clk), .rst(rst), .reg_at(wb_adr[6:0]), .reg_write(here && wb_we), .reg_in(wb_dat_w),
          .reg_read(here && !wb_we), .reg_out(reg_out[32*i+:32]), .irq(irqs[i]), .channel_up(channel_up[i]),
          .lane_up(lane_up[2*i+:2]), .soft_error(soft_error[i]), .frame_error(frame_error[i]),
          .hard_error(hard_error[i]), .rx_data(rx_data[32*i+:32]), .rx_sof(rx_sof[i]), .rx_eof(rx_eof[i]),
          .rx_rem(rx_rem[2*i+:2]), .rx_valid(rx_valid[i]), .rx_ready(rx_ready[i]), .rx_nfc(rx_nfc[i]),
          .rx_nfc_code(rx_nfc_code[4*i+:4]), .tx_data(tx_data[32*i+:32]), .tx_sof(tx_sof[i]), .tx_eof(tx_eof[i]),
          .tx_rem(tx_rem[2*i+:2]), .tx_valid(tx_valid[i]), .tx_ready(tx_ready[i]), .tx_nfc(tx_nfc[i]),
          .tx_nfc_code(tx_nfc_code[4*i+:4]), .tx_nfc_ready(tx_nfc_ready[i]), .mem_write(mem_write[4*i+:4]),
          .mem_at(mem_at[MEMORY_BITS*i+:MEMORY_BITS]), .mem_in(mem_in[32*i+:32]), .mem_out(mem_out[32*i+:32])
      );
    end
  endgenerate

  op2p_memory #(.BITS(MEMORY_BITS)) memory (
      .clk(clk), .a_write(mem_write[3:0]), .a_at(mem_at[MEMORY_BITS-1:0]), .a_in(mem_in[31:0]), .a_out(mem_out[31:0]),
      .b_write(mem_write[7:4]), .b_at(mem_at[2*MEMORY_BITS-1:MEMORY_BITS]), .b_in(mem_in[63:32]), .b_out(mem_out[63:32])
  );
endmodule
