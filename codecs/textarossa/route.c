/* SPDX-License-Identifier: BSD-2-Clause */
/* Dimension-order routing with a dateline, as the published single router does it in a build where
 * X is the only dimension (sim). Y and Z decide only whether a node exists. */
#include "goldwire/textarossa.h"

gw_tx_torus gw_tx_torus_of(uint32_t coordme, uint32_t latticesize)
{
    return (gw_tx_torus){.me_x = coordme & 0x3f,
                         .size_x = latticesize & 0x3f,
                         .size_y = latticesize >> 6 & 0x1f,
                         .size_z = latticesize >> 11 & 0x1f};
}

static bool is_in_lattice(const gw_tx_torus *t, const gw_tx_header *h)
{
    return h->dest_x < t->size_x && h->dest_y < t->size_y && h->dest_z < t->size_z;
}

static gw_tx_hop deliver(const gw_tx_header *h, uint8_t port, bool bounced)
{
    gw_tx_hop hop = {.exit = GW_TX_EXIT_LOCAL, .port = port, .header = *h};

    hop.header.virt_chan = GW_TX_VC0;
    hop.header.out_of_lattice = bounced;
    return hop;
}

/* Whoever injects 0x10 or 0x11 leaves the channel to the router; other values keep theirs for the
 * first hop. */
static bool keeps_channel(const gw_tx_header *h, bool is_injected)
{
    return is_injected && (h->virt_chan & GW_TX_LAST) == 0;
}

gw_tx_hop gw_tx_route(const gw_tx_torus *torus, const gw_tx_header *header, bool is_injected)
{
    unsigned to = header->dest_x, me = torus->me_x, size = torus->size_x;

    if (!is_in_lattice(torus, header))
        return deliver(header, 0, true);
    if (to == me)
        return deliver(header, header->intra_dest, false);
    unsigned hops = to > me ? to - me : (size + to - me) & 0x3f;
    bool to_plus = hops <= size / 2;
    bool wraps = (to > me) != to_plus;
    unsigned apart = to > me ? to - me : me - to;
    bool is_last = apart == 1 || apart == size - 1;
    gw_tx_hop hop = {.exit = to_plus ? GW_TX_EXIT_X_PLUS : GW_TX_EXIT_X_MINUS, .header = *header};

    if (keeps_channel(header, is_injected))
        wraps = header->virt_chan != GW_TX_VC0;
    hop.header.virt_chan = (uint8_t)((wraps ? GW_TX_VC1 : GW_TX_VC0) | (is_last ? GW_TX_LAST : 0));
    return hop;
}
