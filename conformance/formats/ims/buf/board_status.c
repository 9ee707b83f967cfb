/* SPDX-License-Identifier: BSD-2-Clause */
/* The status channel of the software IMS buffer: its table of Workers. */
#include <string.h>

#include "formats/ims/buf/board.h"

enum {
    LID_MAX = 0xffff,
    LATE_NS = 200000000, /* a mutant's */
};

/* ---- the table ---- */

/* 0 and 1 are for management. */
static bool is_qpn(uint32_t qpn)
{
    return qpn > 1 && qpn <= GW_IB_NUMBER_MASK;
}

static gw_ims_buf_worker *search(gw_ims_buf *b, uint32_t lid, uint32_t qpn, bool any_lid)
{
    for (unsigned i = 0; i < GW_IMS_BUF_WORKERS; i++) {
        gw_ims_buf_worker *w = &b->workers[i];
        if (w->used && w->qpn == qpn && (w->lid == lid || any_lid))
            return w;
    }
    return NULL;
}

static gw_ims_buf_worker *find(gw_ims_buf *b, uint32_t lid, uint32_t qpn)
{
    return search(b, lid, qpn, gw_ims_buf_faulty(b, IMS_BUF_FAULT_KEYED_BY_QPN));
}

/* Who makes the request |s|; NULL when that is nobody. */
static gw_ims_buf_worker *find_asking(gw_ims_buf *b, const gw_ims_status *s)
{
    gw_ims_buf_worker *w = find(b, s->lid, s->qpn);
    bool registers = s->method == GW_IMS_STAT_REQ;

    if (w == NULL && !registers && gw_ims_buf_faulty(b, IMS_BUF_FAULT_LID_OPTIONAL))
        return search(b, s->lid, s->qpn, true);
    return w;
}

/* Where the next Worker goes; NULL when the table is full. */
static gw_ims_buf_worker *vacant(gw_ims_buf *b)
{
    gw_ims_buf_worker *w = NULL;
    unsigned num = 0;

    for (unsigned i = 0; i < GW_IMS_BUF_WORKERS; i++) {
        if (!b->workers[i].used && w == NULL)
            w = &b->workers[i];
        num += b->workers[i].used;
    }
    if (w != NULL && gw_ims_buf_faulty(b, IMS_BUF_FAULT_OVERWRITES))
        return &b->workers[num]; /* as if nobody had left */
    return w;
}

/* The Worker of |s|, registered now if it was not; NULL when the table is full. */
static gw_ims_buf_worker *enter(gw_ims_buf *b, const gw_ims_status *s)
{
    gw_ims_buf_worker *w = find(b, s->lid, s->qpn);

    if (w == NULL)
        w = vacant(b);
    if (w == NULL)
        return NULL;
    if (!w->used || !gw_ims_buf_faulty(b, IMS_BUF_FAULT_KEEPS_FIRST_KEY))
        w->qkey = s->key;
    w->used = true;
    w->lid = s->lid;
    w->qpn = s->qpn;
    return w;
}

/* ---- answers ---- */

static gw_ims_status answer_of(const gw_ims_buf *b, const gw_ims_buf_worker *w, uint8_t method)
{
    uint16_t revision = gw_ims_dialect_of(b->dialect)->revision;
    gw_ims_status s = {
        .method = method,
        .minor = (uint8_t)revision,
        .major = (uint8_t)(revision >> 8),
        .lid = w->lid,
        .qpn = w->qpn,
    };

    if (method == GW_IMS_DATA_RES) {
        const gw_ims_buf_channel *c = &b->channels[w->channel];
        s.key = gw_ims_dialect_of(b->dialect)->qpnd_echo ? c->peer_qpn : c->qpn;
        s.va = b->setup.va;
        s.rkey = c->rkey;
    }
    return s;
}

