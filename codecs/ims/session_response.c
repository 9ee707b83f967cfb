/* SPDX-License-Identifier: BSD-2-Clause */
/* Responses: which frame each one answers, and whether it says of it what was to be said. */
#include "ims/session.h"

enum {
    IN_EVENTS = 4, /* offsets from the response's first byte */
    IN_VA = 8,
    NO_TYPE = GW_IMS_TYPE_NACK + 1, /* of a response that is none: whoever gets it ignores it */
};

static void report(const gw_ims_exchange *t, enum gw_ims_rule_place rule, int field, uint32_t in,
                   const char *text, const uint64_t *numbers)
{
    gw_ims_report(&t->judge, rule, field, t->body + in, text, numbers);
}

/* What was found among the frames that |t| may answer. */
typedef struct match {
    gw_ims_sent *waiting;  /* the oldest at its address without a response */
    gw_ims_sent *answered; /* the newest with one */
    bool ambiguous;        /* another one at the same address waits */
    gw_ims_sent *oldest;   /* of find_open: the oldest without a response, wherever */
    unsigned open;         /* likewise, how many have none: 2 or more are alike */
} match;

/* What a flow is to a response. */
enum way {
    NO_WAY = 0, /* of no other direction */
    ASTRAY,     /* between the same ends, to another queue pair than the buffer named, or to that,
                   and somebody else writes to it */
    MAY_BE,     /* likewise, and nobody saw it name one */
    GRANTED,    /* to the queue pair that the buffer named in DATA_RES */
};

/* What all flows are to it, and the most that one of them is: what is less may have gone anywhere,
 * and is held against nobody. */
typedef struct ways {
    enum way of[GW_IMS_FLOWS];
    enum way most;
    unsigned alike; /* so many are the most: of several nobody knows which it is */
    bool shared;    /* it may be to what somebody else wrote */
} ways;

/* Whether what went by |flow| may be held against the buffer. */
static bool is_sure(const ways *flows, uint32_t flow)
{
    return flows->of[flow] == flows->most && flows->most >= MAY_BE && flows->alike == 1 &&
           !flows->shared;
}

/* Whether the buffer was seen to name a queue pair of its own between the ends of |flow|. */
static bool is_named(const gw_ims_sessions *s, const gw_ims_flow *flow)
{
    for (size_t i = 0; i < GW_IMS_WORKERS; i++) {
        const gw_ims_worker *w = &s->workers[i];
        if (gw_ims_is_between(w, &flow->worker, &flow->buffer) && w->has_memory &&
            w->buffer_qp != w->worker_qp)
            return true;
    }
    return false;
}

/* Whether |flow| is the other direction of the channel that the response came through. */
static enum way way_there(gw_ims_exchange *t, const gw_ims_flow *flow)
{
    if (flow->touched == 0 || !gw_endpoint_equal(&flow->worker, &t->dst) ||
        !gw_endpoint_equal(&flow->buffer, &t->src))
        return NO_WAY;
    const gw_ims_worker *w =
        gw_ims_worker_of_data(t->s, &flow->worker, &flow->buffer, flow->dest_qp);
    if (w != NULL && w->has_worker_qp && w->worker_qp != t->p->bth.dest_qp)
        return NO_WAY;
    if (w != NULL && w->has_memory && w->buffer_qp == flow->dest_qp && !flow->shared)
        return GRANTED;
    return is_named(t->s, flow) ? ASTRAY : MAY_BE;
}

/* Before revision 1.0 a response has the lower half of the address only. */
static bool is_address(const gw_ims_exchange *t, uint64_t va)
{
    uint64_t mask = t->d->revision < 0x0100 ? UINT32_MAX : UINT64_MAX;

    return ((t->p->ack.va ^ va) & mask) == 0;
}

static bool no_start(const gw_ims_exchange *t)
{
    return t->p->ack.type == GW_IMS_TYPE_NACK && gw_ims_is_mask(t->d) &&
           (t->p->ack.events & GW_IMS_NO_START) != 0;
}

/* How many frames came before |f|. */
static size_t age_of(const gw_ims_sessions *s, const gw_ims_sent *f)
{
    size_t place = (size_t)(f - s->sent);

    return place >= s->first ? place - s->first : place + s->room - s->first;
}

