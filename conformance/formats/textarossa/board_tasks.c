/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies behind an intra-node port: the packet generator and consumer of the register block
 * (rtl), a node's task, which sends every payload back, or a switch's datagram link. */
#include <string.h>

#include "formats/textarossa/board.h"
#include "goldwire/cursor.h"

enum { CHANNELS = 128 }; /* of a node's tasks (doc 2.1) */

/* For a mutant whose reader keeps up with a ring of packets, and no further. */
enum { RING = 128 };
#define SLOW_NS INT64_C(150000000)

/* Nobody stops a generator that was told to send 65535 packets to its own node; each turn sends so
 * many. */
enum { BATCH = 16 };

/* ---- packet generator and consumer ---- */

static gw_tx_header generated(const gw_tx_board *b)
{
    uint32_t how = gw_tx_value(b, GW_TX_PKTGEN_CONFIG_0),
             to = gw_tx_value(b, GW_TX_PKTGEN_CONFIG_1);
    gw_tx_header h = {.virt_chan = GW_TX_LAST_VC0,
                      .packet_size = how >> 16 & 0x3fff,
                      .packet_type = how >> 31 != 0 ? GW_TX_TYPE_HEADER_ONLY : 0,
                      .dest_x = to & 0x3f,
                      .dest_y = to >> 6 & 0x1f,
                      .dest_z = to >> 11 & 0x1f,
                      .intra_dest = to >> 16 & 0xf,
                      .dest_addr = (uint64_t)GW_TX_UDP_PORT << 32 | 0xc0a80002};

    if (gw_tx_header_only(&h) && !gw_tx_faulty(b, TX_FAULT_HEADER_ONLY_DRAGS))
        h.packet_size = 0;
    if (b->has_partner) {
        const gw_endpoint *p = &b->partners[b->partner];
        h.dest_addr = (uint64_t)p->port << 32 | gw_load_be32(p->ip);
    }
    return h;
}

/* Puts one packet into |to|; false when there is no room for it. */
static bool generate_one(const gw_tx_board *b, gw_tx_pair *to)
{
    gw_tx_header h = generated(b);
    bool alone = gw_tx_header_only(&h);
    uint32_t words = alone ? 0 : gw_tx_words(h.packet_size, GW_TX_WORD);

    if (gw_tx_faulty(b, TX_FAULT_HOPS_LEFT_OVER))
        h.num_of_hops = 0x3ef; /* as the generator of one published version */
    if (gw_tx_faulty(b, TX_FAULT_TYPE_LEFT_OVER))
        h.packet_type |= 0x05;
    if (!gw_tx_pair_has(to, words))
        return false;
    (void)gw_tx_fifo_put(&to->header, gw_tx_pack(&h, GW_TX_PORT));
    for (uint32_t i = 0; i < words; i++)
        (void)gw_tx_fifo_put(&to->data, (gw_tx_word){i + 1, 0});
    if (!alone)
        (void)gw_tx_fifo_put(&to->header, gw_tx_footer_word(GW_TX_FOOTER_GENERATOR, GW_TX_PORT));
    gw_tx_pair_commit(to);
    return true;
}

bool gw_tx_generate(gw_tx_board *b)
{
    bool any = false;

    for (unsigned i = 0; i < GW_TX_PORTS; i++) {
        gw_tx_intra *p = &b->ports[i];
        for (unsigned n = 0; n < BATCH && p->to_generate > 0 && generate_one(b, &p->tx); n++) {
            p->to_generate--;
            any = true;
        }
    }
    return any;
}

static void consume(gw_tx_intra *p, const gw_tx_head *h)
{
    for (uint32_t i = 0; i < h->words; i++) {
        gw_tx_word word = gw_tx_fifo_take(&p->rx.data);
        p->wrong = p->wrong || word.lo != i + 1 || word.hi != 0;
    }
    if (!h->alone)
        (void)gw_tx_fifo_take(&p->rx.header);
    p->consumed++;
}

void gw_tx_enable(gw_tx_board *b)
{
    uint32_t on = gw_tx_value(b, GW_TX_PERF_INTRANODE_CF);

    for (unsigned i = 0; i < GW_TX_PORTS; i++) {
        gw_tx_intra *p = &b->ports[i];
        bool generates = (on >> i & 1) != 0, consumes = (on >> (8 + i) & 1) != 0;
        if (generates != p->generates)
            p->to_generate = generates ? gw_tx_value(b, GW_TX_PKTGEN_CONFIG_0) & 0xffff : 0;
        if (consumes != p->consumes) {
            p->consumed = 0;
            p->wrong = false;
        }
        p->generates = generates;
        p->consumes = consumes;
    }
}

