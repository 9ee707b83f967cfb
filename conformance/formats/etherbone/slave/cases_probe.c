/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: probes and their responses. */
#include <inttypes.h>
#include <stdio.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"
#include "harness/times.h"

/* Sends a probe of |version| with |extra| header flags; a missing answer breaks |rule|. */
static void probe(gw_ctx *ctx, unsigned version, uint8_t extra, uint8_t mask, uint32_t id,
                  const char *rule, gw_ebc_reply *reply)
{
    uint8_t bytes[8];
    gw_eb_build_probe(bytes, false, mask, id);
    bytes[2] = (uint8_t)(version << 4 | GW_EB_PF | extra);
    if (gw_ebc_probe(ctx, bytes, reply))
        return;
    gw_miss miss = {.rule = rule};
    char within[24];
    gw_case_fail(ctx, &miss, "no answer within %s to a probe of version %u",
                 gw_times_text(within, sizeof(within), gw_case_reply_ns(ctx)), version);
}

static void plain_probe(gw_ctx *ctx, const char *rule, gw_ebc_reply *reply)
{
    probe(ctx, GW_EB_VERSION, 0, 0xff, (uint32_t)gw_case_random(ctx), rule, reply);
}

static void expect(gw_ctx *ctx, const gw_ebc_reply *reply, const char *rule, const char *field,
                   uint64_t value)
{
    gw_want want = {.rule = rule, .field = field, .value = value};
    gw_case_expect(ctx, &reply->message, reply->number, &want);
}

static void answered(gw_ctx *ctx)
{
    gw_ebc_reply reply;
    plain_probe(ctx, "EB-S03", &reply);
    gw_miss miss = {.rule = "EB-S03", .packet = reply.number};
    if (!gw_ebc_has_magic(ctx, &reply))
        gw_case_fail(ctx, &miss, "what came back is no EtherBone packet");
    gw_case_mark(ctx, reply.number, "the probe is answered");
}

static void flags(gw_ctx *ctx)
{
    gw_ebc_reply reply;
    plain_probe(ctx, "EB-S03", &reply);
    expect(ctx, &reply, "EB-S03", "etherbone.pr", 1);
    expect(ctx, &reply, "EB-S03", "etherbone.pf", 0);
}

static void echo(gw_ctx *ctx)
{
    static const uint32_t fixed[] = {0, 1, 0x80000000, 0xffffffff, 0x4e6f1144};
    for (unsigned i = 0; i < 8; i++) {
        gw_ebc_reply reply;
        uint32_t id = i < GW_ARRAY_LEN(fixed) ? fixed[i] : (uint32_t)gw_case_random(ctx);
        probe(ctx, GW_EB_VERSION, 0, 0xff, id, "EB-S04", &reply);
        /* The id stands at byte 4 whatever the flags call the packet. */
        uint64_t got = reply.message.len >= 8 ? gw_load_be32(reply.message.data + 4) : 0;
        if (reply.message.len >= 8 && got == id)
            continue;
        gw_miss miss = {.rule = "EB-S04",
                        .field = gw_format_field(&gw_etherbone, "etherbone.probe_id"),
                        .packet = reply.number,
                        .offset = 4,
                        .expected = id,
                        .got = got};
        gw_case_mark(ctx, reply.number, "EB-S04: id 0x%08" PRIx32 " expected", id);
        if (reply.message.len < 8)
            gw_case_fail(ctx, &miss,
                         "etherbone.probe_id is missing from a response of %" PRIu32 " bytes",
                         reply.message.len);
        gw_case_fail(ctx, &miss,
                     "etherbone.probe_id at byte 4: expected 0x%08" PRIx32 ", got 0x%08" PRIx64, id,
                     got);
    }
}

static void length(gw_ctx *ctx)
{
    gw_ebc_reply reply;
    plain_probe(ctx, "EB-S05", &reply);
    if (reply.message.len == 8)
        return;
    gw_miss miss = {.rule = "EB-S05", .packet = reply.number, .offset = 8};
    gw_case_fail(ctx, &miss, "probe response of %" PRIu32 " bytes, exactly 8 expected",
                 reply.message.len);
}

