/* SPDX-License-Identifier: BSD-2-Clause */
/* The status channel: who is registered where, and whether each request got its answer. */
#include <string.h>

#include "goldwire/cursor.h"
#include "ims/session.h"

enum {
    AT_DEST_QP = GW_IMS_BYTE_OF_BTH_DEST_QP, /* offsets in a message */
    AT_QKEY = GW_IB_BTH,
    IN_VERSION = 2, /* from the body's first byte */
    IN_LID = 4,
};

static void report(const gw_ims_exchange *t, enum gw_ims_rule_place rule, int field,
                   uint32_t offset, const char *text, const uint64_t *numbers)
{
    gw_ims_report(&t->judge, rule, field, offset, text, numbers);
}

/* ---- tables ---- */

static gw_ims_worker *find_worker(gw_ims_sessions *s, const gw_endpoint *worker,
                                  const gw_endpoint *buffer, uint32_t lid, uint32_t qpn)
{
    for (size_t i = 0; i < GW_IMS_WORKERS; i++) {
        gw_ims_worker *w = &s->workers[i];
        if (w->lid == lid && w->qpn == qpn && gw_ims_is_between(w, worker, buffer))
            return w;
    }
    return NULL;
}

/* Tells that nobody will know any more whether the requests of |w| were answered. */
static void lose_requests(gw_verdict_sink *sink, const gw_ims_worker *w)
{
    for (size_t i = 0; i < GW_IMS_REQUESTS; i++) {
        const gw_ims_request *r = &w->asked[i];
        if (r->frame != 0 && r->answer == 0 && !r->given_up)
            gw_relate(sink, &(gw_relation){.kind = GW_UNTRACKED, .request = r->frame});
    }
}

static gw_ims_worker *add_worker(gw_ims_exchange *t, const gw_endpoint *worker,
                                 const gw_endpoint *buffer)
{
    gw_ims_worker *oldest = &t->s->workers[0];

    for (size_t i = 1; i < GW_IMS_WORKERS; i++) {
        if (t->s->workers[i].touched < oldest->touched)
            oldest = &t->s->workers[i];
    }
    if (oldest->touched != 0)
        lose_requests(t->sink, oldest);
    memset(oldest, 0, sizeof *oldest);
    oldest->worker = *worker;
    oldest->buffer = *buffer;
    oldest->lid = t->p->status.lid;
    oldest->qpn = t->p->status.qpn;
    return oldest;
}

static gw_ims_service *find_service(gw_ims_sessions *s, const gw_endpoint *buffer, uint32_t qp)
{
    for (size_t i = 0; i < GW_IMS_SERVICES; i++) {
        gw_ims_service *service = &s->services[i];
        if (service->touched != 0 && service->qp == qp &&
            gw_endpoint_equal(&service->buffer, buffer))
            return service;
    }
    return NULL;
}

static gw_ims_service *add_service(gw_ims_sessions *s, const gw_endpoint *buffer, uint32_t qp)
{
    gw_ims_service *oldest = &s->services[0];

    for (size_t i = 1; i < GW_IMS_SERVICES; i++) {
        if (s->services[i].touched < oldest->touched)
            oldest = &s->services[i];
    }
    *oldest = (gw_ims_service){.buffer = *buffer, .touched = s->clock, .qp = qp};
    return oldest;
}

/* ---- requests ---- */

static bool is_owed(const gw_ims_worker *w, uint8_t method)
{
    switch (method) {
    case GW_IMS_STAT_REQ:
        return true;
    case GW_IMS_DATA_TERM: /* otherwise silence is tolerated */
        return w->state == GW_IMS_OPEN;
    default:
        return w->state >= GW_IMS_REGISTERED;
    }
}

static void judge_data_request(const gw_ims_exchange *t, const gw_ims_worker *w)
{
    if (w->state == GW_IMS_GONE || w->state == GW_IMS_ASKED)
        report(t, IMS_W2, GW_IMS_F_STATUS_METHOD, t->body,
               "DATA_REQ of a Worker that is not registered", NULL);
    if (w->state >= GW_IMS_REGISTERED && w->major > GW_IMS_MAJOR)
        report(t, IMS_W29, GW_IMS_F_STATUS_METHOD, t->body,
               "DATA_REQ to a buffer of version %d; 1 is known", GW_NUMBERS(w->major));
}

