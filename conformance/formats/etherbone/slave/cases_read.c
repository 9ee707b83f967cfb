/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: reads, their order, and packets of many records. */
#include <inttypes.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"
#include "suite/response.h"

#define MANY 100
#define FULL 366 /* the shortest records that read, in the longest packet */
#define MORE 3   /* words that fit where no record does, at the most */

/* Of result |i|, which was the last one looked at. */
GW_NORETURN static void wrong_value(gw_ctx *ctx, const char *rule, const char *what, unsigned i,
                                    uint64_t expected, uint64_t got)
{
    gw_miss miss = gw_ebc_word_miss(ctx, rule, expected, got);
    gw_case_mark(ctx, miss.packet, "%s: result %u should be 0x%" PRIx64, rule, i, expected);
    gw_case_fail(ctx, &miss, "%s: result %u is 0x%" PRIx64 ", expected 0x%" PRIx64, what, i, got,
                 expected);
}

static void order(gw_ctx *ctx)
{
    static const uint8_t picks[] = {3, 1, 1, 0, 2, 3, 0};
    enum { NUM = sizeof(picks) };
    unsigned step = gw_ebc_layout(ctx).data_bytes;
    uint64_t base = gw_ebc_ram(ctx, 32);
    uint64_t words[4];
    uint64_t reads[NUM];
    gw_ebc_request request;
    gw_ebc_reply reply;
    for (unsigned i = 0; i < 4; i++) {
        words[i] = (gw_ebc_word(ctx) & ~UINT64_C(3)) | i;
        gw_ebc_write(ctx, base + (uint64_t)i * step, words[i]);
    }
    for (unsigned i = 0; i < NUM; i++)
        reads[i] = base + (uint64_t)picks[i] * step;
    gw_eb_operation op = {
        .reads = reads, .num_reads = NUM, .flags = GW_EB_CYC, .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_ask(ctx, &request, &reply, "EB-S18");
    for (unsigned i = 0; i < NUM; i++) {
        uint64_t got = gw_ebc_result(ctx, &request, &reply, i);
        if (got != words[picks[i]])
            wrong_value(ctx, "EB-S18", "reads in mixed order", i, words[picks[i]], got);
    }
}

/* A reply may show the whole word; the selected lanes must be right. */
static void lanes(gw_ctx *ctx)
{
    unsigned port = gw_ebc_layout(ctx).data_bytes;
    uint64_t address = gw_ebc_ram(ctx, 8);
    uint64_t word = UINT64_C(0x1122334455667788) >> (64 - port * 8);
    if (port == 1)
        gw_case_na(ctx, "an 8 bit port has one lane only");
    gw_ebc_write(ctx, address, word);
    for (unsigned width = 1; width <= port; width *= 2) {
        for (unsigned lane = 0; lane < port; lane += width) {
            uint64_t mask = (UINT64_MAX >> (64 - width * 8)) << lane * 8;
            uint8_t select = (uint8_t)(((1u << width) - 1) << lane);
            gw_ebc_request request;
            gw_ebc_reply reply;
            gw_eb_operation op = {
                .reads = &address, .num_reads = 1, .flags = GW_EB_CYC, .byte_enable = select};
            gw_ebc_make(ctx, &request, &op, 1);
            gw_ebc_ask(ctx, &request, &reply, "EB-S23");
            uint64_t got = gw_ebc_result(ctx, &request, &reply, 0);
            if (lane == 0 && width == 1)
                gw_case_note(ctx, "lanes that are not selected read as %s",
                             (got & ~mask) == 0 ? "zero" : "the whole word");
            if (((got ^ word) & mask) != 0)
                wrong_value(ctx, "EB-S23", "the selected byte lanes", 0, word & mask, got & mask);
        }
    }
}

/* Every legal set of byte enables comes back with the results that it selected. */
static void lanes_come_back(gw_ctx *ctx)
{
    unsigned port = gw_ebc_layout(ctx).data_bytes;
    uint64_t address;
    uint8_t flags = gw_ebc_harmless(ctx, &address);
    for (unsigned width = flags == 0 ? 1 : port; width <= port; width *= 2) {
        for (unsigned lane = 0; lane < port; lane += width) {
            uint8_t select = (uint8_t)(((1u << width) - 1) << lane);
            gw_ebc_request request;
            gw_ebc_reply reply;
            gw_eb_operation op = {.reads = &address,
                                  .num_reads = 1,
                                  .flags = flags | GW_EB_CYC,
                                  .byte_enable = select};
            gw_ebc_make(ctx, &request, &op, 1);
            gw_ebc_ask(ctx, &request, &reply, NULL);
            gw_ebc_expect(ctx, &reply, "EB-S21", "etherbone.record.byte_enable", select);
        }
    }
}

/* How many records of |each| bytes fit a packet beside |rest|. */
static unsigned room_for(gw_ctx *ctx, size_t each, size_t rest, unsigned want)
{
    size_t max = gw_ebc_longest_packet(ctx);
    size_t fit = max > rest ? (max - rest) / each : 0;
    return fit < want ? (unsigned)fit : want;
}

static uint64_t clean_read(gw_ctx *ctx, uint64_t address, uint8_t flags)
{
    return flags != 0 ? gw_ebc_read_config(ctx, address) : gw_ebc_read(ctx, address);
}

static void empty_records(gw_ctx *ctx)
{
    static const unsigned amounts[] = {1, 7, 300};
    gw_eb_layout l = gw_ebc_layout(ctx);
    gw_eb_operation ops[301] = {{0}};
    uint64_t address;
    uint8_t flags = gw_ebc_harmless(ctx, &address);
    uint64_t expected = clean_read(ctx, address, flags);
    for (unsigned i = 0; i < GW_ARRAY_LEN(amounts); i++) {
        gw_ebc_request request;
        gw_ebc_reply reply;
        unsigned num = room_for(ctx, l.record_header, 64, amounts[i]);
        for (unsigned k = 0; k < num; k++)
            ops[k] = (gw_eb_operation){.flags = k % 2 == 0 ? 0 : GW_EB_CYC};
        ops[num] = (gw_eb_operation){.reads = &address,
                                     .num_reads = 1,
                                     .flags = flags | GW_EB_CYC,
                                     .byte_enable = gw_ebc_lanes(ctx)};
        gw_ebc_make(ctx, &request, ops, num + 1);
        gw_ebc_ask(ctx, &request, &reply, "EB-S30");
        uint64_t got = gw_ebc_result(ctx, &request, &reply, 0);
        if (got != expected)
            wrong_value(ctx, "EB-S30", "a read behind empty records", 0, expected, got);
    }
}

/* Sends |num| records that read a word each, the last one |more| times again. */
static void check_records(gw_ctx *ctx, unsigned num, unsigned more, const uint64_t *addresses,
                          const uint64_t *words, uint8_t flags)
{
    gw_eb_operation ops[FULL] = {{0}};
    uint64_t again[1 + MORE];
    gw_ebc_request request;
    gw_ebc_reply reply;
    if (num == 0)
        gw_case_na(ctx, "no record with a read fits the payload that the board claims");
    for (unsigned i = 0; i < num; i++)
        ops[i] = (gw_eb_operation){.reads = &addresses[i],
                                   .num_reads = 1,
                                   .flags = flags | GW_EB_CYC,
                                   .byte_enable = gw_ebc_lanes(ctx)};
    for (unsigned i = 0; i <= more; i++)
        again[i] = addresses[num - 1];
    ops[num - 1].reads = again;
    ops[num - 1].num_reads = (uint8_t)(1 + more);
    gw_ebc_make(ctx, &request, ops, num);
    gw_ebc_ask(ctx, &request, &reply, "EB-S31");
    if (reply.message.len < request.reply_len) {
        gw_miss miss = {.rule = "EB-S31", .packet = reply.number, .offset = reply.message.len};
        gw_case_fail(ctx, &miss,
                     "%u records read one word each: reply of %" PRIu32 " bytes, %zu expected", num,
                     reply.message.len, request.reply_len);
    }
    for (unsigned i = 0; i < num + more; i++) {
        uint64_t got = gw_ebc_result(ctx, &request, &reply, i);
        uint64_t word = words[i < num ? i : num - 1];
        if (got != word)
            wrong_value(ctx, "EB-S31", "one of many records", i, word, got);
    }
    for (size_t i = request.reply_len; i < reply.message.len; i++) {
        gw_miss miss = {.rule = "EB-S51", .packet = reply.number, .offset = (uint32_t)i};
        if (reply.message.data[i] != 0)
            gw_case_fail(ctx, &miss, "%u records were answered at byte %zu, and more follows", num,
                         i);
    }
}

/* Ten different words, again and again. Returns the flags it takes to read them. */
static uint8_t choose_words(gw_ctx *ctx, uint64_t addresses[FULL], uint64_t words[FULL])
{
    char why[8];
    bool ram = gw_ebc_has(ctx, "ram", why, sizeof(why));
    uint8_t flags = 0;
    for (unsigned i = 0; i < 10; i++) {
        if (ram) {
            addresses[i] = gw_ebc_ram(ctx, 128) + UINT64_C(8) * i;
            words[i] = gw_ebc_word(ctx);
            gw_ebc_write(ctx, addresses[i], words[i]);
        } else {
            flags = gw_ebc_harmless(ctx, &addresses[i]);
            words[i] = clean_read(ctx, addresses[i], flags);
        }
    }
    for (unsigned i = 0; ram && i < 10; i++)
        words[i] = gw_ebc_read(ctx, addresses[i]); /* two may have met at one address */
    for (unsigned i = 10; i < FULL; i++) {
        addresses[i] = addresses[i % 10];
        words[i] = words[i % 10];
    }
    return flags;
}

static void many_records(gw_ctx *ctx)
{
    static const unsigned amounts[] = {2, 10, MANY};
    gw_eb_layout l = gw_ebc_layout(ctx);
    uint64_t addresses[FULL];
    uint64_t words[FULL];
    uint8_t flags = choose_words(ctx, addresses, words);
    for (unsigned i = 0; i < GW_ARRAY_LEN(amounts); i++) {
        unsigned num = room_for(ctx, gw_eb_record_len(&l, 0, 1), l.header_len, amounts[i]);
        check_records(ctx, num, 0, addresses, words, flags);
    }
}

static void full_packet(gw_ctx *ctx)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    uint64_t addresses[FULL];
    uint64_t words[FULL];
    uint8_t flags = choose_words(ctx, addresses, words);
    size_t each = gw_eb_record_len(&l, 0, 1);
    unsigned num = room_for(ctx, each, l.header_len, FULL);
    size_t rest = num > 0 ? gw_ebc_longest_packet(ctx) - l.header_len - num * each : 0;
    /* What is left of the packet is too short for a record, and not for a word. */
    unsigned more = rest < each ? (unsigned)(rest / l.addr_unit) : 0;
    check_records(ctx, num, more, addresses, words, flags);
    gw_case_note(ctx, "%u records in one packet of %zu bytes", num,
                 l.header_len + num * each + more * (size_t)l.addr_unit);
}