/* ---- a node's task ---- */

/* Whether a task would take the packet as data for one of its channels. */
static bool is_for_task(const gw_tx_board *b, const gw_tx_header *h)
{
    if (h->out_of_lattice != 0 && !gw_tx_faulty(b, TX_FAULT_TAKES_BOUNCED))
        return false;
    if (h->reserved != 0 && gw_tx_faulty(b, TX_FAULT_REFUSES_RESERVED))
        return false;
    if (h->edac != 0 && gw_tx_faulty(b, TX_FAULT_EDAC_IS_DATA))
        return false;
    if (h->packet_size % GW_TX_WORD != 0 && gw_tx_faulty(b, TX_FAULT_WHOLE_WORDS_ONLY))
        return false;
    if (h->packet_size > 1024 && gw_tx_faulty(b, TX_FAULT_SHORT_BUFFER))
        return false;
    if (h->proc_id == CHANNELS - 1 && gw_tx_faulty(b, TX_FAULT_LAST_CHANNEL_REFUSED))
        return false;
    if (h->packet_size > GW_TX_PAYLOAD_MAX && !gw_tx_faulty(b, TX_FAULT_TAKES_OVERSIZED))
        return false;
    return !gw_tx_header_only(h) &&
           (h->proc_id < CHANNELS || gw_tx_faulty(b, TX_FAULT_TAKES_ANY_PROC_ID));
}

/* The header of the way back: to the node at the other end of the link, and on the Ethernet port to
 * whoever spoke last. */
static gw_tx_header way_back(const gw_tx_board *b, const gw_tx_header *h)
{
    gw_tx_torus t =
        gw_tx_torus_of(gw_tx_value(b, GW_TX_COORDME_REG), gw_tx_value(b, GW_TX_LATTICESIZE_REG));
    gw_tx_header back = {.virt_chan = GW_TX_LAST_VC0,
                         .proc_id = h->proc_id,
                         .intra_dest = h->intra_dest,
                         .packet_size = h->packet_size,
                         .dest_addr = 0xfafbfcfd};
    uint32_t me = gw_tx_value(b, GW_TX_COORDME_REG);

    back.dest_x = (uint8_t)(t.me_x + 1u < t.size_x ? t.me_x + 1 : 0);
    back.dest_y = me >> 6 & 0x1f;
    back.dest_z = me >> 11 & 0x1f;
    if (b->has_partner) {
        const gw_endpoint *p = &b->partners[b->partner];
        back.dest_addr = (uint64_t)p->port << 32 | gw_load_be32(p->ip);
    }
    if (gw_tx_faulty(b, TX_FAULT_HOPS_LEFT_OVER))
        back.num_of_hops = h->num_of_hops;
    if (gw_tx_faulty(b, TX_FAULT_TYPE_LEFT_OVER))
        back.packet_type = 0x05;
    if (gw_tx_faulty(b, TX_FAULT_TYPE_STAYS))
        back.packet_type = b->memory.type & 0xf;
    if (gw_tx_faulty(b, TX_FAULT_ADDRESS_KEPT) && b->memory.address != 0)
        back.dest_addr = b->memory.address;
    if (gw_tx_faulty(b, TX_FAULT_PADDING_COUNTS))
        back.packet_size = (uint16_t)(gw_tx_words(h->packet_size, GW_TX_WORD) * GW_TX_WORD);
    return back;
}

/* Whether the task gives the packet back whose footer, if it has one, is next in |p|. What would
 * come to this node again is not sent. */
static bool is_wanted(const gw_tx_board *b, const gw_tx_intra *p, const gw_tx_header *h,
                      const gw_tx_header *back)
{
    gw_tx_torus t =
        gw_tx_torus_of(gw_tx_value(b, GW_TX_COORDME_REG), gw_tx_value(b, GW_TX_LATTICESIZE_REG));

    if (!is_for_task(b, h) || gw_tx_route(&t, back, true).exit == GW_TX_EXIT_LOCAL)
        return false;
    gw_tx_footer kind = gw_tx_footer_kind(gw_tx_fifo_at(&p->rx.header, 0), GW_TX_PORT);
    if (kind != GW_TX_FOOTER_HAPECOM && gw_tx_faulty(b, TX_FAULT_WANTS_OWN_FOOTER))
        return false;
    return kind != GW_TX_FOOTER_UNKNOWN || !gw_tx_faulty(b, TX_FAULT_WANTS_FOOTER);
}