static void check_mask(gw_ctx *ctx, const gw_ebc_reply *reply, const char *name, unsigned got,
                       unsigned claimed)
{
    gw_miss miss = {.rule = "EB-S06",
                    .field = gw_format_field(&gw_etherbone, name),
                    .packet = reply->number,
                    .offset = 3,
                    .expected = claimed,
                    .got = got};
    if (got == 0)
        gw_case_fail(ctx, &miss, "%s at byte 3 is empty: at least one width must be supported",
                     name);
    if ((claimed & ~got) != 0)
        gw_case_fail(ctx, &miss,
                     "%s at byte 3: the board file claims mask 0x%x, the board shows "
                     "0x%x",
                     name, claimed, got);
    if (claimed != 0 && got != claimed)
        gw_case_note(ctx, "%s: the board shows 0x%x, its file claims 0x%x only", name, got,
                     claimed);
}

static void masks(gw_ctx *ctx)
{
    const gw_claims *claims = gw_case_claimed(ctx);
    static const uint8_t offered[] = {0xff, 0x44, 0x11};
    /* Over TCP an offer that leaves nothing in common ends the connection. */
    unsigned num = gw_case_stream(ctx) ? 1 : GW_ARRAY_LEN(offered);
    for (unsigned i = 0; i < num; i++) {
        gw_ebc_reply reply;
        probe(ctx, GW_EB_VERSION, 0, offered[i], (uint32_t)gw_case_random(ctx), "EB-S06", &reply);
        uint8_t mask = reply.message.len >= 4 ? reply.message.data[3] : 0;
        check_mask(ctx, &reply, "etherbone.addr_width", mask >> 4, claims->address_widths);
        check_mask(ctx, &reply, "etherbone.port_width", mask & 15, claims->port_widths);
    }
}

static void versions(gw_ctx *ctx)
{
    static const uint8_t higher[] = {2, 3, 8, 15};
    for (unsigned i = 0; i < GW_ARRAY_LEN(higher); i++) {
        gw_ebc_reply reply;
        probe(ctx, higher[i], 0, 0xff, (uint32_t)gw_case_random(ctx), "EB-S07", &reply);
        unsigned got = reply.message.len >= 3 ? reply.message.data[2] >> 4 : 0;
        if (i == 0)
            gw_case_note(ctx, "a probe of version %u is answered in version %u", higher[i], got);
        /* The document asks for the slave's highest at one place, for the higher of the two at
         * another: nothing lies outside these. */
        if (got >= 1 && got <= higher[i])
            continue;
        gw_miss miss = {.rule = "EB-S07",
                        .field = gw_format_field(&gw_etherbone, "etherbone.version"),
                        .packet = reply.number,
                        .offset = 2,
                        .expected = GW_EB_VERSION,
                        .got = got};
        gw_case_fail(ctx, &miss, "a probe of version %u is answered in version %u", higher[i], got);
    }
}

static void no_reads(gw_ctx *ctx)
{
    gw_ebc_reply reply;
    plain_probe(ctx, "EB-S08", &reply);
    expect(ctx, &reply, "EB-S08", "etherbone.nr", 1);
}

static void reserved(gw_ctx *ctx)
{
    gw_ebc_reply reply;
    probe(ctx, GW_EB_VERSION, GW_EB_HEADER_RESERVED, 0xff, (uint32_t)gw_case_random(ctx), "EB-S14",
          &reply);
    expect(ctx, &reply, "EB-S13", "etherbone.reserved", 0);
}

/* What is too short for a probe may be ignored. What answers it is a probe response all the same.
 */
