/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: byte streams: one header, records anywhere, an orderly end. */
#include <inttypes.h>
#include <string.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

#define EMPTY_MAX 64 /* records between two replies */

/* A connection that begins with |len| bytes at |head|. The records that follow are built for the
 * usual widths, which |head| must name. */
static gw_connection *connect_with(gw_ctx *ctx, const uint8_t *head, size_t len)
{
    gw_connection *conn = gw_case_reconnect(ctx);
    gw_case_send(ctx, conn, head, len);
    return conn;
}

static void make_read(gw_ctx *ctx, gw_ebc_request *request)
{
    uint64_t address;
    gw_eb_operation op = {.reads = &address, .num_reads = 1, .byte_enable = gw_ebc_lanes(ctx)};
    op.flags = gw_ebc_harmless(ctx, &address) | GW_EB_CYC;
    gw_ebc_make(ctx, request, &op, 1);
}

/* Bytes of the board's stream that wait to be looked at. */
typedef struct incoming {
    uint8_t bytes[256];
    size_t len;
} incoming;

/* Waits until at least |want| bytes are there; the case fails when they do not come. */
static void need(gw_ctx *ctx, gw_connection *conn, incoming *in, size_t want, const char *what)
{
    int64_t deadline = gw_case_now(conn) + gw_case_reply_ns(ctx);
    while (in->len < want) {
        gw_packet packet;
        gw_recv_status status = gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet);
        if (status != GW_RECV_DATA) {
            gw_miss miss = {.rule = "EB-S46"};
            gw_case_fail(ctx, &miss, "%s: %s after %zu of %zu bytes", what,
                         status == GW_RECV_CLOSED ? "the board closed" : "nothing came", in->len,
                         want);
        }
        size_t room = sizeof(in->bytes) - in->len;
        size_t take = packet.len < room ? packet.len : room;
        memcpy(in->bytes + in->len, packet.data, take);
        in->len += take;
    }
}

static void consume(incoming *in, size_t len)
{
    in->len -= len;
    memmove(in->bytes, in->bytes + len, in->len);
}

static void expect_no_header(gw_ctx *ctx, const uint8_t *reply, const char *what)
{
    if (gw_load_be16(reply) != GW_EB_MAGIC)
        return;
    gw_miss miss = {.rule = "EB-S46", .got = GW_EB_MAGIC};
    gw_case_fail(ctx, &miss, "%s begins with another packet header", what);
}

/* A reply begins with its record, which says whose it is: what is no record between two replies
 * moves it. */
static void expect_own(gw_ctx *ctx, const gw_ebc_request *request, const uint8_t *reply,
                       const char *what)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    gw_miss miss = {.rule = "EB-S46",
                    .expected = gw_ebc_state_of(ctx)->slots[request->slot].address,
                    .got = gw_load_be(reply + l.record_header, l.addr_unit)};
    if (miss.got == miss.expected)
        return;
    if (reply[2] == 1 && reply[3] == 0)
        gw_case_inconc(ctx, "%s has another return address: it may be anybody's", what);
    gw_case_fail(ctx, &miss,
                 "%s does not begin where the one before ended: return address 0x%" PRIx64
                 " expected, got 0x%" PRIx64,
                 what, miss.expected, miss.got);
}

/* Empty records may stand before the reply: they close cycles, and nothing is in them. */
static void skip_empty(gw_ctx *ctx, gw_connection *conn, incoming *in,
                       const gw_ebc_request *request, const char *what)
{
    size_t header = gw_ebc_layout(ctx).record_header;
    for (unsigned i = 0; i < EMPTY_MAX && in->bytes[2] == 0 && in->bytes[3] == 0; i++) {
        consume(in, header);
        need(ctx, conn, in, request->reply_len, what);
    }
}

/* Sends |request| and takes its reply, a bare record, off the stream. */
static void exchange(gw_ctx *ctx, gw_connection *conn, incoming *in, const gw_ebc_request *request,
                     const char *what)
{
    gw_ebc_send(ctx, conn, request);
    need(ctx, conn, in, request->reply_len, what);
    expect_no_header(ctx, in->bytes, what);
    skip_empty(ctx, conn, in, request, what);
    expect_own(ctx, request, in->bytes, what);
    consume(in, request->reply_len);
}

/* Header, record, record: the slave's stream too has one header at most. */
static void header_once(gw_ctx *ctx)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    const uint8_t header[8] = {0x4e, 0x6f, GW_EB_VERSION << 4, l.widths};
    incoming in = {.len = 0};
    gw_ebc_request request;
    make_read(ctx, &request);
    gw_connection *conn = connect_with(ctx, header, l.header_len);
    gw_ebc_send(ctx, conn, &request);
    need(ctx, conn, &in, 4, "the reply to the first record");
    bool headed = gw_load_be16(in.bytes) == GW_EB_MAGIC;
    size_t first = request.reply_len + (headed ? l.header_len : 0u);
    need(ctx, conn, &in, first, "the reply to the first record");
    consume(&in, first);
    gw_case_note(ctx, "the board's stream begins with %s", headed ? "a header" : "a record");
    for (unsigned i = 0; i < 3; i++) {
        make_read(ctx, &request);
        exchange(ctx, conn, &in, &request, "the reply to a later record");
    }
}

