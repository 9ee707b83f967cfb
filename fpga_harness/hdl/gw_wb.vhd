-- SPDX-License-Identifier: BSD-2-Clause
-- A Wishbone master (B4, classic) by which goldwire reaches a board's registers, 32 bits wide. An access that
-- nobody ends is given up after TIMEOUT cycles, as one that ended with an error.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.gw_ports.all;

entity gw_wb is
  generic (
    NUMBER : natural := 14;
    TIMEOUT : positive := 1000);
  port (
    clk : in std_logic;
    rst : in std_logic;
    cyc : out std_logic := '0';
    stb : out std_logic := '0';
    we : out std_logic := '0';
    adr : out std_logic_vector(31 downto 0) := (others => '0');
    dat_w : out std_logic_vector(31 downto 0) := (others => '0');
    sel : out std_logic_vector(3 downto 0) := (others => '0');
    dat_r : in std_logic_vector(31 downto 0);
    ack : in std_logic;
    err : in std_logic := '0');
end entity;

architecture sim of gw_wb is
  signal asked : std_logic_vector(3 downto 0);
  signal answered : std_logic_vector(5 downto 0);
  signal request : std_logic_vector(63 downto 0);
  constant NO : integer := 0;
  constant WELL : integer := 1;
  constant BADLY : integer := 2;
begin
  -- Of an answer, wires 2 and 3 are the acknowledgement of a read, which brings data.
  asked <= cyc & we & (ack or err) & stb;
  answered <= err & ack & cyc & (ack and not we) & cyc & (ack or err);
  request <= dat_w & adr;

  process
    variable result, done, data : integer := 0;
    variable age : natural := 0;
    variable open_cycle : boolean := false;
    variable edge : natural := 0;
    variable asked_seen, answered_seen : gw_seen := GW_NOT_SEEN;

    procedure breach (which : natural) is
    begin
      gw_hdl_breach(NUMBER, gw_us, gw_ps, which);
    end procedure;

    -- Whether the access on offer ends at this edge, and how.
    procedure look is
    begin
      if is_x(ack) or is_x(err) then
        breach(GW_BUS_UNKNOWN);
      elsif (ack = '1' or err = '1') and not open_cycle then
        breach(GW_UNASKED_ACK);
      elsif ack = '1' and err = '1' then
        breach(GW_TWO_ENDS);
      end if;
      if open_cycle and err = '1' then
        done := BADLY;
      elsif open_cycle and ack = '1' then
        done := WELL;
      elsif open_cycle and age >= TIMEOUT then
        done := BADLY;
      end if;
      data := 0;
      if done = WELL and we = '0' then
        if is_x(dat_r) then
          breach(GW_BUS_UNKNOWN);
        else
          data := to_integer(signed(dat_r));
        end if;
      end if;
      age := age + 1;
    end procedure;

    procedure offer is
    begin
      -- One cycle between two accesses.
      open_cycle := result > 0 and not open_cycle;
      cyc <= '0';
      stb <= '0';
      if open_cycle then
        cyc <= '1';
        stb <= '1';
        we <= '0';
        if result = 2 then
          we <= '1';
        end if;
        adr <= std_logic_vector(to_signed(gw_hdl_bus_address(NUMBER), 32));
        dat_w <= std_logic_vector(to_signed(gw_hdl_bus_data(NUMBER), 32));
        sel <= std_logic_vector(to_unsigned(gw_hdl_bus_select(NUMBER) mod 16, 4));
      end if;
      age := 0;
    end procedure;
  begin
    result := gw_hdl_port(NUMBER, GW_KIND_BUS, 4);
    loop
      wait until clk'event and clk = '1';
      edge := (edge + 1) mod 2 ** 30;
      if gw_news(asked_seen, asked, request, sel) then
        gw_tell(NUMBER, 0, edge, asked_seen, asked, request, sel);
      end if;
      if gw_news(answered_seen, answered, dat_r, sel) then
        gw_tell(NUMBER, 1, edge, answered_seen, answered, dat_r, sel);
      end if;
      done := NO;
      if rst = '1' then
        -- What is asked for now is asked for behind the reset.
        cyc <= '0';
        stb <= '0';
        open_cycle := false;
        age := 0;
        result := 0;
        if gw_hdl_pace(gw_us, gw_ps) < 0 then
          result := -1;
        end if;
      else
        look;
        result := gw_hdl_bus(NUMBER, gw_us, gw_ps, done, data);
        if result >= 0 and (not open_cycle or done /= NO) then
          offer;
        end if;
      end if;
      if result < 0 then
        std.env.finish;
        wait;
      end if;
    end loop;
  end process;
end architecture;
