/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: what must be dropped, and must do no harm. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

/* A word of RAM that the bad packets try to overwrite; without RAM they only read. */
typedef struct victim {
    bool exists;
    uint64_t address;
    uint64_t kept;
} victim;

static victim choose_victim(gw_ctx *ctx)
{
    victim v = {0};
    char why[8];
    v.exists = gw_ebc_has(ctx, "ram", why, sizeof(why));
    if (!v.exists)
        return v;
    v.address = gw_ebc_ram(ctx, 8);
    v.kept = gw_ebc_word(ctx);
    gw_ebc_write(ctx, v.address, v.kept);
    gw_ebc_expect_kept(ctx, v.address, v.kept);
    return v;
}

/* A record that overwrites the victim, then one that reads; of one record a packet, the first. */
static void make_attack(gw_ctx *ctx, gw_ebc_request *request, const victim *v)
{
    uint64_t forbidden = ~v->kept;
    uint64_t address;
    uint8_t flags = gw_ebc_harmless(ctx, &address);
    gw_eb_operation ops[2] = {{.writes = &forbidden,
                               .num_writes = v->exists ? 1 : 0,
                               .write_base = v->address,
                               .flags = GW_EB_CYC,
                               .byte_enable = gw_ebc_lanes(ctx)},
                              {.reads = &address,
                               .num_reads = 1,
                               .flags = flags | GW_EB_CYC,
                               .byte_enable = gw_ebc_lanes(ctx)}};
    bool single = gw_ebc_one_record(ctx);
    gw_ebc_make(ctx, request, single && !v->exists ? ops + 1 : ops, single ? 1 : 2);
    gw_ebc_forbid(ctx, request);
}

static void expect_kept(gw_ctx *ctx, const char *rule, const victim *v, const char *what)
{
    if (v->exists)
        gw_ebc_expect_word(ctx, rule, v->address, v->kept, what);
}

/* Sends |len| bytes as the first thing that the board sees: over TCP on a new connection. */
static unsigned send_first(gw_ctx *ctx, const void *bytes, size_t len)
{
    if (gw_case_stream(ctx))
        return gw_ebc_put(ctx, gw_case_reconnect(ctx), bytes, len);
    gw_ebc_drain(ctx, gw_case_connection(ctx)); /* what is left answers something else */
    return gw_ebc_put(ctx, gw_case_connection(ctx), bytes, len);
}

/* A whole packet, header included, whatever carries it. */
static size_t attack_packet(gw_ctx *ctx, const victim *v, uint8_t *out)
{
    gw_ebc_request request;
    gw_eb_layout layout = gw_ebc_layout(ctx);
    const uint8_t header[8] = {0x4e, 0x6f, GW_EB_VERSION << 4, layout.widths};
    make_attack(ctx, &request, v);
    size_t skip = gw_case_stream(ctx) ? 0 : layout.header_len;
    memcpy(out, header, layout.header_len);
    memcpy(out + layout.header_len, request.bytes + skip, request.len - skip);
    return layout.header_len + request.len - skip;
}

static void bad_magic(gw_ctx *ctx)
{
    static const uint16_t wrong[] = {0x4e6e, 0x4f6f, 0x6f4e, 0x0000, 0xce6f};
    victim v = choose_victim(ctx);
    uint8_t bytes[GW_EBC_PACKET_MAX + 8];
    size_t len = attack_packet(ctx, &v, bytes);
    for (unsigned i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        bytes[0] = (uint8_t)(wrong[i] >> 8);
        bytes[1] = (uint8_t)wrong[i];
        unsigned number = send_first(ctx, bytes, len);
        gw_ebc_expect_silence(ctx, "EB-S01", number, "a packet with a wrong magic");
    }
    expect_kept(ctx, "EB-S01", &v, "after packets with a wrong magic");
}

static void bad_version(gw_ctx *ctx)
{
    static const uint8_t wrong[] = {0, 2, 9, 15};
    victim v = choose_victim(ctx);
    uint8_t bytes[GW_EBC_PACKET_MAX + 8];
    size_t len = attack_packet(ctx, &v, bytes);
    for (unsigned i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        bytes[2] = (uint8_t)(wrong[i] << 4);
        unsigned number = send_first(ctx, bytes, len);
        gw_ebc_expect_silence(ctx, "EB-S02", number, "a packet of another version");
    }
    expect_kept(ctx, "EB-S02", &v, "after packets of another version");
}

