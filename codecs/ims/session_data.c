/* SPDX-License-Identifier: BSD-2-Clause */
/* The data channel: packets to frames by destination, queue pair and sequence number, and whether a
 * Worker writes when, where and what it may. */
#include <string.h>

#include "core/check.h"
#include "ims/session.h"

enum {
    AT_OPCODE = 0, /* offsets in a message */
    AT_VA = GW_IB_BTH,
    AT_RKEY = GW_IB_BTH + GW_IMS_BYTE_OF_RETH_RKEY,
    AT_LENGTH = GW_IB_BTH + GW_IMS_BYTE_OF_RETH_LENGTH,
};

static void report(const gw_ims_exchange *t, enum gw_ims_rule_place rule, int field,
                   uint32_t offset, const char *text, const uint64_t *numbers)
{
    gw_ims_report(&t->judge, rule, field, offset, text, numbers);
}

/* ---- tables ---- */

static bool is_open(const gw_ims_sent *f)
{
    return f->answer == 0 && !f->settled;
}

static void forget_oldest(gw_ims_sessions *s, gw_verdict_sink *sink)
{
    const gw_ims_sent *f = gw_ims_sent_at(s, 0);

    if (is_open(f))
        gw_relate(sink, &(gw_relation){.kind = GW_UNTRACKED, .request = f->last});
    gw_chains_remove(&s->by_address, (uint32_t)s->first); /* the first of its chain */
    s->first = s->first + 1 < s->room ? s->first + 1 : 0;
    s->count--;
}

/* The frame of |flow| at |va|. */
static gw_ims_sent *find_sent(gw_ims_sessions *s, const gw_ims_flow *flow, uint64_t va)
{
    uint32_t at = gw_chains_first(&s->by_address, gw_ims_hash_of(flow->epoch, va));

    for (; at != GW_CHAINS_NONE; at = gw_chains_after(&s->by_address, at)) {
        gw_ims_sent *f = &s->sent[at];
        if (f->va == va && gw_ims_flow_of(s, f) == flow)
            return f;
    }
    return NULL;
}

/* One at the same address takes the place of the frame before. One that began before the channel
 * did is none of it. */
static void remember(gw_ims_exchange *t, const gw_ims_flow *flow)
{
    gw_ims_sessions *s = t->s;

    if (flow->current.epoch != flow->epoch)
        return;
    gw_ims_sent *f = find_sent(s, flow, flow->current.va);
    /* A copy of it, which the path made, is answered as well, though it has its response. */
    bool has_other = false;
    uint32_t other = 0;

    if (f != NULL && (is_open(f) || !s->lossless)) {
        has_other = true;
        other = f->must;
    }

    if (f == NULL) {
        if (s->count == s->room)
            forget_oldest(s, t->sink);
        f = gw_ims_sent_at(s, s->count++);
        gw_chains_append(&s->by_address, (uint32_t)(f - s->sent),
                         gw_ims_hash_of(flow->epoch, flow->current.va));
    }
    *f = flow->current;
    f->has_other = has_other;
    f->other = other;
    gw_ims_owe(s, f->time_ns);
}

/* Frames that were sent before belong to nobody. */
static void begin_epoch(gw_ims_sessions *s, gw_ims_flow *flow)
{
    flow->epoch = ++s->epochs;
}

static bool is_flow_of(const gw_ims_worker *w, const gw_ims_flow *f)
{
    return f->touched != 0 && f->dest_qp == w->buffer_qp &&
           gw_ims_is_between(w, &f->worker, &f->buffer);
}

void gw_ims_forget_frames(gw_ims_sessions *s, const gw_ims_worker *w)
{
    for (uint32_t i = 0; i < GW_IMS_FLOWS; i++) {
        gw_ims_flow *f = &s->flows[i];
        if (!is_flow_of(w, f)) {
            if (f->dest_qp == w->buffer_qp && gw_endpoint_equal(&f->buffer, &w->buffer))
                memset(f, 0, sizeof *f); /* of who had the queue pair before */
            continue;
        }
        f->shared = false;
        begin_epoch(s, f);
        f->has_next = f->has_delivered = f->has_due = false;
        f->missed_below = 0;
        f->unseen = 0;
        f->packets = 0;
        f->length = 0;
        f->short_frame = 0;
    }
}

