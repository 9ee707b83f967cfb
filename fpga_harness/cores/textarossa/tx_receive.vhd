-- SPDX-License-Identifier: BSD-2-Clause
-- Receive control of an APElink. Between packets every word is a credit; a packet is MAGIC, START, header,
-- payload and footer, and inside of it MAGIC and one credit may stand before any word. A packet is framed
-- by its corrected header. What cannot be placed is dropped until the next MAGIC and START.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.tx_faults.all;
use work.tx_packet.all;
use work.tx_secded.all;

entity tx_receive is
  generic (FAULT : natural := FAULT_NONE);
  port (
    clk : in std_logic;
    rst : in std_logic;
    -- The link; it has no flow control but its credits.
    s_data : in word_type;
    s_valid : in std_logic;
    -- Whether headers and credits are checked.
    check_headers : in std_logic;
    check_credits : in std_logic;
    -- To the queue of channel vc.
    vc : out natural range 0 to NUM_CHANNELS - 1 := 0;
    word : out word_type := (others => '0');
    put_header : out std_logic := '0';
    put_data : out std_logic := '0';
    commit : out std_logic := '0';
    abort : out std_logic := '0';
    -- What the other side has in use, whenever it tells.
    theirs : out rooms_type;
    told : out std_logic := '0';
    -- For the registers: the state by its code in LINK_0_STATUS_0, and what is counted.
    state_code : out std_logic_vector(3 downto 0);
    has_single : out std_logic := '0';
    has_fatal : out std_logic := '0';
    has_magic : out std_logic := '0';
    has_start : out std_logic := '0';
    has_header : out std_logic := '0';
    has_footer : out std_logic := '0');
end entity;

architecture rtl of tx_receive is
  -- In the order of their codes, from 1 on; LOST is none of the published ones.
  type state_type is (IDLE, AWAIT_START, HEADER, HEADER_CREDIT, PAYLOAD, PAYLOAD_CREDIT, FOOTER,
    FOOTER_CREDIT, LOST);
  signal state : state_type := IDLE;
  signal channel : natural range 0 to NUM_CHANNELS - 1 := 0;
  signal left : natural range 0 to WORDS_MAX := 0; -- words of payload
  signal magic_before : std_logic := '0';           -- LOST: the word before was MAGIC
begin
  vc <= channel;
  state_code <= x"1" when state = LOST else
    std_logic_vector(to_unsigned(state_type'pos(state) + 1, 4));

  process (clk)
    variable is_magic, is_start : boolean;

    procedure take_credit is
      variable status : status_type;
    begin
      status := CLEAN;
      if check_credits = '1' then
        status := check_of(s_data).status;
      end if;
      -- A corrected credit counts no more than a fatal one.
      if status = CLEAN or (FAULT = FAULT_CORRECTED_CREDIT_COUNTS and status = CORRECTED) then
        theirs <= unpack_rooms(s_data);
        told <= '1';
      end if;
    end procedure;

    procedure give_up is
    begin
      magic_before <= '0';
      state <= LOST;
    end procedure;

    procedure begin_packet is
    begin
      has_start <= '1';
      state <= HEADER;
    end procedure;

    procedure take_header is
      variable checked : checked_type;
      variable by : word_type; -- frames the packet
      variable number : natural range 0 to 15;
    begin
      has_header <= '1';
      checked := (s_data, CLEAN);
      if check_headers = '1' then
        checked := check_of(s_data, FAULT);
      end if;
      by := checked.word;
      if FAULT = FAULT_FRAMED_AS_IT_CAME then
        by := s_data;
      end if;
      number := to_integer(unsigned(by(CHANNEL_NUMBER)));
      if checked.status = CORRECTED then
        has_single <= '1';
      elsif checked.status = FATAL then
        has_fatal <= '1';
      end if;
      if FAULT = FAULT_COUNTERS_SWAPPED and checked.status /= CLEAN then
        has_single <= '0';
        has_fatal <= '1';
      end if;
      if (checked.status = FATAL and FAULT /= FAULT_FATAL_HEADER_STAYS) or number >= NUM_CHANNELS then
        give_up;
        return;
      end if;
      channel <= number;
      word <= checked.word;
      put_header <= '1';
      left <= payload_words(by);
      if by(HEADER_ONLY) = '1' then
        commit <= '1';
        state <= IDLE;
      elsif payload_words(by) > 0 then
        state <= PAYLOAD;
      else
        state <= FOOTER;
      end if;
    end procedure;

    procedure take_payload is
    begin
      word <= s_data;
      put_data <= '1';
      left <= left - 1;
      if left = 1 then
        state <= FOOTER;
      end if;
    end procedure;

    procedure take_footer is
    begin
      has_footer <= '1';
      word <= s_data;
      put_header <= '1';
      commit <= '1';
      state <= IDLE;
    end procedure;

    -- Behind a MAGIC inside a packet. START says that another packet has begun, and that this one is lost.
    -- A second MAGIC is payload that looks like one.
    procedure take_stuffed (back : state_type) is
    begin
      if is_start then
        abort <= '1';
        begin_packet;
      elsif back = PAYLOAD and (is_magic or FAULT = FAULT_STUFFED_CREDIT_STAYS) then
        take_payload;
      else
        take_credit;
        state <= back;
      end if;
    end procedure;
  begin
    if rising_edge(clk) then
      put_header <= '0';
      put_data <= '0';
      commit <= '0';
      abort <= '0';
      told <= '0';
      has_single <= '0';
      has_fatal <= '0';
      has_magic <= '0';
      has_start <= '0';
      has_header <= '0';
      has_footer <= '0';
      is_magic := s_data = MAGIC;
      is_start := s_data = START;
      if FAULT = FAULT_HALF_A_MAGIC then
        is_magic := s_data(63 downto 0) = MAGIC(63 downto 0);
      end if;
      if s_valid = '1' then
        case state is
          when IDLE =>
            if is_magic then
              has_magic <= '1';
              state <= AWAIT_START;
            else
              take_credit;
            end if;
          when AWAIT_START =>
            if is_start then
              begin_packet;
            elsif not is_magic then
              take_credit;
              state <= IDLE;
            end if;
          when HEADER =>
            if is_magic then
              state <= HEADER_CREDIT;
            else
              take_header;
            end if;
          when PAYLOAD =>
            if is_magic then
              state <= PAYLOAD_CREDIT;
            else
              take_payload;
            end if;
          when FOOTER =>
            if is_magic then
              state <= FOOTER_CREDIT;
            else
              take_footer;
            end if;
          when HEADER_CREDIT =>
            take_stuffed(HEADER);
          when PAYLOAD_CREDIT =>
            take_stuffed(PAYLOAD);
          when FOOTER_CREDIT =>
            take_stuffed(FOOTER);
          when LOST =>
            if magic_before = '1' and is_start and FAULT /= FAULT_NEVER_IN_STEP_AGAIN then
              begin_packet;
            end if;
            magic_before <= '0';
            if is_magic then
              magic_before <= '1';
            end if;
        end case;
      end if;
      if rst = '1' then
        state <= IDLE;
      end if;
    end if;
  end process;
end architecture;
