-- SPDX-License-Identifier: BSD-2-Clause
-- The EtherBone slave as a simulated board: port 0 carries payloads of UDP datagrams, port 1 looks at the
-- bus, port 15 is the reset wire. Put a core of yours in the place of eb_slave. board.yaml says what lies on the
-- bus; addresses of 1 and 2 bytes reach less, so there all of it is smaller and nearer (testing/widths.sh).
library ieee;
use ieee.std_logic_1164.all;
use work.gw_ports.all;

entity tb_eb_slave is
  generic (
    ADDRESS_BYTES : positive := 4;
    DATA_BYTES : positive := 4;
    READY_ON : positive := 3;
    READY_OFF : natural := 1;
    FAULT : natural := 0);
end entity;

architecture sim of tb_eb_slave is
  -- Where things lie on the bus: an address of |one| byte, of |two|, or more of them.
  function at (one, two, more : natural) return natural is
  begin
    case ADDRESS_BYTES is
      when 1 => return one;
      when 2 => return two;
      when others => return more;
    end case;
  end function;

  constant SDB : natural := at(16#c0#, 16#d000#, 16#50000#);
  signal clk : std_logic := '0';
  signal rst : std_logic;
  signal in_data, out_data : std_logic_vector(7 downto 0);
  signal out_keep : std_logic_vector(0 downto 0);
  signal in_valid, in_last, in_ready, out_valid, out_last, out_ready : std_logic;
  signal cyc, stb, we, stall, ack, err : std_logic;
  signal adr : std_logic_vector(8 * ADDRESS_BYTES - 1 downto 0);
  signal sel : std_logic_vector(DATA_BYTES - 1 downto 0);
  signal to_bus, from_bus : std_logic_vector(8 * DATA_BYTES - 1 downto 0);
begin
  clk <= not clk after 4 ns; -- 125 MHz

  reset : entity work.gw_reset
    port map (clk => clk, rst => rst);

  marks : entity work.gw_case
    port map (clk => clk);

  net : entity work.gw_axis
    generic map (NUMBER => 0, KIND => GW_KIND_UDP, BYTES => 1, READY_ON => READY_ON, READY_OFF => READY_OFF)
    port map (
      clk => clk, rst => rst,
      m_tdata => in_data, m_tkeep => open, m_tvalid => in_valid, m_tlast => in_last, m_tready => in_ready,
      s_tdata => out_data, s_tkeep => out_keep, s_tvalid => out_valid, s_tlast => out_last, s_tready => out_ready);

  dut : entity work.eb_slave
    generic map (ADDRESS_BYTES => ADDRESS_BYTES, DATA_BYTES => DATA_BYTES, SDB => SDB, FAULT => FAULT)
    port map (
      clk => clk, rst => rst,
      s_tdata => in_data, s_tvalid => in_valid, s_tlast => in_last, s_tready => in_ready,
      m_tdata => out_data, m_tkeep => out_keep, m_tvalid => out_valid, m_tlast => out_last, m_tready => out_ready,
      cyc => cyc, stb => stb, we => we, adr => adr, sel => sel, dat_o => to_bus, dat_i => from_bus,
      stall => stall, ack => ack, err => err);

  watch : entity work.gw_wb_watch
    generic map (NUMBER => 1)
    port map (
      clk => clk, rst => rst, cyc => cyc, stb => stb, we => we, adr => adr, sel => sel, dat => to_bus,
      stall => stall, ack => ack, err => err);

  bus_devices : entity work.wb_memories
    generic map (
      ADDRESS_BYTES => ADDRESS_BYTES, DATA_BYTES => DATA_BYTES, RAM_SIZE => at(16#80#, 16#8000#, 16#10000#),
      FIFO => at(16#80#, 16#9000#, 16#10000#), ROM => at(16#a0#, 16#a000#, 16#20000#),
      ROM_SIZE => at(16#10#, 16#1000#, 16#1000#), ARBITER => at(16#90#, 16#c000#, 16#40000#), SDB => SDB,
      FAULT => FAULT)
    port map (
      clk => clk, rst => rst, cyc => cyc, stb => stb, we => we, adr => adr, sel => sel,
      dat_i => to_bus, dat_o => from_bus, stall => stall, ack => ack, err => err);
end architecture;
