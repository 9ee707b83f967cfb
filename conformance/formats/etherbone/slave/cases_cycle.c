/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: the bus cycle, seen through an area that counts cycles. */
#include <inttypes.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

/* The number of the bus cycle in which each of |num| records ran; all but the last leave the cycle
 * open when |open|. */
static void read_cycles(gw_ctx *ctx, const gw_area *arbiter, bool open, unsigned num,
                        uint64_t *cycles, unsigned *number)
{
    uint64_t address = gw_ebc_config_low(ctx, arbiter->address);
    gw_eb_operation ops[4] = {{0}};
    gw_ebc_request request;
    gw_ebc_reply reply;
    for (unsigned i = 0; i < num; i++)
        ops[i] = (gw_eb_operation){.reads = &address,
                                   .num_reads = 1,
                                   .flags = open && i + 1 < num ? 0 : GW_EB_CYC,
                                   .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, ops, num);
    gw_ebc_ask(ctx, &request, &reply, NULL);
    *number = reply.number;
    for (unsigned i = 0; i < num; i++)
        cycles[i] = gw_ebc_result(ctx, &request, &reply, i);
}

static void hold(gw_ctx *ctx)
{
    const gw_area *arbiter = gw_ebc_area(ctx, GW_AREA_ARBITER, 16);
    uint64_t held[3];
    uint64_t apart[2];
    unsigned number;
    gw_miss miss = {.rule = "EB-S32"};
    read_cycles(ctx, arbiter, true, 3, held, &number);
    miss.packet = number;
    if (held[0] != held[1] || held[1] != held[2])
        gw_case_fail(ctx, &miss,
                     "three records of one cycle ran in the bus cycles %" PRIu64 ", %" PRIu64
                     " and %" PRIu64 ": one expected",
                     held[0], held[1], held[2]);
    read_cycles(ctx, arbiter, false, 2, apart, &number);
    miss.packet = number;
    if (apart[0] == apart[1])
        gw_case_fail(ctx, &miss,
                     "two records that both have CYC set ran in one bus cycle, %" PRIu64, apart[0]);
}

/* An access that fails in the middle of a cycle does not end it. */
static void hold_over_error(gw_ctx *ctx)
{
    uint64_t arbiter = gw_ebc_config_low(ctx, gw_ebc_area(ctx, GW_AREA_ARBITER, 16)->address);
    uint64_t bad = gw_ebc_area(ctx, GW_AREA_ERROR, 8)->address;
    const uint64_t *const reads[3] = {&arbiter, &bad, &arbiter};
    gw_eb_operation ops[3] = {{0}};
    gw_ebc_request request;
    gw_ebc_reply reply;
    for (unsigned i = 0; i < 3; i++)
        ops[i] = (gw_eb_operation){.reads = reads[i],
                                   .num_reads = 1,
                                   .flags = i == 2 ? GW_EB_CYC : 0,
                                   .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, ops, 3);
    gw_ebc_ask(ctx, &request, &reply, NULL);
    gw_miss miss = {.rule = "EB-S32", .packet = reply.number};
    miss.expected = gw_ebc_result(ctx, &request, &reply, 0);
    miss.got = gw_ebc_result(ctx, &request, &reply, 2);
    if (miss.got != miss.expected)
        gw_case_fail(ctx, &miss,
                     "bus cycle %" PRIu64 " became %" PRIu64
                     " when an access inside it failed, before its record with CYC",
                     miss.expected, miss.got);
}

static uint64_t ask_open(gw_ctx *ctx, uint64_t address, uint8_t flags, gw_ebc_reply *reply)
{
    gw_ebc_request request;
    gw_eb_operation op = {
        .reads = &address, .num_reads = 1, .flags = flags, .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_ask(ctx, &request, reply, "EB-S33");
    return gw_ebc_result(ctx, &request, reply, 0);
}

static void left_open(gw_ctx *ctx)
{
    const gw_area *arbiter =
        gw_board_area(gw_case_board(ctx), GW_AREA_ARBITER, gw_ebc_layout(ctx).addr_bytes * 8u, 16);
    gw_ebc_reply reply;
    uint64_t address;
    uint8_t flags = gw_ebc_harmless(ctx, &address);
    if (arbiter != NULL) {
        address = gw_ebc_config_low(ctx, arbiter->address);
        flags = 0;
    }
    uint64_t first = ask_open(ctx, address, flags, &reply);
    gw_case_mark(ctx, reply.number, "the packet before this left its cycle open");
    uint64_t second = ask_open(ctx, address, flags | GW_EB_CYC, &reply);
    gw_miss miss = {.rule = "EB-S33", .packet = reply.number, .expected = first + 1, .got = second};
    if (arbiter != NULL && first == second)
        gw_case_fail(ctx, &miss, "bus cycle %" PRIu64 " lasted from one packet into the next",
                     first);
}

const gw_case gw_eb_s_cycle[] = {
    {.id = "eb-s/hold-cycle",
     .title = "The bus cycle is held until a record with CYC",
     .rules = GW_LIST("EB-S32"),
     .after = GW_LIST("eb-s/many-records"),
     .needs = GW_LIST("arbiter"),
     .run = hold},
    {.id = "eb-s/hold-cycle-error",
     .title = "An access that fails does not end its bus cycle",
     .rules = GW_LIST("EB-S32"),
     .after = GW_LIST("eb-s/hold-cycle"),
     .needs = GW_LIST("arbiter", "error"),
     .negative = true,
     .run = hold_over_error},
    {.id = "eb-s/open-cycle",
     .title = "A cycle left open is ended with its packet",
     .rules = GW_LIST("EB-S33"),
     .after = GW_LIST("eb-s/read-answered"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = left_open},
    {0},
};
