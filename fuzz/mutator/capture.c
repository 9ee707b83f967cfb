/* SPDX-License-Identifier: BSD-2-Clause */
/* A capture taken apart into its packets, mutated, and put together again. The format is that of
 * draft-ietf-opsawg-pcapng: section header, interface description and enhanced packet blocks. */
#include <string.h>

#include "goldwire/etherbone.h"
#include "goldwire/ib.h"
#include "goldwire/net.h"
#include "goldwire/sequence.h"
#include "mutator/message.h"

enum {
    RECORDS = 512,
    INTERFACES = 16,
    BLOCK_HEAD = 8, /* type and length */
    BLOCK_LEAST = 12,
    PACKET_HEAD = 28, /* of an enhanced packet block, before the frame */
    AT_INTERFACE = 8, /* in it, as the next four */
    AT_TIME = 12,     /* high word first */
    AT_CAP_LEN = 20,
    AT_LEN = 24,
    SECTION = 0x0a0d0d0a,
    INTERFACE = 1,
    PACKET = 6,
    ORDER_AT = 8,
    UDP_HEAD = 8,
    ROCE_PORT = 4791,
    ICRC = 4,
};

#define ORDER UINT32_C(0x1a2b3c4d)
#define LONGEST_NS INT64_C(40000000000) /* nobody waits longer */

/* A block of the file. */
typedef struct record {
    const uint8_t *bytes;
    uint32_t len;
    uint32_t frame_len; /* of a packet; else 0 */
    uint16_t link_type; /* likewise */
    bool packet;
    bool big; /* the order of bytes */
} record;

/* The blocks of one or two captures: an event's tag is its block's number. */
typedef struct blocks {
    record records[2 * RECORDS];
    uint32_t num;
    size_t lead; /* bytes of the first before its first packet */
} blocks;

static uint32_t load(const uint8_t *p, bool big)
{
    return big ? gw_load_be32(p) : gw_load_le32(p);
}

static void store(uint8_t *p, uint32_t value, bool big)
{
    for (unsigned i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> 8 * (big ? 3 - i : i));
}

static uint64_t time_of(const record *r)
{
    return (uint64_t)load(r->bytes + AT_TIME, r->big) << 32 | load(r->bytes + AT_TIME + 4, r->big);
}

/* ---- apart ---- */

/* What a section says of itself as it goes by. */
typedef struct section {
    uint16_t link_types[INTERFACES];
    uint32_t num_interfaces;
    bool big;
} section;

static void note_interface(section *s, const record *r)
{
    if (s->num_interfaces < INTERFACES && r->len >= BLOCK_LEAST + 8)
        s->link_types[s->num_interfaces] = s->big ? (uint16_t)(r->bytes[8] << 8 | r->bytes[9])
                                                  : (uint16_t)(r->bytes[9] << 8 | r->bytes[8]);
    s->num_interfaces++;
}

/* The block at |c|; false when there is no whole one. */
static bool next_block(gw_cursor *c, section *s, record *r)
{
    const size_t left = gw_cursor_left(c);
    const uint8_t *p = c->p;

    if (left < BLOCK_LEAST)
        return false;
    if (gw_load_be32(p) == SECTION)
        *s = (section){.big = gw_load_be32(p + ORDER_AT) == ORDER};
    *r = (record){.bytes = p, .len = load(p + 4, s->big), .big = s->big};
    if (r->len < BLOCK_LEAST || r->len % 4 != 0 || !gw_cursor_skip(c, r->len))
        return false;
    const uint32_t type = load(p, s->big);
    if (type == INTERFACE)
        note_interface(s, r);
    if (type != PACKET || r->len < PACKET_HEAD + 4)
        return true;
    const uint32_t interface = load(p + AT_INTERFACE, s->big);
    r->frame_len = load(p + AT_CAP_LEN, s->big);
    r->packet = r->frame_len <= r->len - PACKET_HEAD - 4 && interface < s->num_interfaces &&
                interface < INTERFACES;
    if (r->packet)
        r->link_type = s->link_types[interface];
    return true;
}

