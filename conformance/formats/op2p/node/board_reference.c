/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference core's own ways with packets (dialect vhdl), as its simulation showed them. */
#include <string.h>

#include "formats/op2p/node/board.h"
#include "goldwire/cursor.h"

#define BUFFER (4 + 256)  /* double words: header and payload */
#define ZERO_MEANS 65536u /* double words that a byte count of 0 stands for (sim S2) */
#define NUM_WORDS (GW_OP2P_NODE_BYTES / 4)

void gw_op2p_reference_policy(gw_op2p_policy *policy)
{
    policy->ends = GW_OP2P_REFERENCE_MAX; /* its beat counter never comes to more (sim S6, S27) */
    policy->damaged &= GW_OP2P_FLAG_SOFT_ERROR | GW_OP2P_FLAG_FRAME_ERROR; /* not RX_REM */
    policy->asked_in_a_row = UINT32_MAX; /* were there a limit, what came before would decide */
    policy->resent = 0xffff;             /* there is one transmit buffer (sim S9), ... */
    policy->stale_reads = true;          /* ... and what it still holds goes out (sim S7) */
    policy->answers_as_asked = true;
    policy->answers_foreign = true;
    policy->answers_errors = true;
    policy->pointers = GW_OP2P_FIFO_DEPTH; /* it watches that FIFO alone, until it is full */
    policy->entries = UINT16_MAX;
    policy->overwrites = true;
    policy->stores_mangled = true;
    policy->cuts_stored_ids = true;
    policy->frees_aliases = true;
}

void gw_op2p_keep(gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    for (size_t i = 0; i < (len + 3) / 4 && i < BUFFER; i++) {
        uint8_t word[4] = {0}; /* a tail of some bytes is taken for a double word */
        memcpy(word, pdu + 4 * i, len - 4 * i < 4 ? len - 4 * i : 4);
        p->seen[i] = gw_load_be32(word);
    }
}

void gw_op2p_stale_words(gw_op2p_node *n, const gw_op2p_port *p, uint32_t address, uint32_t words)
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

bool gw_op2p_reference_packet(gw_op2p_node *n, gw_op2p_port *p, size_t len)
{
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
        gw_op2p_stale_words(n, p, p->seen[1], words_of(dw4 >> 16));
        (void)gw_op2p_push(&p->arrived, p->seen[1]);
        return true;
    case GW_OP2P_COMPLETION: /* status and requests are not looked at (sim S15) */
        if (!mine)
            return len < GW_OP2P_HEADER;
        gw_op2p_stale_words(n, p, p->seen[1], words_of(dw4 >> 16));
        (void)gw_op2p_push(&p->completed, p->seen[1]);
        return true;
    case 15: /* it reads the buffer again as if the packet were a write to address 0 (sim S12) */
        gw_op2p_stale_words(n, p, 0, 1);
        return true;
    default:
        return false;
    }
}

/* ---- link errors ---- */

/* The core decodes a header as soon as it is there, and looks for errors then and when it has
 * written. In a frame as long as this an error at its end comes too late for the first (sim S23).
 */
#define LONG 40 /* bytes of payload */

void gw_op2p_reference_damaged(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    if (len < GW_OP2P_HEADER + LONG)
        return;
    gw_op2p_header h = gw_op2p_get(pdu);
    if (h.type != GW_OP2P_WRITE || (h.dst_id != 0 && h.dst_id != p->local_id))
        return;
    if (n->reference)
        gw_op2p_stale_words(n, p, h.dst_addr, words_of(h.byte_count));
    (void)gw_op2p_push(&p->arrived, h.dst_addr);
}

/* ---- flow control ---- */

/* What is carried out so long before its frame ends has let the partner go on by then. */
#define AHEAD 64 /* bytes */

/* The end of a frame halts the partner, the end of what it called forth lets it go on. When the
 * second comes first, or never, nothing is left that would end the first. */
static bool halts_for_good(const uint8_t *pdu, size_t len)
{
    if (len < GW_OP2P_HEADER)
        return len >= 8 && len < 12; /* seen, and taken for no packet */
    gw_op2p_header h = gw_op2p_get(pdu);
    size_t payload = len - GW_OP2P_HEADER;
    if (h.type > GW_OP2P_COMPLETION)
        return payload > 0 && h.type != GW_OP2P_RETRANSMIT && h.type != 15;
    return h.type != GW_OP2P_READ && payload >= h.byte_count + (size_t)AHEAD;
}

