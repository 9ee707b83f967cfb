/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations: one message after the other, and what time brings. */
#include "ims/session.h"

#include <string.h>

static bool session_init(void *state, size_t cap, int64_t give_up_ns)
{
    gw_ims_sessions *s = state;

    if (cap < gw_ims_session.min_size)
        return false;
    memset(s, 0, sizeof *s);
    s->give_up_ns = give_up_ns;
    s->due_ns = INT64_MAX;
    s->silent = GW_IMS_SILENT;
    s->room = (cap - sizeof *s) / GW_IMS_SENT_BYTES;
    if (s->room > GW_IMS_FRAMES_MOST)
        s->room = GW_IMS_FRAMES_MOST;
    gw_chains_init(&s->by_address, s->sent + s->room, (uint32_t)s->room);
    return true;
}

static void session_lossless(void *state)
{
    gw_ims_sessions *s = state;

    s->lossless = true;
    s->silent = 1;
}

static void give_up(gw_ims_sessions *s, gw_verdict_sink *sink, bool end)
{
    s->due_ns = INT64_MAX;
    gw_ims_give_up_status(s, sink, end);
    gw_ims_give_up_frames(s, sink, end);
}

static void session_advance(void *state, int64_t now_ns, gw_verdict_sink *sink)
{
    gw_ims_sessions *s = state;

    s->now_ns = now_ns;
    if (now_ns > s->due_ns)
        give_up(s, sink, false);
}

/* ---- lanes (IMS-C12) ---- */

/* Whether |now| makes a bit common to both kinds. */
static bool shares(uint16_t seen[2], unsigned kind, unsigned now)
{
    seen[kind] |= (uint16_t)(1u << now);
    return (seen[!kind] >> now & 1) != 0;
}

static void judge_lanes(gw_ims_exchange *t)
{
    const gw_ib *ib = t->m->ib;
    unsigned kind = t->p->kind == GW_IMS_IS_STATUS ? 0 : 1;

    if (ib == NULL || ib->lrh == NULL)
        return;
    if (shares(t->s->lanes, kind, gw_ib_vl(ib->lrh)) && !t->s->shared_lane) {
        t->s->shared_lane = true;
        gw_report(&t->judge, &gw_ims_rules[IMS_C12], NULL, 0,
                  "virtual lane %d carries status and data", GW_NUMBERS(gw_ib_vl(ib->lrh)));
    }
    if (shares(t->s->levels, kind, gw_ib_sl(ib->lrh)) && !t->s->shared_level) {
        t->s->shared_level = true;
        gw_report(&t->judge, &gw_ims_rules[IMS_C12], NULL, 0,
                  "service level %d is used for status and data", GW_NUMBERS(gw_ib_sl(ib->lrh)));
    }
}

/* ---- messages ---- */

/* Who, whatever its port and queue pair: RoCEv2's source port says nothing. */
static gw_endpoint address_of(const gw_endpoint *end)
{
    gw_endpoint address = *end;

    address.port = 0;
    if (end->family == GW_FAMILY_LID)
        memset(address.ip + 2, 0, sizeof address.ip - 2);
    return address;
}

/* A receiver drops a packet with a wrong ICRC as if it had been lost. */
static bool is_dropped(const gw_message *m)
{
    return m->ib != NULL && m->ib->icrc_verdict == GW_IB_WRONG;
}

static void session_feed(void *state, const gw_message *m, const gw_dialect *dialect,
                         gw_verdict_sink *sink)
{
    gw_ims_sessions *s = state;
    gw_ims_packet p;

    s->clock++;
    s->frame = m->frame;
    session_advance(s, m->time_ns, sink);
    (void)gw_ims_decode(&p, m, dialect);
    if (p.kind == GW_IMS_FOREIGN || is_dropped(m))
        return;
    gw_ims_exchange t = {.s = s,
                         .m = m,
                         .p = &p,
                         .d = gw_ims_dialect_of(dialect),
                         .dialect = dialect,
                         .sink = sink,
                         .judge = gw_judge_of(m, dialect, sink),
                         .src = address_of(&m->src),
                         .dst = address_of(&m->dst),
                         .body = gw_ims_headers_len(&p)};
    judge_lanes(&t);
    if (p.kind == GW_IMS_IS_DATA)
        gw_ims_take_data(&t);
    else if (p.kind == GW_IMS_IS_STATUS && p.payload_sent == GW_IMS_STATUS && p.has_body)
        gw_ims_take_status(&t);
    else if (p.kind == GW_IMS_IS_ACK && p.payload_sent == GW_IMS_ACK && p.has_body)
        gw_ims_take_response(&t);
}

static void session_end(void *state, gw_verdict_sink *sink)
{
    give_up(state, sink, true);
}

const gw_session_ops gw_ims_session = {
    .min_size = sizeof(gw_ims_sessions) + GW_IMS_FRAMES_MIN * GW_IMS_SENT_BYTES,
    .init = session_init,
    .lossless = session_lossless,
    .feed = session_feed,
    .advance = session_advance,
    .end = session_end,
};
