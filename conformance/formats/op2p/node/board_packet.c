/* SPDX-License-Identifier: BSD-2-Clause */
/* What a node does with a packet that came whole. */
#include <string.h>

#include "formats/op2p/node/board.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

bool gw_op2p_in_memory(uint32_t address, uint32_t len)
{
    return address < GW_OP2P_NODE_BYTES && len <= GW_OP2P_NODE_BYTES - address;
}

/* The lanes of the first double word of |h| that are enabled: bit 0 is data bits 7:0. */
static uint32_t lanes(const gw_op2p_node *n, const gw_op2p_header *h)
{
    uint8_t fbe = h->fbe;
    uint32_t mask = 0;

    if (fbe == 0 && gw_op2p_faulty(n, OP2P_FAULT_FBE_0_IS_FULL))
        fbe = 15;
    if (h->dst_addr % 4 != 0 && gw_op2p_faulty(n, OP2P_FAULT_LOW_BITS_PICK))
        fbe = (uint8_t)(1u << h->dst_addr % 4);
    for (unsigned i = 0; i < 4; i++) {
        unsigned lane = gw_op2p_faulty(n, OP2P_FAULT_MIRRORED_LANES) ? 3 - i : i;
        mask |= (fbe >> i & 1u) != 0 ? UINT32_C(0xff) << 8 * lane : 0;
    }
    return mask;
}

void gw_op2p_write_word(gw_op2p_node *n, uint32_t address, uint32_t value, uint32_t mask)
{
    uint32_t *word = &n->memory[address / 4 % (GW_OP2P_NODE_BYTES / 4)];
    *word = (*word & ~mask) | (value & mask);
}

static void write_payload(gw_op2p_node *n, const gw_op2p_header *h, const uint8_t *payload,
                          uint32_t len)
{
    bool odd = !gw_op2p_fbe_known(h->fbe) && gw_op2p_faulty(n, OP2P_FAULT_ODD_FBE_EVERYWHERE);
    uint32_t words = len / 4;

    if (words > 4 && words % 4 == 1 && gw_op2p_faulty(n, OP2P_FAULT_LOSES_LONE_WORD))
        words--;
    for (uint32_t i = 0; i < words; i++) {
        bool cut = i == 0 || odd || gw_op2p_faulty(n, OP2P_FAULT_FBE_EVERYWHERE);
        gw_op2p_write_word(n, (h->dst_addr & ~UINT32_C(3)) + 4 * i,
                           gw_load_be32(payload + (size_t)4 * i), cut ? lanes(n, h) : UINT32_MAX);
    }
    if (gw_op2p_faulty(n, OP2P_FAULT_WRITES_ONE_MORE))
        gw_op2p_write_word(n, (h->dst_addr & ~UINT32_C(3)) + len, 0, UINT32_MAX);
}

/* ---- answers ---- */

static gw_op2p_answer answer_to(gw_op2p_node *n, gw_op2p_port *p, const gw_op2p_header *q)
{
    gw_op2p_header h = {.src_id = n->policy.answers_as_asked ? q->dst_id : p->local_id,
                        .dst_id = q->src_id,
                        .dst_addr = q->src_addr,
                        .src_addr = q->dst_addr,
                        .type = GW_OP2P_COMPLETION,
                        .fbe = q->fbe};
    return (gw_op2p_answer){.n = n, .p = p, .question = q, .h = h, .times = 1};
}

static void send_answer(gw_op2p_answer *a)
{
    uint8_t pdu[GW_OP2P_PDU_MAX];

    gw_op2p_mutant_answer(a);
    gw_op2p_put(pdu, &a->h);
    gw_op2p_load(a->n, pdu + GW_OP2P_HEADER, a->question->dst_addr, a->len);
    for (unsigned i = 0; i < a->times; i++)
        gw_op2p_port_send(a->n, a->p, pdu, GW_OP2P_HEADER + a->len);
}

static void send_completion(gw_op2p_node *n, gw_op2p_port *p, const gw_op2p_header *q,
                            uint16_t count, size_t asked)
{
    gw_op2p_answer a = answer_to(n, p, q);

    a.h.byte_count = count;
    a.len = count < GW_OP2P_PAYLOAD_MAX ? count : GW_OP2P_PAYLOAD_MAX;
    a.asked = asked;
    send_answer(&a);
}

