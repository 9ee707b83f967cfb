-- SPDX-License-Identifier: BSD-2-Clause
-- What surrounds a simulated board: its reset, the case that runs as text in the waves, and a pacer.
library ieee;
use ieee.std_logic_1164.all;
use work.gw_ports.all;

-- gw_reset is the wire that goldwire resets the core by; it is high as well for the first CYCLES cycles.
entity gw_reset is
  generic (
    NUMBER : natural := 15;
    CYCLES : positive := 4);
  port (
    clk : in std_logic;
    rst : out std_logic := '1');
end entity;

architecture sim of gw_reset is
begin
  -- It waits where the ports are sensitive to the clock: so GHDL lets it have its turn at an edge before theirs, as
  -- other simulators do.
  process
    variable level : integer;
    variable age : natural := 0;
  begin
    level := gw_hdl_port(NUMBER, GW_KIND_RESET, 1);
    loop
      wait until clk'event and clk = '1';
      level := gw_hdl_reset(NUMBER, gw_us, gw_ps);
      rst <= '0';
      if level /= 0 or age < CYCLES then
        rst <= '1';
      end if;
      if age < CYCLES then
        age := age + 1;
      end if;
    end loop;
  end process;
end architecture;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.gw_ports.all;

-- gw_case shows what goldwire does: 32 characters, to be looked at as ASCII.
entity gw_case is
  port (clk : in std_logic);
end entity;

architecture sim of gw_case is
  signal marks : natural := 0;
  signal text : std_logic_vector(255 downto 0) := (others => '0');
begin
  process (clk)
    variable num : integer;
  begin
    if clk'event and clk = '1' then
      num := gw_hdl_mark(-1);
      if num /= marks then
        marks <= num;
        for i in 0 to 31 loop
          text(255 - 8 * i downto 248 - 8 * i) <= std_logic_vector(to_unsigned(gw_hdl_mark(i), 8));
        end loop;
      end if;
    end if;
  end process;
end architecture;

use work.gw_ports.all;

-- gw_pacer lets goldwire's time go on where a clock may stop.
entity gw_pacer is
end entity;

architecture sim of gw_pacer is
begin
  process
    variable left : integer;
  begin
    wait for 0 ns;
    loop
      left := gw_hdl_pace(gw_us, gw_ps);
      if left < 0 then
        std.env.finish;
        wait;
      end if;
      wait for left * 1 ps;
    end loop;
  end process;
end architecture;
