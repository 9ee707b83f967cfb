/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: what must not be dropped, though it looks like what must be. */
#include <inttypes.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

/* ---- magic ---- */

/* Words, addresses and return addresses that look like headers stand where they stand. */
static void magic_inside(gw_ctx *ctx)
{
    static const uint64_t looks[] = {0x4e6f1044, 0x4e6f1144, 0x6f4e1044, 0x104e6f10};
    unsigned step = gw_ebc_layout(ctx).data_bytes;
    uint64_t base = gw_ebc_ram(ctx, 32);
    uint64_t words[GW_ARRAY_LEN(looks)];
    uint64_t reads[GW_ARRAY_LEN(looks)];
    gw_ebc_request request;
    gw_ebc_reply reply;
    for (unsigned i = 0; i < GW_ARRAY_LEN(looks); i++) {
        words[i] = looks[i] & UINT64_MAX >> (64 - step * 8);
        reads[i] = base + (uint64_t)i * step;
    }
    gw_eb_operation op = {.writes = words,
                          .num_writes = GW_ARRAY_LEN(looks),
                          .write_base = base,
                          .reads = reads,
                          .num_reads = GW_ARRAY_LEN(looks),
                          .return_base = 0x4e6f,
                          .flags = GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_ask(ctx, &request, &reply, "EB-S01");
    for (unsigned i = 0; i < GW_ARRAY_LEN(looks); i++) {
        uint64_t got = gw_ebc_result(ctx, &request, &reply, i);
        gw_miss miss = gw_ebc_word_miss(ctx, "EB-S01", words[i], got);
        if (got != words[i])
            gw_case_fail(ctx, &miss,
                         "of words that look like packet headers, word %u reads 0x%" PRIx64
                         ", 0x%" PRIx64 " expected",
                         i, got, words[i]);
    }
}

/* ---- version ---- */

/* A master that knows more asks in its own version first, and falls back, whether it was answered
 * or not: that is another case's business. */
static void fall_back(gw_ctx *ctx)
{
    static const uint8_t higher[] = {2, 3, 15};
    for (unsigned i = 0; i < GW_ARRAY_LEN(higher); i++) {
        uint8_t probe[8];
        gw_ebc_request request;
        gw_ebc_reply reply;
        uint64_t address;
        gw_eb_operation op = {.reads = &address, .num_reads = 1, .byte_enable = gw_ebc_lanes(ctx)};
        op.flags = gw_ebc_harmless(ctx, &address) | GW_EB_CYC;
        gw_eb_build_probe(probe, false, 0xff, (uint32_t)gw_case_random(ctx));
        probe[2] = (uint8_t)(higher[i] << 4 | GW_EB_PF);
        if (!gw_ebc_probe(ctx, probe, &reply))
            gw_case_note(ctx, "no answer to a probe of version %u", higher[i]);
        gw_ebc_make(ctx, &request, &op, 1);
        gw_ebc_ask(ctx, &request, &reply, "EB-S02");
    }
}

/* ---- widths ---- */

/* A word of the port width whose bytes are all |byte|. */
static uint64_t filled(gw_ctx *ctx, uint8_t byte)
{
    return UINT64_C(0x0101010101010101) * byte >> (64 - gw_ebc_layout(ctx).data_bytes * 8);
}

/* Executed means: through the usual widths the memory is seen to change that was written through
 * these. False when these addresses do not reach it. */
static bool check_executed(gw_ctx *ctx, uint8_t usual, uint8_t pair)
{
    uint8_t narrower = pair >> 4 < usual >> 4 ? pair : usual;
    uint8_t byte = (uint8_t)gw_case_random(ctx);
    if (gw_board_area(gw_case_board(ctx), GW_AREA_RAM, (narrower >> 4) * 8u, 16) == NULL)
        return false;
    gw_ebc_use(ctx, narrower);
    uint64_t address = gw_ebc_ram(ctx, 8);
    gw_ebc_use(ctx, usual);
    uint64_t before = filled(ctx, byte);
    gw_ebc_write(ctx, address, before);
    gw_ebc_expect_word(ctx, NULL, address, before, "a word written through the usual widths");
    gw_ebc_use(ctx, pair);
    gw_ebc_write(ctx, address, filled(ctx, (uint8_t)~byte));
    (void)gw_ebc_read(ctx, address); /* whatever answers the write has come by then */
    gw_ebc_use(ctx, usual);
    gw_miss miss = {.rule = "EB-S45", .got = gw_ebc_read(ctx, address)};
    if (miss.got == before)
        gw_case_fail(ctx, &miss,
                     "a write under widths 0x%02x, which the board says it supports, is not "
                     "executed",
                     pair);
    return true;
}

static void supported(gw_ctx *ctx)
{
    uint8_t usual = gw_ebc_widths(ctx);
    unsigned tried = 0;
    for (unsigned pair = 0; pair < 16; pair++) {
        uint8_t code = (uint8_t)(0x10 << pair / 4 | 1 << pair % 4);
        tried += gw_ebc_supports(ctx, code) && check_executed(ctx, usual, code);
    }
    if (tried == 0)
        gw_case_na(ctx, "no RAM is in reach of any widths that the board shows");
    gw_case_note(ctx, "%u pairs of widths", tried);
}

/* ---- where records end ---- */

#define RECORDS 4

/* A packet cut between records is a shorter packet, with nothing missing. */
static void between_records(gw_ctx *ctx)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    gw_eb_operation ops[RECORDS];
    uint64_t address;
    uint8_t flags = gw_ebc_harmless(ctx, &address);
    for (unsigned i = 0; i < RECORDS; i++)
        ops[i] = (gw_eb_operation){.reads = &address,
                                   .num_reads = 1,
                                   .flags = flags | GW_EB_CYC,
                                   .byte_enable = gw_ebc_lanes(ctx)};
    for (unsigned num = 1; num <= RECORDS; num++) {
        gw_ebc_request request;
        gw_ebc_reply reply;
        gw_ebc_make(ctx, &request, ops, RECORDS);
        size_t missing = RECORDS - num;
        request.len -= missing * gw_eb_record_len(&l, 0, 1);
        request.reply_len -= missing * gw_eb_record_len(&l, 1, 0);
        request.num_records = num;
        gw_ebc_ask(ctx, &request, &reply, "EB-S42");
        gw_miss miss = {.rule = "EB-S42", .packet = reply.number, .offset = reply.message.len};
        if (reply.message.len < request.reply_len)
            gw_case_fail(ctx, &miss,
                         "a packet that ends with record %u of %u gets %" PRIu32
                         " bytes, %zu expected: nothing of it is missing",
                         num, RECORDS, reply.message.len, request.reply_len);
    }
}

const gw_case gw_eb_s_accepted[] = {
    {.id = "eb-s/magic-inside",
     .title = "Words that look like a packet header are data",
     .rules = GW_LIST("EB-S01"),
     .after = GW_LIST("eb-s/write-sequential", "eb-s/read-order", "eb-s/writes-before-reads"),
     .needs = GW_LIST("ram"),
     .run = magic_inside},
    {.id = "eb-s/version-fallback",
     .title = "After a probe of a higher version packets of version 1 are executed",
     .rules = GW_LIST("EB-S02"),
     .after = GW_LIST("eb-s/read-answered"),
     .needs = GW_LIST("udp"),
     .run = fall_back},
    {.id = "eb-s/supported-widths",
     .title = "Packets of all widths that are supported are executed",
     .rules = GW_LIST("EB-S45"),
     .after = GW_LIST("eb-s/write-sequential"),
     .needs = GW_LIST("ram"),
     .run = supported},
    {.id = "eb-s/cut-between-records",
     .title = "A packet that ends between records is answered as far as it goes",
     .rules = GW_LIST("EB-S42"),
     .after = GW_LIST("eb-s/many-records"),
     .run = between_records},
    {0},
};
