/* SPDX-License-Identifier: BSD-2-Clause */
/* Cursor, writer, texts and checksums: one operation, with any arguments, in any state that an
 * operation before it can have left. So it holds for any number of them. */
#include "goldwire/checksum.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "proof/proof.h"

/* The statics of a file are proven with it. */
#include "core/report.c"
#include "core/text.c"

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

/* What a text does depends on the room that is left alone: it begins anywhere, and ends with its
 * object. */
static char line[ROOM];

static gw_text any_text(size_t at)
{
    gw_text t = gw_text_over(line, sizeof line);

    Frama_C_make_unknown(line, sizeof line);
    line[at] = '\0';
    t.len = at;
    t.cut = any_bool();
    return t;
}

static void any_bytes(uint8_t *bytes, size_t len)
{
    Frama_C_make_unknown((char *)bytes, len);
}

void proof_text(void)
{
    size_t at = (size_t)Frama_C_interval(0, ROOM - 1);
    //@ split at;
    gw_text t = any_text(at);
    gw_field field = {.base = any_u8()};
    uint8_t bytes[6];
    char text[20];

    any_bytes(bytes, sizeof bytes);
    Frama_C_make_unknown(text, sizeof text);
    text[sizeof text - 1] = '\0';
    switch (Frama_C_interval(0, 4)) {
    case 0:
        gw_text_str(&t, text);
        break;
    case 1:
        gw_text_dec(&t, any_u64());
        break;
    case 2:
        gw_text_hex(&t, any_u64(), any_u32());
        break;
    case 3:
        gw_text_bytes(&t, bytes, (size_t)Frama_C_interval(0, sizeof bytes));
        break;
    default:
        gw_text_value(&t, &field, any_u64(), any_u32());
        break;
    }
    //@ assert within: t.len < ROOM;
}

void proof_ends(void)
{
    size_t at = (size_t)Frama_C_interval(0, ROOM - 1);
    //@ split at;
    gw_text t = any_text(at);
    gw_endpoint end = {.port = any_u16(), .family = any_u8()};
    gw_error error = {.kind = any_u8(), .offset = any_u32(), .capture_cut = any_bool()};

    any_bytes(end.ip, sizeof end.ip);
    if (any_bool())
        gw_text_endpoint(&t, &end);
    else
        gw_text_end(&t, &error);
    //@ assert within: t.len < ROOM;
}

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    (void)sink;
    seen = (uint64_t)finding->text[0];
}

void proof_report(void)
{
    size_t at = (size_t)Frama_C_interval(0, ROOM - 1);
    //@ split at;
    gw_text t = any_text(at);
    const uint64_t numbers[] = {any_u64(), any_u64(), any_u64()};
    gw_verdict_sink sink = {on_finding, NULL};
    gw_judge judge = {&sink, NULL, any_u64(), any_u64()};
    const gw_rule rule = {.id = "R"};

    expand(&t, "of %d byte%s, %x at %t", numbers);
    //@ assert within: t.len < ROOM;
    gw_report(&judge, &rule, NULL, any_u32(), "of %d byte%s, %x at %t", numbers);
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
