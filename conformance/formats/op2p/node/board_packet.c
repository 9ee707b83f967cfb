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

void gw_op2p_load(const gw_op2p_node *n, uint8_t *out, uint32_t address, uint32_t len)
{
    for (uint32_t i = 0; i < len / 4; i++)
        gw_store_be(out + (size_t)4 * i, n->memory[(address / 4 + i) % (GW_OP2P_NODE_BYTES / 4)],
                    4);
}

void gw_op2p_write_word(gw_op2p_node *n, uint32_t address, uint32_t value, uint32_t mask)
{
    uint32_t *word = &n->memory[address / 4 % (GW_OP2P_NODE_BYTES / 4)];
    *word = (*word & ~mask) | (value & mask);
}

uint32_t gw_op2p_lanes(uint8_t fbe)
{
    uint32_t mask = 0;
    for (unsigned i = 0; i < 4; i++)
        mask |= (fbe >> i & 1u) != 0 ? UINT32_C(0xff) << 8 * i : 0;
    return mask;
}

void gw_op2p_write_payload(const gw_op2p_job *job)
{
    const gw_op2p_header *h = &job->h;
    const uint8_t *payload = job->pdu + GW_OP2P_HEADER;
    uint32_t words = (uint32_t)(job->len - GW_OP2P_HEADER) / 4;

    for (uint32_t i = 0; i < words; i++) {
        uint32_t mask = i < job->n->policy.fbe_words ? gw_op2p_lanes(h->fbe) : UINT32_MAX;
        gw_op2p_write_word(
            job->n, h->dst_addr + 4 * i, gw_load_be32(payload + (size_t)4 * i),
            gw_op2p_mutant_mask(job->n->mutation->word, (gw_op2p_word){h, i, words, mask}));
    }
}

/* ---- answers ---- */

static gw_op2p_answer answer_to(const gw_op2p_job *job)
{
    const gw_op2p_header *q = &job->h;
    bool as_asked = job->n->policy.answers_as_asked;
    gw_op2p_header h = {.src_id = as_asked ? q->dst_id : job->p->local_id,
                        .dst_id = q->src_id,
                        .dst_addr = q->src_addr,
                        .src_addr = q->dst_addr,
                        .type = GW_OP2P_COMPLETION,
                        .fbe = q->fbe};
    return (gw_op2p_answer){.job = job, .h = h, .times = 1};
}

static void send_answer(gw_op2p_answer *a)
{
    gw_op2p_node *n = a->job->n;
    uint8_t pdu[GW_OP2P_PDU_MAX];

    gw_op2p_mutant_answer(a);
    gw_op2p_put(pdu, &a->h);
    gw_op2p_load(n, pdu + GW_OP2P_HEADER, a->job->h.dst_addr, a->len);
    for (unsigned i = 0; i < a->times; i++)
        gw_op2p_port_send(n, a->job->p, pdu, GW_OP2P_HEADER + a->len);
}

void gw_op2p_send_completion(const gw_op2p_job *job, uint16_t count)
{
    gw_op2p_answer a = answer_to(job);

    a.h.byte_count = count;
    a.len = count < GW_OP2P_PAYLOAD_MAX ? count : GW_OP2P_PAYLOAD_MAX;
    send_answer(&a);
}

void gw_op2p_send_error(const gw_op2p_job *job)
{
    gw_op2p_answer a = answer_to(job);

    a.h.status = GW_OP2P_UNKNOWN_ERROR;
    if (job->n->reference) { /* sim S8 */
        a.h.byte_count = job->h.byte_count;
        a.h.type = job->h.type == 3 ? 4 : GW_OP2P_COMPLETION;
    }
    send_answer(&a);
}

/* ---- what comes in ---- */

/* Whether a write or completion is as long as it says, and says what is allowed. */
static bool is_sized(const gw_op2p_job *job)
{
    const gw_op2p_policy *policy = &job->n->policy;
    uint16_t count = job->h.byte_count;
    bool legal = count >= policy->least && count <= policy->most && count % 4 == 0;

    return legal && (job->len == (size_t)GW_OP2P_HEADER + count || policy->any_length);
}

static bool is_placed(const gw_op2p_job *job, size_t len)
{
    return job->n->policy.wraps || gw_op2p_in_memory(job->h.dst_addr & ~UINT32_C(3), (uint32_t)len);
}

static bool take_write(const gw_op2p_job *job)
{
    const gw_op2p_header *h = &job->h;

    if (h->status != 0 || h->fbe == 0 || !is_sized(job) ||
        !is_placed(job, job->len - GW_OP2P_HEADER))
        return false;
    gw_op2p_write_payload(job);
    (void)gw_op2p_push(&job->p->arrived, h->dst_addr);
    return true;
}

