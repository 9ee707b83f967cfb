/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants of the software IMS buffer make of packets before the good board sees them, and what
 * they undo of what it did. */
#include <string.h>

#include "formats/ims/buf/board.h"

#define HAS(b, fault) gw_mutant_has((b)->mutant, IMS_BUF_FAULT_##fault)

gw_ims_buf_policy gw_ims_buf_policy_of(const gw_mutant *mutant)
{
    bool wide = gw_mutant_has(mutant, IMS_BUF_FAULT_ECHOES_WIDE);

    return (gw_ims_buf_policy){.lid_max = wide ? UINT32_MAX : GW_IMS_BUF_LID_MAX};
}

/* ---- who asks ---- */

/* The first Worker with |qpn|, whatever its LID. */
static gw_ims_buf_worker *with_qpn(gw_ims_buf *b, uint32_t qpn)
{
    for (unsigned i = 0; i < GW_IMS_BUF_WORKERS; i++) {
        if (b->workers[i].used && b->workers[i].qpn == qpn)
            return &b->workers[i];
    }
    return NULL;
}

/* The registered Worker whose request |p| is, or NULL. */
static gw_ims_buf_worker *asking(gw_ims_buf *b, const gw_ims_packet *p)
{
    return gw_ims_buf_is_request(b, p) ? gw_ims_buf_find(b, p->status.lid, p->status.qpn) : NULL;
}

static gw_ims_buf_worker_memory *memory_of_worker(gw_ims_buf *b, const gw_ims_buf_worker *w)
{
    return &b->memory.workers[w - b->workers];
}

/* ---- requests ---- */

/* Whether a request is good is looked at behind this. */
static void change_datagram(gw_ims_buf *b, gw_ims_packet *p)
{
    b->memory.opcode = p->bth.opcode;
    if (HAS(b, ANY_QKEY))
        p->deth.qkey = b->setup.status_qkey;
    if (p->bth.opcode == GW_IB_UD_SEND_ONLY_IMM && HAS(b, SAME_OPERATION))
        p->bth.opcode = GW_IB_UD_SEND_ONLY;
}

static void change_identity(gw_ims_buf *b, gw_ims_status *s)
{
    bool registers = s->method == GW_IMS_STAT_REQ;
    gw_ims_buf_worker *w = with_qpn(b, s->qpn);
    bool unknown = gw_ims_buf_find(b, s->lid, s->qpn) == NULL;

    if (w != NULL && registers && HAS(b, KEYED_BY_QPN))
        w->lid = s->lid;
    if (w != NULL && unknown && !registers && (HAS(b, KEYED_BY_QPN) || HAS(b, LID_OPTIONAL)))
        s->lid = w->lid;
    if (unknown && HAS(b, SERVES_STRANGERS))
        (void)gw_ims_buf_enter(b, s);
}

/* Whether |p| is too short for a request, and the requests right before it were a STAT_REQ and a
 * DATA_REQ. */
static bool is_short_third(gw_ims_buf *b, const gw_ims_packet *p)
{
    uint8_t trail = b->memory.trail;

    if (gw_ims_buf_is_request(b, p))
        b->memory.trail = p->status.method == GW_IMS_STAT_REQ                 ? 1
                          : p->status.method == GW_IMS_DATA_REQ && trail == 1 ? 2
                                                                              : 0;
    return trail == 2 && p->payload_sent < GW_IMS_STATUS;
}

/* Whether the datagram for the status queue pair is looked at. */
static bool admits_datagram(gw_ims_buf *b, const gw_ims_packet *p)
{
    bool lost = b->memory.stuck && HAS(b, SHORT_STICKS);

    b->memory.stuck = p->payload_sent != GW_IMS_STATUS;
    return !lost && !(p->has_body && p->status.reserved != 0 && HAS(b, STRICT_RESERVED));
}

static bool admits_request(gw_ims_buf *b, const gw_ims_status *s)
{
    gw_ims_buf_worker *w = gw_ims_buf_find(b, s->lid, s->qpn);
    bool again = w != NULL && s->method == GW_IMS_STAT_REQ;

    if (again && HAS(b, NO_REPEATED_RES)) {
        (void)gw_ims_buf_enter(b, s);
        return false;
    }
    if (s->method == GW_IMS_STAT_REQ && HAS(b, EMPTY_KEY))
        w = gw_ims_buf_enter(b, s);
    if (w != NULL && w->qkey == 0 && HAS(b, EMPTY_KEY))
        return false;
    return !(w != NULL && s->method == GW_IMS_DATA_REQ && memory_of_worker(b, w)->closing &&
             HAS(b, AWAITS_CLOSED));
}

