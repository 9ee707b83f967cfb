-- SPDX-License-Identifier: BSD-2-Clause
-- 64 words behind a classic Wishbone; an address beyond them ends with err, and 0x200 not at all. FAULT plants what is
-- wrong: 1 ack and err together, 2 ack a cycle longer than the bus cycle.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity bus_wb is
  generic (FAULT : natural := 0);
  port (
    clk, rst : in std_logic;
    cyc, stb, we : in std_logic;
    adr, dat_w : in std_logic_vector(31 downto 0);
    sel : in std_logic_vector(3 downto 0);
    dat_r : out std_logic_vector(31 downto 0) := (others => '0');
    ack, err : out std_logic := '0');
end entity;

architecture rtl of bus_wb is
  type memory_type is array (0 to 63) of std_logic_vector(31 downto 0);
  signal memory : memory_type := (others => (others => '0'));
begin
  process (clk)
    variable asked, inside : boolean;
    variable word : std_logic_vector(31 downto 0);
  begin
    if rising_edge(clk) then
      asked := cyc = '1' and stb = '1' and ack = '0' and err = '0' and adr(9 downto 0) /= 10x"200";
      inside := unsigned(adr) < 256;
      ack <= '0';
      if (asked and inside) or (FAULT = 2 and ack = '1' and cyc = '1') then
        ack <= '1';
      end if;
      err <= '0';
      if asked and (not inside or FAULT = 1) then
        err <= '1';
      end if;
      if asked and inside then
        word := memory(to_integer(unsigned(adr(7 downto 2))));
        dat_r <= word;
        for i in 0 to 3 loop
          if sel(i) = '1' then
            word(8 * i + 7 downto 8 * i) := dat_w(8 * i + 7 downto 8 * i);
          end if;
        end loop;
        if we = '1' then
          memory(to_integer(unsigned(adr(7 downto 2)))) <= word;
        end if;
      end if;
      if rst = '1' then
        ack <= '0';
        err <= '0';
      end if;
    end if;
  end process;
end architecture;
