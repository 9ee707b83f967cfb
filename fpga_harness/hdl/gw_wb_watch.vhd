-- SPDX-License-Identifier: BSD-2-Clause
-- Looks at a pipelined Wishbone bus (B4, section 3.1.3) at each clock edge, and tells goldwire what its two
-- sides do against the protocol. It drives nothing.
library ieee;
use ieee.std_logic_1164.all;
use work.gw_ports.all;

entity gw_wb_watch is
  generic (
    NUMBER : natural);
  port (
    clk : in std_logic;
    rst : in std_logic;
    cyc : in std_logic;
    stb : in std_logic;
    we : in std_logic;
    adr : in std_logic_vector;
    sel : in std_logic_vector;
    dat : in std_logic_vector; -- from the master
    stall : in std_logic := '0';
    ack : in std_logic;
    err : in std_logic := '0';
    rty : in std_logic := '0');
end entity;

architecture sim of gw_wb_watch is
  constant BYTES : positive := (maximum(adr'length, dat'length) + 7) / 8;
  signal wires : std_logic_vector(6 downto 0);
  signal request : std_logic_vector(16 * BYTES - 1 downto 0) := (others => '0');
begin
  wires <= rty & err & ack & stall & we & cyc & stb;
  request(adr'length - 1 downto 0) <= adr;
  request(8 * BYTES + dat'length - 1 downto 8 * BYTES) <= dat;

  process (clk)
    variable opened : integer := gw_hdl_port(NUMBER, GW_KIND_WATCH, 1);
    variable used, stalled : boolean := false;
    variable waiting : natural := 0; -- requests that are not answered
    variable was_we : std_logic;
    variable was_adr : std_logic_vector(adr'range);
    variable was_sel : std_logic_vector(sel'range);
    variable was_dat : std_logic_vector(dat'range);
    variable edge : natural := 0;
    variable seen : gw_seen := GW_NOT_SEEN;

    procedure breach (which : natural) is
    begin
      gw_hdl_breach(NUMBER, gw_us, gw_ps, which);
    end procedure;

    procedure look_at_request is
      variable changed : boolean;
    begin
      if is_x(we) or is_x(adr) or is_x(sel) then
        breach(GW_BUS_UNKNOWN);
      end if;
      changed := we /= was_we or adr /= was_adr or sel /= was_sel or (we = '1' and dat /= was_dat);
      if stalled and changed then
        breach(GW_REQUEST_CHANGED);
      end if;
      stalled := stall = '1';
      was_we := we;
      was_adr := adr;
      was_sel := sel;
      was_dat := dat;
      if not stalled then
        waiting := waiting + 1;
      end if;
    end procedure;

    procedure look_at_answer is
    begin
      if (ack = '1' and err = '1') or (ack = '1' and rty = '1') or (err = '1' and rty = '1') then
        breach(GW_TWO_ENDS);
      end if;
      if waiting = 0 then
        breach(GW_UNASKED_ACK);
      else
        waiting := waiting - 1;
      end if;
    end procedure;
  begin
    if clk'event and clk = '1' then
      edge := (edge + 1) mod 2 ** 30;
      if gw_news(seen, wires, request, sel) then
        gw_tell(NUMBER, 0, edge, seen, wires, request, sel);
      end if;
      if rst = '1' then
        stalled := false;
        waiting := 0;
      elsif is_x(cyc) or is_x(stb) then
        breach(GW_BUS_UNKNOWN);
      elsif cyc = '1' then
        if not used then
          breach(GW_BUS_USED);
          used := true;
        end if;
        -- A request is answered in a later cycle than the one in which it is taken, or in the same one.
        if stb = '1' then
          look_at_request;
        elsif stalled then
          breach(GW_REQUEST_CHANGED);
          stalled := false;
        end if;
        if ack = '1' or err = '1' or rty = '1' then
          look_at_answer;
        end if;
      else
        if stb = '1' then
          breach(GW_STROBE_ALONE);
        end if;
        -- A cycle that is broken off takes its open requests along.
        stalled := false;
        waiting := 0;
      end if;
    end if;
  end process;
end architecture;