/* What the Worker that was |before| has once its DATA_REQ was taken. */
static void after_data_req(gw_ims_buf *b, gw_ims_buf_worker *w, const gw_ims_buf_worker *before)
{
    gw_ims_buf_worker_memory *m = memory_of_worker(b, w);
    gw_ims_buf_channel *c = &b->channels[w->channel];

    if (!w->has_channel)
        return;
    m->ended = m->closing = false;
    if (before->has_channel)
        return;
    b->memory.rkey = c->rkey;
    if (HAS(b, KEEPS_WINDOW))
        gw_ims_buf_memory_of(b, c)->floor = m->read;
}

static void after_data_term(gw_ims_buf *b, gw_ims_buf_worker *w, const gw_ims_buf_worker *before)
{
    gw_ims_buf_worker_memory *m = memory_of_worker(b, w);

    m->closing = m->ended;
    m->ended = m->ended || before->has_channel;
    if (!before->has_channel)
        return;
    m->read = b->channels[before->channel].read;
    if (HAS(b, DATA_TERM_KEEPS))
        w->has_channel = b->channels[w->channel].open = true;
}

static void after_stat_term(gw_ims_buf *b, gw_ims_buf_worker *w, const gw_ims_buf_worker *before)
{
    memset(memory_of_worker(b, w), 0, sizeof(*memory_of_worker(b, w)));
    if (before->has_channel && HAS(b, STAT_TERM_KEEPS_CHANNEL))
        b->channels[before->channel].open = true;
    if (HAS(b, STAT_TERM_KEEPS_WORKER)) {
        *w = *before;
        w->has_channel = false;
    }
    for (unsigned i = 0; i < GW_IMS_BUF_WORKERS; i++) {
        if (HAS(b, TERM_FOR_ALL))
            gw_ims_buf_remove(b, &b->workers[i]);
    }
}

/* Enters the new Worker |w| (NULL: there is none) over another one, as if nobody had left. */
static void after_stat_req(gw_ims_buf *b, gw_ims_buf_worker *w)
{
    unsigned num = 0;

    for (unsigned i = 0; i < GW_IMS_BUF_WORKERS; i++)
        num += b->workers[i].used;
    if (w == NULL || w == &b->workers[num - 1] || !HAS(b, OVERWRITES))
        return;
    gw_ims_buf_worker *over = &b->workers[num - 1];
    over->used = true;
    over->lid = w->lid;
    over->qpn = w->qpn;
    over->qkey = w->qkey;
    memset(w, 0, sizeof(*w));
}

/* A DATA_REQ for the queue pair that the Worker named first, whatever that is. */
static void take_first_qpnd(gw_ims_buf *b, uint32_t conn, gw_ims_packet *p, gw_ims_buf_worker *w)
{
    uint32_t first = w->has_channel ? b->channels[w->channel].peer_qpn : p->status.key;

    p->status.key = GW_IMS_BUF_DATA_QPN; /* one that is none is not taken */
    gw_ims_buf_take(b, conn, p);
    if (w->has_channel)
        b->channels[w->channel].peer_qpn = first;
}

static void take_request(gw_ims_buf *b, uint32_t conn, gw_ims_packet *p)
{
    uint8_t method = p->status.method;
    gw_ims_buf_worker *w = asking(b, p);
    gw_ims_buf_worker before = w != NULL ? *w : (gw_ims_buf_worker){.used = false};

    if (w != NULL && method == GW_IMS_STAT_REQ && HAS(b, KEEPS_FIRST_KEY))
        p->status.key = w->qkey;
    if (w != NULL && method == GW_IMS_DATA_REQ && HAS(b, KEEPS_FIRST_QPND))
        take_first_qpnd(b, conn, p, w);
    else
        gw_ims_buf_take(b, conn, p);
    if (w == NULL)
        after_stat_req(b, asking(b, p));
    else if (method == GW_IMS_DATA_REQ)
        after_data_req(b, w, &before);
    else if (method == GW_IMS_DATA_TERM)
        after_data_term(b, w, &before);
    else if (method == GW_IMS_STAT_TERM)
        after_stat_term(b, w, &before);
}

