-- SPDX-License-Identifier: BSD-2-Clause
-- What the ports call in gw_hdl.c: integers, and vectors of one fixed length. VHDL-2008.
-- The C is looked for in libgw_hdl.so, made by: cc -O2 -fPIC -shared gw_hdl.c -o libgw_hdl.so
-- Times are whole microseconds and the picoseconds beyond: integers have 32 bits. The ports look for clk'event and
-- clk = '1', which costs GHDL a tenth of rising_edge: a clock that is driven weakly ('H') does not move them.
library ieee;
use ieee.std_logic_1164.all;

package gw_ports is
  subtype gw_beat is std_logic_vector(511 downto 0);

  -- Kinds of a port, and what gw_hdl_tx returns beside the number of bytes: as in gw_hdl.h.
  constant GW_KIND_UDP : natural := 1;
  constant GW_KIND_ETHERNET : natural := 2;
  constant GW_KIND_OP2P : natural := 3;
  constant GW_KIND_APELINK : natural := 4;
  constant GW_KIND_BUS : natural := 5;
  constant GW_KIND_RESET : natural := 6;
  constant GW_KIND_WATCH : natural := 7;
  constant GW_KIND_LINK : natural := 8;
  constant GW_KIND_AXIL : natural := 9;
  constant GW_LAST_BEAT : natural := 65536;
  constant GW_SIDE : natural := 1048576;
  constant GW_READY_OWN : integer := -2;

  -- Breaches that a port tells, and that there is a bus to look at.
  constant GW_BUS_USED : natural := 0;
  constant GW_VALID_DROPPED : natural := 1;
  constant GW_DATA_CHANGED : natural := 2;
  constant GW_KEEP_HOLES : natural := 3;
  constant GW_EMPTY_LAST : natural := 4;
  constant GW_UNKNOWN : natural := 5;
  constant GW_STROBE_ALONE : natural := 6;
  constant GW_UNASKED_ACK : natural := 7;
  constant GW_TWO_ENDS : natural := 8;
  constant GW_REQUEST_CHANGED : natural := 9;
  constant GW_BUS_UNKNOWN : natural := 10;
  constant GW_VALID_WAITED : natural := 11;
  constant GW_RESPONSE_DROPPED : natural := 12;
  constant GW_RESPONSE_CHANGED : natural := 13;
  constant GW_RESPONSE_UNASKED : natural := 14;
  constant GW_RESPONSE_UNKNOWN : natural := 15;
  constant GW_RESPONSE_IN_RESET : natural := 16;
  constant GW_RESPONSE_WAITED : natural := 17;

  impure function gw_hdl_port (number, kind, width : integer) return integer;
  attribute foreign of gw_hdl_port : function is "VHPIDIRECT libgw_hdl.so gw_hdl_port";
  impure function gw_hdl_tx (number, us, ps, taken : integer) return integer;
  attribute foreign of gw_hdl_tx : function is "VHPIDIRECT libgw_hdl.so gw_hdl_tx";
  impure function gw_hdl_ready (number, us, ps, own : integer) return integer;
  attribute foreign of gw_hdl_ready : function is "VHPIDIRECT libgw_hdl.so gw_hdl_ready";
  procedure gw_hdl_txv (number, us, ps, taken : integer; result : out integer; beat : out gw_beat);
  attribute foreign of gw_hdl_txv : procedure is "VHPIDIRECT libgw_hdl.so gw_hdl_txv";
  procedure gw_hdl_rxv (number, us, ps, bytes, flags : integer; beat : gw_beat; result : out integer);
  attribute foreign of gw_hdl_rxv : procedure is "VHPIDIRECT libgw_hdl.so gw_hdl_rxv";
  impure function gw_hdl_bus (number, us, ps, done, data : integer) return integer;
  attribute foreign of gw_hdl_bus : function is "VHPIDIRECT libgw_hdl.so gw_hdl_bus";
  impure function gw_hdl_bus_address (number : integer) return integer;
  attribute foreign of gw_hdl_bus_address : function is "VHPIDIRECT libgw_hdl.so gw_hdl_bus_address";
  impure function gw_hdl_bus_data (number : integer) return integer;
  attribute foreign of gw_hdl_bus_data : function is "VHPIDIRECT libgw_hdl.so gw_hdl_bus_data";
  impure function gw_hdl_bus_select (number : integer) return integer;
  attribute foreign of gw_hdl_bus_select : function is "VHPIDIRECT libgw_hdl.so gw_hdl_bus_select";
  impure function gw_hdl_reset (number, us, ps : integer) return integer;
  attribute foreign of gw_hdl_reset : function is "VHPIDIRECT libgw_hdl.so gw_hdl_reset";
  procedure gw_hdl_breach (number, us, ps, which : integer);
  attribute foreign of gw_hdl_breach : procedure is "VHPIDIRECT libgw_hdl.so gw_hdl_breach";
  procedure gw_hdl_edgev (number, us, ps, lane, edge, wires, bytes : integer; data, keep : gw_beat);
  attribute foreign of gw_hdl_edgev : procedure is "VHPIDIRECT libgw_hdl.so gw_hdl_edgev";
  impure function gw_hdl_mark (index : integer) return integer;
  attribute foreign of gw_hdl_mark : function is "VHPIDIRECT libgw_hdl.so gw_hdl_mark";
  impure function gw_hdl_pace (us, ps : integer) return integer;
  attribute foreign of gw_hdl_pace : function is "VHPIDIRECT libgw_hdl.so gw_hdl_pace";

  -- The two halves of the present time.
  impure function gw_us return integer;
  impure function gw_ps return integer;

  -- What was last told of the signals of one direction of a port.
  type gw_seen is record
    wires : std_logic_vector(7 downto 0);
    data : gw_beat;
    keep : std_logic_vector(63 downto 0);
  end record;
  constant GW_NOT_SEEN : gw_seen := ((others => '-'), (others => '0'), (others => '0'));

  -- gw_tell tells gw_hdl.c what the signals of one direction of a port (lane 0 to the core, 1 from it) are at a clock
  -- edge: a report draws them around a failure. Wire 0 says that data and keep count (valid, stb), wires 0 and 1 together
  -- that they are taken. gw_news says whether to: when they have changed, and whenever something is taken. The port's own
  -- process asks at each rising edge before all else: one more process, or a procedure that may wait, would cost GHDL
  -- more than all that the port does.
  function gw_news (seen : gw_seen; wires, data, keep : std_logic_vector) return boolean;
  procedure gw_tell (number, lane, edge : natural; seen : inout gw_seen; wires, data, keep : std_logic_vector);
