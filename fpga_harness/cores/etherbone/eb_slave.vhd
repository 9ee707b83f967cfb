-- SPDX-License-Identifier: BSD-2-Clause
-- An EtherBone slave (EtherBone 1.0): the payloads of UDP datagrams in and out as an AXI4-Stream of
-- bytes, a pipelined Wishbone B4 master behind it. A packet is kept whole before anything of it is
-- executed, so a record that is not complete is not begun.
--
-- ADDRESS_BYTES and DATA_BYTES, 1, 2, 4 or 8 each, choose the one pair of widths that the core speaks.
-- Everything in a packet stands in units of UNIT bytes: 2, or the wider of the two. SDB is the bus
-- address of the SDB table. BUS_TIMEOUT is how many cycles an access may take before it has failed.
--
-- FAULT plants one of eb_faults, for goldwire's own tests; 0 is a good core.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.eb_faults.all;

entity eb_slave is
  generic (
    ADDRESS_BYTES : positive := 4;
    DATA_BYTES : positive := 4;
    SDB : natural := 0;
    PACKET_MAX : positive := 1472;
    BUS_TIMEOUT : positive := 256;
    FAULT : natural := FAULT_NONE);
  port (
    clk : in std_logic;
    rst : in std_logic;
    s_tdata : in std_logic_vector(7 downto 0);
    s_tvalid : in std_logic;
    s_tlast : in std_logic;
    s_tready : out std_logic;
    m_tdata : out std_logic_vector(7 downto 0);
    m_tkeep : out std_logic_vector(0 downto 0); -- always 1
    m_tvalid : out std_logic;
    m_tlast : out std_logic;
    m_tready : in std_logic;
    cyc : out std_logic;
    stb : out std_logic;
    we : out std_logic;
    adr : out std_logic_vector(8 * ADDRESS_BYTES - 1 downto 0);
    sel : out std_logic_vector(DATA_BYTES - 1 downto 0);
    dat_o : out std_logic_vector(8 * DATA_BYTES - 1 downto 0);
    dat_i : in std_logic_vector(8 * DATA_BYTES - 1 downto 0);
    stall : in std_logic;
    ack : in std_logic;
    err : in std_logic);
end entity;