static bool is_older(const gw_ims_sessions *s, const gw_ims_sent *f, const gw_ims_sent *than)
{
    return age_of(s, f) < age_of(s, than);
}

/* Adds the frames of |flow| at the response's address. */
static void find_in_flow(gw_ims_exchange *t, const gw_ims_flow *flow, match *found)
{
    gw_ims_sessions *s = t->s;
    uint32_t at = gw_chains_first(&s->by_address, gw_ims_hash_of(flow->epoch, t->p->ack.va));

    for (; at != GW_CHAINS_NONE; at = gw_chains_after(&s->by_address, at)) {
        gw_ims_sent *f = &s->sent[at];
        if (gw_ims_flow_of(s, f) != flow || !is_address(t, f->va))
            continue;
        if (f->answer != 0) {
            if (found->answered == NULL || is_older(s, found->answered, f))
                found->answered = f;
            continue;
        }
        found->ambiguous = found->waiting != NULL;
        if (found->waiting == NULL || is_older(s, f, found->waiting))
            found->waiting = f;
    }
}

/* What went to another queue pair than the buffer named is sought when nothing else waits. */
static match find_frame(gw_ims_exchange *t, const ways *flows)
{
    match found = {0};

    for (enum way way = flows->most; way > NO_WAY && found.waiting == NULL; way--) {
        for (size_t i = 0; i < GW_IMS_FLOWS; i++) {
            if (flows->of[i] == way)
                find_in_flow(t, &t->s->flows[i], &found);
        }
    }
    return found;
}

/* Which have no response, wherever they are; of more than one that is all that counts. */
static void find_open(gw_ims_exchange *t, const ways *flows, match *found)
{
    for (size_t age = 0; age < t->s->count && (found->open < 2 || no_start(t)); age++) {
        gw_ims_sent *f = gw_ims_sent_at(t->s, age);
        if (f->answer != 0 || flows->of[f->flow] == NO_WAY || gw_ims_flow_of(t->s, f) == NULL)
            continue;
        found->open++;
        f->excused = f->excused || no_start(t);
        if (found->oldest == NULL)
            found->oldest = f;
    }
}

/* ---- what a response has to say ---- */

static const struct {
    uint32_t event;
    enum gw_ims_rule_place rule;
    const char *text;
} demanded[] = {
    {GW_IMS_INVALID_RKEY, IMS_B20, "frame %d has another key than DATA_RES; events %x"},
    {GW_IMS_INVALID_VA, IMS_B21, "frame %d begins at no multiple of 64; events %x"},
    {GW_IMS_FRAME_LENGTH, IMS_B22, "frame %d is not as long as it says; events %x"},
    {GW_IMS_PACKET_LENGTH, IMS_B23, "frame %d has a packet of less than 64 bytes; events %x"},
};

/* What of |f| the buffer must have seen. It tells when packets got lost on their way: then the
 * wrong ones may be among them, and what came may add up. A frame that lost its end alone may be
 * closed by the start of the next one, and not be as long as it says. */
static uint32_t seen_of(const gw_ims_flow *flow, const gw_ims_sent *f, uint32_t told)
{
    bool overtaken = flow->current.first > f->last;

    if ((told & GW_IMS_OUT_OF_SEQUENCE) != 0)
        return f->must & ~(uint32_t)(GW_IMS_FRAME_LENGTH | GW_IMS_PACKET_LENGTH);
    if ((told & GW_IMS_FRAME_LENGTH) != 0 && overtaken)
        return f->must & ~(uint32_t)GW_IMS_PACKET_LENGTH;
    return f->must;
}

static void judge_events(const gw_ims_exchange *t, const gw_ims_flow *flow, const gw_ims_sent *f)
{
    const gw_ims_ack *ack = &t->p->ack;
    bool is_ack = ack->type == GW_IMS_TYPE_ACK;
    uint32_t told = is_ack ? 0 : ack->events;
    uint32_t must = seen_of(flow, f, told), wrong = 0;
    uint32_t may = f->must | (f->has_other ? f->other : 0);

    if (f->has_other)
        must &= f->other;

    if (!is_ack && !gw_ims_is_mask(t->d))
        return;
    for (size_t i = 0; i < GW_ARRAY_LEN(demanded); i++) {
        if ((must & ~told & demanded[i].event) != 0)
            report(t, demanded[i].rule, GW_IMS_F_ACK_EVENTS, IN_EVENTS, demanded[i].text,
                   GW_NUMBERS(f->last, ack->events));
    }
    /* Only what every packet shows whole can be said not to be so. */
    if (f->known_rkey)
        wrong |= GW_IMS_INVALID_RKEY & told & ~may;
    wrong |= GW_IMS_INVALID_VA & told & ~may;
    if (wrong != 0)
        report(t, IMS_B18, GW_IMS_F_ACK_EVENTS, IN_EVENTS,
               "events %x, and nothing of %x is true of frame %d",
               GW_NUMBERS(ack->events, wrong, f->last));
}

