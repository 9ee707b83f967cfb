/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Worker: how it takes refusals, silence, strangers and buffers of other versions. */
#include <inttypes.h>
#include <stdio.h>

#include "formats/ims/worker/suite.h"
#include "suite/response.h"

#define MANY 40               /* sendings of a frame that nobody answers */
#define STOP_NS (100 * GW_MS) /* after which a Worker that has to stop has done so */
#define AT_ONCE_NS GW_MS      /* no wait at all */
#define FRAME 0               /* the one that is not answered as usual */

static const gw_imsw_plan unanswered = {.frame = FRAME, .times = 1};

const gw_imsw_sending *gw_imsw_again(gw_ctx *ctx, const char *rule, const gw_imsw_session *session,
                                     uint32_t number, bool at_once, const char *what)
{
    const gw_imsw_sending *first = gw_imsw_first(session, number);
    const gw_imsw_sending *second = first == NULL ? NULL : gw_imsw_next(session, first);
    if (first == NULL)
        gw_case_inconc(ctx, "frame %" PRIu32 " never came to its end", number);
    gw_miss miss = {.rule = rule, .packet = first->packet};
    gw_imsw_judge(ctx, session, "IMS-W11"); /* sent again, but elsewhere */
    if (second == NULL)
        gw_imsw_fail(ctx, &miss, number, "%s: the frame at %#" PRIx64 " was not sent again", what,
                     first->va);
    int64_t later = second->start_ns - first->answer_ns - gw_imsw_turn_ns(ctx);
    miss.packet = second->packet;
    if (at_once && later >= gw_imsw_response_ns(ctx) * 3 / 4)
        gw_imsw_fail(ctx, &miss, number,
                     "%s: the frame at %#" PRIx64 " was sent again only %" PRId64
                     " ms later, as if nothing had come",
                     what, first->va, later / GW_MS);
    return second;
}

void gw_imsw_progress(gw_ctx *ctx, const char *rule, const gw_imsw_session *session,
                      const char *what)
{
    /* Of a Worker that was seen to its end it is known how much it would have sent. */
    const gw_imsw_state *state = gw_imsw_state_of(ctx);
    uint32_t good = state->fewest > 0 ? state->fewest : state->good.num_frames;
    gw_miss miss = {.rule = rule};
    if (good == 0)
        gw_case_inconc(ctx, "the Worker sends no frames to a good buffer either");
    if (session->num_frames == 0)
        gw_imsw_fail(ctx, &miss, 0, "%s: the Worker sent no frame", what);
    bool more = session->num_frames > good && gw_case_near(ctx); /* what got lost is sent again */
    if (session->whole && (session->num_frames < good || more))
        gw_imsw_fail(ctx, &miss, session->num_frames,
                     "%s: the Worker sent %" PRIu32 " frames; it sends %" PRIu32
                     " to a good buffer",
                     what, session->num_frames, good);
}

/* ---- versions and answers ---- */

static void version(gw_ctx *ctx)
{
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.major = 9, .minor = 7}, 0);
    gw_miss miss = {.rule = "IMS-W6", .proven = true};
    if (session->num_frames > 0)
        gw_case_fail(ctx, &miss, "the Worker writes to a buffer of version 9.7");
    gw_imsw_judge(ctx, session, "IMS-W29");
}

static void noise(gw_ctx *ctx)
{
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.tricks = GW_IMSW_NOISY}, 0);
    gw_imsw_progress(ctx, "IMS-W23", session, "answers whose unused fields hold anything");
}

/* ---- refusals ---- */

