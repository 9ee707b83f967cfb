-- SPDX-License-Identifier: BSD-2-Clause
-- The router of a node with one link, and the tasks behind it, packet by packet. What comes over the link
-- for this node goes to a task, which sends the payload back to the node next to this one; what is for
-- another node goes on. Packets of the generators, one a port, are routed as those of tasks. A packet goes
-- into the queue of its channel when that has room for all of it.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.tx_faults.all;
use work.tx_packet.all;
use work.tx_secded.all;

entity tx_router is
  generic (FAULT : natural := FAULT_NONE);
  port (
    clk : in std_logic;
    rst : in std_logic;
    -- COORDME_REG, LATTICESIZE_REG, PERF_INTRANODE_CF, PKTGEN_CONFIG_0 and _1.
    me : in std_logic_vector(31 downto 0);
    lattice : in std_logic_vector(31 downto 0);
    generators : in std_logic_vector(31 downto 0);
    generated : in std_logic_vector(31 downto 0);
    generated_to : in std_logic_vector(31 downto 0);
    -- The receiver's queues, by channel.
    header_0, header_1, data_0, data_1 : in word_type;
    ready : in std_logic_vector(NUM_CHANNELS - 1 downto 0);
    take_header : out std_logic_vector(NUM_CHANNELS - 1 downto 0);
    take_data : out std_logic_vector(NUM_CHANNELS - 1 downto 0);
    -- The transmitter's queues.
    used : in rooms_type;
    word : out word_type := (others => '0');
    put_header : out std_logic_vector(NUM_CHANNELS - 1 downto 0) := (others => '0');
    put_data : out std_logic_vector(NUM_CHANNELS - 1 downto 0) := (others => '0');
    commit : out std_logic_vector(NUM_CHANNELS - 1 downto 0) := (others => '0');
    abort : out std_logic_vector(NUM_CHANNELS - 1 downto 0) := (others => '0');
    -- For the registers: a nibble a generator.
    generating : out std_logic_vector(15 downto 0));
end entity;

architecture rtl of tx_router is
  constant PORTS : positive := 4;
  constant GENERATOR : natural := NUM_CHANNELS; -- the input behind those of the channels
  constant CHANNELS_OF_TASK : positive := 128;
  -- Where a packet of the generators goes that is to leave by an Ethernet port.
  constant USUAL_ADDRESS : std_logic_vector(47 downto 0) := x"fa62c0a80002";
  constant ADDRESS_OF_TASK : std_logic_vector(47 downto 0) := x"0000fafbfcfd";

  type state_type is (CHOOSE, ROUTE_ON, MOVE_PAYLOAD, MOVE_FOOTER, PAUSE_1, PAUSE_2);
  type fate_type is (STAYS, GOES_ON, GOES_BACK, IS_DROPPED);
  type counts_type is array (0 to PORTS - 1) of unsigned(15 downto 0);
  signal state : state_type := CHOOSE;
  signal input : natural range 0 to GENERATOR := 0;
  signal output : natural range 0 to NUM_CHANNELS - 1 := 0;
  signal left : natural range 0 to WORDS_MAX := 0;
  signal counted : natural range 0 to WORDS_MAX := 0; -- words of payload that were generated
  signal alone : std_logic := '0';
  signal fate : fate_type := STAYS;
  signal unsendable : std_logic := '0'; -- a word is like MAGIC
  signal to_generate : counts_type := (others => (others => '0'));
  signal were : std_logic_vector(PORTS - 1 downto 0) := (others => '0'); -- the generators, enabled
  signal header_in, data_in, before : word_type := (others => '0');

  function is_fault (which : natural) return boolean is
  begin
    return FAULT = which;
  end function;

  -- Whether a task takes a packet for data of one of its channels.
  function is_for_task (header : word_type) return boolean is
    variable channel : natural;
  begin
    channel := to_integer(unsigned(header(PROC_ID)));
    if is_fault(FAULT_CHANNEL_CUT) then
      channel := channel mod CHANNELS_OF_TASK;
    end if;
    return header(HEADER_ONLY) = '0' and channel < CHANNELS_OF_TASK and
      (header(OUT_OF_LATTICE) = '0' or is_fault(FAULT_BOUNCED_IS_DATA)) and
      unsigned(header(PACKET_SIZE)) <= PAYLOAD_MAX;
  end function;
