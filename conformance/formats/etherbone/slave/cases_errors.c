/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: bus errors and the error register. */
#include <inttypes.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

/* Where an access succeeds and where it fails. */
typedef struct places {
    uint64_t good;
    uint64_t bad;
} places;

static places find_places(gw_ctx *ctx)
{
    places p;
    unsigned bits = gw_ebc_layout(ctx).addr_bytes * 8u;
    const gw_area *good = gw_board_area(gw_case_board(ctx), GW_AREA_RAM, bits, 8);
    if (good == NULL)
        good = gw_ebc_area(ctx, GW_AREA_READONLY, 8);
    p.good = good->address;
    p.bad = gw_ebc_area(ctx, GW_AREA_ERROR, 8)->address;
    return p;
}

static gw_eb_operation bus_reads(gw_ctx *ctx, const uint64_t *addresses, unsigned num)
{
    return (gw_eb_operation){.reads = addresses,
                             .num_reads = (uint8_t)num,
                             .flags = GW_EB_CYC,
                             .byte_enable = gw_ebc_lanes(ctx)};
}

static gw_eb_operation status_read(gw_ctx *ctx, const uint64_t *address)
{
    gw_eb_operation op = bus_reads(ctx, address, 1);
    op.flags |= GW_EB_RCA;
    return op;
}

/* Sends |ops|, whose last reads the newest bits of the error register, and compares these. */
static void expect_bits(gw_ctx *ctx, const gw_eb_operation *ops, size_t num, const char *rule,
                        uint64_t mask, uint64_t expected, const char *what)
{
    gw_ebc_request request;
    gw_ebc_reply reply;
    gw_ebc_make(ctx, &request, ops, num);
    gw_ebc_ask(ctx, &request, &reply, rule);
    unsigned last = 0;
    for (size_t i = 0; i + 1 < num; i++)
        last += ops[i].num_reads;
    uint64_t got = gw_ebc_result(ctx, &request, &reply, last);
    if (((got ^ expected) & mask) == 0)
        return;
    gw_miss miss = gw_ebc_word_miss(ctx, rule, expected, got & mask);
    gw_case_mark(ctx, reply.number, "%s: error bits 0x%" PRIx64 " expected", rule, expected);
    gw_case_fail(ctx, &miss, "%s: the newest error bits are 0x%" PRIx64 ", 0x%" PRIx64 " expected",
                 what, got & mask, expected);
}

static void unmapped(gw_ctx *ctx)
{
    uint64_t bad = gw_ebc_area(ctx, GW_AREA_ERROR, 8)->address;
    gw_eb_operation op = bus_reads(ctx, &bad, 1);
    gw_ebc_request request;
    gw_ebc_reply reply;
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_ask(ctx, &request, &reply, "EB-S41");
    if (reply.message.len >= request.reply_len)
        return;
    gw_miss miss = {.rule = "EB-S41", .packet = reply.number, .offset = reply.message.len};
    gw_case_fail(ctx, &miss,
                 "a read that fails on the bus gets a reply of %" PRIu32 " bytes, %zu expected",
                 reply.message.len, request.reply_len);
}

static void newest(gw_ctx *ctx)
{
    places p = find_places(ctx);
    uint64_t status = gw_ebc_config_low(ctx, 0);
    /* The same from both ends, so that the order of reads does not matter here. */
    const uint64_t pattern[5] = {p.good, p.bad, p.good, p.bad, p.good};
    gw_eb_operation ops[2] = {bus_reads(ctx, pattern, 5), status_read(ctx, &status)};
    expect_bits(ctx, ops, 2, "EB-S34", 0x1f, 0x0a, "reads that go well, fail, well, fail, well");
    gw_eb_operation bad[2] = {bus_reads(ctx, &p.bad, 1), status_read(ctx, &status)};
    expect_bits(ctx, bad, 2, "EB-S34", 1, 1, "a read that fails");
}

static void writes(gw_ctx *ctx)
{
    places p = find_places(ctx);
    uint64_t status = gw_ebc_config_low(ctx, 0);
    uint64_t word = gw_ebc_word(ctx);
    gw_eb_operation ops[2] = {{.writes = &word,
                               .num_writes = 1,
                               .write_base = p.bad,
                               .flags = GW_EB_CYC,
                               .byte_enable = gw_ebc_lanes(ctx)},
                              status_read(ctx, &status)};
    expect_bits(ctx, ops, 2, "EB-S41", 1, 1, "a write that fails");
}