void gw_ims_break_frames(gw_ims_sessions *s, const gw_ims_worker *w)
{
    for (uint32_t i = 0; i < GW_IMS_FLOWS; i++) {
        gw_ims_flow *f = &s->flows[i];
        if (!is_flow_of(w, f))
            continue;
        f->has_psn = f->in_step = f->has_due = false;
        f->unseen = GW_IMS_ANY;
        f->current.gap = f->current.in_doubt = true;
    }
}

/* What becomes of frames when somebody else writes to their queue pair, nobody knows: a buffer may
 * take that, or throw it away. */
static void share(gw_ims_sessions *s, gw_ims_flow *flow)
{
    for (uint32_t i = 0; i < GW_IMS_FLOWS; i++) {
        gw_ims_flow *f = &s->flows[i];
        if (f == flow || f->touched == 0 || f->dest_qp != flow->dest_qp ||
            !gw_endpoint_equal(&f->buffer, &flow->buffer))
            continue;
        f->shared = flow->shared = true;
        f->current.in_doubt = true;
        for (size_t age = 0; age < s->count; age++) {
            gw_ims_sent *sent = gw_ims_sent_at(s, age);
            sent->in_doubt = sent->in_doubt || (sent->flow == i && sent->answer == 0);
        }
    }
}

static gw_ims_flow *find_flow(gw_ims_exchange *t)
{
    gw_ims_flow *oldest = &t->s->flows[0];

    for (size_t i = 0; i < GW_IMS_FLOWS; i++) {
        gw_ims_flow *f = &t->s->flows[i];
        if (f->touched != 0 && f->dest_qp == t->p->bth.dest_qp &&
            gw_endpoint_equal(&f->worker, &t->src) && gw_endpoint_equal(&f->buffer, &t->dst)) {
            f->touched = t->s->clock;
            return f;
        }
        if (f->touched < oldest->touched)
            oldest = f;
    }
    memset(oldest, 0, sizeof *oldest);
    begin_epoch(t->s, oldest);
    oldest->worker = t->src;
    oldest->buffer = t->dst;
    oldest->dest_qp = t->p->bth.dest_qp;
    oldest->touched = t->s->clock;
    oldest->unseen = GW_IMS_ANY;
    share(t->s, oldest);
    return oldest;
}

/* Whether |f| has to come again. When one outside the window has to, nobody says. */
static bool is_refused(const gw_ims_sent *f)
{
    return f->answer != 0 && gw_ims_reaction_to(&f->response) == GW_IMS_RESEND;
}

/* ---- the start of a frame ---- */

/* Whether the Worker may write at all. */
static void judge_permission(const gw_ims_exchange *t, const gw_ims_worker *w, gw_ims_sent *frame)
{
    if (w == NULL || w->state == GW_IMS_UNSEEN)
        return;
    if (w->ended || w->state == GW_IMS_GONE) {
        /* The end may have overtaken what was sent before. */
        if (t->s->lossless || gw_wait_ns(w->ended_ns, t->m->time_ns) > t->s->give_up_ns)
            report(t, IMS_W22, GW_IMS_F_BTH_OPCODE, AT_OPCODE,
                   "a frame after the end of the data channel", NULL);
        frame->late = true;
        frame->closed = w->state != GW_IMS_OPEN; /* or the end got lost on its way there */
    } else if (w->state != GW_IMS_OPEN && !w->was_open) {
        report(t, IMS_W4, GW_IMS_F_BTH_OPCODE, AT_OPCODE, "a frame before DATA_RES", NULL);
    }
}

/* After |gap| it need not be the first frame. */
static void judge_memory(const gw_ims_exchange *t, gw_ims_worker *w, gw_ims_sent *frame, bool gap)
{
    const gw_ib_reth *reth = &t->p->reth;

    if (reth->va % GW_IMS_ALIGN != 0)
        frame->must |= GW_IMS_INVALID_VA;
    /* A buffer may repeat the Worker's queue pair instead of telling its own. */
    if (w == NULL || !w->has_memory ||
        (w->buffer_qp != t->p->bth.dest_qp && w->buffer_qp != w->worker_qp))
        return;
    frame->known_rkey = true;
    frame->granted = w->state == GW_IMS_OPEN;
    if (reth->rkey != w->rkey) {
        frame->must |= GW_IMS_INVALID_RKEY;
        report(t, IMS_W5, GW_IMS_F_RETH_RKEY, AT_RKEY, "key %x; DATA_RES says %x",
               GW_NUMBERS(reth->rkey, w->rkey));
    }
    if (!w->wrote && !gap && reth->va != w->va)
        report(t, IMS_W5, GW_IMS_F_RETH_VA, AT_VA, "the first frame at %x; DATA_RES says %x",
               GW_NUMBERS(reth->va, w->va));
    w->wrote = true;
}