/* Widths that the board cannot have agreed to, in a packet shaped for those that it has: a board
 * that does not look executes it in RAM that is ours. */
static void unsupported(gw_ctx *ctx)
{
    static const uint8_t candidates[] = {0x00, 0x04, 0x40, 0x22, 0x24, 0x42, 0x14, 0x41,
                                         0x11, 0x48, 0x84, 0x88, 0x12, 0x21, 0x18, 0x81};
    victim v = choose_victim(ctx);
    uint8_t bytes[GW_EBC_PACKET_MAX + 8];
    size_t len = attack_packet(ctx, &v, bytes);
    unsigned tried = 0;
    for (unsigned i = 0; i < GW_ARRAY_LEN(candidates); i++) {
        gw_eb_layout named;
        if (gw_eb_layout_for(&named, candidates[i], gw_case_dialect(ctx)) &&
            (gw_ebc_shown(ctx) & named.widths) == named.widths)
            continue;
        bytes[3] = candidates[i];
        unsigned number = send_first(ctx, bytes, len);
        gw_case_mark(ctx, number, "widths 0x%02x are not supported", candidates[i]);
        if (gw_case_stream(ctx))
            gw_ebc_begin(ctx);
        /* Nothing forbids an answer, as long as nothing is executed. */
        if (!gw_case_stream(ctx)) {
            gw_case_wait(gw_case_connection(ctx), gw_case_settle_ns(ctx));
            gw_ebc_drain(ctx, gw_case_connection(ctx));
        }
        expect_kept(ctx, "EB-S45", &v, "after a packet whose widths are not supported");
        tried++;
    }
    gw_case_note(ctx, "%u unsupported pairs of widths tried", tried);
}

static void short_datagrams(gw_ctx *ctx)
{
    static const uint8_t header[] = {0x4e, 0x6f, 0x10};
    for (size_t len = 0; len <= sizeof(header); len++) {
        unsigned number = gw_ebc_put(ctx, gw_case_connection(ctx), header, len);
        gw_ebc_expect_silence(ctx, "EB-S49", number, "a datagram shorter than a packet header");
    }
}

