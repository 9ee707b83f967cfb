/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer: the status channel, as one Worker and as several. */
#include <inttypes.h>

#include "formats/ims/buf/suite.h"
#include "suite/response.h"

/* The four requests in the order in which each of them is answered. */
static const uint8_t session[] = {GW_IMS_STAT_REQ, GW_IMS_DATA_REQ, GW_IMS_DATA_TERM,
                                  GW_IMS_STAT_TERM};

static void registers(gw_ctx *ctx)
{
    gw_imb_got got;
    gw_imb_ask(ctx, gw_imb_one(ctx, 0), GW_IMS_STAT_REQ, &got, "IMS-B3");
}

static void repeated(gw_ctx *ctx)
{
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    for (unsigned i = 0; i < 3; i++)
        gw_imb_ask(ctx, w, GW_IMS_STAT_REQ, &got, "IMS-B3");
}

static void to_payload(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_ims_status s = gw_imb_request(w, GW_IMS_STAT_REQ);
    gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
    gw_miss miss = {.rule = "IMS-B4"};
    gw_imb_got got;

    draft.deth.src_qp = w->qpn + 0x100;
    (void)gw_imb_send(ctx, &draft);
    if (!gw_imb_next(ctx, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss,
                     "a STAT_REQ from another queue pair than it tells is not answered");
    gw_imb_want(ctx, &got, "IMS-B4", "ims.bth.dest_qp", w->qpn);
    gw_imb_want(ctx, &got, "IMS-B4", "ims.deth.qkey", w->qkey);
}

static void echoes(gw_ctx *ctx)
{
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(session); i++) {
        gw_imb_ask(ctx, w, session[i], &got, "IMS-B5");
        gw_imb_want(ctx, &got, "IMS-B5", "ims.status.lid", w->lid);
        gw_imb_want(ctx, &got, "IMS-B5", "ims.status.qpn", w->qpn);
    }
}

/* The answer to a registration goes where that one says, not where an earlier one did. */
static void with_key(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    bool fixed = gw_case_transport(gw_case_connection(ctx))->adapter != NULL;
    gw_imb_got got;

    for (unsigned i = 0; i < 3; i++) {
        for (size_t k = 0; k + 1 < GW_ARRAY_LEN(session); k++) {
            gw_imb_ask(ctx, w, session[k], &got, "IMS-B4");
            gw_imb_want(ctx, &got, "IMS-B4", "ims.deth.qkey", w->qkey);
        }
        w->qkey += fixed ? 0 : 0x101;
    }
}

/* A Worker's own key is no concern of the check. */
static void right_qkey(gw_ctx *ctx)
{
    const uint32_t keys[] = {gw_case_board(ctx)->claims.status_qkey, 0, 1, UINT32_C(0x80000000),
                             UINT32_MAX};
    bool fixed = gw_case_transport(gw_case_connection(ctx))->adapter != NULL;
    gw_miss miss = {.rule = "IMS-B2"};
    gw_imb_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(keys); i++) {
        gw_imb_worker *w = gw_imb_one(ctx, 0);
        w->qkey = fixed ? w->qkey : keys[i];
        miss.packet = gw_imb_send_request(ctx, w, GW_IMS_STAT_REQ);
        if (!gw_imb_answer(ctx, w, GW_IMS_STAT_RES, &got))
            gw_case_fail(ctx, &miss,
                         "a STAT_REQ with the right queue key was dropped; the Worker's own is "
                         "0x%08" PRIx32,
                         w->qkey);
        (void)gw_imb_send_request(ctx, w, GW_IMS_STAT_TERM);
        gw_imb_drain(ctx);
    }
}

static void wrong_qkey(gw_ctx *ctx)
{
    static const uint32_t flips[] = {1, UINT32_C(0x80000000), UINT32_MAX};
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(flips); i++) {
        gw_ims_status s = gw_imb_request(w, GW_IMS_STAT_REQ);
        gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
        draft.deth.qkey ^= flips[i];
        (void)gw_imb_send(ctx, &draft);
        gw_imb_quiet(ctx, w, "IMS-B2", "a STAT_REQ with a wrong queue key");
    }
    gw_imb_ask(ctx, w, GW_IMS_STAT_REQ, &got, "IMS-B3");
}

/* The fields that no method uses, and those that only an answer has. */
static gw_ims_status noisy(gw_ctx *ctx, const gw_imb_worker *w, uint8_t method)
{
    gw_ims_status s = gw_imb_request(w, method);
    uint64_t noise = gw_case_random(ctx);

    s.va = (noise | GW_IMS_ALIGN) & ~UINT64_C(3);
    s.rkey = (uint32_t)(noise >> 13) | 1;
    if (method == GW_IMS_DATA_TERM || method == GW_IMS_STAT_TERM)
        s.key = (uint32_t)(noise >> 29);
    return s;
}

