/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Worker: how it takes refusals, silence, strangers and buffers of other versions. */
#include <inttypes.h>
#include <stdio.h>

#include "cases/ims_w.h"

#define MANY 40               /* sendings of a frame that nobody answers */
#define STOP_NS (100 * GW_MS) /* after which a Worker that has to stop has done so */
#define FRAME 0               /* the one that is not answered as usual */

static const gw_imsw_plan unanswered = {.frame = FRAME, .times = 1};

/* The second sending of |number|, which has to come before a response is overdue when it was
 * |refused|. */
static const gw_imsw_sending *expect_again(gw_ctx *ctx, const char *rule, const gw_imsw_talk *talk,
                                           uint32_t number, bool refused, const char *what)
{
    const gw_imsw_sending *first = gw_imsw_first(talk, number);
    const gw_imsw_sending *second = first == NULL ? NULL : gw_imsw_next(talk, first);
    if (first == NULL)
        gw_case_inconc(ctx, "frame %" PRIu32 " never came to its end", number);
    gw_miss miss = {.rule = rule, .packet = first->packet};
    gw_imsw_judge(ctx, talk, "IMS-W11"); /* sent again, but elsewhere */
    if (second == NULL)
        gw_case_fail(ctx, &miss, "%s: the frame at %#" PRIx64 " was not sent again", what,
                     first->va);
    int64_t later = second->start_ns - first->answer_ns;
    miss.packet = second->packet;
    if (refused && later >= gw_imsw_response_ns(ctx) * 3 / 4)
        gw_case_fail(ctx, &miss,
                     "%s: the frame at %#" PRIx64 " was sent again only %" PRId64
                     " ms later, as if nothing had come",
                     what, first->va, later / GW_MS);
    return second;
}

/* With one of ours it is known how much it would have sent. */
static void expect_progress(gw_ctx *ctx, const char *rule, const gw_imsw_talk *talk,
                            const char *what)
{
    uint32_t good = gw_imsw_state_of(ctx)->good.num_frames;
    gw_miss miss = {.rule = rule};
    if (good == 0)
        gw_case_inconc(ctx, "the Worker sends no frames to a good buffer either");
    if (talk->num_frames == 0)
        gw_case_fail(ctx, &miss, "%s: the Worker sent no frame", what);
    if (gw_case_fresh(ctx) && talk->num_frames != good)
        gw_case_fail(ctx, &miss,
                     "%s: the Worker sent %" PRIu32 " frames; it sends %" PRIu32
                     " to a good buffer",
                     what, talk->num_frames, good);
}

/* ---- versions and answers ---- */

static void version(gw_ctx *ctx)
{
    const gw_imsw_talk *talk = gw_imsw_try(ctx, &(gw_imsw_manner){.major = 9, .minor = 7}, 0);
    gw_miss miss = {.rule = "IMS-W6"};
    if (talk->num_frames > 0)
        gw_case_fail(ctx, &miss, "the Worker writes to a buffer of version 9.7");
    gw_imsw_judge(ctx, talk, "IMS-W29");
}

static void noise(gw_ctx *ctx)
{
    const gw_imsw_talk *talk = gw_imsw_try(ctx, &(gw_imsw_manner){.noisy = true}, 0);
    expect_progress(ctx, "IMS-W23", talk, "answers whose unused fields hold anything");
}

/* ---- refusals ---- */

