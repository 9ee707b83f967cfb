/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: the form of replies: header, counts, flags, addresses, padding. */
#include <inttypes.h>

#include "formats/etherbone/malformed.h"
#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

/* Reads |num| times with |flags| and |byte_enable|, results to |return_base| (0: anywhere). */
static void ask(gw_ctx *ctx, unsigned num, uint8_t flags, uint8_t byte_enable, uint64_t return_base,
                gw_ebc_request *request, gw_ebc_reply *reply)
{
    uint64_t reads[255];
    uint8_t own = gw_ebc_harmless(ctx, &reads[0]);
    for (unsigned i = 1; i < num; i++)
        reads[i] = reads[0];
    gw_eb_operation ops[2] = {
        {.reads = reads,
         .num_reads = (uint8_t)num,
         .return_base = return_base,
         .flags = flags | own,
         .byte_enable = byte_enable},
        {.reads = reads, .num_reads = 1, .flags = own | GW_EB_CYC, .byte_enable = byte_enable}};
    if (num > gw_ebc_most_words(ctx))
        ops[0].num_reads = (uint8_t)gw_ebc_most_words(ctx);
    /* A cycle left open is ended by a second record, within the same packet (spec 1106). */
    bool ends = (flags & GW_EB_CYC) != 0 || gw_ebc_one_record(ctx);
    gw_ebc_make(ctx, request, ops, ends ? 1 : 2);
    gw_ebc_ask(ctx, request, reply, NULL);
}

static void plain_read(gw_ctx *ctx, unsigned num, gw_ebc_request *request, gw_ebc_reply *reply)
{
    ask(ctx, num, GW_EB_CYC, gw_ebc_lanes(ctx), 0, request, reply);
}

static void answered(gw_ctx *ctx)
{
    /* Three, for a board may answer each time what was asked the time before. */
    for (unsigned i = 0; i < 3; i++) {
        gw_ebc_request request;
        gw_ebc_reply reply;
        plain_read(ctx, 1, &request, &reply);
        gw_miss miss = {.rule = "EB-S46", .packet = reply.number};
        if (gw_case_stream(ctx) && reply.message.len >= 2 &&
            gw_load_be16(reply.message.data) == GW_EB_MAGIC)
            gw_case_fail(ctx, &miss, "a reply begins with another packet header");
        miss.rule = "EB-S44";
        if (!gw_ebc_has_magic(ctx, &reply))
            gw_case_fail(ctx, &miss, "what came back is no EtherBone packet");
        gw_case_mark(ctx, reply.number, "read %u is answered", i + 1);
    }
}

static void header(gw_ctx *ctx)
{
    gw_ebc_request request;
    gw_ebc_reply reply;
    plain_read(ctx, 1, &request, &reply);
    gw_ebc_expect(ctx, &reply, "EB-S10", "etherbone.magic", GW_EB_MAGIC);
    gw_ebc_expect(ctx, &reply, "EB-S10", "etherbone.version", GW_EB_VERSION);
}

static void widths(gw_ctx *ctx)
{
    unsigned compared = 0;
    for (unsigned pair = 0; pair < 16; pair++) {
        uint8_t code = (uint8_t)(0x10 << pair / 4 | 1 << pair % 4);
        gw_ebc_request request;
        gw_ebc_reply reply;
        if (!gw_ebc_supports(ctx, code))
            continue;
        gw_ebc_use(ctx, code);
        plain_read(ctx, 1, &request, &reply);
        gw_ebc_expect(ctx, &reply, "EB-S11", "etherbone.addr_width", code >> 4);
        gw_ebc_expect(ctx, &reply, "EB-S11", "etherbone.port_width", code & 15);
        compared++;
    }
    if (compared == 0)
        gw_case_na(ctx, "neither the board file nor the probe response names any widths");
}

static void no_reads(gw_ctx *ctx)
{
    gw_ebc_request request;
    gw_ebc_reply reply;
    plain_read(ctx, 1, &request, &reply);
    gw_ebc_expect(ctx, &reply, "EB-S24", "etherbone.nr", 1);
}

