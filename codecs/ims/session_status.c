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

/* Whether a buffer takes a request for one. */
typedef enum hearing {
    UNHEARD = 0, /* it throws it away, as far as anybody can tell */
    IN_DOUBT,    /* it may, or may not */
    HEARD,
} hearing;

static bool is_qpn(uint32_t qpn)
{
    return qpn > 1 && qpn <= GW_IB_NUMBER_MASK;
}

/* What a request should not be, a buffer may do with as it likes. */
static bool is_as_specified(const gw_ims_packet *p)
{
    const gw_ims_status *status = &p->status;

    return p->has_deth && !p->has_imm && status->lid <= UINT16_MAX && is_qpn(status->qpn) &&
           (status->method != GW_IMS_DATA_REQ || is_qpn(status->key));
}

static gw_ims_registration registration_of(const gw_ims_packet *p)
{
    return (gw_ims_registration){p->bth.dest_qp, p->deth.qkey, p->status.key};
}

static bool same_service(const gw_ims_registration *a, const gw_ims_registration *b)
{
    return a->service_qp == b->service_qp && a->service_key == b->service_key;
}

/* A buffer has one queue pair and key for requests, and throws away what has others. Which these
 * are shows when a STAT_REQ is answered. */
static hearing heard(const gw_ims_exchange *t, const gw_ims_worker *w)
{
    gw_ims_registration r = registration_of(t->p);

    if (!is_as_specified(t->p))
        return IN_DOUBT;
    if (t->p->status.method == GW_IMS_STAT_REQ) {
        const gw_ims_service *service = find_service(t->s, &t->dst, r.service_qp);
        if (service != NULL)
            return service->qkey == r.service_key ? HEARD : UNHEARD;
    }
    if (!w->has_known)
        return IN_DOUBT;
    return same_service(&r, &w->known) ? HEARD : UNHEARD;
}

/* Whether another Worker has a data channel, so that there may be none left. */
static bool others_write(const gw_ims_sessions *s, const gw_ims_worker *w)
{
    for (size_t i = 0; i < GW_IMS_WORKERS; i++) {
        const gw_ims_worker *other = &s->workers[i];
        if (other != w && other->touched != 0 && other->state == GW_IMS_OPEN &&
            gw_endpoint_equal(&other->buffer, &w->buffer))
            return true;
    }
    return false;
}

/* |repeated|: the one before may have been answered, and nobody saw it. */
static bool is_owed(const gw_ims_sessions *s, const gw_ims_worker *w, uint8_t method, bool repeated)
{
    switch (method) {
    case GW_IMS_STAT_REQ:
        return true;
    case GW_IMS_DATA_REQ:
        return w->state == GW_IMS_OPEN || (w->state == GW_IMS_REGISTERED && !others_write(s, w));
    case GW_IMS_DATA_TERM: /* otherwise silence is tolerated */
        return w->state == GW_IMS_OPEN && !repeated;
    default:
        return w->state >= GW_IMS_REGISTERED && !repeated;
    }
}

/* Whether what the request of |method| ends was asked for, and granted, after the last such
 * request: then it is there, whatever became of that. */
