/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer: the status channel among what nobody ought to send. Whatever the board does with
 * that, the next good request is answered as if nothing had been. */
#include "formats/ims/buf/suite.h"

/* Who never registers. */
#define NOBODY_LID UINT32_C(0x7fe)
#define NOBODY_QPN UINT32_C(0x7ffe)

/* The four requests in the order in which each of them is answered, and who says so. */
static const struct {
    uint8_t method;
    const char *rule;
} session[] = {
    {GW_IMS_STAT_REQ, "IMS-B3"},
    {GW_IMS_DATA_REQ, "IMS-B9"},
    {GW_IMS_DATA_TERM, "IMS-B11"},
    {GW_IMS_STAT_TERM, "IMS-B12"},
};

/* ---- one kind of nonsense each ---- */

static void other_queue_pairs(gw_ctx *ctx)
{
    uint32_t own = gw_case_board(ctx)->claims.status_qpn;
    const uint32_t others[] = {own ^ 0x800000, own ^ 0x100, GW_IB_NUMBER_MASK - 1};
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(others); i++) {
        gw_ims_status s = gw_imb_request(w, GW_IMS_STAT_REQ);
        gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
        draft.bth.dest_qp = others[i];
        (void)gw_imb_send(ctx, &draft);
        gw_imb_quiet(ctx, w, "IMS-B1", "a STAT_REQ to another queue pair");
    }
    gw_imb_ask(ctx, w, GW_IMS_STAT_REQ, &got, "IMS-B1");
}

static void damaged(gw_ctx *ctx)
{
    static const uint32_t flips[] = {1, UINT32_C(0x80000000), UINT32_MAX};
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(flips); i++) {
        gw_ims_status s = gw_imb_request(w, GW_IMS_STAT_REQ);
        gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
        gw_imb_send_damaged(ctx, &draft, flips[i]);
        gw_imb_quiet(ctx, w, "IMS-C13", "a STAT_REQ with a wrong ICRC");
    }
    gw_imb_ask(ctx, w, GW_IMS_STAT_REQ, &got, "IMS-B3");
}

/* Takes an answer to what need not be answered, and judges what it looks like. */
static bool take_any(gw_ctx *ctx)
{
    gw_imb_got got;

    if (!gw_imb_next(ctx, &got, gw_case_settle_ns(ctx)))
        return false;
    gw_imb_judge(ctx, &got);
    return true;
}

static void wide_numbers(gw_ctx *ctx)
{
    static const uint32_t lids[] = {UINT32_C(0x10000), 0, UINT32_C(0xffff0000)};
    static const uint32_t qpns[] = {0, UINT32_C(0x1000000), UINT32_C(0xff000000)};
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    unsigned answered = 0;
    gw_imb_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(lids); i++) {
        gw_ims_status s = gw_imb_request(w, GW_IMS_STAT_REQ);
        s.lid |= lids[i];
        s.qpn |= qpns[i];
        gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
        (void)gw_imb_send(ctx, &draft);
        answered += take_any(ctx);
    }
    gw_case_note(ctx, "%u of %zu requests with bits above LID and queue pair are answered",
                 answered, GW_ARRAY_LEN(lids));
    gw_imb_ask(ctx, w, GW_IMS_STAT_REQ, &got, "IMS-B3");
    gw_imb_judge(ctx, &got);
}

static void with_immediate(gw_ctx *ctx)
{
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_ims_status s = gw_imb_request(w, GW_IMS_STAT_REQ);
    gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
    gw_imb_got got;

    draft.bth.opcode = GW_IB_UD_SEND_ONLY_IMM;
    (void)gw_imb_send(ctx, &draft);
    gw_case_note(ctx, "a request with immediate data is %s",
                 take_any(ctx) ? "answered" : "not answered");
    gw_imb_ask(ctx, w, GW_IMS_STAT_REQ, &got, "IMS-B3");
    gw_imb_judge(ctx, &got);
}