static void sizes(gw_ctx *ctx)
{
    gw_connection *conn = gw_case_connection(ctx);
    for (size_t len = 4; len < 8; len++) {
        uint8_t bytes[8];
        gw_packet packet;
        gw_eb_build_probe(bytes, false, 0xff, (uint32_t)gw_case_random(ctx));
        gw_ebc_drain(ctx, conn);
        unsigned number = gw_ebc_put(ctx, conn, bytes, len);
        gw_case_mark(ctx, number, "a probe of %zu bytes", len);
        if (gw_ebc_next(ctx, conn, gw_case_settle_ns(ctx), &packet) == GW_RECV_DATA &&
            packet.len != 8) {
            gw_miss miss = {.rule = "EB-S05", .packet = packet.number, .offset = 8};
            gw_case_fail(ctx, &miss,
                         "a probe of %zu bytes is answered by %zu bytes, 8 or none expected", len,
                         packet.len);
        }
        char what[32];
        (void)snprintf(what, sizeof(what), "a probe of %zu bytes", len);
        gw_case_expect_alive(ctx, "EB-S05", what);
    }
}

/* The reserved bit may mean something in that version. */
static void odd_versions(gw_ctx *ctx)
{
    for (unsigned version = 2; version <= 15; version++) {
        gw_ebc_reply reply;
        probe(ctx, version, GW_EB_HEADER_RESERVED, 0xff, (uint32_t)gw_case_random(ctx), "EB-S07",
              &reply);
        unsigned got = reply.message.len >= 3 ? reply.message.data[2] >> 4 : 0;
        gw_miss miss = {.rule = "EB-S07",
                        .field = gw_format_field(&gw_etherbone, "etherbone.version"),
                        .packet = reply.number,
                        .offset = 2,
                        .expected = GW_EB_VERSION,
                        .got = got};
        if (got < 1 || got > version)
            gw_case_fail(ctx, &miss,
                         "a probe of version %u with a reserved bit set is answered in version %u",
                         version, got);
    }
}

const gw_case gw_eb_s_probe[] = {
    {.id = "eb-s/probe-answered",
     .title = "A probe is answered",
     .rules = GW_LIST("EB-S03"),
     .run = answered},
    {.id = "eb-s/probe-flags",
     .title = "A probe response has PR set and PF clear",
     .rules = GW_LIST("EB-S03"),
     .after = GW_LIST("eb-s/probe-answered"),
     .run = flags},
    {.id = "eb-s/probe-echo",
     .title = "A probe response carries the id of its probe",
     .rules = GW_LIST("EB-S04"),
     .after = GW_LIST("eb-s/probe-answered"),
     .run = echo},
    {.id = "eb-s/probe-length",
     .title = "A probe response is exactly 8 bytes long",
     .rules = GW_LIST("EB-S05"),
     .after = GW_LIST("eb-s/probe-answered"),
     .run = length},
    {.id = "eb-s/probe-masks",
     .title = "A probe response shows the widths that the board supports",
     .rules = GW_LIST("EB-S06"),
     .after = GW_LIST("eb-s/probe-answered"),
     .run = masks},
    {.id = "eb-s/probe-version",
     .title = "A probe of a higher version is answered in a version that both know",
     .rules = GW_LIST("EB-S07"),
     .after = GW_LIST("eb-s/probe-answered"),
     .run = versions},
    {.id = "eb-s/probe-nr",
     .title = "A probe response has NR set",
     .rules = GW_LIST("EB-S08"),
     .after = GW_LIST("eb-s/probe-answered"),
     .run = no_reads},
    {.id = "eb-s/probe-reserved",
     .title = "A reserved bit in a probe is ignored, and clear in the response",
     .rules = GW_LIST("EB-S14", "EB-S13"),
     .after = GW_LIST("eb-s/probe-answered"),
     .negative = true,
     .run = reserved},
    {.id = "eb-s/probe-sizes",
     .title = "A probe that is too short gets no answer, or one of 8 bytes",
     .rules = GW_LIST("EB-S05"),
     .after = GW_LIST("eb-s/probe-length"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = sizes},
    {.id = "eb-s/probe-version-reserved",
     .title = "A probe of a higher version is answered whatever its reserved bit says",
     .rules = GW_LIST("EB-S07"),
     .after = GW_LIST("eb-s/probe-version", "eb-s/probe-reserved"),
     .negative = true,
     .run = odd_versions},
    {0},
};