static void send_error(gw_op2p_node *n, gw_op2p_port *p, const gw_op2p_header *q)
{
    gw_op2p_answer a = answer_to(n, p, q);

    a.h.status = GW_OP2P_UNKNOWN_ERROR;
    if (n->reference) { /* sim S8 */
        a.h.byte_count = q->byte_count;
        a.h.type = q->type == 3 ? 4 : GW_OP2P_COMPLETION;
    }
    send_answer(&a);
}

/* ---- what comes in ---- */

/* Whether a write or completion is as long as it says, and says what is allowed. */
static bool sized(const gw_op2p_node *n, const gw_op2p_header *h, size_t payload)
{
    if (h->byte_count == 0)
        return gw_op2p_faulty(n, OP2P_FAULT_ZERO_IS_MUCH);
    if (h->byte_count < 4)
        return payload == 4 && gw_op2p_faulty(n, OP2P_FAULT_TAKES_BYTES);
    if (h->byte_count % 4 != 0)
        return payload / 4 == (h->byte_count + 3u) / 4 && gw_op2p_faulty(n, OP2P_FAULT_ROUNDS_UP);
    if (h->byte_count > GW_OP2P_PAYLOAD_MAX)
        return gw_op2p_faulty(n, OP2P_FAULT_TAKES_TOO_MUCH);
    if (h->byte_count > GW_OP2P_REFERENCE_MAX && gw_op2p_faulty(n, OP2P_FAULT_REFUSES_LARGEST))
        return false;
    return payload == h->byte_count || gw_op2p_faulty(n, OP2P_FAULT_EXECUTES_SHORT);
}

static bool placed(const gw_op2p_node *n, uint32_t address, uint32_t len)
{
    return gw_op2p_in_memory(address & ~UINT32_C(3), len) || gw_op2p_faulty(n, OP2P_FAULT_WRAPS);
}

static bool take_write(gw_op2p_node *n, gw_op2p_port *p, const gw_op2p_header *h,
                       const uint8_t *payload, size_t len)
{
    bool enabled = h->fbe != 0 || gw_op2p_faulty(n, OP2P_FAULT_FBE_0_IS_FULL);

    if (h->status != 0 || !enabled || !sized(n, h, len) || !placed(n, h->dst_addr, (uint32_t)len))
        return false;
    write_payload(n, h, payload, (uint32_t)len);
    if (p->sticky)
        gw_op2p_write_word(n, (h->dst_addr & ~UINT32_C(3)) + h->byte_count, 0, UINT32_MAX);
    p->sticky = h->byte_count >= 1000 && gw_op2p_faulty(n, OP2P_FAULT_STICKY_SIZE);
    if (!gw_op2p_faulty(n, OP2P_FAULT_NO_ARRIVAL))
        (void)gw_op2p_push(&p->arrived, h->dst_addr);
    if (gw_op2p_faulty(n, OP2P_FAULT_ANSWERS_WRITES))
        send_completion(n, p, h, 4, 0);
    return true;
}

static bool take_read(gw_op2p_node *n, gw_op2p_port *p, const gw_op2p_header *h,
                      const uint8_t *payload, size_t len)
{
    bool few = h->byte_count >= 1 && h->byte_count <= 3;
    uint16_t count = few ? 4 : h->byte_count;

    if (n->reference) { /* it looks at bits 9:2 only; without any it sends a bare header (sim S4) */
        send_completion(n, p, h, h->byte_count & 0x3fc, 0);
        return true;
    }
    if (h->status != 0 || h->fbe == 0 || count == 0 || count % 4 != 0 ||
        count > n->policy.answered || !placed(n, h->dst_addr, count))
        return false;
    if ((few && gw_op2p_faulty(n, OP2P_FAULT_REFUSES_BYTES)) ||
        (len > 0 && gw_op2p_faulty(n, OP2P_FAULT_REFUSES_TRAILING)))
        return false;
    if (gw_op2p_faulty(n, OP2P_FAULT_WRITES_TRAILING))
        write_payload(n, h, payload, (uint32_t)len);
    send_completion(n, p, h, count, len);
    return true;
}