/* What the mutants do to the fields of |s|, which answers |request|. */
static void spoil(gw_ims_buf *b, const gw_ims_buf_worker *w, gw_ims_status *s,
                  const gw_ims_status *request)
{
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_STALE_ECHO) && b->stale != 0)
        s->lid = b->stale;
    b->stale = 0;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_UNKNOWN_METHOD))
        s->method |= 0x10;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_EVEN_METHOD))
        s->method ^= GW_IMS_RESPONSE;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_WIDE_LID))
        s->lid |= UINT32_C(0xa5) << 16;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_NO_LID_ECHO))
        s->lid = 0;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_NEGOTIATES)) {
        s->major = request->major;
        s->minor = request->minor;
    }
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_FILLS_RESERVED))
        s->reserved = UINT8_MAX;
    if (s->method != GW_IMS_DATA_RES)
        return;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_NO_DATA_QP))
        s->key = 0;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_REKEYS))
        s->rkey += b->channels[w->channel].repeats;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_VA_GOES_ON))
        s->va += b->channels[w->channel].tail;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_UNALIGNED_VA))
        s->va += GW_IMS_ALIGN / 2;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_TAKES_REQUESTED_VA) && request->va != 0)
        s->va = request->va;
}

static void answer(gw_ims_buf *b, uint32_t conn, gw_ims_buf_worker *w, const gw_ims_packet *request,
                   uint8_t method)
{
    uint8_t longer[GW_IMS_STATUS + 4] = {0};
    gw_ims_order order = (gw_ims_order)gw_ims_dialect_of(b->dialect)->status_order;
    gw_ims_status s = answer_of(b, w, method);

    spoil(b, w, &s, &request->status);
    gw_ims_draft draft = gw_ims_draft_status(w->qpn, b->setup.status_qpn, w->qkey, b->psn++, &s);
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_TO_SOURCE_QP))
        draft.bth.dest_qp = request->deth.src_qp;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_OWN_QKEY))
        draft.deth.qkey = b->setup.status_qkey;
    draft.raw = true;
    draft.payload = longer;
    draft.payload_len = GW_IMS_STATUS;
    gw_ims_put_status(longer, &s,
                      gw_ims_buf_faulty(b, IMS_BUF_FAULT_BIG_ENDIAN) ? GW_IMS_BE32 : order);
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_LONG_STATUS))
        draft.payload_len = sizeof(longer);
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_STATUS_OVER_UC))
        draft.bth.opcode = GW_IB_UC_SEND_ONLY;
    if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_SAME_OPERATION))
        draft.bth.opcode = request->bth.opcode;
    gw_ims_buf_send(b, conn, &draft, w->answers++);
}

/* ---- data channels ---- */

static void close_channel(gw_ims_buf *b, gw_ims_buf_worker *w)
{
    if (w->has_channel)
        b->channels[w->channel].open = false;
    w->has_channel = false;
}

/* A channel for |w|, its own if it has one; false when all are taken. */
static bool open_channel(gw_ims_buf *b, uint32_t conn, gw_ims_buf_worker *w, uint32_t peer_qpn)
{
    unsigned i = w->has_channel ? w->channel : 0;

    while (!w->has_channel && i < b->setup.channels && b->channels[i].open)
        i++;
    if (i == b->setup.channels)
        return false;
    if (w->closing && gw_ims_buf_faulty(b, IMS_BUF_FAULT_AWAITS_CLOSED))
        return false;
    gw_ims_buf_channel *c = &b->channels[i];
    if (!w->has_channel) {
        gw_ims_buf_open(b, c);
        if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_CHANNEL_LATE))
            c->ready_ns = b->now_ns + LATE_NS;
        if (gw_ims_buf_faulty(b, IMS_BUF_FAULT_KEEPS_WINDOW))
            c->floor = w->read;
    }
    c->repeats += w->has_channel;
    if (!w->has_channel || !gw_ims_buf_faulty(b, IMS_BUF_FAULT_KEEPS_FIRST_QPND))
        c->peer_qpn = peer_qpn;
    c->peer_conn = conn;
    c->has_psn = false;
    c->frame = (gw_ims_buf_frame){.open = false};
    w->has_channel = true;
    w->channel = (uint8_t)i;
    w->ended = w->closing = false;
    return true;
}

/* ---- requests ---- */

/* Ends the data channel of |w|, and notes for mutants what that one was. */
static void end_channel(gw_ims_buf *b, gw_ims_buf_worker *w)
{
    w->closing = w->ended;
    w->ended = w->ended || w->has_channel;
    if (w->has_channel)
        w->read = b->channels[w->channel].read;
    if (!gw_ims_buf_faulty(b, IMS_BUF_FAULT_DATA_TERM_KEEPS))
        close_channel(b, w);
}

