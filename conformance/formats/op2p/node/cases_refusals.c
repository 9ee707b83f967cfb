/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P endpoint: what it must drop. That nothing happened is proven by reading the memory, which
 * the board answers afterwards. */
#include <string.h>

#include "formats/op2p/node/suite.h"

#define BAD UINT32_C(0xbadbadba)

static void wrong_length(gw_ctx *ctx)
{
    uint32_t data[8] = {BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD};
    uint32_t at = gw_opc_marked(ctx);
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, 16);

    gw_opc_send(ctx, &h, data, 2, 0);
    gw_opc_still_marked(ctx, "OP-E08", at, "a write with less payload than its byte count");
    gw_opc_send(ctx, &h, data, 8, 0);
    gw_opc_still_marked(ctx, "OP-E08", at, "a write with more payload than its byte count");
}

static void runts(gw_ctx *ctx)
{
    uint32_t at = gw_opc_marked(ctx), value = BAD ^ UINT32_MAX;
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, 4);
    uint8_t pdu[GW_OP2P_HEADER];

    gw_op2p_put(pdu, &h);
    for (size_t len = 4; len < GW_OP2P_HEADER; len += 4) {
        gw_opc_event(ctx, GW_OP2P_KIND_PDU, 0, 0, pdu, len);
        gw_opc_still_marked(ctx, "OP-E09", at, "a frame shorter than a header");
    }
    gw_opc_event(ctx, GW_OP2P_KIND_PDU, 0, 0, pdu, 4);
    gw_opc_write(ctx, at + 4, &value, 1);
    gw_opc_same(ctx, "OP-E09", at + 4, value, "a good write after a short frame");
}

static void count_zero(gw_ctx *ctx)
{
    uint32_t data[4] = {BAD, BAD, BAD, BAD}, at = gw_opc_marked(ctx);
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, 0);

    gw_opc_send(ctx, &h, data, 4, 0);
    gw_opc_still_marked(ctx, "OP-E10", at, "a write of 0 bytes with payload");
    gw_opc_send(ctx, &h, NULL, 0, 0);
    gw_opc_still_marked(ctx, "OP-E10", at, "a write of 0 bytes");
    h.type = GW_OP2P_READ;
    gw_opc_drain(ctx);
    gw_opc_send(ctx, &h, NULL, 0, 0);
    gw_opc_silence(ctx, "OP-E10", "a read request of 0 bytes");
}

static void count_large(gw_ctx *ctx)
{
    uint32_t data[257], at = gw_opc_marked(ctx);
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, sizeof(data));

    memset(data, 0xba, sizeof(data));
    gw_opc_send(ctx, &h, data, 257, 0);
    gw_opc_still_marked(ctx, "OP-E10", at, "a write of 1028 bytes");
    h.type = GW_OP2P_READ;
    gw_opc_drain(ctx);
    gw_opc_send(ctx, &h, NULL, 0, 0);
    gw_opc_silence(ctx, "OP-E10", "a read request of 1028 bytes");
}

static void odd_counts(gw_ctx *ctx)
{
    uint32_t data[2] = {BAD, BAD}, at = gw_opc_marked(ctx);

    for (uint16_t count = 1; count <= 7; count++) {
        gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, count);
        if (count == 4)
            continue;
        gw_opc_send(ctx, &h, data, (count + 3u) / 4, 0);
        gw_opc_still_marked(ctx, count < 4 ? "OP-E32" : "OP-E08", at,
                            "a write whose byte count is no multiple of four");
    }
}

static void enable_none(gw_ctx *ctx)
{
    uint32_t data = BAD, at = gw_opc_marked(ctx);
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, 4);

    h.fbe = 0;
    gw_opc_send(ctx, &h, &data, 1, 0);
    gw_opc_still_marked(ctx, "OP-E15", at, "a write with first byte enable 0");
}

static void unsolicited(gw_ctx *ctx)
{
    uint32_t data[2] = {BAD, BAD}, at = gw_opc_marked(ctx);
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_COMPLETION, at, 8);

    gw_opc_send(ctx, &h, data, 2, 0);
    gw_opc_still_marked(ctx, "OP-E17", at, "a completion of a read that was not requested");
}

/* What an earlier frame left in a receive buffer is not what stands in memory. */
static void leave_behind(gw_ctx *ctx, uint32_t marked)
{
    uint32_t other[8], at = marked;

    while (at + sizeof(other) > marked && at < marked + sizeof(other))
        at = gw_opc_ram(ctx, sizeof(other));
    for (size_t i = 0; i < 8; i++)
        other[i] = BAD ^ (uint32_t)i;
    gw_opc_put(ctx, at, other, 8);
}

static void with_status(gw_ctx *ctx)
{
    uint32_t at = gw_opc_marked(ctx);
    gw_opc_got got;

    leave_behind(ctx, at);
    gw_opc_read_command(ctx, at, 0x4000, GW_OPC_US, 16, &got);
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_COMPLETION, at, 0);
    h.src_addr = 0x4000;
    h.status = GW_OP2P_UNKNOWN_ERROR;
    gw_opc_send(ctx, &h, NULL, 0, 0);
    gw_opc_still_marked(ctx, "OP-E16", at, "an error completion without payload");
}

