-- SPDX-License-Identifier: BSD-2-Clause
-- Loopbacks behind ports of all sorts: the ports' own test. Port 15 is the reset wire; the clock has
-- 156.25 MHz, so that no edge falls on a whole nanosecond but every fifth.
library ieee;
use ieee.std_logic_1164.all;
use work.gw_ports.all;

entity lane is
  generic (
    NUMBER : natural;
    BYTES : positive;
    GAP : natural;
    READY_ON : positive;
    READY_OFF : natural;
    FAULT : natural;
    KIND : natural := GW_KIND_UDP);
  port (clk, rst : in std_logic);
end entity;

architecture sim of lane is
  signal in_data, out_data : std_logic_vector(8 * BYTES - 1 downto 0);
  signal in_keep, out_keep : std_logic_vector(BYTES - 1 downto 0);
  signal in_valid, in_last, in_ready, out_valid, out_last, out_ready : std_logic;
begin
  net : entity work.gw_axis
    generic map (
      NUMBER => NUMBER, KIND => KIND, BYTES => BYTES, GAP => GAP, READY_ON => READY_ON,
      READY_OFF => READY_OFF)
    port map (
      clk => clk, rst => rst,
      m_tdata => in_data, m_tkeep => in_keep, m_tvalid => in_valid, m_tlast => in_last, m_tready => in_ready,
      s_tdata => out_data, s_tkeep => out_keep, s_tvalid => out_valid, s_tlast => out_last,
      s_tready => out_ready);

  core : entity work.loopback
    generic map (BYTES => BYTES, FAULT => FAULT)
    port map (
      clk => clk, rst => rst,
      s_tdata => in_data, s_tkeep => in_keep, s_tvalid => in_valid, s_tlast => in_last, s_tready => in_ready,
      m_tdata => out_data, m_tkeep => out_keep, m_tvalid => out_valid, m_tlast => out_last,
      m_tready => out_ready);
end architecture;

library ieee;
use ieee.std_logic_1164.all;
use work.gw_ports.all;

entity tb_loopback is
end entity;

architecture sim of tb_loopback is
  signal clk : std_logic := '0';
  signal rst : std_logic;
begin
  clk <= not clk after 3200 ps;

  reset : entity work.gw_reset
    port map (clk => clk, rst => rst);

  marks : entity work.gw_case
    port map (clk => clk);

  lane_0 : entity work.lane
    generic map (NUMBER => 0, BYTES => 8, GAP => 0, READY_ON => 1, READY_OFF => 0, FAULT => 0)
    port map (clk => clk, rst => rst);

  lane_1 : entity work.lane
    generic map (NUMBER => 1, BYTES => 1, GAP => 0, READY_ON => 3, READY_OFF => 1, FAULT => 0)
    port map (clk => clk, rst => rst);

  lane_2 : entity work.lane
    generic map (NUMBER => 2, BYTES => 4, GAP => 2, READY_ON => 1, READY_OFF => 2, FAULT => 0)
    port map (clk => clk, rst => rst);

  lane_3 : entity work.lane
    generic map (NUMBER => 3, BYTES => 64, GAP => 1, READY_ON => 2, READY_OFF => 3, FAULT => 0)
    port map (clk => clk, rst => rst);

  lane_4 : entity work.lane
    generic map (NUMBER => 4, BYTES => 3, GAP => 0, READY_ON => 1, READY_OFF => 1, FAULT => 0)
    port map (clk => clk, rst => rst);

  lane_5 : entity work.lane
    generic map (NUMBER => 5, BYTES => 8, GAP => 0, READY_ON => 1, READY_OFF => 2, FAULT => 1)
    port map (clk => clk, rst => rst);

  lane_6 : entity work.lane
    generic map (NUMBER => 6, BYTES => 8, GAP => 0, READY_ON => 1, READY_OFF => 2, FAULT => 2)
    port map (clk => clk, rst => rst);

  lane_7 : entity work.lane
    generic map (NUMBER => 7, BYTES => 8, GAP => 0, READY_ON => 1, READY_OFF => 2, FAULT => 3)
    port map (clk => clk, rst => rst);

  lane_8 : entity work.lane
    generic map (NUMBER => 8, BYTES => 8, GAP => 0, READY_ON => 1, READY_OFF => 2, FAULT => 4)
    port map (clk => clk, rst => rst);

  lane_9 : entity work.lane
    generic map (NUMBER => 9, BYTES => 8, GAP => 0, READY_ON => 1, READY_OFF => 2, FAULT => 5)
    port map (clk => clk, rst => rst);

  lane_10 : entity work.lane
    generic map (NUMBER => 10, BYTES => 8, GAP => 3, READY_ON => 1, READY_OFF => 0, FAULT => 6)
    port map (clk => clk, rst => rst);

  lane_11 : entity work.lane
    generic map (
      NUMBER => 11, BYTES => 8, GAP => 0, READY_ON => 2, READY_OFF => 1, FAULT => 0, KIND => GW_KIND_ETHERNET)
    port map (clk => clk, rst => rst);
end architecture;