begin
  move : process (all)
  begin
    take_header <= (others => '0');
    take_data <= (others => '0');
    if input < GENERATOR then
      if state = ROUTE_ON and fate /= STAYS then
        take_header(input) <= '1';
      elsif state = MOVE_FOOTER then
        take_header(input) <= '1';
      end if;
      if state = MOVE_PAYLOAD then
        take_data(input) <= '1';
      end if;
    end if;
  end process;

  status : process (all)
  begin
    generating <= (others => '0');
    for i in to_generate'range loop
      if were(i) = '1' and to_generate(i) > 0 then
        generating(4 * i + 3 downto 4 * i) <= x"3";
      elsif were(i) = '1' then
        generating(4 * i + 3 downto 4 * i) <= x"1";
      end if;
    end loop;
  end process;

  process (clk)
    variable header, back : word_type;
    variable hop : hop_type;
    variable words, vc : natural;
    variable any : boolean;
    variable moved : word_type;

    -- The header of the packets that the generators make.
    impure function make_generated return word_type is
      variable made : word_type := (others => '0');
    begin
      made(VIRT_CHAN) := CHOOSE_CHANNEL;
      made(DEST_X) := generated_to(5 downto 0);
      made(DEST_Y) := generated_to(10 downto 6);
      made(DEST_Z) := generated_to(15 downto 11);
      made(INTRA_DEST) := generated_to(19 downto 16);
      made(HEADER_ONLY) := generated(31);
      if generated(31) = '0' or is_fault(FAULT_HEADER_ALONE_HAS_SIZE) then
        made(PACKET_SIZE) := generated(29 downto 16);
      end if;
      made(DEST_ADDR) := USUAL_ADDRESS;
      return made;
    end function;

    -- The header of what a task sends back.
    impure function way_back (came : word_type) return word_type is
      variable made : word_type := (others => '0');
    begin
      made(VIRT_CHAN) := CHOOSE_CHANNEL;
      made(PROC_ID) := came(PROC_ID);
      made(INTRA_DEST) := came(INTRA_DEST);
      made(PACKET_SIZE) := came(PACKET_SIZE);
      made(DEST_ADDR) := ADDRESS_OF_TASK;
      if unsigned(me(5 downto 0)) + 1 < unsigned(lattice(5 downto 0)) then
        made(DEST_X) := std_logic_vector(unsigned(me(5 downto 0)) + 1);
      end if;
      made(DEST_Y) := me(10 downto 6);
      made(DEST_Z) := me(15 downto 11);
      return made;
    end function;

    -- What becomes of the packet with |header|, and its header as it goes on.
    procedure decide (fate_is : out fate_type) is
    begin
      fate_is := GOES_ON;
      hop := route(header, me, lattice, input = GENERATOR);
      if hop.local then
        fate_is := GOES_BACK;
        if unsigned(hop.header(INTRA_DEST)) >= PORTS or not is_for_task(hop.header) then
          fate_is := IS_DROPPED;
        end if;
        back := way_back(hop.header);
        hop := route(back, me, lattice, true);
        if hop.local then
          fate_is := IS_DROPPED;
        end if;
      end if;
      vc := to_integer(unsigned(hop.header(0 downto 0)));
      if fate_is /= IS_DROPPED and (to_integer(used(vc).headers) + 2 > QUEUE_HEADERS or
          to_integer(used(vc).data) + payload_words(header) > QUEUE_WORDS) then
        fate_is := STAYS;
      end if;
    end procedure;

    procedure next_input is
    begin
      input <= 0;
      if input < GENERATOR then
        input <= input + 1;
      end if;
      state <= CHOOSE;
    end procedure;

    procedure end_packet is
    begin
      if fate /= IS_DROPPED then
        commit(output) <= not unsendable;
        abort(output) <= unsendable;
      end if;
      -- The queues tell what they have in use, and their next words, two cycles from here.
      state <= PAUSE_1;
    end procedure;

    procedure enable_generators is
    begin
      were <= generators(PORTS - 1 downto 0);
      for i in to_generate'range loop
        if generators(i) = '1' and were(i) = '0' then
          to_generate(i) <= unsigned(generated(15 downto 0));
        elsif generators(i) = '0' then
          to_generate(i) <= (others => '0');
        end if;
      end loop;
    end procedure;

    procedure note_generated is
    begin
      any := false;
      for i in to_generate'range loop
        if not any and to_generate(i) > 0 then
          to_generate(i) <= to_generate(i) - 1;
          any := true;
        end if;
      end loop;
    end procedure;

    impure function has_packet return boolean is
    begin
      if input < GENERATOR then
        return ready(input) = '1';
      end if;
      for i in to_generate'range loop
        if to_generate(i) > 0 then
          return payload_words(make_generated) <= QUEUE_WORDS;
        end if;
      end loop;
      return false;
    end function;

    variable fate_now : fate_type;
  begin
    if rising_edge(clk) then
      put_header <= (others => '0');
      put_data <= (others => '0');
      commit <= (others => '0');
      abort <= (others => '0');
      enable_generators;
      moved := data_0 when input = 0 else data_1;
      if input = GENERATOR then
        moved := (others => '0');
        moved(10 downto 0) := std_logic_vector(to_unsigned(counted + 1, 11));
      end if;
      header := header_0 when input = 0 else header_1;
      case state is
        when CHOOSE =>
          if not has_packet then
            next_input;
          else
            if input = GENERATOR then
              header := make_generated;
            end if;
            decide(fate_now);
            fate <= fate_now;
            output <= vc;
            header_in <= hop.header;
            left <= payload_words(header);
            alone <= header(HEADER_ONLY);
            counted <= 0;
            unsendable <= '0';
            state <= ROUTE_ON;
          end if;
        when ROUTE_ON =>
          if fate = STAYS then
            next_input;
          else
            if fate /= IS_DROPPED then
              word <= header_in;
              put_header(output) <= '1';
            end if;
            if input = GENERATOR then
              note_generated;
            end if;
            if left > 0 then
              state <= MOVE_PAYLOAD;
            elsif alone = '1' then
              end_packet;
            else
              state <= MOVE_FOOTER;
            end if;
          end if;
        when MOVE_PAYLOAD =>
          if moved = MAGIC and not is_fault(FAULT_MAGIC_GOES_OUT) then
            unsendable <= '1';
          end if;
          if fate /= IS_DROPPED then
            word <= moved;
            if is_fault(FAULT_STALE_WORD) and left = 1 then
              word <= before;
            end if;
            put_data(output) <= '1';
          end if;
          before <= moved;
          counted <= counted + 1;
          left <= left - 1;
          if left = 1 then
            state <= MOVE_FOOTER;
          end if;
        when MOVE_FOOTER =>
          if fate /= IS_DROPPED then
            put_header(output) <= '1';
          end if;
          end_packet;
          if fate = GOES_BACK then
            word <= FOOTER_OF_TASK;
          elsif input = GENERATOR then
            word <= FOOTER_OF_GENERATOR;
          else
            word <= header;
            if header = MAGIC and fate = GOES_ON then
              commit(output) <= '0';
              abort(output) <= '1';
            end if;
          end if;
        when PAUSE_1 =>
          state <= PAUSE_2;
        when PAUSE_2 =>
          next_input;
      end case;
      if rst = '1' then
        state <= CHOOSE;
        input <= 0;
        to_generate <= (others => (others => '0'));
        were <= (others => '0');
      end if;
    end if;
  end process;
end architecture;
