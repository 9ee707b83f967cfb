/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Worker: what it does, and does not, when its buffer lies, falls silent, refuses, or babbles.
 */
#include <inttypes.h>
#include <stdio.h>

#include "formats/ims/worker/suite.h"

/* Rules that messages or their order show broken, all that the case names. */
static void judge_all(gw_ctx *ctx, const gw_imsw_session *session)
{
    for (const char *const *rule = gw_case_self(ctx)->rules; *rule != NULL; rule++)
        gw_imsw_judge(ctx, session, *rule);
}

/* Fails with |rule| when the Worker wrote where it had no leave to. */
static void expect_no_data(gw_ctx *ctx, const char *rule, unsigned packet, const char *when)
{
    gw_miss miss = {.rule = rule, .packet = packet};
    if (packet != 0)
        gw_imsw_fail(ctx, &miss, 0, "packet %u: the Worker writes %s", packet, when);
}

/* A path that changes the order of packets brings behind a leave what was sent before it. */
static void expect_nothing_after(gw_ctx *ctx, const gw_imsw_session *session, const char *when)
{
    if (session->after != 0 && session->disorder > 0 && !gw_case_near(ctx))
        gw_case_inconc(ctx, "the path changed the order of %u packets", session->disorder);
    expect_no_data(ctx, "IMS-W22", session->after, when);
}

static void expect_leave(gw_ctx *ctx, const gw_imsw_session *session, const char *when)
{
    gw_miss miss = {.rule = "IMS-W21"};
    if (session->requests[GW_IMS_STAT_TERM] > 0)
        return;
    if (!session->whole)
        gw_case_inconc(ctx, "the Worker did not take its leave while we listened");
    gw_imsw_fail(ctx, &miss, 0, "the Worker sends no STAT_TERM %s", when);
}

/* ---- the status channel ---- */

static void false_answers(gw_ctx *ctx)
{
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.tricks = GW_IMSW_FALSE_RESPONSES}, 0);
    gw_miss miss = {.rule = "IMS-W2", .packet = session->hasty, .proven = true};
    if (session->hasty != 0)
        gw_case_fail(ctx, &miss, "packet %u: DATA_REQ upon a STAT_RES that was for somebody else",
                     session->hasty);
    expect_no_data(ctx, "IMS-W4", session->early, "upon a DATA_RES that was none for it");
    judge_all(ctx, session);
    if (session->num_frames == 0)
        gw_case_inconc(ctx, "the Worker sent no frame");
}

static void expect_unchanged(gw_ctx *ctx, const char *rule, const gw_imsw_session *session,
                             uint8_t method, const char *name)
{
    gw_miss miss = {.rule = rule, .packet = session->changed[method], .proven = true};
    if (session->changed[method] != 0)
        gw_case_fail(ctx, &miss, "packet %u: %s says something else when it is sent again",
                     session->changed[method], name);
}

/* No rule says that requests are sent again. */
static void unheard(gw_ctx *ctx)
{
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.tricks = GW_IMSW_UNHEARD}, 0);
    gw_miss miss = {.rule = "IMS-W2", .packet = session->hasty, .proven = true};
    expect_unchanged(ctx, "IMS-W1", session, GW_IMS_STAT_REQ, "STAT_REQ");
    if (session->hasty != 0)
        gw_case_fail(ctx, &miss, "packet %u: DATA_REQ, though STAT_REQ was not answered",
                     session->hasty);
    expect_unchanged(ctx, "IMS-W3", session, GW_IMS_DATA_REQ, "DATA_REQ");
    expect_unchanged(ctx, "IMS-W21", session, GW_IMS_DATA_TERM, "DATA_TERM");
    expect_unchanged(ctx, "IMS-W21", session, GW_IMS_STAT_TERM, "STAT_TERM");
    judge_all(ctx, session);
    expect_no_data(ctx, "IMS-W4", session->early, "though DATA_REQ was not answered");
    if (session->num_frames == 0)
        gw_case_inconc(ctx, "the Worker does not repeat requests that are not answered");
    expect_nothing_after(ctx, session, "while it waits for an answer");
}

