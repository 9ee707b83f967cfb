-- SPDX-License-Identifier: BSD-2-Clause
-- The SECDED code of TEXTAROSSA's headers and credits: a Hamming code of 7 bits over 120 bits of data
-- and a bit of overall parity. Data is bits 119..0 of a word, the check byte bits 127..120.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.tx_faults.all;

package tx_secded is
  subtype word_type is std_logic_vector(127 downto 0);
  subtype DATA is natural range 119 downto 0;
  subtype CHECK is natural range 127 downto 120;

  type status_type is (CLEAN, CORRECTED, FATAL);

  -- What a check makes of a word: corrected, or zeros after a fatal error, and in the place of the check
  -- byte the syndrome.
  type checked_type is record
    word : word_type;
    status : status_type;
  end record;

  -- The check byte of the data of |word|.
  function check_byte (word : word_type) return std_logic_vector;

  -- |word| with the check byte that its data has; with 0, unless |on|.
  function protect (word : word_type; on_off : std_logic; fault : natural := FAULT_NONE) return word_type;

  -- Every even number of errors that shows is fatal.
  function check_of (word : word_type; fault : natural := FAULT_NONE) return checked_type;
end package;

package body tx_secded is
  type masks_type is array (7 downto 0) of std_logic_vector(119 downto 0);
  type places_type is array (0 to 127) of integer range -1 to 119;

  -- Data bit i stands at the i-th position from 3 on that is no power of two; -1 where a check bit does.
  function make_places return places_type is
    variable places : places_type := (others => -1);
    variable power : positive := 4;
    variable num : natural := 0;
  begin
    for position in 3 to 127 loop
      if position = power then
        power := 2 * power;
      else
        places(position) := num;
        num := num + 1;
      end if;
    end loop;
    return places;
  end function;

  constant PLACES : places_type := make_places;

  -- The data bits that each check bit covers. Bit 0 makes the parity of all even: it covers the data bits
  -- that an even number of the others do.
  function make_masks return masks_type is
    variable masks : masks_type := (others => (others => '0'));
    variable position_bits : std_logic_vector(6 downto 0);
  begin
    for position in 3 to 127 loop
      if PLACES(position) >= 0 then
        position_bits := std_logic_vector(to_unsigned(position, 7));
        for k in 0 to 6 loop
          masks(k + 1)(PLACES(position)) := position_bits(k);
        end loop;
        masks(0)(PLACES(position)) := not (xor position_bits);
      end if;
    end loop;
    return masks;
  end function;

  constant MASKS : masks_type := make_masks;

  function check_byte (word : word_type) return std_logic_vector is
    variable byte : std_logic_vector(7 downto 0);
  begin
    for k in byte'range loop
      byte(k) := xor (word(DATA) and MASKS(k));
    end loop;
    return byte;
  end function;

  function protect (word : word_type; on_off : std_logic; fault : natural := FAULT_NONE) return word_type is
    variable byte : std_logic_vector(7 downto 0) := x"00";
  begin
    if on_off = '1' then
      byte := check_byte(word);
      if fault = FAULT_PARITY_LEFT_OUT then
        byte(0) := '0';
      end if;
    end if;
    return byte & word(DATA);
  end function;

  function check_of (word : word_type; fault : natural := FAULT_NONE) return checked_type is
    variable differing : std_logic_vector(7 downto 0);
    variable place : integer;
    variable result : checked_type;
  begin
    differing := word(CHECK) xor check_byte(word);
    result.word := (xor differing) & differing(7 downto 1) & word(DATA);
    result.status := CLEAN;
    place := PLACES(to_integer(unsigned(differing(7 downto 1))));
    if (xor differing) = '1' then
      result.status := CORRECTED;
      if place >= 0 and not (fault = FAULT_HALF_CORRECTED and place >= 32) then
        result.word(place) := not word(place);
      end if;
    elsif differing(7 downto 1) /= "0000000" and not (fault = FAULT_POWERS_OF_TWO_CLEAN and place < 0) then
      result.status := FATAL;
      result.word(DATA) := (others => '0');
    end if;
    return result;
  end function;
end package body;