static void refused(gw_ctx *ctx)
{
    static const gw_imsw_plan plans[] = {
        {.frame = 0, .times = 1, .events = GW_IMS_OUT_OF_SEQUENCE | GW_IMS_FRAME_LENGTH},
        {.frame = 1, .times = 1, .events = GW_IMS_PARITY},
        {.frame = 2, .times = 1, .events = GW_IMS_FRAME_LENGTH},
        {.frame = 3, .times = 1, .events = GW_IMS_PACKET_LENGTH},
        {.frame = 4, .times = 1, .events = GW_IMS_BAD_FRAME},
        {.frame = 5, .times = 1, .events = GW_IMS_BAD_FRAME | GW_IMS_BAD_PACKET},
        {.frame = 6, .times = 1, .events = GW_IMS_CORRECTABLE},
        {.frame = 7, .times = 1, .events = GW_IMS_UNCORRECTABLE},
        {.frame = 8, .times = 1, .events = GW_IMS_OUT_OF_SEQUENCE},
    };
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.plans = plans, .num_plans = GW_ARRAY_LEN(plans)}, 1);
    for (size_t i = 0; i < GW_ARRAY_LEN(plans) && plans[i].frame < session->num_frames; i++) {
        char what[48];
        (void)snprintf(what, sizeof(what), "a NACK with events %#" PRIx32, plans[i].events);
        (void)gw_imsw_again(ctx, "IMS-W14", session, plans[i].frame, true, what);
    }
    if (session->num_frames < GW_ARRAY_LEN(plans))
        gw_case_note(ctx, "%" PRIu32 " of %zu kinds of NACK tried: there were no more frames",
                     session->num_frames, GW_ARRAY_LEN(plans));
}

static void no_start(gw_ctx *ctx)
{
    static const gw_imsw_plan plan = {.frame = FRAME, .times = 1, .events = GW_IMS_NO_START};
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.plans = &plan, .num_plans = 1}, 1);
    (void)gw_imsw_again(ctx, "IMS-W19", session, FRAME, true, "a NACK without a start of frame");
}

void gw_imsw_waits(gw_ctx *ctx, const gw_imsw_session *session, uint32_t number)
{
    const gw_imsw_sending *s = gw_imsw_first(session, number);
    const gw_imsw_sending *next = NULL;
    gw_imsw_judge(ctx, session, "IMS-W15");
    for (uint32_t i = 0; s != NULL; s = next, i++) {
        next = gw_imsw_next(session, s);
        if (next == NULL || (s->events & GW_IMS_OUTSIDE_WINDOW) == 0 || gw_case_near(ctx) ||
            !gw_imsw_upon(ctx, next, s))
            continue;
        int64_t later = next->start_ns - s->answer_ns;
        gw_miss miss = {.rule = "IMS-W15", .packet = next->packet};
        if (later < gw_imsw_quick_ns(ctx) + AT_ONCE_NS)
            gw_imsw_fail(ctx, &miss, i,
                         "the frame at %#" PRIx64 " comes again %" PRId64 " ms after the NACK, "
                         "which is as long as the path takes there and back",
                         s->va, later / GW_MS);
    }
}

static void outside(gw_ctx *ctx)
{
    static const gw_imsw_plan plan = {.frame = FRAME, .times = 1, .events = GW_IMS_OUTSIDE_WINDOW};
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.plans = &plan, .num_plans = 1}, 1);
    gw_imsw_waits(ctx, session, FRAME);
    const gw_imsw_sending *second =
        gw_imsw_again(ctx, "IMS-W15", session, FRAME, false, "a NACK outside the window");
    gw_case_note(ctx, "the Worker waits %" PRId64 " ms when it is outside the window",
                 (second->start_ns - gw_imsw_first(session, FRAME)->answer_ns) / GW_MS);
}

/* What was on its way when the NACK came may still arrive; nothing begins later. */
static void fatal(gw_ctx *ctx)
{
    gw_imsw_plan plan = {.frame = FRAME, .times = GW_IMSW_EVER, .events = gw_case_self(ctx)->arg};
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.plans = &plan, .num_plans = 1}, 1);
    const gw_imsw_sending *first = gw_imsw_first(session, FRAME);
    gw_miss miss = {.rule = "IMS-W16"};
    gw_imsw_judge(ctx, session, "IMS-W16");
    if (first == NULL)
        gw_case_inconc(ctx, "the first frame never came to its end");
    for (size_t i = 0; i < session->num_sendings; i++) {
        const gw_imsw_sending *s = &session->sendings[i];
        miss.packet = s->packet;
        if (s->start_ns > first->answer_ns + STOP_NS + gw_imsw_turn_ns(ctx))
            gw_imsw_fail(ctx, &miss, s->number,
                         "a frame begins %" PRId64 " ms after the NACK with events %#x",
                         (s->start_ns - first->answer_ns) / GW_MS, gw_case_self(ctx)->arg);
    }
}