/* Each alone did no harm. */
static void short_in_sequence(gw_ctx *ctx)
{
    static const uint8_t noise[GW_IMS_STATUS / 2] = {0};
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_ims_status s = gw_imb_request(w, GW_IMS_STAT_REQ);
    gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
    gw_imb_got got;

    gw_imb_ask(ctx, w, GW_IMS_STAT_REQ, &got, "IMS-B3");
    gw_imb_ask(ctx, w, GW_IMS_DATA_REQ, &got, "IMS-B9");
    draft.raw = true;
    draft.payload = noise;
    draft.payload_len = sizeof(noise);
    (void)gw_imb_send(ctx, &draft);
    gw_imb_ask(ctx, w, GW_IMS_STAT_REQ, &got, "IMS-B3");
}

static void reserved_byte_set(gw_ctx *ctx)
{
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_miss miss = {.rule = "IMS-B6"};
    gw_imb_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(session); i++) {
        gw_ims_status s = gw_imb_request(w, session[i].method);
        s.reserved = UINT8_MAX;
        gw_ims_draft draft = gw_imb_draft(ctx, w, &s);
        miss.packet = gw_imb_send(ctx, &draft);
        if (!gw_imb_answer(ctx, w, session[i].method | GW_IMS_RESPONSE, &got))
            gw_case_fail(ctx, &miss, "method %u was not answered when the reserved byte was set",
                         session[i].method);
    }
}

/* ---- strangers who share a part of a Worker's name ---- */

static void expect_no_answer(gw_ctx *ctx, const gw_imb_worker *stranger, const char *after)
{
    static const uint8_t requests[] = {GW_IMS_DATA_REQ, GW_IMS_DATA_TERM, GW_IMS_STAT_TERM};

    for (size_t i = 0; i < GW_ARRAY_LEN(requests); i++) {
        (void)gw_imb_send_request(ctx, stranger, requests[i]);
        gw_imb_quiet(ctx, stranger, "IMS-B7", after);
    }
}

static void half_strangers(gw_ctx *ctx)
{
    const gw_imb_worker *a = gw_imb_one(ctx, 0);
    gw_imb_worker *b = gw_imb_one(ctx, 1);
    gw_imb_worker *c = gw_imb_one(ctx, 2);
    gw_imb_got got;

    b->qpn = a->qpn;
    c->lid = a->lid;
    gw_imb_register(ctx, a);
    expect_no_answer(ctx, b, "a request of a stranger with a Worker's queue pair");
    expect_no_answer(ctx, c, "a request of a stranger with a Worker's LID");
    gw_imb_ask(ctx, a, GW_IMS_DATA_REQ, &got, "IMS-B7");
    gw_imb_ask(ctx, a, GW_IMS_DATA_TERM, &got, "IMS-B7");
}

/* ---- all of it, around each request of a session ---- */

static void send_raw(gw_ctx *ctx, const gw_imb_worker *w, const gw_ims_status *s, size_t len)
{
    static const uint8_t noise[2 * GW_IMS_STATUS] = {0xff, 0xff, 9, 9, 0xfe, 7};
    gw_ims_draft draft = gw_imb_draft(ctx, w, s);

    draft.raw = true;
    draft.payload = noise;
    draft.payload_len = len;
    (void)gw_imb_send(ctx, &draft);
}

/* Nothing of this may be answered, and nothing of it remembered. */
static void make_noise(gw_ctx *ctx, const gw_imb_worker *w)
{
    static const uint8_t methods[] = {GW_IMS_STAT_RES, GW_IMS_DATA_RES, 8, UINT8_MAX,
                                      GW_IMS_DATA_DOWN};
    gw_imb_worker nobody = {.lid = NOBODY_LID, .qpn = NOBODY_QPN, .qkey = ~w->qkey};
    gw_ims_status s = gw_imb_request(w, GW_IMS_STAT_TERM);
    gw_ims_draft draft = gw_imb_draft(ctx, w, &s);

    draft.deth.qkey ^= 1;
    (void)gw_imb_send(ctx, &draft);
    send_raw(ctx, w, &s, GW_IMS_STATUS - 1);
    send_raw(ctx, w, &s, sizeof((uint8_t[2 *GW_IMS_STATUS]){0}));
    for (size_t i = 0; i < GW_ARRAY_LEN(methods); i++) {
        s = gw_imb_request(&nobody, methods[i]);
        s.major = s.minor = 9;
        s.va = UINT64_MAX;
        draft = gw_imb_draft(ctx, &nobody, &s);
        (void)gw_imb_send(ctx, &draft);
    }
}