end package;

package body gw_ports is
  impure function gw_us return integer is
  begin
    return now / 1 us;
  end function;

  impure function gw_ps return integer is
  begin
    return (now - (now / 1 us) * 1 us) / 1 ps;
  end function;

  function is_other (seen : gw_seen; data, keep : std_logic_vector) return boolean is
  begin
    return data /= seen.data(data'range) or keep /= seen.keep(keep'range);
  end function;

  function gw_news (seen : gw_seen; wires, data, keep : std_logic_vector) return boolean is
  begin
    for i in wires'range loop
      if wires(i) /= seen.wires(i) then
        return true;
      end if;
    end loop;
    return wires(0) /= '0' and (wires(1 downto 0) = "11" or is_other(seen, data, keep));
  end function;

  procedure gw_tell (number, lane, edge : natural; seen : inout gw_seen; wires, data, keep : std_logic_vector) is
    variable beat, lanes : gw_beat := (others => '0');
    variable all_wires : natural := 0;
  begin
    seen.wires(wires'range) := wires;
    seen.data(data'range) := data;
    seen.keep(keep'range) := keep;
    for i in wires'range loop
      all_wires := all_wires * 4;
      if wires(i) = '1' then
        all_wires := all_wires + 1;
      elsif wires(i) /= '0' then
        all_wires := all_wires + 2;
      end if;
    end loop;
    beat(data'range) := data;
    lanes(keep'range) := keep;
    gw_hdl_edgev(number, gw_us, gw_ps, lane, edge, all_wires, (data'length + 7) / 8, beat, lanes);
  end procedure;

  -- Never run: the simulator calls C instead.
  impure function gw_hdl_port (number, kind, width : integer) return integer is
  begin
    report "gw_hdl.c is not linked" severity failure;
    return -1;
  end function;

  impure function gw_hdl_tx (number, us, ps, taken : integer) return integer is
  begin
    report "gw_hdl.c is not linked" severity failure;
    return -1;
  end function;

  impure function gw_hdl_ready (number, us, ps, own : integer) return integer is
  begin
    report "gw_hdl.c is not linked" severity failure;
    return -1;
  end function;

  procedure gw_hdl_txv (number, us, ps, taken : integer; result : out integer; beat : out gw_beat) is
  begin
    report "gw_hdl.c is not linked" severity failure;
  end procedure;

  procedure gw_hdl_rxv (number, us, ps, bytes, flags : integer; beat : gw_beat; result : out integer) is
  begin
    report "gw_hdl.c is not linked" severity failure;
  end procedure;

  impure function gw_hdl_bus (number, us, ps, done, data : integer) return integer is
  begin
    report "gw_hdl.c is not linked" severity failure;
    return -1;
  end function;

  impure function gw_hdl_bus_address (number : integer) return integer is
  begin
    report "gw_hdl.c is not linked" severity failure;
    return -1;
  end function;

  impure function gw_hdl_bus_data (number : integer) return integer is
  begin
    report "gw_hdl.c is not linked" severity failure;
    return -1;
  end function;

  impure function gw_hdl_bus_select (number : integer) return integer is
  begin
    report "gw_hdl.c is not linked" severity failure;
    return -1;
  end function;

  impure function gw_hdl_reset (number, us, ps : integer) return integer is
  begin
    report "gw_hdl.c is not linked" severity failure;
    return -1;
  end function;

  procedure gw_hdl_breach (number, us, ps, which : integer) is
  begin
    report "gw_hdl.c is not linked" severity failure;
  end procedure;

  procedure gw_hdl_edgev (number, us, ps, lane, edge, wires, bytes : integer; data, keep : gw_beat) is
  begin
    report "gw_hdl.c is not linked" severity failure;
  end procedure;

  impure function gw_hdl_mark (index : integer) return integer is
  begin
    report "gw_hdl.c is not linked" severity failure;
    return -1;
  end function;

  impure function gw_hdl_pace (us, ps : integer) return integer is
  begin
    report "gw_hdl.c is not linked" severity failure;
    return -1;
  end function;
end package body;
