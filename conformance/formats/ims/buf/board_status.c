/* SPDX-License-Identifier: BSD-2-Clause */
/* The status channel of the software IMS buffer: its table of Workers. */
#include <string.h>

#include "formats/ims/buf/board.h"

/* ---- the table ---- */

/* 0 and 1 are for management. */
static bool is_qpn(uint32_t qpn)
{
    return qpn > 1 && qpn <= GW_IB_NUMBER_MASK;
}

gw_ims_buf_worker *gw_ims_buf_find(gw_ims_buf *b, uint32_t lid, uint32_t qpn)
{
    for (unsigned i = 0; i < GW_IMS_BUF_WORKERS; i++) {
        gw_ims_buf_worker *w = &b->workers[i];
        if (w->used && w->lid == lid && w->qpn == qpn)
            return w;
    }
    return NULL;
}

/* Where the next Worker goes; NULL when the table is full. */
static gw_ims_buf_worker *vacant(gw_ims_buf *b)
{
    for (unsigned i = 0; i < GW_IMS_BUF_WORKERS; i++) {
        if (!b->workers[i].used)
            return &b->workers[i];
    }
    return NULL;
}

gw_ims_buf_worker *gw_ims_buf_enter(gw_ims_buf *b, const gw_ims_status *s)
{
    gw_ims_buf_worker *w = gw_ims_buf_find(b, s->lid, s->qpn);

    if (w == NULL)
        w = vacant(b);
    if (w == NULL)
        return NULL;
    w->used = true;
    w->lid = s->lid;
    w->qpn = s->qpn;
    w->qkey = s->key;
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

static void answer(gw_ims_buf *b, uint32_t conn, const gw_ims_buf_worker *w,
                   const gw_ims_packet *request, uint8_t method)
{
    gw_ims_status s = answer_of(b, w, method);
    gw_ims_buf_reply r = {
        .conn = conn,
        .draft = gw_ims_draft_status(w->qpn, b->setup.status_qpn, w->qkey, b->psn++, &s),
        .request = request,
        .worker = w,
    };

    gw_ims_buf_send(b, &r);
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
    gw_ims_buf_channel *c = &b->channels[i];
    if (!w->has_channel)
        gw_ims_buf_open(b, c);
    c->peer_qpn = peer_qpn;
    c->peer_conn = conn;
    c->has_psn = false;
    c->frame = (gw_ims_buf_frame){.open = false};
    w->has_channel = true;
    w->channel = (uint8_t)i;
    return true;
}

/* ---- requests ---- */

void gw_ims_buf_remove(gw_ims_buf *b, gw_ims_buf_worker *w)
{
    close_channel(b, w);
    memset(w, 0, sizeof(*w));
}

static bool execute(gw_ims_buf *b, uint32_t conn, const gw_ims_packet *p)
{
    const gw_ims_status *s = &p->status;
    gw_ims_buf_worker *w =
        s->method == GW_IMS_STAT_REQ ? gw_ims_buf_enter(b, s) : gw_ims_buf_find(b, s->lid, s->qpn);

    if (w == NULL)
        return false; /* no queue key is known to answer with */
    switch (s->method) {
    case GW_IMS_STAT_REQ:
        answer(b, conn, w, p, GW_IMS_STAT_RES);
        return true;
    case GW_IMS_DATA_REQ:
        if (!is_qpn(s->key) || !open_channel(b, conn, w, s->key))
            return false;
        answer(b, conn, w, p, GW_IMS_DATA_RES);
        return true;
    case GW_IMS_DATA_TERM:
        close_channel(b, w);
        answer(b, conn, w, p, GW_IMS_DATA_DOWN);
        return true;
    case GW_IMS_STAT_TERM:
        answer(b, conn, w, p, GW_IMS_STAT_DOWN);
        gw_ims_buf_remove(b, w);
        return true;
    default:
        return false; /* an answer, or no method at all */
    }
}

bool gw_ims_buf_is_request(const gw_ims_buf *b, const gw_ims_packet *p)
{
    return p->bth.dest_qp == b->setup.status_qpn && p->bth.opcode == GW_IB_UD_SEND_ONLY &&
           p->kind == GW_IMS_IS_STATUS && p->has_body && p->payload_sent == GW_IMS_STATUS &&
           p->has_deth && p->deth.qkey == b->setup.status_qkey &&
           p->status.lid <= b->policy.lid_max && is_qpn(p->status.qpn);
}

void gw_ims_buf_status(gw_ims_buf *b, uint32_t conn, const gw_ims_packet *p)
{
    if (!gw_ims_buf_is_request(b, p) || !execute(b, conn, p))
        b->dropped++;
}