static void judge_request(const gw_ims_exchange *t, const gw_ims_worker *w)
{
    switch (t->p->status.method) {
    case GW_IMS_DATA_REQ:
        judge_data_request(t, w);
        return;
    case GW_IMS_DATA_TERM:
        if (w->state == GW_IMS_REGISTERED && !w->was_open)
            report(t, IMS_W21, GW_IMS_F_STATUS_METHOD, t->body,
                   "DATA_TERM, and no data channel was opened", NULL);
        return;
    default:
        return;
    }
}

/* What the request itself changes; the rest comes with its answer. */
static void follow_request(gw_ims_exchange *t, gw_ims_worker *w)
{
    const gw_ims_status *status = &t->p->status;

    switch (status->method) {
    case GW_IMS_STAT_REQ:
        w->qkey = status->key;
        w->has_qkey = true;
        w->service_qp = t->p->bth.dest_qp;
        w->service_key = t->p->deth.qkey;
        if (w->state < GW_IMS_ASKED)
            w->state = GW_IMS_ASKED;
        return;
    case GW_IMS_DATA_REQ:
        w->worker_qp = status->key;
        w->has_worker_qp = true;
        return;
    default:
        gw_ims_end_data(t, w);
        w->ended = w->state >= GW_IMS_REGISTERED || w->ended;
        return;
    }
}

/* A buffer knows a Worker by its LID and queue pair alone. So what somebody of the same name asks,
 * from another address, changes what is known there of |w|'s namesakes: nobody can say how. */
static void doubt_namesakes(gw_ims_sessions *s, const gw_ims_worker *w)
{
    for (size_t i = 0; i < GW_IMS_WORKERS; i++) {
        gw_ims_worker *other = &s->workers[i];
        if (other == w || other->touched == 0 || other->lid != w->lid || other->qpn != w->qpn ||
            !gw_endpoint_equal(&other->buffer, &w->buffer))
            continue;
        other->state = GW_IMS_UNSEEN;
        other->has_qkey = other->has_memory = false;
        for (size_t kind = 0; kind < GW_IMS_REQUESTS; kind++)
            other->asked[kind].owed = false;
    }
}

/* Whether the request went where the Worker's STAT_REQ did, with the same key. A buffer throws away
 * what goes elsewhere, as far as anybody can tell. */
static bool goes_to_service(const gw_ims_exchange *t, const gw_ims_worker *w)
{
    return t->p->status.method == GW_IMS_STAT_REQ || !w->has_qkey ||
           (t->p->bth.dest_qp == w->service_qp &&
            (!t->p->has_deth || t->p->deth.qkey == w->service_key));
}

static void take_request(gw_ims_exchange *t)
{
    const gw_ims_status *status = &t->p->status;
    gw_ims_worker *w = find_worker(t->s, &t->src, &t->dst, status->lid, status->qpn);

    if (find_service(t->s, &t->src, t->p->deth.src_qp) != NULL) {
        report(t, IMS_C3, GW_IMS_F_STATUS_METHOD, t->body, "method %d from a buffer",
               GW_NUMBERS(status->method));
        return;
    }
    if (w == NULL)
        w = add_worker(t, &t->src, &t->dst);
    w->touched = t->s->clock;
    w->asks = true;
    doubt_namesakes(t->s, w);
    judge_request(t, w);
    bool is_heard = goes_to_service(t, w);
    gw_ims_request *r = &w->asked[status->method >> 1];
    *r = (gw_ims_request){
        .frame = t->m->frame,
        .time_ns = t->m->time_ns,
        .owed = is_heard && is_owed(w, status->method),
        .repeated = r->frame != 0 && r->answer == 0,
    };
    gw_ims_owe(t->s, t->m->time_ns);
    if (is_heard)
        follow_request(t, w);
}

/* ---- answers ---- */

/* Whose answer this is: that of the Worker it names, or, when it names none that is known, of the
 * one whose queue pair it goes to. */
static gw_ims_worker *find_asker(gw_ims_exchange *t)
{
    const gw_ims_status *status = &t->p->status;
    gw_ims_worker *w = find_worker(t->s, &t->dst, &t->src, status->lid, status->qpn);

    if (w != NULL)
        return w;
    for (size_t i = 0; i < GW_IMS_WORKERS; i++) {
        w = &t->s->workers[i];
        if (!gw_ims_is_between(w, &t->dst, &t->src) || w->qpn != t->p->bth.dest_qp)
            continue;
        report(t, IMS_B5, GW_IMS_F_STATUS_LID, t->body + IN_LID,
               "LID %x and queue pair %x; the Worker's are %x and %x",
               GW_NUMBERS(status->lid, status->qpn, w->lid, w->qpn));
        return w;
    }
    return NULL;
}