/* A buffer may refuse a frame more than once; each time it is sent again, and not after its ACK. */
static void refused_twice(gw_ctx *ctx)
{
    static const gw_imsw_plan plan = {.frame = FRAME, .times = 2, .events = GW_IMS_OUT_OF_SEQUENCE};
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.plans = &plan, .num_plans = 1}, 1);
    const gw_imsw_sending *second =
        gw_imsw_again(ctx, "IMS-W14", session, FRAME, true, "a frame that is refused twice");
    const gw_imsw_sending *third = gw_imsw_next(session, second);
    if (third == NULL)
        gw_case_inconc(ctx, "the Worker gives a frame up that is refused twice");
    const gw_imsw_sending *fourth = gw_imsw_next(session, third);
    gw_miss miss = {.rule = "IMS-W28", .packet = fourth != NULL ? fourth->packet : 0};
    if (fourth != NULL && gw_imsw_upon(ctx, fourth, third))
        gw_imsw_fail(ctx, &miss, 0,
                     "a frame that was refused twice and then got its ACK comes again");
}

static void resend_time(gw_ctx *ctx)
{
    static const gw_imsw_plan plan = {
        .frame = GW_IMSW_EVERY, .times = 1, .events = GW_IMS_OUT_OF_SEQUENCE};
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.plans = &plan, .num_plans = 1}, 1);
    gw_responses responses = {.rounds = gw_imsw_state_of(ctx)->good.num_frames,
                              .path_ns = gw_imsw_turn_ns(ctx),
                              .fail = gw_imsw_fail};
    int64_t claimed_ns = gw_case_board(ctx)->claims.response_us * GW_MS / 1000;
    for (uint32_t number = 0; number < session->num_frames; number++) {
        const gw_imsw_sending *first = gw_imsw_first(session, number);
        const gw_imsw_sending *second = first == NULL ? NULL : gw_imsw_next(session, first);
        if (second == NULL)
            continue;
        gw_response_add(ctx, &responses, first->answer, second->packet);
        /* Which refusals get lost differs each time. */
        if (second->start_ns - first->answer_ns - gw_imsw_turn_ns(ctx) > claimed_ns)
            responses.place |= UINT32_C(1) << number % 32;
    }
    gw_response_end(ctx, &responses);
}

/* ---- responses that take their time ---- */

/* Well before the Worker's patience ends, of which the path takes its part. */
static int64_t a_while(gw_ctx *ctx)
{
    int64_t patience = gw_imsw_response_ns(ctx);
    int64_t left = patience - gw_imsw_turn_ns(ctx);
    return left > 0 && left < patience / 2 ? left / 2 : patience / 4;
}

/* Ends the case when a response that is |late_ns| late may come after the Worker's patience has
 * ended. */
static void need_time(gw_ctx *ctx, int64_t late_ns)
{
    int64_t patience = gw_imsw_response_ns(ctx);
    int64_t turn_ns = gw_imsw_turn_ns(ctx);
    if (late_ns + turn_ns + 2 * (turn_ns - gw_imsw_quick_ns(ctx)) >= patience)
        gw_case_inconc(ctx,
                       "the path takes %" PRId64 " ms there and back, and the Worker waits %" PRId64
                       " ms for a response",
                       turn_ns / GW_MS, patience / GW_MS);
}

static void slow_response(gw_ctx *ctx)
{
    int64_t late_ns = a_while(ctx);
    const gw_imsw_plan plan = {.frame = FRAME, .times = 1, .late_ns = late_ns};
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.plans = &plan, .num_plans = 1}, 1);
    const gw_imsw_sending *first = gw_imsw_first(session, FRAME);
    const gw_imsw_sending *second = first == NULL ? NULL : gw_imsw_next(session, first);
    gw_miss miss = {.rule = "IMS-W17", .packet = second != NULL ? second->packet : 0};
    need_time(ctx, late_ns);
    if (second != NULL)
        gw_imsw_fail(ctx, &miss, 0,
                     "the frame at %#" PRIx64 " comes again though its response came in time, "
                     "after %" PRId64 " ms",
                     first->va, late_ns / GW_MS);
    gw_imsw_progress(ctx, "IMS-W20", session, "an ACK that comes late, but in time");
}