/* An error completion is the only answer there may be to |h| and its |num| double words. */
static void may_complain(gw_ctx *ctx, const gw_op2p_header *h, const uint32_t *words, size_t num,
                         const char *rule)
{
    gw_opc_got got;

    gw_opc_drain(ctx);
    gw_opc_send(ctx, h, words, num, 0);
    if (!gw_opc_next(ctx, &got, gw_case_settle_ns(ctx))) {
        gw_case_note(ctx, "type 0x%x is dropped without an answer", h->type);
        return;
    }
    gw_opc_want(ctx, &got, rule, "op2p.type", GW_OP2P_COMPLETION);
    gw_opc_want(ctx, &got, rule, "op2p.status", GW_OP2P_UNKNOWN_ERROR);
    gw_opc_want(ctx, &got, rule, "op2p.byte_count", 0);
    gw_opc_want(ctx, &got, rule, "op2p.dst.id", GW_OPC_US);
}

/* With payload, as long as they say: nothing else keeps one from being taken for a write. */
static void reserved(gw_ctx *ctx)
{
    static const uint8_t types[] = {3, 5, 6, 7, 8, 9, 11, 12, 13, 14};
    uint32_t data[4] = {BAD, BAD, BAD, BAD}, at = gw_opc_marked(ctx);

    for (size_t i = 0; i < GW_ARRAY_LEN(types); i++) {
        gw_op2p_header h = gw_opc_header(ctx, types[i], at, sizeof(data));
        may_complain(ctx, &h, data, 4, "OP-E18");
    }
    gw_opc_still_marked(ctx, "OP-E18", at, "packets of reserved types");
}

static void errors(gw_ctx *ctx)
{
    uint32_t at = gw_opc_marked(ctx);
    gw_op2p_header four = gw_opc_header(ctx, 4, at, 16);
    gw_op2p_header three = gw_opc_header(ctx, 3, at, 16);
    gw_op2p_header read = gw_opc_header(ctx, GW_OP2P_READ, at, 16);

    gw_opc_drain(ctx);
    gw_opc_send(ctx, &four, NULL, 0, 0);
    gw_opc_silence(ctx, "OP-E18", "a packet of type 4");
    three.status = GW_OP2P_UNKNOWN_ERROR;
    gw_opc_send(ctx, &three, NULL, 0, 0);
    gw_opc_silence(ctx, "OP-E18", "a packet of a reserved type with status 2");
    read.status = GW_OP2P_UNKNOWN_ERROR;
    gw_opc_send(ctx, &read, NULL, 0, 0);
    gw_opc_silence(ctx, "OP-E18", "a read request with status 2");
}

static void type_15(gw_ctx *ctx)
{
    uint32_t data[1] = {BAD}, at = gw_opc_marked_lowest(ctx);
    gw_op2p_header h = gw_opc_header(ctx, 15, at, 4);

    gw_opc_leave_header(ctx, at);
    gw_opc_drain(ctx);
    gw_opc_send(ctx, &h, data, 1, 0);
    gw_opc_drain(ctx);
    gw_opc_still_marked(ctx, "OP-E19", at, "a packet of type 15");
    may_complain(ctx, &h, NULL, 0, "OP-E19");
}

static void beyond(gw_ctx *ctx)
{
    uint32_t data[2] = {gw_opc_word(ctx), gw_opc_word(ctx)};
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, 0xfffffffc, 8);
    uint32_t first = gw_opc_peek(ctx, 0);

    gw_opc_send(ctx, &h, data, 2, 0);
    gw_opc_same(ctx, "OP-E29", 0, first, "a write that wraps from the last address to the first");
}

const gw_case gw_op_e_refusals[] = {
    {.id = "op-e/payload-length",
     .title = "A write whose payload is not as long as it says is dropped",
     .rules = GW_LIST("OP-E08"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = wrong_length},
    {.id = "op-e/short-frame",
     .title = "A frame shorter than a header is dropped, and the next one is executed",
     .rules = GW_LIST("OP-E09"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = runts},
    {.id = "op-e/count-zero",
     .title = "A packet with a byte count of 0 is dropped",
     .rules = GW_LIST("OP-E10"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = count_zero},
    {.id = "op-e/count-large",
     .title = "A packet with a byte count above 1024 is dropped",
     .rules = GW_LIST("OP-E10"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = count_large},
    {.id = "op-e/count-odd",
     .title = "A write whose byte count is no multiple of four is dropped",
     .rules = GW_LIST("OP-E32", "OP-E08"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = odd_counts},
    {.id = "op-e/fbe-zero",
     .title = "A write with a first byte enable of 0 writes nothing",
     .rules = GW_LIST("OP-E15"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = enable_none},
    {.id = "op-e/unsolicited",
     .title = "A completion of a read that was not requested is dropped",
     .rules = GW_LIST("OP-E17"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = unsolicited},
    {.id = "op-e/error-completion",
     .title = "An error completion does not change memory",
     .rules = GW_LIST("OP-E16"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram", "regs"),
     .negative = true,
     .run = with_status},
    {.id = "op-e/reserved-types",
     .title = "A packet of a reserved type is dropped, or answered by an error completion",
     .rules = GW_LIST("OP-E18"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = reserved},
    {.id = "op-e/errors-silent",
     .title = "A packet that reports an error is never answered",
     .rules = GW_LIST("OP-E18"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = errors},
    {.id = "op-e/type-15",
     .title = "A packet of type 15 is treated as one of any other reserved type",
     .rules = GW_LIST("OP-E19"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = type_15},
    {.id = "op-e/wrap",
     .title = "A write beyond the last address does not come out at the first",
     .rules = GW_LIST("OP-E29"),
     .after = GW_LIST("op-e/write"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = beyond},
    {0},
};
