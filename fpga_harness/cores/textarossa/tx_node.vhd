-- SPDX-License-Identifier: BSD-2-Clause
-- A TEXTAROSSA node with one APElink of 128 bits: receive and transmit control, a queue for each of the two
-- virtual channels on either side, a router with tasks that send payloads back, and the registers on a
-- Wishbone bus. A node of this kind has no consumers, and counts what passes the link, not what passes its
-- queues.
--
-- FAULT plants one of tx_faults, for goldwire's own tests; 0 is a good core.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.tx_faults.all;
use work.tx_packet.all;
use work.tx_register_map.all;
use work.tx_secded.all;

entity tx_node is
  generic (
    RESET_CYCLES : positive := 200;
    CREDIT_GAP : positive := 32;
    FAULT : natural := FAULT_NONE);
  port (
    clk : in std_logic;
    rst : in std_logic;
    -- The link: a word and the last of Aurora's framing interface, which means nothing here.
    s_data : in word_type;
    s_last : in std_logic;
    s_valid : in std_logic;
    s_ready : out std_logic;
    m_data : out word_type;
    m_last : out std_logic;
    m_valid : out std_logic;
    m_ready : in std_logic;
    -- The registers.
    cyc : in std_logic;
    stb : in std_logic;
    we : in std_logic;
    adr : in std_logic_vector(31 downto 0);
    sel : in std_logic_vector(3 downto 0);
    dat_i : in std_logic_vector(31 downto 0);
    dat_o : out std_logic_vector(31 downto 0);
    ack : out std_logic;
    err : out std_logic);
end entity;

architecture rtl of tx_node is
  subtype both is std_logic_vector(NUM_CHANNELS - 1 downto 0);
  type words_type is array (0 to NUM_CHANNELS - 1) of word_type;
  -- The bits of LINK_0_CONFIG_0.
  constant HEADER_GENERATE : natural := 24;
  constant HEADER_CHECK : natural := 25;
  constant CREDIT_GENERATE : natural := 26;
  constant CREDIT_CHECK : natural := 27;
  constant NUM_EVENTS : positive := 8;

  signal node_rst : std_logic;
  signal values : longs_type(0 to NUM_PLAIN - 1);
  signal link_status : longs_type(0 to NUM_LINK_STATUS - 1) := (others => (others => '0'));
  signal intranode_status : long;
  -- From the receiver to the router ...
  signal vc : natural range 0 to NUM_CHANNELS - 1;
  signal received : word_type;
  signal receive_header, receive_data, receive_commit, receive_abort : std_logic;
  signal put_header, put_data, commit, abort : both;
  signal in_headers, in_data : words_type;
  signal in_ready, in_take_header, in_take_data : both;
  signal in_used : rooms_type;
  -- ... and from there to the transmitter.
  signal routed : word_type;
  signal out_put_header, out_put_data, out_commit, out_abort : both;
  signal out_headers, out_data : words_type;
  signal out_ready, out_take_header, out_take_data : both;
  signal out_used : rooms_type;
  signal theirs : rooms_type;
  signal told : std_logic;
  -- For the registers.
  signal receive_state : std_logic_vector(3 downto 0);
  signal transmit_states : std_logic_vector(11 downto 0);
  signal generating : std_logic_vector(15 downto 0);
  signal has_single, has_fatal : std_logic;
  signal events : std_logic_vector(0 to NUM_EVENTS - 1); -- in the order of their counters
