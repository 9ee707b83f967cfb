-- SPDX-License-Identifier: BSD-2-Clause
-- The registers of a TEXTAROSSA node on a pipelined Wishbone bus of 32 bits, byte addresses. A 1 written to
-- bit 0 of RESET_REG resets the node for RESET_CYCLES, and these registers, before the write is
-- acknowledged. Registers of what this node does not have, and holes, read 0; what lies behind the block
-- reads F1FAF1FA; beyond that the bus says error.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.tx_faults.all;

package tx_register_map is
  subtype long is std_logic_vector(31 downto 0);

  -- Registers that hold what is written, by their byte addresses.
  constant NUM_PLAIN : positive := 13;
  type addresses_type is array (0 to NUM_PLAIN - 1) of natural;
  type longs_type is array (natural range <>) of long;
  constant PLAIN : addresses_type := (16#018#, 16#020#, 16#030#, 16#034#, 16#038#, 16#040#, 16#110#, 16#114#,
    16#118#, 16#11c#, 16#320#, 16#324#, 16#328#);
  constant RESET_VALUES : longs_type(0 to NUM_PLAIN - 1) := (1 => x"ffffffff", 10 => x"c0a80002",
    11 => x"acc0aaaa", 12 => x"0000d00b", others => x"00000000");
  constant COORDME : natural := 0;
  constant LATTICESIZE : natural := 1;
  constant PERF_INTRANODE_CF : natural := 2;
  constant PKTGEN_CONFIG_0 : natural := 4;
  constant PKTGEN_CONFIG_1 : natural := 5;
  constant LINK_CONFIG_0 : natural := 6;
  constant LINK_CONFIG_1 : natural := 7;
  constant LINK_CONFIG_2 : natural := 8;

  -- LINK_0_STATUS_0, LINK_0_ERROR and the eight counters behind it.
  constant LINK_STATUS_0 : natural := 16#140#;
  constant NUM_LINK_STATUS : positive := 10;
end package;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.tx_faults.all;
use work.tx_register_map.all;

entity tx_registers is
  generic (
    RESET_CYCLES : positive := 200;
    FAULT : natural := FAULT_NONE);
  port (
    clk : in std_logic;
    rst : in std_logic;
    cyc : in std_logic;
    stb : in std_logic;
    we : in std_logic;
    adr : in std_logic_vector(31 downto 0);
    sel : in std_logic_vector(3 downto 0);
    dat_i : in long;
    dat_o : out long := (others => '0');
    ack : out std_logic := '0';
    err : out std_logic := '0';
    -- What was written, what is shown, and the reset of the node.
    values : out longs_type(0 to NUM_PLAIN - 1);
    link_status : in longs_type(0 to NUM_LINK_STATUS - 1);
    intranode_status : in long;
    node_rst : out std_logic);
end entity;

architecture rtl of tx_registers is
  constant RESET_REG : natural := 16#010#;
  constant INTRANODE_STATUS_REG : natural := 16#050#;
  constant FIFO_REGISTER : natural := 16#25c#;      -- exponents of the FIFOs' depths
  constant TRANSCEIVER_STATUS : natural := 16#260#;
  constant END_OF_BLOCK : natural := 16#800#;
  constant END_OF_REGISTERS : natural := 16#1000#;
  signal held : longs_type(0 to NUM_PLAIN - 1) := RESET_VALUES;
  signal resetting : natural range 0 to RESET_CYCLES := 0;

  function is_fault (which : natural) return boolean is
  begin
    return FAULT = which;
  end function;
begin
  values <= held;
  node_rst <= '1' when rst = '1' or resetting > 0 else '0';

  process (clk)
    variable address : natural;

    impure function read (at : natural) return long is
    begin
      for i in PLAIN'range loop
        if PLAIN(i) = at then
          return held(i);
        end if;
      end loop;
      if at >= LINK_STATUS_0 and at < LINK_STATUS_0 + 4 * NUM_LINK_STATUS then
        return link_status((at - LINK_STATUS_0) / 4);
      elsif at >= END_OF_BLOCK and not is_fault(FAULT_HOLES_READ_ZERO) then
        return x"f1faf1fa";
      end if;
      case at is
        when RESET_REG | TRANSCEIVER_STATUS =>
          return x"00000001"; -- it runs; the link is up
        when INTRANODE_STATUS_REG =>
          return intranode_status;
        when FIFO_REGISTER =>
          return x"07090709";
        when others =>
          return x"00000000";
      end case;
    end function;

    procedure take_reset_values is
    begin
      held <= RESET_VALUES;
      if is_fault(FAULT_UNKNOWN_AFTER_RESET) then
        held(LATTICESIZE) <= (others => 'X');
      end if;
    end procedure;

    procedure write (at : natural) is
    begin
      for i in PLAIN'range loop
        if PLAIN(i) = at then
          for lane in sel'range loop
            if sel(lane) = '1' then
              held(i)(8 * lane + 7 downto 8 * lane) <= dat_i(8 * lane + 7 downto 8 * lane);
            end if;
          end loop;
        end if;
      end loop;
      if at = RESET_REG and sel(0) = '1' and dat_i(0) = '1' and
        not (is_fault(FAULT_WHOLE_WORD_RESETS) and dat_i /= x"00000001") then
        resetting <= RESET_CYCLES;
        ack <= '0';
      end if;
    end procedure;
  begin
    if rising_edge(clk) then
      ack <= '0';
      err <= '0';
      if resetting > 0 then
        resetting <= resetting - 1;
        take_reset_values;
        if resetting = 1 then
          ack <= '1';
        end if;
      end if;
      if cyc = '1' and stb = '1' and resetting = 0 then
        address := END_OF_REGISTERS;
        if unsigned(adr(31 downto 12)) = 0 then
          address := to_integer(unsigned(adr(11 downto 2)) & "00");
          ack <= '1';
        else
          err <= '1';
        end if;
        dat_o <= x"00000000";
        if we = '1' then
          write(address);
        elsif address < END_OF_REGISTERS then
          dat_o <= read(address);
        end if;
      end if;
      if rst = '1' then
        resetting <= 0;
        ack <= '0';
        err <= '0';
        take_reset_values;
      end if;
    end if;
  end process;
end architecture;
