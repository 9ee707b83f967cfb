/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: the form of its answers after packets that break the rules of a master. */
#include <inttypes.h>

#include "formats/etherbone/malformed.h"
#include "formats/etherbone/slave/suite.h"

/* ---- probes ---- */

static void probe(gw_ctx *ctx, const char *what, uint32_t id, gw_ebc_reply *reply)
{
    uint8_t bytes[8];
    gw_eb_build_probe(bytes, false, 0xff, id);
    if (gw_ebc_probe(ctx, bytes, reply))
        return;
    gw_miss miss = {.rule = "EB-S03"};
    gw_case_fail(ctx, &miss, "no answer to a probe after %s", what);
}

static void check_probe(gw_ctx *ctx, const char *what, uint8_t mask)
{
    gw_ebc_reply reply;
    uint32_t id = (uint32_t)gw_case_random(ctx);
    probe(ctx, what, id, &reply);
    gw_ebc_expect(ctx, &reply, "EB-S03", "etherbone.pr", 1);
    gw_ebc_expect(ctx, &reply, "EB-S03", "etherbone.pf", 0);
    gw_ebc_expect(ctx, &reply, "EB-S08", "etherbone.nr", 1);
    gw_miss miss = {.rule = "EB-S05", .packet = reply.number, .offset = 8};
    if (reply.message.len != 8)
        gw_case_fail(ctx, &miss, "after %s a probe is answered by %" PRIu32 " bytes, 8 expected",
                     what, reply.message.len);
    gw_ebc_expect(ctx, &reply, "EB-S04", "etherbone.probe_id", id);
    gw_ebc_expect(ctx, &reply, "EB-S06", "etherbone.addr_width", mask >> 4);
    gw_ebc_expect(ctx, &reply, "EB-S06", "etherbone.port_width", mask & 15);
}

static void probes(gw_ctx *ctx)
{
    gw_ebc_reply reply;
    probe(ctx, "nothing else", (uint32_t)gw_case_random(ctx), &reply);
    uint8_t mask = reply.message.len >= 4 ? reply.message.data[3] : 0;
    for (unsigned i = 0; i < GW_EBC_NUM_MALFORMED; i++) {
        const char *what = gw_ebc_inject_malformed(ctx, i);
        if (what != NULL)
            check_probe(ctx, what, mask);
    }
}

/* ---- replies ---- */

/* Reads |num| times with |flags| and |byte_enable|. */
static void ask(gw_ctx *ctx, uint8_t num, uint8_t flags, uint8_t byte_enable,
                gw_ebc_request *request, gw_ebc_reply *reply)
{
    uint64_t reads[4];
    uint8_t own = gw_ebc_harmless(ctx, &reads[0]);
    for (unsigned i = 1; i < GW_ARRAY_LEN(reads); i++)
        reads[i] = reads[0];
    gw_eb_operation op = {.reads = reads,
                          .num_reads = num,
                          .flags = flags | own | GW_EB_CYC,
                          .byte_enable = byte_enable};
    gw_ebc_make(ctx, request, &op, 1);
    gw_ebc_ask(ctx, request, reply, NULL);
}

static void headers(gw_ctx *ctx)
{
    for (unsigned i = 0; i < GW_EBC_NUM_MALFORMED; i++) {
        gw_ebc_request request;
        gw_ebc_reply reply;
        if (gw_ebc_inject_malformed(ctx, i) == NULL)
            continue;
        ask(ctx, 1, 0, gw_ebc_lanes(ctx), &request, &reply);
        gw_ebc_expect(ctx, &reply, "EB-S10", "etherbone.magic", GW_EB_MAGIC);
        gw_ebc_expect(ctx, &reply, "EB-S10", "etherbone.version", GW_EB_VERSION);
        gw_ebc_expect(ctx, &reply, "EB-S24", "etherbone.nr", 1);
    }
}

