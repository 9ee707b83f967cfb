/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: records of any length: short, odd, and deeper than boards like to buffer. */
#include <inttypes.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

#define CHUNK 16  /* words moved at once where they are not what is judged; even */
#define WORDS 255 /* of one record: its counts are bytes */

/* How many words one record can carry: what the counts hold, the packet, and the RAM. */
static unsigned most_words(gw_ctx *ctx)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    size_t max = gw_ebc_longest_packet(ctx);
    size_t head = (size_t)l.header_len + l.record_header + l.addr_unit;
    size_t fit = max > head ? (max - head) / l.data_unit : 0;
    if (fit == 0)
        gw_case_na(ctx, "no word fits the %zu bytes of payload that the board claims", max);
    unsigned most = fit < WORDS ? (unsigned)fit : WORDS;
    if (most > gw_ebc_most_words(ctx))
        most = gw_ebc_most_words(ctx);
    while (most > 1 && gw_board_area(gw_case_board(ctx), GW_AREA_RAM, l.addr_bytes * 8u,
                                     (uint64_t)(most + 1) * l.data_bytes) == NULL)
        most /= 2;
    return most;
}

/* Counts up to |most|: small ones, both sides of powers of two, and the largest itself. */
static unsigned next_count(unsigned count, unsigned most)
{
    if (count == most)
        return 0;
    unsigned next = count < 4 ? count + 1 : (count & 1) == 0 ? count + 1 : 2 * (count - 1);
    return next < most ? next : most;
}

static void write_words(gw_ctx *ctx, uint64_t base, const uint64_t *words, unsigned num)
{
    gw_ebc_request request;
    gw_eb_operation op = {.writes = words,
                          .num_writes = (uint8_t)num,
                          .write_base = base,
                          .flags = GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_post(ctx, &request);
}

static void read_words(gw_ctx *ctx, uint64_t base, uint64_t *words, unsigned num, const char *rule)
{
    uint64_t addresses[WORDS + 1];
    gw_ebc_request request;
    gw_ebc_reply reply;
    for (unsigned i = 0; i < num; i++)
        addresses[i] = base + (uint64_t)i * gw_ebc_layout(ctx).data_bytes;
    gw_eb_operation op = {.reads = addresses,
                          .num_reads = (uint8_t)num,
                          .flags = GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_ask(ctx, &request, &reply, rule);
    for (unsigned i = 0; i < num; i++)
        words[i] = gw_ebc_result(ctx, &request, &reply, i);
}

static void expect_words(gw_ctx *ctx, const char *rule, const uint64_t *expected,
                         const uint64_t *got, unsigned num, const char *what)
{
    for (unsigned i = 0; i < num; i++) {
        gw_miss miss = {.rule = rule, .expected = expected[i], .got = got[i]};
        miss.field = gw_format_field(&gw_etherbone, "etherbone.write.value");
        if (got[i] != expected[i])
            gw_case_fail(ctx, &miss,
                         "a record that %s %u words: word %u is 0x%" PRIx64 ", 0x%" PRIx64
                         " expected",
                         what, num, i, got[i], expected[i]);
    }
}

static void choose_words(gw_ctx *ctx, uint64_t *words, unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        words[i] = gw_ebc_word(ctx);
}

/* One long record writes, short ones of an even count read back. */
static void deep_writes(gw_ctx *ctx)
{
    uint64_t words[WORDS];
    uint64_t got[WORDS + CHUNK];
    unsigned step = gw_ebc_layout(ctx).data_bytes;
    unsigned most = most_words(ctx);
    for (unsigned num = 1; num != 0; num = next_count(num, most)) {
        uint64_t base = gw_ebc_ram(ctx, (uint64_t)(num + 1) * step);
        choose_words(ctx, words, num);
        write_words(ctx, base, words, num);
        for (unsigned i = 0; i < num; i += CHUNK) {
            unsigned left = num - i < CHUNK ? num - i : CHUNK;
            read_words(ctx, base + (uint64_t)i * step, got + i, left + left % 2, "EB-S16");
        }
        expect_words(ctx, "EB-S16", words, got, num, "writes");
    }
    gw_case_note(ctx, "records of up to %u words", most);
}

/* Short records of an even count write, one long one reads. */
static void deep_reads(gw_ctx *ctx)
{
    uint64_t words[WORDS + 1] = {0};
    uint64_t got[WORDS];
    unsigned step = gw_ebc_layout(ctx).data_bytes;
    unsigned most = most_words(ctx);
    uint64_t base = gw_ebc_ram(ctx, (uint64_t)(most + 1) * step);
    unsigned even = most + most % 2;
    choose_words(ctx, words, even);
    for (unsigned i = 0; i < even; i += CHUNK) {
        unsigned left = even - i < CHUNK ? even - i : CHUNK;
        write_words(ctx, base + (uint64_t)i * step, words + i, left);
        (void)gw_ebc_read(ctx, base); /* one packet after the other */
    }
    for (unsigned num = 1; num != 0; num = next_count(num, most)) {
        read_words(ctx, base, got, num, "EB-S18");
        expect_words(ctx, "EB-S18", words, got, num, "reads");
    }
    gw_case_note(ctx, "records of up to %u words", most);
}

const gw_case gw_eb_s_depth[] = {
    {.id = "eb-s/write-counts",
     .title = "A record writes any number of words",
     .rules = GW_LIST("EB-S16"),
     .after = GW_LIST("eb-s/write-sequential", "eb-s/read-order"),
     .needs = GW_LIST("ram"),
     .negative = true, /* legal, but buffers are known to end before it */
     .run = deep_writes},
    {.id = "eb-s/read-counts",
     .title = "A record reads any number of words",
     .rules = GW_LIST("EB-S18"),
     .after = GW_LIST("eb-s/write-sequential", "eb-s/read-order"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = deep_reads},
    {0},
};
