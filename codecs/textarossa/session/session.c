/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations: which packet is the echo of which, whether credits stand between packets, and what
 * ARP says of those who send datagrams.
 *
 * Nothing in a packet asks for an answer. What can be known is that a packet came back: the other
 * way, on the same channel (proc_id), with the same payload. So packets without an echo are not
 * reported, whether they wait, are given up or fall out of the table. */
#include <string.h>

#include "core/hash.h"
#include "core/passing.h"
#include "goldwire/checksum.h"
#include "textarossa/internal.h"
#include "textarossa/session/arp.h"
#include "textarossa/session/echoes.h"

#define WAYS 32 /* directions of links that are followed */

/* One direction of a link: what came last on it. */
typedef struct way {
    gw_endpoint src;
    gw_endpoint dst;
    uint32_t interface;
    uint32_t stream;
    uint64_t last_run; /* frame of a packet after which no credit came; 0: none */
    uint64_t touched;  /* 0: unused */
    uint8_t dir;
} way;

typedef struct session {
    int64_t give_up_ns;
    uint64_t clock; /* counts messages */
    uint64_t frame; /* that is being judged */
    way ways[WAYS];
    gw_tx_arp_table arp;
    gw_passing passing;
    gw_tx_echoes echoes;
    gw_tx_sent sent[];
} session;

enum { MIN_SENT = 16 };

static bool session_init(void *state, size_t cap, int64_t give_up_ns)
{
    session *s = state;

    if (cap < gw_tx_session.min_size)
        return false;
    memset(s, 0, sizeof *s);
    s->give_up_ns = give_up_ns;
    gw_tx_echoes_init(&s->echoes, s->sent, cap - sizeof *s);
    return true;
}

/* ---- credits between packets (TX-L2) ---- */

static way *find_way(session *s, const gw_message *m)
{
    way *oldest = &s->ways[0];

    for (size_t i = 0; i < WAYS; i++) {
        way *w = &s->ways[i];
        if (w->touched != 0 && w->interface == m->interface && w->stream == m->stream &&
            w->dir == m->dir && gw_endpoint_equal(&w->src, &m->src) &&
            gw_endpoint_equal(&w->dst, &m->dst)) {
            w->touched = s->clock;
            return w;
        }
        if (w->touched < oldest->touched)
            oldest = w;
    }
    *oldest = (way){.src = m->src,
                    .dst = m->dst,
                    .interface = m->interface,
                    .stream = m->stream,
                    .touched = s->clock,
                    .dir = m->dir};
    return oldest;
}

static void follow_link(session *s, const gw_message *m, const gw_dialect *dialect,
                        gw_verdict_sink *sink)
{
    way *w = find_way(s, m);

    if (m->part == GW_TX_PART_LINK && w->last_run != 0) {
        gw_judge judge = {
            .sink = sink, .dialect = dialect, .frame = m->frame, .revealed_by = m->frame};
        gw_report(&judge, &gw_tx_rules[TX_L2], gw_tx_field(GW_TX_F_MAGIC), 0,
                  "no credit between this packet and the one in frame %d", GW_NUMBERS(w->last_run));
    }
    /* What the capture cut off may have been that credit. */
    w->last_run = m->part == GW_TX_PART_LINK && m->cap_len == m->len ? m->frame : 0;
}

/* ---- echoes ---- */

static void session_advance(void *state, int64_t now_ns, gw_verdict_sink *sink)
{
    session *s = state;

    gw_tx_arp_table_advance(&s->arp, now_ns, s->give_up_ns, s->frame, sink);
    gw_tx_echoes_give_up(&s->echoes, now_ns, s->give_up_ns);
}

static gw_tx_sent sent_of(const gw_message *m, const gw_tx_packet *p)
{
    //@ slevel 3000;
    uint8_t payload[GW_TX_PAYLOAD_MAX];
    size_t len = p->payload_len < sizeof payload ? p->payload_len : sizeof payload;
    //@ split len;
    if (!gw_tx_take_payload(p, 0, payload, len))
        len = 0;
    gw_tx_header h = gw_tx_unpack(p->edac.word, GW_TX_PORT);

    return (gw_tx_sent){.src = m->src,
                        .dst = m->dst,
                        .frame = m->frame,
                        .time_ns = m->time_ns,
                        .interface = m->interface,
                        .crc = gw_crc32(NULL, 0, payload, len),
                        .size = h.packet_size,
                        .proc_id = h.proc_id,
                        .dir = m->dir};
}

/* All but the channel, which each router chooses, and what it says of the place. */
static uint64_t content_of(const gw_tx_sent *sent, const gw_tx_packet *p)
{
    gw_tx_header h = gw_tx_unpack(p->edac.word, GW_TX_PORT);

    h.virt_chan = 0;
    h.out_of_lattice = 0;
    h.edac = 0;
    gw_tx_word word = gw_tx_pack(&h, GW_TX_PORT);
    uint64_t mixed = word.lo * GW_HASH_1 + word.hi * GW_HASH_2 + sent->crc * GW_HASH_3;
    return (uint64_t)gw_hash_fold(mixed) << 32 | sent->crc;
}

static void pass_on(session *s, const gw_message *m, uint64_t content, gw_verdict_sink *sink)
{
    gw_relation r = {.request = gw_passing_take(&s->passing, m, content),
                     .response = m->frame,
                     .kind = GW_FORWARDED};

    if (r.request != 0)
        gw_relate(sink, &r);
}

static void follow_packet(session *s, const gw_message *m, const gw_tx_packet *p,
                          gw_verdict_sink *sink)
{
    gw_tx_sent now = sent_of(m, p);
    gw_tx_sent before;
    bool ambiguous;

    pass_on(s, m, content_of(&now, p), sink);
    if (!gw_tx_echoes_take(&s->echoes, &now, &before, &ambiguous)) {
        gw_tx_echoes_add(&s->echoes, &now);
        return;
    }
    gw_relation r = {.request = before.frame,
                     .response = m->frame,
                     .delta_ns = gw_span_ns(before.time_ns, now.time_ns),
                     .kind = GW_ANSWERS,
                     .ambiguous = ambiguous};
    gw_relate(sink, &r);
}

static void session_feed(void *state, const gw_message *m, const gw_dialect *dialect,
                         gw_verdict_sink *sink)
{
    session *s = state;
    gw_tx_packet p;

    s->clock++;
    s->frame = m->frame;
    session_advance(s, m->time_ns, sink);
    if (m->part == GW_TX_PART_DATAGRAM)
        gw_tx_arp_table_datagram(&s->arp, m, dialect, sink);
    else
        follow_link(s, m, dialect, sink);
    if (m->part != GW_TX_PART_DATAGRAM && m->part != GW_TX_PART_LINK)
        return;
    gw_error error = gw_tx_decode(&p, m, dialect);
    if (error.kind == GW_OK && p.edac.status != GW_TX_EDAC_FATAL)
        follow_packet(s, m, &p, sink);
}

static void session_arp(void *state, const gw_message *m, gw_verdict_sink *sink)
{
    session *s = state;

    s->frame = m->frame;
    session_advance(s, m->time_ns, sink);
    gw_tx_arp_table_packet(&s->arp, m, sink);
}

static void session_end(void *state, gw_verdict_sink *sink)
{
    (void)state;
    (void)sink;
}

const gw_session_ops gw_tx_session = {
    .min_size = sizeof(session) + MIN_SENT * GW_TX_ECHO_BYTES,
    .init = session_init,
    .feed = session_feed,
    .arp = session_arp,
    .advance = session_advance,
    .end = session_end,
};
