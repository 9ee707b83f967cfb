/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P endpoint: what it says and does when others break the rules. After each illegal frame the
 * next legal one must find the board as if nothing had been. */
#include <string.h>

#include "formats/op2p/node/suite.h"
#include "goldwire/cursor.h"

#define DATA 16 /* bytes of the reads between */

/* ---- as if nothing had been ---- */

/* What is not as it should be, where the path may have done it. */
typedef struct failing {
    const char *rule;
    const char *what; /* NULL: nothing */
    unsigned packet;
} failing;

/* Waits for the completion to |q|, whichever way its double words are turned; others are left out,
 * but not another one to |before|. */
static bool next_completion(gw_ctx *ctx, const gw_op2p_header *q, uint32_t before, gw_opc_got *got,
                            const char *after)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + gw_case_reply_ns(ctx);
    gw_miss miss = {.rule = "OP-E12"};

    while (gw_opc_next(ctx, got, deadline - gw_case_now(conn))) {
        uint8_t turned[GW_OP2P_HEADER];
        const gw_op2p_header *h = &got->p.header;
        gw_op2p_swap(turned, got->message.data + (got->p.has_shim ? GW_OP2P_SHIM : 0),
                     sizeof(turned));
        miss.packet = got->number;
        if (h->type == GW_OP2P_COMPLETION && h->dst_addr == before)
            gw_case_fail(ctx, &miss, "a request was completed once more after %s", after);
        if (h->type == GW_OP2P_COMPLETION && h->dst_addr == q->src_addr)
            return true;
        if (gw_op2p_get(turned).dst_addr == q->src_addr) {
            miss.rule = "OP-E02";
            gw_case_fail(ctx, &miss, "double words come least significant byte first after %s",
                         after);
        }
    }
    return false;
}

/* What the completion says by itself, no path has put there. */
static void judge_completion(gw_ctx *ctx, const gw_op2p_header *q, const gw_opc_got *got,
                             const char *after)
{
    gw_miss miss = {.rule = "OP-E01", .packet = got->number};

    if (got->p.payload_sent % 4 != 0)
        gw_case_fail(ctx, &miss, "no whole double words after %s", after);
    miss.rule = "OP-E04";
    if (got->p.payload_sent != DATA)
        gw_case_fail(ctx, &miss, "%u bytes of payload in a completion of %u after %s",
                     got->p.payload_sent, DATA, after);
    gw_opc_want(ctx, got, "OP-E12", "op2p.byte_count", DATA);
    gw_opc_want(ctx, got, "OP-E12", "op2p.status", GW_OP2P_SUCCESS);
    gw_opc_want(ctx, got, "OP-E12", "op2p.dst.id", GW_OPC_US);
    gw_opc_want(ctx, got, "OP-E12", "op2p.src_addr", q->dst_addr);
    gw_opc_want(ctx, got, "OP-E12", "op2p.fbe", q->fbe);
    if (gw_opc_node(ctx) != 0)
        gw_opc_want(ctx, got, "OP-E12", "op2p.src.id", gw_opc_node(ctx));
}

static bool holds(const gw_opc_got *got, const uint32_t *words)
{
    for (size_t i = 0; i < DATA / 4; i++)
        if (gw_load_be32(got->p.payload + 4 * i) != words[i])
            return false;
    return true;
}

/* Sends |one|, then writes to |at| and reads it back. |*before| is the request that was answered
 * last, and becomes this one. */
static failing try_after(gw_ctx *ctx, const gw_opc_illegal *one, uint32_t at, uint32_t *before)
{
    uint32_t words[DATA / 4];
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, at, DATA);
    gw_opc_got got;

    for (size_t k = 0; k < DATA / 4; k++)
        words[k] = gw_opc_word(ctx);
    gw_opc_slip_in(ctx, one, gw_opc_node(ctx), at + 128);
    gw_opc_write(ctx, at, words, DATA / 4);
    gw_opc_send(ctx, &q, NULL, 0, 0);
    if (!next_completion(ctx, &q, *before, &got, one->what))
        return (failing){.rule = "OP-E12", .what = "a read request was not answered"};
    judge_completion(ctx, &q, &got, one->what);
    *before = q.src_addr;
    if (!holds(&got, words))
        return (failing){.rule = "OP-E11",
                         .what = "a write to the node's id was not executed",
                         .packet = got.number};
    return (failing){.what = NULL};
}

