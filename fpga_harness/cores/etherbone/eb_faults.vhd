-- SPDX-License-Identifier: BSD-2-Clause
-- The faults that can be planted in the example board by the generic FAULT, one at a time. What is wrong
-- with each, and the case that finds it, stands in faults.txt.
package eb_faults is
  constant FAULT_NONE : natural := 0;
  constant FAULT_EARLY_LAST : natural := 1;
  constant FAULT_STALE_RESULT : natural := 2;
  constant FAULT_BYTE_ENABLES_LOST : natural := 3;
  constant FAULT_FULL_ONE_EARLY : natural := 4;
  constant FAULT_UNKNOWN_AFTER_RESET : natural := 5;
  constant FAULT_VALID_FALLS : natural := 6;
  constant FAULT_DATA_MOVES_ON : natural := 7;
  constant FAULT_CYCLE_GLITCH : natural := 8;
  constant FAULT_CYCLE_NEVER_ENDS : natural := 9;
  constant FAULT_FIXED_INCREMENTS : natural := 10;
  constant FAULT_PROBE_ID_STALE : natural := 11;
  constant FAULT_NR_CLEAR : natural := 12;
  constant FAULT_ANY_WIDTHS : natural := 13;
  constant FAULT_TRUNCATED_RUNS : natural := 14;
  constant FAULT_RETURN_ADDRESS_CUT : natural := 15;
  constant FAULT_LITTLE_ENDIAN_CONFIG : natural := 16;
  constant FAULT_CONFIG_SHIFTS_ERRORS : natural := 17;
  constant FAULT_VALID_GIVES_UP : natural := 18;
  constant FAULT_STROBE_ALONE : natural := 19;
  constant FAULT_REQUEST_MOVES : natural := 20;
  constant FAULT_BUS_UNKNOWN : natural := 21;
  constant FAULT_NULL_BYTE : natural := 24;
  constant FAULT_EMPTY_FRAME : natural := 25;
  constant FAULT_LOST_IN_WAITING : natural := 26;
  -- Of what lies on the bus.
  constant FAULT_TWO_ANSWERS : natural := 22;
  constant FAULT_ANSWERS_AGAIN : natural := 23;
end package;