/* Reads one word by two records of one packet, each for a lane of its own. */
static void lanes_by_record(gw_ctx *ctx)
{
    unsigned port = gw_ebc_layout(ctx).data_bytes;
    uint64_t address = gw_ebc_ram(ctx, 8);
    uint64_t word = UINT64_C(0x1122334455667788) >> (64 - port * 8);
    gw_eb_operation ops[2] = {{0}};
    gw_ebc_request request;
    gw_ebc_reply reply;
    if (port == 1)
        gw_case_na(ctx, "an 8 bit port has one lane only");
    gw_ebc_write(ctx, address, word);
    for (unsigned i = 0; i < 2; i++)
        ops[i] = (gw_eb_operation){.reads = &address,
                                   .num_reads = 1,
                                   .flags = GW_EB_CYC,
                                   .byte_enable = (uint8_t)(1u << (i == 0 ? port - 1 : 0))};
    gw_ebc_make(ctx, &request, ops, 2);
    gw_ebc_ask(ctx, &request, &reply, "EB-S23");
    for (unsigned i = 0; i < 2; i++) {
        uint64_t mask = UINT64_C(0xff) << (i == 0 ? port - 1 : 0) * 8;
        uint64_t got = gw_ebc_result(ctx, &request, &reply, i);
        if (((got ^ word) & mask) != 0)
            wrong_value(ctx, "EB-S23", "a lane for each record", i, word & mask, got & mask);
    }
}

