-- SPDX-License-Identifier: BSD-2-Clause
-- An AXI4-Stream port of a simulated board (Arm IHI 0051B): goldwire's frames go in by m_, the core's
-- frames come out by s_. KIND says what a frame is: GW_KIND_UDP, the payload of a datagram, or GW_KIND_ETHERNET,
-- a frame without its check sequence. Byte 0 of a beat is bits 7 downto 0.
--
-- GAP is how many cycles pass between two beats that goldwire sends; READY_ON and READY_OFF are how
-- many cycles in turn it is ready, and is not, for what the core sends. Between frames it waits for the core
-- to be valid first, and looks for SHY cycles, or up to twice as many, before it is ready for a moment: a
-- core that waits for that moment each time waits for ready. What the core does against the protocol is told
-- to goldwire. What goldwire says of valid and ready (sim://NAME?valid=...&ready=...) goes before READY_ON and READY_OFF,
-- and comes on top of GAP.
library ieee;
use ieee.std_logic_1164.all;
use work.gw_ports.all;

entity gw_axis is
  generic (
    NUMBER : natural := 0;
    KIND : natural := GW_KIND_UDP;
    BYTES : positive := 8;
    GAP : natural := 0;
    READY_ON : positive := 1;
    READY_OFF : natural := 0;
    SHY : positive := 128);
  port (
    clk : in std_logic;
    rst : in std_logic;
    m_tdata : out std_logic_vector(8 * BYTES - 1 downto 0) := (others => '0');
    m_tkeep : out std_logic_vector(BYTES - 1 downto 0) := (others => '0');
    m_tvalid : out std_logic := '0';
    m_tlast : out std_logic := '0';
    m_tready : in std_logic;
    s_tdata : in std_logic_vector(8 * BYTES - 1 downto 0);
    s_tkeep : in std_logic_vector(BYTES - 1 downto 0);
    s_tvalid : in std_logic;
    s_tlast : in std_logic;
    s_tready : out std_logic := '0');
end entity;

architecture sim of gw_axis is
  signal valid : std_logic := '0';
  signal ready : std_logic := '0';
  signal m_wires, s_wires : std_logic_vector(2 downto 0);
  constant MOMENT : positive := 4; -- cycles of being ready for a core that may wait for it
  constant LATE_MAX : positive := 8; -- by chance that often in a row: once in 2 ** 40 frames

  -- The bytes of a beat, from the lowest on; -1 when there are holes between them.
  function count (keep : std_logic_vector) return integer is
    variable num : natural := 0;
    variable ended : boolean := false;
  begin
    for i in 0 to keep'length - 1 loop
      if keep(i) = '1' then
        if ended then
          return -1;
        end if;
        num := num + 1;
      else
        ended := true;
      end if;
    end loop;
    return num;
  end function;
begin
  m_tvalid <= valid;
  s_tready <= ready;
  m_wires <= m_tlast & m_tready & valid;
  s_wires <= s_tlast & ready & s_tvalid;

  process (clk)
    variable beat, sent : gw_beat := (others => '0');
    variable result : integer := gw_hdl_port(NUMBER, KIND, BYTES);
    variable got, flags, pause, turn, frame, go, asked : integer := 0;
    variable waits, held, lured, first_ready, awake, ended, own : boolean := false;
    variable was_data : std_logic_vector(s_tdata'range);
    variable was_keep : std_logic_vector(s_tkeep'range);
    variable was_last, now_ready : std_logic;
    variable shy_left : natural := SHY;
    variable late : natural := 0; -- frames in a row that came in the moment of being ready
    variable lots : natural := 1; -- of a linear-feedback shift register of 15 bits
    variable edge : natural := 0;
    variable m_seen, s_seen : gw_seen := GW_NOT_SEEN;

    procedure breach (which : natural) is
    begin
      gw_hdl_breach(NUMBER, gw_us, gw_ps, which);
    end procedure;

    -- What the core offers must stay until it is taken.
    procedure check is
    begin
      if waits and s_tvalid = '0' then
        breach(GW_VALID_DROPPED);
      elsif waits and (s_tdata /= was_data or s_tkeep /= was_keep or s_tlast /= was_last) then
        breach(GW_DATA_CHANGED);
      end if;
      waits := s_tvalid = '1' and ready = '0';
      if waits then
        was_data := s_tdata;
        was_keep := s_tkeep;
        was_last := s_tlast;
      end if;
    end procedure;

    -- Between frames: whether to be ready from now on.
    procedure be_shy (ready_next : out boolean) is
    begin
      -- Who gives up being valid is not waited for again: nothing would ever come.
      awake := s_tvalid = '1' or (awake and not ended);
      ended := false;
      if s_tvalid = '1' then
        -- A core that is valid by itself is that in most cycles in which nobody is ready.
        if ready = '0' then
          late := 0;
        elsif lured then
          late := late + 1;
        end if;
        if late >= LATE_MAX and lured then
          breach(GW_VALID_WAITED);
        end if;
        shy_left := SHY + MOMENT;
      elsif shy_left = 0 then
        lots := (lots / 2 + 16384 * ((lots + lots / 2) mod 2)) mod 32768;
        shy_left := SHY + MOMENT + lots mod SHY;
      else
        shy_left := shy_left - 1;
      end if;
      ready_next := shy_left < MOMENT;
    end procedure;

    -- What goes on behind a reset does not depend on what was before it.
    procedure begin_anew is
    begin
      turn := 0;
      awake := false;
      ended := false;
      first_ready := false;
      shy_left := SHY;
      lots := 1;
    end procedure;

    procedure take is
    begin
      got := count(s_tkeep);
      if is_x(s_tlast) or is_x(s_tkeep) then
        breach(GW_UNKNOWN);
      end if;
      if got < 0 or (got < BYTES and s_tlast /= '1') then
        breach(GW_KEEP_HOLES);
      end if;
      if got < 0 then
        got := BYTES;
      end if;
      frame := frame + got;
      beat(8 * BYTES - 1 downto 0) := s_tdata;
      flags := 0;
      if s_tlast = '1' then
        flags := GW_LAST_BEAT;
        if frame = 0 then
          breach(GW_EMPTY_LAST);
        end if;
        frame := 0;
        ended := true;
      end if;
      gw_hdl_rxv(NUMBER, gw_us, gw_ps, got, flags, beat, result);
    end procedure;

    procedure show is
    begin
      valid <= '1';
      got := result mod GW_LAST_BEAT;
      m_tdata <= sent(8 * BYTES - 1 downto 0);
      m_tlast <= '0';
      if (result / GW_LAST_BEAT) mod 2 = 1 then
        m_tlast <= '1';
      end if;
      for i in 0 to BYTES - 1 loop
        m_tkeep(i) <= '0';
        if i < got then
          m_tkeep(i) <= '1';
        end if;
      end loop;
    end procedure;

    -- Whether goldwire says when to be ready: where it does not, that is found once.
    procedure ask_ready is
    begin
      asked := gw_hdl_ready(NUMBER, gw_us, gw_ps, go);
      own := asked = GW_READY_OWN;
      if not own then
        go := asked;
      end if;
    end procedure;

    -- The next beat: shown at once, or held back for GAP cycles.
    procedure offer is
    begin
      gw_hdl_txv(NUMBER, gw_us, gw_ps, 1, result, sent);
      held := result > 0 and GAP > 0;
      pause := GAP;
      if result > 0 and not held then
        show;
      elsif valid /= '0' then
        valid <= '0';
      end if;
    end procedure;
  begin
    if clk'event and clk = '1' then
      edge := (edge + 1) mod 2 ** 30;
      if gw_news(m_seen, m_wires, m_tdata, m_tkeep) then
        gw_tell(NUMBER, 0, edge, m_seen, m_wires, m_tdata, m_tkeep);
      end if;
      if gw_news(s_seen, s_wires, s_tdata, s_tkeep) then
        gw_tell(NUMBER, 1, edge, s_seen, s_wires, s_tdata, s_tkeep);
      end if;
      result := 0;
      if rst = '1' then
        waits := false;
        frame := 0;
        begin_anew;
      elsif is_x(s_tvalid) then
        breach(GW_UNKNOWN);
      else
        check;
        if frame = 0 then
          be_shy(first_ready);
        end if;
        if s_tvalid = '1' and ready = '1' then
          take;
        end if;
      end if;
      turn := (turn + 1) mod (READY_ON + READY_OFF);
      lured := frame = 0 and not awake and first_ready;
      go := boolean'pos(turn < READY_ON);
      if rst /= '1' and not own then
        ask_ready;
      end if;
      now_ready := '0';
      if go >= 0 and (lured or ((frame > 0 or awake) and go > 0)) then
        now_ready := '1';
      end if;
      if ready /= now_ready then
        ready <= now_ready;
      end if;
      if result < 0 then
        null;
      elsif rst = '1' then
        -- Nothing is offered to a core in reset; what was on offer comes again behind it.
        held := held or valid = '1';
        pause := GAP + 1;
        valid <= '0';
        if gw_hdl_pace(gw_us, gw_ps) < 0 then
          result := -1;
        end if;
      elsif held then
        result := gw_hdl_tx(NUMBER, gw_us, gw_ps, 0);
        pause := pause - 1;
        if result = 0 then
          held := false; -- forgotten
        elsif pause = 0 and result > 0 then
          held := false;
          show;
        end if;
      elsif valid = '1' and m_tready /= '1' then
        result := gw_hdl_tx(NUMBER, gw_us, gw_ps, 0);
      else
        offer;
      end if;
      if result < 0 then
        std.env.finish;
      end if;
    end if;
  end process;
end architecture;