static void refused(gw_ctx *ctx)
{
    static const gw_imsw_plan plans[] = {
        {0, 1, GW_IMS_OUT_OF_SEQUENCE | GW_IMS_FRAME_LENGTH},
        {1, 1, GW_IMS_PARITY},
        {2, 1, GW_IMS_FRAME_LENGTH},
        {3, 1, GW_IMS_PACKET_LENGTH},
        {4, 1, GW_IMS_BAD_FRAME},
        {5, 1, GW_IMS_BAD_FRAME | GW_IMS_BAD_PACKET},
        {6, 1, GW_IMS_CORRECTABLE},
        {7, 1, GW_IMS_UNCORRECTABLE},
        {8, 1, GW_IMS_OUT_OF_SEQUENCE},
    };
    const gw_imsw_talk *talk =
        gw_imsw_try(ctx, &(gw_imsw_manner){.plans = plans, .num_plans = GW_ARRAY_LEN(plans)}, 1);
    for (size_t i = 0; i < GW_ARRAY_LEN(plans) && plans[i].frame < talk->num_frames; i++) {
        char what[48];
        (void)snprintf(what, sizeof(what), "a NACK with events %#" PRIx32, plans[i].events);
        (void)expect_again(ctx, "IMS-W14", talk, plans[i].frame, true, what);
    }
    if (talk->num_frames < GW_ARRAY_LEN(plans))
        gw_case_note(ctx, "%" PRIu32 " of %zu kinds of NACK tried: there were no more frames",
                     talk->num_frames, GW_ARRAY_LEN(plans));
    gw_imsw_judge(ctx, talk, "IMS-W14");
}

static void no_start(gw_ctx *ctx)
{
    static const gw_imsw_plan plan = {FRAME, 1, GW_IMS_NO_START};
    const gw_imsw_talk *talk =
        gw_imsw_try(ctx, &(gw_imsw_manner){.plans = &plan, .num_plans = 1}, 1);
    (void)expect_again(ctx, "IMS-W19", talk, FRAME, true, "a NACK without a start of frame");
}

static void outside(gw_ctx *ctx)
{
    static const gw_imsw_plan plan = {FRAME, 1, GW_IMS_OUTSIDE_WINDOW};
    const gw_imsw_talk *talk =
        gw_imsw_try(ctx, &(gw_imsw_manner){.plans = &plan, .num_plans = 1}, 1);
    gw_imsw_judge(ctx, talk, "IMS-W15");
    const gw_imsw_sending *second =
        expect_again(ctx, "IMS-W15", talk, FRAME, false, "a NACK outside the window");
    gw_case_note(ctx, "the Worker waits %" PRId64 " ms when it is outside the window",
                 (second->start_ns - gw_imsw_first(talk, FRAME)->answer_ns) / GW_MS);
}

/* What was on its way when the NACK came may still arrive; nothing begins later. */
static void fatal(gw_ctx *ctx)
{
    gw_imsw_plan plan = {FRAME, GW_IMSW_EVER, gw_case_self(ctx)->arg};
    const gw_imsw_talk *talk =
        gw_imsw_try(ctx, &(gw_imsw_manner){.plans = &plan, .num_plans = 1}, 1);
    const gw_imsw_sending *first = gw_imsw_first(talk, FRAME);
    gw_miss miss = {.rule = "IMS-W16"};
    gw_imsw_judge(ctx, talk, "IMS-W16");
    if (first == NULL)
        gw_case_inconc(ctx, "the first frame never came to its end");
    for (size_t i = 0; i < talk->num_sendings; i++) {
        const gw_imsw_sending *s = &talk->sendings[i];
        miss.packet = s->packet;
        if (s->start_ns > first->answer_ns + STOP_NS)
            gw_case_fail(ctx, &miss, "a frame begins %" PRId64 " ms after the NACK with events %#x",
                         (s->start_ns - first->answer_ns) / GW_MS, gw_case_self(ctx)->arg);
    }
}

/* ---- silence and strangers ---- */

static void no_response(gw_ctx *ctx)
{
    const gw_imsw_talk *talk =
        gw_imsw_try(ctx, &(gw_imsw_manner){.plans = &unanswered, .num_plans = 1}, 1);
    const gw_imsw_sending *second =
        expect_again(ctx, "IMS-W17", talk, FRAME, false, "a frame without a response");
    gw_case_note(ctx, "a frame without a response comes again after %" PRId64 " ms",
                 (second->start_ns - gw_imsw_first(talk, FRAME)->answer_ns) / GW_MS);
}