static void response_time(gw_ctx *ctx)
{
    gw_responses responses = {.num = 0};
    gw_connection *conn = gw_case_connection(ctx);
    uint64_t address;
    uint8_t flags = gw_ebc_harmless(ctx, &address);
    gw_eb_operation read = {
        .reads = &address, .num_reads = 1, .flags = flags, .byte_enable = gw_ebc_lanes(ctx)};
    for (unsigned i = 0; i < GW_RESPONSE_ROUNDS && !gw_response_slow(ctx, &responses); i++) {
        gw_ebc_request request;
        gw_ebc_reply reply;
        gw_ebc_make(ctx, &request, &read, 1);
        unsigned sent = gw_ebc_send(ctx, conn, &request);
        if (gw_ebc_await(ctx, conn, &request, &reply, gw_case_reply_ns(ctx))) {
            gw_response_add(ctx, &responses, sent, reply.number);
        } else {
            gw_response_missed(ctx, &responses);
            gw_ebc_drain(ctx, conn); /* a stream's next reply would be this one, come late */
        }
    }
    gw_response_end(ctx, &responses);
}

const gw_case gw_eb_s_read[] = {
    {.id = "eb-s/read-order",
     .title = "Reads are executed in the order listed, repeated ones included",
     .rules = GW_LIST("EB-S18"),
     .after = GW_LIST("eb-s/write-read"),
     .needs = GW_LIST("ram"),
     .run = order},
    {.id = "eb-s/read-lanes",
     .title = "Results of reads stand in the byte lanes that were selected",
     .rules = GW_LIST("EB-S23"),
     .after = GW_LIST("eb-s/write-read"),
     .needs = GW_LIST("ram"),
     .run = lanes},
    {.id = "eb-s/reply-lanes",
     .title = "Legal byte enables are copied into the reply",
     .rules = GW_LIST("EB-S21"),
     .after = GW_LIST("eb-s/read-answered"),
     .run = lanes_come_back},
    {.id = "eb-s/many-records",
     .title = "A packet of many records is answered record by record",
     .rules = GW_LIST("EB-S31", "EB-S51"),
     .after = GW_LIST("eb-s/read-answered"),
     .run = many_records},
    {.id = "eb-s/full-packet",
     .title = "A packet as long as the path carries is answered whole",
     .rules = GW_LIST("EB-S31", "EB-S51"),
     .after = GW_LIST("eb-s/many-records"),
     .needs = GW_LIST("udp"),
     .negative = true, /* legal, but buffers are known to end before it */
     .run = full_packet},
    {.id = "eb-s/record-lanes",
     .title = "Each record of a packet has its own byte enables",
     .rules = GW_LIST("EB-S23"),
     .after = GW_LIST("eb-s/read-lanes", "eb-s/many-records"),
     .needs = GW_LIST("ram"),
     .run = lanes_by_record},
    {.id = "eb-s/empty-records",
     .title = "Empty records do nothing, however many there are",
     .rules = GW_LIST("EB-S30"),
     .after = GW_LIST("eb-s/many-records"),
     .negative = true, /* legal, but boards are known to die of it */
     .run = empty_records},
    {.id = "eb-s/response-time",
     .title = "Replies come within the time that the board claims",
     .rules = GW_LIST("EB-S51"),
     .after = GW_LIST("eb-s/read-answered"),
     .needs = GW_LIST("response_us"),
     .unproven = "boards in memory take no time",
     .run = response_time},
    {0},
};