/* The outstanding request that a completion answers; -1: none (OP-E17). */
static int find_request(const gw_op2p_node *n, const gw_op2p_port *p, const gw_op2p_header *h)
{
    for (unsigned i = 0; i < p->num_outstanding; i++) {
        const gw_op2p_header *q = &p->outstanding[i];
        bool from = h->src_id == q->dst_id || ((q->dst_id == 0 || h->src_id == 0) &&
                                               !gw_op2p_faulty(n, OP2P_FAULT_WANTS_ID_0));
        bool size = h->status != 0 || h->byte_count == q->byte_count;
        if (q->src_addr == h->dst_addr && from && size)
            return (int)i;
    }
    return -1;
}

static bool take_completion(gw_op2p_node *n, gw_op2p_port *p, const gw_op2p_header *h,
                            const uint8_t *payload, size_t len)
{
    int i = find_request(n, p, h);

    if (i < 0 && !gw_op2p_faulty(n, OP2P_FAULT_TAKES_UNSOLICITED))
        return false;
    if (h->status == 0 && (!sized(n, h, len) || !placed(n, h->dst_addr, (uint32_t)len)))
        return false;
    if (i >= 0) {
        p->num_outstanding--;
        memmove(&p->outstanding[i], &p->outstanding[i + 1],
                (p->num_outstanding - (unsigned)i) * sizeof(p->outstanding[0]));
    }
    if (h->status != 0) {
        if (gw_op2p_faulty(n, OP2P_FAULT_WRITES_ON_ERROR) && placed(n, h->dst_addr, 4))
            gw_op2p_write_word(n, h->dst_addr, 0, UINT32_MAX);
        if (gw_op2p_faulty(n, OP2P_FAULT_STALE_ON_ERROR)) /* sim S15 */
            gw_op2p_stale_words(n, p, h->dst_addr, 4);
        return true;
    }
    if (!gw_op2p_faulty(n, OP2P_FAULT_COMPLETES_WITHOUT_DATA))
        write_payload(n, h, payload, (uint32_t)len);
    if (!gw_op2p_faulty(n, OP2P_FAULT_NO_ARRIVAL))
        (void)gw_op2p_push(&p->completed, h->dst_addr);
    return true;
}

static void resend(gw_op2p_node *n, gw_op2p_port *p, const gw_op2p_header *h)
{
    gw_op2p_frame again = p->last;

    if (n->reference) { /* as much of its buffer as the request says (sim S22) */
        gw_op2p_port_send(n, p, again.bytes, GW_OP2P_HEADER + (h->byte_count & 0x3fcu));
        return;
    }

    if (again.len == 0)
        return;
    if (gw_op2p_faulty(n, OP2P_FAULT_RESENDS_CHANGED))
        again.bytes[7] ^= 4;
    /* The request says how much (sim S22). */
    if (gw_op2p_faulty(n, OP2P_FAULT_RESENDS_AS_ASKED) &&
        again.len > GW_OP2P_HEADER + h->byte_count)
        again.len = (uint16_t)(GW_OP2P_HEADER + h->byte_count);
    gw_op2p_port_send(n, p, again.bytes, again.len);
}

static bool take_reserved(gw_op2p_node *n, gw_op2p_port *p, const gw_op2p_header *h,
                          const uint8_t *payload, size_t len, bool mine)
{
    /* Once it was to be a write (vhdl 1510). */
    if (h->type == 5 && mine && gw_op2p_faulty(n, OP2P_FAULT_TYPE_5_WRITES))
        return take_write(n, p, h, payload, len);
    if (h->type == 15 && mine && gw_op2p_faulty(n, OP2P_FAULT_TYPE_15_WRITES) &&
        placed(n, h->dst_addr, 4)) {
        gw_op2p_write_word(n, h->dst_addr, h->src_addr, UINT32_MAX);
        return true;
    }
    if (!mine && !n->reference && !gw_op2p_faulty(n, OP2P_FAULT_ANSWERS_FOREIGN))
        return false;
    if ((h->status != 0 || h->type == 4) && !n->reference &&
        !gw_op2p_faulty(n, OP2P_FAULT_ANSWERS_ERRORS))
        return false;
    send_error(n, p, h);
    return true;
}

