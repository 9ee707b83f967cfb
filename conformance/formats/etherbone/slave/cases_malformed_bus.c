/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: what it does on its bus, and shows of its registers, after packets that break
 * the rules of a master. */
#include <inttypes.h>

#include "formats/etherbone/malformed.h"
#include "formats/etherbone/slave/suite.h"

#define WORDS 3

/* ---- order and places ---- */

static void write_words(gw_ctx *ctx, uint64_t base, const uint64_t words[WORDS], uint8_t flags)
{
    gw_ebc_request request;
    gw_eb_operation op = {.writes = words,
                          .num_writes = WORDS,
                          .write_base = base,
                          .flags = flags | GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_post(ctx, &request);
}

/* What lies in the RAM from |base| on must be |words|. */
static void expect_memory(gw_ctx *ctx, const char *rule, uint64_t base, const uint64_t words[WORDS],
                          const char *what)
{
    for (unsigned i = 0; i < WORDS; i++)
        gw_ebc_expect_word(ctx, rule, base + (uint64_t)i * gw_ebc_layout(ctx).data_bytes, words[i],
                           what);
}

GW_NORETURN static void wrong_result(gw_ctx *ctx, const char *rule, uint64_t expected, uint64_t got,
                                     const char *what, const char *why)
{
    gw_miss miss = gw_ebc_word_miss(ctx, rule, expected, got);
    gw_case_fail(ctx, &miss,
                 "after %s a record that writes and reads returns %s: 0x%" PRIx64 ", 0x%" PRIx64
                 " expected",
                 what, why, got, expected);
}

/* One record writes three words and reads them backwards. What was there before tells a read that
 * came too early from one of another address. */
static void write_and_read(gw_ctx *ctx, const char *what)
{
    uint64_t step = gw_ebc_layout(ctx).data_bytes;
    uint64_t base = gw_ebc_ram(ctx, 32);
    uint64_t first = gw_ebc_word(ctx) & ~UINT64_C(15);
    const uint64_t before[WORDS] = {first | 1, first | 2, first | 3};
    const uint64_t words[WORDS] = {first | 4, first | 5, first | 6};
    const uint64_t reads[WORDS] = {base + 2 * step, base + step, base};
    gw_ebc_request request;
    gw_ebc_reply reply;
    write_words(ctx, base, before, 0);
    expect_memory(ctx, "EB-S16", base, before, what);
    gw_eb_operation op = {.writes = words,
                          .num_writes = WORDS,
                          .write_base = base,
                          .reads = reads,
                          .num_reads = WORDS,
                          .flags = GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_ask(ctx, &request, &reply, "EB-S18");
    for (unsigned i = 0; i < WORDS; i++) {
        uint64_t got = gw_ebc_result(ctx, &request, &reply, i);
        uint64_t expected = words[WORDS - 1 - i];
        if (got == before[WORDS - 1 - i])
            wrong_result(ctx, "EB-S15", expected, got, what, "what was there before");
        if (got != expected)
            wrong_result(ctx, "EB-S18", expected, got, what, "another word");
    }
}

/* With WFF the last word stays, and what lies behind it too. */
static void write_fixed(gw_ctx *ctx, const char *what)
{
    uint64_t base = gw_ebc_ram(ctx, 32);
    uint64_t first = gw_ebc_word(ctx) & ~UINT64_C(15);
    const uint64_t before[WORDS] = {first | 1, first | 2, first | 3};
    const uint64_t words[WORDS] = {first | 4, first | 5, first | 6};
    const uint64_t after[WORDS] = {words[WORDS - 1], before[1], before[2]};
    write_words(ctx, base, before, 0);
    write_words(ctx, base, words, GW_EB_WFF);
    expect_memory(ctx, "EB-S17", base, after, what);
}

static void results(gw_ctx *ctx)
{
    for (unsigned i = 0; i < GW_EBC_NUM_MALFORMED; i++) {
        const char *what = gw_ebc_inject_malformed(ctx, i);
        if (what == NULL)
            continue;
        write_and_read(ctx, what);
        write_fixed(ctx, what);
    }
}

/* ---- lanes ---- */

/* Reads with byte enables that no bus has, then with one lane, in one packet. What the first read
 * gives is nobody's business. */
static void read_behind(gw_ctx *ctx, uint8_t wrong, uint64_t address, uint64_t word, unsigned lane)
{
    uint64_t mask = UINT64_C(0xff) << lane * 8;
    gw_ebc_request request;
    gw_ebc_reply reply;
    gw_eb_operation ops[2] = {
        {.reads = &address, .num_reads = 1, .byte_enable = wrong},
        {.reads = &address,
         .num_reads = 1,
         .flags = GW_EB_CYC,
         .byte_enable = (uint8_t)(1u << lane)},
    };
    gw_ebc_make(ctx, &request, ops, 2);
    gw_ebc_ask(ctx, &request, &reply, "EB-S23");
    uint64_t got = gw_ebc_result(ctx, &request, &reply, 1);
    gw_miss miss = gw_ebc_word_miss(ctx, "EB-S23", word & mask, got & mask);
    if (((got ^ word) & mask) != 0)
        gw_case_fail(ctx, &miss,
                     "behind a read with byte enables 0x%02x lane %u of 0x%" PRIx64
                     " reads 0x%" PRIx64,
                     wrong, lane, word, got);
}

/* The same with writes: the first one goes to a word of its own. */
static void write_behind(gw_ctx *ctx, uint8_t wrong, uint64_t address, unsigned lane)
{
    uint64_t mask = UINT64_C(0xff) << lane * 8;
    uint64_t before = gw_ebc_word(ctx);
    uint64_t word = ~before;
    gw_ebc_request request;
    gw_ebc_write(ctx, address, before);
    gw_eb_operation ops[2] = {
        {.writes = &word, .num_writes = 1, .write_base = address + 8, .byte_enable = wrong},
        {.writes = &word,
         .num_writes = 1,
         .write_base = address,
         .flags = GW_EB_CYC,
         .byte_enable = (uint8_t)(1u << lane)},
    };
    gw_ebc_make(ctx, &request, ops, 2);
    gw_ebc_post(ctx, &request);
    gw_case_wait(gw_case_connection(ctx), gw_case_settle_ns(ctx)); /* zeros may answer it */
    gw_ebc_expect_word(ctx, "EB-S23", address, (before & ~mask) | (word & mask),
                       "a write to one lane, behind one with byte enables that no bus has");
}

static void lanes(gw_ctx *ctx)
{
    static const uint8_t wrong[] = {0x00, 0x05, 0x06, 0x0a, 0x0d, 0xf0};
    unsigned port = gw_ebc_layout(ctx).data_bytes;
    uint64_t address = gw_ebc_ram(ctx, 16);
    uint64_t word = UINT64_C(0x1122334455667788) >> (64 - port * 8);
    if (port == 1)
        gw_case_na(ctx, "an 8 bit port has one lane only");
    for (unsigned i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        gw_ebc_write(ctx, address, word);
        read_behind(ctx, wrong[i], address, word, (i + 1) % port);
        write_behind(ctx, wrong[i], address, (i + 1) % port);
    }
}

/* ---- registers ---- */

/* The 64-bit register at config address 8, through the widths in force. */
static uint64_t sdb_pointer(gw_ctx *ctx)
{
    unsigned step = gw_ebc_layout(ctx).data_bytes;
    uint64_t value = 0;
    for (unsigned at = 0; at < 8; at += step) {
        uint64_t word = gw_ebc_read_config(ctx, 8 + at);
        value = step == 8 ? word : value << step * 8 | word;
    }
    return value;
}

/* Config register 8 through every port width, the usual one first. */
static void check_pointer(gw_ctx *ctx, uint8_t usual, uint64_t expected, const char *what)
{
    gw_ebc_use(ctx, usual);
    uint64_t got = sdb_pointer(ctx);
    gw_miss miss = {.rule = "EB-S38", .expected = expected, .got = got};
    if (got != expected)
        gw_case_fail(ctx, &miss,
                     "after %s config address 8 holds 0x%" PRIx64 ", before it held 0x%" PRIx64,
                     what, got, expected);
    for (unsigned port = 1; port <= 8; port *= 2) {
        uint8_t pair = (uint8_t)((usual & 0xf0) | port);
        if (pair == usual || !gw_ebc_supports(ctx, pair))
            continue;
        gw_ebc_use(ctx, pair);
        miss = (gw_miss){.rule = "EB-S39", .expected = expected, .got = sdb_pointer(ctx)};
        if (miss.got != expected)
            gw_case_fail(ctx, &miss,
                         "after %s config address 8 reads 0x%" PRIx64
                         " through a %u bit port, 0x%" PRIx64 " expected",
                         what, miss.got, port * 8, expected);
    }
    gw_ebc_use(ctx, usual);
}

static void registers(gw_ctx *ctx)
{
    uint8_t usual = gw_ebc_widths(ctx);
    uint64_t expected = sdb_pointer(ctx);
    for (unsigned i = 0; i < GW_EBC_NUM_MALFORMED; i++) {
        const char *what = gw_ebc_inject_malformed(ctx, i);
        if (what != NULL)
            check_pointer(ctx, usual, expected, what);
    }
}

const gw_case gw_eb_s_malformed_bus[] = {
    {.id = "eb-s/upset-results",
     .title = "A record writes and reads where and when it should after malformed packets",
     .rules = GW_LIST("EB-S16", "EB-S15", "EB-S17", "EB-S18"),
     .after = GW_LIST("eb-s/write-sequential", "eb-s/write-fixed", "eb-s/writes-before-reads",
                      "eb-s/read-order", GW_EBC_AFTER_MALFORMED),
     .needs = GW_LIST("udp", "ram"),
     .negative = true,
     .run = results},
    {.id = "eb-s/upset-lanes",
     .title = "Undefined byte enables do not disturb the record after them",
     .rules = GW_LIST("EB-S23"),
     .after = GW_LIST("eb-s/record-lanes", "eb-s/write-lanes"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = lanes},
    {.id = "eb-s/upset-registers",
     .title = "Config registers keep their values after malformed packets",
     .rules = GW_LIST("EB-S38", "EB-S39"),
     .after = GW_LIST("eb-s/sdb-pointer", "eb-s/config-widths", GW_EBC_AFTER_MALFORMED),
     .needs = GW_LIST("udp", "sdb"),
     .negative = true,
     .run = registers},
    {0},
};
