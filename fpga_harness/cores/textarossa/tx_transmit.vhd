-- SPDX-License-Identifier: BSD-2-Clause
-- Transmit control of an APElink. A packet goes when the other side has room for it by the credit that it
-- told last; a credit follows. With a new-credit cycle of 1, MAGIC and a credit go before each word of it.
-- Otherwise a credit is sent when it says something new, and not before CREDIT_GAP cycles after the one
-- before: a link that is idle is silent here, where one over Aurora repeats its credit.
--
-- A packet for which there can never be room is dropped, so that it does not hold up those behind it.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.tx_faults.all;
use work.tx_packet.all;
use work.tx_secded.all;

entity tx_transmit is
  generic (
    CREDIT_GAP : positive := 32;
    FAULT : natural := FAULT_NONE);
  port (
    clk : in std_logic;
    rst : in std_logic;
    -- The link.
    m_data : out word_type := (others => '0');
    m_valid : out std_logic;
    m_ready : in std_logic;
    -- LINK_0_CONFIG_1 and _2, and whether check bytes are made.
    thresholds : in std_logic_vector(31 downto 0);
    cycles : in std_logic_vector(31 downto 0);
    protect_headers : in std_logic;
    protect_credits : in std_logic;
    -- Packets that wait, by channel.
    header_0, header_1, data_0, data_1 : in word_type;
    ready : in std_logic_vector(NUM_CHANNELS - 1 downto 0);
    take_header : out std_logic_vector(NUM_CHANNELS - 1 downto 0);
    take_data : out std_logic_vector(NUM_CHANNELS - 1 downto 0);
    -- What the receiver's queues have in use, and what the other side's have.
    ours : in rooms_type;
    theirs : in rooms_type;
    told : in std_logic;
    -- For the registers.
    state_codes : out std_logic_vector(11 downto 0); -- footer, payload, header
    has_magic : out std_logic;
    has_start : out std_logic;
    has_header : out std_logic;
    has_footer : out std_logic);
end entity;

architecture rtl of tx_transmit is
  signal odd : std_logic := '0'; -- of footers that were sent
  constant ONE_BIT : word_type := (0 => '1', others => '0');
  type state_type is (IDLE, SEND_MAGIC, SEND_START, SEND_HEADER, SEND_PAYLOAD, SEND_FOOTER, SEND_CREDIT,
    DROP_HEADER, DROP_PAYLOAD, DROP_FOOTER);
  type heads_type is array (0 to NUM_CHANNELS - 1) of word_type;
  signal state : state_type := IDLE;
  signal vc : natural range 0 to NUM_CHANNELS - 1 := 0;
  signal left : natural range 0 to WORDS_MAX := 0; -- words of payload
  signal alone : std_logic := '0';
  signal stuffed : natural range 0 to 3 := 0;      -- words before the next one of the packet that went
  signal valid : std_logic := '0';
  signal theirs_known : std_logic := '0';
  signal room : rooms_type;                        -- of theirs that was taken since they told
  signal has_told : std_logic := '0';
  signal said : word_type := (others => '0');      -- the last credit
  signal pause : natural range 0 to CREDIT_GAP := 0;
  signal headers, payloads : heads_type;
  signal goes, sends_word : std_logic;             -- a word may go; it is one of the packet

  function is_fault (which : natural) return boolean is
  begin
    return FAULT = which;
  end function;

  -- Words that go before each word of a packet.
  function num_stuffed (all_cycles : std_logic_vector) return natural is
  begin
    if unsigned(all_cycles(15 downto 8)) /= 1 then
      return 0;
    elsif is_fault(FAULT_TWO_CREDITS) then
      return 3;
    end if;
    return 2;
  end function;
