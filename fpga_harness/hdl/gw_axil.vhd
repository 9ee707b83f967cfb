-- SPDX-License-Identifier: BSD-2-Clause
-- An AXI4-Lite master (Arm IHI 0022) by which goldwire reaches a board's registers, 32 bits wide. One access at a
-- time; one that nobody answers is given up after TIMEOUT cycles, as one that ended with an error, and its answer
-- is taken when it comes.
--
-- SKEW is how many cycles address and data of a write lie apart, now the one first, now the other, now none. Answers
-- are waited for: it is ready when they are valid, or when SHY cycles, or up to twice as many, have passed. What the
-- core does against the protocol is told to goldwire.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.gw_ports.all;

entity gw_axil is
  generic (
    NUMBER : natural := 14;
    TIMEOUT : positive := 1000;
    SKEW : natural := 0;
    SHY : positive := 128);
  port (
    clk : in std_logic;
    rst : in std_logic;
    awaddr : out std_logic_vector(31 downto 0) := (others => '0');
    awprot : out std_logic_vector(2 downto 0) := "000";
    awvalid : out std_logic := '0';
    awready : in std_logic;
    wdata : out std_logic_vector(31 downto 0) := (others => '0');
    wstrb : out std_logic_vector(3 downto 0) := (others => '0');
    wvalid : out std_logic := '0';
    wready : in std_logic;
    bresp : in std_logic_vector(1 downto 0);
    bvalid : in std_logic;
    bready : out std_logic := '0';
    araddr : out std_logic_vector(31 downto 0) := (others => '0');
    arprot : out std_logic_vector(2 downto 0) := "000";
    arvalid : out std_logic := '0';
    arready : in std_logic;
    rdata : in std_logic_vector(31 downto 0);
    rresp : in std_logic_vector(1 downto 0);
    rvalid : in std_logic;
    rready : out std_logic := '0');
end entity;

architecture sim of gw_axil is
  signal asked : std_logic_vector(7 downto 0);
  signal answered : std_logic_vector(5 downto 0);
  signal request : std_logic_vector(63 downto 0);
  signal response : std_logic_vector(1 downto 0);
  constant NO : integer := 0;
  constant WELL : integer := 1;
  constant BADLY : integer := 2;
  constant IS_READ : integer := 1;
  constant IS_WRITE : integer := 2;
  constant MOMENT : positive := 4; -- cycles behind being ready in which an answer may have waited for that
  constant LATE_MAX : positive := 8; -- by chance that often in a row: once in 2 ** 40 accesses
  constant RESET_IN : positive := 2; -- edges after which a reset has to be seen
