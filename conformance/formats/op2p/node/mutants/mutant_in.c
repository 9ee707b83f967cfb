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

static bool is_packet(const gw_op2p_incoming *in)
{
    return is_whole(in) && in->len >= GW_OP2P_HEADER;
}

static void take_unless(gw_op2p_incoming *in, bool lost)
{
    if (!lost)
        gw_op2p_take_frame(in);
}

void gw_op2p_m_refuses_rfu(gw_op2p_incoming *in)
{
    take_unless(in, is_packet(in) && gw_op2p_get(in->pdu).rfu != 0);
}

void gw_op2p_m_ignores_chassis_0(gw_op2p_incoming *in)
{
    take_unless(in, is_packet(in) && gw_op2p_chassis(gw_op2p_get(in->pdu).src_id) == 0);
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

void gw_op2p_m_answers_while_down(gw_op2p_incoming *in)
{
    bool up = in->p->up;

    in->p->up = true;
    gw_op2p_take_frame(in);
    in->p->up = up;
}

/* ---- frames that follow each other ---- */

void gw_op2p_m_swallows_next(gw_op2p_incoming *in)
{
    gw_op2p_kept *kept = &in->p->kept;
    bool at_once = in->n->now_ns - kept->heard_ns < AT_ONCE_NS;
    bool lost = at_once && kept->header_alone && in->len > GW_OP2P_HEADER;

    if (!is_whole(in)) {
        gw_op2p_take_frame(in);
        return;
    }
    kept->header_alone = in->len == GW_OP2P_HEADER;
    kept->heard_ns = in->n->now_ns;
    take_unless(in, lost);
}

void gw_op2p_m_glues_frames(gw_op2p_incoming *in)
{
    gw_op2p_kept *kept = &in->p->kept;
    bool at_once = in->n->now_ns - kept->heard_ns < AT_ONCE_NS;

    if (!is_whole(in)) {
        gw_op2p_take_frame(in);
        return;
    }
    kept->in_a_row = in->len <= GW_OP2P_HEADER ? 0 : at_once ? kept->in_a_row + 1 : 1;
    kept->heard_ns = in->n->now_ns;
    take_unless(in, kept->in_a_row > 6);
}

/* Dies when the last frame is one of |deadly|, and nothing has followed it at once. */
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
    bool packet = in->flags == 0 && in->len >= GW_OP2P_HEADER;
    gw_op2p_header h = packet ? gw_op2p_get(in->pdu) : (gw_op2p_header){.type = GW_OP2P_RETRANSMIT};

    take_alive(in, h.type == GW_OP2P_WRITE && h.dst_id == in->p->local_id && h.byte_count == 4);
}

void gw_op2p_m_dies_after_foreign(gw_op2p_incoming *in)
{
    bool packet = in->flags == 0 && in->len >= GW_OP2P_HEADER;
    gw_op2p_header h = packet ? gw_op2p_get(in->pdu) : (gw_op2p_header){.type = GW_OP2P_RETRANSMIT};

    take_alive(in, h.type == GW_OP2P_READ && h.dst_id != 0 && h.dst_id != in->p->local_id);
}

/* ---- link errors ---- */

void gw_op2p_mutant_error(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    if (n->mutation->error != NULL)
        n->mutation->error(n, p, pdu, len);
}

void gw_op2p_m_publishes_damaged(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    if (len >= GW_OP2P_HEADER)
        gw_op2p_forward(n, p, pdu, len);
}

/* sim S23 */
void gw_op2p_m_tells_damaged(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    (void)n;
    if (len >= GW_OP2P_HEADER && gw_op2p_get(pdu).type == GW_OP2P_WRITE)
        (void)gw_op2p_push(&p->arrived, gw_op2p_get(pdu).dst_addr);
}

void gw_op2p_m_tells_long_damaged(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    if (!n->reference)
        gw_op2p_reference_damaged(n, p, pdu, len);
}

void gw_op2p_m_halts_on_damage(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    (void)len;
    p->kept.halts = p->kept.halts || (pdu != NULL && p->they_halted);
    if (p->kept.halts)
        gw_op2p_port_flow(n, p, true);
}

void gw_op2p_m_ids_get_stale(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    (void)n;
    (void)len;
    p->kept.stale = pdu != NULL || p->kept.stale;
}