begin
  s_ready <= '1';
  m_last <= '0';

  receiver : entity work.tx_receive
    generic map (FAULT => FAULT)
    port map (
      clk => clk, rst => node_rst, s_data => s_data, s_valid => s_valid,
      check_headers => values(LINK_CONFIG_0)(HEADER_CHECK), check_credits => values(LINK_CONFIG_0)(CREDIT_CHECK),
      vc => vc, word => received, put_header => receive_header, put_data => receive_data,
      commit => receive_commit, abort => receive_abort, theirs => theirs, told => told,
      state_code => receive_state, has_single => has_single, has_fatal => has_fatal,
      has_magic => events(4), has_start => events(5), has_header => events(6), has_footer => events(7));

  channels : for i in 0 to NUM_CHANNELS - 1 generate
    signal in_num_headers, out_num_headers : natural range 0 to QUEUE_HEADERS;
    signal in_num_data, out_num_data : natural range 0 to QUEUE_WORDS;
  begin
    put_header(i) <= receive_header when vc = i else '0';
    put_data(i) <= receive_data when vc = i else '0';
    commit(i) <= receive_commit when vc = i else '0';
    abort(i) <= receive_abort when vc = i else '0';
    in_used(i) <= (to_unsigned(in_num_headers, 8), to_unsigned(in_num_data, 10));
    out_used(i) <= (to_unsigned(out_num_headers, 8), to_unsigned(out_num_data, 10));

    in_queue : entity work.tx_queue
      generic map (FAULT => FAULT)
      port map (
        clk => clk, rst => node_rst, word => received, put_header => put_header(i), put_data => put_data(i),
        commit => commit(i), abort => abort(i), header => in_headers(i), data => in_data(i),
        ready => in_ready(i), take_header => in_take_header(i), take_data => in_take_data(i),
        used_headers => in_num_headers, used_data => in_num_data);

    out_queue : entity work.tx_queue
      generic map (FAULT => FAULT)
      port map (
        clk => clk, rst => node_rst, word => routed, put_header => out_put_header(i),
        put_data => out_put_data(i), commit => out_commit(i), abort => out_abort(i),
        header => out_headers(i), data => out_data(i), ready => out_ready(i),
        take_header => out_take_header(i), take_data => out_take_data(i),
        used_headers => out_num_headers, used_data => out_num_data);
  end generate;

  router : entity work.tx_router
    generic map (FAULT => FAULT)
    port map (
      clk => clk, rst => node_rst, me => values(COORDME), lattice => values(LATTICESIZE),
      generators => values(PERF_INTRANODE_CF), generated => values(PKTGEN_CONFIG_0),
      generated_to => values(PKTGEN_CONFIG_1), header_0 => in_headers(0), header_1 => in_headers(1),
      data_0 => in_data(0), data_1 => in_data(1), ready => in_ready, take_header => in_take_header,
      take_data => in_take_data, used => out_used, word => routed, put_header => out_put_header,
      put_data => out_put_data, commit => out_commit, abort => out_abort, generating => generating);

  transmitter : entity work.tx_transmit
    generic map (CREDIT_GAP => CREDIT_GAP, FAULT => FAULT)
    port map (
      clk => clk, rst => node_rst, m_data => m_data, m_valid => m_valid, m_ready => m_ready,
      thresholds => values(LINK_CONFIG_1), cycles => values(LINK_CONFIG_2),
      protect_headers => values(LINK_CONFIG_0)(HEADER_GENERATE),
      protect_credits => values(LINK_CONFIG_0)(CREDIT_GENERATE), header_0 => out_headers(0),
      header_1 => out_headers(1), data_0 => out_data(0), data_1 => out_data(1), ready => out_ready,
      take_header => out_take_header, take_data => out_take_data, ours => in_used, theirs => theirs,
      told => told, state_codes => transmit_states, has_magic => events(0), has_start => events(1),
      has_header => events(2), has_footer => events(3));

  registers : entity work.tx_registers
    generic map (RESET_CYCLES => RESET_CYCLES, FAULT => FAULT)
    port map (
      clk => clk, rst => rst, cyc => cyc, stb => stb, we => we, adr => adr, sel => sel, dat_i => dat_i,
      dat_o => dat_o, ack => ack, err => err, values => values, link_status => link_status,
      intranode_status => intranode_status, node_rst => node_rst);

  link_status(0) <= x"0000" & receive_state & transmit_states;

  -- A byte a port: its generator, and a checker that this node does not have.
  show : for i in 0 to 3 generate
    intranode_status(8 * i + 7 downto 8 * i) <= x"0" & generating(4 * i + 3 downto 4 * i);
  end generate;

  count : process (clk)
  begin
    if rising_edge(clk) then
      if has_single = '1' then
        link_status(1)(31 downto 16) <= std_logic_vector(unsigned(link_status(1)(31 downto 16)) + 1);
      end if;
      if has_fatal = '1' then
        link_status(1)(15 downto 0) <= std_logic_vector(unsigned(link_status(1)(15 downto 0)) + 1);
      end if;
      for i in events'range loop
        if events(i) = '1' then
          link_status(2 + i) <= std_logic_vector(unsigned(link_status(2 + i)) + 1);
        end if;
      end loop;
      if node_rst = '1' then
        link_status(1 to NUM_LINK_STATUS - 1) <= (others => (others => '0'));
      end if;
    end if;
  end process;
end architecture;
