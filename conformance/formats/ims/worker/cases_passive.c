/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Worker: what it shows while its buffer behaves well. */
#include <inttypes.h>

#include "formats/ims/worker/suite.h"

/* What a case finds out about one conversation, beside the rules that it names. */
typedef void (*look_fn)(gw_ctx *ctx, const gw_imsw_session *session);

/* The conversations of all Workers that the start hook runs, and how many there are. */
static size_t recall_all(gw_ctx *ctx, const gw_imsw_session *all[1 + GW_IMSW_OTHERS])
{
    const gw_imsw_state *state = gw_imsw_state_of(ctx);
    size_t num = 1;
    all[0] = gw_imsw_recall(ctx);
    for (size_t i = 0; i < state->num_others && all[0] == &state->good; i++)
        all[num++] = &state->others[i];
    return num;
}

static void look_at_all(gw_ctx *ctx, look_fn look)
{
    const gw_imsw_session *all[1 + GW_IMSW_OTHERS];
    size_t num = recall_all(ctx, all);
    for (size_t i = 0; i < num; i++)
        look(ctx, all[i]);
}

/* Judges them all, first by the rules that one message or the conversation shows broken, in the
 * order the case names them. */
static void judge_all(gw_ctx *ctx, look_fn look)
{
    const gw_imsw_session *all[1 + GW_IMSW_OTHERS];
    size_t num = recall_all(ctx, all);
    for (size_t i = 0; i < num; i++) {
        for (const char *const *rule = gw_case_self(ctx)->rules; *rule != NULL; rule++)
            gw_imsw_judge(ctx, all[i], *rule);
    }
    for (size_t i = 0; i < num && look != NULL; i++)
        look(ctx, all[i]);
}

static void any_message(gw_ctx *ctx)
{
    judge_all(ctx, NULL);
}

static void want_frames(gw_ctx *ctx, const gw_imsw_session *session)
{
    if (session->num_frames == 0)
        gw_case_inconc(ctx, "the Worker sent no frame");
}

static void any_frame(gw_ctx *ctx)
{
    judge_all(ctx, want_frames);
}

void gw_imsw_seen_enough(gw_ctx *ctx, const gw_imsw_session *session)
{
    size_t whole = 0;
    if (session->gaps == 0)
        return;
    for (size_t i = 0; i < session->num_sendings; i++)
        whole +=
            session->sendings[i].whole && session->sendings[i].got == session->sendings[i].length;
    if (gw_case_near(ctx) || 2 * whole < session->num_sendings)
        gw_case_inconc(ctx,
                       "packets are missing at %u places: lost on the way here, so let the Worker "
                       "send more slowly",
                       session->gaps);
    gw_case_note(ctx, "packets are missing at %u places; %zu of %zu frames came whole",
                 session->gaps, whole, session->num_sendings);
}

static void want_enough(gw_ctx *ctx, const gw_imsw_session *session)
{
    if (session->num_frames == 0)
        gw_case_inconc(ctx, "the Worker sent no frame");
    gw_imsw_seen_enough(ctx, session);
}

static void every_packet(gw_ctx *ctx)
{
    judge_all(ctx, want_enough);
}

static void want_own_methods(gw_ctx *ctx, const gw_imsw_session *session)
{
    gw_miss miss = {.rule = "IMS-C3", .proven = true};
    for (unsigned method = GW_IMS_STAT_RES; method < GW_IMS_NUM_METHODS; method += 2)
        if (session->requests[method] > 0)
            gw_case_fail(ctx, &miss, "the Worker sent method %u, which is the buffer's", method);
}

static void methods(gw_ctx *ctx)
{
    judge_all(ctx, want_own_methods);
}

static void want_register_first(gw_ctx *ctx, const gw_imsw_session *session)
{
    gw_miss miss = {.rule = "IMS-W1", .packet = session->before + 1};
    if (session->first_method != GW_IMS_STAT_REQ)
        gw_imsw_fail(ctx, &miss, 0, "the first packet is no STAT_REQ");
}

static void first_request(gw_ctx *ctx)
{
    judge_all(ctx, want_register_first);
}

/* Ends the case when the Worker registered again and again and did nothing else: over a path that
 * takes long, our answers come when it has given up. */