/* The read pointer is at most where what was delivered ends. */
static void judge_window(const gw_ims_exchange *t, const gw_ims_flow *flow, const gw_ims_sent *f)
{
    const gw_ims_ack *ack = &t->p->ack;
    bool told = ack->type == GW_IMS_TYPE_NACK && (ack->events & GW_IMS_OUTSIDE_WINDOW) != 0;

    if (!flow->has_delivered || told || (f->must & GW_IMS_FATAL) != 0 ||
        (ack->type == GW_IMS_TYPE_NACK && !gw_ims_is_mask(t->d)))
        return;
    if (gw_ims_zone_of(f->va, f->length, flow->delivered, GW_IMS_RING, flow->length) ==
        GW_IMS_BEYOND)
        report(t, IMS_B24, GW_IMS_F_ACK_EVENTS, IN_EVENTS,
               "the frame at %x lies beyond the window, which begins at %x at the latest",
               GW_NUMBERS(f->va, flow->delivered));
}

static void judge_answer(const gw_ims_exchange *t, const gw_ims_flow *flow, const gw_ims_sent *f)
{
    judge_window(t, flow, f);
    if (t->p->ack.type == GW_IMS_TYPE_ACK && f->closed)
        report(t, IMS_B11, GW_IMS_F_ACK_TYPE, 0,
               "acknowledges frame %d, which came after the end of the data channel",
               GW_NUMBERS(f->last));
    judge_events(t, flow, f);
}

/* Moves the end of what was delivered, as far as one run behind one hole lets it be followed. */
static void deliver(gw_ims_flow *flow, const gw_ims_sent *f)
{
    uint64_t end = f->va + f->length;
    bool hole = flow->beyond_end > flow->delivered;

    if (f->va > flow->delivered) {
        flow->has_delivered = flow->has_delivered && (!hole || f->va == flow->beyond_end);
        flow->beyond = hole ? flow->beyond : f->va;
        flow->beyond_end = end;
        return;
    }
    if (end <= flow->delivered)
        return; /* again */
    flow->has_delivered =
        flow->has_delivered && f->va == flow->delivered && (!hole || end <= flow->beyond);
    flow->delivered = hole && end == flow->beyond ? flow->beyond_end : end;
}

/* |judged|: what the response says can be held against the buffer. */
static void take_answer(gw_ims_exchange *t, gw_ims_sent *f, bool ambiguous, bool judged)
{
    gw_ims_flow *flow = &t->s->flows[f->flow];
    int64_t delta = gw_wait_ns(f->time_ns, t->m->time_ns);

    gw_relate(t->sink, &(gw_relation){.kind = (uint8_t)(f->settled ? GW_STALE : GW_ANSWERS),
                                      .request = f->last,
                                      .response = t->m->frame,
                                      .delta_ns = delta,
                                      .ambiguous = ambiguous});
    f->answer = t->m->frame;
    f->answer_ns = t->m->time_ns;
    f->response = t->p->ack;
    if (t->p->has_imm)
        f->response.type = NO_TYPE; /* a Worker need not take it */
    f->settled = false;
    gw_ims_end_silence(t, gw_ims_shape_of(f));
    if (judged && !ambiguous && !f->in_doubt)
        judge_answer(t, flow, f);
    if (t->p->ack.type == GW_IMS_TYPE_ACK)
        deliver(flow, f);
}

/* ---- which frame ---- */