static void config_apart(gw_ctx *ctx)
{
    places p = find_places(ctx);
    uint64_t status = gw_ebc_config_low(ctx, 0);
    uint64_t other = gw_ebc_config_low(ctx, 8);
    gw_eb_operation ops[5] = {bus_reads(ctx, &p.good, 1), bus_reads(ctx, &p.bad, 1),
                              status_read(ctx, &other), status_read(ctx, &other),
                              status_read(ctx, &status)};
    expect_bits(ctx, ops, 5, "EB-S35", 3, 1, "config reads after a read that fails");
}

/* Config reads at odd addresses, of registers that are not there, with lanes that no bus has: they
 * are refused or not, but they are no bus operations. */
static void odd_config(gw_ctx *ctx)
{
    static const struct {
        uint64_t address;
        uint8_t byte_enable; /* 0: all */
    } odd[] = {{0x09, 0}, {0x0a, 0}, {0x10, 0}, {0x18, 0}, {0x0c, 0x05}, {0x0c, 0x80}};
    places p = find_places(ctx);
    uint64_t status = gw_ebc_config_low(ctx, 0);
    for (unsigned i = 0; i < GW_ARRAY_LEN(odd); i++) {
        gw_eb_operation ops[5] = {bus_reads(ctx, &p.bad, 1), bus_reads(ctx, &p.good, 1),
                                  status_read(ctx, &odd[i].address),
                                  status_read(ctx, &odd[i].address), status_read(ctx, &status)};
        if (odd[i].byte_enable != 0)
            ops[2].byte_enable = ops[3].byte_enable = odd[i].byte_enable;
        expect_bits(ctx, ops, 5, "EB-S35", 3, 2, "odd config reads after a read that went well");
    }
}

enum { DEPTH_OPS = 70 };

static bool depth_fails(unsigned i)
{
    unsigned from_end = i < DEPTH_OPS - 1 - i ? i : DEPTH_OPS - 1 - i;
    return from_end % 3 == 1;
}

/* Adds reads of the whole register behind |ops|[0..num-1]: word by word, highest first, in records
 * of their own. Returns how many records there are now. */
static unsigned add_status(gw_ctx *ctx, gw_eb_operation *ops, unsigned num, uint64_t addresses[8])
{
    unsigned step = gw_ebc_layout(ctx).data_bytes;
    for (unsigned i = 0; i < 8 / step; i++) {
        addresses[i] = 8u - (uint64_t)(i + 1) * step;
        ops[num++] = status_read(ctx, &addresses[i]);
    }
    return num;
}

/* The register, whose first word is result |first| of |reply|. */
static uint64_t status_of(gw_ctx *ctx, const gw_ebc_request *request, const gw_ebc_reply *reply,
                          unsigned first)
{
    unsigned step = gw_ebc_layout(ctx).data_bytes;
    uint64_t value = 0;
    for (unsigned i = 0; i < 8 / step; i++) {
        value |= gw_ebc_result(ctx, request, reply, first + i) << step * 8 * i;
    }
    return value;
}

static void depth(gw_ctx *ctx)
{
    places p = find_places(ctx);
    uint64_t reads[DEPTH_OPS];
    uint64_t addresses[8];
    gw_eb_operation ops[9];
    gw_ebc_request request;
    gw_ebc_reply reply;
    uint64_t expected = 0;
    for (unsigned i = 0; i < DEPTH_OPS; i++) {
        reads[i] = depth_fails(i) ? p.bad : p.good;
        expected = expected << 1 | depth_fails(i);
    }
    ops[0] = bus_reads(ctx, reads, DEPTH_OPS);
    gw_ebc_make(ctx, &request, ops, add_status(ctx, ops, 1, addresses));
    gw_ebc_ask(ctx, &request, &reply, "EB-S36");
    uint64_t got = status_of(ctx, &request, &reply, DEPTH_OPS);
    if (got == expected)
        return;
    gw_miss miss = gw_ebc_word_miss(ctx, "EB-S36", expected, got);
    gw_case_fail(ctx, &miss,
                 "after %d reads the error register holds 0x%016" PRIx64 ", 0x%016" PRIx64
                 " expected (paper VIII.A.6)",
                 DEPTH_OPS, got, expected);
}

static void check_port(gw_ctx *ctx, unsigned port)
{
    places p = find_places(ctx);
    uint64_t addresses[8];
    gw_eb_operation ops[10] = {bus_reads(ctx, &p.good, 1), bus_reads(ctx, &p.bad, 1)};
    gw_ebc_request request;
    gw_ebc_reply reply;
    gw_ebc_make(ctx, &request, ops, add_status(ctx, ops, 2, addresses));
    gw_ebc_ask(ctx, &request, &reply, "EB-S39");
    uint64_t got = status_of(ctx, &request, &reply, 2);
    if ((got & 3) == 1)
        return;
    /* A bit at the other end is a matter of byte order, a missing one is not. */
    bool swapped = (got >> 56 & 3) == 1;
    gw_miss miss = {.rule = swapped ? "EB-S39" : "EB-S34", .packet = reply.number, .got = got};
    gw_case_fail(ctx, &miss,
                 "through a %u bit port the error register reads 0x%016" PRIx64
                 " after a failed read: bit 0 expected, big-endian",
                 port * 8, got);
}

