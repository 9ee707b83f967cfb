-- SPDX-License-Identifier: BSD-2-Clause
-- The EtherBone slave with a clock, a reset and its bus, and nobody who speaks to it: what CYCLES of its clock cost
-- a simulator by themselves.
library ieee;
use ieee.std_logic_1164.all;

entity tb_bare is
  generic (CYCLES : positive := 1);
end entity;

architecture sim of tb_bare is
  signal clk : std_logic := '0';
  signal rst : std_logic := '1';
  signal out_data : std_logic_vector(7 downto 0);
  signal in_ready, out_valid, out_last : std_logic;
  signal cyc, stb, we, stall, ack, err : std_logic;
  signal adr, to_bus, from_bus : std_logic_vector(31 downto 0);
  signal sel : std_logic_vector(3 downto 0);
begin
  clk <= not clk after 4 ns; -- 125 MHz
  rst <= '0' after 32 ns;

  dut : entity work.eb_slave
    generic map (SDB => 16#50000#)
    port map (
      clk => clk, rst => rst,
      s_tdata => x"00", s_tvalid => '0', s_tlast => '0', s_tready => in_ready,
      m_tdata => out_data, m_tvalid => out_valid, m_tlast => out_last, m_tready => '1',
      cyc => cyc, stb => stb, we => we, adr => adr, sel => sel, dat_o => to_bus, dat_i => from_bus,
      stall => stall, ack => ack, err => err);

  bus_devices : entity work.wb_memories
    port map (
      clk => clk, rst => rst, cyc => cyc, stb => stb, we => we, adr => adr, sel => sel,
      dat_i => to_bus, dat_o => from_bus, stall => stall, ack => ack, err => err);

  process
  begin
    wait for CYCLES * 8 ns;
    std.env.finish;
  end process;
end architecture;
