-- SPDX-License-Identifier: BSD-2-Clause
-- Small memories behind the ports for registers: the ports' own test. Ports 0 to 7 are AXI4-Lite, 8 to 10 Wishbone, 11
-- to 13 watch the three, 15 is the reset wire.
library ieee;
use ieee.std_logic_1164.all;

entity axil_lane is
  generic (NUMBER, SKEW, FAULT : natural);
  port (clk, rst : in std_logic);
end entity;

architecture sim of axil_lane is
  signal awaddr, wdata, araddr, rdata : std_logic_vector(31 downto 0);
  signal wstrb : std_logic_vector(3 downto 0);
  signal bresp, rresp : std_logic_vector(1 downto 0);
  signal awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready : std_logic;
begin
  regs : entity work.gw_axil
    generic map (NUMBER => NUMBER, TIMEOUT => 300, SKEW => SKEW, SHY => 32)
    port map (
      clk => clk, rst => rst, awaddr => awaddr, awprot => open, awvalid => awvalid, awready => awready,
      wdata => wdata, wstrb => wstrb, wvalid => wvalid, wready => wready, bresp => bresp, bvalid => bvalid,
      bready => bready, araddr => araddr, arprot => open, arvalid => arvalid, arready => arready, rdata => rdata,
      rresp => rresp, rvalid => rvalid, rready => rready);

  core : entity work.bus_axil
    generic map (FAULT => FAULT)
    port map (
      clk => clk, rst => rst, awaddr => awaddr, awvalid => awvalid, awready => awready, wdata => wdata,
      wstrb => wstrb, wvalid => wvalid, wready => wready, bresp => bresp, bvalid => bvalid, bready => bready,
      araddr => araddr, arvalid => arvalid, arready => arready, rdata => rdata, rresp => rresp, rvalid => rvalid,
      rready => rready);
end architecture;

library ieee;
use ieee.std_logic_1164.all;

entity wb_lane is
  generic (NUMBER, FAULT : natural);
  port (clk, rst : in std_logic);
end entity;

architecture sim of wb_lane is
  signal adr, dat_w, dat_r : std_logic_vector(31 downto 0);
  signal sel : std_logic_vector(3 downto 0);
  signal cyc, stb, we, ack, err, stall : std_logic;
begin
  stall <= not (ack or err);

  regs : entity work.gw_wb
    generic map (NUMBER => NUMBER, TIMEOUT => 300)
    port map (
      clk => clk, rst => rst, cyc => cyc, stb => stb, we => we, adr => adr, dat_w => dat_w, sel => sel,
      dat_r => dat_r, ack => ack, err => err);

  watch : entity work.gw_wb_watch
    generic map (NUMBER => NUMBER + 3)
    port map (
      clk => clk, rst => rst, cyc => cyc, stb => stb, we => we, adr => adr, sel => sel, dat => dat_w,
      stall => stall, ack => ack, err => err);

  core : entity work.bus_wb
    generic map (FAULT => FAULT)
    port map (
      clk => clk, rst => rst, cyc => cyc, stb => stb, we => we, adr => adr, dat_w => dat_w, sel => sel,
      dat_r => dat_r, ack => ack, err => err);
end architecture;

library ieee;
use ieee.std_logic_1164.all;

entity tb_buses is
end entity;

architecture sim of tb_buses is
  signal clk : std_logic := '0';
  signal rst : std_logic;
begin
  clk <= not clk after 3200 ps;

  reset : entity work.gw_reset
    port map (clk => clk, rst => rst);

  axil : for i in 0 to 6 generate
    lane : entity work.axil_lane
      generic map (NUMBER => i, SKEW => 0, FAULT => i)
      port map (clk => clk, rst => rst);
  end generate;

  lane_7 : entity work.axil_lane
    generic map (NUMBER => 7, SKEW => 3, FAULT => 0)
    port map (clk => clk, rst => rst);

  wishbone : for i in 0 to 2 generate
    lane : entity work.wb_lane
      generic map (NUMBER => 8 + i, FAULT => i)
      port map (clk => clk, rst => rst);
  end generate;
end architecture;
