-- SPDX-License-Identifier: BSD-2-Clause
-- What lies on the Wishbone bus of the example boards (pipelined, Wishbone B4, big-endian): memory, a
-- FIFO of 256 words, memory that refuses writes, and two registers that show how the cycle line is
-- driven: +0 counts the bus cycles that have touched them, +8 the accesses in the present one. An access
-- anywhere else fails. An answer comes LATENCY cycles after its strobe, and after each third one the next
-- request is stalled for two cycles. FAULT plants one of eb_faults.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.eb_faults.all;

entity wb_memories is
  generic (
    ADDRESS_BYTES : positive := 4;
    DATA_BYTES : positive := 4;
    RAM : natural := 16#00000#;
    RAM_SIZE : positive := 16#10000#;
    FIFO : natural := 16#10000#;
    ROM : natural := 16#20000#;
    ROM_SIZE : positive := 16#1000#;
    ARBITER : natural := 16#40000#;
    SDB : natural := 16#50000#;
    LATENCY : positive := 1;
    FAULT : natural := 0);
  port (
    clk : in std_logic;
    rst : in std_logic;
    cyc : in std_logic;
    stb : in std_logic;
    we : in std_logic;
    adr : in std_logic_vector(8 * ADDRESS_BYTES - 1 downto 0);
    sel : in std_logic_vector(DATA_BYTES - 1 downto 0);
    dat_i : in std_logic_vector(8 * DATA_BYTES - 1 downto 0);
    dat_o : out std_logic_vector(8 * DATA_BYTES - 1 downto 0) := (others => '0');
    stall : out std_logic;
    ack : out std_logic := '0';
    err : out std_logic := '0');
end entity;

architecture rtl of wb_memories is
  subtype byte is std_logic_vector(7 downto 0);
  subtype word is std_logic_vector(8 * DATA_BYTES - 1 downto 0);
  type memory_type is array (0 to RAM_SIZE - 1) of byte;
  type queue_type is array (0 to 255) of word;

  -- An SDB table of one record, the interconnect: magic, one record, version 1, its addresses; vendor,
  -- device, version, date, name, and the type of record.
  constant TABLE : std_logic_vector(0 to 511) :=
    x"5344422d" & x"0001" & x"0100" & x"0000000000000000" & x"00000000ffffffff" & x"474f4c4457495245" &
    x"00000001" & x"00000001" & x"20260101" & x"6578616d706c65206275732020202020202020" &
    x"00";

  signal memory : memory_type := (others => x"00");
  signal queue : queue_type := (others => (others => '0'));
  signal first : natural range 0 to 255 := 0;
  signal queued : natural range 0 to 256 := 0;
  signal cycles : unsigned(63 downto 0) := (others => '0');
  signal accesses : unsigned(63 downto 0) := (others => '0');
  signal wait_left : natural range 0 to LATENCY := 0;
  signal hold_left, turn : natural range 0 to 2 := 0;
  signal failed : std_logic := '0';

  -- Byte |at| of the ROM: its 32-bit word n is 0xc0de0000 + n.
  function rom_byte (at : natural) return byte is
    variable value : unsigned(31 downto 0);
  begin
    value := unsigned'(x"c0de0000") + at / 4;
    return std_logic_vector(value(31 - 8 * (at mod 4) downto 24 - 8 * (at mod 4)));
  end function;

  -- The word of DATA_BYTES bytes at byte |at| of a big-endian register of 64 bits.
  function part (value : unsigned(63 downto 0); at : natural) return word is
    variable result : word;
  begin
    for i in 0 to DATA_BYTES - 1 loop
      result(8 * (DATA_BYTES - i) - 1 downto 8 * (DATA_BYTES - i) - 8) :=
        std_logic_vector(value(63 - 8 * (at + i) downto 56 - 8 * (at + i)));
    end loop;
    return result;
  end function;

  function inside (at, base, size : natural) return boolean is
  begin
    return at >= base and at - base < size;
  end function;
begin
  stall <= '0' when wait_left = 0 and hold_left = 0 else '1';

  process (clk)
    variable at, lane : natural;
    variable now_accesses, now_cycles : unsigned(63 downto 0);
    variable known : boolean;
  begin
    if rising_edge(clk) then
      ack <= '0';
      err <= '0';
      if FAULT = FAULT_ANSWERS_AGAIN and turn = 1 then
        ack <= ack;
      end if;
      if wait_left > 0 then
        wait_left <= wait_left - 1;
        if wait_left = 1 then
          ack <= not failed;
          err <= failed;
          if FAULT = FAULT_TWO_ANSWERS then
            ack <= '1';
          end if;
          if turn = 2 then
            hold_left <= 2;
          end if;
          turn <= (turn + 1) mod 3;
        end if;
      elsif hold_left > 0 then
        if stb = '1' then
          hold_left <= hold_left - 1;
        end if;
      elsif cyc = '1' and stb = '1' then
        -- Addresses of 31 bits and more are nowhere.
        at := 16#7fffffff#;
        if unsigned(adr) < 16#7fffffff# then
          at := to_integer(unsigned(adr));
        end if;
        at := at - at mod DATA_BYTES;
        known := true;
        dat_o <= (others => '0');
        if inside(at, RAM, RAM_SIZE) then
          for i in 0 to DATA_BYTES - 1 loop
            lane := DATA_BYTES - 1 - i;
            dat_o(8 * lane + 7 downto 8 * lane) <= memory(at - RAM + i);
            if we = '1' and sel(lane) = '1' then
              memory(at - RAM + i) <= dat_i(8 * lane + 7 downto 8 * lane);
            end if;
          end loop;
        elsif inside(at, FIFO, 8) then
          if we = '1' then
            known := queued < 256;
            if known then
              queue((first + queued) mod 256) <= dat_i;
              queued <= queued + 1;
            end if;
          else
            known := queued > 0;
            if known then
              dat_o <= queue(first);
              first <= (first + 1) mod 256;
              queued <= queued - 1;
            end if;
          end if;
        elsif we = '0' and inside(at, ROM, ROM_SIZE) then
          for i in 0 to DATA_BYTES - 1 loop
            lane := DATA_BYTES - 1 - i;
            dat_o(8 * lane + 7 downto 8 * lane) <= rom_byte(at - ROM + i);
          end loop;
        elsif we = '0' and inside(at, SDB, 64) then
          for i in 0 to DATA_BYTES - 1 loop
            lane := DATA_BYTES - 1 - i;
            dat_o(8 * lane + 7 downto 8 * lane) <= TABLE(8 * (at - SDB + i) to 8 * (at - SDB + i) + 7);
          end loop;
        elsif we = '0' and inside(at, ARBITER, 16) then
          now_accesses := accesses + 1;
          now_cycles := cycles;
          if accesses = 0 then
            now_cycles := cycles + 1;
          end if;
          accesses <= now_accesses;
          cycles <= now_cycles;
          if at - ARBITER < 8 then
            dat_o <= part(now_cycles, at - ARBITER);
          else
            dat_o <= part(now_accesses, at - ARBITER - 8);
          end if;
        else
          known := false;
        end if;
        failed <= '0';
        if not known then
          failed <= '1';
        end if;
        wait_left <= LATENCY;
      end if;
      if cyc = '0' then
        accesses <= (others => '0');
      end if;
      if rst = '1' then
        ack <= '0';
        err <= '0';
        wait_left <= 0;
        queued <= 0;
      end if;
    end if;
  end process;
end architecture;
