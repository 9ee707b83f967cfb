/* SPDX-License-Identifier: BSD-2-Clause */
/* Judging conversations: the session's entrance. */
#include "etherbone/session/session.h"

enum {
    MIN_ENTRIES = 64,
    MIN_SIZE = sizeof(gw_eb_sessions) + MIN_ENTRIES * (sizeof(gw_eb_wait) + 2 * sizeof(gw_eb_ends)),
};

static bool session_init(void *state, size_t cap, int64_t give_up_ns)
{
    gw_eb_sessions *s = state;

    if (cap < MIN_SIZE)
        return false;
    memset(s, 0, sizeof *s);
    s->give_up_ns = give_up_ns;
    s->last_unanswered = UINT64_MAX;
    for (unsigned i = 0; i < GW_EB_SLOTS; i++)
        s->courses[i] = (gw_eb_course){.blind_ns = INT64_MIN,
                                       .pushed_ns = INT64_MIN,
                                       .forgot_ns = INT64_MIN,
                                       .answered_ns = INT64_MIN};
    gw_eb_table_init(&s->table, s + 1, cap - sizeof *s);
    return true;
}

static void feed_head(gw_eb_feeding *f)
{
    const gw_eb_reader *r = &f->reader;
    const uint8_t *p = gw_check_bytes(f->m, 0, GW_EB_BYTES_IN_HEADER);

    if (r->header.len < GW_EB_PROBE_LEN || p == NULL || !gw_eb_has_magic(p))
        return;
    if (r->header.flags & GW_EB_PF)
        gw_eb_feed_probe(f);
    else if (r->header.flags & GW_EB_PR)
        gw_eb_feed_probe_response(f);
}

static void finish(gw_eb_feeding *f)
{
    if (f->answers > 0)
        gw_eb_judge_reply(f);
    if (f->has_stray)
        gw_eb_relate_stray(f->s, f->sink, f->m->frame, f->stray_unit,
                           f->to_requester % GW_EB_SLOTS);
}

static void feed_packet(gw_eb_feeding *f)
{
    gw_eb_reader *r = &f->reader;
    gw_eb_record record;
    bool probing = false;

    bool open = gw_eb_open(r, f->m, f->dialect);
    if (r->has_header && (r->header.flags & (GW_EB_PF | GW_EB_PR)) != 0) {
        probing = true;
        feed_head(f);
    }
    if (open) {
        for (; gw_eb_next(r, &record); f->unit++)
            gw_eb_feed_record(f, &record);
    }
    if (open && r->error.kind == GW_TRUNCATED)
        gw_eb_feed_broken_record(f);
    if (r->error.capture_cut)
        gw_eb_note_blind(f);
    bool idle = f->answers + f->requests == 0 && !probing;
    if (idle && gw_eb_table_oldest(&f->s->table, GW_EB_WAITING) != NULL &&
        (gw_eb_feed_unmarked_response(f) || gw_eb_feed_otherwise(f)))
        return;
    finish(f);
}

static void session_feed(void *state, const gw_message *message, const gw_dialect *dialect,
                         gw_verdict_sink *sink)
{
    gw_eb_sessions *s = state;
    uint32_t stream = gw_eb_stream_of(message);
    gw_eb_feeding f;

    /* Member by member: clearing the whole costs more than a reply takes. */
    f.s = s;
    f.m = message;
    f.dialect = dialect;
    f.sink = sink;
    f.to_responder = gw_eb_ends_hash(&message->src, &message->dst, stream);
    f.to_requester = gw_eb_ends_hash(&message->dst, &message->src, stream);
    f.from_service =
        gw_eb_is_service_port(message->src.port) && !gw_eb_is_service_port(message->dst.port);
    f.unit = f.empties = f.zeros = f.requests = f.tries = 0;
    f.surely_reply = f.has_stray = f.counted_repeat = f.told_repeat = f.disagrees = false;
    f.request = 0;
    f.answers = f.misplaced = f.stray_unit = 0;
    f.mixed = f.zero_filled = false;
    f.answered = f.displaced = NULL;

    s->frame = message->frame;
    gw_eb_pass_time(s, message->time_ns, sink);
    /* What a second header was taken for is no record, and what is behind it has moved. */
    if (gw_eb_is_second_header(message))
        gw_eb_note_moved(&f);
    else if (message->part == GW_EB_LOST)
        gw_eb_note_blind(&f);
    else if (message->part != GW_EB_BANNER)
        feed_packet(&f);
}

static void session_advance(void *state, int64_t now_ns, gw_verdict_sink *sink)
{
    gw_eb_pass_time(state, now_ns, sink);
}

static void session_end(void *state, gw_verdict_sink *sink)
{
    gw_eb_sessions *s = state;
    gw_eb_wait *wait, *next;

    /* What was lost is known before anybody is accused. */
    for (wait = gw_eb_table_oldest(&s->table, GW_EB_WAITING); wait != NULL; wait = next) {
        next = gw_eb_table_younger(&s->table, wait);
        if (!wait->suspect.noted)
            gw_eb_give_up(s, wait, sink);
    }
    while ((wait = gw_eb_table_oldest(&s->table, GW_EB_WAITING)) != NULL)
        gw_eb_give_up(s, wait, sink);
    while ((wait = gw_eb_table_oldest(&s->table, GW_EB_DOUBTED)) != NULL)
        gw_eb_settle_doubt(s, wait, sink);
}

const gw_session_ops gw_eb_session = {
    .min_size = MIN_SIZE,
    .init = session_init,
    .feed = session_feed,
    .advance = session_advance,
    .end = session_end,
};