static bool take_read(const gw_op2p_job *job)
{
    const gw_op2p_policy *policy = &job->n->policy;
    const gw_op2p_header *h = &job->h;
    uint16_t count = h->byte_count < 4 ? 4 : h->byte_count;

    if (job->n->reference) /* it looks at bits 9:2 only, and sends a bare header without (sim S4) */
        count = h->byte_count & 0x3fc;
    else if (h->status != 0 || h->fbe == 0 || h->byte_count < policy->least_read ||
             count > policy->most_read || count % 4 != 0 || !is_placed(job, count) ||
             job->len > (size_t)GW_OP2P_HEADER + policy->trailing)
        return false;
    gw_op2p_send_completion(job, count);
    return true;
}

/* The outstanding request that a completion answers; -1: none (OP-E17). */
static int find_request(const gw_op2p_job *job)
{
    const gw_op2p_port *p = job->p;
    const gw_op2p_header *h = &job->h;

    for (unsigned i = 0; i < p->num_outstanding; i++) {
        const gw_op2p_header *q = &p->outstanding[i];
        bool anybody = (q->dst_id == 0 || h->src_id == 0) && !job->n->policy.same_id;
        bool size = h->status != 0 || h->byte_count == q->byte_count;
        if (q->src_addr == h->dst_addr && (anybody || h->src_id == q->dst_id) && size)
            return (int)i;
    }
    return -1;
}

static bool take_completion(const gw_op2p_job *job)
{
    gw_op2p_port *p = job->p;
    const gw_op2p_header *h = &job->h;
    int i = find_request(job);

    if (i < 0 && !job->n->policy.unsolicited)
        return false;
    if (h->status == 0 && (!is_sized(job) || !is_placed(job, job->len - GW_OP2P_HEADER)))
        return false;
    if (i >= 0) {
        p->num_outstanding--;
        memmove(&p->outstanding[i], &p->outstanding[i + 1],
                (p->num_outstanding - (unsigned)i) * sizeof(p->outstanding[0]));
    }
    if (h->status == 0) {
        gw_op2p_write_payload(job);
        (void)gw_op2p_push(&p->completed, h->dst_addr);
    }
    return true;
}

static void resend(const gw_op2p_job *job)
{
    gw_op2p_frame again = job->p->last;

    if (job->n->reference) /* as much of its buffer as the request says (sim S22) */
        again.len = (uint16_t)(GW_OP2P_HEADER + (job->h.byte_count & 0x3fc));
    if (again.len > 0)
        gw_op2p_port_send(job->n, job->p, again.bytes, again.len);
}

static bool take_reserved(const gw_op2p_job *job)
{
    const gw_op2p_policy *policy = &job->n->policy;
    bool error = job->h.status != 0 || job->h.type == 4;

    if ((!job->mine && !policy->answers_foreign) || (error && !policy->answers_errors))
        return false;
    gw_op2p_send_error(job);
    return true;
}

bool gw_op2p_take_packet(const gw_op2p_job *job)
{
    const gw_op2p_header *h = &job->h;

    if (h->type == GW_OP2P_RETRANSMIT) {
        resend(job);
        return true;
    }
    if (job->mine && gw_op2p_is_of(h->type, job->n->policy.writes))
        return take_write(job);
    if (h->type > GW_OP2P_COMPLETION)
        return take_reserved(job);
    if (job->mine)
        return h->type == GW_OP2P_READ ? take_read(job) : take_completion(job);
    if (h->dst_id == 0)
        return false;
    bool read = h->type == GW_OP2P_READ;
    gw_op2p_forward(job->n, job->p, job->pdu, read ? (size_t)GW_OP2P_HEADER : job->len);
    return true;
}

static bool is_mine(const gw_op2p_node *n, const gw_op2p_port *p, const gw_op2p_header *h)
{
    uint16_t types = h->dst_id == 0             ? n->policy.for_id_0
                     : h->dst_id == p->local_id ? n->policy.for_us
                                                : n->policy.for_others;
    return gw_op2p_is_of(h->type, types);
}

void gw_op2p_port_packet(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    if (n->reference) {
        gw_op2p_reference_packet(n, p, len);
        return;
    }
    if (len < GW_OP2P_HEADER || len % 4 != 0 || len > n->policy.longest) {
        p->dropped++;
        return;
    }
    gw_op2p_job job = {.n = n, .p = p, .h = gw_op2p_get(pdu), .pdu = pdu, .len = len};
    job.mine = is_mine(n, p, &job.h);
    p->dropped += !gw_op2p_mutant_packet(&job);
}
