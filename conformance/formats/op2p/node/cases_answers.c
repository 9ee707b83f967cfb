/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P endpoint: what it answers and what it executes. */
#include <inttypes.h>
#include <string.h>

#include "formats/op2p/node/suite.h"
#include "goldwire/cursor.h"
#include "suite/response.h"

static void byte_order(gw_ctx *ctx)
{
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, 0, 4);
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-E02"};

    gw_opc_drain(ctx);
    gw_opc_send(ctx, &q, NULL, 0, 0);
    if (!gw_opc_next(ctx, &got, gw_case_reply_ns(ctx)))
        gw_case_inconc(ctx, "a read request was not answered");
    miss.packet = got.number;
    const uint8_t *pdu = got.bytes + GW_OP2P_SHIM;
    uint8_t turned[GW_OP2P_HEADER];
    gw_op2p_swap(turned, pdu, sizeof(turned));
    gw_op2p_header h = gw_op2p_get(pdu), t = gw_op2p_get(turned);
    if (h.dst_id != GW_OPC_US && t.dst_id == GW_OPC_US && t.type == GW_OP2P_COMPLETION)
        gw_case_fail(ctx, &miss, "the completion's double words come least significant byte first");
    if (h.type != GW_OP2P_COMPLETION)
        gw_case_inconc(ctx, "a read request was answered by a packet of type 0x%x", h.type);
}

static void completion(gw_ctx *ctx)
{
    uint32_t at = gw_opc_ram(ctx, 64);
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, at, 64);
    gw_opc_got got, more;

    gw_opc_ask(ctx, &q, &got, "OP-E12");
    gw_opc_want(ctx, &got, "OP-E12", "op2p.dst.id", GW_OPC_US);
    gw_opc_want(ctx, &got, "OP-E12", "op2p.dst_addr", q.src_addr);
    gw_opc_want(ctx, &got, "OP-E12", "op2p.src_addr", q.dst_addr);
    gw_opc_want(ctx, &got, "OP-E12", "op2p.byte_count", 64);
    gw_opc_want(ctx, &got, "OP-E12", "op2p.status", GW_OP2P_SUCCESS);
    if (gw_opc_node(ctx) != 0)
        gw_opc_want(ctx, &got, "OP-E12", "op2p.src.id", gw_opc_node(ctx));
    if (gw_opc_next(ctx, &more, gw_case_settle_ns(ctx))) {
        gw_miss miss = {.rule = "OP-E12", .packet = more.number};
        gw_case_fail(ctx, &miss, "a second packet came; exactly one completion is expected");
    }
}

static void own_id(gw_ctx *ctx)
{
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, gw_opc_ram(ctx, 4), 4);
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-E12"};

    q.dst_id = 0;
    gw_opc_ask(ctx, &q, &got, "OP-E12");
    miss.packet = got.number;
    if (got.p.header.src_id == 0)
        gw_case_fail(ctx, &miss,
                     "the answer to a request to id 0 comes from id 0; the responder's own id is "
                     "expected");
}

static void fbe_copied(gw_ctx *ctx)
{
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, gw_opc_ram(ctx, 8), 8);
    gw_opc_got got;

    q.fbe = 12;
    gw_opc_ask(ctx, &q, &got, "OP-E12");
    gw_opc_want(ctx, &got, "OP-E12", "op2p.fbe", 12);
}

static void sizes(gw_ctx *ctx)
{
    static const uint16_t counts[] = {4, 8, 100, 1000};
    uint32_t at = gw_opc_ram(ctx, 1000);

    for (size_t i = 0; i < GW_ARRAY_LEN(counts); i++) {
        gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, at, counts[i]);
        gw_opc_got got;
        if (counts[i] > gw_opc_largest(ctx))
            gw_case_na(ctx, "the path does not carry frames of %u bytes", counts[i]);
        gw_opc_ask(ctx, &q, &got, "OP-E04");
        gw_miss miss = {.rule = "OP-E01", .packet = got.number};
        if (got.p.payload_sent % 4 != 0)
            gw_case_fail(ctx, &miss, "%" PRIu32 " bytes of payload are no whole double words",
                         got.p.payload_sent);
        miss.rule = "OP-E04";
        if (got.p.payload_sent != counts[i])
            gw_case_fail(ctx, &miss, "%" PRIu32 " bytes of payload, %u were asked for",
                         got.p.payload_sent, counts[i]);
    }
}

static void written_is_read(gw_ctx *ctx)
{
    uint32_t words[4] = {gw_opc_word(ctx), gw_opc_word(ctx), gw_opc_word(ctx), gw_opc_word(ctx)};
    uint32_t at = gw_opc_ram(ctx, sizeof(words));

    gw_opc_write(ctx, at, words, 4);
    gw_opc_same_all(ctx, "OP-E11", at, words, 4, "what was written is not there");
}