static void counts(gw_ctx *ctx)
{
    static const uint8_t sizes[] = {1, 3, 17};
    for (unsigned i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        gw_ebc_request request;
        gw_ebc_reply reply;
        plain_read(ctx, sizes[i], &request, &reply);
        gw_ebc_expect(ctx, &reply, "EB-S19", "etherbone.record.wcount", request.reads[0]);
        gw_ebc_expect(ctx, &reply, "EB-S19", "etherbone.record.rcount", 0);
    }
}

static void flags(gw_ctx *ctx)
{
    for (unsigned i = 0; i < 8; i++) {
        uint8_t sent =
            (uint8_t)((i & 1 ? GW_EB_BCA : 0) | (i & 2 ? GW_EB_RFF : 0) | (i & 4 ? GW_EB_CYC : 0));
        gw_ebc_request request;
        gw_ebc_reply reply;
        ask(ctx, 2, sent, gw_ebc_lanes(ctx), 0, &request, &reply);
        gw_ebc_expect(ctx, &reply, "EB-S20", "etherbone.record.wca", (sent & GW_EB_BCA) != 0);
        gw_ebc_expect(ctx, &reply, "EB-S20", "etherbone.record.wff", (sent & GW_EB_RFF) != 0);
        gw_ebc_expect(ctx, &reply, "EB-S20", "etherbone.record.cyc", (sent & GW_EB_CYC) != 0);
        gw_ebc_expect(ctx, &reply, "EB-S20", "etherbone.record.bca", 0);
        gw_ebc_expect(ctx, &reply, "EB-S20", "etherbone.record.rca", 0);
        gw_ebc_expect(ctx, &reply, "EB-S20", "etherbone.record.rff", 0);
    }
}

static void byte_enables(gw_ctx *ctx)
{
    static const uint8_t selects[] = {0x01, 0x0f, 0x03, 0x0c, 0x08, 0xff, 0xf0, 0x05, 0x00};
    for (unsigned i = 0; i < GW_ARRAY_LEN(selects); i++) {
        gw_ebc_request request;
        gw_ebc_reply reply;
        ask(ctx, 1, GW_EB_CYC, selects[i], 0, &request, &reply);
        gw_ebc_expect(ctx, &reply, "EB-S21", "etherbone.record.byte_enable", selects[i]);
    }
}

/* The unit stands at a fixed place; the field of that name would be cut to the address width. */
static void check_return_base(gw_ctx *ctx, uint64_t base)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    gw_ebc_request request;
    gw_ebc_reply reply;
    ask(ctx, 1, GW_EB_CYC, gw_ebc_lanes(ctx), base, &request, &reply);
    uint32_t at = l.record_header + (gw_case_stream(ctx) ? 0u : l.header_len);
    gw_miss miss = {.rule = "EB-S22",
                    .field = gw_format_field(&gw_etherbone, "etherbone.write.base"),
                    .packet = reply.number,
                    .offset = at,
                    .expected = base};
    if (reply.message.len < at + l.addr_unit)
        gw_case_fail(ctx, &miss, "a reply of %" PRIu32 " bytes holds no return address",
                     reply.message.len);
    miss.got = gw_load_be(reply.message.data + at, l.addr_unit);
    if (miss.got == base)
        return;
    gw_case_mark(ctx, reply.number, "EB-S22: 0x%" PRIx64 " expected as base", base);
    gw_case_fail(ctx, &miss,
                 "etherbone.write.base at byte %" PRIu32 ": return address 0x%" PRIx64
                 " expected back as a whole unit, got 0x%" PRIx64,
                 at, base, miss.got);
}

static void return_address(gw_ctx *ctx)
{
    uint8_t usual = gw_ebc_widths(ctx);
    uint8_t narrow = (uint8_t)(GW_EB_8BIT << 4 | (usual & 15));
    uint64_t all_ones = UINT64_MAX >> (64 - gw_ebc_layout(ctx).addr_unit * 8);
    check_return_base(ctx, 0x8000);
    check_return_base(ctx, 0x5aa4);
    check_return_base(ctx, all_ones);
    if (!gw_ebc_supports(ctx, narrow))
        return;
    gw_ebc_use(ctx, narrow);
    check_return_base(ctx, 0x8000);
    check_return_base(ctx, 0xa55a);
}