static void ignored_fields(gw_ctx *ctx)
{
    gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;
    gw_miss miss = {.rule = "IMS-B6"};

    gw_imb_open(ctx, w);
    for (unsigned k = 0; k < 3; k++) {
        for (size_t i = 0; i < GW_ARRAY_LEN(session); i++) {
            gw_ims_status s = noisy(ctx, w, session[i]);
            gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
            gw_imb_drain(ctx);
            (void)gw_imb_send(ctx, &draft);
            if (!gw_imb_answer(ctx, w, session[i] | GW_IMS_RESPONSE, &got))
                gw_case_fail(ctx, &miss,
                             "method %u was not answered when fields were set that it does not use",
                             session[i]);
            if (session[i] == GW_IMS_DATA_REQ)
                gw_imb_want(ctx, &got, "IMS-B6", "ims.status.va", w->va);
        }
    }
}

static void two_identities(gw_ctx *ctx)
{
    gw_imb_worker *a = gw_imb_one(ctx, 0);
    gw_imb_worker *b = gw_imb_one(ctx, 1);
    gw_imb_worker *c = gw_imb_one(ctx, 2);
    gw_imb_got got;

    b->qpn = a->qpn; /* another LID */
    c->lid = a->lid; /* another queue pair */
    gw_imb_register(ctx, a);
    gw_imb_register(ctx, b);
    gw_imb_register(ctx, c);
    gw_imb_ask(ctx, a, GW_IMS_STAT_TERM, &got, "IMS-B7");
    gw_imb_ask(ctx, b, GW_IMS_DATA_TERM, &got, "IMS-B7");
    gw_imb_ask(ctx, c, GW_IMS_DATA_TERM, &got, "IMS-B7");
    gw_imb_ask(ctx, b, GW_IMS_STAT_TERM, &got, "IMS-B7");
    gw_imb_ask(ctx, c, GW_IMS_STAT_TERM, &got, "IMS-B7");
}

static void strangers(gw_ctx *ctx)
{
    static const uint8_t requests[] = {GW_IMS_DATA_REQ, GW_IMS_DATA_TERM, GW_IMS_STAT_TERM};
    gw_imb_worker *w = gw_imb_one(ctx, 3);
    gw_imb_got got;

    w->lid += 0x700; /* nobody has ever heard of this one */
    w->qpn += 0x7000;
    for (size_t i = 0; i < GW_ARRAY_LEN(requests); i++) {
        (void)gw_imb_send_request(ctx, w, requests[i]);
        gw_imb_quiet(ctx, w, "IMS-B8", "a request of a Worker that is not registered");
    }
    gw_imb_ask(ctx, gw_imb_one(ctx, 0), GW_IMS_STAT_REQ, &got, "IMS-B3");
}

static void version(gw_ctx *ctx)
{
    static const uint16_t versions[] = {0x0000, 0x0100, 0x0101, 0x0707, 0xffff};
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_miss miss = {.rule = "IMS-B14"};
    gw_imb_got got, first;

    gw_imb_ask(ctx, w, GW_IMS_STAT_REQ, &first, "IMS-B3");
    for (size_t i = 0; i < GW_ARRAY_LEN(versions); i++) {
        for (size_t k = 0; k < GW_ARRAY_LEN(session); k++) {
            gw_ims_status s = gw_imb_request(w, session[k]);
            s.major = (uint8_t)(versions[i] >> 8);
            s.minor = (uint8_t)versions[i];
            gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
            (void)gw_imb_send(ctx, &draft);
            if (!gw_imb_answer(ctx, w, session[k] | GW_IMS_RESPONSE, &got))
                gw_case_fail(ctx, &miss, "a Worker of version %u.%u is not answered", s.major,
                             s.minor);
            gw_imb_want(ctx, &got, "IMS-B14", "ims.status.major", first.p.status.major);
            gw_imb_want(ctx, &got, "IMS-B14", "ims.status.minor", first.p.status.minor);
        }
    }
}

static void answer_time(gw_ctx *ctx)
{
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_responses responses = {.num = 0};
    gw_imb_got got;

    for (unsigned i = 0; i < GW_RESPONSE_ROUNDS && !gw_response_slow(ctx, &responses); i++) {
        unsigned sent = gw_imb_send_request(ctx, w, GW_IMS_STAT_REQ);
        if (gw_imb_answer(ctx, w, GW_IMS_STAT_RES, &got))
            gw_response_add(ctx, &responses, sent, got.number);
        else
            gw_response_missed(ctx, &responses);
    }
    gw_response_end(ctx, &responses);
}