static void let_go_on(gw_op2p_node *n, gw_op2p_port *p)
{
    p->owes_xon = false;
    if (p->forward.count < GW_OP2P_FIFO_DEPTH)
        gw_op2p_port_flow(n, p, false);
}

static void hold_back(gw_op2p_port *p, bool bad, const uint8_t *pdu, size_t len)
{
    if (p->num_early == GW_OP2P_NODE_HELD || len > GW_OP2P_PDU_MAX) {
        p->dropped++;
        return;
    }
    gw_op2p_frame *f = &p->early[p->num_early];
    memcpy(f->bytes, pdu, len);
    f->len = (uint16_t)len;
    p->early_bad[p->num_early++] = bad;
}

/* The end of a frame of one double word comes with its beginning and is missed: the next frame goes
 * on with it (sim, N-01). Says whether there is a frame to take. */
static bool joined(gw_op2p_port *p, const uint8_t **pdu, size_t *len, uint8_t *both)
{
    if (*len <= sizeof(p->begun) && !p->swallows) {
        memset(p->begun, 0, sizeof(p->begun));
        memcpy(p->begun, *pdu, *len);
        p->swallows = true;
        return false;
    }
    if (!p->swallows)
        return true;
    p->swallows = false;
    if (*len > GW_OP2P_PDU_MAX)
        *len = GW_OP2P_PDU_MAX;
    memcpy(both, p->begun, sizeof(p->begun));
    memcpy(both + sizeof(p->begun), *pdu, *len);
    *pdu = both;
    *len += sizeof(p->begun);
    return true;
}

static void take_frame(gw_op2p_node *n, gw_op2p_port *p, bool bad, const uint8_t *pdu, size_t len)
{
    bool stuck = !bad && !p->bare && halts_for_good(pdu, len);
    if (!stuck)
        gw_op2p_port_flow(n, p, true);
    gw_op2p_keep(p, pdu, len);
    if (bad && len == GW_OP2P_HEADER) { /* errors in a header alone go unnoticed (sim S29) */
        p->errors++;
        bad = false;
    }
    if (bad)
        gw_op2p_take_damaged(n, p, pdu, len);
    else
        gw_op2p_port_packet(n, p, pdu, len);
    if (stuck)
        gw_op2p_port_flow(n, p, true);
    else if (p->num_held > 0)
        p->owes_xon = true;
    else
        let_go_on(n, p);
}

void gw_op2p_reference_frame(gw_op2p_node *n, gw_op2p_port *p, bool bad, const uint8_t *pdu,
                             size_t len)
{
    uint8_t both[GW_OP2P_PDU_MAX + sizeof(p->begun)];

    if (!p->bare && (p->we_halted || p->num_held > 0)) /* the partner's link core holds it */
        hold_back(p, bad, pdu, len);
    else if (p->endless) /* nobody looks (sim S24, S27) */
        p->dropped++;
    else if (joined(p, &pdu, &len, both))
        take_frame(n, p, bad, pdu, len);
}

void gw_op2p_reference_goes_on(gw_op2p_node *n, gw_op2p_port *p)
{
    if (p->owes_xon && p->num_held == 0)
        let_go_on(n, p);
    while (p->num_early > 0 && !p->we_halted && p->num_held == 0) {
        gw_op2p_frame first = p->early[0];
        bool bad = p->early_bad[0];
        p->num_early--;
        memmove(&p->early[0], &p->early[1], p->num_early * sizeof(p->early[0]));
        memmove(&p->early_bad[0], &p->early_bad[1], p->num_early * sizeof(p->early_bad[0]));
        gw_op2p_reference_frame(n, p, bad, first.bytes, first.len);
    }
}

/* ---- the transceivers ---- */

#define TRAINING_NS INT64_C(2000000)

void gw_op2p_reset_link(gw_op2p_node *n, gw_op2p_port *p, bool down)
{
    if (down && !p->training)
        gw_op2p_port_tell(n, p, GW_OP2P_KIND_CHANNEL, 0);
    p->training = true;
    p->ready_ns = n->now_ns + TRAINING_NS;
    p->we_halted = false;
    p->owes_xon = false;
    p->swallows = false;
    p->endless = false;
    p->num_early = 0;
}

void gw_op2p_link_ready(gw_op2p_node *n, gw_op2p_port *p)
{
    p->training = false;
    if (p->up)
        gw_op2p_port_tell(n, p, GW_OP2P_KIND_CHANNEL, 3);
}