static void give_up(gw_ctx *ctx)
{
    static const gw_imsw_plan plan = {.frame = FRAME, .times = MANY};
    const gw_imsw_talk *talk =
        gw_imsw_try(ctx, &(gw_imsw_manner){.plans = &plan, .num_plans = 1}, 1);
    size_t times = gw_imsw_times(talk, FRAME);
    gw_miss miss = {.rule = "IMS-W28"};
    if (times > MANY)
        gw_case_fail(ctx, &miss, "a frame was sent %d times, without an answer to any", MANY);
    gw_case_note(ctx, "a frame that nobody answers is sent %zu times", times);
}

static void stranger(gw_ctx *ctx)
{
    const gw_imsw_talk *talk = gw_imsw_try(
        ctx, &(gw_imsw_manner){.stranger = true, .plans = &unanswered, .num_plans = 1}, 1);
    (void)expect_again(ctx, "IMS-W18", talk, FRAME, false,
                       "an ACK for an address that nobody wrote to");
}

static void repeated(gw_ctx *ctx)
{
    static const gw_imsw_plan plan = {.frame = 1, .times = 1};
    const gw_imsw_talk *talk =
        gw_imsw_try(ctx, &(gw_imsw_manner){.repeats = true, .plans = &plan, .num_plans = 1}, 0);
    if (talk->num_frames > plan.frame)
        (void)expect_again(ctx, "IMS-W20", talk, plan.frame, false,
                           "a frame without a response among ACKs that come several times");
    expect_progress(ctx, "IMS-W20", talk, "ACKs that come several times");
}

#define FRAMES_ARE_GOOD GW_LIST("ims-w/data-request", "ims-w/in-a-row", "ims-w/whole-frames")

const gw_case gw_ims_w_manners[] = {
    {.id = "ims-w/version",
     .title = "A buffer of an unknown version is left alone",
     .rules = GW_LIST("IMS-W6", "IMS-W29"),
     .run = version},
    {.id = "ims-w/arbitrary-fields",
     .title = "Fields of answers that may hold anything are not looked at",
     .rules = GW_LIST("IMS-W23"),
     .run = noise},
    {.id = "ims-w/nack",
     .title = "A frame that was refused is sent again, to the same place",
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
     .title = "After an invalid key the Worker stops",
     .rules = GW_LIST("IMS-W16"),
     .after = FRAMES_ARE_GOOD,
     .arg = GW_IMS_INVALID_RKEY,
     .run = fatal},
    {.id = "ims-w/nack-address",
     .title = "After an invalid address the Worker stops",
     .rules = GW_LIST("IMS-W16"),
     .after = FRAMES_ARE_GOOD,
     .arg = GW_IMS_INVALID_VA,
     .run = fatal},
    {.id = "ims-w/nack-both",
     .title = "Stopping comes before waiting and sending again",
     .rules = GW_LIST("IMS-W16"),
     .after = FRAMES_ARE_GOOD,
     .arg = GW_IMS_INVALID_RKEY | GW_IMS_OUTSIDE_WINDOW | GW_IMS_OUT_OF_SEQUENCE,
     .run = fatal},
    {.id = "ims-w/no-response",
     .title = "A frame without a response is sent again",
     .rules = GW_LIST("IMS-W17", "IMS-W11"),
     .after = FRAMES_ARE_GOOD,
     .run = no_response},
    {.id = "ims-w/give-up",
     .title = "A frame that is never answered is not sent without end",
     .rules = GW_LIST("IMS-W28"),
     .after = GW_LIST("ims-w/no-response"),
     .run = give_up},
    {.id = "ims-w/stranger",
     .title = "A response for an unknown address is ignored",
     .rules = GW_LIST("IMS-W18", "IMS-W11"),
     .after = GW_LIST("ims-w/no-response"),
     .run = stranger},
    {.id = "ims-w/repeated",
     .title = "ACKs that come twice or late do no harm",
     .rules = GW_LIST("IMS-W20", "IMS-W11"),
     .after = GW_LIST("ims-w/no-response"),
     .run = repeated},
    {0},
};