static void among_noise(gw_ctx *ctx)
{
    const gw_imb_state *state = gw_case_state(ctx);
    const gw_imb_worker *w = gw_imb_one(ctx, 0);
    gw_imb_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(session); i++) {
        make_noise(ctx, w);
        gw_imb_ask(ctx, w, session[i].method, &got, session[i].rule);
        gw_imb_want(ctx, &got, "IMS-B5", "ims.status.lid", w->lid);
        gw_imb_want(ctx, &got, "IMS-B5", "ims.status.qpn", w->qpn);
        gw_imb_want(ctx, &got, "IMS-B4", "ims.deth.qkey", w->qkey);
        gw_imb_want(ctx, &got, "IMS-B14", "ims.status.major", state->version >> 8);
        gw_imb_want(ctx, &got, "IMS-B14", "ims.status.minor", state->version & 0xff);
        gw_imb_judge(ctx, &got);
    }
}

const gw_case gw_ims_b_noise[] = {
    {.id = "ims-b/other-queue-pairs",
     .title = "Requests to another queue pair are not answered",
     .rules = GW_LIST("IMS-B1"),
     .after = GW_LIST("ims-b/registers"),
     .negative = true,
     .run = other_queue_pairs},
    {.id = "ims-c/damaged",
     .title = "Requests with a wrong ICRC are dropped",
     .rules = GW_LIST("IMS-C13", "IMS-B3"),
     .after = GW_LIST("ims-c/icrc", "ims-b/registers"),
     .negative = true,
     .run = damaged},
    {.id = "ims-c/wide-numbers",
     .title = "Answers have numbers that fit, whatever numbers the request has",
     .rules = GW_LIST("IMS-C4", "IMS-B3"),
     .after = GW_LIST("ims-b/registers"),
     .negative = true,
     .run = wide_numbers},
    {.id = "ims-c/with-immediate",
     .title = "A request with immediate data is answered by a datagram without any",
     .rules = GW_LIST("IMS-C11", "IMS-B3"),
     .after = GW_LIST("ims-b/registers"),
     .negative = true,
     .run = with_immediate},
    {.id = "ims-b/reserved-byte-set",
     .title = "A reserved byte that is set in a request changes nothing",
     .rules = GW_LIST("IMS-B6"),
     .after = GW_LIST("ims-b/ignored-fields"),
     .negative = true,
     .run = reserved_byte_set},
    {.id = "ims-b/short-third",
     .title = "A short datagram right behind a STAT_REQ and a DATA_REQ does no harm",
     .rules = GW_LIST("IMS-B3"),
     .after = GW_LIST("ims-b/odd-packets", "ims-b/data-res"),
     .negative = true,
     .run = short_in_sequence},
    {.id = "ims-b/half-strangers",
     .title = "A Worker that shares only LID or queue pair with another is not registered by it",
     .rules = GW_LIST("IMS-B7"),
     .after = GW_LIST("ims-b/two-identities", "ims-b/strangers", "ims-b/stat-term"),
     .negative = true,
     .run = half_strangers},
    {.id = "ims-b/amid-noise",
     .title = "A session among malformed packets is answered as any other",
     .rules = GW_LIST("IMS-B3", "IMS-B4", "IMS-B5", "IMS-B9", "IMS-B10", "IMS-B11", "IMS-B12",
                      "IMS-B14"),
     .after = GW_LIST("ims-b/odd-packets", "ims-b/wrong-qkey", "ims-b/version",
                      "ims-b/answers-to-payload", "ims-b/aligned"),
     .negative = true,
     .run = among_noise},
    {0},
};