static void check_return_base(gw_ctx *ctx, const gw_ebc_request *request, const gw_ebc_reply *reply,
                              const char *what)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    uint32_t at = (uint32_t)l.header_len + l.record_header;
    gw_miss miss = {.rule = "EB-S22",
                    .field = gw_format_field(&gw_etherbone, "etherbone.write.base"),
                    .packet = reply->number,
                    .offset = at};
    miss.expected = gw_load_be(request->bytes + at, l.addr_unit);
    if (reply->message.len >= at + l.addr_unit)
        miss.got = gw_load_be(reply->message.data + at, l.addr_unit);
    if (miss.got != miss.expected)
        gw_case_fail(ctx, &miss,
                     "after %s the return address comes back as 0x%" PRIx64 ", 0x%" PRIx64
                     " expected",
                     what, miss.got, miss.expected);
}

static void records(gw_ctx *ctx)
{
    for (unsigned i = 0; i < GW_EBC_NUM_MALFORMED; i++) {
        gw_ebc_request request;
        gw_ebc_reply reply;
        uint8_t flags = (uint8_t)((i & 1 ? GW_EB_BCA : 0) | (i & 2 ? GW_EB_RFF : 0));
        uint8_t num = (uint8_t)(1 + i % 3);
        const char *what = gw_ebc_inject_malformed(ctx, i);
        if (what == NULL)
            continue;
        ask(ctx, num, flags, i % 2 == 0 ? gw_ebc_lanes(ctx) : 1, &request, &reply);
        gw_miss miss = {.rule = "EB-S25", .offset = (uint32_t)request.len};
        if (reply.message.len > request.len)
            gw_case_fail(ctx, &miss, "after %s a request of %zu bytes gets a reply of %" PRIu32,
                         what, request.len, reply.message.len);
        gw_ebc_expect(ctx, &reply, "EB-S19", "etherbone.record.wcount", num);
        gw_ebc_expect(ctx, &reply, "EB-S19", "etherbone.record.rcount", 0);
        gw_ebc_expect(ctx, &reply, "EB-S20", "etherbone.record.cyc", 1);
        gw_ebc_expect(ctx, &reply, "EB-S20", "etherbone.record.wca", (flags & GW_EB_BCA) != 0);
        gw_ebc_expect(ctx, &reply, "EB-S20", "etherbone.record.wff", (flags & GW_EB_RFF) != 0);
        gw_ebc_expect(ctx, &reply, "EB-S21", "etherbone.record.byte_enable",
                      i % 2 == 0 ? gw_ebc_lanes(ctx) : 1);
        check_return_base(ctx, &request, &reply, what);
    }
}

/* ---- widths ---- */

/* Three packets that name widths nobody can work with, shaped for the widths in force. */
static void refuse_widths(gw_ctx *ctx)
{
    static const uint8_t wrong[] = {0x00, 0x04, 0x40};
    gw_ebc_request request;
    uint64_t address;
    gw_eb_operation op = {.reads = &address, .num_reads = 1, .byte_enable = gw_ebc_lanes(ctx)};
    op.flags = gw_ebc_harmless(ctx, &address) | GW_EB_CYC;
    for (unsigned i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        gw_ebc_make(ctx, &request, &op, 1);
        gw_ebc_expire_return_address(ctx, &request);
        request.bytes[3] = wrong[i];
        unsigned number = gw_ebc_send(ctx, gw_case_connection(ctx), &request);
        gw_case_mark(ctx, number, "malformed: widths 0x%02x", wrong[i]);
    }
    gw_ebc_let_pass(ctx, gw_case_connection(ctx));
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
        refuse_widths(ctx);
        ask(ctx, 1, 0, gw_ebc_lanes(ctx), &request, &reply);
        gw_ebc_expect(ctx, &reply, "EB-S11", "etherbone.addr_width", code >> 4);
        gw_ebc_expect(ctx, &reply, "EB-S11", "etherbone.port_width", code & 15);
        gw_miss miss = {.rule = "EB-S12", .packet = reply.number, .offset = reply.message.len};
        if (reply.message.len < request.reply_len)
            gw_case_fail(ctx, &miss,
                         "after packets of no widths a reply under widths 0x%02x has %" PRIu32
                         " bytes, %zu expected",
                         code, reply.message.len, request.reply_len);
        compared++;
    }
    if (compared == 0)
        gw_case_na(ctx, "neither the board file nor the probe response names any widths");
}