/* The newest bit is the last one of the register, whatever the port width. */
static void all_ports(gw_ctx *ctx)
{
    uint8_t address_width = gw_ebc_widths(ctx) & 0xf0;
    for (unsigned port = 1; port <= 8; port *= 2) {
        uint8_t pair = (uint8_t)(address_width | port);
        if (!gw_ebc_supports(ctx, pair) && pair != gw_ebc_widths(ctx))
            continue;
        gw_ebc_use(ctx, pair);
        check_port(ctx, port);
    }
}

/* Kept or cleared is the board's choice: moved between two packets they mean nothing any more. */
static void persists(gw_ctx *ctx)
{
    places p = find_places(ctx);
    const uint64_t reads[3] = {p.good, p.bad, p.good};
    uint64_t status = gw_ebc_config_low(ctx, 0);
    gw_eb_operation bus = bus_reads(ctx, reads, 3);
    gw_eb_operation look = status_read(ctx, &status);
    gw_ebc_request request;
    gw_ebc_reply reply;
    gw_ebc_make(ctx, &request, &bus, 1);
    gw_ebc_ask(ctx, &request, &reply, "EB-S37");
    gw_ebc_make(ctx, &request, &look, 1);
    gw_ebc_ask(ctx, &request, &reply, "EB-S37");
    uint64_t bits = gw_ebc_result(ctx, &request, &reply, 0) & 7;
    gw_miss miss = gw_ebc_word_miss(ctx, "EB-S34", 2, bits);
    if (bits != 2 && bits != 0)
        gw_case_fail(ctx, &miss,
                     "reads that go well, fail, well are shown as 0x%" PRIx64
                     " in the next packet: 2 expected, or 0 where bits are cleared",
                     bits);
    gw_case_note(ctx, "error bits %s from one packet to the next",
                 bits != 0 ? "are kept" : "are cleared");
}

#define NEEDS GW_LIST("config-space", "error")

const gw_case gw_eb_s_errors[] = {
    {.id = "eb-s/bus-error-answered",
     .title = "A read that fails on the bus is answered all the same",
     .rules = GW_LIST("EB-S41"),
     .after = GW_LIST("eb-s/read-answered"),
     .needs = GW_LIST("error"),
     .negative = true,
     .run = unmapped},
    {.id = "eb-s/error-register",
     .title = "The error register shows which of the last operations failed",
     .rules = GW_LIST("EB-S34", "EB-S41"),
     .after = GW_LIST("eb-s/bus-error-answered", "eb-s/many-records"),
     .needs = NEEDS,
     .run = newest},
    {.id = "eb-s/error-write",
     .title = "A write that fails sets its error bit",
     .rules = GW_LIST("EB-S41", "EB-S34"),
     .after = GW_LIST("eb-s/error-register"),
     .needs = NEEDS,
     .negative = true,
     .run = writes},
    {.id = "eb-s/error-config",
     .title = "Config space operations do not shift the error register",
     .rules = GW_LIST("EB-S35"),
     .after = GW_LIST("eb-s/error-register"),
     .needs = NEEDS,
     .run = config_apart},
    {.id = "eb-s/error-config-odd",
     .title = "Config reads that no register answers do not shift the error register",
     .rules = GW_LIST("EB-S35"),
     .after = GW_LIST("eb-s/error-config"),
     .needs = NEEDS,
     .negative = true,
     .run = odd_config},
    {.id = "eb-s/error-depth",
     .title = "The error register remembers 64 operations",
     .rules = GW_LIST("EB-S36"),
     .after = GW_LIST("eb-s/error-register", "eb-s/error-config"),
     .needs = NEEDS,
     .run = depth},
    {.id = "eb-s/error-ports",
     .title = "The error register is big-endian at every port width",
     .rules = GW_LIST("EB-S39", "EB-S34"),
     .after = GW_LIST("eb-s/bus-error-answered", "eb-s/many-records"),
     .needs = NEEDS,
     .run = all_ports},
    {.id = "eb-s/error-lifetime",
     .title = "The error register may keep its bits from packet to packet",
     .rules = GW_LIST("EB-S37", "EB-S34"),
     .after = GW_LIST("eb-s/error-register"),
     .needs = NEEDS,
     .run = persists},
    {0},
};
