// SPDX-License-Identifier: BSD-2-Clause
// The faults that can be planted in op2p_node by its parameter FAULT, one at a time. What is wrong with
// each, and the case that finds it, stands in faults.txt.
`timescale 1ps / 1ps

package op2p_faults;
  localparam int FAULT_NONE = 0;
  localparam int FAULT_EARLY_END = 1;
  localparam int FAULT_STALE_PAYLOAD = 2;
  localparam int FAULT_BYTE_ENABLES_LOST = 3;
  localparam int FAULT_FULL_ONE_EARLY = 4;
  localparam int FAULT_UNKNOWN_AFTER_RESET = 5;
  localparam int FAULT_READY_IGNORED = 6;
  localparam int FAULT_RESET_GLITCH = 7;
  localparam int FAULT_XOFF_IGNORED = 8;
  localparam int FAULT_POOL_ONE_TOO_FEW = 9;
  localparam int FAULT_FULL_TAKES_ONE = 10;
  localparam int FAULT_UNASKED_TAKEN = 11;
  localparam int FAULT_STALE_HEADER = 12;
  localparam int FAULT_SIZE_STICKS = 13;
  localparam int FAULT_DAMAGED_STORED = 14;
  localparam int FAULT_REMAINDER_IGNORED = 15;
  localparam int FAULT_HALTS_EACH_OTHER = 16;
  localparam int FAULT_ENABLES_ON_IDS = 17;
  localparam int FAULT_SENDS_WHILE_DOWN = 18;
  localparam int FAULT_INTERRUPT_PULSE = 19;
  localparam int FAULT_INTERRUPT_ANY_FRAME = 20;
  localparam int FAULT_GAP_KEEPS_WORD = 21;
  localparam int FAULT_FLOW_LOST_INSIDE = 22;
  localparam int FAULT_FLOW_IS_A_WORD = 23;
endpackage
