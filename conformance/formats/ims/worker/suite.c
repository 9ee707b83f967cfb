/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Worker cases: the suite, and the good conversation that all cases are held against. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/ims/worker/suite.h"
#include "suite/response.h"

#define FRESH_NS (5 * GW_SECOND) /* one of ours is started by us */
#define TRIES 4                  /* until the path lets through what a case needs */
#define BABBLED_MAX 3            /* conversations of which too much said nothing new */

gw_imsw_state *gw_imsw_state_of(gw_ctx *ctx)
{
    return gw_case_state(ctx);
}

static void begin(gw_ctx *ctx)
{
    (void)ctx;
}

/* ---- conversations ---- */

static void keep(gw_imsw_state *state, const gw_evidence_packet *packet, const uint8_t *data)
{
    if (state->num_packets == GW_IMSW_PACKETS ||
        packet->len > sizeof(state->bytes) - state->num_bytes)
        return;
    gw_evidence_packet *kept = &state->packets[state->num_packets++];
    *kept = *packet;
    kept->data = state->num_bytes;
    memcpy(state->bytes + state->num_bytes, data, packet->len);
    state->num_bytes += packet->len;
}

/* Keeps what was said from packet |number| of the evidence on: this is still the pre-flight. */
static void keep_from(gw_ctx *ctx, unsigned number)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    const gw_evidence_packet *packet;
    state->num_packets = 0;
    state->num_bytes = 0;
    for (; (packet = gw_case_seen(ctx, number)) != NULL; number++)
        keep(state, packet, gw_case_seen_bytes(ctx, number));
}

static void note_fewest(gw_imsw_state *state, const gw_imsw_session *session)
{
    bool ended = session->whole && session->requests[GW_IMS_STAT_TERM] > 0;
    if (ended && session->num_frames > 0 &&
        (state->fewest == 0 || session->num_frames < state->fewest))
        state->fewest = session->num_frames;
}

/* Whoever has called is alive: there is no way to ask a Worker. */
static bool alive(gw_ctx *ctx, int64_t timeout_ns)
{
    static const gw_imsw_behavior good = {.tricks = GW_IMSW_WAITS};
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    unsigned number = 1;
    if (state->good.held)
        return true;
    while (gw_case_seen(ctx, number) != NULL)
        number++;
    if (!gw_imsw_hold(ctx, &state->good, &good, timeout_ns))
        return false;
    keep_from(ctx, number);
    gw_imsw_note_loss(&state->loss, &state->good);
    note_fewest(state, &state->good);
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

const gw_imsw_session *gw_imsw_recall(gw_ctx *ctx)
{
    static const gw_imsw_behavior good = {.tricks = GW_IMSW_WAITS};
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    bool again = can_repeat(ctx) && state->recalled == gw_case_self(ctx);
    state->recalled = gw_case_self(ctx);
    if (again || (can_repeat(ctx) && !tells(ctx, &state->good, 1)))
        return gw_imsw_try(ctx, &good, state->good.num_frames > 0 ? 1 : 0);
    begin_streak(state);
    return recall(ctx);
}

/* Somebody else's Worker may have to be started again by hand. */
static int64_t patience(const gw_ctx *ctx)
{
    int64_t first_ns = gw_case_first_ns(ctx);
    return gw_case_fresh(ctx) || first_ns == 0 ? FRESH_NS : first_ns;
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
    state->gone = !gw_imsw_hold(ctx, &state->now, behavior, patience(ctx));
    if (is_tame(behavior))
        gw_imsw_note_loss(&state->loss, &state->now);
    if (is_tame(behavior) && behavior->num_plans == 0)
        note_fewest(state, &state->now);
}

const gw_imsw_session *gw_imsw_try(gw_ctx *ctx, const gw_imsw_behavior *behavior, uint32_t frames)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    if (state->gone)
        gw_case_inconc(ctx, "the Worker did not call again before, so it is not waited for");
    if (state->babbled >= BABBLED_MAX)
        gw_case_inconc(ctx,
                       "the Worker said the same over and over in %u conversations, so it is "
                       "not heard again",
                       state->babbled);
    begin_streak(state);
    hold(ctx, behavior);
    for (unsigned i = 1;
         i < TRIES && can_repeat(ctx) && !state->gone && !tells(ctx, &state->now, frames); i++)
        hold(ctx, behavior);
    const char *no_start = state->gone ? gw_case_no_start(ctx) : NULL;
    if (no_start != NULL)
        gw_case_inconc(ctx, "the Worker was not started again: %s", no_start);
    if (state->gone)
        gw_case_inconc(ctx, "the Worker did not call again within %" PRId64 " s",
                       patience(ctx) / GW_SECOND);
    if (state->now.num_frames < frames)
        gw_case_inconc(ctx, "the Worker sent %" PRIu32 " of the %" PRIu32 " frames that it takes",
                       state->now.num_frames, frames);
    return &state->now;
}