static bool has_begun_since(const gw_ims_worker *w, uint8_t method)
{
    bool data = (method & GW_IMS_DATA) != 0;
    const gw_ims_request *begin = &w->asked[(data ? GW_IMS_DATA_REQ : GW_IMS_STAT_REQ) >> 1];

    return begin->answer != 0 && begin->frame > w->asked[method >> 1].frame;
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

/* It may have taken what went elsewhere, or names another: what it may do next is not known. */
static void follow_lost(gw_ims_worker *w)
{
    w->state = GW_IMS_UNSEEN;
    w->has_memory = false;
}

static bool waits(const gw_ims_request *r)
{
    return r->frame != 0 && r->answer == 0 && !r->given_up;
}

/* What answers have to be like from now on, once this one is answered. */
static void follow_registration(const gw_ims_exchange *t, gw_ims_worker *w, hearing hears,
                                bool repeated)
{
    gw_ims_registration r = registration_of(t->p);
    bool same = same_service(&r, &w->told) && r.qkey == w->told.qkey;

    w->told_both = repeated && (w->told_both || !same);
    w->in_doubt = (repeated && w->in_doubt) ||
                  (hears != UNHEARD && (!w->has_known || w->known.qkey != r.qkey));
    w->told = r;
    if (hears != UNHEARD && w->state < GW_IMS_ASKED)
        w->state = GW_IMS_ASKED;
}

/* Responses go to the queue pair that is told from when the buffer takes the request on. */
static void follow_queue_pair(const gw_ims_exchange *t, gw_ims_worker *w, hearing hears,
                              bool repeated)
{
    uint32_t qp = t->p->status.key;

    if (hears == UNHEARD)
        return;
    w->told_both_qps = hears == IN_DOUBT || (repeated && (w->told_both_qps || qp != w->told_qp));
    w->told_qp = qp;
    w->has_worker_qp = w->has_worker_qp && w->worker_qp == qp;
}

/* What the request itself changes; the rest comes with its answer. |repeated|: the one before
 * waits. */
static void follow_request(gw_ims_exchange *t, gw_ims_worker *w, hearing hears, bool repeated)
{
    switch (t->p->status.method) {
    case GW_IMS_STAT_REQ:
        follow_registration(t, w, hears, repeated);
        return;
    case GW_IMS_DATA_REQ:
        follow_queue_pair(t, w, hears, repeated);
        break;
    default:
        if (hears != HEARD)
            break;
        gw_ims_end_data(t, w);
        if (w->state >= GW_IMS_REGISTERED && !w->ended)
            w->ended_ns = t->m->time_ns;
        w->ended = w->state >= GW_IMS_REGISTERED || w->ended;
        return;
    }
    if (hears == IN_DOUBT && w->state >= GW_IMS_REGISTERED)
        follow_lost(w);
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
        other->has_known = other->has_memory = false;
        for (size_t kind = 0; kind < GW_IMS_REQUESTS; kind++)
            other->asked[kind].owed = false;
    }
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
    hearing hears = heard(t, w);
    gw_ims_request *r = &w->asked[status->method >> 1];
    bool waiting = waits(r), repeated = r->frame != 0 && r->answer == 0;
    bool owed = is_owed(t->s, w, status->method, repeated && !has_begun_since(w, status->method));
    *r = (gw_ims_request){
        .frame = t->m->frame,
        .time_ns = t->m->time_ns,
        .answers = gw_ims_answers_of(t->s, &t->dst),
        .owed = hears == HEARD && owed,
        .repeated = repeated,
    };
    gw_ims_owe(t->s, t->m->time_ns);
    follow_request(t, w, hears, waiting);
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

/* Whether the answer at hand is the one that the last STAT_REQ waits for. */
static bool answers_registration(const gw_ims_exchange *t, const gw_ims_worker *w)
{
    const gw_ims_request *asked = &w->asked[GW_IMS_STAT_REQ >> 1];

    return t->p->status.method == GW_IMS_STAT_RES && asked->frame != 0 && asked->answer == 0;
}

/* By what STAT_REQ the answer at hand has to go; NULL: nobody knows. */
static const gw_ims_registration *registered(const gw_ims_exchange *t, const gw_ims_worker *w)
{
    if (answers_registration(t, w))
        return w->told_both ? NULL : &w->told;
    return w->has_known && !w->in_doubt ? &w->known : NULL;
}

static void judge_destination(const gw_ims_exchange *t, const gw_ims_worker *w)
{
    const gw_ib *ib = t->m->ib;
    const gw_ims_registration *r = registered(t, w);

    if (t->p->bth.dest_qp != w->qpn)
        report(t, IMS_B4, GW_IMS_F_BTH_DEST_QP, AT_DEST_QP,
               "to queue pair %x; the request's payload says %x",
               GW_NUMBERS(t->p->bth.dest_qp, w->qpn));
    if (t->p->has_deth && r != NULL && t->p->deth.qkey != r->qkey)
        report(t, IMS_B4, GW_IMS_F_DETH_QKEY, AT_QKEY,
               "with queue key %x; the request's payload says %x",
               GW_NUMBERS(t->p->deth.qkey, r->qkey));
    if (ib != NULL && ib->lrh != NULL && gw_ib_dlid(ib->lrh) != w->lid)
        report(t, IMS_B4, GW_IMS_F_STATUS_LID, t->body + IN_LID,
               "to LID %x; the request's payload says %x", GW_NUMBERS(gw_ib_dlid(ib->lrh), w->lid));
}

/* The service behind an answered STAT_REQ: the first answer shows its key and version. */
static void judge_service(gw_ims_exchange *t, const gw_ims_worker *w)
{
    const gw_ims_status *status = &t->p->status;
    const gw_ims_registration *r = registered(t, w);
    uint16_t version = (uint16_t)(status->major << 8 | status->minor);

    if (r == NULL)
        return;
    gw_ims_service *service = find_service(t->s, &t->src, r->service_qp);
    if (service == NULL) {
        service = add_service(t->s, &t->src, r->service_qp);
        service->qkey = r->service_key;
        service->version = version;
    }
    service->touched = t->s->clock;
    if (status->method == GW_IMS_STAT_RES && r->service_key != service->qkey)
        report(t, IMS_B2, GW_IMS_F_STATUS_METHOD, t->body,
               "answers a datagram with queue key %x; its own is %x",
               GW_NUMBERS(r->service_key, service->qkey));
    if (version != service->version)
        report(t, IMS_B14, GW_IMS_F_STATUS_MINOR, t->body + IN_VERSION,
               "version %d.%d; before it was %d.%d",
               GW_NUMBERS(status->major, status->minor, service->version >> 8,
                          service->version & 0xff));
}

/* Whoever else had the channel behind |qp| has it no more, though nobody saw the end. */
static void lose_channel(gw_ims_sessions *s, const gw_ims_worker *w, uint32_t qp)
{
    for (size_t i = 0; i < GW_IMS_WORKERS; i++) {
        gw_ims_worker *other = &s->workers[i];
        if (other != w && other->touched != 0 && other->has_memory && other->buffer_qp == qp &&
            gw_endpoint_equal(&other->buffer, &w->buffer))
            follow_lost(other);
    }
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
    lose_channel(s, w, status->key);
    w->va = status->va;
    w->rkey = status->rkey;
    w->buffer_qp = status->key;
    w->has_memory = true;
    w->was_open = true;
    w->wrote = false;
    gw_ims_forget_frames(s, w);
    gw_ims_break_frames(s, w);
}

/* Nobody knows whether a STAT_DOWN answers an earlier STAT_TERM, late or once more, or removes a
 * Worker that has registered since. */
static void remove_worker(const gw_ims_exchange *t, gw_ims_worker *w)
{
    const uint64_t asked = w->asked[GW_IMS_STAT_TERM >> 1].frame;

    if (asked != 0 && w->asked[GW_IMS_STAT_REQ >> 1].frame > asked) {
        follow_lost(w);
        return;
    }
    if (w->state != GW_IMS_GONE)
        w->gone = t->m->frame;
    if (w->state != GW_IMS_GONE && !w->ended)
        w->ended_ns = t->m->time_ns;
    w->state = GW_IMS_GONE;
    w->has_memory = false;
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
        remove_worker(t, w);
        return;
    }
}

