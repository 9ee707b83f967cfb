// SPDX-License-Identifier: BSD-2-Clause
// What surrounds a simulated board: its reset, the case that runs as text in the waves, and a pacer.
`timescale 1ps / 1ps

// gw_reset is the wire that goldwire resets the core by; it is high as well for the first CYCLES cycles.
module gw_reset
  import gw_ports::*;
#(
    parameter int NUMBER = 15,
    parameter int CYCLES = 4
) (
    input logic clk,
    output logic rst
);
  int opened, level, age, turns, seen;

  initial begin
    rst = 1'b1;
    age = 0;
    level = 0;
    seen = -1;
    opened = gw_hdl_port(NUMBER, GW_KIND_RESET, 1);
    if (opened < 0) $finish(0);
  end

  always @(posedge clk) begin
    turns = gw_turns($time);
    if (turns != seen || age <= CYCLES) begin
      if (turns != seen) level = gw_hdl_reset(NUMBER, gw_us($time), gw_ps($time));
      seen = turns;
      rst <= level != 0 || age < CYCLES;
      if (age <= CYCLES) age = age + 1;
    end
  end
endmodule

// gw_case shows what goldwire does: 32 characters, to be looked at as ASCII. Run with +gw_wave=FILE, it has the
// simulator write the waves of the whole testbench into FILE.
module gw_case
  import gw_ports::*;
(
    input logic clk
);
  logic [255:0] text;
  int marks, num, turns, seen;
  logic [8*512-1:0] wave;

  initial begin
    text = '0;
    marks = 0;
    seen = -1;
    if ($value$plusargs("gw_wave=%s", wave)) begin
      $dumpfile(wave);
      $dumpvars;
    end
  end

  always @(posedge clk) begin
    turns = gw_turns($time);
    // An if, since Verilator calls what stands in either half of a conditional expression.
    if (turns != seen) begin
      seen = turns;
      num = gw_hdl_mark(-1);
      if (num != marks) begin
        marks = num;
        for (int i = 0; i < 32; i++) text[255-8*i-:8] = 8'(gw_hdl_mark(i));
      end
    end
  end
endmodule

// gw_pacer lets goldwire's time go on where a clock may stop.
module gw_pacer
  import gw_ports::*;
();
  int left;

  initial begin
    #0;
    left = gw_hdl_pace(gw_us($time), gw_ps($time));
    while (left >= 0) begin
      #(left);
      left = gw_hdl_pace(gw_us($time), gw_ps($time));
    end
    $finish(0);
  end
endmodule