static void to_anybody(gw_ctx *ctx)
{
    uint32_t value = gw_opc_word(ctx), at = gw_opc_ram(ctx, 4);
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, 4);

    h.dst_id = 0;
    gw_opc_send(ctx, &h, &value, 1, 0);
    gw_opc_same(ctx, "OP-E11", at, value, "a write to id 0 was not executed");
}

static void rfu_clear(gw_ctx *ctx)
{
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, gw_opc_ram(ctx, 4), 4);
    gw_opc_got got;

    gw_opc_ask(ctx, &q, &got, "OP-E12");
    gw_opc_want(ctx, &got, "OP-E03", "op2p.rfu", 0);
}

static void rfu_ignored(gw_ctx *ctx)
{
    uint32_t value = gw_opc_word(ctx), at = gw_opc_ram(ctx, 4);
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, 4);

    h.rfu = 0xa;
    gw_opc_send(ctx, &h, &value, 1, 0);
    gw_opc_same(ctx, "OP-E03", at, value, "a write with reserved bits set was not executed");
}

static void trailing(gw_ctx *ctx)
{
    uint32_t old[4] = {1, 2, 3, 4}, value = gw_opc_word(ctx), at = gw_opc_ram(ctx, 4);
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, at, 4);
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-E05"};

    gw_opc_put(ctx, at, &value, 1);
    gw_opc_drain(ctx);
    gw_opc_send(ctx, &q, old, 4, 0);
    if (!gw_opc_next(ctx, &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "a read request with bytes behind it was not answered");
    gw_opc_want(ctx, &got, "OP-E05", "op2p.type", GW_OP2P_COMPLETION);
    gw_opc_want(ctx, &got, "OP-E05", "op2p.status", GW_OP2P_SUCCESS);
    gw_opc_same(ctx, "OP-E05", at, value, "bytes behind a read request were written");
}

static void silent_writes(gw_ctx *ctx)
{
    uint32_t value = gw_opc_word(ctx);

    gw_opc_drain(ctx);
    gw_opc_write(ctx, gw_opc_ram(ctx, 4), &value, 1);
    gw_opc_silence(ctx, "OP-E13", "a write");
}

static void first_only(gw_ctx *ctx)
{
    uint32_t ones[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    uint32_t data[3] = {0x11223344, 0x55667788, 0x01020304};
    uint32_t at = gw_opc_ram(ctx, sizeof(ones));
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, sizeof(data));

    gw_opc_put(ctx, at, ones, 3);
    h.fbe = 1;
    gw_opc_send(ctx, &h, data, 3, 0);
    gw_opc_same(ctx, "OP-E14", at, 0xffffff44, "first byte enable 1 selects data bits 7:0");
    gw_opc_same(ctx, "OP-E14", at + 4, data[1], "the second double word is whole");
    gw_opc_same(ctx, "OP-E14", at + 8, data[2], "the third double word is whole");
}

static void each_enable(gw_ctx *ctx)
{
    static const struct {
        uint8_t fbe;
        uint32_t lanes;
    } table[] = {{1, 0x000000ff}, {2, 0x0000ff00},  {4, 0x00ff0000}, {8, 0xff000000},
                 {3, 0x0000ffff}, {12, 0xffff0000}, {15, 0xffffffff}};
    uint32_t at = gw_opc_ram(ctx, 8);

    for (size_t i = 0; i < GW_ARRAY_LEN(table); i++) {
        uint32_t before = gw_opc_word(ctx), data = gw_opc_word(ctx);
        gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at | 3, 4);
        gw_opc_put(ctx, at, &before, 1);
        h.fbe = table[i].fbe;
        gw_opc_send(ctx, &h, &data, 1, 0);
        gw_opc_same(ctx, "OP-E14", at, (before & ~table[i].lanes) | (data & table[i].lanes),
                    "the byte enable selects the lanes, whatever the low address bits say");
    }
}

/* The byte that was asked for has to be there; what stands in the other lanes is open. */
static void one_byte(gw_ctx *ctx)
{
    uint32_t value = gw_opc_word(ctx), at = gw_opc_ram(ctx, 4);
    gw_miss miss = {.rule = "OP-E32", .expected = value & 0xff};

    gw_opc_put(ctx, at, &value, 1);
    for (uint16_t count = 1; count <= 3; count++) {
        gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, at, count);
        gw_opc_got got;
        q.fbe = 1;
        gw_opc_ask(ctx, &q, &got, "OP-E32");
        gw_opc_want(ctx, &got, "OP-E32", "op2p.byte_count", 4);
        miss.packet = got.number;
        if (got.p.payload_sent != 4)
            gw_case_fail(ctx, &miss, "%" PRIu32 " bytes of payload, one double word is expected",
                         got.p.payload_sent);
        miss.got = gw_load_be32(got.p.payload) & 0xff;
        if (miss.got != miss.expected)
            gw_case_fail(ctx, &miss, "another byte than was written answers a read of %u", count);
    }
}

