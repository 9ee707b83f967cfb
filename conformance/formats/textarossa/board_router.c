/* SPDX-License-Identifier: BSD-2-Clause */
/* The router: which packet goes where, and when there is room for it. Outputs are given out in
 * turn; a packet that was begun is never interleaved (rtl). */
#include <string.h>

#include "formats/textarossa/board.h"

enum { NOWHERE = GW_TX_OUTPUTS }; /* an output that does not exist */

static gw_tx_pair *input_of(gw_tx_board *b, unsigned input)
{
    if (input < GW_TX_PORTS)
        return &b->ports[input].tx;
    unsigned link = (input - GW_TX_PORTS) / GW_TX_NUM_VCS;
    return link < b->num_links ? &b->links[link].rx[(input - GW_TX_PORTS) % GW_TX_NUM_VCS] : NULL;
}

/* ---- where to ---- */

/* The faults of a router, laid over what a good one says. */
static void spoil(const gw_tx_board *b, const gw_tx_torus *t, const gw_tx_header *in,
                  gw_tx_hop *hop)
{
    unsigned apart = (t->size_x + in->dest_x - t->me_x) % (t->size_x > 0 ? t->size_x : 1);
    bool bounced = hop->exit == GW_TX_EXIT_LOCAL && hop->header.out_of_lattice != 0;

    if (gw_tx_faulty(b, TX_FAULT_ALWAYS_PLUS) && hop->exit == GW_TX_EXIT_X_MINUS)
        hop->exit = GW_TX_EXIT_X_PLUS;
    if (gw_tx_faulty(b, TX_FAULT_TIE_TO_MINUS) && hop->exit == GW_TX_EXIT_X_PLUS &&
        2 * apart == t->size_x)
        hop->exit = GW_TX_EXIT_X_MINUS;
    if (gw_tx_faulty(b, TX_FAULT_NO_DATELINE))
        hop->header.virt_chan &= GW_TX_LAST;
    if (gw_tx_faulty(b, TX_FAULT_NEVER_LAST))
        hop->header.virt_chan &= GW_TX_VC1;
    if (gw_tx_faulty(b, TX_FAULT_BOUNCE_UNMARKED) && bounced)
        hop->header.out_of_lattice = 0;
    if (gw_tx_faulty(b, TX_FAULT_CHANNEL_KEPT) && hop->exit == GW_TX_EXIT_LOCAL)
        hop->header.virt_chan = in->virt_chan;
    if (gw_tx_faulty(b, TX_FAULT_RESERVED_CLEARED))
        hop->header.reserved = 0;
}

/* The last node of a ring is inside, but not for a mutant. */
static bool is_beyond(const gw_tx_board *b, const gw_tx_torus *t, const gw_tx_header *in)
{
    return gw_tx_faulty(b, TX_FAULT_EDGE_BOUNCES) && t->size_x > 1 && in->dest_x == t->size_x - 1;
}

static void route(const gw_tx_board *b, gw_tx_head *h, const gw_tx_header *in, bool is_injected)
{
    gw_tx_torus torus =
        gw_tx_torus_of(gw_tx_value(b, GW_TX_COORDME_REG), gw_tx_value(b, GW_TX_LATTICESIZE_REG));
    if (is_beyond(b, &torus, in))
        torus.size_x--;
    gw_tx_hop hop = gw_tx_route(&torus, in, is_injected);

    spoil(b, &torus, in, &hop);
    h->header = hop.header;
    if (gw_tx_faulty(b, TX_FAULT_BAD_CHANNEL) && hop.exit != GW_TX_EXIT_LOCAL)
        h->header.virt_chan |= 0x02;
    if (gw_tx_faulty(b, TX_FAULT_CHANNEL_THROUGH) && is_injected &&
        (in->virt_chan & 0xf) >= GW_TX_NUM_VCS && hop.exit != GW_TX_EXIT_LOCAL)
        h->header.virt_chan = in->virt_chan;
    unsigned ports = gw_tx_faulty(b, TX_FAULT_THREE_PORTS) ? 3 : GW_TX_PORTS;
    if (hop.exit == GW_TX_EXIT_LOCAL)
        h->output = hop.port < ports ? hop.port : NOWHERE;
    else /* a node with one link sends everything over it */
        h->output = GW_TX_PORTS + (hop.exit == GW_TX_EXIT_X_MINUS && b->num_links > 1 ? 1U : 0U);
}

static uint32_t words_of(const gw_tx_board *b, uint32_t size)
{
    if (gw_tx_faulty(b, TX_FAULT_ROUNDS_DOWN))
        return size / GW_TX_WORD;
    return gw_tx_words(size, GW_TX_WORD);
}

gw_tx_link *gw_tx_apelink(gw_tx_board *b, unsigned output)
{
    gw_tx_link *l = NULL;

    if (output >= GW_TX_PORTS && output < GW_TX_OUTPUTS)
        l = &b->links[output - GW_TX_PORTS];
    return l != NULL && b->is_node && (!l->connected || !l->stream) ? NULL : l;
}

