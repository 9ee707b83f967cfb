-- SPDX-License-Identifier: BSD-2-Clause
-- 64 words behind AXI4-Lite; an address beyond them is answered by SLVERR, and 0x200 by nothing. FAULT plants what is
-- wrong: 1 valid falls while it waits, 2 an answer changes then, 3 a second answer, 4 unknown data, 5 valid in reset,
-- 6 an answer waits for ready.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity bus_axil is
  generic (FAULT : natural := 0);
  port (
    clk, rst : in std_logic;
    awaddr : in std_logic_vector(31 downto 0);
    awvalid : in std_logic;
    awready : out std_logic;
    wdata : in std_logic_vector(31 downto 0);
    wstrb : in std_logic_vector(3 downto 0);
    wvalid : in std_logic;
    wready : out std_logic;
    bresp : out std_logic_vector(1 downto 0);
    bvalid : out std_logic;
    bready : in std_logic;
    araddr : in std_logic_vector(31 downto 0);
    arvalid : in std_logic;
    arready : out std_logic;
    rdata : out std_logic_vector(31 downto 0);
    rresp : out std_logic_vector(1 downto 0);
    rvalid : out std_logic;
    rready : in std_logic);
end entity;

architecture rtl of bus_axil is
  type memory_type is array (0 to 63) of std_logic_vector(31 downto 0);
  signal memory : memory_type := (others => (others => '0'));
  signal address, data, answer : std_logic_vector(31 downto 0) := (others => '0');
  signal strobes : std_logic_vector(3 downto 0) := "0000";
  signal has_address, has_data, b_full, r_full, waited, again : std_logic := '0';
  signal response : std_logic_vector(1 downto 0) := "00";

  function is_inside (at : std_logic_vector(31 downto 0)) return boolean is
  begin
    return unsigned(at) < 256;
  end function;
begin
  awready <= not rst and not has_address and not b_full;
  wready <= not rst and not has_data and not b_full;
  arready <= not rst and not r_full;
  bvalid <= '1' when FAULT = 5 and rst = '1' else
    b_full and not waited when FAULT = 1 else
    b_full and bready when FAULT = 6 else b_full;
  rvalid <= r_full and not waited when FAULT = 1 else
    r_full and rready when FAULT = 6 else r_full;
  bresp <= not response when FAULT = 2 and waited = '1' else response;
  rresp <= response;
  rdata <= (others => 'X') when FAULT = 4 else
    not answer when FAULT = 2 and waited = '1' else answer;

  process (clk)
    variable word : std_logic_vector(31 downto 0);
  begin
    if rising_edge(clk) then
      waited <= (bvalid and not bready) or (rvalid and not rready);
      if awvalid = '1' and awready = '1' then
        address <= awaddr;
        has_address <= '1';
      end if;
      if wvalid = '1' and wready = '1' then
        data <= wdata;
        strobes <= wstrb;
        has_data <= '1';
      end if;
      if has_address = '1' and has_data = '1' and b_full = '0' and address(9 downto 0) /= 10x"200" then
        has_address <= '0';
        has_data <= '0';
        b_full <= '1';
        response <= "10";
        if is_inside(address) then
          response <= "00";
          word := memory(to_integer(unsigned(address(7 downto 2))));
          for i in 0 to 3 loop
            if strobes(i) = '1' then
              word(8 * i + 7 downto 8 * i) := data(8 * i + 7 downto 8 * i);
            end if;
          end loop;
          memory(to_integer(unsigned(address(7 downto 2)))) <= word;
        end if;
      end if;
      if arvalid = '1' and arready = '1' and araddr(9 downto 0) /= 10x"200" then
        answer <= (others => '0');
        response <= "10";
        if is_inside(araddr) then
          answer <= memory(to_integer(unsigned(araddr(7 downto 2))));
          response <= "00";
        end if;
        r_full <= '1';
        again <= '1';
      end if;
      if bvalid = '1' and bready = '1' then
        b_full <= '0';
      end if;
      if rvalid = '1' and rready = '1' then
        r_full <= '0';
        if FAULT = 3 then
          r_full <= again;
        end if;
        again <= '0';
      end if;
      if rst = '1' then
        has_address <= '0';
        has_data <= '0';
        b_full <= '0';
        r_full <= '0';
        waited <= '0';
        again <= '0';
      end if;
    end if;
  end process;
end architecture;