architecture rtl of eb_slave is
  function maximum_of (a, b : positive) return positive is
  begin
    if a > b then
      return a;
    end if;
    return b;
  end function;

  function is_fault (which : natural) return boolean is
  begin
    return FAULT = which;
  end function;

  constant UNIT : positive := maximum_of(2, maximum_of(ADDRESS_BYTES, DATA_BYTES));
  -- Bytes of a packet header and of a record header: units of 8 bytes bring padding with them.
  constant HEADER : positive := maximum_of(4, UNIT);
  -- The codes 1, 2, 4 and 8 stand for as many bytes.
  constant WIDTHS : std_logic_vector(7 downto 0) :=
    std_logic_vector(to_unsigned(16 * ADDRESS_BYTES + DATA_BYTES, 8));

  -- The flags of a record.
  constant BCA : natural := 7;
  constant RCA : natural := 6;
  constant RFF : natural := 5;
  constant CYC_END : natural := 3;
  constant WCA : natural := 2;
  constant WFF : natural := 1;

  subtype byte is std_logic_vector(7 downto 0);
  subtype long is std_logic_vector(63 downto 0);
  type buffer_type is array (0 to PACKET_MAX - 1) of byte;

  -- TAKE and PUT move bytes between the packets and |shift|, and ON_BUS waits for the bus; each goes on
  -- with a state that was chosen before.
  type state_type is (
    RECEIVE, BEGIN_PACKET, CHECK_HEADER, ANSWER_PROBE, NEXT_RECORD, RECORD_HEADER, WRITE_BASE,
    WRITE_VALUE, WRITTEN, RETURN_BASE, PUT_BASE, NEXT_READ, READ_ADDRESS, READ_BUS, READ_DONE,
    END_RECORD, FINISH, SEND, TAKE, PUT, ON_BUS);

  signal request : buffer_type;
  signal reply : buffer_type;
  signal len : natural range 0 to PACKET_MAX := 0;
  signal at : natural range 0 to PACKET_MAX := 0;
  signal too_long : std_logic := '0';
  signal reply_len : natural range 0 to PACKET_MAX := 0;
  signal sent : natural range 0 to PACKET_MAX := 0;

  signal state : state_type := RECEIVE;
  signal after_move : state_type := RECEIVE;
  signal after_bus : state_type := RECEIVE;
  signal shift : long := (others => '0');
  signal left : natural range 0 to 8 := 0;
  signal zeros : natural range 0 to 4 := 0;

  signal flags : byte := (others => '0');
  signal enables : byte := (others => '0');
  signal writes : natural range 0 to 255 := 0;
  signal reads : natural range 0 to 255 := 0;
  signal address : unsigned(63 downto 0) := (others => '0');
  signal return_unit : long := (others => '0');
  signal result : long := (others => '0');
  signal kept : natural range 0 to 15 := 0; -- cycles that a byte waits, of FAULT_LOST_IN_WAITING alone
  signal tired, was_cycle : std_logic := '0'; -- of FAULT_VALID_GIVES_UP and FAULT_STROBE_ALONE alone
  signal stale : long := (others => '0'); -- of FAULT_STALE_RESULT alone
  signal answered : std_logic := '0';   -- the reply has a record, or is a probe response
  signal left_open : std_logic := '0';  -- the reply's last record has no CYC

  -- The results of the last 64 bus operations, the newest in bit 0; 1 is a failure.
  signal errors : long := (others => '0');
  signal waited : natural range 0 to BUS_TIMEOUT := 0;
  signal cycle : std_logic := '0';
  signal strobe : std_logic := '0';
  signal writing : std_logic := '0';
  signal emptied : std_logic := '0'; -- a frame without a byte is on its way
  signal shown : std_logic := '0';      -- a byte of the reply is on offer

  -- The bits of the lanes that are selected.
  function lanes_of (selected : byte) return long is
    variable mask : long := (others => '0');
  begin
    for i in 0 to DATA_BYTES - 1 loop
      if selected(i) = '1' then
        mask(8 * i + 7 downto 8 * i) := x"ff";
      end if;
    end loop;
    return mask;
  end function;

  -- A word of the config space: the error register at 0, the address of the SDB table at 8, zeros
  -- elsewhere. Registers have 64 bits and are big-endian.
  function config (at_address : unsigned(63 downto 0); error_bits : long) return long is
    variable image : std_logic_vector(127 downto 0) := (others => '0');
    variable value : long := (others => '0');
    variable first : natural;
  begin
    image(127 downto 64) := error_bits;
    image(31 downto 0) := std_logic_vector(to_unsigned(SDB, 32));
    if at_address(15 downto 4) = 0 then
      first := to_integer(at_address(3 downto 0));
      first := first - first mod DATA_BYTES;
      for i in 0 to DATA_BYTES - 1 loop
        value(8 * (DATA_BYTES - i) - 1 downto 8 * (DATA_BYTES - i) - 8) :=
          image(127 - 8 * (first + i) downto 120 - 8 * (first + i));
      end loop;
    end if;
    if is_fault(FAULT_LITTLE_ENDIAN_CONFIG) then
      value(31 downto 0) := value(7 downto 0) & value(15 downto 8) & value(23 downto 16) & value(31 downto 24);
    end if;
    return value;
  end function;

  -- Units that a record with these counts has behind its header: each kind has a base, when there is any.
  function num_units (num_writes, num_reads : natural) return natural is
    variable num : natural := num_writes + num_reads;
  begin
    if num_writes > 0 then
      num := num + 1;
    end if;
    if num_reads > 0 then
      num := num + 1;
    end if;
    return num;
  end function;