static void after_illegal(gw_ctx *ctx)
{
    uint32_t at = gw_opc_ram(ctx, 256), before = 0;
    gw_opc_got got;

    for (size_t i = 0; i < GW_OPC_ILLEGALS; i++) {
        unsigned tries = 0;
        failing f;
        do
            f = try_after(ctx, &gw_opc_illegals[i], at, &before);
        while (f.what != NULL && gw_opc_again(ctx, &tries));
        if (f.what != NULL)
            gw_case_fail(ctx, &(gw_miss){.rule = f.rule, .packet = f.packet}, "%s after %s", f.what,
                         gw_opc_illegals[i].what);
    }
    while (gw_opc_next(ctx, &got, gw_case_settle_ns(ctx))) {
        gw_miss miss = {.rule = "OP-E12", .packet = got.number};
        if (got.p.header.type == GW_OP2P_COMPLETION && got.p.header.dst_addr == before)
            gw_case_fail(ctx, &miss, "the last request was completed once more");
    }
    gw_case_expect_alive(ctx, "OP-E12", "illegal frames");
}

/* ---- no answer to what is refused ---- */

static void refused_silent(gw_ctx *ctx)
{
    uint32_t spot = gw_opc_marked(ctx);
    gw_opc_got got;

    for (size_t i = 0; i < GW_OPC_ILLEGALS; i++) {
        const gw_opc_illegal *one = &gw_opc_illegals[i];
        if (one->type != GW_OP2P_WRITE && one->type != GW_OP2P_COMPLETION)
            continue;
        gw_opc_drain(ctx);
        gw_opc_send_illegal(ctx, one, gw_opc_node(ctx), spot);
        while (gw_opc_next(ctx, &got, gw_case_settle_ns(ctx))) {
            gw_miss miss = {.rule = "OP-E13", .packet = got.number};
            if (got.p.header.type == GW_OP2P_COMPLETION)
                gw_case_fail(ctx, &miss, "a completion of status %u answers %s",
                             got.p.header.status, one->what);
        }
    }
    gw_case_expect_alive(ctx, "OP-E13", "writes and completions that it has to refuse");
}

/* ---- fields that are not what they should be ---- */

static void rfu_not_copied(gw_ctx *ctx)
{
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, gw_opc_ram(ctx, 4), 4);
    gw_opc_got got;

    q.rfu = 0xf;
    gw_opc_find(ctx, &q, &got, "OP-E12");
    gw_opc_want(ctx, &got, "OP-E03", "op2p.rfu", 0);
}

static void trailing_sizes(gw_ctx *ctx)
{
    static const uint8_t behind[] = {1, 2, 7, 32};
    uint32_t old[32], at = gw_opc_ram(ctx, 64);
    gw_opc_got got;

    memset(old, 0xd0, sizeof(old));
    for (size_t i = 0; i < GW_ARRAY_LEN(behind); i++) {
        gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, at, 64);
        gw_miss miss = {.rule = "OP-E04", .expected = 64};
        unsigned tries = 0;
        bool answered;
        do {
            gw_opc_drain(ctx);
            gw_opc_send(ctx, &q, old, behind[i], 0);
            answered = gw_opc_next(ctx, &got, gw_case_reply_ns(ctx));
        } while (!answered && gw_case_again(ctx, &tries));
        if (!answered)
            gw_case_inconc(ctx, "a read request with bytes behind it was not answered");
        miss.packet = got.number;
        miss.got = got.p.payload_sent;
        if (got.p.payload_sent != 64)
            gw_case_fail(ctx, &miss, "%u bytes answer a request for 64 with %u behind it",
                         got.p.payload_sent, 4u * behind[i]);
    }
}

/* Ids that name nobody, the board's own, and none. */
static void odd_sources(gw_ctx *ctx)
{
    const uint16_t sources[] = {0x0001, 0x003f, gw_opc_node(ctx), 0};
    uint32_t at = gw_opc_ram(ctx, 4);

    for (size_t i = 0; i < GW_ARRAY_LEN(sources); i++) {
        uint32_t value = gw_opc_word(ctx);
        gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, 4);
        h.src_id = sources[i];
        gw_opc_send(ctx, &h, &value, 1, 0);
        gw_opc_same(ctx, "OP-E11", at, value, "a write to the node's id, from an odd one");
    }
}

/* A board may refuse enables that the table lacks. One that takes them takes them for the first
 * double word alone. */
