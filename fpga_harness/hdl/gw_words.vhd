-- SPDX-License-Identifier: BSD-2-Clause
-- A port of words of a simulated board, with valid and ready: goldwire's words go in by m_, the core's
-- come out by s_. A word has BYTES bytes, byte 0 in bits 7 downto 0, and SIDE bits beside it:
--
--   KIND             BYTES  SIDE  what stands beside the word
--   GW_KIND_APELINK  16     1     the last of Aurora's framing interface, which link control ties to 0
--   GW_KIND_OP2P     4      6     start, end, two bits of remainder and two of errors, as gw_hdl.h has them
--
-- Words that the core sends one after the other reach goldwire together, at most CHUNK of them; the end
-- of such a chunk means nothing. GAP, READY_ON and READY_OFF are those of gw_axis.
--
-- X, U, Z and - are told to goldwire, on valid and on what is valid, and so is a word that changes or goes
-- away while it waits.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.gw_ports.all;

entity gw_words is
  generic (
    NUMBER : natural := 0;
    KIND : natural := GW_KIND_APELINK;
    BYTES : positive := 16;
    SIDE : positive := 1;
    CHUNK : positive := 256;
    GAP : natural := 0;
    READY_ON : positive := 1;
    READY_OFF : natural := 0);
  port (
    clk : in std_logic;
    rst : in std_logic;
    m_data : out std_logic_vector(8 * BYTES - 1 downto 0) := (others => '0');
    m_side : out std_logic_vector(SIDE - 1 downto 0) := (others => '0');
    m_valid : out std_logic := '0';
    m_ready : in std_logic;
    s_data : in std_logic_vector(8 * BYTES - 1 downto 0);
    s_side : in std_logic_vector(SIDE - 1 downto 0);
    s_valid : in std_logic;
    s_ready : out std_logic := '0');
end entity;

architecture sim of gw_words is
  signal valid : std_logic := '0';
  signal ready : std_logic := '0';
  signal m_wires, s_wires : std_logic_vector(1 downto 0);
begin
  m_valid <= valid;
  s_ready <= ready;
  m_wires <= m_ready & valid;
  s_wires <= ready & s_valid;

  process (clk)
    variable word, sent : gw_beat := (others => '0');
    variable result : integer := gw_hdl_port(NUMBER, KIND, BYTES);
    variable flags, pause, turn, taken : integer := 0;
    variable waits, held : boolean := false;
    variable was_data : std_logic_vector(s_data'range);
    variable was_side : std_logic_vector(s_side'range);
    variable edge : natural := 0;
    variable m_seen, s_seen : gw_seen := GW_NOT_SEEN;

    procedure breach (which : natural) is
    begin
      gw_hdl_breach(NUMBER, gw_us, gw_ps, which);
    end procedure;

    -- What the core offers must stay until it is taken.
    procedure check is
    begin
      if waits and s_valid = '0' then
        breach(GW_VALID_DROPPED);
      elsif waits and (s_data /= was_data or s_side /= was_side) then
        breach(GW_DATA_CHANGED);
      end if;
      waits := s_valid = '1' and ready = '0';
      was_data := s_data;
      was_side := s_side;
    end procedure;

    procedure take is
    begin
      flags := 0;
      if is_x(s_side) then
        breach(GW_UNKNOWN);
      else
        flags := GW_SIDE * to_integer(unsigned(s_side));
      end if;
      taken := taken + 1;
      if taken = CHUNK then
        flags := flags + GW_LAST_BEAT;
        taken := 0;
      end if;
      word(8 * BYTES - 1 downto 0) := s_data;
      gw_hdl_rxv(NUMBER, gw_us, gw_ps, BYTES, flags, word, result);
    end procedure;

    -- The core pauses: what it has sent is handed over.
    procedure end_chunk is
    begin
      taken := 0;
      gw_hdl_rxv(NUMBER, gw_us, gw_ps, 0, GW_LAST_BEAT, word, result);
    end procedure;

    procedure show is
    begin
      valid <= '1';
      m_data <= sent(8 * BYTES - 1 downto 0);
      m_side <= std_logic_vector(to_unsigned((result / GW_SIDE) mod 2 ** SIDE, SIDE));
    end procedure;

    -- The next word: shown at once, or held back for GAP cycles.
    procedure offer is
    begin
      gw_hdl_txv(NUMBER, gw_us, gw_ps, 1, result, sent);
      held := result > 0 and GAP > 0;
      pause := GAP;
      valid <= '0';
      if result > 0 and not held then
        show;
      end if;
    end procedure;
  begin
    if clk'event and clk = '1' then
      edge := (edge + 1) mod 2 ** 30;
      if gw_news(m_seen, m_wires, m_data, m_side) then
        gw_tell(NUMBER, 0, edge, m_seen, m_wires, m_data, m_side);
      end if;
      if gw_news(s_seen, s_wires, s_data, s_side) then
        gw_tell(NUMBER, 1, edge, s_seen, s_wires, s_data, s_side);
      end if;
      result := 0;
      if rst = '1' then
        waits := false;
        turn := 0;
      elsif is_x(s_valid) then
        breach(GW_UNKNOWN);
      else
        check;
      end if;
      if rst /= '1' and s_valid = '1' and ready = '1' then
        take;
      elsif s_valid /= '1' and taken > 0 then
        end_chunk;
      end if;
      turn := (turn + 1) mod (READY_ON + READY_OFF);
      ready <= '0';
      if turn < READY_ON then
        ready <= '1';
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
      elsif valid = '1' and m_ready /= '1' then
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