static void need_hearing(gw_ctx *ctx, const gw_imsw_session *session)
{
    if (!gw_case_near(ctx) && session->requests[GW_IMS_STAT_REQ] > 1 &&
        session->requests[GW_IMS_DATA_REQ] == 0)
        gw_case_inconc(ctx,
                       "the Worker registers %u times and goes no further: answers may reach "
                       "it too late",
                       session->requests[GW_IMS_STAT_REQ]);
}

static void want_data_request(gw_ctx *ctx, const gw_imsw_session *session)
{
    if (session->requests[GW_IMS_DATA_REQ] == 0)
        gw_case_inconc(ctx, "the Worker sent no DATA_REQ");
}

static void data_request(gw_ctx *ctx)
{
    judge_all(ctx, want_data_request);
}

/* What the good buffer tells is what the cases are for. */
static void want_known_version(gw_ctx *ctx, const gw_imsw_session *session)
{
    gw_miss miss = {.rule = "IMS-W6"};
    if (session->requests[GW_IMS_STAT_REQ] == 0)
        gw_case_inconc(ctx, "the Worker did not register");
    if (session->requests[GW_IMS_DATA_REQ] == 0)
        need_hearing(ctx, session);
    if (session->requests[GW_IMS_DATA_REQ] == 0)
        gw_imsw_fail(ctx, &miss, 0, "the Worker asks a buffer of version %u.%u for no data channel",
                     GW_IMS_MAJOR, GW_IMS_MINOR);
}

static void known_version(gw_ctx *ctx)
{
    judge_all(ctx, want_known_version);
}

static void want_several_of_a_size(gw_ctx *ctx, const gw_imsw_session *session)
{
    if (session->num_frames < 2)
        gw_case_na(ctx, "the Worker sent one frame only");
    const gw_imsw_sending *first = gw_imsw_first(session, 0);
    if (first != NULL && first->length != GW_IMS_FRAME_TYPICAL)
        gw_case_note(ctx, "frames have %" PRIu32 " bytes; 32 MiB are usual", first->length);
}

static void one_size(gw_ctx *ctx)
{
    judge_all(ctx, want_several_of_a_size);
}

static void want_several(gw_ctx *ctx, const gw_imsw_session *session)
{
    if (session->num_frames < 2)
        gw_case_na(ctx, "the Worker sent one frame only");
}

static void in_a_row(gw_ctx *ctx)
{
    judge_all(ctx, want_several);
}

/* Every frame got its ACK at once. Behind a path one that comes again for the first time may have
 * had its ACK lost. */
static void want_acks_heard(gw_ctx *ctx, const gw_imsw_session *session)
{
    bool twice = !gw_case_near(ctx);
    gw_miss miss = {.rule = "IMS-W12"};
    if (session->num_frames == 0)
        gw_case_inconc(ctx, "the Worker sent no frame");
    for (size_t i = 0; i < session->num_sendings; i++) {
        const gw_imsw_sending *before = &session->sendings[i];
        const gw_imsw_sending *s = gw_imsw_next(session, before);
        if (s == NULL || !before->acked || !gw_imsw_upon(ctx, s, before) ||
            (twice && before == gw_imsw_first(session, s->number)))
            continue;
        gw_imsw_fail(ctx, &miss, s->number,
                     "the frame at %#" PRIx64 " got its ACK%s and came again %" PRId64 " ms later",
                     s->va, twice ? " twice" : "", (s->start_ns - before->answer_ns) / GW_MS);
    }
}

static void acts_on_acks(gw_ctx *ctx)
{
    look_at_all(ctx, want_acks_heard);
}

static void want_leave(gw_ctx *ctx, const gw_imsw_session *session)
{
    gw_miss miss = {.rule = "IMS-W21"};
    bool term = session->requests[GW_IMS_STAT_TERM] > 0;
    if (term)
        return;
    need_hearing(ctx, session);
    if (session->cut)
        gw_case_inconc(ctx, "the Worker was still streaming when we had seen enough");
    if (!session->whole)
        gw_case_inconc(ctx, "the Worker did not take its leave while we listened");
    if (!session->over && !gw_case_near(ctx))
        gw_case_inconc(ctx, "the Worker was not done when nothing more came: it may wait for what "
                            "got lost");
    gw_imsw_fail(ctx, &miss, 0, "the Worker was done and sent no STAT_TERM");
}

static void leave_taking(gw_ctx *ctx)
{
    judge_all(ctx, want_leave);
}

