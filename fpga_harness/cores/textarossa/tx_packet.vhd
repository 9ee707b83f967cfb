-- SPDX-License-Identifier: BSD-2-Clause
-- TEXTAROSSA packets: the fields of a header, the control words of an APElink, and the way of a packet
-- on a ring. Bit 0 is the lowest bit of a word.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.tx_secded.all;

package tx_packet is
  constant MAGIC : word_type := x"ffffaaaa5555aaaaffffaaaa5555aaaa";
  constant START : word_type := x"ffffbbbb6666bbbbffffbbbb6666bbbb";

  constant FOOTER_OF_TASK : word_type := x"990000002aabaaeb0000000000000000";
  constant FOOTER_OF_GENERATOR : word_type := (others => '1');

  -- The fields of a header.
  subtype VIRT_CHAN is natural range 4 downto 0;
  subtype CHANNEL_NUMBER is natural range 3 downto 0; -- of VIRT_CHAN
  subtype PROC_ID is natural range 20 downto 5;
  subtype DEST_X is natural range 26 downto 21;
  subtype DEST_Y is natural range 31 downto 27;
  subtype DEST_Z is natural range 36 downto 32;
  subtype INTRA_DEST is natural range 40 downto 37;
  constant OUT_OF_LATTICE : natural := 42;
  constant HEADER_ONLY : natural := 47;
  subtype PACKET_SIZE is natural range 61 downto 48;
  subtype DEST_ADDR is natural range 109 downto 62;

  constant CHOOSE_CHANNEL : std_logic_vector(4 downto 0) := "10000"; -- the first router shall
  constant PAYLOAD_MAX : natural := 4096;
  constant WORDS_MAX : natural := 1024; -- that a header can say
  constant QUEUE_HEADERS : positive := 128;
  constant QUEUE_WORDS : positive := 512;
  constant NUM_CHANNELS : positive := 2;

  -- Words in a credit, and how they stand in it: a byte of headers, ten bits of data, of either channel.
  subtype headers_type is unsigned(7 downto 0);
  subtype data_type is unsigned(9 downto 0);
  type room_type is record
    headers : headers_type;
    data : data_type;
  end record;
  type rooms_type is array (0 to NUM_CHANNELS - 1) of room_type;
  function pack_rooms (rooms : rooms_type) return word_type;
  function unpack_rooms (word : word_type) return rooms_type;

  -- Words of payload behind |header|.
  function payload_words (header : word_type) return natural;

  -- Where a packet goes from the node at |me| on a lattice of |size| (COORDME_REG, LATTICESIZE_REG), and
  -- its header as it goes on. |injected|: it came from a task or generator, whose choice of a channel
  -- stands unless it left that to the router.
  type hop_type is record
    local : boolean;
    header : word_type;
  end record;
  function route (header, me, size : std_logic_vector; injected : boolean) return hop_type;
end package;

package body tx_packet is
  function pack_rooms (rooms : rooms_type) return word_type is
    variable word : word_type := (others => '0');
  begin
    for vc in rooms'range loop
      word(18 * vc + 7 downto 18 * vc) := std_logic_vector(rooms(vc).headers);
      word(18 * vc + 17 downto 18 * vc + 8) := std_logic_vector(rooms(vc).data);
    end loop;
    return word;
  end function;

  function unpack_rooms (word : word_type) return rooms_type is
    variable rooms : rooms_type;
  begin
    for vc in rooms'range loop
      rooms(vc).headers := unsigned(word(18 * vc + 7 downto 18 * vc));
      rooms(vc).data := unsigned(word(18 * vc + 17 downto 18 * vc + 8));
    end loop;
    return rooms;
  end function;

  function payload_words (header : word_type) return natural is
  begin
    if header(HEADER_ONLY) = '1' then
      return 0;
    end if;
    return (to_integer(unsigned(header(PACKET_SIZE))) + 15) / 16;
  end function;

  function route (header, me, size : std_logic_vector; injected : boolean) return hop_type is
    variable hop : hop_type := (local => true, header => header);
    constant TO_X : natural := to_integer(unsigned(header(DEST_X)));
    constant ME_X : natural := to_integer(unsigned(me(5 downto 0)));
    constant SIZE_X : natural := to_integer(unsigned(size(5 downto 0)));
    variable hops, apart : natural range 0 to 126;
    variable wraps, last : boolean;
  begin
    hop.header(VIRT_CHAN) := "00000";
    if TO_X >= SIZE_X or unsigned(header(DEST_Y)) >= unsigned(size(10 downto 6)) or
      unsigned(header(DEST_Z)) >= unsigned(size(15 downto 11)) then
      hop.header(OUT_OF_LATTICE) := '1';
      hop.header(INTRA_DEST) := "0000";
      return hop;
    end if;
    if TO_X = ME_X then
      hop.header(OUT_OF_LATTICE) := '0';
      return hop;
    end if;
    hop.local := false;
    if TO_X > ME_X then
      hops := TO_X - ME_X;
      apart := hops;
    else
      hops := (SIZE_X + TO_X - ME_X) mod 64;
      apart := ME_X - TO_X;
    end if;
    -- The channel changes where the ring is closed.
    wraps := (TO_X > ME_X) /= (hops <= SIZE_X / 2);
    if injected and header(4) = '0' then
      wraps := header(VIRT_CHAN) /= "00000";
    end if;
    last := apart = 1 or apart = SIZE_X - 1;
    if wraps then
      hop.header(0) := '1';
    end if;
    if last then
      hop.header(4) := '1';
    end if;
    return hop;
  end function;
end package body;