static void relate(const gw_ims_exchange *t, gw_ims_request *r, bool mid_capture)
{
    int64_t delta = gw_wait_ns(r->time_ns, t->m->time_ns);

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

/* Whether the Worker listens for the key that the answer at hand comes with. */
static bool has_its_key(const gw_ims_exchange *t, const gw_ims_worker *w)
{
    const gw_ims_registration *r = registered(t, w);
    uint32_t qkey = t->p->deth.qkey;

    if (r != NULL)
        return qkey == r->qkey;
    return w->asked[GW_IMS_STAT_REQ >> 1].frame == 0 || qkey == w->told.qkey ||
           (w->has_known && qkey == w->known.qkey);
}

/* Whether the Worker surely gets the answer, and takes it for its own. */
static bool arrives(const gw_ims_exchange *t, const gw_ims_worker *w)
{
    return t->p->status.lid == w->lid && t->p->status.qpn == w->qpn &&
           t->p->bth.dest_qp == w->qpn && t->p->has_deth && !t->p->has_imm && has_its_key(t, w);
}

/* What the buffer goes by now that it has answered. */
static void follow_asked(const gw_ims_exchange *t, gw_ims_worker *w)
{
    uint8_t method = t->p->status.method;
    const gw_ims_request *asked = &w->asked[method >> 1];

    if (answers_registration(t, w)) {
        const gw_ims_registration told = w->told;
        w->known = told;
        w->has_known = !w->told_both;
        w->in_doubt = w->told_both = false;
    } else if (method == GW_IMS_DATA_RES && asked->frame != 0 && asked->answer == 0) {
        w->worker_qp = w->told_qp;
        w->has_worker_qp = !w->told_both_qps;
        w->told_both_qps = false;
    }
}

/* A Worker that was removed has no channel to ask for, or to end. An answer that STAT_DOWN overtook
 * was sent before that. */
static void judge_standing(const gw_ims_exchange *t, const gw_ims_worker *w)
{
    uint8_t method = t->p->status.method;
    const gw_ims_request *asked = &w->asked[method >> 1];

    if (w->state == GW_IMS_GONE && (method & GW_IMS_DATA) != 0 && asked->frame > w->gone &&
        !asked->repeated)
        report(t, IMS_B8, GW_IMS_F_STATUS_METHOD, t->body,
               "answers a Worker that is not registered", NULL);
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
    gw_ims_note_answer(t);
    gw_ims_end_silence(t, method >> 1);
    w = find_asker(t);
    if (w == NULL)
        w = add_worker(t, &t->dst, &t->src);
    w->touched = t->s->clock;
    judge_destination(t, w);
    judge_standing(t, w);
    judge_service(t, w);
    const gw_ims_request *asked = &w->asked[method >> 1];
    bool waited_for = !w->asks || (asked->frame != 0 && asked->answer == 0);
    bool arrived = arrives(t, w);
    follow_asked(t, w);
    relate(t, &w->asked[method >> 1], !w->asks);
    if (arrived)
        follow_answer(t, w, waited_for);
    else
        follow_lost(w);
}

void gw_ims_take_status(gw_ims_exchange *t)
{
    if (t->p->status.method >= GW_IMS_NUM_METHODS)
        return;
    //@ split t->p->status.method;
    if ((t->p->status.method & GW_IMS_RESPONSE) != 0)
        take_answer(t);
    else
        take_request(t);
}

/* ---- time ---- */

static void give_up(gw_ims_sessions *s, gw_ims_worker *w, size_t kind, gw_verdict_sink *sink,
                    bool overdue)
{
    static const enum gw_ims_rule_place rules[GW_IMS_REQUESTS] = {IMS_B3, IMS_B12, IMS_B9, IMS_B11};
    static const char *const texts[GW_IMS_REQUESTS] = {
        "no STAT_RES within %t, nor to %d STAT_REQ before",
        "no STAT_DOWN within %t, nor to %d STAT_TERM before",
        "no DATA_RES within %t, nor to %d DATA_REQ before",
        "no DATA_DOWN within %t, nor to %d DATA_TERM before"};
    static const char *const alone[GW_IMS_REQUESTS] = {
        "no STAT_RES within %t", "no STAT_DOWN within %t", "no DATA_RES within %t",
        "no DATA_DOWN within %t"};
    gw_ims_request *r = &w->asked[kind];
    gw_judge judge = {.sink = sink, .frame = r->frame, .revealed_by = s->frame};

    r->given_up = true;
    gw_relate(sink, &(gw_relation){.kind = GW_UNANSWERED, .request = r->frame});
    if (overdue && r->owed && gw_ims_is_silent(s, &w->buffer, kind, r->frame, r->answers))
        gw_ims_report(&judge, rules[kind], GW_IMS_F_STATUS_METHOD, GW_IB_BTH + GW_IB_DETH,
                      s->silent > 1 ? texts[kind] : alone[kind],
                      GW_NUMBERS((uint64_t)s->give_up_ns, s->silent - 1u));
}

void gw_ims_give_up_status(gw_ims_sessions *s, gw_verdict_sink *sink, bool end)
{
    for (size_t i = 0; i < GW_IMS_WORKERS; i++) {
        for (size_t kind = 0; kind < GW_IMS_REQUESTS; kind++) {
            const gw_ims_request *r = &s->workers[i].asked[kind];
            if (r->frame == 0 || r->answer != 0 || r->given_up)
                continue;
            bool overdue = gw_wait_ns(r->time_ns, s->now_ns) > s->give_up_ns;
            if (overdue || end)
                give_up(s, &s->workers[i], kind, sink, overdue);
            else
                gw_ims_owe(s, r->time_ns);
        }
    }
}
