-- SPDX-License-Identifier: BSD-2-Clause
-- Faults that can be planted in the TEXTAROSSA node by its generic FAULT, to see goldwire find them.
-- faults.txt says what each does, and which case finds it.
package tx_faults is
  constant FAULT_NONE : natural := 0;
  constant FAULT_NO_START : natural := 1;
  constant FAULT_NO_GAP : natural := 2;
  constant FAULT_CREDIT_WITHOUT_MARGIN : natural := 3;
  constant FAULT_TWO_CREDITS : natural := 4;
  constant FAULT_PARITY_LEFT_OUT : natural := 5;
  constant FAULT_HALF_CORRECTED : natural := 6;
  constant FAULT_FRAMED_AS_IT_CAME : natural := 7;
  constant FAULT_POWERS_OF_TWO_CLEAN : natural := 8;
  constant FAULT_COUNTERS_SWAPPED : natural := 9;
  constant FAULT_FATAL_HEADER_STAYS : natural := 10;
  constant FAULT_ROOM_ONE_TOO_MANY : natural := 11;
  constant FAULT_ROOM_ONE_TOO_FEW : natural := 12;
  constant FAULT_ROOM_WRAPS : natural := 13;
  constant FAULT_ONE_HEADER_IS_ENOUGH : natural := 14;
  constant FAULT_CORRECTED_CREDIT_COUNTS : natural := 15;
  constant FAULT_MAGIC_GOES_OUT : natural := 16;
  constant FAULT_HALF_A_MAGIC : natural := 17;
  constant FAULT_FIFO_WRAPS_EARLY : natural := 18;
  constant FAULT_STALE_WORD : natural := 19;
  constant FAULT_STUFFED_CREDIT_STAYS : natural := 20;
  constant FAULT_NEVER_IN_STEP_AGAIN : natural := 21;
  constant FAULT_RESET_LEAVES_PACKET : natural := 22;
  constant FAULT_UNKNOWN_AFTER_RESET : natural := 23;
  constant FAULT_CHANNEL_CUT : natural := 24;
  constant FAULT_BOUNCED_IS_DATA : natural := 25;
  constant FAULT_HEADER_ALONE_HAS_SIZE : natural := 26;
  constant FAULT_HOLES_READ_ZERO : natural := 27;
  constant FAULT_WHOLE_WORD_RESETS : natural := 28;
  constant FAULT_THRESHOLDS_IGNORED : natural := 29;
  constant FAULT_FOOTER_FLIPS : natural := 30;
end package;
