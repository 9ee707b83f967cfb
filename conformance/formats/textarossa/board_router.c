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

static void route(const gw_tx_board *b, gw_tx_head *h, const gw_tx_header *in, bool is_injected)
{
    gw_tx_torus torus =
        gw_tx_torus_of(gw_tx_value(b, GW_TX_COORDME_REG), gw_tx_value(b, GW_TX_LATTICESIZE_REG));
    gw_tx_way way = {torus, in, is_injected, gw_tx_route(&torus, in, is_injected)};

    gw_tx_mutant_hop(b, &way);
    h->header = way.hop.header;
    if (way.hop.exit == GW_TX_EXIT_LOCAL)
        h->output = way.hop.port < b->policy.ports ? way.hop.port : NOWHERE;
    else /* a node with one link sends everything over it */
        h->output =
            GW_TX_PORTS + (way.hop.exit == GW_TX_EXIT_X_MINUS && b->num_links > 1 ? 1U : 0U);
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
    if (in.packet_size >= b->policy.drags && gw_tx_apelink(b, h->output) != NULL)
        h->alone = false;
    h->words = h->alone ? 0 : (in.packet_size + b->policy.rounding) / GW_TX_WORD;
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

/* On a link a word like MAGIC would be taken for one (TX-E15). */
static bool is_unsendable(gw_tx_board *b, const gw_tx_head *h)
{
    if (gw_tx_apelink(b, h->output) == NULL)
        return false;
    for (uint32_t i = 0; i < h->words && i < b->policy.looked_at; i++) {
        gw_tx_word word = gw_tx_fifo_at(&h->from->data, i);
        if (gw_tx_is_magic(word) || (word.lo == GW_TX_MAGIC && b->policy.half_magic))
            return true;
    }
    return !h->alone && gw_tx_is_magic(gw_tx_fifo_at(&h->from->header, 1));
}

/* What can never go must not block its input (TX-S10, TX-S11). The published router lets it. */
static bool is_hopeless(gw_tx_board *b, const gw_tx_head *h)
{
    unsigned dropped = b->policy.dropped;

    if (h->output == NOWHERE)
        return (dropped & GW_TX_NO_PORT) != 0;
    if ((dropped & GW_TX_UNSENDABLE) != 0 && is_unsendable(b, h))
        return true;
    bool too_large =
        h->output < GW_TX_PORTS ? h->words > GW_TX_DATA_DEPTH : gw_tx_link_never(b, h->words);
    return too_large && (dropped & GW_TX_TOO_LARGE) != 0;
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