static void no_place(gw_ctx *ctx)
{
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.tricks = GW_IMSW_NO_PLACE}, 0);
    gw_miss miss = {.rule = "IMS-W2", .packet = session->hasty, .proven = true};
    if (session->hasty != 0)
        gw_case_fail(ctx, &miss, "packet %u: DATA_REQ, though STAT_REQ was refused",
                     session->hasty);
    expect_no_data(ctx, "IMS-W4", session->early, "though its registration was refused");
}

static void no_memory(gw_ctx *ctx)
{
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.tricks = GW_IMSW_NO_MEMORY}, 0);
    if (session->requests[GW_IMS_DATA_REQ] == 0)
        gw_case_inconc(ctx, "the Worker sent no DATA_REQ");
    expect_no_data(ctx, "IMS-W4", session->early, "though DATA_REQ was refused");
    expect_leave(ctx, session, "when it gets no data channel");
}

static void closed(gw_ctx *ctx)
{
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.tricks = GW_IMSW_CLOSES}, 1);
    expect_nothing_after(ctx, session, "after it has taken its leave");
    expect_leave(ctx, session, "when its data channel was closed");
    judge_all(ctx, session);
}

static void moved(gw_ctx *ctx)
{
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.tricks = GW_IMSW_MOVES}, 1);
    judge_all(ctx, session);
    gw_case_note(ctx, "after a second DATA_RES the Worker sends %" PRIu32 " frames more",
                 session->num_frames - 1);
}

static void reserved(gw_ctx *ctx)
{
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.tricks = GW_IMSW_RESERVED}, 0);
    gw_imsw_progress(ctx, "IMS-W23", session, "answers whose reserved byte is set");
}

/* ---- responses ---- */

static void in_form(gw_ctx *ctx)
{
    const gw_imsw_behavior behavior = {.tricks = GW_IMSW_FALSE_RESPONSES | GW_IMSW_NOISY |
                                                 GW_IMSW_GARBAGE};
    const gw_imsw_session *session = gw_imsw_try(ctx, &behavior, 1);
    gw_miss miss = {.rule = "IMS-C3", .proven = true};
    judge_all(ctx, session);
    for (unsigned method = GW_IMS_STAT_RES; method < GW_IMS_NUM_METHODS; method += 2)
        if (session->requests[method] > 0)
            gw_case_fail(ctx, &miss, "the Worker sent method %u, which is the buffer's", method);
}

static void among_garbage(gw_ctx *ctx)
{
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.tricks = GW_IMSW_GARBAGE}, 1);
    for (size_t i = 0; i < session->num_sendings; i++) {
        const gw_imsw_sending *before = &session->sendings[i];
        const gw_imsw_sending *s = gw_imsw_next(session, before);
        gw_miss miss = {.rule = "IMS-W12", .packet = s != NULL ? s->packet : 0};
        if (s != NULL && before->acked && gw_imsw_upon(ctx, s, before))
            gw_imsw_fail(ctx, &miss, s->number,
                         "the frame at %#" PRIx64 " got its ACK behind garbage and came again "
                         "%" PRId64 " ms later",
                         s->va, (s->start_ns - before->answer_ns) / GW_MS);
    }
    gw_imsw_progress(ctx, "IMS-W12", session, "ACKs behind packets that are none");
}

static void odd_nacks(gw_ctx *ctx)
{
    static const struct {
        gw_imsw_plan plan;
        bool at_once; /* it has an event that is known */
        const char *what;
    } odd[] = {
        {{.frame = 0, .times = 1, .events = GW_IMS_OUT_OF_SEQUENCE | 1u << GW_IMS_NUM_EVENTS},
         true,
         "a NACK with an event and a reserved bit"},
        {{.frame = 1, .times = 1, .events = GW_IMS_PARITY | 1u << 31},
         true,
         "a NACK with an event and the highest bit"},
        {{.frame = 2, .times = 1, .bare = true}, false, "a NACK without an event"},
        {{.frame = 3, .times = 1, .events = ~(uint32_t)GW_IMS_EVENTS},
         false,
         "a NACK with reserved bits alone"},
    };
    gw_imsw_plan plans[GW_ARRAY_LEN(odd)];
    for (size_t i = 0; i < GW_ARRAY_LEN(odd); i++)
        plans[i] = odd[i].plan;
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.plans = plans, .num_plans = GW_ARRAY_LEN(plans)}, 1);
    for (size_t i = 0; i < GW_ARRAY_LEN(odd) && plans[i].frame < session->num_frames; i++)
        (void)gw_imsw_again(ctx, "IMS-W14", session, plans[i].frame, odd[i].at_once, odd[i].what);
}

