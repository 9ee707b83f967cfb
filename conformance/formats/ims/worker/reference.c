/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Worker cases: the good exchange that all cases are held against. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/ims/worker/suite.h"

#define FRESH_NS (5 * GW_SECOND)   /* one of ours is started by us */
#define MISSED 3                   /* times that a path is thought to have kept it away */
#define TRIES 4                    /* until the path lets through what a case needs */
#define BABBLED_MAX 3              /* conversations of which too much said nothing new */
#define OTHERS_NS (10 * GW_SECOND) /* of all who call behind the first; there may be no end */
#define OTHERS_SLICE_NS (200 * GW_MS)

static void keep(gw_imsw_state *state, const gw_evidence_packet *packet, const uint8_t *data)
{
    state->full = state->full || state->num_packets == GW_IMSW_PACKETS ||
                  packet->len > sizeof(state->bytes) - state->num_bytes;
    if (state->full)
        return;
    gw_evidence_packet *kept = &state->packets[state->num_packets++];
    *kept = *packet;
    kept->data = state->num_bytes;
    memcpy(state->bytes + state->num_bytes, data, packet->len);
    state->num_bytes += packet->len;
}

/* The number that the next packet of the evidence will have. */
static unsigned next_number(const gw_ctx *ctx)
{
    unsigned number = 1;
    while (gw_case_seen(ctx, number) != NULL)
        number++;
    return number;
}

/* Keeps what was said in |session|, which began with packet |number| of the evidence: this is still
 * the pre-flight. What came behind it belongs to the next conversation. */
static void keep_from(gw_ctx *ctx, unsigned number, const gw_imsw_session *session)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    const gw_evidence_packet *packet;
    unsigned end = number + session->num_packets - session->before;
    for (; number < end && (packet = gw_case_seen(ctx, number)) != NULL; number++)
        keep(state, packet, gw_case_seen_bytes(ctx, number));
}

static void note_fewest(gw_imsw_state *state, const gw_imsw_session *session)
{
    bool ended = session->whole && session->requests[GW_IMS_STAT_TERM] > 0;
    if (ended && session->num_frames > 0 &&
        (state->fewest == 0 || session->num_frames < state->fewest))
        state->fewest = session->num_frames;
}

static const gw_imsw_behavior good_buffer = {.tricks = GW_IMSW_WAITS};

/* A start hook may be a script of several Workers, each of which is a conversation of its own. */
static void hold_others(gw_ctx *ctx)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + OTHERS_NS;
    const gw_imsw_session *last = &state->good;
    if (gw_case_ours(ctx) || !gw_case_fresh(ctx))
        return; /* who calls next does so for the next case */
    while ((state->early_packet.len > 0 || gw_case_hook_runs(ctx)) && !last->crowded &&
           state->num_others < GW_IMSW_OTHERS && gw_case_now(conn) < deadline) {
        gw_imsw_session *session = &state->others[state->num_others];
        unsigned number = next_number(ctx);
        if (!gw_imsw_hold_another(ctx, session, &good_buffer, OTHERS_SLICE_NS, last->num_packets))
            continue;
        keep_from(ctx, number, session);
        last = session;
        state->num_others++;
    }
    state->good.crowded = last->crowded;
}

/* Whoever has called is alive: there is no way to ask a Worker. */
bool gw_imsw_alive(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    unsigned number = next_number(ctx);
    if (state->good.held)
        return true;
    if (!gw_imsw_hold(ctx, &state->good, &good_buffer, timeout_ns))
        return false;
    state->num_packets = state->num_bytes = state->num_others = 0;
    state->full = false;
    keep_from(ctx, number, &state->good);
    gw_imsw_note_loss(&state->loss, &state->good);
    note_fewest(state, &state->good);
    hold_others(ctx);
    return true;
}

/* A case that did not fail last time begins to count anew. */
static void begin_streak(gw_imsw_state *state)
{
    if (!state->streak.lately)
        state->streak = (gw_imsw_streak){0};
    state->streak.lately = false;
}