/* A response after a packet without a start, at an address that no frame has. */
static bool take_orphan(gw_ims_exchange *t, const ways *flows, const match *found)
{
    for (size_t i = 0; i < GW_IMS_FLOWS; i++) {
        gw_ims_flow *flow = &t->s->flows[i];
        if (flows->of[i] == NO_WAY || flow->orphan == 0)
            continue;
        if (found->waiting != NULL && !no_start(t))
            return false;
        gw_relate(t->sink, &(gw_relation){.kind = GW_ANSWERS,
                                          .request = flow->orphan,
                                          .response = t->m->frame,
                                          .delta_ns = gw_wait_ns(flow->orphan_ns, t->m->time_ns)});
        if (!no_start(t) && gw_ims_is_mask(t->d) && is_sure(flows, (uint32_t)i) &&
            found->answered == NULL)
            report(t, IMS_B25, GW_IMS_F_ACK_EVENTS, IN_EVENTS, "frame %d had no start; events %x",
                   GW_NUMBERS(flow->orphan, t->p->ack.events));
        flow->orphan = 0;
        return true;
    }
    return false;
}

/* Whether a frame at the response's address is on its way: the buffer may have seen its end. */
static bool is_under_way(const gw_ims_exchange *t, const ways *flows)
{
    for (size_t i = 0; i < GW_IMS_FLOWS; i++) {
        const gw_ims_flow *flow = &t->s->flows[i];
        if (flows->of[i] != NO_WAY && flow->in_frame && is_address(t, flow->current.va))
            return true;
    }
    return false;
}

static void take_unknown(gw_ims_exchange *t, const ways *flows, match *found)
{
    find_open(t, flows, found);
    const gw_ims_sent *f = found->oldest;

    if (no_start(t) && f != NULL) {
        gw_relate(t->sink, &(gw_relation){.kind = GW_ANSWERS,
                                          .request = f->last,
                                          .response = t->m->frame,
                                          .delta_ns = gw_wait_ns(f->time_ns, t->m->time_ns),
                                          .ambiguous = true});
        return;
    }
    gw_relate(t->sink, &(gw_relation){.kind = GW_UNSOLICITED, .response = t->m->frame});
    if (!no_start(t) && f != NULL && found->open == 1 && f->whole && !f->gap && !f->settled &&
        is_sure(flows, f->flow) && !is_under_way(t, flows))
        report(t, IMS_B17, GW_IMS_F_ACK_VA, IN_VA,
               "the address %x; frame %d, which waits, is at %x",
               GW_NUMBERS(t->p->ack.va, f->last, f->va));
}

/* Whether somebody else wrote to the buffer at the response's address: it may be to that, where it
 * went to a queue pair that was the Worker's when nobody looked. */
static bool may_be_anothers(gw_ims_exchange *t)
{
    match found = {0};

    for (size_t i = 0; i < GW_IMS_FLOWS && found.waiting == NULL; i++) {
        const gw_ims_flow *flow = &t->s->flows[i];
        if (flow->touched == 0 || gw_endpoint_equal(&flow->worker, &t->dst) ||
            !gw_endpoint_equal(&flow->buffer, &t->src))
            continue;
        if (flow->in_frame && is_address(t, flow->current.va))
            return true;
        find_in_flow(t, flow, &found);
    }
    return found.waiting != NULL;
}

void gw_ims_take_response(gw_ims_exchange *t)
{
    ways flows = {.most = NO_WAY};

    gw_ims_note_answer(t);
    for (size_t i = 0; i < GW_IMS_FLOWS; i++) {
        flows.of[i] = way_there(t, &t->s->flows[i]);
        flows.alike = flows.of[i] > flows.most ? 1 : flows.alike + (flows.of[i] == flows.most);
        if (flows.of[i] > flows.most)
            flows.most = flows.of[i];
        flows.shared = flows.shared || (flows.of[i] == MAY_BE && t->s->flows[i].shared);
    }
    flows.shared = flows.shared || (flows.most == MAY_BE && may_be_anothers(t));
    match found = find_frame(t, &flows);
    if (take_orphan(t, &flows, &found))
        return;
    if (!no_start(t) && found.waiting != NULL)
        take_answer(t, found.waiting, found.ambiguous, is_sure(&flows, found.waiting->flow));
    else if (!no_start(t) && found.answered != NULL)
        gw_relate(t->sink,
                  &(gw_relation){.kind = GW_DUPLICATE,
                                 .request = found.answered->last,
                                 .response = t->m->frame,
                                 .delta_ns = gw_wait_ns(found.answered->time_ns, t->m->time_ns),
                                 .earlier = found.answered->answer});
    else
        take_unknown(t, &flows, &found);
}
