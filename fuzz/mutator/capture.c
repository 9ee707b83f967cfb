/* SPDX-License-Identifier: BSD-2-Clause */
/* A capture's packets as a sequence, and the message in one of them, mutated. */
#include <string.h>

#include "goldwire/etherbone.h"
#include "goldwire/ib.h"
#include "goldwire/net.h"
#include "goldwire/writer.h"
#include "mutator/blocks.h"
#include "mutator/message.h"

/* The message in a packet. */
typedef struct found {
    const gw_format *format;
    gw_message message;
    gw_ib ib; /* which the message may point to */
    gw_net net;
    bool udp;
    bool roce;
} found;

static gw_message whole_frame(uint32_t link_type, gw_cursor frame)
{
    return (gw_message){
        .data = frame.p,
        .cap_len = (uint32_t)gw_cursor_left(&frame),
        .len = (uint32_t)gw_cursor_left(&frame),
        .link_type = (uint16_t)link_type,
        .frame = 1,
        .num_frames = 1,
        .frames = {1},
    };
}

static const gw_link *link_of(const gw_format *format, uint32_t link_type)
{
    for (size_t i = 0; i < format->num_links; i++) {
        if (format->links[i].link_type == link_type)
            return &format->links[i];
    }
    return NULL;
}

static bool find_on_link(found *f, uint32_t link_type, gw_cursor frame)
{
    const gw_link *link = NULL;
    uint32_t fault;

    for (size_t i = 0; i < gw_num_formats && link == NULL; i++) {
        f->format = gw_formats[i];
        link = link_of(f->format, link_type);
    }
    if (link == NULL)
        return false;
    f->message = whole_frame(link_type, frame);
    f->message.part = link->part;
    if (f->format->infiniband)
        return gw_ib_open_native(&f->ib, &f->message, &fault) == NULL;
    return link->unwrap == NULL || link->unwrap(&f->message, NULL);
}

static const gw_format *over_infiniband(void)
{
    for (size_t i = 0; i < gw_num_formats; i++) {
        if (gw_formats[i]->infiniband)
            return gw_formats[i];
    }
    return NULL;
}

static bool find_over_udp(found *f, uint32_t link_type, gw_cursor frame)
{
    if (gw_net_parse(&f->net, link_type, frame, (uint32_t)gw_cursor_left(&frame)) != GW_NET_OK ||
        f->net.transport != GW_OVER_UDP || f->net.lower == NULL)
        return false;
    f->message = whole_frame(0, frame);
    f->message.data = f->net.payload.p;
    f->message.cap_len = f->message.len = (uint32_t)gw_cursor_left(&f->net.payload);
    f->message.transport = GW_OVER_UDP;
    f->message.src = f->net.src;
    f->message.dst = f->net.dst;
    f->udp = true;
    f->roce = f->net.dst.port == GW_ROCE_PORT && gw_ib_open_udp(&f->ib, &f->message);
    f->format = f->roce ? over_infiniband() : gw_fuzz_claimant(&f->message);
    if (f->format == NULL)
        f->format = &gw_etherbone; /* which fuzz/capture.c takes the rest for */
    return true;
}

static bool find_message(found *f, const gw_block *packet)
{
    uint32_t link_type = packet->link_type, len = packet->frame_len, fault_offset;
    gw_cursor frame = gw_cursor_over(packet->frame, len);
    const char *fault;

    *f = (found){0};
    if (len == 0)
        return false;
    /* Of what is around an ERF record or an exported PDU nothing changes. */
    (void)gw_net_unwrap(&link_type, &frame, &len, &fault, &fault_offset);
    return find_on_link(f, link_type, frame) || find_over_udp(f, link_type, frame);
}

static void add_be16(uint8_t *p, int64_t more)
{
    gw_store_be(p, (uint64_t)(gw_load_be16(p) + more) & UINT16_MAX, 2);
}

/* The lengths of UDP and IP, |more| bytes having come to the payload. Checksums stay: nobody here
 * judges them. */