static const gw_imsw_session *recall(gw_ctx *ctx)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    for (size_t i = 0; i < state->num_packets; i++)
        (void)gw_case_recall(ctx, &state->packets[i], state->bytes + state->packets[i].data);
    return &state->good;
}

/* Whether the case that runs can be judged by |session|. */
static bool tells(gw_ctx *ctx, const gw_imsw_session *session, uint32_t frames)
{
    return session->num_frames >= frames && !gw_imsw_unclear(ctx, session);
}

static bool can_repeat(const gw_ctx *ctx)
{
    return !gw_case_near(ctx) && gw_case_fresh(ctx);
}

static void need_one_at_a_time(gw_ctx *ctx, const gw_imsw_session *session)
{
    if (session->crowded)
        gw_case_inconc(ctx, "another Worker called before the first had taken its leave, and what "
                            "two say at once cannot be told apart: start one after another");
}

const gw_imsw_session *gw_imsw_recall(gw_ctx *ctx)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    need_one_at_a_time(ctx, &state->good);
    bool may_repeat = can_repeat(ctx) && state->num_others == 0;
    bool again = may_repeat && state->recalled == gw_case_self(ctx);
    state->recalled = gw_case_self(ctx);
    if (again || (may_repeat && !tells(ctx, &state->good, 1)))
        return gw_imsw_try(ctx, &good_buffer, state->good.num_frames > 0 ? 1 : 0);
    begin_streak(state);
    return recall(ctx);
}

/* Somebody else's Worker may have to be started again by hand. */
static int64_t patience(const gw_ctx *ctx)
{
    int64_t first_ns = gw_case_first_ns(ctx);
    return gw_case_fresh(ctx) || first_ns == 0 ? FRESH_NS : first_ns;
}

/* How often in a row it may stay away before it is not waited for any more. Each time that it is
 * started is a chance for the path to let it through. */
static unsigned may_miss(const gw_ctx *ctx)
{
    return gw_case_fresh(ctx) && !gw_case_near(ctx) ? MISSED : 1;
}

/* What says nothing wrong shows what the path does. */
static bool is_tame(const gw_imsw_behavior *behavior)
{
    return (behavior->tricks & ~(unsigned)(GW_IMSW_WAITS | GW_IMSW_AHEAD)) == 0 &&
           behavior->major == 0;
}

static void hold(gw_ctx *ctx, const gw_imsw_behavior *behavior)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    state->missed = gw_imsw_hold(ctx, &state->now, behavior, patience(ctx)) ? 0 : state->missed + 1;
    if (is_tame(behavior))
        gw_imsw_note_loss(&state->loss, &state->now);
    if (is_tame(behavior) && behavior->num_plans == 0)
        note_fewest(state, &state->now);
}

const gw_imsw_session *gw_imsw_try(gw_ctx *ctx, const gw_imsw_behavior *behavior, uint32_t frames)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    if (state->missed >= may_miss(ctx))
        gw_case_inconc(ctx, "the Worker did not call again before, so it is not waited for");
    if (state->babbled >= BABBLED_MAX)
        gw_case_inconc(ctx,
                       "the Worker said the same over and over in %u conversations, so it is "
                       "not heard again",
                       state->babbled);
    begin_streak(state);
    hold(ctx, behavior);
    for (unsigned i = 1;
         i < TRIES && can_repeat(ctx) && state->missed == 0 && !tells(ctx, &state->now, frames);
         i++)
        hold(ctx, behavior);
    const char *no_start = state->missed > 0 ? gw_case_no_start(ctx) : NULL;
    if (no_start != NULL)
        gw_case_inconc(ctx, "the Worker was not started again: %s", no_start);
    if (state->missed > 0)
        gw_case_inconc(ctx, "the Worker did not call again within %" PRId64 " s",
                       patience(ctx) / GW_SECOND);
    need_one_at_a_time(ctx, &state->now);
    if (state->now.num_frames < frames)
        gw_case_inconc(ctx, "the Worker sent %" PRIu32 " of the %" PRIu32 " frames that it takes",
                       state->now.num_frames, frames);
    return &state->now;
}