static void sizes_alone(gw_ctx *ctx)
{
    uint32_t words[250], after = gw_opc_word(ctx), value = gw_opc_word(ctx);
    uint32_t at = gw_opc_ram(ctx, 1008);

    memset(words, 0x5a, sizeof(words));
    gw_opc_put(ctx, at + 4, &after, 1);
    gw_opc_write(ctx, at + 8, words, 249);
    gw_opc_write(ctx, at + 8, words, 250);
    gw_opc_write(ctx, at, &value, 1);
    gw_opc_same(ctx, "OP-E28", at, value, "a small write after a large one");
    gw_opc_same(ctx, "OP-E28", at + 4, after, "what lies behind a small write after a large one");
}

static void response_time(gw_ctx *ctx)
{
    gw_responses responses = {.num = 0};
    for (unsigned i = 0; i < GW_RESPONSE_ROUNDS && !gw_response_slow(ctx, &responses); i++) {
        gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, 0, 4);
        gw_opc_got got;
        (void)gw_opc_may_send(ctx, gw_case_reply_ns(ctx));
        unsigned sent = gw_opc_send(ctx, &q, NULL, 0, 0);
        if (gw_opc_completion(ctx, &q, &got))
            gw_response_add(ctx, &responses, sent, got.number);
        else
            gw_response_missed(ctx, &responses);
    }
    gw_response_end(ctx, &responses);
}

const gw_case gw_op_e_answers[] = {
    {.id = "op-e/byte-order",
     .title = "Double words come most significant byte first",
     .rules = GW_LIST("OP-E02"),
     .run = byte_order},
    {.id = "op-e/completion",
     .title = "A read request gets one completion with ids and addresses swapped",
     .rules = GW_LIST("OP-E12"),
     .after = GW_LIST("op-e/byte-order"),
     .needs = GW_LIST("ram"),
     .run = completion},
    {.id = "op-e/completion-source",
     .title = "A completion comes from the node's own id, even when id 0 was asked",
     .rules = GW_LIST("OP-E12"),
     .after = GW_LIST("op-e/byte-order"),
     .needs = GW_LIST("ram"),
     .run = own_id},
    {.id = "op-e/completion-fbe",
     .title = "A completion carries its request's first byte enable",
     .rules = GW_LIST("OP-E12"),
     .after = GW_LIST("op-e/byte-order"),
     .needs = GW_LIST("ram"),
     .run = fbe_copied},
    {.id = "op-e/sizes",
     .title = "Completions are as long as their byte count, from 4 to 1000",
     .rules = GW_LIST("OP-E04", "OP-E01"),
     .after = GW_LIST("op-e/byte-order"),
     .needs = GW_LIST("ram"),
     .run = sizes},
    {.id = "op-e/write",
     .title = "Data written to the node's id are stored",
     .rules = GW_LIST("OP-E11"),
     .after = GW_LIST("op-e/sizes"),
     .needs = GW_LIST("ram"),
     .run = written_is_read},
    {.id = "op-e/write-id-0",
     .title = "Data written to id 0 are stored",
     .rules = GW_LIST("OP-E11"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .run = to_anybody},
    {.id = "op-e/rfu-clear",
     .title = "Reserved bits are sent as zero",
     .rules = GW_LIST("OP-E03"),
     .after = GW_LIST("op-e/byte-order"),
     .needs = GW_LIST("ram"),
     .run = rfu_clear},
    {.id = "op-e/rfu-ignored",
     .title = "Reserved bits of a packet are ignored",
     .rules = GW_LIST("OP-E03"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = rfu_ignored},
    {.id = "op-e/read-trailing",
     .title = "Bytes behind a read request are discarded",
     .rules = GW_LIST("OP-E05"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = trailing},
    {.id = "op-e/write-silent",
     .title = "A write is not answered",
     .rules = GW_LIST("OP-E13"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .run = silent_writes},
    {.id = "op-e/fbe-first-only",
     .title = "The first byte enable applies to the first double word only",
     .rules = GW_LIST("OP-E14"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .run = first_only},
    {.id = "op-e/fbe-lanes",
     .title = "Each first byte enable selects its byte lanes",
     .rules = GW_LIST("OP-E14"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .run = each_enable},
    {.id = "op-e/one-byte-read",
     .title = "A read of one to three bytes is answered by one double word",
     .rules = GW_LIST("OP-E32"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = one_byte},
    {.id = "op-e/size-alone",
     .title = "A small write after a large one writes no more than its own bytes",
     .rules = GW_LIST("OP-E28"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .run = sizes_alone},
    {.id = "op-e/response-time",
     .title = "Completions come within the time that the board claims",
     .rules = GW_LIST("OP-E12"),
     .after = GW_LIST("op-e/completion"),
     .needs = GW_LIST("response_us"),
     .unproven = "in memory every board answers at once",
     .run = response_time},
    {0},
};