static void mend_lengths(const found *f, uint8_t *frame, const uint8_t *was, int64_t more)
{
    enum { UDP_HEAD = 8, UDP_LEN_AT = 4, IPV4_LEN_AT = 2, IPV6_LEN_AT = 4 };
    uint8_t *ip = frame + (f->net.lower - was), *payload = frame + (f->net.payload.p - was);

    add_be16(payload - UDP_HEAD + UDP_LEN_AT, more);
    add_be16(ip + (f->net.ip_version == 4 ? IPV4_LEN_AT : IPV6_LEN_AT), more);
}

/* What stands behind a message of |len| bytes at |at| in the new |frame|: RoCE's ICRC is computed,
 * what a link has stays, and padding goes. Returns the frame's length. */
static size_t put_behind(const found *f, const gw_block *packet, uint8_t *frame, size_t at,
                         size_t len)
{
    const uint8_t *lower = frame + (f->udp ? f->net.lower - packet->frame : 0);
    const size_t was_at = at + f->message.cap_len;

    if (f->roce) {
        gw_store_le(frame + at + len,
                    gw_ib_icrc_roce(NULL, lower, f->net.lower_len, frame + at, len), GW_IB_ICRC);
        return at + len + GW_IB_ICRC;
    }
    if (f->udp)
        return at + len;
    memcpy(frame + at + len, packet->frame + was_at, packet->frame_len - was_at);
    return at + len + packet->frame_len - was_at;
}

/* The frame of |e|, another message in it, goes to u->piece. */
static bool mutate_packet(gw_fuzz_mutator *u, const gw_blocks *b, gw_sequence_event *e,
                          const gw_sequence_event *from)
{
    const gw_block *packet = &b->all[e->tag];
    const gw_message *other = NULL;
    found f, donor;

    if (!find_message(&f, packet))
        return false;
    if (find_message(&donor, &b->all[from->tag]) && donor.format == f.format)
        other = &donor.message;
    const size_t before = (size_t)(f.message.data - packet->frame);
    const size_t around = packet->frame_len - f.message.cap_len;
    if (around > sizeof u->piece)
        return false;
    const size_t len = gw_fuzz_mutate_message(u, f.format, NULL, &f.message, other,
                                              u->piece + before, sizeof u->piece - around);
    if (len == 0)
        return false;
    memcpy(u->piece, packet->frame, before);
    if (f.udp && !gw_random_one_in(&u->random, 8))
        mend_lengths(&f, u->piece, packet->frame, (int64_t)len - f.message.cap_len);
    e->data = u->piece;
    e->len = (uint32_t)put_behind(&f, packet, u->piece, before, len);
    return true;
}

static gw_sequence_event *any_event(gw_fuzz_mutator *u, const gw_sequence *s)
{
    return &s->events[gw_random_below(&u->random, (uint32_t)s->num)];
}

size_t gw_fuzz_mutate_capture(gw_fuzz_mutator *u, const uint8_t *data, size_t len,
                              const uint8_t *other, size_t other_len, size_t cap)
{
    static gw_blocks b; /* of one call */
    gw_sequence_event events[GW_BLOCKS_MAX], others[GW_BLOCKS_MAX];
    size_t lead, other_lead;
    bool done = false;

    b.num = 0;
    gw_sequence s = gw_blocks_apart(&b, data, len, events, &lead);
    gw_sequence o = gw_blocks_apart(&b, other, other_len, others, &other_lead);
    if (s.num == 0)
        return 0;
    const uint32_t what = gw_random_below(&u->random, 4);
    if (what <= 2)
        done = mutate_packet(u, &b, any_event(u, &s), any_event(u, o.num > 0 ? &o : &s));
    if (what >= 2) {
        gw_sequence_edit edit = gw_sequence_mutate(&s, o.num > 0 ? &o : NULL, &u->random);
        gw_fuzz_tell(u, gw_sequence_edit_name(edit));
        done |= edit != GW_NUM_SEQUENCE_EDITS;
    }
    return done ? gw_blocks_together(&b, &s, data, lead, u->out, cap) : 0;
}
