/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants make of packets that came whole, and what they write of them. */
#include "formats/op2p/node/mutants/mutants.h"

bool gw_op2p_mutant_packet(gw_op2p_job *job)
{
    const gw_op2p_mutation *m = job->n->mutation;

    if (m->packet != NULL && !m->packet(job))
        return false;
    bool taken = gw_op2p_take_packet(job);
    if (m->after.then != NULL && taken != m->after.refused && job->mine &&
        gw_op2p_is_of(job->h.type, m->after.types))
        m->after.then(job);
    return taken;
}

static bool is_retransmit(const gw_op2p_job *job)
{
    return job->h.type == GW_OP2P_RETRANSMIT;
}

/* ---- before the good board sees them ---- */

bool gw_op2p_m_executes_foreign_rfu(gw_op2p_job *job)
{
    job->mine = job->mine || job->h.rfu != 0;
    return true;
}

bool gw_op2p_m_forwards_id_0(gw_op2p_job *job)
{
    if (job->h.dst_id == 0 && job->h.type <= GW_OP2P_COMPLETION)
        gw_op2p_forward(job->n, job->p, job->pdu, job->len);
    return true;
}

bool gw_op2p_m_burst_spoils(gw_op2p_job *job)
{
    bool lost = job->p->kept.spoilt && !job->mine && job->h.type <= GW_OP2P_COMPLETION;

    job->p->kept.spoilt = false;
    return !lost;
}

bool gw_op2p_m_asks_back(gw_op2p_job *job)
{
    if (is_retransmit(job))
        gw_op2p_ask_again(job->n, job->p, job->pdu, job->len);
    return !is_retransmit(job);
}

bool gw_op2p_m_resends_changed(gw_op2p_job *job)
{
    if (is_retransmit(job))
        job->p->last.bytes[7] ^= 4;
    return true;
}

/* The request says how much (sim S22). */
bool gw_op2p_m_resends_as_asked(gw_op2p_job *job)
{
    size_t asked = (size_t)GW_OP2P_HEADER + job->h.byte_count;

    if (is_retransmit(job) && job->p->last.len > asked)
        job->p->last.len = (uint16_t)asked;
    return true;
}

bool gw_op2p_m_zero_is_much(gw_op2p_job *job)
{
    if (job->h.byte_count == 0)
        job->h.byte_count = (uint16_t)(job->len - GW_OP2P_HEADER);
    return true;
}

bool gw_op2p_m_takes_bytes(gw_op2p_job *job)
{
    if (job->h.byte_count > 0 && job->h.byte_count < 4 && job->len == GW_OP2P_HEADER + 4)
        job->h.byte_count = 4;
    return true;
}

bool gw_op2p_m_rounds_up(gw_op2p_job *job)
{
    if (gw_op2p_has_payload(&job->h) && job->h.byte_count > 4)
        job->h.byte_count = (uint16_t)((job->h.byte_count + 3) & ~3);
    return true;
}

bool gw_op2p_m_fbe_0_is_full(gw_op2p_job *job)
{
    if (job->h.fbe == 0 && gw_op2p_has_payload(&job->h))
        job->h.fbe = 15;
    return true;
}

bool gw_op2p_m_type_15_writes(gw_op2p_job *job)
{
    bool writes = job->mine && job->h.type == 15;

    if (writes)
        gw_op2p_write_word(job->n, job->h.dst_addr, job->h.src_addr, UINT32_MAX);
    return !writes;
}

/* m-sticky-refused */
bool gw_op2p_m_size_sticks(gw_op2p_job *job)
{
    if (job->mine && job->h.type == GW_OP2P_WRITE && job->h.byte_count > GW_OP2P_PAYLOAD_MAX)
        job->p->kept.sticky = true;
    return true;
}

/* ---- after it ---- */

void gw_op2p_m_complete(const gw_op2p_job *job)
{
    gw_op2p_send_completion(job, 4);
}

void gw_op2p_m_store_request(const gw_op2p_job *job)
{
    gw_op2p_forward(job->n, job->p, job->pdu, GW_OP2P_HEADER);
}

void gw_op2p_m_store_id_0(const gw_op2p_job *job)
{
    if (job->h.dst_id == 0)
        gw_op2p_store_packet(job->n, job->p, job->pdu, job->len);
}

void gw_op2p_m_tell(const gw_op2p_job *job)
{
    (void)gw_op2p_push(&job->p->arrived, job->h.dst_addr);
}

void gw_op2p_m_interrupt(const gw_op2p_job *job)
{
    job->n->was_high = true;
}

void gw_op2p_m_write_behind(const gw_op2p_job *job)
{
    uint32_t end = job->h.dst_addr + (uint32_t)(job->len - GW_OP2P_HEADER);

    if (job->h.status == GW_OP2P_SUCCESS)
        gw_op2p_write_word(job->n, end, 0, UINT32_MAX);
}

void gw_op2p_m_grow(const gw_op2p_job *job)
{
    if (job->p->kept.sticky)
        gw_op2p_m_write_behind(job);
    job->p->kept.sticky = false;
}

/* m-sticky-size */
void gw_op2p_m_grow_next(const gw_op2p_job *job)
{
    gw_op2p_m_grow(job);
    job->p->kept.sticky = job->h.byte_count >= 1000;
}

void gw_op2p_m_write_on_error(const gw_op2p_job *job)
{
    if (job->h.status != GW_OP2P_SUCCESS)
        gw_op2p_write_word(job->n, job->h.dst_addr, 0, UINT32_MAX);
}

/* sim S15 */
void gw_op2p_m_stale_on_error(const gw_op2p_job *job)
{
    if (job->h.status != GW_OP2P_SUCCESS)
        gw_op2p_stale_words(job->n, job->p, job->h.dst_addr, 4);
}

/* ---- double words ---- */

uint32_t gw_op2p_mutant_mask(gw_op2p_word_filter *filter, gw_op2p_word word)
{
    if (filter != NULL)
        filter(&word);
    return word.mask;
}

void gw_op2p_m_odd_fbe_everywhere(gw_op2p_word *w)
{
    if (!gw_op2p_fbe_known(w->h->fbe))
        w->mask = gw_op2p_lanes(w->h->fbe);
}

void gw_op2p_m_mirrored_lanes(gw_op2p_word *w)
{
    w->mask = __builtin_bswap32(w->mask);
}

void gw_op2p_m_low_bits_pick(gw_op2p_word *w)
{
    if (w->i == 0 && w->h->dst_addr % 4 != 0)
        w->mask = gw_op2p_lanes((uint8_t)(1u << w->h->dst_addr % 4));
}

void gw_op2p_m_loses_lone_word(gw_op2p_word *w)
{
    if (w->i == w->num - 1 && w->i >= 4 && w->i % 4 == 0)
        w->mask = 0;
}

void gw_op2p_m_completes_without_data(gw_op2p_word *w)
{
    if (w->h->type == GW_OP2P_COMPLETION)
        w->mask = 0;
}

void gw_op2p_m_odd_fbe_cuts(gw_op2p_word *w)
{
    if (w->i == 0 && !gw_op2p_fbe_known(w->h->fbe))
        w->mask = 0;
}
