/* SPDX-License-Identifier: BSD-2-Clause */
/* Cursor, writer and checksums: one operation, with any arguments, in any state that an
 * operation before it can have left. So it holds for any number of them. */
#include "goldwire/checksum.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "proof/proof.h"

enum { ROOM = 24 };

static uint8_t room[ROOM];
static volatile uint64_t seen;

static void read_number(gw_cursor *c)
{
    uint8_t u8 = 0;
    uint16_t u16 = 0;
    uint32_t u32 = 0;
    uint64_t u64 = 0;
    size_t len = (size_t)Frama_C_interval(0, 8);

    switch (Frama_C_interval(0, 7)) {
    case 0:
        if (gw_cursor_u8(c, &u8))
            seen = u8;
        break;
    case 1:
        if (gw_cursor_be16(c, &u16))
            seen = u16;
        break;
    case 2:
        if (gw_cursor_be32(c, &u32))
            seen = u32;
        break;
    case 3:
        if (gw_cursor_be64(c, &u64))
            seen = u64;
        break;
    case 4:
        if (gw_cursor_le16(c, &u16))
            seen = u16;
        break;
    case 5:
        if (gw_cursor_le32(c, &u32))
            seen = u32;
        break;
    case 6:
        if (gw_cursor_le64(c, &u64))
            seen = u64;
        break;
    default:
        if (gw_cursor_be(c, &u64, len))
            seen = u64;
        break;
    }
}

void proof_cursor(void)
{
    size_t at = (size_t)Frama_C_interval(0, ROOM);
    //@ split at;
    gw_cursor c = gw_cursor_over(room, sizeof room);
    gw_cursor child = gw_cursor_over(NULL, 0);
    size_t len = any_u64();
    const uint8_t *bytes = NULL;

    Frama_C_make_unknown((char *)room, sizeof room);
    c.p += at;
    seen = gw_cursor_left(&c) + gw_cursor_offset(&c) + gw_cursor_left(&child);
    switch (Frama_C_interval(0, 3)) {
    case 0:
        if (gw_cursor_skip(&c, len))
            seen = gw_cursor_left(&c);
        break;
    case 1:
        if (gw_cursor_bytes(&c, &bytes, len) && len > 0)
            seen = bytes[0] + bytes[len - 1];
        break;
    case 2:
        if (gw_cursor_sub(&c, &child, len)) {
            seen = gw_cursor_left(&child);
            read_number(&child);
        }
        break;
    default:
        read_number(&c);
        break;
    }
}

void proof_writer(void)
{
    size_t at = (size_t)Frama_C_interval(0, ROOM);
    //@ split at;
    gw_writer w = gw_writer_over(room, sizeof room);
    uint8_t data[ROOM + 8];
    size_t len = (size_t)Frama_C_interval(0, sizeof data);

    Frama_C_make_unknown((char *)data, sizeof data);
    w.len = at;
    w.full = any_bool();
    switch (Frama_C_interval(0, 3)) {
    case 0:
        gw_write_be(&w, any_u64(), (size_t)Frama_C_interval(1, 8));
        break;
    case 1:
        gw_write_le(&w, any_u64(), (size_t)Frama_C_interval(1, 8));
        break;
    case 2:
        gw_write_bytes(&w, data, len);
        break;
    default:
        gw_write_zeros(&w, len);
        break;
    }
    //@ assert within: w.len <= ROOM;
}

void proof_checksum(void)
{
    size_t at = (size_t)Frama_C_interval(0, ROOM);
    //@ split at;

    Frama_C_make_unknown((char *)room, sizeof room);
    seen = gw_crc32(NULL, any_u32(), room + at, sizeof room - at);
    seen = gw_crc32c(NULL, any_u32(), room + at, sizeof room - at);
    seen = gw_inet_fold(gw_inet_sum(any_u32(), room + at, sizeof room - at));
}
