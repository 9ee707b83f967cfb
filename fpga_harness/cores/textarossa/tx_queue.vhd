-- SPDX-License-Identifier: BSD-2-Clause
-- Where packets wait: headers and footers in one FIFO, payload in the other. What is put counts with
-- commit, which may come with its last word; abort takes it back. A packet for which there was no room is
-- not kept: its commit is an abort. The first words show before they are taken.
library ieee;
use ieee.std_logic_1164.all;
use work.tx_faults.all;
use work.tx_packet.all;
use work.tx_secded.all;

entity tx_queue is
  generic (FAULT : natural := FAULT_NONE);
  port (
    clk : in std_logic;
    rst : in std_logic;
    word : in word_type;
    put_header : in std_logic;
    put_data : in std_logic;
    commit : in std_logic;
    abort : in std_logic;
    header : out word_type;
    data : out word_type;
    ready : out std_logic := '0'; -- a packet is there
    take_header : in std_logic;
    take_data : in std_logic;
    used_headers : out natural range 0 to QUEUE_HEADERS := 0;
    used_data : out natural range 0 to QUEUE_WORDS := 0);
end entity;

architecture rtl of tx_queue is
  type words_type is array (natural range <>) of word_type;
begin
  process (clk)
    variable headers : words_type(0 to QUEUE_HEADERS - 1) := (others => (others => '0'));
    variable words : words_type(0 to QUEUE_WORDS - 1) := (others => (others => '0'));
    variable first_header, num_headers, ready_headers : natural range 0 to QUEUE_HEADERS := 0;
    variable first_word, num_words, ready_words, wraps_at : natural range 0 to QUEUE_WORDS := 0;
    variable lost : std_logic := '0'; -- a word of the packet that comes
  begin
    if rising_edge(clk) then
      wraps_at := QUEUE_WORDS;
      if FAULT = FAULT_FIFO_WRAPS_EARLY then
        wraps_at := QUEUE_WORDS - 1;
      end if;
      if take_header = '1' and ready_headers > 0 then
        first_header := (first_header + 1) mod QUEUE_HEADERS;
        num_headers := num_headers - 1;
        ready_headers := ready_headers - 1;
      end if;
      if take_data = '1' and ready_words > 0 then
        first_word := (first_word + 1) mod QUEUE_WORDS;
        num_words := num_words - 1;
        ready_words := ready_words - 1;
      end if;
      if put_header = '1' then
        if num_headers < QUEUE_HEADERS then
          headers((first_header + num_headers) mod QUEUE_HEADERS) := word;
          num_headers := num_headers + 1;
        else
          lost := '1';
        end if;
      end if;
      if put_data = '1' then
        if num_words < QUEUE_WORDS then
          words((first_word + num_words) mod wraps_at) := word;
          num_words := num_words + 1;
        else
          lost := '1';
        end if;
      end if;
      if commit = '1' and lost = '0' then
        ready_headers := num_headers;
        ready_words := num_words;
      elsif commit = '1' or abort = '1' then
        num_headers := ready_headers;
        num_words := ready_words;
        lost := '0';
      end if;
      if rst = '1' and FAULT /= FAULT_RESET_LEAVES_PACKET then
        first_header := 0;
        num_headers := 0;
        ready_headers := 0;
        first_word := 0;
        num_words := 0;
        ready_words := 0;
        lost := '0';
      end if;
      header <= headers(first_header);
      data <= words(first_word);
      ready <= '0';
      if ready_headers > 0 then
        ready <= '1';
      end if;
      used_headers <= num_headers;
      used_data <= num_words;
    end if;
  end process;
end architecture;