/* A frame that was shorter than those before it may only be the last. */
static void judge_length(const gw_ims_exchange *t, gw_ims_flow *flow)
{
    uint32_t length = t->p->reth.length;
    gw_judge judge = t->judge;

    if (flow->short_frame != 0) {
        judge.frame = flow->short_frame;
        gw_ims_report(&judge, IMS_W10, GW_IMS_F_RETH_LENGTH, AT_LENGTH,
                      "a frame of %d bytes that is not the last; those before have %d",
                      GW_NUMBERS(flow->short_len, flow->length));
        flow->short_frame = 0;
    }
    if (flow->length == 0) {
        flow->length = length;
    } else if (length > flow->length) {
        report(t, IMS_W10, GW_IMS_F_RETH_LENGTH, AT_LENGTH,
               "a frame of %d bytes; those before have %d", GW_NUMBERS(length, flow->length));
        flow->length = length;
    } else if (length < flow->length) {
        flow->short_frame = t->m->frame;
        flow->short_len = length;
    }
}

/* The packets that are missing before a start may have begun other frames: as many as they make
 * when each has as few as any. */
static void count_unseen(const gw_ims_exchange *t, gw_ims_flow *flow)
{
    uint32_t psn = t->p->bth.psn, len = t->p->payload_sent, length = t->p->reth.length;
    int32_t missing = flow->has_due ? gw_ib_psn_distance(psn, flow->due) : 0;
    uint32_t packets = 1;

    if (missing > 0 && flow->unseen != GW_IMS_ANY) {
        uint32_t fewest = flow->packets, each = fewest != 0 ? fewest : 1;
        uint32_t frames = ((uint32_t)missing + each - 1) / each;
        flow->unseen = frames < GW_IMS_ANY - flow->unseen ? flow->unseen + frames : GW_IMS_ANY;
    }
    if (!t->p->last && len != 0 && length > len)
        packets = length / len + (length % len != 0);
    flow->due = (psn + packets) & GW_IB_NUMBER_MASK;
    flow->has_due = true;
    if (flow->packets == 0 || packets < flow->packets)
        flow->packets = packets;
}

/* How many frames there are room for between the last new one and |reth|'s. */
static uint64_t skipped(const gw_ims_flow *flow, const gw_ib_reth *reth)
{
    uint32_t length = flow->length != 0 ? flow->length : reth->length;

    if (length == 0 || reth->va <= flow->next)
        return 0;
    uint64_t bytes = reth->va - flow->next;
    return bytes / length + (bytes % length != 0);
}

/* Whether the frames that |reth|'s seems to leave out may all have begun unseen. */
static bool may_be_unseen(const gw_ims_flow *flow, const gw_ib_reth *reth)
{
    if (!flow->has_next)
        return flow->unseen != 0;
    uint32_t length = flow->length;
    return reth->va > flow->next && length != 0 && (reth->va - flow->next) % length == 0 &&
           skipped(flow, reth) <= flow->unseen;
}

/* A frame that was not there before. */
static void judge_new(const gw_ims_exchange *t, gw_ims_flow *flow, bool gap)
{
    const gw_ib_reth *reth = &t->p->reth;

    if (gap) { /* others may have come between */
        uint64_t frames = skipped(flow, reth);
        if (flow->unseen != GW_IMS_ANY)
            flow->unseen -= frames < flow->unseen ? (uint32_t)frames : flow->unseen;
        if (flow->has_next && flow->next > flow->missed_below)
            flow->missed_below = flow->next;
        if (reth->va > flow->missed_below)
            flow->missed_below = reth->va;
        flow->has_next = flow->has_delivered = false;
        flow->short_frame = 0;
    }
    /* One that got lost on its way here is sent again at its own place. */
    if (reth->va < flow->missed_below)
        return;
    if (flow->has_next && reth->va != flow->next)
        report(t, IMS_W11, GW_IMS_F_RETH_VA, AT_VA,
               "the frame begins at %x; the one before ended at %x",
               GW_NUMBERS(reth->va, flow->next));
    judge_length(t, flow);
    if (reth->va % GW_IMS_ALIGN == 0) {
        flow->next = reth->va + reth->length;
        flow->has_next = true;
    }
}

