-- SPDX-License-Identifier: BSD-2-Clause
-- TEXTAROSSA's SECDED code, to be compared with another: sim/secded_test.c tells what is asked and answered.
-- Of a word whose flag is 0 the answer is that word with its check byte, a digest of what a check says of it
-- as it is and with each bit and each two bits flipped, and how often which status came. Of one whose flag
-- is 1, the word corrected, and its status.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.gw_ports.all;
use work.tx_faults.all;
use work.tx_secded.all;

entity tb_secded is
  generic (FAULT : natural := FAULT_NONE);
end entity;

architecture sim of tb_secded is
  constant NUM_ANSWERS : positive := 3;
  type answers_type is array (0 to NUM_ANSWERS - 1) of word_type;
  signal clk : std_logic := '0';
  signal asked, answer : word_type;
  signal flag : std_logic_vector(0 downto 0);
  signal valid, taken, shown, ready : std_logic := '0';
  signal answers : answers_type := (others => (others => '0'));
  signal first, left : natural range 0 to NUM_ANSWERS := 0;

  type sum_type is record
    digest : word_type;
    clean, corrected, fatal : natural;
  end record;

  -- A step of a polynomial hash: x to the 128th is x to the 7th + x squared + x + 1.
  function step (digest, value : word_type) return word_type is
    variable next_one : word_type := digest(126 downto 0) & '0';
  begin
    if digest(127) = '1' then
      next_one(7 downto 0) := next_one(7 downto 0) xor x"87";
    end if;
    return next_one xor value;
  end function;

  function code_of (status : status_type) return word_type is
  begin
    return std_logic_vector(to_unsigned(status_type'pos(status), 128));
  end function;

  procedure add (sum : inout sum_type; word : word_type) is
    variable checked : checked_type;
  begin
    checked := check_of(word, FAULT);
    sum.digest := step(step(sum.digest, checked.word), code_of(checked.status));
    case checked.status is
      when CLEAN => sum.clean := sum.clean + 1;
      when CORRECTED => sum.corrected := sum.corrected + 1;
      when FATAL => sum.fatal := sum.fatal + 1;
    end case;
  end procedure;

  -- Everything that is asked of |word|.
  function answers_to (word : word_type) return answers_type is
    variable counts : word_type := (others => '0');
    variable good, once, twice : word_type;
    variable sum : sum_type := ((others => '0'), 0, 0, 0);
  begin
    good := protect(word, '1', FAULT);
    add(sum, good);
    for i in 0 to 127 loop
      once := good;
      once(i) := not once(i);
      add(sum, once);
      for j in 0 to i - 1 loop
        twice := once;
        twice(j) := not twice(j);
        add(sum, twice);
      end loop;
    end loop;
    counts(95 downto 64) := std_logic_vector(to_unsigned(sum.clean, 32));
    counts(63 downto 32) := std_logic_vector(to_unsigned(sum.corrected, 32));
    counts(31 downto 0) := std_logic_vector(to_unsigned(sum.fatal, 32));
    return (good, sum.digest, counts);
  end function;
begin
  clk <= not clk after 4 ns;
  taken <= '1' when left = 0 else '0';
  shown <= '1' when left > 0 else '0';
  answer <= answers(first mod NUM_ANSWERS);

  port_0 : entity work.gw_words
    generic map (NUMBER => 0)
    port map (
      clk => clk, rst => '0', m_data => asked, m_side => flag, m_valid => valid, m_ready => taken,
      s_data => answer, s_side => "0", s_valid => shown, s_ready => ready);

  process (clk)
    variable checked : checked_type;
  begin
    if rising_edge(clk) then
      if left > 0 and ready = '1' then
        left <= left - 1;
        first <= first + 1;
      elsif left = 0 and valid = '1' and flag = "0" then
        answers <= answers_to(asked);
        first <= 0;
        left <= 3;
      elsif left = 0 and valid = '1' then
        checked := check_of(asked, FAULT);
        answers <= (checked.word, code_of(checked.status), (others => '0'));
        first <= 0;
        left <= 2;
      end if;
    end if;
  end process;
end architecture;