static void after_probe(gw_ctx *ctx)
{
    incoming in = {.len = 0};
    gw_ebc_request request;
    gw_ebc_use(ctx, gw_ebc_widths(ctx));
    for (unsigned i = 0; i < 3; i++) {
        make_read(ctx, &request);
        exchange(ctx, gw_case_connection(ctx), &in, &request, "the reply after a probe");
    }
}

static void dribble(gw_ctx *ctx)
{
    uint8_t probe[8];
    incoming in = {.len = 0};
    gw_ebc_request request;
    make_read(ctx, &request);
    gw_eb_build_probe(probe, false, gw_ebc_widths(ctx), (uint32_t)gw_case_random(ctx));
    gw_connection *conn = gw_case_reconnect(ctx);
    for (size_t i = 0; i < sizeof(probe); i++) {
        gw_case_send(ctx, conn, probe + i, 1);
        gw_case_wait(conn, GW_MS / 2);
    }
    need(ctx, conn, &in, 8, "the response to a probe sent byte by byte");
    consume(&in, in.len);
    for (size_t i = 0; i < request.len; i++) {
        gw_case_send(ctx, conn, request.bytes + i, 1);
        gw_case_wait(conn, GW_MS / 2);
    }
    need(ctx, conn, &in, request.reply_len, "the reply to a record sent byte by byte");
}

static void straddle(gw_ctx *ctx)
{
    incoming in = {.len = 0};
    gw_ebc_request first;
    gw_ebc_request second;
    uint8_t bytes[2 * 64];
    gw_ebc_use(ctx, gw_ebc_widths(ctx));
    make_read(ctx, &first);
    make_read(ctx, &second);
    size_t len = first.len + second.len;
    memcpy(bytes, first.bytes, first.len);
    memcpy(bytes + first.len, second.bytes, second.len);
    gw_connection *conn = gw_case_connection(ctx);
    for (size_t cut = 1; cut < len; cut++) {
        gw_case_send(ctx, conn, bytes, cut);
        gw_case_wait(conn, GW_MS / 2);
        gw_case_send(ctx, conn, bytes + cut, len - cut);
        need(ctx, conn, &in, first.reply_len + second.reply_len,
             "the replies to two records cut somewhere");
        consume(&in, in.len);
    }
}

static void coalesced(gw_ctx *ctx)
{
    uint8_t bytes[8 + 64];
    incoming in = {.len = 0};
    gw_ebc_request request;
    make_read(ctx, &request);
    gw_eb_build_probe(bytes, false, gw_ebc_widths(ctx), (uint32_t)gw_case_random(ctx));
    memcpy(bytes + 8, request.bytes, request.len);
    gw_connection *conn = connect_with(ctx, bytes, 8 + request.len);
    need(ctx, conn, &in, 8 + request.reply_len, "a probe and a record in one segment");
}

/* A second connection, negotiated. The case does not apply when nobody serves it. */
static gw_connection *connect_beside(gw_ctx *ctx)
{
    uint8_t probe[8];
    gw_packet packet;
    gw_connection *conn = gw_case_connect(ctx);
    gw_eb_build_probe(probe, false, gw_ebc_widths(ctx), (uint32_t)gw_case_random(ctx));
    gw_case_send(ctx, conn, probe, sizeof(probe));
    if (gw_case_recv(ctx, conn, gw_case_reply_ns(ctx), &packet) != GW_RECV_DATA)
        gw_case_na(ctx, "the board serves one connection at a time");
    return conn;
}

static void stalled(gw_ctx *ctx)
{
    incoming in = {.len = 0};
    incoming beside = {.len = 0};
    gw_ebc_request halved;
    gw_ebc_request request;
    gw_ebc_use(ctx, gw_ebc_widths(ctx));
    make_read(ctx, &halved);
    make_read(ctx, &request);
    gw_connection *conn = gw_case_connection(ctx);
    gw_connection *other = connect_beside(ctx);
    size_t half = halved.len / 2;
    unsigned number = gw_case_send(ctx, conn, halved.bytes, half);
    gw_case_mark(ctx, number, "half a record; the rest comes later");
    gw_case_wait(conn, GW_MS);
    exchange(ctx, other, &beside, &request,
             "the reply to one connection while another one stands inside a record");
    gw_case_send(ctx, conn, halved.bytes + half, halved.len - half);
    need(ctx, conn, &in, halved.reply_len, "the reply to a record that was interrupted");
}

