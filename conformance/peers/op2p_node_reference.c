/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference core's own ways with packets (dialect vhdl), as its simulation showed them. */
#include <string.h>

#include "goldwire/cursor.h"
#include "op2p_node.h"

#define BUFFER (4 + 256)  /* double words: header and payload */
#define ZERO_MEANS 65536u /* double words that a byte count of 0 stands for (sim S2) */
#define NUM_WORDS (GW_OP2P_NODE_BYTES / 4)

/* The receive buffer keeps what earlier frames left beyond the end of this one. */
static void keep(gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    for (size_t i = 0; i < len / 4 && i < BUFFER; i++)
        p->seen[i] = gw_load_be32(pdu + 4 * i);
}

static void write_seen(gw_op2p_node *n, const gw_op2p_port *p, uint32_t address, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        n->memory[(address / 4 + i) % NUM_WORDS] = p->seen[4 + i % 256];
}

/* Only bits 9:2 of the byte count are looked at; 0 runs through all of them (sim S2). */
static uint32_t words_of(uint32_t count)
{
    uint32_t words = count >> 2 & 0xff;
    return words == 0 ? ZERO_MEANS : words;
}

bool gw_op2p_reference_packet(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    keep(p, pdu, len);
    if (len < 12)
        return true;           /* dropped without a trace */
    uint32_t dw4 = p->seen[3]; /* of a frame of three double words, the last packet's (sim S11) */
    uint8_t type = dw4 >> 12 & 15;
    uint16_t dst = (uint16_t)p->seen[0];
    bool mine = dst == 0 || dst == p->local_id;

    switch (type) {
    case GW_OP2P_WRITE:
        if (!mine)
            return len < GW_OP2P_HEADER;
        if ((dw4 >> 4 & 15) != 15 && words_of(dw4 >> 16) != ZERO_MEANS)
            return false; /* byte enables are done right */
        write_seen(n, p, p->seen[1], words_of(dw4 >> 16));
        (void)gw_op2p_push(&p->arrived, p->seen[1]);
        return true;
    case GW_OP2P_COMPLETION: /* status and requests are not looked at (sim S15) */
        if (!mine)
            return len < GW_OP2P_HEADER;
        write_seen(n, p, p->seen[1], words_of(dw4 >> 16));
        (void)gw_op2p_push(&p->completed, p->seen[1]);
        return true;
    case 15: /* it reads the buffer again as if the packet were a write to address 0 (sim S12) */
        write_seen(n, p, 0, 1);
        return true;
    default:
        return false;
    }
}
