/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations of the farm: each message goes to the part that judges its kind. */
#include "l1farm/session.h"

#include <string.h>

#include "core/check.h"

#define MIN_SIZE (sizeof(l1_session) + L1_SENDS * L1_SEND_BYTES)

static bool session_init(void *state, size_t cap, int64_t give_up_ns)
{
    l1_session *s = state;

    if (cap < MIN_SIZE)
        return false;
    memset(s, 0, sizeof *s);
    s->give_up_ns = give_up_ns;
    s->room = (cap - sizeof *s) / L1_SEND_BYTES;
    if (s->room > L1_SENDS_MOST)
        s->room = L1_SENDS_MOST;
    gw_chains_init(&s->by_sender, s->sends + s->room, (uint32_t)s->room);
    return true;
}

static void session_lossless(void *state)
{
    l1_session *s = state;

    s->lossless = true;
}

/* A packet that was captured whole. */
static void take_packet(l1_session *s, const gw_judge *judge, const gw_message *m,
                        const gw_l1_unit *u, const gw_l1_profile *profile)
{
    const gw_l1_sci *sci = &u->u.sci;
    uint32_t start = u->data_offset + GW_L1_SCI_RECORD;

    if (u->data_len < GW_L1_SCI_RECORD)
        return;
    uint32_t len = u->data_len - GW_L1_SCI_RECORD;
    //@ split len;
    if (len != sci->len || (sci->flags & (GW_L1_SCI_CUT | GW_L1_SCI_PATTERN)) != 0)
        return;
    const uint8_t *symbols = gw_check_bytes(m, start, len);
    if (symbols != NULL)
        gw_l1_take_sci(s, judge, m, sci, symbols, start, profile);
}

static void take_trace(l1_session *s, const gw_judge *judge, const gw_message *m,
                       const gw_l1_unit *u, const gw_l1_profile *profile)
{
    gw_cursor clocks = gw_l1_data(m, u);
    gw_l1_traced p = {0};

    while (gw_l1_trace_read(&p, &clocks)) {
        gw_l1_sci sci = {.kind = p.kind};
        if (!p.whole || p.len > sizeof p.symbols)
            continue;
        //@ assert traced: p.len <= sizeof(p.symbols);
        gw_l1_sci_read(&sci, gw_cursor_over(p.symbols, p.len), p.len, profile);
        gw_l1_take_sci(s, judge, m, &sci, p.symbols, p.offset, profile);
    }
}

/* A board that is listened to may begin a run; which board of that number it is, nobody says. */
static void take_listen(l1_session *s, const gw_l1_shim *shim)
{
    for (size_t i = 0; i < L1_PLACES; i++) {
        if (s->places[i].topic == L1_NODE && s->places[i].id == shim->dest)
            s->places[i] = (l1_place){0};
    }
    gw_l1_forget_schedule(s);
    s->last_decision = 0;
}

static void take_register(l1_session *s, const gw_l1_unit *u, bool tunnel)
{
    const gw_l1_register *r = &u->u.reg;

    if (!u->has_shim || r->op != GW_L1_WRITE || r->bar != 0)
        return;
    s->lists[u->shim.ru].vague |= tunnel;
    if (r->offset == GW_L1_DMACNTRL && (r->value & GW_L1_DMA_CLEAR) != 0)
        gw_l1_forget_readout(s, u->shim.ru);
    else if (r->offset == GW_L1_DESCS)
        gw_l1_take_list_end(s, u->shim.ru, r->value);
}

static void take_notice(l1_session *s, const gw_judge *judge, const gw_l1_shim *shim, bool udp,
                        const gw_l1_profile *profile)
{
    if (shim->kind == GW_L1_KIND_FREE)
        gw_l1_take_release(s, shim);
    else if (shim->kind == GW_L1_KIND_LISTEN)
        take_listen(s, shim);
    else if (shim->kind == GW_L1_KIND_ENTERED)
        gw_l1_take_entry(s, judge->frame, shim, profile);
    else if (shim->kind == GW_L1_KIND_TIMEOUT)
        gw_l1_take_decision(s, judge, shim, udp, profile);
}

static void take_unit(l1_session *s, const gw_judge *judge, const gw_message *m,
                      const gw_l1_unit *u, const gw_l1_profile *profile)
{
    bool tunnel = m->transport == GW_OVER_UDP, udp = tunnel && !s->lossless;

    switch (u->has) {
    case GW_L1_HAS_WORDS:
    case GW_L1_HAS_RU:
    case GW_L1_HAS_DATA:
        if (!u->has_shim || (udp && gw_l1_is_copy(s, m)))
            return; /* a burst says neither who sent it nor when */
        gw_l1_take_entry(s, judge->frame, &u->shim, profile);
        gw_l1_take_subevent(s, judge, u, udp, profile);
        return;
    case GW_L1_HAS_SCI:
        take_packet(s, judge, m, u, profile);
        return;
    case GW_L1_HAS_TRACE:
        take_trace(s, judge, m, u, profile);
        return;
    case GW_L1_HAS_TAG:
        if (!udp || !gw_l1_is_copy(s, m))
            gw_l1_take_tag(s, judge, u, m->interface, profile);
        return;
    case GW_L1_HAS_EDGE:
        if (!udp) /* lost, overtaken or repeated, they say nothing of what came at the unit */
            gw_l1_take_edge(s, judge, &u->u.edge, u->data_offset);
        if (tunnel && u->has_shim)
            s->lists[u->shim.ru].vague = true;
        return;
    case GW_L1_HAS_RESULT:
        if (udp && gw_l1_is_copy(s, m))
            return;
        if (u->has_shim && u->shim.kind == GW_L1_KIND_DECISION)
            gw_l1_take_decision(s, judge, &u->shim, udp, profile);
        else
            gw_l1_take_result(s, judge, u, udp, m->interface);
        return;
    case GW_L1_HAS_REGISTER:
        take_register(s, u, tunnel);
        return;
    case GW_L1_HAS_DESCRIPTORS:
        gw_l1_take_descriptors(s, m, u, profile);
        if (u->has_shim)
            s->lists[u->shim.ru].vague |= tunnel;
        return;
    case GW_L1_HAS_NOTICE:
        take_notice(s, judge, &u->shim, udp, profile);
        return;
    default:
        return;
    }
}

static void session_feed(void *state, const gw_message *m, const gw_dialect *dialect,
                         gw_verdict_sink *sink)
{
    l1_session *s = state;
    gw_judge judge = gw_judge_of(m, dialect, sink);
    gw_l1_unit u;

    s->clock++;
    s->dialect = dialect;
    gw_l1_sci_advance(s, m->time_ns, sink);
    (void)gw_l1_decode(&u, m, dialect);
    take_unit(s, &judge, m, &u, gw_l1_profile_of(dialect));
}

static void session_advance(void *state, int64_t now_ns, gw_verdict_sink *sink)
{
    gw_l1_sci_advance(state, now_ns, sink);
}

static void session_end(void *state, gw_verdict_sink *sink)
{
    gw_l1_sci_end(state, sink);
    gw_l1_schedule_end(state, sink);
}

const gw_session_ops gw_l1_session = {
    .min_size = MIN_SIZE,
    .init = session_init,
    .lossless = session_lossless,
    .feed = session_feed,
    .advance = session_advance,
    .end = session_end,
};