static void judge_destination(const gw_ims_exchange *t, const gw_ims_worker *w)
{
    const gw_ib *ib = t->m->ib;

    if (t->p->bth.dest_qp != w->qpn)
        report(t, IMS_B4, GW_IMS_F_BTH_DEST_QP, AT_DEST_QP,
               "to queue pair %x; the request's payload says %x",
               GW_NUMBERS(t->p->bth.dest_qp, w->qpn));
    if (t->p->has_deth && w->has_qkey && t->p->deth.qkey != w->qkey)
        report(t, IMS_B4, GW_IMS_F_DETH_QKEY, AT_QKEY,
               "with queue key %x; the request's payload says %x",
               GW_NUMBERS(t->p->deth.qkey, w->qkey));
    if (ib != NULL && ib->lrh != NULL && gw_ib_dlid(ib->lrh) != w->lid)
        report(t, IMS_B4, GW_IMS_F_STATUS_LID, t->body + IN_LID,
               "to LID %x; the request's payload says %x", GW_NUMBERS(gw_ib_dlid(ib->lrh), w->lid));
}

/* The service behind an answered STAT_REQ: the first answer shows its key and version. */
static void judge_service(gw_ims_exchange *t, const gw_ims_worker *w)
{
    const gw_ims_status *status = &t->p->status;
    gw_ims_service *service = find_service(t->s, &t->src, w->service_qp);
    uint16_t version = (uint16_t)(status->major << 8 | status->minor);

    if (!w->has_qkey)
        return;
    if (service == NULL) {
        service = add_service(t->s, &t->src, w->service_qp);
        service->qkey = w->service_key;
        service->version = version;
    }
    service->touched = t->s->clock;
    if (status->method == GW_IMS_STAT_RES && w->service_key != service->qkey)
        report(t, IMS_B2, GW_IMS_F_STATUS_METHOD, t->body,
               "answers a datagram with queue key %x; its own is %x",
               GW_NUMBERS(w->service_key, service->qkey));
    if (version != service->version)
        report(t, IMS_B14, GW_IMS_F_STATUS_MINOR, t->body + IN_VERSION,
               "version %d.%d; before it was %d.%d",
               GW_NUMBERS(status->major, status->minor, service->version >> 8,
                          service->version & 0xff));
}

static void open_data(gw_ims_sessions *s, gw_ims_worker *w, const gw_ims_status *status,
                      bool waited_for)
{
    bool same = w->state == GW_IMS_OPEN && w->has_memory && w->va == status->va &&
                w->rkey == status->rkey && w->buffer_qp == status->key;

    /* A Worker that has its answer may pass over another one: nobody knows which it goes by. Of one
     * who was lost track of this may be the answer that it had before. */
    if (!same && !waited_for && (w->state == GW_IMS_OPEN || w->state == GW_IMS_UNSEEN)) {
        w->has_memory = false;
        return;
    }
    w->state = GW_IMS_OPEN;
    w->ended = false;
    if (same) {
        gw_ims_break_frames(s, w);
        return;
    }
    w->va = status->va;
    w->rkey = status->rkey;
    w->buffer_qp = status->key;
    w->has_memory = true;
    w->was_open = true;
    w->wrote = false;
    gw_ims_forget_frames(s, w);
    gw_ims_break_frames(s, w);
}

static void follow_answer(const gw_ims_exchange *t, gw_ims_worker *w, bool waited_for)
{
    const gw_ims_status *status = &t->p->status;

    switch (status->method) {
    case GW_IMS_STAT_RES:
        w->major = status->major;
        if (w->state < GW_IMS_REGISTERED && (w->state != GW_IMS_UNSEEN || !w->asks)) {
            w->state = GW_IMS_REGISTERED;
            w->was_open = w->has_memory = w->ended = false;
        }
        return;
    case GW_IMS_DATA_RES:
        open_data(t->s, w, status, waited_for);
        return;
    case GW_IMS_DATA_DOWN:
        w->was_open = true; /* or the capture began after it */
        w->state = GW_IMS_REGISTERED;
        w->has_memory = false;
        return;
    default:
        w->state = GW_IMS_GONE;
        w->has_memory = false;
        return;
    }
}

