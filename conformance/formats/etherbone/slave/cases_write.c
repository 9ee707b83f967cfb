/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: where and in which order writes arrive. */
#include <inttypes.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

/* Four words that differ from each other, however narrow the port is. */
static void distinct_words(gw_ctx *ctx, uint64_t words[4])
{
    words[0] = gw_ebc_word(ctx);
    for (unsigned i = 1; i < 4; i++) {
        unsigned bits = gw_ebc_layout(ctx).data_bytes * 8u;
        words[i] = (words[i - 1] + 0x35) & UINT64_MAX >> (64 - bits);
    }
}

static void write_record(gw_ctx *ctx, uint64_t base, const uint64_t *words, unsigned num,
                         uint8_t flags)
{
    gw_ebc_request request;
    gw_eb_operation op = {.writes = words,
                          .num_writes = (uint8_t)num,
                          .write_base = base,
                          .flags = flags | GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_post(ctx, &request);
}

static void write_read(gw_ctx *ctx)
{
    for (unsigned i = 0; i < 4; i++) {
        uint64_t address = gw_ebc_ram(ctx, 8);
        uint64_t word = gw_ebc_word(ctx);
        /* Once: who writes until it is there does not see that it was late. */
        write_record(ctx, address, &word, 1, 0);
        gw_ebc_expect_word(ctx, "EB-S16", address, word, "a word written on its own");
    }
}

static void sequential(gw_ctx *ctx)
{
    uint8_t address_width = gw_ebc_widths(ctx) & 0xf0;
    for (unsigned port = 1; port <= 8; port *= 2) {
        uint8_t pair = (uint8_t)(address_width | port);
        uint64_t words[4];
        if (!gw_ebc_supports(ctx, pair) && pair != gw_ebc_widths(ctx))
            continue;
        gw_ebc_use(ctx, pair);
        uint64_t base = gw_ebc_ram(ctx, 32);
        distinct_words(ctx, words);
        write_record(ctx, base, words, 4, 0);
        for (unsigned i = 0; i < 4; i++)
            gw_ebc_expect_word(ctx, "EB-S16", base + (uint64_t)i * port, words[i],
                               "sequential writes");
    }
}

static void fixed(gw_ctx *ctx)
{
    unsigned step = gw_ebc_layout(ctx).data_bytes;
    uint64_t base = gw_ebc_ram(ctx, 32);
    uint64_t before[4];
    uint64_t words[4];
    distinct_words(ctx, before);
    distinct_words(ctx, words);
    for (unsigned i = 0; i < 4; i++)
        gw_ebc_write(ctx, base + (uint64_t)i * step, before[i]);
    write_record(ctx, base, words, 4, GW_EB_WFF);
    gw_ebc_expect_word(ctx, "EB-S17", base, words[3], "the last of four writes with WFF");
    for (unsigned i = 1; i < 4; i++)
        gw_ebc_expect_word(ctx, "EB-S17", base + (uint64_t)i * step, before[i],
                           "a word behind the target of writes with WFF");
}

static void fifo(gw_ctx *ctx)
{
    uint64_t words[4];
    uint64_t got[4];
    const gw_area *area = gw_ebc_area(ctx, GW_AREA_FIFO, gw_ebc_layout(ctx).data_bytes);
    distinct_words(ctx, words);
    gw_ebc_empty_fifo(ctx, area->address);
    write_record(ctx, area->address, words, 4, GW_EB_WFF);
    /* Take everything out before judging: the register must not stay filled. */
    for (unsigned i = 0; i < 4; i++)
        got[i] = gw_ebc_read(ctx, area->address);
    for (unsigned i = 0; i < 4; i++) {
        if (got[i] == words[i])
            continue;
        gw_miss miss = {.rule = "EB-S17", .expected = words[i], .got = got[i]};
        miss.field = gw_format_field(&gw_etherbone, "etherbone.write.value");
        gw_case_fail(ctx, &miss,
                     "FIFO %s: word %u of four is 0x%" PRIx64 ", 0x%" PRIx64 " was written",
                     area->name, i, got[i], words[i]);
    }
}

static void before_reads(gw_ctx *ctx)
{
    uint64_t address = gw_ebc_ram(ctx, 8);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t before = gw_ebc_word(ctx);
        uint64_t word = ~before;
        gw_ebc_request request;
        gw_ebc_reply reply;
        gw_ebc_write(ctx, address, before);
        gw_eb_operation op = {.writes = &word,
                              .num_writes = 1,
                              .write_base = address,
                              .reads = &address,
                              .num_reads = 1,
                              .flags = GW_EB_CYC,
                              .byte_enable = gw_ebc_lanes(ctx)};
        gw_ebc_make(ctx, &request, &op, 1);
        gw_ebc_ask(ctx, &request, &reply, "EB-S15");
        uint64_t got = gw_ebc_result(ctx, &request, &reply, 0);
        unsigned bits = gw_ebc_layout(ctx).data_bytes * 8u;
        uint64_t expected = word & UINT64_MAX >> (64 - bits);
        if (got == expected)
            continue;
        gw_miss miss = gw_ebc_word_miss(ctx, "EB-S15", expected, got);
        gw_case_mark(ctx, reply.number, "EB-S15: 0x%" PRIx64 " expected", expected);
        gw_case_fail(ctx, &miss,
                     "one record writes 0x%" PRIx64 " and reads it back: got 0x%" PRIx64, expected,
                     got);
    }
}

