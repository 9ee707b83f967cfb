/* SPDX-License-Identifier: BSD-2-Clause */
#include "mutator/blocks.h"

#include <string.h>

#include "capture/pcapng.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

enum {
    INTERFACES = 16, /* of a section; packets of others are no packets */
    LEAST = 12,      /* type, length, length again */
    LENGTH_AT = 4,
    BODY_AT = 8, /* of a section its order of bytes, of an interface its link type */
    /* Of an enhanced packet block: */
    INTERFACE_AT = 8,
    TIME_AT = 12, /* high word first */
    CAP_LEN_AT = 20,
    LEN_AT = 24,
    FRAME_AT = 28,
    TAIL = 4, /* the length again */
};

#define LONGEST_NS INT64_C(40000000000) /* nobody waits longer */

/* What a section says of itself as it goes by. */
typedef struct section {
    uint16_t link_types[INTERFACES];
    uint32_t num_interfaces;
    bool big;
} section;

static uint32_t load(const gw_block *b, size_t at)
{
    return b->big ? gw_load_be32(b->bytes + at) : gw_load_le32(b->bytes + at);
}

static void store(uint8_t *p, uint32_t value, bool big)
{
    if (big)
        gw_store_be(p, value, 4);
    else
        gw_store_le(p, value, 4);
}

static uint64_t time_of(const gw_block *b)
{
    return (uint64_t)load(b, TIME_AT) << 32 | load(b, TIME_AT + 4);
}

static void note_interface(section *s, const gw_block *b)
{
    const uint8_t *body = b->bytes + BODY_AT;

    if (s->num_interfaces < INTERFACES)
        s->link_types[s->num_interfaces++] = b->big ? gw_load_be16(body) : gw_load_le16(body);
}

static void note_packet(const section *s, gw_block *b)
{
    const uint32_t frame_len = load(b, CAP_LEN_AT), interface = load(b, INTERFACE_AT);

    if (frame_len > b->len - FRAME_AT - TAIL || interface >= s->num_interfaces)
        return;
    b->frame = b->bytes + FRAME_AT;
    b->frame_len = frame_len;
    b->interface = interface;
    b->link_type = s->link_types[interface];
}

/* The block at |c|; false when there is no whole one. */
static bool next_block(gw_cursor *c, section *s, gw_block *b)
{
    if (gw_cursor_left(c) < LEAST)
        return false;
    if (gw_load_be32(c->p) == GW_PCAPNG_SECTION)
        *s = (section){.big = gw_load_be32(c->p + BODY_AT) == GW_PCAPNG_BYTE_ORDER};
    *b = (gw_block){.bytes = c->p, .big = s->big};
    b->len = load(b, LENGTH_AT);
    if (b->len < LEAST || b->len % 4 != 0 || !gw_cursor_skip(c, b->len))
        return false;
    if (load(b, 0) == GW_PCAPNG_INTERFACE)
        note_interface(s, b);
    else if (load(b, 0) == GW_PCAPNG_ENHANCED && b->len >= FRAME_AT + TAIL)
        note_packet(s, b);
    return true;
}

gw_sequence gw_blocks_apart(gw_blocks *b, const uint8_t *data, size_t len,
                            gw_sequence_event *events, size_t *lead)
{
    gw_sequence s = {
        .events = events, .cap = GW_BLOCKS_MAX, .num_links = 1, .longest_ns = LONGEST_NS};
    gw_cursor c = gw_cursor_over(data, len);
    uint64_t before = 0;
    section now = {0};
    gw_block block;

    *lead = 0;
    while (s.num < GW_BLOCKS_MAX && b->num < GW_ARRAY_LEN(b->all) && next_block(&c, &now, &block)) {
        gw_sequence_event e = {.data = block.bytes, .len = block.len, .tag = b->num};
        if (s.num == 0 && block.frame == NULL) {
            *lead = (size_t)(c.p - data);
            continue;
        }
        if (block.frame != NULL) {
            const uint64_t time = time_of(&block);
            e.data = block.frame;
            e.len = block.frame_len;
            e.link = block.interface;
            e.delay_ns = before != 0 && time > before ? (int64_t)(time - before) : 0;
            s.num_links = e.link >= s.num_links ? e.link + 1 : s.num_links;
            before = time;
        }
        b->all[b->num++] = block;
        events[s.num++] = e;
    }
    return s;
}

/* A packet's block with the frame of |e|. Returns its length, 0 when it does not fit. */
static size_t put_packet(const gw_block *b, const gw_sequence_event *e, uint64_t time, uint8_t *out,
                         size_t cap)
{
    const uint32_t padded = (e->len + 3) & ~UINT32_C(3);
    const uint32_t total = FRAME_AT + padded + TAIL;
    uint32_t wire = load(b, LEN_AT);

    if (cap < total)
        return 0;
    /* What is of another length was so on the wire, unless the capture had cut it. */
    if (e->len > b->frame_len || wire == b->frame_len)
        wire += e->len - b->frame_len;
    store(out, GW_PCAPNG_ENHANCED, b->big);
    store(out + LENGTH_AT, total, b->big);
    store(out + INTERFACE_AT, e->link, b->big);
    store(out + TIME_AT, (uint32_t)(time >> 32), b->big);
    store(out + TIME_AT + 4, (uint32_t)time, b->big);
    store(out + CAP_LEN_AT, e->len, b->big);
    store(out + LEN_AT, wire, b->big);
    memset(out + FRAME_AT, 0, padded);
    if (e->len > 0)
        memcpy(out + FRAME_AT, e->data, e->len);
    store(out + FRAME_AT + padded, total, b->big);
    return total;
}

/* Any other block, or what is left of one that was cut. */
static size_t put_bytes(const gw_sequence_event *e, uint8_t *out, size_t cap)
{
    if (e->len > cap)
        return 0;
    memcpy(out, e->data, e->len);
    return e->len;
}

size_t gw_blocks_together(const gw_blocks *b, const gw_sequence *s, const uint8_t *data,
                          size_t lead, uint8_t *out, size_t cap)
{
    size_t len = lead;
    uint64_t time = 0;

    if (lead > cap)
        return 0;
    if (lead > 0)
        memcpy(out, data, lead);
    for (size_t i = 0; i < s->num; i++) {
        const gw_sequence_event *e = &s->events[i];
        const gw_block *block = &b->all[e->tag];
        size_t more;
        if (block->frame != NULL) {
            time = time == 0 ? time_of(block) : time + (uint64_t)e->delay_ns;
            more = put_packet(block, e, time, out + len, cap - len);
        } else {
            more = put_bytes(e, out + len, cap - len);
        }
        if (more == 0 && e->len > 0)
            break;
        len += more;
    }
    return len;
}