/* What no Worker sends: answers, unknown methods, other lengths, other services. */
static void odd_packets(gw_ctx *ctx)
{
    static const uint8_t noise[GW_IMS_STATUS + 36] = {0};
    static const size_t lengths[] = {0, 1, 27, 29, 64};
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    gw_imb_register(ctx, w);
    for (unsigned method = 1; method < 256; method = method < 9 ? method + 1 : method * 2 + 1) {
        gw_ims_status s = gw_imb_request(w, (uint8_t)method);
        gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
        if ((method & 1) == 0 && method < GW_IMS_NUM_METHODS)
            continue;
        (void)gw_imb_send(ctx, &draft);
        gw_imb_quiet(ctx, w, "IMS-C3", "a method that no Worker uses");
    }
    for (size_t i = 0; i < GW_ARRAY_LEN(lengths); i++) {
        gw_ims_status s = gw_imb_request(w, GW_IMS_STAT_REQ);
        gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
        draft.raw = true;
        draft.payload = noise;
        draft.payload_len = lengths[i];
        (void)gw_imb_send(ctx, &draft);
    }
    gw_imb_ask(ctx, w, GW_IMS_STAT_REQ, &got, "IMS-B3");
}

const gw_case gw_ims_b_status[] = {
    {.id = "ims-b/registers",
     .title = "STAT_REQ is answered by STAT_RES",
     .rules = GW_LIST("IMS-B3", "IMS-B1"),
     .after = GW_LIST("ims-c/status-format"),
     .run = registers},
    {.id = "ims-b/repeated",
     .title = "A repeated STAT_REQ is answered again",
     .rules = GW_LIST("IMS-B3"),
     .after = GW_LIST("ims-b/registers"),
     .run = repeated},
    {.id = "ims-b/answers-to-payload",
     .title = "Answers go to the queue pair and with the key that the request's payload tells",
     .rules = GW_LIST("IMS-B4"),
     .after = GW_LIST("ims-b/registers"),
     .negative = true,
     .run = to_payload},
    {.id = "ims-b/answers-with-key",
     .title = "Answers carry the queue key that the latest STAT_REQ tells",
     .rules = GW_LIST("IMS-B4"),
     .after = GW_LIST("ims-b/repeated"),
     .run = with_key},
    {.id = "ims-b/right-qkey",
     .title = "Requests with the right queue key are answered, whatever the Worker's own key is",
     .rules = GW_LIST("IMS-B2"),
     .after = GW_LIST("ims-b/registers"),
     .run = right_qkey},
    {.id = "ims-b/echoes",
     .title = "All answers repeat the Worker's LID and queue pair",
     .rules = GW_LIST("IMS-B5"),
     .after = GW_LIST("ims-b/registers"),
     .run = echoes},
    {.id = "ims-b/wrong-qkey",
     .title = "Requests with a wrong queue key are dropped",
     .rules = GW_LIST("IMS-B2"),
     .after = GW_LIST("ims-b/registers"),
     .negative = true,
     .run = wrong_qkey},
    {.id = "ims-b/ignored-fields",
     .title = "Fields that a request does not use change nothing",
     .rules = GW_LIST("IMS-B6"),
     .after = GW_LIST("ims-b/echoes", "ims-b/repeated"),
     .run = ignored_fields},
    {.id = "ims-b/two-identities",
     .title = "Workers that differ in LID or queue pair alone are served as different ones",
     .rules = GW_LIST("IMS-B7"),
     .after = GW_LIST("ims-b/echoes"),
     .run = two_identities},
    {.id = "ims-b/strangers",
     .title = "Requests of a Worker that is not registered are not answered",
     .rules = GW_LIST("IMS-B8"),
     .after = GW_LIST("ims-b/registers"),
     .negative = true,
     .run = strangers},
    {.id = "ims-b/version",
     .title = "Answers tell the buffer's own version to Workers of any version",
     .rules = GW_LIST("IMS-B14"),
     .after = GW_LIST("ims-b/echoes", "ims-b/repeated"),
     .run = version},
    {.id = "ims-b/odd-packets",
     .title = "Packets that no Worker sends are not answered, and do no harm",
     .rules = GW_LIST("IMS-C3", "IMS-C2", "IMS-C1", "IMS-B3"),
     .after = GW_LIST("ims-b/repeated"),
     .negative = true,
     .run = odd_packets},
    {.id = "ims-b/answer-time",
     .title = "99 of 100 registrations are answered within the claimed time",
     .rules = GW_LIST("IMS-B3"),
     .after = GW_LIST("ims-b/repeated"),
     .needs = GW_LIST("response_us"),
     .run = answer_time},
    {0},
};