/* The second frame is refused while the first one still waits. */
static void out_of_turn(gw_ctx *ctx)
{
    int64_t late_ns = a_while(ctx);
    const gw_imsw_plan plans[] = {
        {.frame = FRAME, .times = 1, .late_ns = late_ns},
        {.frame = FRAME + 1, .times = 1, .events = GW_IMS_OUT_OF_SEQUENCE},
    };
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.plans = plans, .num_plans = GW_ARRAY_LEN(plans)}, 2);
    const gw_imsw_sending *first = gw_imsw_first(session, FRAME);
    const gw_imsw_sending *refused = gw_imsw_first(session, FRAME + 1);
    need_time(ctx, late_ns);
    (void)gw_imsw_again(ctx, "IMS-W18", session, FRAME + 1, true,
                        "a NACK of the second frame before the response to the first");
    const gw_imsw_sending *wrong = first == NULL ? NULL : gw_imsw_next(session, first);
    gw_miss miss = {.rule = "IMS-W18", .packet = wrong != NULL ? wrong->packet : 0};
    if (wrong != NULL)
        gw_imsw_fail(ctx, &miss, 0,
                     "the frame at %#" PRIx64 " comes again; that at %#" PRIx64 " was refused",
                     first->va, refused->va);
    if (first != NULL && refused->start_ns > first->answer_ns)
        gw_case_note(ctx, "the Worker sends one frame at a time, so its responses are in turn");
}

/* ---- silence and strangers ---- */

static void no_response(gw_ctx *ctx)
{
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.plans = &unanswered, .num_plans = 1}, 1);
    const gw_imsw_sending *second =
        gw_imsw_again(ctx, "IMS-W17", session, FRAME, false, "a frame without a response");
    gw_case_note(ctx, "a frame without a response comes again after %" PRId64 " ms",
                 (second->start_ns - gw_imsw_first(session, FRAME)->answer_ns) / GW_MS);
}

static void give_up(gw_ctx *ctx)
{
    static const gw_imsw_plan plan = {.frame = FRAME, .times = MANY};
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.plans = &plan, .num_plans = 1}, 1);
    size_t times = gw_imsw_times(session, FRAME);
    gw_miss miss = {.rule = "IMS-W28", .proven = true};
    if (times > MANY)
        gw_case_fail(ctx, &miss, "a frame was sent %d times, without an answer to any", MANY);
    gw_case_note(ctx, "a frame that nobody answers is sent %zu times", times);
}

static void stranger(gw_ctx *ctx)
{
    const gw_imsw_session *session = gw_imsw_try(
        ctx, &(gw_imsw_behavior){.tricks = GW_IMSW_STRANGER, .plans = &unanswered, .num_plans = 1},
        1);
    (void)gw_imsw_again(ctx, "IMS-W18", session, FRAME, false,
                        "an ACK for an address that nobody wrote to");
}

static void repeated(gw_ctx *ctx)
{
    static const gw_imsw_plan plan = {.frame = 1, .times = 1};
    const gw_imsw_session *session = gw_imsw_try(
        ctx, &(gw_imsw_behavior){.tricks = GW_IMSW_REPEATS, .plans = &plan, .num_plans = 1}, 0);
    if (session->num_frames > plan.frame)
        (void)gw_imsw_again(ctx, "IMS-W20", session, plan.frame, false,
                            "a frame without a response among ACKs that come several times");
    gw_imsw_progress(ctx, "IMS-W20", session, "ACKs that come several times");
}

#define FRAMES_ARE_GOOD                                                                            \
    GW_LIST("ims-w/data-request", "ims-w/wait-for-memory", "ims-w/in-a-row", "ims-w/whole-frames")

