/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: a FIFO shows what memory hides: reads of nothing, and writes made twice. */
#include <inttypes.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

static uint64_t fifo_address(gw_ctx *ctx)
{
    return gw_ebc_area(ctx, GW_AREA_FIFO, gw_ebc_layout(ctx).data_bytes)->address;
}

GW_NORETURN static void wrong(gw_ctx *ctx, const char *rule, unsigned number, uint64_t expected,
                              uint64_t got, const char *what)
{
    gw_miss miss = {.rule = rule, .packet = number, .expected = expected, .got = got};
    miss.field = gw_format_field(&gw_etherbone, "etherbone.write.value");
    gw_case_fail(ctx, &miss, "%s is 0x%" PRIx64 ", 0x%" PRIx64 " expected", what, got, expected);
}

/* Known words among reads of an empty FIFO must stand in their own places. */
static void read_empty(gw_ctx *ctx)
{
    enum { NUM = 6 };
    uint64_t fifo = fifo_address(ctx);
    uint64_t ram = gw_ebc_ram(ctx, 16);
    uint64_t words[2] = {gw_ebc_word(ctx), 0};
    words[1] = words[0] ^ 1;
    const uint64_t reads[NUM] = {ram, fifo, fifo, ram, ram + 8, ram};
    static const int which[NUM] = {0, -1, -1, 0, 1, 0};
    gw_ebc_request request;
    gw_ebc_reply reply;
    gw_ebc_write(ctx, ram, words[0]);
    gw_ebc_write(ctx, ram + 8, words[1]);
    gw_ebc_empty_fifo(ctx, fifo);
    gw_eb_operation op = {
        .reads = reads, .num_reads = NUM, .flags = GW_EB_CYC, .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_ask(ctx, &request, &reply, "EB-S18");
    for (unsigned i = 0; i < NUM; i++) {
        uint64_t got = gw_ebc_result(ctx, &request, &reply, i);
        if (which[i] < 0 || got == words[which[i]])
            continue;
        gw_miss miss = gw_ebc_word_miss(ctx, "EB-S18", words[which[i]], got);
        gw_case_fail(ctx, &miss,
                     "a word of RAM, read by the record that reads an empty FIFO, is 0x%" PRIx64
                     ", 0x%" PRIx64 " expected",
                     got, words[which[i]]);
    }
    gw_ebc_empty_fifo(ctx, fifo);
}

/* One record puts two words in and takes them out; a third word must then be the next one. */
static void once(gw_ctx *ctx)
{
    uint64_t fifo = fifo_address(ctx);
    uint64_t words[3] = {gw_ebc_word(ctx), 0, 0};
    const uint64_t reads[2] = {fifo, fifo};
    gw_ebc_request request;
    gw_ebc_reply reply;
    words[1] = words[0] ^ 1;
    words[2] = words[0] ^ 2;
    gw_ebc_empty_fifo(ctx, fifo);
    gw_eb_operation op = {.writes = words,
                          .num_writes = 2,
                          .write_base = fifo,
                          .reads = reads,
                          .num_reads = 2,
                          .flags = GW_EB_WFF | GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_ask(ctx, &request, &reply, "EB-S17");
    uint64_t got[2] = {gw_ebc_result(ctx, &request, &reply, 0),
                       gw_ebc_result(ctx, &request, &reply, 1)};
    gw_ebc_write(ctx, fifo, words[2]);
    uint64_t next = gw_ebc_read(ctx, fifo);
    gw_ebc_empty_fifo(ctx, fifo);
    for (unsigned i = 0; i < 2; i++)
        if (got[i] != words[i])
            wrong(ctx, "EB-S17", reply.number, words[i], got[i],
                  "a word that one record puts into a FIFO and takes out");
    if (next != words[2])
        wrong(ctx, "EB-S17", 0, words[2], next,
              "the next word of a FIFO, after one record put two in and took two out,");
}

const gw_case gw_eb_s_fifo[] = {
    {.id = "eb-s/fifo-empty",
     .title = "Reading an empty FIFO does not disturb other reads",
     .rules = GW_LIST("EB-S18"),
     .after = GW_LIST("eb-s/write-fifo", "eb-s/read-order"),
     .needs = GW_LIST("fifo", "ram"),
     .run = read_empty},
    {.id = "eb-s/fifo-once",
     .title = "The writes of a record that also reads are executed once",
     .rules = GW_LIST("EB-S17"),
     .after = GW_LIST("eb-s/write-fifo", "eb-s/writes-before-reads", "eb-s/read-order"),
     .needs = GW_LIST("fifo", "ram"),
     .run = once},
    {0},
};