static gw_sequence take_apart(blocks *b, const uint8_t *data, size_t len, gw_sequence_event *events)
{
    gw_sequence s = {.events = events, .cap = RECORDS, .num_links = 1, .longest_ns = LONGEST_NS};
    gw_cursor c = gw_cursor_over(data, len);
    const uint32_t most = b->num + RECORDS;
    uint64_t before = 0;
    section now = {0};
    record r;

    while (b->num < most && next_block(&c, &now, &r)) {
        const uint32_t tag = b->num;
        if (s.num == 0 && !r.packet) { /* stays in front */
            b->lead = (size_t)(r.bytes + r.len - data);
            continue;
        }
        b->records[b->num++] = r;
        gw_sequence_event *e = &events[s.num++];
        *e = (gw_sequence_event){.data = r.bytes, .len = r.len, .tag = tag};
        if (!r.packet)
            continue;
        const uint64_t time = time_of(&r);
        e->data += PACKET_HEAD;
        e->len = r.frame_len;
        e->delay_ns = before != 0 && time > before ? (int64_t)(time - before) : 0;
        e->link = load(r.bytes + AT_INTERFACE, r.big);
        s.num_links = e->link + 1 > s.num_links ? e->link + 1 : s.num_links;
        before = time;
    }
    return s;
}

/* ---- together ---- */

/* A packet's block with the frame of |e|. Returns its length, 0 when it does not fit. */
static size_t put_packet(const record *r, const gw_sequence_event *e, uint64_t time, uint8_t *out,
                         size_t cap)
{
    const uint32_t padded = (e->len + 3) & ~UINT32_C(3);
    const uint32_t total = PACKET_HEAD + padded + 4;
    uint32_t wire = load(r->bytes + AT_LEN, r->big);

    if (cap < total)
        return 0;
    /* What is of another length was so on the wire, unless the capture had cut it. */
    if (e->len > r->frame_len || wire == r->frame_len)
        wire += e->len - r->frame_len;
    memcpy(out, r->bytes, PACKET_HEAD);
    store(out + 4, total, r->big);
    store(out + AT_INTERFACE, e->link, r->big);
    store(out + AT_TIME, (uint32_t)(time >> 32), r->big);
    store(out + AT_TIME + 4, (uint32_t)time, r->big);
    store(out + AT_CAP_LEN, e->len, r->big);
    store(out + AT_LEN, wire, r->big);
    memset(out + PACKET_HEAD, 0, padded);
    if (e->len > 0)
        memcpy(out + PACKET_HEAD, e->data, e->len);
    store(out + total - 4, total, r->big);
    return total;
}

static size_t put_together(gw_fuzz_mutator *u, const blocks *b, const gw_sequence *s,
                           const uint8_t *data, size_t cap)
{
    size_t len = b->lead;
    uint64_t time = 0;

    if (len > cap)
        return 0;
    if (len > 0)
        memcpy(u->out, data, len);
    for (size_t i = 0; i < s->num; i++) {
        const gw_sequence_event *e = &s->events[i];
        const record *r = &b->records[e->tag];
        size_t more = e->len;
        if (r->packet) {
            time = time == 0 ? time_of(r) : time + (uint64_t)e->delay_ns;
            more = put_packet(r, e, time, u->out + len, cap - len);
            if (more == 0)
                break;
        } else if (len + more <= cap) {
            memcpy(u->out + len, e->data, more); /* a part of it, where it was cut */
        } else {
            break;
        }
        len += more;
    }
    return len;
}

/* ---- the message in a packet ---- */

typedef struct found {
    const gw_format *format;
    gw_message message;
    gw_ib ib; /* which the message may point to */
    gw_net net;
    bool udp;
    bool roce;
} found;

static gw_message whole_frame(const record *r)
{
    return (gw_message){
        .data = r->bytes + PACKET_HEAD,
        .cap_len = r->frame_len,
        .len = r->frame_len,
        .link_type = r->link_type,
        .frame = 1,
        .num_frames = 1,
        .frames = {1},
    };
}

static bool find_on_link(found *f, const record *r)
{
    for (size_t i = 0; i < gw_num_formats; i++) {
        const gw_format *format = gw_formats[i];
        for (size_t k = 0; k < format->num_links; k++) {
            const gw_link *link = &format->links[k];
            uint32_t fault;
            if (link->link_type != r->link_type)
                continue;
            f->format = format;
            f->message = whole_frame(r);
            f->message.part = link->part;
            if (format->infiniband)
                return gw_ib_open_native(&f->ib, &f->message, &fault) == NULL;
            return link->unwrap == NULL || link->unwrap(&f->message, NULL);
        }
    }
    return false;
}

