/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to the frames that come to a node, before the good board sees them, and to what
 * it knows of link errors. */
#include <string.h>

#include "formats/op2p/node/mutants/mutants.h"

/* Nobody who waits for an answer sends as soon as this. */
#define AT_ONCE_NS 8000

/* A silence behind a frame that is not answered is as long as this. */
#define ALONE_NS INT64_C(15000000)

void gw_op2p_mutant_in(gw_op2p_incoming *in)
{
    gw_op2p_in_filter *filter = in->n->mutation->in;

    (filter != NULL ? filter : gw_op2p_take_frame)(in);
}

static bool is_heard(const gw_op2p_incoming *in)
{
    return (gw_op2p_hindrances(in->p) & in->n->policy.deaf) == 0;
}

/* Whether the good board takes the frame, and finds no error in it. */
static bool is_whole(const gw_op2p_incoming *in)
{
    return is_heard(in) && (in->flags & in->n->policy.damaged) == 0;
}

/* Of a frame that is not whole, that of a reserved type. */
static gw_op2p_header header_of(const gw_op2p_incoming *in)
{
    bool packet = is_whole(in) && in->len >= GW_OP2P_HEADER;
    return packet ? gw_op2p_get(in->pdu) : (gw_op2p_header){.src_id = UINT16_MAX, .type = 15};
}

static void take_unless(gw_op2p_incoming *in, bool lost)
{
    if (!lost)
        gw_op2p_take_frame(in);
}

void gw_op2p_m_refuses_rfu(gw_op2p_incoming *in)
{
    take_unless(in, header_of(in).rfu != 0);
}

void gw_op2p_m_ignores_chassis_0(gw_op2p_incoming *in)
{
    take_unless(in, gw_op2p_chassis(header_of(in).src_id) == 0);
}

void gw_op2p_m_counts_good(gw_op2p_incoming *in)
{
    in->p->errors += is_whole(in);
    gw_op2p_take_frame(in);
}

void gw_op2p_m_asks_for_large(gw_op2p_incoming *in)
{
    if (is_whole(in) && in->len > GW_OP2P_HEADER + GW_OP2P_REFERENCE_MAX) {
        in->p->retransmits = 0;
        gw_op2p_ask_again(in->n, in->p, in->pdu, in->len);
    }
    gw_op2p_take_frame(in);
}

void gw_op2p_m_executes_runts(gw_op2p_incoming *in)
{
    uint8_t padded[GW_OP2P_HEADER] = {0};

    if (is_whole(in) && in->len >= 8 && in->len < sizeof(padded)) {
        memcpy(padded, in->pdu, in->len);
        gw_op2p_write_word(in->n, gw_op2p_get(padded).dst_addr, 0, UINT32_MAX);
    }
    gw_op2p_take_frame(in);
}

void gw_op2p_m_takes_tails(gw_op2p_incoming *in)
{
    uint8_t padded[GW_OP2P_PDU_MAX] = {0};

    if (in->len % 4 != 0 && in->len < sizeof(padded)) {
        memcpy(padded, in->pdu, in->len);
        in->pdu = padded;
        in->len += 4 - in->len % 4;
    }
    gw_op2p_take_frame(in);
}

/* m-stale-on-error */
void gw_op2p_m_keeps_frames(gw_op2p_incoming *in)
{
    if (!in->n->reference)
        gw_op2p_keep(in->p, in->pdu, in->len);
    gw_op2p_take_frame(in);
}

void gw_op2p_m_answers_while_down(gw_op2p_incoming *in)
{
    bool up = in->p->up;

    in->p->up = true;
    gw_op2p_take_frame(in);
    in->p->up = up;
}

/* ---- gaps inside frames ---- */

/* Takes |in| with what the last frame left for what of its header comes behind its gap, if |mixes|.
 */
static void take_mixed(gw_op2p_incoming *in, bool mixes)
{
    uint8_t mixed[GW_OP2P_PDU_MAX] = {0}, *left = in->p->kept.header;
    size_t at = (size_t)4 * in->gap, len = in->len;
    bool inside = at > 0 && at < GW_OP2P_HEADER && len > at && len <= sizeof(mixed);
    const uint8_t *pdu = in->pdu;

    if (mixes && inside && is_whole(in)) {
        memcpy(mixed, pdu, len);
        memcpy(mixed + at, left + at, GW_OP2P_HEADER - at);
        in->pdu = mixed;
        if (len < GW_OP2P_HEADER)
            in->len = (size_t)GW_OP2P_HEADER + gw_op2p_get(left).byte_count;
        in->len = in->len < sizeof(mixed) ? in->len : sizeof(mixed);
    }
    if (len >= GW_OP2P_HEADER)
        memcpy(left, pdu, GW_OP2P_HEADER);
    gw_op2p_take_frame(in);
}

/* sim S16 */
void gw_op2p_m_decodes_early(gw_op2p_incoming *in)
{
    take_mixed(in, in->len >= GW_OP2P_HEADER);
}

