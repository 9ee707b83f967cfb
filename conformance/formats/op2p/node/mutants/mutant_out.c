/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to the frames that a node sends, and to its answers. */
#include "formats/op2p/node/mutants/mutants.h"

void gw_op2p_mutant_out(const gw_op2p_node *n, gw_op2p_outgoing *out)
{
    const gw_op2p_mutation *m = n->mutation;
    uint8_t *byte = &out->pdu[m->out_patch.at];

    *byte = (uint8_t)((*byte & ~m->out_patch.clear) ^ m->out_patch.flip);
    if (m->out != NULL)
        m->out(out);
}

void gw_op2p_m_little_endian(gw_op2p_outgoing *out)
{
    gw_op2p_swap(out->pdu, out->pdu, out->len);
}

void gw_op2p_m_short_completion(gw_op2p_outgoing *out)
{
    gw_op2p_header h = gw_op2p_get(out->pdu);
    bool completes = h.type == GW_OP2P_COMPLETION && h.status == GW_OP2P_SUCCESS;

    out->len -= completes && out->len > GW_OP2P_HEADER ? 4 : 0;
}

void gw_op2p_m_count_wraps(gw_op2p_outgoing *out)
{
    gw_op2p_header h = gw_op2p_get(out->pdu);

    if (h.type == GW_OP2P_WRITE)
        h.byte_count %= GW_OP2P_PAYLOAD_MAX;
    gw_op2p_put(out->pdu, &h);
}

void gw_op2p_m_endless_answer(gw_op2p_outgoing *out)
{
    if (gw_op2p_get(out->pdu).byte_count > GW_OP2P_PAYLOAD_MAX)
        out->flags |= GW_OP2P_FLAG_NO_EOF;
}

/* ---- answers ---- */

void gw_op2p_mutant_answer(gw_op2p_answer *a)
{
    if (a->job->n->mutation->answer != NULL)
        a->job->n->mutation->answer(a);
}

void gw_op2p_m_addresses_kept(gw_op2p_answer *a)
{
    a->h.dst_addr = a->job->h.dst_addr;
    a->h.src_addr = a->job->h.src_addr;
}

void gw_op2p_m_fbe_full(gw_op2p_answer *a)
{
    a->h.fbe = 15;
}

void gw_op2p_m_answers_twice(gw_op2p_answer *a)
{
    a->times = a->h.status == GW_OP2P_SUCCESS ? 2 : 1;
}

void gw_op2p_m_copies_rfu(gw_op2p_answer *a)
{
    a->h.rfu = a->job->h.rfu;
}

void gw_op2p_m_as_long_as_asked(gw_op2p_answer *a)
{
    size_t behind = a->job->len - GW_OP2P_HEADER;

    if (behind > 0 && behind < a->len)
        a->len = (uint32_t)behind;
}

void gw_op2p_m_bytes_without_data(gw_op2p_answer *a)
{
    if (a->job->h.byte_count < 4)
        a->len = 0;
}

void gw_op2p_m_stale_ids(gw_op2p_answer *a)
{
    bool *stale = &a->job->p->kept.stale;

    if (*stale)
        a->h.src_id = 0;
    *stale = *stale && a->h.status != GW_OP2P_SUCCESS;
}

void gw_op2p_m_error_count(gw_op2p_answer *a)
{
    if (a->h.status != GW_OP2P_SUCCESS)
        a->h.byte_count = a->job->h.byte_count;
}