/* Two words written, two read: every kind of unit is cut once. */
static size_t whole_packet(gw_ctx *ctx, uint8_t *out)
{
    gw_ebc_request request;
    char why[8];
    bool ram = gw_ebc_has(ctx, "ram", why, sizeof(why));
    uint64_t address;
    uint8_t flags = gw_ebc_harmless(ctx, &address);
    uint64_t words[2] = {gw_ebc_word(ctx), gw_ebc_word(ctx)};
    uint64_t reads[2] = {address, address};
    gw_eb_operation op = {.writes = words,
                          .num_writes = ram ? 2 : 0,
                          .write_base = ram ? gw_ebc_ram(ctx, 16) : 0,
                          .reads = reads,
                          .num_reads = 2,
                          .flags = flags | GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    memcpy(out, request.bytes, request.len);
    return request.len;
}

static void truncated(gw_ctx *ctx)
{
    uint8_t bytes[GW_EBC_PACKET_MAX];
    uint8_t widths = gw_ebc_widths(ctx);
    size_t whole = whole_packet(ctx, bytes);
    size_t first = gw_case_stream(ctx) ? 1 : gw_ebc_layout(ctx).header_len + 1u;
    for (size_t len = first; len < whole; len++) {
        if (gw_case_stream(ctx))
            gw_ebc_use(ctx, widths);
        char what[96];
        (void)snprintf(what, sizeof(what), "a packet cut to %zu of %zu bytes", len, whole);
        gw_ebc_put(ctx, gw_case_connection(ctx), bytes, len);
        /* A board may wait for the rest as long as the connection is there. */
        if (gw_case_stream(ctx))
            gw_case_close(ctx, gw_case_connection(ctx));
        gw_case_expect_alive(ctx, "EB-S42", what);
    }
}

static void incomplete(gw_ctx *ctx)
{
    uint64_t kept[3];
    uint64_t forbidden[3];
    unsigned step = gw_ebc_layout(ctx).data_bytes;
    uint64_t base = gw_ebc_ram(ctx, 24);
    for (unsigned i = 0; i < 3; i++) {
        kept[i] = gw_ebc_word(ctx);
        forbidden[i] = ~kept[i];
        gw_ebc_write(ctx, base + (uint64_t)i * step, kept[i]);
    }
    gw_ebc_request request;
    gw_eb_operation op = {.writes = forbidden,
                          .num_writes = 3,
                          .write_base = base,
                          .flags = GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    request.len -= gw_ebc_layout(ctx).data_unit;
    unsigned number = gw_ebc_send(ctx, gw_case_connection(ctx), &request);
    gw_case_mark(ctx, number, "the last of three words is missing");
    gw_case_wait(gw_case_connection(ctx), gw_case_settle_ns(ctx));
    for (unsigned i = 0; i < 3; i++)
        gw_ebc_expect_word(ctx, "EB-S43", base + (uint64_t)i * step, kept[i],
                           "after a record whose last word is missing");
}

static void then_data(gw_ctx *ctx)
{
    uint64_t kept = gw_ebc_word(ctx);
    uint64_t forbidden = ~kept;
    uint64_t address = gw_ebc_ram(ctx, 8);
    gw_ebc_request request;
    gw_ebc_write(ctx, address, kept);
    gw_ebc_expect_kept(ctx, address, kept);

    gw_eb_operation op = {.writes = &forbidden,
                          .num_writes = 1,
                          .write_base = address,
                          .flags = GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    size_t header = gw_ebc_layout(ctx).header_len;
    uint8_t bytes[GW_EBC_PACKET_MAX + 8];
    gw_eb_build_probe(bytes, false, gw_ebc_widths(ctx), (uint32_t)gw_case_random(ctx));
    memcpy(bytes + 8, request.bytes + header, request.len - header);
    unsigned number = gw_ebc_put(ctx, gw_case_connection(ctx), bytes, 8 + request.len - header);
    gw_case_mark(ctx, number, "the write behind this probe must not be executed");
    gw_case_wait(gw_case_connection(ctx), gw_case_settle_ns(ctx));
    gw_ebc_drain(ctx, gw_case_connection(ctx));
    gw_ebc_expect_word(ctx, "EB-S09", address, kept, "a write that follows a probe header");
}

const gw_case gw_eb_s_drop[] = {
    {.id = "eb-s/bad-magic",
     .title = "A packet with another magic is dropped without an answer",
     .rules = GW_LIST("EB-S01"),
     .after = GW_LIST("eb-s/read-answered"),
     .negative = true,
     .run = bad_magic},
    {.id = "eb-s/bad-version",
     .title = "A packet of another version is ignored",
     .rules = GW_LIST("EB-S02"),
     .after = GW_LIST("eb-s/read-answered"),
     .negative = true,
     .run = bad_version},
    {.id = "eb-s/unsupported-widths",
     .title = "Nothing is executed of a packet whose widths are not supported",
     .rules = GW_LIST("EB-S45"),
     .after = GW_LIST("eb-s/write-read"),
     .needs = GW_LIST("ram"),
     .negative = true,
     .run = unsupported},
    {.id = "eb-s/short-datagram",
     .title = "A datagram shorter than a packet header does no harm",
     .rules = GW_LIST("EB-S49"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = short_datagrams},
    {.id = "eb-s/truncated",
     .title = "The board survives a record cut at any byte",
     .rules = GW_LIST("EB-S42"),
     .negative = true,
     .run = truncated},
    {.id = "eb-s/truncated-execution",
     .title = "Nothing is executed of a record that is not complete",
     .rules = GW_LIST("EB-S43"),
     .after = GW_LIST("eb-s/write-read", "eb-s/truncated"),
     .needs = GW_LIST("udp", "ram"),
     .negative = true,
     .run = incomplete},
    {.id = "eb-s/probe-then-data",
     .title = "Data that follow a probe header are not executed",
     .rules = GW_LIST("EB-S09"),
     .after = GW_LIST("eb-s/probe-answered", "eb-s/write-read"),
     .needs = GW_LIST("udp", "ram"),
     .negative = true,
     .run = then_data},
    {0},
};