/* A frame that was there before. It may have another length now, as it ought to have had. */
static void judge_again(const gw_ims_exchange *t, gw_ims_flow *flow, const gw_ims_sent *before)
{
    if (flow->short_frame == before->first)
        flow->short_frame = 0;
    if (flow->next == before->va + before->length)
        flow->next = before->va + t->p->reth.length;
    if (before->answer == 0)
        return;
    switch (gw_ims_reaction_to(&before->response)) {
    case GW_IMS_STOP:
        report(t, IMS_W16, GW_IMS_F_RETH_VA, AT_VA,
               "the frame at %x comes again after the NACK of frame %d with events %x",
               GW_NUMBERS(before->va, before->answer, before->response.events));
        return;
    case GW_IMS_WAIT:
        if (gw_wait_ns(before->answer_ns, t->m->time_ns) < GW_IMS_AT_ONCE_NS)
            report(t, IMS_W15, GW_IMS_F_RETH_VA, AT_VA,
                   "the frame at %x comes again %t after the NACK of frame %d",
                   GW_NUMBERS(before->va, (uint64_t)gw_wait_ns(before->answer_ns, t->m->time_ns),
                              before->answer));
        return;
    default:
        return;
    }
}

/* The frame before has no end. */
static void leave_frame(gw_ims_exchange *t, gw_ims_flow *flow, bool gap)
{
    gw_ims_sent *f = &flow->current;
    gw_judge judge = t->judge;

    flow->in_frame = false;
    f->gap = f->gap || gap;
    if (!f->gap) {
        judge.frame = f->first;
        gw_ims_report(&judge, IMS_W30, GW_IMS_F_RETH_LENGTH, AT_LENGTH,
                      "a frame of %d bytes ends after %d", GW_NUMBERS(f->length, f->got));
    }
    remember(t, flow);
}

/* Whether the first frame that is seen of a channel may be a later one. Those before it may have
 * got lost whole: nobody says with which PSN a channel begins. */
static bool may_be_later(const gw_ims_worker *w, const gw_ib_reth *reth)
{
    return reth->va > w->va && reth->va - w->va < GW_IMS_RING && reth->va % GW_IMS_ALIGN == 0;
}

static void start_frame(gw_ims_exchange *t, gw_ims_flow *flow, bool gap)
{
    const gw_ib_reth *reth = &t->p->reth;
    gw_ims_worker *w = gw_ims_worker_of_data(t->s, &t->src, &t->dst, t->p->bth.dest_qp);
    uint32_t number = (uint32_t)(flow - t->s->flows);

    if (flow->in_frame)
        leave_frame(t, flow, gap);
    gw_ims_sent frame = {.va = reth->va,
                         .first = t->m->frame,
                         .flow = number,
                         .epoch = flow->epoch,
                         .length = reth->length,
                         .answers = gw_ims_answers_of(t->s, &t->dst),
                         .in_doubt = flow->shared};
    judge_permission(t, w, &frame);
    if (w != NULL && w->has_memory && !w->wrote) { /* a new data channel */
        flow->has_next = false;
        flow->length = 0;
        flow->short_frame = 0;
        flow->delivered = flow->beyond = flow->beyond_end = w->va;
        flow->has_delivered = true;
        flow->next = w->va;
        flow->unseen = !t->s->lossless && !flow->has_due && may_be_later(w, reth) ? 1 : 0;
    }
    count_unseen(t, flow);
    gap = gap || may_be_unseen(flow, reth);
    judge_memory(t, w, &frame, gap);
    const gw_ims_sent *before = find_sent(t->s, flow, reth->va);
    if (before != NULL)
        judge_again(t, flow, before);
    else
        judge_new(t, flow, gap);
    frame.heeded = before != NULL && (before->heeded || is_refused(before));
    flow->current = frame;
    flow->in_frame = true;
    flow->orphan = 0;
    flow->first_len = t->p->payload_sent;
}

/* ---- its packets ---- */

/* A packet without a start, unless the start was lost. */
static void take_orphan(gw_ims_exchange *t, gw_ims_flow *flow, bool sure)
{
    if (!sure || flow->orphan != 0)
        return;
    flow->orphan = t->m->frame;
    flow->orphan_ns = t->m->time_ns;
    report(t, IMS_W30, GW_IMS_F_BTH_OPCODE, AT_OPCODE, "a packet of a frame that did not begin",
           NULL);
}