static void end_worker(gw_ims_buf *b, gw_ims_buf_worker *w)
{
    if (!gw_ims_buf_faulty(b, IMS_BUF_FAULT_STAT_TERM_KEEPS_CHANNEL))
        close_channel(b, w);
    if (!gw_ims_buf_faulty(b, IMS_BUF_FAULT_STAT_TERM_KEEPS_WORKER))
        memset(w, 0, sizeof(*w));
    for (unsigned i = 0; i < GW_IMS_BUF_WORKERS; i++) {
        if (!gw_ims_buf_faulty(b, IMS_BUF_FAULT_TERM_FOR_ALL) || !b->workers[i].used)
            continue;
        close_channel(b, &b->workers[i]);
        memset(&b->workers[i], 0, sizeof(b->workers[i]));
    }
}

static bool execute(gw_ims_buf *b, uint32_t conn, const gw_ims_packet *p)
{
    const gw_ims_status *s = &p->status;
    gw_ims_buf_worker *w = find_asking(b, s);
    bool turns_away = gw_ims_buf_faulty(b, IMS_BUF_FAULT_TURNS_AWAY);
    bool again = w != NULL;

    if (s->method == GW_IMS_STAT_REQ ||
        (w == NULL && gw_ims_buf_faulty(b, IMS_BUF_FAULT_SERVES_STRANGERS)))
        w = enter(b, s);
    if (w == NULL)
        return false; /* no queue key is known to answer with */
    if (w->qkey == 0 && gw_ims_buf_faulty(b, IMS_BUF_FAULT_EMPTY_KEY))
        return false;
    switch (s->method) {
    case GW_IMS_STAT_REQ:
        if (again && gw_ims_buf_faulty(b, IMS_BUF_FAULT_NO_REPEATED_RES))
            return false;
        answer(b, conn, w, p, turns_away ? GW_IMS_STAT_DOWN : GW_IMS_STAT_RES);
        return true;
    case GW_IMS_DATA_REQ:
        if (!is_qpn(s->key) && !gw_ims_buf_faulty(b, IMS_BUF_FAULT_KEEPS_FIRST_QPND))
            return false;
        if (!open_channel(b, conn, w, s->key))
            return false;
        answer(b, conn, w, p, GW_IMS_DATA_RES);
        return true;
    case GW_IMS_DATA_TERM:
        end_channel(b, w);
        answer(b, conn, w, p, GW_IMS_DATA_DOWN);
        return true;
    case GW_IMS_STAT_TERM:
        answer(b, conn, w, p, GW_IMS_STAT_DOWN);
        end_worker(b, w);
        return true;
    default:
        return false; /* an answer, or no method at all */
    }
}

/* What the mutants make of a datagram before they look at it. False when they lose it. */
static bool passes_by(gw_ims_buf *b, const gw_ims_packet *p)
{
    bool lost = b->stuck && gw_ims_buf_faulty(b, IMS_BUF_FAULT_SHORT_STICKS);

    b->stuck = p->payload_sent != GW_IMS_STATUS;
    if (p->has_body && p->status.reserved != 0 &&
        gw_ims_buf_faulty(b, IMS_BUF_FAULT_STRICT_RESERVED))
        return false;
    return !lost;
}

static bool is_operation(const gw_ims_buf *b, uint8_t opcode)
{
    return opcode == GW_IB_UD_SEND_ONLY ||
           (opcode == GW_IB_UD_SEND_ONLY_IMM && gw_ims_buf_faulty(b, IMS_BUF_FAULT_SAME_OPERATION));
}

/* Whether |p| is a request for this queue pair that could be answered. */
static bool is_request(const gw_ims_buf *b, const gw_ims_packet *p)
{
    bool right_key = p->has_deth && p->deth.qkey == b->setup.status_qkey;
    bool right_lid = p->status.lid <= LID_MAX || gw_ims_buf_faulty(b, IMS_BUF_FAULT_ECHOES_WIDE);

    return is_operation(b, p->bth.opcode) && p->kind == GW_IMS_IS_STATUS && p->has_body &&
           p->payload_sent == GW_IMS_STATUS &&
           (right_key || gw_ims_buf_faulty(b, IMS_BUF_FAULT_ANY_QKEY)) && right_lid &&
           is_qpn(p->status.qpn);
}

void gw_ims_buf_status(gw_ims_buf *b, uint32_t conn, const gw_ims_packet *p)
{
    if (passes_by(b, p) && is_request(b, p) && execute(b, conn, p))
        return;
    b->dropped++;
    b->stale = p->has_body ? p->status.lid & LID_MAX : 0;
}
