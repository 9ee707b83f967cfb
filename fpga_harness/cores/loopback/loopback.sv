// SPDX-License-Identifier: BSD-2-Clause
// The smallest core there is: what comes by s_ goes out by m_ a cycle later. FAULT plants what is
// wrong with it: 1 tvalid falls while it waits, 2 tdata changes then, 3 a hole in tkeep, 4 no byte counts,
// 5 unknown data in the first beat after a reset, 6 tlast in every beat.
`timescale 1ps / 1ps

module loopback #(
    parameter int BYTES = 8,
    parameter int FAULT = 0
) (
    input logic clk,
    input logic rst,
    input logic [8*BYTES-1:0] s_tdata,
    input logic [BYTES-1:0] s_tkeep,
    input logic s_tvalid,
    input logic s_tlast,
    output logic s_tready,
    output logic [8*BYTES-1:0] m_tdata,
    output logic [BYTES-1:0] m_tkeep,
    output logic m_tvalid,
    output logic m_tlast,
    input logic m_tready
);
  logic [8*BYTES-1:0] data;
  logic [BYTES-1:0] keep;
  logic last, full, waited, fresh;

  assign s_tready = !rst && ((m_tready && m_tvalid) || !full);
  assign m_tvalid = FAULT == 1 ? full && !waited : full;
  assign m_tlast = FAULT == 6 ? 1'b1 : last;
  assign m_tdata = FAULT == 5 && fresh ? 'x : FAULT == 2 ? data ^ waited : data;
  assign m_tkeep = FAULT == 4 ? '0 : FAULT == 3 ? keep & ~BYTES'(1) : keep;

  initial begin
    data = '0;
    keep = '0;
    last = 1'b0;
    full = 1'b0;
    waited = 1'b0;
    fresh = 1'b0;
  end

  always_ff @(posedge clk) begin
    waited <= m_tvalid && !m_tready;
    if (m_tvalid && m_tready) begin
      full <= 1'b0;
      fresh <= 1'b0;
    end
    if (s_tvalid && s_tready) begin
      data <= s_tdata;
      keep <= s_tkeep;
      last <= s_tlast;
      full <= 1'b1;
    end
    if (rst) begin
      full <= 1'b0;
      waited <= 1'b0;
      fresh <= 1'b1;
    end
  end
endmodule