static void judge_size(const gw_ims_exchange *t, const gw_ims_flow *flow)
{
    uint32_t len = t->p->payload_sent;

    if (len > flow->first_len || (!t->p->last && len < flow->first_len))
        report(
            t, IMS_W8, GW_IMS_F_DATA_PAYLOAD, t->body,
            "%d byte%s of data; the frame's first packet has another size, and this is no shorter "
            "last one",
            GW_NUMBERS(len));
}

/* An image is as long as its frame; its checksum, which it begins with, runs along with the packets
 * from there on. */
static void begin_image(const gw_ims_exchange *t, gw_ims_flow *flow, const uint8_t *data,
                        size_t len)
{
    gw_ims_sent *f = &flow->current;

    f->no_image = true;
    if ((f->length != GW_IMS_IMAGE_4BIT && f->length != GW_IMS_IMAGE_6BIT) ||
        len < GW_IMS_IMAGE_HEADER)
        return;
    f->no_image = false;
    f->image_crc = gw_load_be32(data);
    if (gw_ims_image_va(data, false) != f->va)
        report(t, IMS_W26, GW_IMS_F_DATA_PAYLOAD, t->body + GW_IMS_IMAGE_VA_AT,
               "an image says that it lies at %x; its frame lies at %x",
               GW_NUMBERS(gw_ims_image_va(data, false), f->va));
    flow->image_crc =
        gw_crc32c(NULL, 0, data + GW_IMS_IMAGE_CRC_BYTES, len - GW_IMS_IMAGE_CRC_BYTES);
}

/* What was not captured whole is none. */
static void follow_image(const gw_ims_exchange *t, gw_ims_flow *flow)
{
    gw_ims_sent *f = &flow->current;
    const uint32_t len = t->p->payload_len;
    //@ split len;
    const uint8_t *data = gw_check_bytes(t->m, t->body, len);

    if (!t->d->images || len < t->p->payload_sent || data == NULL) {
        f->no_image = true;
        return;
    }
    if (t->p->first)
        begin_image(t, flow, data, len);
    else if (!f->no_image)
        flow->image_crc = gw_crc32c(NULL, flow->image_crc, data, len);
}

static void judge_image(const gw_ims_exchange *t, const gw_ims_flow *flow)
{
    const gw_ims_sent *f = &flow->current;
    gw_judge judge = t->judge;

    judge.frame = f->first;
    if (!f->no_image && !f->gap && f->got == f->length && flow->image_crc != f->image_crc)
        gw_ims_report(&judge, IMS_W27, GW_IMS_F_DATA_PAYLOAD, GW_IB_BTH + GW_IB_RETH,
                      "the image's CRC is %x; %x is expected",
                      GW_NUMBERS(f->image_crc, flow->image_crc));
}

static void end_frame(gw_ims_exchange *t, gw_ims_flow *flow)
{
    gw_ims_sent *f = &flow->current;
    gw_judge judge = t->judge;

    f->whole = true;
    if (!f->gap && f->got != f->length) {
        f->must |= GW_IMS_FRAME_LENGTH;
        judge.frame = f->first;
        gw_ims_report(&judge, IMS_W30, GW_IMS_F_RETH_LENGTH, AT_LENGTH,
                      "a frame of %d bytes; its packets carry %d", GW_NUMBERS(f->length, f->got));
    }
    judge_image(t, flow);
    flow->in_frame = false;
    remember(t, flow);
}

static void take_packet(gw_ims_exchange *t, gw_ims_flow *flow)
{
    gw_ims_sent *f = &flow->current;
    uint32_t len = t->p->payload_sent;

    f->last = t->m->frame;
    f->time_ns = t->m->time_ns;
    f->gap = f->gap || t->p->has_imm;
    f->in_doubt = f->in_doubt || t->p->has_imm;
    f->got = len > UINT32_MAX - f->got ? UINT32_MAX : f->got + len;
    if (len < GW_IMS_PACKET_MIN)
        f->must |= GW_IMS_PACKET_LENGTH;
    if (!t->p->first)
        judge_size(t, flow);
    follow_image(t, flow);
    if (t->p->last)
        end_frame(t, flow);
}