/* Bytes that follow a reply on its stream. */
static uint32_t trailing(gw_ctx *ctx)
{
    gw_packet packet;
    uint32_t len = 0;
    if (!gw_case_stream(ctx))
        return 0;
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
    len = (uint32_t)gw_ebc_state_of(ctx)->waiting;
    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA)
        len += (uint32_t)packet.len;
    return len;
}

/* The last one takes two records. */
static void length(gw_ctx *ctx)
{
    static const uint8_t sizes[] = {1, 10, 100, 1};
    for (unsigned i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        gw_ebc_request request;
        gw_ebc_reply reply;
        uint8_t flags = i + 1 < GW_ARRAY_LEN(sizes) ? GW_EB_CYC : 0;
        ask(ctx, sizes[i], flags, gw_ebc_lanes(ctx), 0, &request, &reply);
        uint32_t len = reply.message.len + trailing(ctx);
        if (len <= request.len)
            continue;
        gw_miss miss = {.rule = "EB-S25", .offset = (uint32_t)request.len};
        gw_case_fail(ctx, &miss, "reply of %" PRIu32 " bytes to a request of %zu", len,
                     request.len);
    }
}

/* Sets every reserved bit and every padding byte of a request that reads once. */
static void set_reserved_bits(gw_ctx *ctx, gw_ebc_request *request)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    size_t at = gw_case_stream(ctx) ? 0 : l.header_len;
    size_t address = at + l.record_header + l.addr_unit;
    gw_ebc_set_reserved_bits(ctx, request);
    for (size_t i = 0; i < (size_t)(l.addr_unit - l.addr_bytes); i++)
        request->bytes[address + i] = 0xff;
}

static uint64_t ask_with_reserved_bits(gw_ctx *ctx, gw_ebc_reply *reply)
{
    gw_ebc_request request;
    uint64_t address;
    gw_eb_operation op = {.reads = &address,
                          .num_reads = 1,
                          .return_base = 0x40, /* fits the narrowest address */
                          .byte_enable = gw_ebc_lanes(ctx)};
    op.flags = gw_ebc_harmless(ctx, &address) | GW_EB_CYC;
    gw_ebc_make(ctx, &request, &op, 1);
    set_reserved_bits(ctx, &request);
    gw_ebc_ask(ctx, &request, reply, NULL);
    return gw_ebc_result(ctx, &request, reply, 0);
}

/* Widths that bring padding of headers, of data words and of addresses, and the usual ones. */
static unsigned padded_widths(gw_ctx *ctx, uint8_t out[4])
{
    static const uint8_t interesting[] = {0x88, 0x42, 0x18};
    unsigned num = 0;
    out[num++] = gw_ebc_widths(ctx);
    for (unsigned i = 0; i < GW_ARRAY_LEN(interesting); i++)
        if (gw_ebc_supports(ctx, interesting[i]))
            out[num++] = interesting[i];
    return num;
}

static void padding(gw_ctx *ctx)
{
    uint8_t pairs[4];
    unsigned num = padded_widths(ctx, pairs);
    for (unsigned i = 0; i < num; i++) {
        gw_ebc_reply reply;
        gw_ebc_use(ctx, pairs[i]);
        (void)ask_with_reserved_bits(ctx, &reply);
        gw_case_expect_clear(ctx, &reply.message, reply.number, "EB-S13");
    }
}

