/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies behind an intra-node port: the packet generator and consumer of the register block
 * (rtl), a node's task, which sends every payload back, or a switch's datagram link. */
#include <string.h>

#include "formats/textarossa/board.h"
#include "goldwire/cursor.h"

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
                      .packet_type = (how >> 31 != 0 ? GW_TX_TYPE_HEADER_ONLY : 0) | b->policy.type,
                      .num_of_hops = b->policy.hops,
                      .dest_x = to & 0x3f,
                      .dest_y = to >> 6 & 0x1f,
                      .dest_z = to >> 11 & 0x1f,
                      .intra_dest = to >> 16 & 0xf,
                      .dest_addr = (uint64_t)GW_TX_UDP_PORT << 32 | 0xc0a80002};

    if (gw_tx_header_only(&h) && !b->policy.sized)
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

/* Whether a task would take the packet as data for one of its channels (doc 2.1). */
static bool is_for_task(const gw_tx_board *b, const gw_tx_header *h)
{
    const gw_tx_policy *policy = &b->policy;

    if (gw_tx_header_only(h) || (h->out_of_lattice != 0 && !policy->bounced))
        return false;
    if (h->reserved > policy->reserved || h->edac > policy->edac)
        return false;
    return h->packet_size <= policy->most && h->packet_size % policy->granule == 0 &&
           h->proc_id < policy->channels;
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
                         .packet_type = b->policy.type,
                         .dest_addr = 0xfafbfcfd};
    uint32_t me = gw_tx_value(b, GW_TX_COORDME_REG);

    back.dest_x = (uint8_t)(t.me_x + 1u < t.size_x ? t.me_x + 1 : 0);
    back.dest_y = me >> 6 & 0x1f;
    back.dest_z = me >> 11 & 0x1f;
    if (b->has_partner) {
        const gw_endpoint *p = &b->partners[b->partner];
        back.dest_addr = (uint64_t)p->port << 32 | gw_load_be32(p->ip);
    }
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
    return (b->policy.footers >> kind & 1) != 0;
}

/* What the task puts behind a packet of |words| words, to one that had the footer |came|. */
static gw_tx_word make_footer(const gw_tx_board *b, uint32_t words, gw_tx_word came)
{
    gw_tx_word footer = gw_tx_footer_word(GW_TX_FOOTER_HAPECOM, GW_TX_PORT);

    if (words % 2 != 0)
        footer.lo ^= b->policy.footer_flips;
    if (b->policy.footer_mixed)
        footer.hi = came.hi;
    return footer;
}

static void send_back(gw_tx_board *b, gw_tx_intra *p, const gw_tx_head *h)
{
    gw_tx_header back = way_back(b, &h->header);

    gw_tx_mutant_back(b, &h->header, &back);
    bool wanted = is_wanted(b, p, &h->header, &back);

    if (wanted)
        (void)gw_tx_fifo_put(&p->tx.header, gw_tx_pack(&back, GW_TX_PORT));
    for (uint32_t i = 0; i < h->words; i++) {
        gw_tx_word word = gw_tx_fifo_take(&p->rx.data);
        if (wanted)
            (void)gw_tx_fifo_put(&p->tx.data, word);
    }
    gw_tx_word came = h->alone ? (gw_tx_word){0, 0} : gw_tx_fifo_take(&p->rx.header);
    if (wanted)
        (void)gw_tx_fifo_put(&p->tx.header, make_footer(b, h->words, came));
    gw_tx_pair_commit(&p->tx);
}

/* ---- a switch's port ---- */

void gw_tx_send_datagram(gw_tx_board *b, unsigned port, size_t len)
{
    b->out->send(b->out, b->num_links + port, b->ports[port].conn, b->packet, len);
}

bool gw_tx_deliver(gw_tx_board *b, unsigned i)
{
    gw_tx_intra *p = &b->ports[i];

    if (p->rx.header.ready == 0 || (!b->is_node && !p->connected && !p->consumes))
        return false;
    gw_tx_head h = {.from = &p->rx, .output = i};
    h.header = gw_tx_unpack(gw_tx_fifo_at(&p->rx.header, 0), GW_TX_PORT);
    h.alone = gw_tx_header_only(&h.header);
    h.words = h.alone ? 0 : gw_tx_words(h.header.packet_size, GW_TX_WORD);
    if (h.words > p->rx.data.ready)
        h.words = p->rx.data.ready; /* a router that counted wrong */
    if ((b->is_node && !p->consumes && !gw_tx_pair_has(&p->tx, h.words)) || !gw_tx_mutant_due(b, p))
        return false;
    (void)gw_tx_fifo_take(&p->rx.header);
    if (p->consumes)
        consume(p, &h);
    else if (b->is_node)
        send_back(b, p, &h);
    else
        gw_tx_mutant_send(b, i, gw_tx_packet_out(b, &h));
    return true;
}