begin
  headers <= (header_0, header_1);
  payloads <= (data_0, data_1);
  m_valid <= valid;
  goes <= not valid or m_ready;
  sends_word <= '1' when goes = '1' and stuffed >= num_stuffed(cycles) else '0';

  take : process (all)
  begin
    take_header <= (others => '0');
    take_data <= (others => '0');
    if state = DROP_HEADER or state = DROP_FOOTER or
      (sends_word = '1' and (state = SEND_HEADER or state = SEND_FOOTER)) then
      take_header(vc) <= '1';
    end if;
    if state = DROP_PAYLOAD or (sends_word = '1' and state = SEND_PAYLOAD) then
      take_data(vc) <= '1';
    end if;
  end process;

  has_magic <= '1' when state = SEND_MAGIC and goes = '1' else '0';
  has_start <= '1' when state = SEND_START and goes = '1' else '0';
  has_header <= '1' when state = SEND_HEADER and sends_word = '1' else '0';
  has_footer <= '1' when state = SEND_FOOTER and sends_word = '1' else '0';
  with state select state_codes <=
    x"112" when SEND_MAGIC,
    x"113" when SEND_START,
    x"114" when SEND_HEADER,
    x"141" when SEND_PAYLOAD,
    x"411" when SEND_FOOTER,
    x"111" when others;

  process (clk)
    variable credit : word_type;
    variable taken : rooms_type; -- of the room that they told
    variable next_vc : natural range 0 to NUM_CHANNELS - 1;
    variable chosen : boolean;

    -- What our queues have in use, with the waiting cycle as a margin for what is under way.
    impure function make_credit return word_type is
      variable rooms : rooms_type := ours;
    begin
      for i in rooms'range loop
        if not is_fault(FAULT_CREDIT_WITHOUT_MARGIN) then
          rooms(i).headers := ours(i).headers + unsigned(cycles(7 downto 0));
          rooms(i).data := ours(i).data + resize(unsigned(cycles(7 downto 0)), 10);
        end if;
      end loop;
      return protect(pack_rooms(rooms), protect_credits, FAULT);
    end function;

    -- What is left below a threshold.
    function space (threshold, value, sent : unsigned) return natural is
      constant USED : natural := to_integer(value) + to_integer(sent);
    begin
      if to_integer(threshold) > USED then
        return to_integer(threshold) - USED;
      elsif is_fault(FAULT_ROOM_WRAPS) then
        return (to_integer(threshold) - USED) mod 1024;
      end if;
      return 0;
    end function;

    impure function has_room (i : natural) return boolean is
      variable words, free, free_headers, wanted : integer;
    begin
      if is_fault(FAULT_THRESHOLDS_IGNORED) and thresholds = x"00000000" then
        return true;
      end if;
      words := payload_words(headers(i));
      free := space(unsigned(thresholds(25 downto 16)), theirs(i).data, taken(i).data);
      free_headers := space(unsigned(thresholds(7 downto 0)), theirs(i).headers, taken(i).headers);
      wanted := 2;
      if is_fault(FAULT_ONE_HEADER_IS_ENOUGH) then
        wanted := 1;
      elsif is_fault(FAULT_ROOM_ONE_TOO_FEW) then
        words := words + 1;
      elsif is_fault(FAULT_ROOM_ONE_TOO_MANY) then
        words := words - 1;
      end if;
      return theirs_known = '1' and free >= words and free_headers >= wanted;
    end function;

    -- Even empty queues are told with the margin, which is the same at both ends.
    impure function never_has_room (i : natural) return boolean is
      constant THRESHOLD : natural := to_integer(unsigned(thresholds(25 downto 16)));
      constant MARGIN : natural := to_integer(unsigned(cycles(7 downto 0)));
    begin
      return THRESHOLD > 0 and payload_words(headers(i)) + MARGIN > THRESHOLD;
    end function;

    procedure send (word : word_type) is
    begin
      m_data <= word;
      valid <= '1';
    end procedure;

    procedure send_the_credit is
    begin
      send(credit);
      said <= credit;
      has_told <= '1';
      pause <= CREDIT_GAP;
    end procedure;

    -- MAGIC and a credit go before a word, as long as sends_word is not high.
    procedure stuff is
    begin
      if stuffed = 0 then
        send(MAGIC);
      else
        send_the_credit;
      end if;
      stuffed <= stuffed + 1;
    end procedure;

    procedure begin_packet (i : natural; dropped : boolean) is
    begin
      vc <= i;
      left <= payload_words(headers(i));
      alone <= headers(i)(HEADER_ONLY);
      state <= SEND_MAGIC;
      if dropped then
        state <= DROP_HEADER;
      end if;
      chosen := true;
    end procedure;

    -- The channels take turns.
    procedure choose is
    begin
      for i in 1 to NUM_CHANNELS loop
        next_vc := (vc + i) mod NUM_CHANNELS;
        if not chosen and ready(next_vc) = '1' then
          if never_has_room(next_vc) then
            begin_packet(next_vc, true);
          elsif has_room(next_vc) then
            begin_packet(next_vc, false);
            taken(next_vc).data := taken(next_vc).data + payload_words(headers(next_vc));
            taken(next_vc).headers := taken(next_vc).headers + 1;
            if headers(next_vc)(HEADER_ONLY) = '0' then
              taken(next_vc).headers := taken(next_vc).headers + 1;
            end if;
          end if;
        end if;
      end loop;
    end procedure;
  begin
    if rising_edge(clk) then
      chosen := false;
      taken := room;
      credit := said;
      if goes = '1' then
        credit := make_credit;
      end if;
      if pause > 0 then
        pause <= pause - 1;
      end if;
      if told = '1' then
        theirs_known <= '1';
        taken := (others => (others => (others => '0')));
      end if;
      if state = DROP_HEADER then
        state <= DROP_PAYLOAD when left > 0 else IDLE when alone = '1' else DROP_FOOTER;
      elsif state = DROP_PAYLOAD then
        left <= left - 1;
        if left = 1 then
          state <= DROP_FOOTER;
        end if;
      elsif state = DROP_FOOTER then
        state <= IDLE;
      elsif goes = '1' then
        valid <= '0';
        case state is
          when IDLE =>
            if has_told = '0' then
              send_the_credit;
            else
              choose;
              if not chosen and credit /= said and pause = 0 then
                send_the_credit;
              end if;
            end if;
          when SEND_MAGIC =>
            send(MAGIC);
            state <= SEND_START;
            if is_fault(FAULT_NO_START) then
              state <= SEND_HEADER;
            end if;
          when SEND_START =>
            send(START);
            stuffed <= 0;
            state <= SEND_HEADER;
          when SEND_HEADER | SEND_PAYLOAD | SEND_FOOTER =>
            if sends_word = '0' then
              stuff;
            else
              stuffed <= 0;
              if state = SEND_HEADER then
                send(protect(headers(vc), protect_headers, FAULT));
                state <= SEND_PAYLOAD when left > 0 else SEND_CREDIT when alone = '1' else SEND_FOOTER;
              elsif state = SEND_PAYLOAD then
                send(payloads(vc));
                left <= left - 1;
                if left = 1 then
                  state <= SEND_FOOTER;
                end if;
              else
                if is_fault(FAULT_FOOTER_FLIPS) and odd = '1' then
                  send(headers(vc) xor ONE_BIT);
                else
                  send(headers(vc));
                end if;
                odd <= not odd;
                state <= SEND_CREDIT;
              end if;
            end if;
          when SEND_CREDIT =>
            if not is_fault(FAULT_NO_GAP) then
              send_the_credit;
            end if;
            state <= IDLE;
          when others =>
            null;
        end case;
      end if;
      room <= taken;
      if rst = '1' then
        state <= IDLE;
        valid <= '0';
        stuffed <= 0;
        theirs_known <= '0';
        has_told <= '0';
        room <= (others => (others => (others => '0')));
      end if;
    end if;
  end process;
end architecture;