const gw_case gw_ims_w_behavior[] = {
    {.id = "ims-w/version",
     .title = "A Worker writes nothing to a buffer of an unknown version",
     .rules = GW_LIST("IMS-W6", "IMS-W29"),
     .after = GW_LIST("ims-w/wait-for-registration"),
     .negative = true,
     .run = version},
    {.id = "ims-w/arbitrary-fields",
     .title = "Fields of answers that may hold anything are ignored",
     .rules = GW_LIST("IMS-W23"),
     .after = GW_LIST("ims-w/wait-for-memory"),
     .run = noise},
    {.id = "ims-w/nack",
     .title = "A frame that was refused is sent again, to the same address",
     .rules = GW_LIST("IMS-W14", "IMS-W11"),
     .after = FRAMES_ARE_GOOD,
     .run = refused},
    {.id = "ims-w/nack-no-start",
     .title = "A NACK without an address is taken for the oldest frame",
     .rules = GW_LIST("IMS-W19", "IMS-W11"),
     .after = FRAMES_ARE_GOOD,
     .run = no_start},
    {.id = "ims-w/nack-window",
     .title = "A frame outside the window is sent again after a wait",
     .rules = GW_LIST("IMS-W15", "IMS-W11"),
     .after = FRAMES_ARE_GOOD,
     .run = outside},
    {.id = "ims-w/nack-rkey",
     .title = "A Worker stops after a NACK for an invalid key",
     .rules = GW_LIST("IMS-W16"),
     .after = FRAMES_ARE_GOOD,
     .arg = GW_IMS_INVALID_RKEY,
     .run = fatal},
    {.id = "ims-w/nack-address",
     .title = "A Worker stops after a NACK for an invalid address",
     .rules = GW_LIST("IMS-W16"),
     .after = FRAMES_ARE_GOOD,
     .arg = GW_IMS_INVALID_VA,
     .run = fatal},
    {.id = "ims-w/nack-both",
     .title = "A Worker stops when a NACK has an invalid key or address among other events",
     .rules = GW_LIST("IMS-W16"),
     .after = FRAMES_ARE_GOOD,
     .negative = true,
     .arg = GW_IMS_INVALID_RKEY | GW_IMS_OUTSIDE_WINDOW | GW_IMS_OUT_OF_SEQUENCE,
     .run = fatal},
    {.id = "ims-w/refused-twice",
     .title = "A frame that is refused twice is sent three times",
     .rules = GW_LIST("IMS-W14", "IMS-W28"),
     .after = GW_LIST("ims-w/nack", "ims-w/acks"),
     .run = refused_twice},
    {.id = "ims-w/resend-time",
     .title = "99 of 100 refused frames are sent again within the claimed time",
     .rules = GW_LIST("IMS-W14"),
     .after = GW_LIST("ims-w/nack"),
     .needs = GW_LIST("response_us"),
     .run = resend_time},
    {.id = "ims-w/slow-response",
     .title = "A frame whose response is slow is not sent again before its time",
     .rules = GW_LIST("IMS-W17", "IMS-W20"),
     .after =
         GW_LIST("ims-w/data-request", "ims-w/wait-for-memory", "ims-w/whole-frames", "ims-w/acks"),
     .run = slow_response},
    {.id = "ims-w/out-of-turn",
     .title = "A response belongs to the frame whose address it tells, in any order",
     .rules = GW_LIST("IMS-W18", "IMS-W11"),
     .after = GW_LIST("ims-w/nack", "ims-w/slow-response"),
     .run = out_of_turn},
    {.id = "ims-w/no-response",
     .title = "A frame without a response is sent again",
     .rules = GW_LIST("IMS-W17", "IMS-W11"),
     .after = GW_LIST("ims-w/data-request", "ims-w/in-a-row", "ims-w/whole-frames",
                      "ims-w/slow-response"),
     .negative = true,
     .run = no_response},
    {.id = "ims-w/give-up",
     .title = "A frame that is never answered is not sent without end",
     .rules = GW_LIST("IMS-W28"),
     .after = GW_LIST("ims-w/no-response"),
     .negative = true,
     .run = give_up},
    {.id = "ims-w/stranger",
     .title = "A response for an unknown address is ignored",
     .rules = GW_LIST("IMS-W18", "IMS-W11"),
     .after = GW_LIST("ims-w/no-response"),
     .negative = true,
     .run = stranger},
    {.id = "ims-w/repeated",
     .title = "ACKs that come twice or late change nothing",
     .rules = GW_LIST("IMS-W20", "IMS-W11"),
     .after = GW_LIST("ims-w/no-response"),
     .negative = true,
     .run = repeated},
    {0},
};