static void odd_enables(gw_ctx *ctx)
{
    static const uint8_t enables[] = {5, 6, 7, 9, 10, 11, 13, 14};
    uint32_t ones[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    uint32_t data[3] = {0x11223344, 0x55667788, 0x01020304};
    uint32_t at = gw_opc_ram(ctx, sizeof(ones));

    for (size_t i = 0; i < GW_ARRAY_LEN(enables); i++) {
        gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, sizeof(data));
        gw_opc_put(ctx, at, ones, 3);
        h.fbe = enables[i];
        gw_opc_send(ctx, &h, data, 3, 0);
        bool refused = gw_opc_peek(ctx, at) == UINT32_MAX;
        for (uint32_t k = 1; k < 3; k++)
            gw_opc_same(ctx, "OP-E14", at + 4 * k, refused ? UINT32_MAX : data[k],
                        "a later double word of a write with an undefined byte enable");
    }
}

static void odd_length(gw_ctx *ctx)
{
    uint32_t at = gw_opc_marked(ctx);
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, 4);
    uint8_t pdu[GW_OP2P_HEADER + 4];

    memset(pdu, 0xba, sizeof(pdu));
    gw_op2p_put(pdu, &h);
    for (size_t tail = 1; tail < 4; tail++) {
        gw_opc_event(ctx, GW_OP2P_KIND_PDU, 0, 0, pdu, GW_OP2P_HEADER + tail);
        gw_opc_still_marked(ctx, "OP-L02", at, "a write that ends inside a double word");
    }
}

/* A write that is refused for its size leaves nothing behind for the next one. */
static void size_alone_refused(gw_ctx *ctx)
{
    uint32_t value = gw_opc_word(ctx), at = gw_opc_marked(ctx);
    uint32_t behind = gw_opc_peek(ctx, at + 4);
    static const uint16_t counts[] = {1028, 2044, 0xfffc};

    for (size_t i = 0; i < GW_ARRAY_LEN(counts); i++) {
        gw_opc_illegal one = {.type = GW_OP2P_WRITE, .count = counts[i], .words = 4, .fbe = 15};
        gw_opc_send_illegal(ctx, &one, gw_opc_node(ctx), at + 16);
        gw_opc_write(ctx, at, &value, 1);
        gw_opc_same(ctx, "OP-E28", at, value, "a small write after one that was refused");
        gw_opc_same(ctx, "OP-E28", at + 4, behind,
                    "what lies behind a small write after one that was refused");
    }
}

#define RAM .needs = GW_LIST("ram")
#define WRITES .after = GW_LIST("op-e/write")

const gw_case gw_op_e_illegal[] = {
    {.id = "op-e/after-illegal",
     .title = "Legal frames after any illegal one are executed and answered",
     .rules = GW_LIST("OP-E12", "OP-E01", "OP-E02", "OP-E04", "OP-E11"),
     .after = GW_LIST("op-e/write", "op-e/completion"),
     RAM,
     .negative = true,
     .run = after_illegal},
    {.id = "op-e/refused-silent",
     .title = "A write or completion that is refused is not answered",
     .rules = GW_LIST("OP-E13"),
     .after = GW_LIST("op-e/write-silent"),
     RAM,
     .negative = true,
     .run = refused_silent},
    {.id = "op-e/rfu-not-copied",
     .title = "A request's reserved bits are not copied into the completion",
     .rules = GW_LIST("OP-E03"),
     .after = GW_LIST("op-e/rfu-clear", "op-e/rfu-ignored"),
     RAM,
     .negative = true,
     .run = rfu_not_copied},
    {.id = "op-e/trailing-sizes",
     .title = "Bytes behind a read request do not change its completion's length",
     .rules = GW_LIST("OP-E04"),
     .after = GW_LIST("op-e/read-trailing"),
     RAM,
     .negative = true,
     .run = trailing_sizes},
    {.id = "op-e/odd-sources",
     .title = "A packet for the node is accepted whatever its source id",
     .rules = GW_LIST("OP-E11"),
     WRITES,
     RAM,
     .negative = true,
     .run = odd_sources},
    {.id = "op-e/fbe-odd",
     .title = "An undefined first byte enable leaves the later double words whole",
     .rules = GW_LIST("OP-E14"),
     .after = GW_LIST("op-e/fbe-lanes"),
     RAM,
     .negative = true,
     .run = odd_enables},
    {.id = "op-l/odd-length",
     .title = "A frame that ends inside a double word is not executed",
     .rules = GW_LIST("OP-L02"),
     WRITES,
     RAM,
     .negative = true,
     .run = odd_length},
    {.id = "op-e/size-alone-refused",
     .title = "A small write after one refused for its size writes no more than its own bytes",
     .rules = GW_LIST("OP-E28"),
     .after = GW_LIST("op-e/size-alone"),
     RAM,
     .negative = true,
     .run = size_alone_refused},
    {0},
};