static void filter_status(gw_ims_buf *b, uint32_t conn, gw_ims_packet *p)
{
    uint32_t dropped = b->dropped;

    b->memory.hangs = is_short_third(b, p) && HAS(b, HANGS_ON_SHORT_THIRD);
    if (!admits_datagram(b, p)) {
        b->dropped++;
        return;
    }
    change_datagram(b, p);
    bool request = gw_ims_buf_is_request(b, p);
    if (request)
        change_identity(b, &p->status);
    if (request && !admits_request(b, &p->status))
        b->dropped++;
    else
        take_request(b, conn, p);
    if (b->dropped != dropped)
        b->memory.stale = p->has_body ? p->status.lid & GW_IMS_BUF_LID_MAX : 0;
}

/* ---- packets of frames ---- */

static void change_start(gw_ims_buf *b, const gw_ims_buf_channel *c, gw_ims_packet *p)
{
    if (HAS(b, ANY_RKEY))
        p->reth.rkey = c->rkey;
    if (HAS(b, ONE_KEY))
        p->reth.rkey = p->reth.rkey == b->memory.rkey ? c->rkey : ~c->rkey;
    if (c->frame.open && HAS(b, FIRST_IS_MIDDLE))
        p->first = false;
}

/* Which numbers are expected. */
static void change_psn(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_packet *p)
{
    bool begun = c->has_psn;

    gw_ims_buf_memory_of(b, c)->late = !begun && p->bth.psn != 0 && HAS(b, PSN_FROM_0);
    if (!begun && HAS(b, PSN_FROM_0)) {
        c->has_psn = true;
        c->psn = 0;
    }
    if (begun && !p->first && p->bth.psn != c->psn && HAS(b, MISSES_GAPS)) {
        c->psn = p->bth.psn;
        c->frame.stores = false;
    }
}

/* Whether |p| is looked at. */
static bool admits_write(gw_ims_buf *b, const gw_ims_buf_channel *c, const gw_ims_packet *p)
{
    bool gap = c->has_psn && p->bth.psn != c->psn;
    bool between = p->first && !c->frame.open;

    return b->now_ns >= gw_ims_buf_memory_of(b, c)->ready_ns &&
           !(gap && between && HAS(b, AWAITS_LOST));
}

static void filter_write(gw_ims_buf *b, uint32_t conn, gw_ims_buf_channel *c, gw_ims_packet *p)
{
    if (!admits_write(b, c, p)) {
        b->dropped++;
        return;
    }
    if (p->first)
        change_start(b, c, p);
    change_psn(b, c, p);
    gw_ims_buf_take(b, conn, p);
    if (p->bth.psn == GW_IB_NUMBER_MASK && HAS(b, PSN_GOES_ON))
        c->psn = GW_IB_NUMBER_MASK + 1;
}

/* ---- all packets ---- */

void gw_ims_buf_filter_in(gw_ims_buf *b, uint32_t conn, gw_ims_packet *p)
{
    gw_ims_buf_channel *c = gw_ims_buf_channel_of(b, p->bth.dest_qp);

    if (b->memory.hangs) {
        b->dropped++;
        return;
    }
    if (c == NULL && HAS(b, ANY_QPN))
        p->bth.dest_qp = b->setup.status_qpn;
    if (p->bth.dest_qp == b->setup.status_qpn)
        filter_status(b, conn, p);
    else if (c != NULL && c->open && gw_ims_buf_is_write(p))
        filter_write(b, conn, c, p);
    else
        gw_ims_buf_take(b, conn, p);
}

bool gw_ims_buf_hook_damaged(gw_ims_buf *b, const gw_peer_event *event, gw_ims_packet *p)
{
    if (b->mutant == NULL || event->len <= GW_IB_ICRC)
        return false;
    gw_message message = gw_message_of(event->data, event->len - GW_IB_ICRC);
    message.transport = GW_OVER_UDP;
    (void)gw_ims_decode(p, &message, b->dialect);
    gw_ims_buf_channel *c = p->has_bth ? gw_ims_buf_channel_of(b, p->bth.dest_qp) : NULL;
    if (c != NULL && HAS(b, COUNTS_DROPPED))
        c->psn = (p->bth.psn + 1) & GW_IB_NUMBER_MASK;
    return p->has_bth && HAS(b, TAKES_DAMAGED);
}