static void ignore_reserved(gw_ctx *ctx)
{
    uint8_t pairs[4];
    unsigned num = padded_widths(ctx, pairs);
    for (unsigned i = 0; i < num; i++) {
        gw_ebc_reply reply;
        uint64_t address;
        gw_ebc_use(ctx, pairs[i]);
        bool config = gw_ebc_harmless(ctx, &address) != 0;
        uint64_t clean = config ? gw_ebc_read_config(ctx, address) : gw_ebc_read(ctx, address);
        uint64_t with_bits = ask_with_reserved_bits(ctx, &reply);
        if (with_bits == clean)
            continue;
        gw_miss miss = gw_ebc_word_miss(ctx, "EB-S14", clean, with_bits);
        gw_case_fail(ctx, &miss,
                     "a read with reserved bits set gives 0x%" PRIx64 ", without them 0x%" PRIx64,
                     with_bits, clean);
    }
}

/* Each alone did no harm. */
static void reserved_in_sequence(gw_ctx *ctx)
{
    gw_ebc_reply reply;
    uint64_t address = gw_ebc_ram(ctx, 8);
    gw_ebc_write(ctx, address, gw_ebc_word(ctx));
    (void)gw_ebc_read(ctx, address);
    (void)ask_with_reserved_bits(ctx, &reply);
    gw_case_expect_alive(ctx, "EB-S14", "reserved bits behind a write and a read");
}

#define AFTER_READ GW_LIST("eb-s/read-answered")

const gw_case gw_eb_s_reply[] = {
    {.id = "eb-s/read-answered",
     .title = "A read is answered to the address and port that it came from",
     .rules = GW_LIST("EB-S44", "EB-S22", "EB-S46"),
     .run = answered},
    {.id = "eb-s/reply-header",
     .title = "A reply begins with the magic and the version of its request",
     .rules = GW_LIST("EB-S10"),
     .after = AFTER_READ,
     .needs = GW_LIST("udp"),
     .run = header},
    {.id = "eb-s/reply-widths",
     .title = "A reply has the widths of its request",
     .rules = GW_LIST("EB-S11"),
     .after = AFTER_READ,
     .needs = GW_LIST("udp"),
     .run = widths},
    {.id = "eb-s/reply-nr",
     .title = "A reply has NR set",
     .rules = GW_LIST("EB-S24"),
     .after = AFTER_READ,
     .needs = GW_LIST("udp"),
     .run = no_reads},
    {.id = "eb-s/reply-counts",
     .title = "A reply record writes as many words as were read, and reads none",
     .rules = GW_LIST("EB-S19", "EB-S25"),
     .after = AFTER_READ,
     .run = counts},
    {.id = "eb-s/reply-flags",
     .title = "Reply flags follow from the flags of the request",
     .rules = GW_LIST("EB-S20"),
     .after = AFTER_READ,
     .run = flags},
    {.id = "eb-s/reply-byte-enable",
     .title = "Byte enables are copied into the reply, illegal ones as well",
     .rules = GW_LIST("EB-S21"),
     .after = AFTER_READ,
     .negative = true,
     .run = byte_enables},
    {.id = "eb-s/reply-return-address",
     .title = "The return address comes back as a whole unit",
     .rules = GW_LIST("EB-S22"),
     .after = AFTER_READ,
     .run = return_address},
    {.id = "eb-s/reply-length",
     .title = "A reply is no longer than its request",
     .rules = GW_LIST("EB-S25"),
     .after = AFTER_READ,
     .run = length},
    {.id = "eb-s/ignore-reserved",
     .title = "Reserved bits and padding of a request are ignored",
     .rules = GW_LIST("EB-S14"),
     .after = AFTER_READ,
     .negative = true,
     .run = ignore_reserved},
    {.id = "eb-s/ignore-reserved-third",
     .title = "Reserved bits right behind a write and a read are ignored",
     .rules = GW_LIST("EB-S14"),
     .after = GW_LIST("eb-s/ignore-reserved"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = reserved_in_sequence},
    {.id = "eb-s/reply-padding",
     .title = "Padding and reserved bits of a reply are zero, whatever the request held there",
     .rules = GW_LIST("EB-S13"),
     .after = GW_LIST("eb-s/ignore-reserved", "eb-s/reply-counts"),
     .negative = true,
     .run = padding},
    {0},
};