begin
  s_tready <= '1' when state = RECEIVE and rst = '0' else '0';
  m_tvalid <= shown and m_tready when is_fault(FAULT_VALID_FALLS) else
    shown and not tired when is_fault(FAULT_VALID_GIVES_UP) else shown;
  cyc <= cycle and was_cycle when is_fault(FAULT_STROBE_ALONE) else cycle;
  m_tkeep <= "0" when emptied = '1' or (is_fault(FAULT_NULL_BYTE) and sent = 5) else "1";
  stb <= strobe;
  we <= writing;

  process (clk)
    variable num_writes, num_reads, first : natural;
    variable value : long;

    -- Shifts |num| bytes of the request in.
    procedure take_bytes (num : positive; then_state : state_type) is
    begin
      shift <= (others => '0');
      left <= num;
      after_move <= then_state;
      state <= TAKE;
    end procedure;

    -- Appends the lowest |num| bytes of |what| to the reply, and |padding| zeros.
    procedure put_bytes (what : long; num : positive; padding : natural; then_state : state_type) is
    begin
      shift <= what;
      left <= num;
      zeros <= padding;
      after_move <= then_state;
      state <= PUT;
    end procedure;

    procedure drop is
    begin
      len <= 0;
      too_long <= '0';
      shown <= '0';
      cycle <= '0';
      strobe <= '0';
      state <= RECEIVE;
    end procedure;

    procedure use_bus (is_write : std_logic; data : long; then_state : state_type) is
    begin
      cycle <= '1';
      strobe <= '1';
      writing <= is_write;
      adr <= std_logic_vector(address(8 * ADDRESS_BYTES - 1 downto 0));
      dat_o <= data(8 * DATA_BYTES - 1 downto 0);
      sel <= enables(DATA_BYTES - 1 downto 0);
      if is_fault(FAULT_BYTE_ENABLES_LOST) then
        sel <= (sel'range => '1');
      end if;
      waited <= 0;
      after_bus <= then_state;
      state <= ON_BUS;
    end procedure;

    -- One bus operation is over.
    procedure end_access (failed : std_logic) is
    begin
      strobe <= '0';
      errors <= errors(62 downto 0) & failed;
      value := (others => '0');
      value(8 * DATA_BYTES - 1 downto 0) := dat_i;
      if failed = '1' then
        value := (others => '0');
      end if;
      result <= value and lanes_of(enables);
      if is_fault(FAULT_STALE_RESULT) then
        stale <= value and lanes_of(enables);
        result <= stale;
      end if;
      state <= after_bus;
    end procedure;

    -- The header of a reply's record: BCA becomes WCA, RFF becomes WFF, CYC stays.
    procedure put_record (selected : byte; num : natural; then_state : state_type) is
    begin
      value := (others => '0');
      value(24 + CYC_END) := flags(CYC_END);
      value(24 + WCA) := flags(BCA);
      value(24 + WFF) := flags(RFF);
      value(23 downto 16) := selected;
      value(15 downto 8) := std_logic_vector(to_unsigned(num, 8));
      put_bytes(value, 4, HEADER - 4, then_state);
    end procedure;
  begin
    if rising_edge(clk) then
      case state is
        when RECEIVE =>
          if s_tvalid = '1' then
            if len = PACKET_MAX or (is_fault(FAULT_FULL_ONE_EARLY) and len = PACKET_MAX - 1) then
              too_long <= '1';
            else
              request(len) <= s_tdata;
              len <= len + 1;
            end if;
            if s_tlast = '1' then
              state <= BEGIN_PACKET;
            end if;
          end if;

        when BEGIN_PACKET =>
          at <= 0;
          reply_len <= 0;
          answered <= '0';
          left_open <= '0';
          if too_long = '1' or len < 4 then
            drop;
          else
            take_bytes(4, CHECK_HEADER);
          end if;

        -- Magic, version and flags, widths.
        when CHECK_HEADER =>
          if shift(31 downto 16) /= x"4e6f" then
            drop;
          elsif shift(8) = '1' and len < 8 then
            drop;
          elsif shift(8) = '1' then
            -- A probe: whatever follows its id is not executed.
            take_bytes(4, ANSWER_PROBE);
          elsif shift(15 downto 12) /= x"1" or shift(9) = '1' or len < HEADER then
            drop;
          elsif shift(7 downto 0) /= WIDTHS and not is_fault(FAULT_ANY_WIDTHS) then
            drop;
          else
            at <= HEADER;
            value := x"000000004e6f14" & WIDTHS;
            if is_fault(FAULT_NR_CLEAR) then
              value(10) := '0';
            end if;
            put_bytes(value, 4, HEADER - 4, NEXT_RECORD);
          end if;

        when ANSWER_PROBE =>
          answered <= '1';
          value := x"4e6f16" & WIDTHS & shift(31 downto 0);
          if is_fault(FAULT_PROBE_ID_STALE) then
            value(31 downto 0) := return_unit(31 downto 0);
          end if;
          put_bytes(value, 8, 0, FINISH);

        when NEXT_RECORD =>
          if is_fault(FAULT_CYCLE_GLITCH) then
            cycle <= '0';
          end if;
          if at + HEADER <= len then
            take_bytes(4, RECORD_HEADER);
          else
            state <= FINISH;
          end if;

        -- Flags, byte enables, counts.
        when RECORD_HEADER =>
          num_writes := to_integer(unsigned(shift(15 downto 8)));
          num_reads := to_integer(unsigned(shift(7 downto 0)));
          first := at + HEADER - 4;
          flags <= shift(31 downto 24);
          enables <= shift(23 downto 16);
          writes <= num_writes;
          reads <= num_reads;
          at <= first;
          if first + UNIT * num_units(num_writes, num_reads) > len and not is_fault(FAULT_TRUNCATED_RUNS) then
            state <= FINISH;
          elsif num_writes > 0 then
            take_bytes(UNIT, WRITE_BASE);
          elsif num_reads > 0 then
            take_bytes(UNIT, RETURN_BASE);
          else
            state <= END_RECORD;
          end if;

        when WRITE_BASE =>
          address <= unsigned(shift);
          take_bytes(UNIT, WRITE_VALUE);

        -- The registers of the config space take no value.
        when WRITE_VALUE =>
          if flags(WCA) = '1' then
            state <= WRITTEN;
          else
            use_bus('1', shift, WRITTEN);
          end if;

        when WRITTEN =>
          writes <= writes - 1;
          if flags(WFF) = '0' or is_fault(FAULT_FIXED_INCREMENTS) then
            address <= address + DATA_BYTES;
          end if;
          if writes > 1 then
            take_bytes(UNIT, WRITE_VALUE);
          elsif reads > 0 then
            take_bytes(UNIT, RETURN_BASE);
          else
            state <= END_RECORD;
          end if;

        when RETURN_BASE =>
          return_unit <= shift;
          if is_fault(FAULT_RETURN_ADDRESS_CUT) then
            return_unit(31 downto 16) <= x"0000";
          end if;
          answered <= '1';
          left_open <= not flags(CYC_END);
          put_record(enables, reads, PUT_BASE);

        when PUT_BASE =>
          put_bytes(return_unit, UNIT, 0, NEXT_READ);

        when NEXT_READ =>
          if reads = 0 then
            state <= END_RECORD;
          else
            reads <= reads - 1;
            take_bytes(UNIT, READ_ADDRESS);
          end if;

        when READ_ADDRESS =>
          address <= unsigned(shift);
          if flags(RCA) = '1' then
            result <= config(unsigned(shift), errors) and lanes_of(enables);
            if is_fault(FAULT_CONFIG_SHIFTS_ERRORS) then
              errors <= errors(62 downto 0) & '0';
            end if;
            state <= READ_DONE;
          else
            state <= READ_BUS;
          end if;

        when READ_BUS =>
          use_bus('0', (others => '0'), READ_DONE);

        when READ_DONE =>
          put_bytes(result, UNIT, 0, NEXT_READ);

        -- A cycle that the reply has left open is ended there as well, by an empty record.
        when END_RECORD =>
          state <= NEXT_RECORD;
          if flags(CYC_END) = '1' then
            if not is_fault(FAULT_CYCLE_NEVER_ENDS) then
              cycle <= '0';
            end if;
            left_open <= '0';
            if left_open = '1' then
              flags(BCA) <= '0';
              flags(RFF) <= '0';
              put_bytes(x"0000000008000000", 4, HEADER - 4, NEXT_RECORD);
            end if;
          end if;

        -- A cycle ends with its packet.
        when FINISH =>
          cycle <= '0';
          sent <= 0;
          if answered = '1' then
            state <= SEND;
          else
            drop;
          end if;

        when SEND =>
          if shown = '0' or m_tready = '1' then
            if sent = reply_len and is_fault(FAULT_EMPTY_FRAME) and emptied = '0' then
              emptied <= '1';
            elsif sent = reply_len then
              emptied <= '0';
              drop;
            else
              m_tdata <= reply(sent);
              m_tlast <= '0';
              if sent = reply_len - 1 or (is_fault(FAULT_EARLY_LAST) and sent = reply_len - 2) then
                m_tlast <= '1';
              end if;
              sent <= sent + 1;
              shown <= '1';
            end if;
          elsif is_fault(FAULT_DATA_MOVES_ON) and sent < reply_len then
            m_tdata <= reply(sent);
          end if;

        when TAKE =>
          shift <= shift(55 downto 0) & x"00";
          if at < PACKET_MAX then
            shift(7 downto 0) <= request(at);
            at <= at + 1;
          end if;
          left <= left - 1;
          if left = 1 then
            state <= after_move;
          end if;

        when PUT =>
          if left > 0 then
            for i in 1 to 8 loop
              if left = i then
                reply(reply_len) <= shift(8 * i - 1 downto 8 * i - 8);
              end if;
            end loop;
            left <= left - 1;
          else
            reply(reply_len) <= x"00";
            zeros <= zeros - 1;
          end if;
          reply_len <= reply_len + 1;
          if left + zeros = 1 then
            state <= after_move;
          end if;

        when ON_BUS =>
          if stall = '0' then
            strobe <= '0';
          elsif is_fault(FAULT_REQUEST_MOVES) and strobe = '1' then
            adr <= not adr;
          end if;
          waited <= waited + 1;
          if ack = '1' or err = '1' then
            end_access(err);
          elsif waited = BUS_TIMEOUT - 1 then
            end_access('1');
          end if;
      end case;
      tired <= shown and not m_tready and not tired;
      kept <= 0;
      if is_fault(FAULT_LOST_IN_WAITING) and shown = '1' and m_tready = '0' then
        kept <= (kept + 1) mod 16;
        -- What reads the reply goes on although nobody takes it: the next byte is lost.
        if kept = 12 and sent < reply_len - 1 then
          sent <= sent + 1;
        end if;
      end if;
      was_cycle <= cycle;
      if rst = '1' then
        drop;
        errors <= (others => '0');
        if is_fault(FAULT_UNKNOWN_AFTER_RESET) then
          shown <= 'U';
        elsif is_fault(FAULT_BUS_UNKNOWN) then
          strobe <= 'U';
        end if;
      end if;
    end if;
  end process;
end architecture;
