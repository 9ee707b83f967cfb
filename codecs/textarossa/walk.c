/* SPDX-License-Identifier: BSD-2-Clause */
/* Walking a message: one datagram, or a part of a link. */
#include <string.h>

#include "textarossa/internal.h"

/* How a datagram's last payload word is sent is open: padded as on a link, or cut to its bytes. The
 * length tells, when the footer then ends the datagram. */
static bool is_exact(const gw_tx_scan *s, uint32_t size)
{
    unsigned word = s->p->word_bytes;

    return size % word != 0 && s->w.len - gw_cursor_offset(&s->w.c) == size + word;
}

/* Payload of |size| bytes. Padding is at the high end of the last word, and in an order that turns
 * words round that is not the end of its bytes. */
static bool take_payload(gw_tx_scan *s, uint32_t size)
{
    unsigned word = s->p->word_bytes;
    unsigned swizzle = gw_tx_swizzle(word, (gw_tx_order)s->p->order);
    uint32_t rest = s->p->is_exact ? 0 : size % word;
    size_t run = size - rest;
    bool is_payload = true;

    for (unsigned k = 0; rest > 0 && k < word; k++) {
        bool data = (k ^ swizzle) < rest;
        if (data != is_payload) {
            if (!gw_tx_take_run(s, is_payload, run))
                return false;
            is_payload = data;
            run = 0;
        }
        run++;
    }
    return gw_tx_take_run(s, is_payload, run);
}

/* How many bytes of a payload of |size| follow, counted in memory order: a word that is turned
 * round counts as a whole. */
static uint32_t payload_here(const gw_tx_scan *s, uint32_t size)
{
    uint32_t here = (uint32_t)gw_cursor_left(&s->w.c);
    unsigned word = s->p->word_bytes;

    if (gw_tx_swizzle(word, (gw_tx_order)s->p->order) != 0 && !s->p->is_exact)
        here = here / word * word;
    return here < size ? here : size;
}

static void scan_datagram(gw_tx_scan *s)
{
    gw_tx_packet *p = s->p;

    if (p->order == GW_TX_ORDER_DETECT) {
        p->order = (uint8_t)gw_tx_detect(&p->message, s->d);
        if (p->order == GW_TX_ORDER_DETECT)
            p->order = GW_TX_ORDER_A;
    }
    //@ split p->order;
    if (!gw_tx_take_header(s, false, false))
        return;
    gw_tx_derive(s, GW_TX_F_ORDER, p->order, p->header_offset);
    p->payload_offset = gw_cursor_offset(&s->w.c);
    if (!gw_tx_header_only(&p->header)) {
        p->is_exact = is_exact(s, p->header.packet_size);
        p->payload_len = payload_here(s, p->header.packet_size);
        if (!take_payload(s, p->header.packet_size) || !gw_tx_take_footer(s))
            return;
    }
    if (gw_cursor_left(&s->w.c) > 0)
        gw_walk_stop(&s->w, GW_MALFORMED, gw_cursor_offset(&s->w.c),
                     gw_tx_field(GW_TX_F_UNDECODED));
    else if (gw_cursor_offset(&s->w.c) < s->w.len)
        gw_walk_missing(&s->w, gw_tx_field(GW_TX_F_UNDECODED), 1);
}

/* ---- what follows from the payload ---- */

/* Headers that are shown: a route has no more hops than a torus has nodes in a line. */
enum { GU_SHOWN = 64 };

static void derive_gu(gw_walk *w, const gw_tx_packet *p)
{
    uint32_t at = p->payload_offset;
    gw_tx_gu gu;
    gw_tx_header h;

    if (!gw_tx_gu_read(&gu, p))
        return;
    gw_walk_derive(w, gw_tx_field(GW_TX_F_GU_COUNT), gu.count, at);
    if (gu.underflow)
        gw_walk_derive(w, gw_tx_field(GW_TX_F_GU_UNDERFLOW), 1, at);
    else
        gw_walk_derive(w, gw_tx_field(GW_TX_F_GU_DATA_WORDS), gu.data_words, at);
    if (gu.size_as_published)
        gw_walk_derive(w, gw_tx_field(GW_TX_F_GU_SIZE_AS_PUBLISHED), 1, p->header_offset);
    for (uint32_t i = 0; i < GU_SHOWN && gw_tx_gu_header(&h, p, &gu, i); i++) {
        uint8_t bytes[GW_TX_WORD];
        gw_tx_store(bytes, sizeof bytes, GW_TX_ORDER_A, gw_tx_pack(&h, GW_TX_HLS));
        gw_walk_derive_bytes(w, gw_tx_field(GW_TX_F_GU_HEADER), bytes, sizeof bytes, at);
    }
}

/* The payload as memory holds it, where the message shows it otherwise. */
static void derive_payload(gw_walk *w, const gw_tx_packet *p)
{
    //@ slevel 3000;
    uint8_t memory[GW_TX_PAYLOAD_MAX];

    if (p->payload_len > sizeof memory)
        return;
    if (p->num_credits == 0 && gw_tx_swizzle(p->word_bytes, (gw_tx_order)p->order) == 0)
        return;
    //@ split p->payload_len;
    if (gw_tx_take_payload(p, 0, memory, p->payload_len))
        gw_walk_derive_bytes(w, gw_tx_field(GW_TX_F_PAYLOAD_MEMORY), memory, p->payload_len,
                             p->payload_offset);
}

/* ---- entries ---- */

/* How long a packet on a link is follows from its header, so what a cut one lacks may be more than
 * the bytes that are known to be missing. */
static void end_at_snap_length(gw_walk *w, const gw_message *message)
{
    if (w->error.kind == GW_OK)
        gw_walk_stop(w, GW_TRUNCATED, message->cap_len, gw_tx_field(GW_TX_F_UNDECODED));
    w->error.capture_cut = w->error.kind == GW_TRUNCATED;
}

gw_error gw_tx_scan_message(gw_tx_packet *out, const gw_message *message,
                            const gw_tx_dialect *dialect, gw_sink *sink)
{
    gw_tx_scan s = gw_tx_scan_over(out, message, dialect, sink);

    switch (message->part) {
    case GW_TX_PART_LINK:
        gw_tx_scan_link(&s);
        break;
    case GW_TX_PART_IDLE:
        gw_tx_scan_idle(&s);
        break;
    case GW_TX_PART_STRAY:
        gw_walk_rest(&s.w, gw_tx_group(GW_TX_G_STRAY));
        break;
    default:
        scan_datagram(&s);
        break;
    }
    gw_walk_rest(&s.w, gw_tx_group(GW_TX_G_UNDECODED));
    if (message->part != GW_TX_PART_DATAGRAM && message->cap_len < message->len)
        end_at_snap_length(&s.w, message);
    return s.w.error;
}

gw_error gw_tx_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink)
{
    gw_tx_packet packet;
    gw_walk w = gw_walk_over(message, sink);
    gw_error error = gw_tx_scan_message(&packet, message, gw_tx_dialect_of(dialect), sink);

    if (packet.payload_len > 0) {
        derive_payload(&w, &packet);
        if (packet.dialect->gu)
            derive_gu(&w, &packet);
    }
    return error;
}

gw_error gw_tx_decode(gw_tx_packet *out, const gw_message *message, const gw_dialect *dialect)
{
    return gw_tx_scan_message(out, message, gw_tx_dialect_of(dialect), NULL);
}