void gw_op2p_m_fills_header(gw_op2p_incoming *in)
{
    take_mixed(in, in->len < GW_OP2P_HEADER);
}

/* Takes |in| with a double word of 0 in the place of its gap, if |counts| and flow control stands
 * there. */
static void take_longer(gw_op2p_incoming *in, bool counts)
{
    uint8_t longer[GW_OP2P_PDU_MAX + 4] = {0};
    size_t at = (size_t)4 * in->gap;
    bool inside = (in->flags & GW_OP2P_FLAG_HALT_INSIDE) != 0 && at > 0 && at < in->len;

    if (counts && inside && in->len <= GW_OP2P_PDU_MAX) {
        memcpy(longer, in->pdu, at);
        memcpy(longer + at + 4, in->pdu + at, in->len - at);
        in->pdu = longer;
        in->len += 4;
    }
    gw_op2p_take_frame(in);
}

void gw_op2p_m_flow_is_a_word(gw_op2p_incoming *in)
{
    take_longer(in, true);
}

void gw_op2p_m_flow_fills(gw_op2p_incoming *in)
{
    take_longer(in, header_of(in).type == GW_OP2P_WRITE &&
                        in->len < GW_OP2P_HEADER + (size_t)header_of(in).byte_count);
}

/* ---- frames that follow each other ---- */

static bool is_at_once(const gw_op2p_incoming *in)
{
    return in->n->now_ns - in->p->kept.heard_ns < AT_ONCE_NS;
}

void gw_op2p_m_swallows_next(gw_op2p_incoming *in)
{
    gw_op2p_kept *kept = &in->p->kept;
    bool whole = is_whole(in), payload = in->len > GW_OP2P_HEADER;
    bool lost = whole && payload && kept->header_alone && is_at_once(in);

    if (whole) {
        kept->header_alone = in->len == GW_OP2P_HEADER;
        kept->heard_ns = in->n->now_ns;
    }
    take_unless(in, lost);
}

void gw_op2p_m_glues_frames(gw_op2p_incoming *in)
{
    gw_op2p_kept *kept = &in->p->kept;
    bool whole = is_whole(in), payload = in->len > GW_OP2P_HEADER;

    if (whole) {
        kept->in_a_row = !payload ? 0 : is_at_once(in) ? kept->in_a_row + 1 : 1;
        kept->heard_ns = in->n->now_ns;
    }
    take_unless(in, whole && kept->in_a_row > 6);
}

/* Dies of a |deadly| frame that nothing follows at once. */
static void take_alive(gw_op2p_incoming *in, bool deadly)
{
    gw_op2p_kept *kept = &in->p->kept;

    if (!is_heard(in))
        return;
    kept->dead = kept->dead || (kept->alone && in->n->now_ns - kept->alone_ns > ALONE_NS);
    kept->alone = deadly;
    kept->alone_ns = in->n->now_ns;
    take_unless(in, kept->dead);
}

void gw_op2p_m_dies_after_write(gw_op2p_incoming *in)
{
    gw_op2p_header h = header_of(in);

    take_alive(in, h.type == GW_OP2P_WRITE && h.dst_id == in->p->local_id && h.byte_count == 4);
}

void gw_op2p_m_dies_after_foreign(gw_op2p_incoming *in)
{
    gw_op2p_header h = header_of(in);

    take_alive(in, h.type == GW_OP2P_READ && h.dst_id != 0 && h.dst_id != in->p->local_id);
}

/* ---- link errors ---- */

void gw_op2p_mutant_error(const gw_op2p_incoming *in)
{
    if (in->n->mutation->error != NULL)
        in->n->mutation->error(in);
}

void gw_op2p_m_publishes_damaged(const gw_op2p_incoming *in)
{
    if (in->len >= GW_OP2P_HEADER)
        gw_op2p_forward(in->n, in->p, in->pdu, in->len);
}

/* sim S23 */
void gw_op2p_m_tells_damaged(const gw_op2p_incoming *in)
{
    if (in->len >= GW_OP2P_HEADER && gw_op2p_get(in->pdu).type == GW_OP2P_WRITE)
        (void)gw_op2p_push(&in->p->arrived, gw_op2p_get(in->pdu).dst_addr);
}

void gw_op2p_m_tells_long_damaged(const gw_op2p_incoming *in)
{
    if (!in->n->reference)
        gw_op2p_reference_damaged(in->n, in->p, in->pdu, in->len);
}

void gw_op2p_m_halts_on_damage(const gw_op2p_incoming *in)
{
    in->p->kept.halts = in->p->kept.halts || (in->pdu != NULL && in->p->they_halted);
    if (in->p->kept.halts)
        gw_op2p_port_flow(in->n, in->p, true);
}

/* m-burst-spoils */
void gw_op2p_m_burst(const gw_op2p_incoming *in)
{
    in->p->kept.spoilt = in->p->kept.spoilt || in->pdu == NULL;
}

/* m-stale-ids */
void gw_op2p_m_ids_get_stale(const gw_op2p_incoming *in)
{
    in->p->kept.stale = in->p->kept.stale || in->pdu != NULL;
}