/* Offers only what the board lacks: nothing at all when it lacks nothing. */
static void no_common_width(gw_ctx *ctx)
{
    uint8_t missing = (uint8_t)~gw_ebc_shown(ctx);
    uint8_t offer = (missing & 15) != 0 ? missing : (uint8_t)((missing & 0xf0) | 0x0f);
    uint8_t probe[8];
    gw_packet packet;
    gw_eb_build_probe(probe, false, offer, (uint32_t)gw_case_random(ctx));
    gw_connection *conn = connect_with(ctx, probe, sizeof(probe));
    int64_t deadline = gw_case_now(conn) + gw_case_reply_ns(ctx);
    gw_recv_status status;
    do
        status = gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet);
    while (status == GW_RECV_DATA); /* a response with the board's own mask is allowed */
    gw_miss miss = {.rule = "EB-S47"};
    if (status != GW_RECV_CLOSED)
        gw_case_fail(ctx, &miss,
                     "the connection stays open although widths 0x%02x leave nothing in "
                     "common",
                     offer);
}

/* A connection that offers |widths| alone, which then are in force. Unlike gw_ebc_use it leaves the
 * judgement to the case. */
static void open_with(gw_ctx *ctx, uint8_t widths)
{
    uint8_t probe[8];
    gw_packet packet;
    size_t len = 0;
    gw_eb_build_probe(probe, false, widths, (uint32_t)gw_case_random(ctx));
    gw_connection *conn = connect_with(ctx, probe, sizeof(probe));
    int64_t deadline = gw_case_now(conn) + gw_case_reply_ns(ctx);
    while (len < sizeof(probe) &&
           gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA)
        len += packet.len;
    gw_ebc_state_of(ctx)->widths = widths;
}

/* Each pair that the board has, offered alone, leaves one width in common: that is enough. */
static void common_width(gw_ctx *ctx)
{
    unsigned tried = 0;
    for (unsigned pair = 0; pair < 16; pair++) {
        uint8_t code = (uint8_t)(0x10 << pair / 4 | 1 << pair % 4);
        incoming in = {.len = 0};
        gw_ebc_request request;
        if (!gw_ebc_supports(ctx, code))
            continue;
        open_with(ctx, code);
        make_read(ctx, &request);
        gw_ebc_send(ctx, gw_case_connection(ctx), &request);
        int64_t deadline = gw_case_now(gw_case_connection(ctx)) + gw_case_reply_ns(ctx);
        gw_packet packet;
        while (in.len == 0) {
            gw_recv_status status =
                gw_case_recv(ctx, gw_case_connection(ctx),
                             deadline - gw_case_now(gw_case_connection(ctx)), &packet);
            gw_miss miss = {.rule = "EB-S47"};
            if (status != GW_RECV_DATA)
                gw_case_fail(ctx, &miss,
                             "a connection that offers widths 0x%02x, which the board has, %s",
                             code, status == GW_RECV_CLOSED ? "is closed" : "brings no answer");
            in.len += packet.len;
        }
        tried++;
    }
    gw_case_note(ctx, "%u pairs of widths offered alone", tried);
}

#define TCP GW_LIST("tcp")
#define AFTER_READ GW_LIST("eb-s/read-answered")
#define AFTER_PROBE GW_LIST("eb-s/read-answered", "eb-s/probe-answered")
#define AFTER_RECORDS GW_LIST("eb-s/read-answered", "eb-s/probe-answered", "eb-s/tcp-after-probe")

const gw_case gw_eb_s_tcp[] = {
    {.id = "eb-s/tcp-header-once",
     .title = "A stream that begins with a header goes on with bare records",
     .rules = GW_LIST("EB-S46"),
     .after = AFTER_READ,
     .needs = TCP,
     .run = header_once},
    {.id = "eb-s/tcp-after-probe",
     .title = "After the probe response the board sends bare records",
     .rules = GW_LIST("EB-S46"),
     .after = AFTER_PROBE,
     .needs = TCP,
     .run = after_probe},
    {.id = "eb-s/tcp-dribble",
     .title = "A stream may arrive one byte at a time",
     .rules = GW_LIST("EB-S46"),
     .after = AFTER_RECORDS,
     .needs = TCP,
     .run = dribble},
    {.id = "eb-s/tcp-straddle",
     .title = "Segments may cut records anywhere",
     .rules = GW_LIST("EB-S46"),
     .after = AFTER_RECORDS,
     .needs = TCP,
     .run = straddle},
    {.id = "eb-s/tcp-coalesced",
     .title = "A record may follow the probe in one segment",
     .rules = GW_LIST("EB-S46"),
     .after = AFTER_RECORDS,
     .needs = TCP,
     .run = coalesced},
    {.id = "eb-s/tcp-stalled",
     .title = "A connection that stands inside a record does not hold up another one",
     .rules = GW_LIST("EB-S46"),
     .after = AFTER_RECORDS,
     .needs = TCP,
     .negative = true, /* the board waits for the rest */
     .run = stalled},
    {.id = "eb-s/tcp-common-width",
     .title = "The connection goes on when one pair of widths is in common",
     .rules = GW_LIST("EB-S47"),
     .after = AFTER_RECORDS,
     .needs = TCP,
     .run = common_width},
    {.id = "eb-s/tcp-no-common-width",
     .title = "The connection is closed when no common width exists",
     .rules = GW_LIST("EB-S47"),
     .after = GW_LIST("eb-s/probe-answered"),
     .needs = TCP,
     .negative = true,
     .run = no_common_width},
    {0},
};