static void want_images(gw_ctx *ctx, const gw_imsw_session *session)
{
    const gw_imsw_sending *first = gw_imsw_first(session, 0);
    if (first == NULL)
        gw_case_inconc(ctx, "the Worker sent no frame");
    if (first->length != GW_IMS_IMAGE_4BIT && first->length != GW_IMS_IMAGE_6BIT)
        gw_case_na(ctx, "frames of %" PRIu32 " bytes are no images of their own", first->length);
}

static void images(gw_ctx *ctx)
{
    judge_all(ctx, want_images);
}

const gw_case gw_ims_w_passive[] = {
    {.id = "ims-w/status-format",
     .title = "Status packets have 28 bytes, known methods and numbers that fit",
     .rules = GW_LIST("IMS-C1", "IMS-C2", "IMS-C4", "IMS-C5"),
     .run = any_message},
    {.id = "ims-w/methods",
     .title = "Status packets are datagrams with methods of a Worker",
     .rules = GW_LIST("IMS-C3", "IMS-C11"),
     .run = methods},
    {.id = "ims-w/checksum",
     .title = "Every packet carries the right invariant CRC",
     .rules = GW_LIST("IMS-C13"),
     .run = any_message},
    {.id = "ims-w/operations",
     .title = "Data go by RDMA write, with the RDMA header in a frame's first packet",
     .rules = GW_LIST("IMS-C10", "IMS-C17"),
     .run = any_frame},
    {.id = "ims-w/register",
     .title = "STAT_REQ comes first and tells the Worker's own LID and queue pair",
     .rules = GW_LIST("IMS-W1"),
     .run = first_request},
    {.id = "ims-w/wait-for-registration",
     .title = "DATA_REQ waits for STAT_RES",
     .rules = GW_LIST("IMS-W2"),
     .run = data_request},
    {.id = "ims-w/data-request",
     .title = "DATA_REQ tells the Worker's status ends and its data queue pair",
     .rules = GW_LIST("IMS-W3"),
     .run = data_request},
    {.id = "ims-w/known-version",
     .title = "A buffer of a known version is asked for a data channel",
     .rules = GW_LIST("IMS-W6"),
     .after = GW_LIST("ims-w/register"),
     .run = known_version},
    {.id = "ims-w/wait-for-memory",
     .title = "Frames wait for DATA_RES",
     .rules = GW_LIST("IMS-W4"),
     .run = any_frame},
    {.id = "ims-w/place",
     .title = "The first frame begins where DATA_RES says, and all use its key",
     .rules = GW_LIST("IMS-W5"),
     .run = any_frame},
    {.id = "ims-w/alignment",
     .title = "Frames begin at multiples of 64",
     .rules = GW_LIST("IMS-W7"),
     .run = any_frame},
    {.id = "ims-w/packets",
     .title = "Packets carry 64 to 4096 bytes in steps of 64, only the last may be shorter",
     .rules = GW_LIST("IMS-W8"),
     .run = every_packet},
    {.id = "ims-w/frame-length",
     .title = "Frames are multiples of 64 bytes long",
     .rules = GW_LIST("IMS-W9"),
     .run = any_frame},
    {.id = "ims-w/frame-size",
     .title = "All frames but the last are of one size",
     .rules = GW_LIST("IMS-W10"),
     .run = one_size},
    {.id = "ims-w/in-a-row",
     .title = "Each frame begins where the one before ended",
     .rules = GW_LIST("IMS-W11"),
     .run = in_a_row},
    {.id = "ims-w/whole-frames",
     .title = "Frames are sent whole",
     .rules = GW_LIST("IMS-W30"),
     .run = every_packet},
    {.id = "ims-w/acks",
     .title = "A frame that was acknowledged is not sent again",
     .rules = GW_LIST("IMS-W12"),
     .after = GW_LIST("ims-w/data-request", "ims-w/whole-frames"),
     .run = acts_on_acks},
    {.id = "ims-w/leave",
     .title = "The Worker closes its data channel and deregisters with STAT_TERM",
     .rules = GW_LIST("IMS-W21"),
     .run = leave_taking},
    {.id = "ims-w/nothing-after",
     .title = "Nothing is written after DATA_TERM or STAT_TERM",
     .rules = GW_LIST("IMS-W22"),
     .run = any_frame},
    {.id = "ims-w/images",
     .title = "Images tell where they lie and have the right CRC",
     .rules = GW_LIST("IMS-W26", "IMS-W27"),
     .after = GW_LIST("ims-w/wait-for-memory"),
     .needs = GW_LIST("images"),
     .run = images},
    {0},
};