/* A write touches the selected lanes and no others. */
static void lanes(gw_ctx *ctx)
{
    unsigned port = gw_ebc_layout(ctx).data_bytes;
    uint64_t address = gw_ebc_ram(ctx, 8);
    if (port == 1)
        gw_case_na(ctx, "an 8 bit port has one lane only");
    for (unsigned lane = 0; lane < port; lane++) {
        uint64_t before = gw_ebc_word(ctx);
        uint64_t word = ~before;
        uint64_t mask = UINT64_C(0xff) << lane * 8;
        gw_ebc_request request;
        gw_ebc_write(ctx, address, before);
        gw_eb_operation op = {.writes = &word,
                              .num_writes = 1,
                              .write_base = address,
                              .flags = GW_EB_CYC,
                              .byte_enable = (uint8_t)(1u << lane)};
        gw_ebc_make(ctx, &request, &op, 1);
        gw_ebc_post(ctx, &request);
        gw_ebc_expect_word(ctx, "EB-S23", address, (before & ~mask) | (word & mask),
                           "a write to one byte lane");
    }
}

const gw_case gw_eb_s_write[] = {
    {.id = "eb-s/write-read",
     .title = "A word that was written is read back",
     .rules = GW_LIST("EB-S16"),
     .after = GW_LIST("eb-s/read-answered"),
     .needs = GW_LIST("ram"),
     .run = write_read},
    {.id = "eb-s/write-sequential",
     .title = "Writes without WFF go one port width further each",
     .rules = GW_LIST("EB-S16"),
     .after = GW_LIST("eb-s/write-read"),
     .needs = GW_LIST("ram"),
     .run = sequential},
    {.id = "eb-s/write-fixed",
     .title = "Writes with WFF all go to the base address",
     .rules = GW_LIST("EB-S17"),
     .after = GW_LIST("eb-s/write-read"),
     .needs = GW_LIST("ram"),
     .run = fixed},
    {.id = "eb-s/write-fifo",
     .title = "Writes with WFF fill a FIFO in their order",
     .rules = GW_LIST("EB-S17"),
     .after = GW_LIST("eb-s/read-answered"),
     .needs = GW_LIST("fifo"),
     .run = fifo},
    {.id = "eb-s/writes-before-reads",
     .title = "Within a record all writes come before the first read",
     .rules = GW_LIST("EB-S15"),
     .after = GW_LIST("eb-s/write-read"),
     .needs = GW_LIST("ram"),
     .run = before_reads},
    {.id = "eb-s/write-lanes",
     .title = "A write touches the selected byte lanes only",
     .rules = GW_LIST("EB-S23"),
     .after = GW_LIST("eb-s/write-read"),
     .needs = GW_LIST("ram"),
     .run = lanes},
    {0},
};
