/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: records that count nothing, as hardware masters send them to fill up a packet or
 * to end a cycle. */
#include <inttypes.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

#define AMONG 4 /* empty records between two reads */

static gw_eb_operation read_of(gw_ctx *ctx, const uint64_t *address, uint8_t flags)
{
    return (gw_eb_operation){.reads = address,
                             .num_reads = 1,
                             .flags = flags | GW_EB_CYC,
                             .byte_enable = gw_ebc_lanes(ctx)};
}

/* The reads around |request|'s empty records give the same word. */
static void check_reads(gw_ctx *ctx, gw_ebc_request *request, uint64_t expected, const char *what)
{
    gw_ebc_reply reply;
    gw_ebc_ask(ctx, request, &reply, "EB-S30");
    for (unsigned i = 0; i < 2; i++) {
        uint64_t got = gw_ebc_result(ctx, request, &reply, i);
        gw_miss miss = gw_ebc_word_miss(ctx, "EB-S30", expected, got);
        if (got != expected)
            gw_case_fail(ctx, &miss, "around %s a word reads 0x%" PRIx64 ", 0x%" PRIx64 " expected",
                         what, got, expected);
    }
}

static uint64_t word_at(gw_ctx *ctx, uint64_t address, uint8_t flags)
{
    return flags != 0 ? gw_ebc_read_config(ctx, address) : gw_ebc_read(ctx, address);
}

static void plain(gw_ctx *ctx)
{
    uint64_t address;
    uint8_t flags = gw_ebc_harmless(ctx, &address);
    uint64_t expected = word_at(ctx, address, flags);
    for (unsigned num = 1; num <= AMONG; num++) {
        gw_ebc_request request;
        gw_eb_operation ops[AMONG + 2] = {read_of(ctx, &address, flags)};
        for (unsigned i = 1; i <= num; i++)
            ops[i] = (gw_eb_operation){.flags = GW_EB_CYC};
        ops[num + 1] = read_of(ctx, &address, flags);
        gw_ebc_make(ctx, &request, ops, num + 2);
        check_reads(ctx, &request, expected, "empty records");
    }
}

/* Where the empty record between the two reads begins. */
static uint8_t *empty_record(gw_ctx *ctx, gw_ebc_request *request)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    size_t at = gw_case_stream(ctx) ? 0 : l.header_len;
    return request->bytes + at + gw_eb_record_len(&l, 0, 1);
}

/* No flag means anything where nothing is counted, reserved ones least of all. */
static void flagged(gw_ctx *ctx)
{
    uint64_t address;
    uint8_t flags = gw_ebc_harmless(ctx, &address);
    uint64_t expected = word_at(ctx, address, flags);
    for (unsigned bit = 0; bit < 9; bit++) {
        gw_ebc_request request;
        gw_eb_operation ops[3] = {
            read_of(ctx, &address, flags), {.flags = GW_EB_CYC}, read_of(ctx, &address, flags)};
        gw_ebc_make(ctx, &request, ops, 3);
        uint8_t *record = empty_record(ctx, &request);
        record[0] |= bit < 8 ? (uint8_t)(1u << bit) : 0xff;
        record[1] = 0xff;
        check_reads(ctx, &request, expected, "an empty record with flags set");
    }
}

const gw_case gw_eb_s_empty[] = {
    {.id = "eb-s/empty-record",
     .title = "Empty records between reads change nothing",
     .rules = GW_LIST("EB-S30"),
     .after = GW_LIST("eb-s/many-records"),
     .run = plain},
    {.id = "eb-s/empty-flags",
     .title = "An empty record does nothing, whatever its flags and byte enables say",
     .rules = GW_LIST("EB-S30"),
     .after = GW_LIST("eb-s/empty-record", "eb-s/probe-reserved"),
     .negative = true,
     .run = flagged},
    {0},
};
