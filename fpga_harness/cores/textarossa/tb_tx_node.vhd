-- SPDX-License-Identifier: BSD-2-Clause
-- The TEXTAROSSA node as a simulated board: port 0 carries the words of its APElink, port 1 payloads of UDP
-- datagrams, EtherBone to its registers, port 15 is the reset wire. Put a core of yours in the place of
-- tx_node.
library ieee;
use ieee.std_logic_1164.all;
use work.gw_ports.all;

entity tb_tx_node is
  generic (
    READY_ON : positive := 3;
    READY_OFF : natural := 1;
    FAULT : natural := 0);
end entity;

architecture sim of tb_tx_node is
  signal clk : std_logic := '0';
  signal rst : std_logic;
  signal in_data, out_data : std_logic_vector(127 downto 0);
  signal in_side, out_side : std_logic_vector(0 downto 0);
  signal in_valid, in_ready, out_valid, out_ready : std_logic;
  signal eb_in, eb_out : std_logic_vector(7 downto 0);
  signal eb_in_valid, eb_in_last, eb_in_ready, eb_out_valid, eb_out_last, eb_out_ready : std_logic;
  signal cyc, stb, we, ack, err : std_logic;
  signal adr, to_bus, from_bus : std_logic_vector(31 downto 0);
  signal sel : std_logic_vector(3 downto 0);
begin
  clk <= not clk after 3200 ps; -- 156.25 MHz

  reset : entity work.gw_reset
    port map (clk => clk, rst => rst);

  marks : entity work.gw_case
    port map (clk => clk);

  link : entity work.gw_words
    generic map (NUMBER => 0, KIND => GW_KIND_APELINK, READY_ON => READY_ON, READY_OFF => READY_OFF)
    port map (
      clk => clk, rst => rst, m_data => in_data, m_side => in_side, m_valid => in_valid, m_ready => in_ready,
      s_data => out_data, s_side => out_side, s_valid => out_valid, s_ready => out_ready);

  regs : entity work.gw_axis
    generic map (NUMBER => 1, KIND => GW_KIND_UDP, BYTES => 1)
    port map (
      clk => clk, rst => rst, m_tdata => eb_in, m_tkeep => open, m_tvalid => eb_in_valid, m_tlast => eb_in_last,
      m_tready => eb_in_ready, s_tdata => eb_out, s_tkeep => "1", s_tvalid => eb_out_valid,
      s_tlast => eb_out_last, s_tready => eb_out_ready);

  etherbone : entity work.eb_slave
    port map (
      clk => clk, rst => rst, s_tdata => eb_in, s_tvalid => eb_in_valid, s_tlast => eb_in_last,
      s_tready => eb_in_ready, m_tdata => eb_out, m_tvalid => eb_out_valid, m_tlast => eb_out_last,
      m_tready => eb_out_ready, cyc => cyc, stb => stb, we => we, adr => adr, sel => sel, dat_o => to_bus,
      dat_i => from_bus, stall => '0', ack => ack, err => err);

  dut : entity work.tx_node
    generic map (FAULT => FAULT)
    port map (
      clk => clk, rst => rst, s_data => in_data, s_last => in_side(0), s_valid => in_valid, s_ready => in_ready,
      m_data => out_data, m_last => out_side(0), m_valid => out_valid, m_ready => out_ready, cyc => cyc,
      stb => stb, we => we, adr => adr, sel => sel, dat_i => to_bus, dat_o => from_bus, ack => ack, err => err);
end architecture;
