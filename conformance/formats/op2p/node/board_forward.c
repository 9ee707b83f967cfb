/* SPDX-License-Identifier: BSD-2-Clause */
/* The forwarding pool: 512 entries of 2 KiB for packets on their way to other nodes. */
#include "formats/op2p/node/board.h"
#include "goldwire/cursor.h"

bool gw_op2p_entry_in_use(const gw_op2p_port *p, unsigned entry)
{
    return (p->pool[entry / 8] >> entry % 8 & 1) != 0;
}

void gw_op2p_mark(gw_op2p_port *p, unsigned entry, bool taken)
{
    uint8_t bit = (uint8_t)(1u << entry % 8);
    p->pool[entry / 8] = (uint8_t)((p->pool[entry / 8] & ~bit) | (taken ? bit : 0));
}

int gw_op2p_entry_at(const gw_op2p_port *p, uint32_t address)
{
    uint32_t offset = address - p->base;
    bool inside = offset / GW_OP2P_POOL_ENTRY < GW_OP2P_NODE_ENTRIES;
    return inside && offset % GW_OP2P_POOL_ENTRY == 0 ? (int)(offset / GW_OP2P_POOL_ENTRY) : -1;
}

static unsigned lowest_free(const gw_op2p_port *p)
{
    unsigned entry = 0;
    while (entry < GW_OP2P_NODE_ENTRIES && gw_op2p_entry_in_use(p, entry))
        entry++;
    return entry;
}

/* The pointer FIFO can fill before the pool does; either halts the partner in time. */
static bool almost_full(const gw_op2p_node *n, const gw_op2p_port *p)
{
    return p->forward.count >= n->policy.pointers || lowest_free(p) >= n->policy.entries;
}

void gw_op2p_relieve(gw_op2p_node *n, gw_op2p_port *p)
{
    if (!almost_full(n, p) && !n->reference)
        gw_op2p_port_flow(n, p, false);
}

void gw_op2p_store_packet(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    gw_op2p_header h = gw_op2p_get(pdu);
    unsigned entry = lowest_free(p);
    uint32_t words = (uint32_t)(len < n->policy.stored ? len : n->policy.stored) / 4;

    if (entry == GW_OP2P_NODE_ENTRIES && n->policy.overwrites)
        entry--; /* sim S21 */
    uint32_t at = p->base + entry * n->policy.entry_size;
    if (entry == GW_OP2P_NODE_ENTRIES || !gw_op2p_in_memory(at, GW_OP2P_POOL_ENTRY) ||
        p->forward.count == p->forward.depth) {
        p->dropped++;
        return;
    }
    for (uint32_t i = 0; i < words; i++) {
        bool cut = i == 0 && n->policy.cuts_stored_ids; /* sim S10 */
        gw_op2p_word word = {&h, i, words, cut ? gw_op2p_lanes(h.fbe) : UINT32_MAX};
        gw_op2p_write_word(n, at + 4 * i, gw_load_be32(pdu + (size_t)4 * i),
                           gw_op2p_mutant_mask(n->mutation->entry, word));
    }
    gw_op2p_mark(p, entry, true);
    (void)gw_op2p_push(&p->forward, at);
    if (almost_full(n, p))
        gw_op2p_port_flow(n, p, true);
}

void gw_op2p_forward(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    gw_op2p_header h = gw_op2p_get(pdu);
    size_t whole = GW_OP2P_HEADER + (gw_op2p_has_payload(&h) ? (size_t)h.byte_count : 0);

    if (len <= GW_OP2P_PDU_MAX && (len == whole || n->policy.stores_mangled))
        gw_op2p_store_packet(n, p, pdu, len);
    else
        p->dropped++;
}

void gw_op2p_free(gw_op2p_node *n, gw_op2p_port *p, uint32_t address)
{
    uint32_t nearest = (address - p->base) / GW_OP2P_POOL_ENTRY % GW_OP2P_NODE_ENTRIES;
    int entry = n->policy.frees_aliases ? (int)nearest : gw_op2p_entry_at(p, address);

    if (entry < 0)
        return;
    gw_op2p_mark(p, (unsigned)entry, false);
    gw_op2p_relieve(n, p);
}