static void window_again(gw_ctx *ctx)
{
    static const gw_imsw_plan plan = {
        .frame = 0, .times = 3, .events = GW_IMS_OUTSIDE_WINDOW | GW_IMS_OUT_OF_SEQUENCE};
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.plans = &plan, .num_plans = 1}, 1);
    gw_imsw_waits(ctx, session, 0);
    (void)gw_imsw_again(ctx, "IMS-W15", session, 0, false,
                        "a NACK outside the window, among others");
    gw_case_note(ctx, "a frame that is outside the window three times is sent %zu times",
                 gw_imsw_times(session, 0));
}

static void no_start_elsewhere(gw_ctx *ctx)
{
    static const gw_imsw_plan plan = {
        .frame = 0, .times = 1, .events = GW_IMS_NO_START, .elsewhere = true};
    const gw_imsw_session *session =
        gw_imsw_try(ctx, &(gw_imsw_behavior){.plans = &plan, .num_plans = 1}, 1);
    (void)gw_imsw_again(ctx, "IMS-W19", session, 0, false,
                        "a NACK without a start of frame that tells an address");
}

/* ---- what is sent again ---- */

/* Every other frame is refused as soon as it begins. */
static const gw_imsw_session *refuse_all(gw_ctx *ctx)
{
    gw_imsw_plan plans[9];
    for (uint32_t i = 0; i < GW_ARRAY_LEN(plans); i++)
        plans[i] = (gw_imsw_plan){.frame = i,
                                  .times = 1,
                                  .events = GW_IMS_OUT_OF_SEQUENCE | GW_IMS_FRAME_LENGTH,
                                  .early = i % 2 == 1};
    gw_imsw_behavior behavior = {.tricks = gw_case_near(ctx) ? 0 : GW_IMSW_AHEAD,
                                 .plans = plans,
                                 .num_plans = GW_ARRAY_LEN(plans)};
    return gw_imsw_try(ctx, &behavior, 1);
}

static void again_in_form(gw_ctx *ctx)
{
    const gw_imsw_session *session = refuse_all(ctx);
    judge_all(ctx, session);
    gw_imsw_seen_enough(ctx, session);
}

static void images_again(gw_ctx *ctx)
{
    judge_all(ctx, refuse_all(ctx));
}