/* Looks at the packet at the head of |input|; false when none is there as a whole. */
static bool look(gw_tx_board *b, unsigned input, gw_tx_head *h)
{
    gw_tx_pair *from = input_of(b, input);

    if (from == NULL || from->header.ready == 0)
        return false;
    gw_tx_header in = gw_tx_unpack(gw_tx_fifo_at(&from->header, 0), GW_TX_PORT);
    h->from = from;
    h->alone = gw_tx_header_only(&in);
    route(b, h, &in, input < GW_TX_PORTS);
    /* The published transmitter overlooks the bit, and waits for a payload and a footer (sim HO).
     */
    if ((b->d->rtl || (in.packet_size > 0 && gw_tx_faulty(b, TX_FAULT_HEADER_ONLY_DRAGS))) &&
        gw_tx_apelink(b, h->output) != NULL)
        h->alone = false;
    h->words = h->alone ? 0 : words_of(b, in.packet_size);
    return h->alone || (from->header.ready >= 2 && from->data.ready >= h->words);
}

/* ---- whether ---- */

static bool accepts(gw_tx_board *b, const gw_tx_head *h)
{
    const gw_tx_link *l = gw_tx_apelink(b, h->output);

    if (h->output < GW_TX_PORTS)
        return gw_tx_pair_has(&b->ports[h->output].rx, h->words);
    return l == NULL || gw_tx_link_accepts(b, l, h);
}

/* Whether word |i| of a payload is seen to be like MAGIC. */
static bool is_like_magic(const gw_tx_board *b, gw_tx_word word, uint32_t i)
{
    if (gw_tx_faulty(b, TX_FAULT_SENDS_MAGIC) ||
        (i > 0 && gw_tx_faulty(b, TX_FAULT_MAGIC_BEHIND_FIRST)))
        return false;
    return gw_tx_is_magic(word) || (word.lo == GW_TX_MAGIC && gw_tx_faulty(b, TX_FAULT_HALF_MAGIC));
}

/* On a link a word like MAGIC would be taken for one (TX-E15). */
static bool is_unsendable(gw_tx_board *b, const gw_tx_head *h)
{
    if (gw_tx_apelink(b, h->output) == NULL)
        return false;
    for (uint32_t i = 0; i < h->words; i++) {
        if (is_like_magic(b, gw_tx_fifo_at(&h->from->data, i), i))
            return true;
    }
    return !h->alone && gw_tx_is_magic(gw_tx_fifo_at(&h->from->header, 1));
}

/* What can never go must not block its input (TX-S10, TX-S11). The published router lets it. */
static bool is_hopeless(gw_tx_board *b, const gw_tx_head *h)
{
    if (b->d->rtl)
        return false;
    if (h->output == NOWHERE)
        return !gw_tx_faulty(b, TX_FAULT_BAD_PORT_BLOCKS);
    if (is_unsendable(b, h))
        return true;
    bool too_large =
        h->output < GW_TX_PORTS ? h->words > GW_TX_DATA_DEPTH : gw_tx_link_never(b, h->words);
    return too_large && !gw_tx_faulty(b, TX_FAULT_LARGE_BLOCKS);
}

/* ---- going ---- */

void gw_tx_drop(const gw_tx_head *h)
{
    for (uint32_t i = 0; i < h->words; i++)
        (void)gw_tx_fifo_take(&h->from->data);
    if (!h->alone)
        (void)gw_tx_fifo_take(&h->from->header);
}

static void move_to_port(gw_tx_board *b, const gw_tx_head *h)
{
    gw_tx_pair *to = &b->ports[h->output].rx;

    (void)gw_tx_fifo_put(&to->header, gw_tx_pack(&h->header, GW_TX_PORT));
    (void)gw_tx_fifo_take(&h->from->header);
    for (uint32_t i = 0; i < h->words; i++)
        (void)gw_tx_fifo_put(&to->data, gw_tx_fifo_take(&h->from->data));
    if (!h->alone)
        (void)gw_tx_fifo_put(&to->header, gw_tx_fifo_take(&h->from->header));
    gw_tx_pair_commit(to);
}

void gw_tx_move(gw_tx_board *b, const gw_tx_head *h)
{
    gw_tx_link *l = gw_tx_apelink(b, h->output);

    if (h->output < GW_TX_PORTS) {
        move_to_port(b, h);
        return;
    }
    (void)gw_tx_fifo_take(&h->from->header);
    if (l != NULL)
        gw_tx_link_send(b, l, h);
    else
        gw_tx_ethernet_out(b, &b->links[0], h);
}

static bool drop_hopeless(gw_tx_board *b)
{
    bool any = false;
    gw_tx_head h;

    for (unsigned input = 0; input < GW_TX_INPUTS; input++) {
        while (look(b, input, &h) && is_hopeless(b, &h)) {
            (void)gw_tx_fifo_take(&h.from->header);
            gw_tx_drop(&h);
            any = true;
        }
    }
    return any;
}

/* Gives |output| to the next input that has something for it. */
static bool serve(gw_tx_board *b, unsigned output)
{
    gw_tx_head h;

    for (unsigned i = 0; i < GW_TX_INPUTS; i++) {
        unsigned input = (b->next_input[output] + i) % GW_TX_INPUTS;
        if (!look(b, input, &h) || h.output != output || !accepts(b, &h))
            continue;
        gw_tx_mutant_move(b, &h);
        b->next_input[output] = (uint8_t)((input + 1) % GW_TX_INPUTS);
        return true;
    }
    return false;
}

void gw_tx_run(gw_tx_board *b)
{
    bool any = true;

    while (any && !b->stalled) {
        any = gw_tx_generate(b);
        any = drop_hopeless(b) || any;
        for (unsigned output = 0; output < GW_TX_OUTPUTS; output++)
            any = serve(b, output) || any;
        for (unsigned port = 0; port < GW_TX_PORTS; port++)
            any = gw_tx_deliver(b, port) || any;
    }
}