/* ---- ports ---- */

/* Somebody else sends malformed packets; who asks next gets the answer, and nobody else. */
static void ports(gw_ctx *ctx)
{
    gw_connection *usual = gw_case_connection(ctx);
    gw_connection *other = gw_ebc_connect_other(ctx, "EB-S44");
    for (unsigned i = 0; i < GW_EBC_NUM_MALFORMED; i++) {
        const char *what;
        gw_ebc_request request;
        gw_ebc_reply reply;
        gw_packet packet;
        uint64_t address;
        gw_eb_operation op = {.reads = &address, .num_reads = 1, .byte_enable = gw_ebc_lanes(ctx)};
        op.flags = gw_ebc_harmless(ctx, &address) | GW_EB_CYC;
        if (gw_ebc_send_malformed(ctx, other, i, &what) == 0)
            continue;
        gw_ebc_let_pass(ctx, other);
        gw_ebc_make(ctx, &request, &op, 1);
        gw_ebc_drain(ctx, usual);
        unsigned number = gw_ebc_send(ctx, usual, &request);
        bool came = gw_ebc_await(ctx, usual, &request, &reply, gw_case_reply_ns(ctx));
        gw_miss miss = {.rule = "EB-S44", .packet = number};
        while (gw_case_recv(ctx, other, 0, &packet) == GW_RECV_DATA) {
            miss.packet = packet.number;
            if (gw_ebc_is_answer(ctx, &packet, &request))
                gw_case_fail(ctx, &miss, "after %s the next reply goes to where that came from",
                             what);
        }
        if (came)
            continue;
        gw_case_expect_alive(ctx, gw_ebc_malformed_rule(i), what);
        gw_case_fail(ctx, &miss, "no reply to a read after %s from another port", what);
    }
}

#define UDP GW_LIST("udp")

const gw_case gw_eb_s_malformed[] = {
    {.id = "eb-s/upset-probe",
     .title = "A probe is answered correctly after malformed packets",
     .rules = GW_LIST("EB-S03", "EB-S04", "EB-S05", "EB-S06", "EB-S08"),
     .after = GW_LIST("eb-s/probe-answered", GW_EBC_AFTER_MALFORMED),
     .needs = UDP,
     .negative = true,
     .run = probes},
    {.id = "eb-s/upset-header",
     .title = "A reply begins correctly after malformed packets",
     .rules = GW_LIST("EB-S10", "EB-S24"),
     .after = GW_LIST(GW_EBC_AFTER_MALFORMED),
     .needs = UDP,
     .negative = true,
     .run = headers},
    {.id = "eb-s/upset-record",
     .title = "A reply's record follows from its request after malformed packets",
     .rules = GW_LIST("EB-S19", "EB-S20", "EB-S21", "EB-S22", "EB-S25"),
     .after = GW_LIST(GW_EBC_AFTER_MALFORMED),
     .needs = UDP,
     .negative = true,
     .run = records},
    {.id = "eb-s/upset-widths",
     .title = "A reply has the widths of its own request after widths that were refused",
     .rules = GW_LIST("EB-S11", "EB-S12"),
     .after = GW_LIST(GW_EBC_AFTER_MALFORMED),
     .needs = UDP,
     .negative = true,
     .run = widths},
    {.id = "eb-s/upset-port",
     .title = "A reply goes to the port that asked though another one sent malformed packets",
     .rules = GW_LIST("EB-S44"),
     .after = GW_LIST("eb-s/own-port", GW_EBC_AFTER_MALFORMED),
     .needs = UDP,
     .negative = true,
     .run = ports},
    {0},
};