void gw_ims_take_data(gw_ims_exchange *t)
{
    gw_ims_flow *flow = find_flow(t);
    uint32_t psn = t->p->bth.psn;
    int32_t ahead = flow->has_psn ? gw_ib_psn_distance(psn, flow->psn) : 0;

    /* A copy, or one that was overtaken: the receiver drops it, or counts it and says so. */
    if (ahead < 0 && !t->p->first) {
        flow->current.gap = true;
        return;
    }
    flow->psn = (psn + 1) & GW_IB_NUMBER_MASK;
    flow->has_psn = true;
    if (t->p->first) {
        start_frame(t, flow, ahead != 0 || t->p->has_imm);
    } else if (!flow->in_frame) {
        flow->due = flow->has_due ? flow->due : psn;
        flow->has_due = true;
        take_orphan(t, flow, flow->in_step && ahead == 0);
        flow->in_step = ahead == 0 && (flow->in_step || t->p->last);
        return;
    } else if (ahead != 0) {
        flow->current.gap = true;
    }
    flow->in_step = true;
    take_packet(t, flow);
}

/* ---- ends ---- */

/* A NACK may get lost on its way to the Worker, which may end before it has waited long enough for
 * any response, or after it has sent a frame as often as it does. It does not miss many in a row,
 * and all of them long ago, without heeding one. */
static void judge_heed(const gw_ims_exchange *t, gw_ims_flow *flow, const gw_ims_sent *f)
{
    bool passed = gw_wait_ns(f->answer_ns, t->m->time_ns) > t->s->give_up_ns;
    gw_judge judge = t->judge;

    if (f->heeded)
        flow->unheeded = 0;
    const uint8_t deaf = t->s->lossless ? 1 : GW_IMS_DEAF;
    if (f->heeded || !is_refused(f) || !passed || ++flow->unheeded < deaf)
        return;
    flow->unheeded = deaf;
    judge.frame = f->first;
    gw_ims_report(
        &judge, IMS_W14, GW_IMS_F_RETH_VA, AT_VA,
        deaf == 1
            ? "the frame at %x was refused by frame %d and not sent again"
            : "the frame at %x was refused by frame %d and not sent again, nor were %d before it",
        GW_NUMBERS(f->va, f->answer, deaf - 1u));
}

void gw_ims_end_data(gw_ims_exchange *t, const gw_ims_worker *w)
{
    bool flows[GW_IMS_FLOWS];

    for (size_t i = 0; i < GW_IMS_FLOWS; i++) {
        const gw_ims_flow *flow = &t->s->flows[i];
        flows[i] = gw_ims_is_between(w, &flow->worker, &flow->buffer) &&
                   gw_ims_worker_of_data(t->s, &flow->worker, &flow->buffer, flow->dest_qp) == w;
    }
    for (size_t age = 0; age < t->s->count; age++) {
        gw_ims_sent *f = gw_ims_sent_at(t->s, age);
        if (f->settled || f->answer == 0 || !flows[f->flow] || gw_ims_flow_of(t->s, f) == NULL)
            continue;
        f->settled = true;
        judge_heed(t, &t->s->flows[f->flow], f);
    }
}

static void give_up(gw_ims_sessions *s, gw_ims_sent *f, gw_verdict_sink *sink, bool overdue)
{
    /* What was lost on the way, or is too short to be told of, may stay without. So may what went
     * where nobody is known to listen. */
    bool owed = f->whole && f->granted && !f->gap && !f->in_doubt && !f->excused && !f->late &&
                (f->must & GW_IMS_PACKET_LENGTH) == 0;
    const gw_ims_flow *flow = gw_ims_flow_of(s, f);
    gw_judge judge = {.sink = sink, .frame = f->first, .revealed_by = s->frame};

    f->settled = true;
    gw_relate(sink, &(gw_relation){.kind = GW_UNANSWERED, .request = f->last});
    if (overdue && owed && flow != NULL &&
        gw_ims_is_silent(s, &flow->buffer, gw_ims_shape_of(f), f->first, f->answers))
        gw_ims_report(&judge, IMS_B15, GW_IMS_F_BTH_OPCODE, AT_OPCODE,
                      s->silent > 1
                          ? "no response to the frame at %x within %t, nor to %d like it before"
                          : "no response to the frame at %x within %t",
                      GW_NUMBERS(f->va, (uint64_t)s->give_up_ns, s->silent - 1u));
}

void gw_ims_give_up_frames(gw_ims_sessions *s, gw_verdict_sink *sink, bool end)
{
    for (size_t age = 0; age < s->count; age++) {
        gw_ims_sent *f = gw_ims_sent_at(s, age);
        if (!is_open(f))
            continue;
        bool overdue = gw_wait_ns(f->time_ns, s->now_ns) > s->give_up_ns;
        if (overdue || end)
            give_up(s, f, sink, overdue);
        else
            gw_ims_owe(s, f->time_ns);
    }
}