begin
  asked <= arready & arvalid & wready & wvalid & awready & awvalid &
    ((awvalid and awready) or (wvalid and wready) or (arvalid and arready)) & (awvalid or wvalid or arvalid);
  answered <= rready & rvalid & bready & bvalid & ((bvalid and bready) or (rvalid and rready)) & (bvalid or rvalid);
  request <= wdata & araddr when arvalid = '1' else wdata & awaddr;
  response <= rresp when rvalid = '1' else bresp;

  process
    variable result, done, age, busy, late, shy_left, turn, aw_wait, w_wait, data : integer := 0;
    variable in_reset : natural := 0;
    variable lots : natural := 1; -- of a linear-feedback shift register of 15 bits
    variable aw_taken, w_taken, ar_taken, b_open, r_open, b_waits, r_waits, abandoned, used : boolean := false;
    variable was_bresp, was_rresp : std_logic_vector(1 downto 0);
    variable was_rdata : std_logic_vector(31 downto 0);
    variable edge : natural := 0;
    variable asked_seen, answered_seen : gw_seen := GW_NOT_SEEN;

    procedure breach (which : natural) is
    begin
      gw_hdl_breach(NUMBER, gw_us, gw_ps, which);
    end procedure;

    function to_logic (is_so : boolean) return std_logic is
    begin
      if is_so then
        return '1';
      end if;
      return '0';
    end function;

    -- What is taken at this edge.
    procedure look_at_requests is
    begin
      if awvalid = '1' and awready = '1' then
        aw_taken := true;
        awvalid <= '0';
      end if;
      if wvalid = '1' and wready = '1' then
        w_taken := true;
        wvalid <= '0';
      end if;
      if arvalid = '1' and arready = '1' then
        ar_taken := true;
        arvalid <= '0';
      end if;
      b_open := busy = IS_WRITE and aw_taken and w_taken;
      r_open := busy = IS_READ and ar_taken;
    end procedure;

    -- The answer is taken at this edge. Of an access that was given up nobody hears.
    procedure finish (response : std_logic_vector(1 downto 0)) is
    begin
      if not used then
        breach(GW_BUS_USED);
        used := true;
      end if;
      if shy_left <= 0 and shy_left > -MOMENT then
        late := late + 1;
      else
        late := 0;
      end if;
      if late >= LATE_MAX then
        breach(GW_RESPONSE_WAITED);
      end if;
      if not abandoned then
        done := BADLY;
        if response = "00" then
          done := WELL;
        end if;
      end if;
      busy := 0;
      abandoned := false;
      bready <= '0';
      rready <= '0';
    end procedure;

    -- What is answered must have been asked for, and stay until it is taken.
    procedure look_at_answers is
    begin
      if (bvalid = '1' and not b_open) or (rvalid = '1' and not r_open) then
        breach(GW_RESPONSE_UNASKED);
      end if;
      if (b_waits and bvalid = '0') or (r_waits and rvalid = '0') then
        breach(GW_RESPONSE_DROPPED);
      elsif (b_waits and bresp /= was_bresp) or
        (r_waits and (rdata /= was_rdata or rresp /= was_rresp)) then
        breach(GW_RESPONSE_CHANGED);
      end if;
      b_waits := bvalid = '1' and bready = '0';
      r_waits := rvalid = '1' and rready = '0';
      was_bresp := bresp;
      was_rdata := rdata;
      was_rresp := rresp;
      if b_open and bvalid = '1' and bready = '1' then
        if is_x(bresp) then
          breach(GW_RESPONSE_UNKNOWN);
        end if;
        finish(bresp);
      elsif r_open and rvalid = '1' and rready = '1' then
        if is_x(rdata) or is_x(rresp) then
          breach(GW_RESPONSE_UNKNOWN);
        else
          data := to_integer(signed(rdata));
        end if;
        finish(rresp);
      end if;
    end procedure;

    -- Ready for an answer that is there, or that does not come.
    procedure be_shy is
    begin
      if (b_open and bvalid = '1') or (r_open and rvalid = '1') then
        if shy_left > 0 then
          shy_left := SHY + MOMENT;
        end if;
      elsif b_open or r_open then
        shy_left := shy_left - 1;
      end if;
      bready <= to_logic(b_open and (bvalid = '1' or shy_left <= 0));
      rready <= to_logic(r_open and (rvalid = '1' or shy_left <= 0));
    end procedure;

    -- The two halves of a write that waits for its turn.
    procedure go_on is
    begin
      if busy = IS_WRITE and not aw_taken and awvalid = '0' then
        awvalid <= to_logic(aw_wait <= 1);
        aw_wait := aw_wait - 1;
      end if;
      if busy = IS_WRITE and not w_taken and wvalid = '0' then
        wvalid <= to_logic(w_wait <= 1);
        w_wait := w_wait - 1;
      end if;
    end procedure;

    procedure begin_access is
    begin
      busy := result;
      aw_taken := false;
      w_taken := false;
      ar_taken := false;
      lots := (lots / 2 + 16384 * ((lots + lots / 2) mod 2)) mod 32768;
      shy_left := SHY + lots mod SHY;
      if busy = IS_WRITE then
        awaddr <= std_logic_vector(to_signed(gw_hdl_bus_address(NUMBER), 32));
        wdata <= std_logic_vector(to_signed(gw_hdl_bus_data(NUMBER), 32));
        wstrb <= std_logic_vector(to_unsigned(gw_hdl_bus_select(NUMBER) mod 16, 4));
        aw_wait := 0;
        w_wait := 0;
        if turn = 2 then
          aw_wait := SKEW;
        elsif turn = 1 then
          w_wait := SKEW;
        end if;
        turn := (turn + 1) mod 3;
        awvalid <= to_logic(aw_wait = 0);
        wvalid <= to_logic(w_wait = 0);
      else
        araddr <= std_logic_vector(to_signed(gw_hdl_bus_address(NUMBER), 32));
        arvalid <= '1';
      end if;
    end procedure;

    procedure begin_anew is
    begin
      awvalid <= '0';
      wvalid <= '0';
      arvalid <= '0';
      bready <= '0';
      rready <= '0';
      busy := 0;
      age := 0;
      b_waits := false;
      r_waits := false;
      abandoned := false;
      turn := 0;
      lots := 1;
    end procedure;
  begin
    result := gw_hdl_port(NUMBER, GW_KIND_AXIL, 4);
    loop
      wait until clk'event and clk = '1';
      edge := (edge + 1) mod 2 ** 30;
      if gw_news(asked_seen, asked, request, wstrb) then
        gw_tell(NUMBER, 0, edge, asked_seen, asked, request, wstrb);
      end if;
      if gw_news(answered_seen, answered, rdata, response) then
        gw_tell(NUMBER, 1, edge, answered_seen, answered, rdata, response);
      end if;
      done := NO;
      if rst = '1' then
        -- What is asked for now is asked for behind the reset.
        if in_reset >= RESET_IN and (bvalid = '1' or rvalid = '1') then
          breach(GW_RESPONSE_IN_RESET);
        end if;
        if in_reset < RESET_IN then
          in_reset := in_reset + 1;
        end if;
        begin_anew;
        result := 0;
        if gw_hdl_pace(gw_us, gw_ps) < 0 then
          result := -1;
        end if;
      else
        in_reset := 0;
        if is_x(awready) or is_x(wready) or is_x(bvalid) or is_x(arready) or is_x(rvalid) then
          breach(GW_RESPONSE_UNKNOWN);
        else
          look_at_requests;
          be_shy;
          look_at_answers;
          go_on;
        end if;
        if done = NO and age >= TIMEOUT then
          done := BADLY;
          abandoned := busy /= 0;
        end if;
        result := gw_hdl_bus(NUMBER, gw_us, gw_ps, done, data);
        if result > 0 then
          age := age + 1;
        else
          age := 0;
        end if;
        if result > 0 and busy = 0 then
          begin_access;
        end if;
      end if;
      if result < 0 then
        std.env.finish;
        wait;
      end if;
    end loop;
  end process;
end architecture;