/* ---- the suite ---- */

static bool has(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
{
    if (strcmp(need, "response_us") == 0)
        return gw_response_claimed(ctx, why, why_cap);
    if (strcmp(need, "images") == 0 && gw_case_board(ctx)->claims.images == GW_CLAIM_YES)
        return true;
    (void)snprintf(why, why_cap, "the board file does not claim %s", need);
    return false;
}

static bool accepts(const gw_dialect *dialect, bool stream, char *why, size_t why_cap)
{
    (void)stream;
    (void)snprintf(why, why_cap,
                   "before revision 1.1 the events of a NACK are not known; the cases are for 1.1");
    return gw_ims_dialect_of(dialect)->revision >= (GW_IMS_MAJOR << 8 | GW_IMS_MINOR);
}

/* All of it is what the Worker says of itself, and how it wrote to a good buffer. */
static void show(gw_ctx *ctx, gw_claims *shown)
{
    const gw_imsw_session *session = &gw_imsw_state_of(ctx)->good;
    const gw_imsw_sending *first = gw_imsw_first(session, 0);
    shown->version = session->version;
    shown->frame_bytes = first != NULL ? first->length : 0;
    shown->packet_bytes = session->packet_bytes;
}

static void identify(gw_ctx *ctx, char *out, size_t cap)
{
    const gw_imsw_session *session = &gw_imsw_state_of(ctx)->good;
    const gw_imsw_sending *first = gw_imsw_first(session, 0);
    (void)snprintf(out, cap,
                   "a Worker of protocol version %u.%u sent %" PRIu32 " frames of %" PRIu32
                   " bytes%s, in packets of %" PRIu32,
                   session->version >> 8, session->version & 0xffu, session->num_frames,
                   first != NULL ? first->length : 0, session->cut ? " and more" : "",
                   session->packet_bytes);
}

#define NATIVE                                                                                     \
    "UDP carries no service levels, lanes and route headers: only a native link shows them"
#define BUFFERS "speaks of what the buffer sends"

static const gw_exception exceptions[] = {
    {"IMS-C6", GW_BOTH_WAYS, BUFFERS},
    {"IMS-C7", GW_BOTH_WAYS, BUFFERS},
    {"IMS-C8", GW_BOTH_WAYS, BUFFERS},
    {"IMS-C9", GW_BOTH_WAYS, BUFFERS},
    {"IMS-C12", GW_BOTH_WAYS, NATIVE},
    {"IMS-C14", GW_BOTH_WAYS, NATIVE},
    {"IMS-C15", GW_BOTH_WAYS, NATIVE},
    {"IMS-C16", GW_BOTH_WAYS, NATIVE},
    {"IMS-W13", GW_BOTH_WAYS,
     "whom a Worker tells of a delivery is its own affair: nothing of it is on the wire"},
    {"IMS-W24", GW_BOTH_WAYS, NATIVE},
    {"IMS-W25", GW_BOTH_WAYS,
     "how many receive requests are posted is not on the wire; too few look like a lost "
     "response, which ims-w/no-response forgives"},
};

static const gw_case *const groups[] = {gw_ims_w_passive, gw_ims_w_behavior,
                                        gw_ims_w_false_responses};

const gw_suite gw_ims_w_suite = {
    .role = "ims-worker",
    .format = &gw_ims,
    .families = GW_LIST("IMS-W", "IMS-C"),
    .groups = groups,
    .num_groups = GW_ARRAY_LEN(groups),
    .exceptions = exceptions,
    .num_exceptions = GW_ARRAY_LEN(exceptions),
    .state_size = sizeof(gw_imsw_state),
    .calls_us = true,
    .accepts = accepts,
    .begin = begin,
    .alive = alive,
    .has = has,
    .show = show,
    .identify = identify,
};
