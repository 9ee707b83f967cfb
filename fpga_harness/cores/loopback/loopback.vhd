-- SPDX-License-Identifier: BSD-2-Clause
-- The smallest core there is: what comes by s_ goes out by m_ a cycle later. FAULT plants what is
-- wrong with it: 1 tvalid falls while it waits, 2 tdata changes then, 3 a hole in tkeep, 4 no byte counts,
-- 5 unknown data in the first beat after a reset, 6 tlast in every beat.
library ieee;
use ieee.std_logic_1164.all;

entity loopback is
  generic (
    BYTES : positive := 8;
    FAULT : natural := 0);
  port (
    clk, rst : in std_logic;
    s_tdata : in std_logic_vector(8 * BYTES - 1 downto 0);
    s_tkeep : in std_logic_vector(BYTES - 1 downto 0);
    s_tvalid, s_tlast : in std_logic;
    s_tready : out std_logic;
    m_tdata : out std_logic_vector(8 * BYTES - 1 downto 0);
    m_tkeep : out std_logic_vector(BYTES - 1 downto 0);
    m_tvalid, m_tlast : out std_logic;
    m_tready : in std_logic);
end entity;

architecture rtl of loopback is
  signal data : std_logic_vector(8 * BYTES - 1 downto 0) := (others => '0');
  signal keep : std_logic_vector(BYTES - 1 downto 0) := (others => '0');
  signal last, full, waited, fresh, valid, ready : std_logic := '0';
begin
  ready <= not rst and ((m_tready and valid) or not full);
  valid <= full and not waited when FAULT = 1 else full;
  s_tready <= ready;
  m_tvalid <= valid;
  m_tlast <= '1' when FAULT = 6 else last;

  process (all)
  begin
    m_tdata <= data;
    m_tkeep <= keep;
    if FAULT = 2 then
      m_tdata(0) <= data(0) xor waited;
    elsif FAULT = 3 then
      m_tkeep(0) <= '0';
    elsif FAULT = 4 then
      m_tkeep <= (others => '0');
    elsif FAULT = 5 and fresh = '1' then
      m_tdata <= (others => 'X');
    end if;
  end process;

  process (clk)
  begin
    if rising_edge(clk) then
      waited <= valid and not m_tready;
      if valid = '1' and m_tready = '1' then
        full <= '0';
        fresh <= '0';
      end if;
      if s_tvalid = '1' and ready = '1' then
        data <= s_tdata;
        keep <= s_tkeep;
        last <= s_tlast;
        full <= '1';
      end if;
      if rst = '1' then
        full <= '0';
        waited <= '0';
        fresh <= '1';
      end if;
    end if;
  end process;
end architecture;
