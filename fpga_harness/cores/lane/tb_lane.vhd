-- SPDX-License-Identifier: BSD-2-Clause
-- One loopback of 8 bytes a beat behind one port, 0; port 15 is the reset wire.
library ieee;
use ieee.std_logic_1164.all;
use work.gw_ports.all;

entity tb_lane is
end entity;

architecture sim of tb_lane is
  signal clk : std_logic := '0';
  signal rst : std_logic;
  signal in_data, out_data : std_logic_vector(63 downto 0);
  signal in_keep, out_keep : std_logic_vector(7 downto 0);
  signal in_valid, in_last, in_ready, out_valid, out_last, out_ready : std_logic;
begin
  clk <= not clk after 4 ns; -- 125 MHz

  reset : entity work.gw_reset
    port map (clk => clk, rst => rst);

  net : entity work.gw_axis
    generic map (NUMBER => 0, KIND => GW_KIND_UDP, BYTES => 8)
    port map (
      clk => clk, rst => rst,
      m_tdata => in_data, m_tkeep => in_keep, m_tvalid => in_valid, m_tlast => in_last, m_tready => in_ready,
      s_tdata => out_data, s_tkeep => out_keep, s_tvalid => out_valid, s_tlast => out_last,
      s_tready => out_ready);

  core : entity work.loopback
    generic map (BYTES => 8)
    port map (
      clk => clk, rst => rst,
      s_tdata => in_data, s_tkeep => in_keep, s_tvalid => in_valid, s_tlast => in_last, s_tready => in_ready,
      m_tdata => out_data, m_tkeep => out_keep, m_tvalid => out_valid, m_tlast => out_last,
      m_tready => out_ready);
end architecture;