const gw_case gw_ims_w_false_responses[] = {
    {.id = "ims-w/false-answers",
     .title = "Answers for other Workers, or out of turn, are ignored",
     .rules = GW_LIST("IMS-W2", "IMS-W4", "IMS-W5", "IMS-W7"),
     .after = GW_LIST("ims-w/wait-for-registration", "ims-w/wait-for-memory", "ims-w/place",
                      "ims-w/alignment", "ims-w/arbitrary-fields"),
     .negative = true,
     .run = false_answers},
    {.id = "ims-w/unheard",
     .title = "Requests without an answer are repeated unchanged, and nothing is written meanwhile",
     .rules = GW_LIST("IMS-W1", "IMS-W2", "IMS-W3", "IMS-W4", "IMS-W21", "IMS-W22"),
     .after = GW_LIST("ims-w/register", "ims-w/data-request", "ims-w/wait-for-registration",
                      "ims-w/wait-for-memory", "ims-w/leave", "ims-w/nothing-after"),
     .negative = true,
     .run = unheard},
    {.id = "ims-w/no-place",
     .title = "A Worker whose registration is refused does not ask for a data channel",
     .rules = GW_LIST("IMS-W2", "IMS-W4"),
     .after = GW_LIST("ims-w/wait-for-registration"),
     .negative = true,
     .run = no_place},
    {.id = "ims-w/no-memory",
     .title = "A Worker that is refused a data channel does not write, and deregisters",
     .rules = GW_LIST("IMS-W4", "IMS-W21"),
     .after = GW_LIST("ims-w/wait-for-memory", "ims-w/leave"),
     .negative = true,
     .run = no_memory},
    {.id = "ims-w/closed",
     .title = "A Worker whose data channel is closed deregisters and writes no more",
     .rules = GW_LIST("IMS-W22", "IMS-W21"),
     .after = GW_LIST("ims-w/leave", "ims-w/nothing-after"),
     .negative = true,
     .endless = true,
     .run = closed},
    {.id = "ims-w/moved",
     .title = "A second DATA_RES with other memory does not move the frames",
     .rules = GW_LIST("IMS-W5", "IMS-W11"),
     .after = GW_LIST("ims-w/place", "ims-w/in-a-row"),
     .negative = true,
     .run = moved},
    {.id = "ims-w/reserved-byte",
     .title = "A reserved byte that is set in answers is ignored",
     .rules = GW_LIST("IMS-W23"),
     .after = GW_LIST("ims-w/arbitrary-fields"),
     .negative = true,
     .run = reserved},
    {.id = "ims-w/in-form-amid-garbage",
     .title = "A Worker's packets stay well-formed whatever the buffer sends",
     .rules = GW_LIST("IMS-C1", "IMS-C2", "IMS-C3", "IMS-C4", "IMS-C10", "IMS-C11", "IMS-C13",
                      "IMS-C17"),
     .after = GW_LIST("ims-w/status-format", "ims-w/methods", "ims-w/checksum", "ims-w/operations"),
     .negative = true,
     .run = in_form},
    {.id = "ims-w/acks-amid-garbage",
     .title = "ACKs are recognized among packets that are no responses",
     .rules = GW_LIST("IMS-W12"),
     .after = GW_LIST("ims-w/acks", "ims-w/wait-for-memory", "ims-w/stranger"),
     .negative = true,
     .run = among_garbage},
    {.id = "ims-w/odd-nacks",
     .title = "A frame is sent again after a NACK with reserved bits, or without any event",
     .rules = GW_LIST("IMS-W14", "IMS-W11"),
     .after = GW_LIST("ims-w/nack", "ims-w/no-response"),
     .negative = true,
     .run = odd_nacks},
    {.id = "ims-w/window-again",
     .title = "A frame waits each time it is outside the window, whatever other events are set",
     .rules = GW_LIST("IMS-W15", "IMS-W11"),
     .after = GW_LIST("ims-w/nack-window"),
     .negative = true,
     .run = window_again},
    {.id = "ims-w/no-start-elsewhere",
     .title = "A NACK for no start of frame is not taken for a frame that was delivered",
     .rules = GW_LIST("IMS-W19", "IMS-W11"),
     .after = GW_LIST("ims-w/nack-no-start", "ims-w/no-response"),
     .negative = true,
     .run = no_start_elsewhere},
    {.id = "ims-w/again-in-form",
     .title = "Frames that are sent again are whole and well-formed",
     .rules = GW_LIST("IMS-W30", "IMS-W7", "IMS-W8", "IMS-W9", "IMS-W10", "IMS-C10", "IMS-C13",
                      "IMS-C17"),
     .after =
         GW_LIST("ims-w/whole-frames", "ims-w/packets", "ims-w/alignment", "ims-w/frame-length",
                 "ims-w/frame-size", "ims-w/operations", "ims-w/checksum", "ims-w/nack"),
     .negative = true,
     .run = again_in_form},
    {.id = "ims-w/images-again",
     .title = "Images that are sent again tell where they lie and have the right CRC",
     .rules = GW_LIST("IMS-W26", "IMS-W27"),
     .after = GW_LIST("ims-w/images", "ims-w/nack"),
     .needs = GW_LIST("images"),
     .negative = true,
     .run = images_again},
    {0},
};