static bool is_mine(const gw_op2p_node *n, const gw_op2p_port *p, const gw_op2p_header *h)
{
    if (h->dst_id == 0)
        return !gw_op2p_faulty(n, OP2P_FAULT_IGNORES_ID_0);
    if (h->type == GW_OP2P_WRITE && gw_op2p_faulty(n, OP2P_FAULT_FORWARDS_OWN_WRITES))
        return false;
    if (h->rfu != 0 && gw_op2p_faulty(n, OP2P_FAULT_EXECUTES_FOREIGN_RFU))
        return true;
    return h->dst_id == p->local_id || gw_op2p_faulty(n, OP2P_FAULT_EXECUTES_FOREIGN);
}

static bool take_packet(gw_op2p_node *n, gw_op2p_port *p, const gw_op2p_header *h,
                        const uint8_t *pdu, size_t len)
{
    const uint8_t *payload = pdu + GW_OP2P_HEADER;
    size_t payload_len = len - GW_OP2P_HEADER;
    bool mine = is_mine(n, p, h);

    if (h->type == GW_OP2P_RETRANSMIT) {
        if (gw_op2p_faulty(n, OP2P_FAULT_ASKS_BACK))
            gw_op2p_ask_again(n, p, pdu, len);
        else
            resend(n, p, h);
        if (gw_op2p_faulty(n, OP2P_FAULT_COMPLAINS_OF_REQUESTS))
            send_error(n, p, h);
        if (gw_op2p_faulty(n, OP2P_FAULT_STORES_REQUESTS))
            gw_op2p_forward(n, p, pdu, GW_OP2P_HEADER);
        return true;
    }
    if (h->type > GW_OP2P_COMPLETION)
        return take_reserved(n, p, h, payload, payload_len, mine);
    if (!mine && h->dst_id == 0)
        return false;
    if (!mine) {
        gw_op2p_forward(n, p, pdu, h->type == GW_OP2P_READ ? (size_t)GW_OP2P_HEADER : len);
        return true;
    }
    if (h->dst_id == 0 && gw_op2p_faulty(n, OP2P_FAULT_FORWARDS_ID_0))
        gw_op2p_forward(n, p, pdu, len);
    switch (h->type) {
    case GW_OP2P_WRITE:
        return take_write(n, p, h, payload, payload_len);
    case GW_OP2P_READ:
        return take_read(n, p, h, payload, payload_len);
    default:
        return take_completion(n, p, h, payload, payload_len);
    }
}

/* What mutants make of a packet that is refused. */
static void refused(gw_op2p_node *n, gw_op2p_port *p, const gw_op2p_header *h, const uint8_t *pdu,
                    size_t len)
{
    bool write = h->type == GW_OP2P_WRITE && is_mine(n, p, h);

    p->dropped++;
    if (write && gw_op2p_faulty(n, OP2P_FAULT_COMPLAINS_OF_WRITES))
        send_error(n, p, h);
    if (write && gw_op2p_faulty(n, OP2P_FAULT_TELLS_REFUSED))
        (void)gw_op2p_push(&p->arrived, h->dst_addr);
    if (write && h->byte_count > GW_OP2P_PAYLOAD_MAX &&
        gw_op2p_faulty(n, OP2P_FAULT_STICKY_REFUSED))
        p->sticky = true;
    if (write && h->dst_id == 0 && gw_op2p_faulty(n, OP2P_FAULT_FORWARDS_REFUSED))
        gw_op2p_forward(n, p, pdu, len);
}

void gw_op2p_port_packet(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    if (n->reference && gw_op2p_reference_packet(n, p, len))
        return;
    if (len < GW_OP2P_HEADER || len % 4 != 0 ||
        (len > GW_OP2P_PDU_MAX && !gw_op2p_faulty(n, OP2P_FAULT_TAKES_TOO_MUCH))) {
        p->dropped++;
        return;
    }
    gw_op2p_header h = gw_op2p_get(pdu);
    if (!take_packet(n, p, &h, pdu, len))
        refused(n, p, &h, pdu, len);
}