/* Takes the footer that stands behind |h|; a mutant forgets that a header alone has none. */
static void take_footer(const gw_tx_board *b, gw_tx_intra *p, const gw_tx_header *h)
{
    if (!gw_tx_header_only(h) ||
        (p->rx.header.ready > 0 && gw_tx_faulty(b, TX_FAULT_HEADER_ALONE_EATS)))
        (void)gw_tx_fifo_take(&p->rx.header);
}

static void send_back(gw_tx_board *b, gw_tx_intra *p, const gw_tx_head *h)
{
    gw_tx_header back = way_back(b, &h->header);
    bool wanted = is_wanted(b, p, &h->header, &back);

    if (wanted)
        (void)gw_tx_fifo_put(&p->tx.header, gw_tx_pack(&back, GW_TX_PORT));
    for (uint32_t i = 0; i < h->words; i++) {
        gw_tx_word word = gw_tx_fifo_take(&p->rx.data);
        if (wanted)
            (void)gw_tx_fifo_put(&p->tx.data, word);
    }
    take_footer(b, p, &h->header);
    b->memory.type = h->header.packet_type;
    if (wanted)
        (void)gw_tx_fifo_put(&p->tx.header, gw_tx_footer_word(GW_TX_FOOTER_HAPECOM, GW_TX_PORT));
    gw_tx_pair_commit(&p->tx);
}

/* ---- a switch's port ---- */

void gw_tx_release(gw_tx_board *b)
{
    if (b->held_len == 0)
        return;
    b->out->send(b->out, GW_TX_LINKS + b->held_port, b->ports[b->held_port].conn, b->held,
                 b->held_len);
    b->held_len = 0;
}

static bool is_overtaken(const gw_tx_board *b)
{
    return gw_tx_faulty(b, TX_FAULT_REORDERS) ||
           (b->memory.has_dropped && gw_tx_faulty(b, TX_FAULT_OVERTAKES));
}

static void send_datagram(gw_tx_board *b, unsigned port, size_t len)
{
    /* A mutant's: of two packets the later one goes first. */
    if (is_overtaken(b) && b->held_len == 0) {
        memcpy(b->held, b->packet, len);
        b->held_len = (uint16_t)len;
        b->held_port = (uint8_t)port;
        b->memory.has_dropped = false;
        return;
    }
    unsigned link = GW_TX_LINKS + port;
    b->out->send(b->out, link, b->ports[port].conn, b->packet, len);
    gw_tx_release(b);
}

/* Whether it is time for the next packet. */
static bool is_due(gw_tx_board *b)
{
    if (!gw_tx_faulty(b, TX_FAULT_SLOWS_DOWN) || b->memory.delivered < RING)
        return true;
    if (b->memory.due_ns == 0)
        b->memory.due_ns = b->now_ns + SLOW_NS;
    if (b->now_ns < b->memory.due_ns)
        return false;
    b->memory.due_ns = 0;
    return true;
}

/* A mutant waits for a footer that a header alone does not have. */
static bool waits_for_footer(const gw_tx_board *b, const gw_tx_intra *p)
{
    return b->is_node && gw_tx_faulty(b, TX_FAULT_HEADER_ALONE_EATS) && p->rx.header.ready < 2;
}

/* A mutant waits for the last word of a payload that has none. */
static bool waits_for_payload(const gw_tx_board *b, const gw_tx_header *h)
{
    return b->is_node && gw_tx_faulty(b, TX_FAULT_SIZE_ZERO_STALLS) && h->packet_size == 0 &&
           !gw_tx_header_only(h);
}

bool gw_tx_deliver(gw_tx_board *b, unsigned i)
{
    gw_tx_intra *p = &b->ports[i];

    if (p->rx.header.ready == 0 || (!b->is_node && !p->connected && !p->consumes) ||
        waits_for_footer(b, p))
        return false;
    gw_tx_head h = {.from = &p->rx, .output = i};
    h.header = gw_tx_unpack(gw_tx_fifo_at(&p->rx.header, 0), GW_TX_PORT);
    if (waits_for_payload(b, &h.header))
        return false;
    h.alone = gw_tx_header_only(&h.header);
    h.words = h.alone ? 0 : gw_tx_words(h.header.packet_size, GW_TX_WORD);
    if (h.words > p->rx.data.ready)
        h.words = p->rx.data.ready; /* a router that counted wrong */
    if ((b->is_node && !p->consumes && !gw_tx_pair_has(&p->tx, h.words)) || !is_due(b))
        return false;
    b->memory.delivered++;
    (void)gw_tx_fifo_take(&p->rx.header);
    if (p->consumes)
        consume(p, &h);
    else if (b->is_node)
        send_back(b, p, &h);
    else
        send_datagram(b, i, gw_tx_packet_out(b, &h, b->dialect));
    return true;
}