static void relate(const gw_ims_exchange *t, gw_ims_request *r, bool mid_capture)
{
    int64_t delta = gw_ims_span(t->m->time_ns, r->time_ns);

    if (r->frame == 0) {
        if (!mid_capture)
            gw_relate(t->sink, &(gw_relation){.kind = GW_UNSOLICITED, .response = t->m->frame});
    } else if (r->answer != 0) {
        gw_relate(t->sink, &(gw_relation){.kind = GW_DUPLICATE,
                                          .request = r->frame,
                                          .response = t->m->frame,
                                          .delta_ns = delta,
                                          .earlier = r->answer});
    } else {
        gw_relate(t->sink, &(gw_relation){.kind = (uint8_t)(r->given_up ? GW_STALE : GW_ANSWERS),
                                          .request = r->frame,
                                          .response = t->m->frame,
                                          .delta_ns = delta,
                                          .ambiguous = r->repeated});
        r->answer = t->m->frame;
    }
}

/* Whether the Worker surely gets the answer, and takes it for its own. */
static bool arrives(const gw_ims_exchange *t, const gw_ims_worker *w)
{
    return t->p->status.lid == w->lid && t->p->status.qpn == w->qpn &&
           t->p->bth.dest_qp == w->qpn &&
           (!t->p->has_deth || !w->has_qkey || t->p->deth.qkey == w->qkey);
}

/* It may have taken what went elsewhere, or names another: what it may do next is not known. */
static void follow_lost(gw_ims_worker *w)
{
    w->state = GW_IMS_UNSEEN;
    w->has_memory = false;
}

static void take_answer(gw_ims_exchange *t)
{
    uint8_t method = t->p->status.method;
    gw_ims_worker *w;

    if (find_service(t->s, &t->dst, t->p->bth.dest_qp) != NULL) {
        report(t, IMS_C3, GW_IMS_F_STATUS_METHOD, t->body, "method %d to a buffer",
               GW_NUMBERS(method));
        return;
    }
    w = find_asker(t);
    if (w == NULL)
        w = add_worker(t, &t->dst, &t->src);
    w->touched = t->s->clock;
    judge_destination(t, w);
    if (w->state == GW_IMS_GONE && (method & GW_IMS_DATA) != 0)
        report(t, IMS_B8, GW_IMS_F_STATUS_METHOD, t->body,
               "answers a Worker that is not registered", NULL);
    judge_service(t, w);
    const gw_ims_request *asked = &w->asked[method >> 1];
    bool waited_for = !w->asks || (asked->frame != 0 && asked->answer == 0);
    relate(t, &w->asked[method >> 1], !w->asks);
    if (arrives(t, w))
        follow_answer(t, w, waited_for);
    else
        follow_lost(w);
}

void gw_ims_take_status(gw_ims_exchange *t)
{
    if (t->p->status.method >= GW_IMS_NUM_METHODS)
        return;
    if ((t->p->status.method & GW_IMS_RESPONSE) != 0)
        take_answer(t);
    else
        take_request(t);
}

/* ---- time ---- */

static void give_up(gw_ims_sessions *s, gw_ims_request *r, size_t kind, gw_verdict_sink *sink,
                    bool overdue)
{
    static const enum gw_ims_rule_place rules[GW_IMS_REQUESTS] = {IMS_B3, IMS_B12, IMS_B9, IMS_B11};
    static const char *const texts[GW_IMS_REQUESTS] = {
        "no STAT_RES within %t", "no STAT_DOWN within %t", "no DATA_RES within %t",
        "no DATA_DOWN within %t"};
    gw_judge judge = {.sink = sink, .frame = r->frame, .revealed_by = s->frame};

    r->given_up = true;
    gw_relate(sink, &(gw_relation){.kind = GW_UNANSWERED, .request = r->frame});
    if (overdue && r->owed)
        gw_ims_report(&judge, rules[kind], GW_IMS_F_STATUS_METHOD, GW_IB_BTH + GW_IB_DETH,
                      texts[kind], GW_NUMBERS((uint64_t)s->give_up_ns));
}

void gw_ims_give_up_status(gw_ims_sessions *s, gw_verdict_sink *sink, bool end)
{
    for (size_t i = 0; i < GW_IMS_WORKERS; i++) {
        for (size_t kind = 0; kind < GW_IMS_REQUESTS; kind++) {
            gw_ims_request *r = &s->workers[i].asked[kind];
            if (r->frame == 0 || r->answer != 0 || r->given_up)
                continue;
            bool overdue = gw_ims_span(s->now_ns, r->time_ns) > s->give_up_ns;
            if (overdue || end)
                give_up(s, r, kind, sink, overdue);
            else
                gw_ims_owe(s, r->time_ns);
        }
    }
}
