/* SPDX-License-Identifier: BSD-2-Clause */
/* The forwarding pool: 512 entries of 2 KiB for packets on their way to other nodes. */
#include "formats/op2p/node/board.h"
#include "goldwire/cursor.h"

/* The pointer FIFO can fill before the pool does; either halts the partner in time. */
#define ALMOST_FULL (GW_OP2P_FIFO_DEPTH - 1)

static bool taken(const gw_op2p_port *p, unsigned entry)
{
    return (p->pool[entry / 8] >> entry % 8 & 1) != 0;
}

static unsigned lowest_free(const gw_op2p_port *p)
{
    unsigned entry = 0;
    while (entry < GW_OP2P_POOL_ENTRIES && taken(p, entry))
        entry++;
    return entry;
}

static bool almost_full(const gw_op2p_node *n, const gw_op2p_port *p)
{
    if (n->reference) /* it watches that FIFO alone, until it is full */
        return p->forward.count == GW_OP2P_FIFO_DEPTH;
    if (p->forward.count >= ALMOST_FULL && !gw_op2p_faulty(n, OP2P_FAULT_POINTERS_UNWATCHED))
        return true;
    return lowest_free(p) >= GW_OP2P_POOL_ENTRIES - 1 &&
           !gw_op2p_faulty(n, OP2P_FAULT_POOL_OVERWRITES);
}

void gw_op2p_relieve(gw_op2p_node *n, gw_op2p_port *p)
{
    if (!almost_full(n, p) && !n->reference)
        gw_op2p_port_flow(n, p, false);
}

static uint32_t entry_size(const gw_op2p_node *n)
{
    return gw_op2p_faulty(n, OP2P_FAULT_ENTRY_SIZE) ? 1024 : GW_OP2P_POOL_ENTRY;
}

void gw_op2p_forward(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    gw_op2p_header h = gw_op2p_get(pdu);
    unsigned entry = lowest_free(p);
    bool fits = gw_op2p_has_payload(&h) ? len == (size_t)GW_OP2P_HEADER + h.byte_count
                                        : len == GW_OP2P_HEADER;

    if (n->reference || gw_op2p_faulty(n, OP2P_FAULT_STORES_MANGLED) ||
        (h.dst_id == 0 && gw_op2p_faulty(n, OP2P_FAULT_FORWARDS_REFUSED)))
        fits = len <= GW_OP2P_PDU_MAX;
    if (entry == GW_OP2P_POOL_ENTRIES &&
        (n->reference || gw_op2p_faulty(n, OP2P_FAULT_POOL_OVERWRITES)))
        entry--; /* sim S21 */
    uint32_t at = p->base + entry * entry_size(n);
    if (!fits || p->spoilt || entry == GW_OP2P_POOL_ENTRIES ||
        !gw_op2p_in_memory(at, GW_OP2P_POOL_ENTRY) || p->forward.count == GW_OP2P_FIFO_DEPTH) {
        p->dropped++;
        return;
    }
    if (gw_op2p_faulty(n, OP2P_FAULT_FORWARDS_HEADERS))
        len = GW_OP2P_HEADER;
    for (size_t i = 0; i < len / 4; i++) {
        uint32_t *word = &n->memory[at / 4 + i];
        uint32_t value = gw_load_be32(pdu + 4 * i);
        /* The byte enable of the packet is applied to the stored header (sim S10). */
        if (i == 0 && h.fbe != 15 &&
            (n->reference || gw_op2p_faulty(n, OP2P_FAULT_CUTS_STORED_HEADER)))
            value = (*word & ~UINT32_C(0xff)) | (value & 0xff);
        if (i == 0 && !gw_op2p_fbe_known(h.fbe) && gw_op2p_faulty(n, OP2P_FAULT_ODD_FBE_CUTS))
            value = *word;
        *word = value;
    }
    if (!p->freed_twice)
        p->pool[entry / 8] |= (uint8_t)(1u << entry % 8);
    p->freed_twice = false;
    (void)gw_op2p_push(&p->forward, at);
    if (almost_full(n, p))
        gw_op2p_port_flow(n, p, true);
}

void gw_op2p_free(gw_op2p_node *n, gw_op2p_port *p, uint32_t address)
{
    uint32_t offset = address - p->base;
    bool aliases = n->reference || gw_op2p_faulty(n, OP2P_FAULT_FREES_ALIASES);

    if (!aliases &&
        (offset % GW_OP2P_POOL_ENTRY != 0 || offset / GW_OP2P_POOL_ENTRY >= GW_OP2P_POOL_ENTRIES))
        return;
    offset += gw_op2p_faulty(n, OP2P_FAULT_FREES_NEXT) ? GW_OP2P_POOL_ENTRY : 0;
    unsigned entry = offset / GW_OP2P_POOL_ENTRY % GW_OP2P_POOL_ENTRIES;
    p->freed_twice = !taken(p, entry) && gw_op2p_faulty(n, OP2P_FAULT_FREES_TWICE);
    if (!taken(p, entry) && gw_op2p_faulty(n, OP2P_FAULT_FREES_TOGGLE))
        p->pool[entry / 8] |= (uint8_t)(1u << entry % 8);
    else
        p->pool[entry / 8] &= (uint8_t) ~(1u << entry % 8);
    gw_op2p_relieve(n, p);
}