static bool find_over_udp(found *f, const record *r)
{
    const gw_cursor frame = gw_cursor_over(r->bytes + PACKET_HEAD, r->frame_len);

    if (gw_net_parse(&f->net, r->link_type, frame, r->frame_len) != GW_NET_OK ||
        f->net.transport != GW_OVER_UDP || f->net.lower == NULL)
        return false;
    f->message = whole_frame(r);
    f->message.link_type = 0;
    f->message.data = f->net.payload.p;
    f->message.cap_len = f->message.len = (uint32_t)gw_cursor_left(&f->net.payload);
    f->message.transport = GW_OVER_UDP;
    f->message.src = f->net.src;
    f->message.dst = f->net.dst;
    f->udp = true;
    f->roce = f->net.dst.port == ROCE_PORT && gw_ib_open_udp(&f->ib, &f->message);
    for (size_t i = 0; f->roce && i < gw_num_formats; i++)
        f->format = gw_formats[i]->infiniband ? gw_formats[i] : f->format;
    if (!f->roce)
        f->format = gw_fuzz_claimant(&f->message);
    if (f->format == NULL)
        f->format = &gw_etherbone; /* which fuzz/capture.c takes the rest for */
    return true;
}

static bool find_message(found *f, const record *r)
{
    *f = (found){0};
    return r->packet && r->frame_len > 0 && (find_on_link(f, r) || find_over_udp(f, r));
}

static void add16(uint8_t *p, int64_t more)
{
    const uint32_t value = (uint32_t)((p[0] << 8 | p[1]) + more);
    p[0] = (uint8_t)(value >> 8);
    p[1] = (uint8_t)value;
}

/* The lengths of UDP and IP, |more| bytes having come to the payload. Nobody here judges checksums.
 */
static void mend_lengths(const found *f, uint8_t *frame, const uint8_t *was, int64_t more)
{
    uint8_t *ip = frame + (f->net.lower - was), *udp = frame + (f->net.payload.p - was) - UDP_HEAD;

    add16(udp + 4, more);
    add16(ip + (f->net.ip_version == 4 ? 2 : 4), more);
}

static void put_icrc(uint8_t *out, const uint8_t *lower, size_t lower_len, const uint8_t *packet,
                     size_t len)
{
    store(out, gw_ib_icrc_roce(NULL, lower, lower_len, packet, len), false);
}

/* The frame of |e|, another message in it, goes to u->piece. */
static bool mutate_packet(gw_fuzz_mutator *u, const blocks *b, gw_sequence_event *e,
                          const gw_sequence_event *from, size_t cap)
{
    const record *r = &b->records[e->tag];
    const uint8_t *was = r->bytes + PACKET_HEAD;
    found f, donor;

    if (!find_message(&f, r))
        return false;
    const bool kin = find_message(&donor, &b->records[from->tag]) && donor.format == f.format;
    const size_t before = (size_t)(f.message.data - was);
    const size_t behind = f.udp ? (f.roce ? ICRC : 0) : r->frame_len - before - f.message.cap_len;
    if (cap < before + behind)
        return false;
    const size_t len =
        gw_fuzz_mutate_message(u, f.format, NULL, &f.message, kin ? &donor.message : NULL,
                               u->piece + before, cap - before - behind);
    if (len == 0)
        return false;
    memcpy(u->piece, was, before);
    if (f.udp && !gw_random_one_in(&u->random, 8))
        mend_lengths(&f, u->piece, was, (int64_t)len - f.message.cap_len);
    if (f.roce)
        put_icrc(u->piece + before + len, u->piece + (f.net.lower - was), f.net.lower_len,
                 u->piece + before, len);
    else if (behind > 0)
        memcpy(u->piece + before + len, was + before + f.message.cap_len, behind);
    e->data = u->piece;
    e->len = (uint32_t)(before + len + behind);
    return true;
}

size_t gw_fuzz_mutate_capture(gw_fuzz_mutator *u, const uint8_t *data, size_t len,
                              const uint8_t *other, size_t other_len, size_t cap)
{
    static blocks b; /* one at a time: they are 24 KiB */
    gw_sequence_event events[RECORDS], others[RECORDS];
    bool done = false;

    b.num = 0;
    b.lead = 0;
    gw_sequence o = take_apart(&b, other, other_len, others);
    b.lead = 0;
    gw_sequence s = take_apart(&b, data, len, events);
    if (s.num == 0)
        return 0;
    const uint32_t what = gw_random_below(&u->random, 4);
    if (what <= 2) {
        gw_sequence_event *e = &events[gw_random_below(&u->random, (uint32_t)s.num)];
        const gw_sequence *from = o.num > 0 ? &o : &s;
        done =
            mutate_packet(u, &b, e, &from->events[gw_random_below(&u->random, (uint32_t)from->num)],
                          sizeof u->piece);
    }
    if (what >= 2) {
        gw_sequence_edit edit = gw_sequence_mutate(&s, o.num > 0 ? &o : NULL, &u->random);
        gw_fuzz_tell(u, gw_sequence_edit_name(edit));
        done |= edit != GW_NUM_SEQUENCE_EDITS;
    }
    return done ? put_together(u, &b, &s, data, cap) : 0;
}
