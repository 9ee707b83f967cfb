/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: when it answers and when it stays quiet. */
#include <string.h>

#include "formats/etherbone/malformed.h"
#include "formats/etherbone/slave/suite.h"

static void make_write(gw_ctx *ctx, gw_ebc_request *request, bool read_too)
{
    uint64_t words[3] = {gw_ebc_word(ctx), gw_ebc_word(ctx), gw_ebc_word(ctx)};
    uint64_t address = gw_ebc_ram(ctx, 24);
    gw_eb_operation op = {.writes = words,
                          .num_writes = 3,
                          .write_base = address,
                          .reads = &address,
                          .num_reads = read_too ? 1 : 0,
                          .flags = GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, request, &op, 1);
}

/* Whether |packet| brings back where |request| writes, which is no late answer although an address
 * like that may have been a return address before. */
static bool echoes(gw_ctx *ctx, const gw_packet *packet, const gw_ebc_request *request)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    size_t at = (size_t)l.header_len + l.record_header;
    return packet->len >= at + l.addr_unit &&
           memcmp(packet->data + at, request->bytes + at, l.addr_unit) == 0;
}

/* Sends |request|, a packet of writes only; what comes back for it, if anything does within the
 * settle time. Silence on a path that loses is listened to again. */
static bool answer_to_writes(gw_ctx *ctx, const gw_ebc_request *request, const char *what,
                             gw_packet *packet)
{
    gw_connection *conn = gw_case_connection(ctx);
    unsigned tries = 0;
    do {
        gw_ebc_drain(ctx, conn);
        gw_case_mark(ctx, gw_ebc_send(ctx, conn, request), "%s", what);
        int64_t deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
        while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), packet) == GW_RECV_DATA)
            if (echoes(ctx, packet, request) || !gw_ebc_excused(ctx, conn, packet))
                return true;
    } while (gw_case_again_if_lossy(ctx, &tries));
    return false;
}

static void expect_zeros(gw_ctx *ctx, const gw_ebc_request *request, const uint8_t *reply,
                         size_t len, unsigned number)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    gw_miss miss = {.rule = "EB-S27", .packet = number, .offset = (uint32_t)request->len};
    if (len != request->len)
        gw_case_fail(ctx, &miss,
                     "zero-filled reply of %zu bytes to a request of %zu: the same "
                     "length expected",
                     len, request->len);
    /* Three words and their base address become zeros; the reply's record header follows. */
    size_t end = l.header_len + 4u * l.data_unit;
    for (size_t i = l.header_len; i < end; i++) {
        miss.offset = (uint32_t)i;
        miss.got = reply[i];
        if (reply[i] != 0)
            gw_case_fail(ctx, &miss,
                         "byte %zu of a zero-filled reply is 0x%02x, zero expected "
                         "where writes stood",
                         i, reply[i]);
    }
}

static void write_only(gw_ctx *ctx)
{
    gw_ebc_request request;
    gw_packet packet;
    make_write(ctx, &request, false);
    if (!answer_to_writes(ctx, &request, "writes only", &packet)) {
        gw_case_note(ctx, "writes get no reply: the compressed style");
        gw_case_expect_alive(ctx, "EB-S42", "a packet of writes");
        return;
    }
    gw_case_note(ctx, "writes get a reply of %zu bytes: the zero-filled style", packet.len);
    expect_zeros(ctx, &request, packet.data, packet.len, packet.number);
}

static void zero_filled(gw_ctx *ctx)
{
    gw_ebc_request request;
    gw_packet packet;
    gw_ebc_reply reply;
    make_write(ctx, &request, false);
    if (!answer_to_writes(ctx, &request, "writes only", &packet))
        gw_case_na(ctx, "this board leaves writes out of its replies");
    make_write(ctx, &request, true);
    gw_ebc_ask(ctx, &request, &reply, "EB-S27");
    expect_zeros(ctx, &request, reply.message.data, reply.message.len, reply.number);
}

/* What is set where zeros belong in the request is not copied to where zeros belong in the reply.
 */
static void reserved_bits(gw_ctx *ctx)
{
    gw_ebc_request request;
    gw_packet packet;
    make_write(ctx, &request, false);
    gw_ebc_set_reserved_bits(ctx, &request);
    if (!answer_to_writes(ctx, &request, "writes only, with reserved bits and padding set",
                          &packet))
        gw_case_na(ctx, "this board leaves writes out of its replies");
    expect_zeros(ctx, &request, packet.data, packet.len, packet.number);
}

static void no_reads(gw_ctx *ctx)
{
    gw_ebc_request request;
    gw_eb_operation empty = {.flags = GW_EB_CYC};
    char why[8];
    if (gw_ebc_has(ctx, "ram", why, sizeof(why)))
        make_write(ctx, &request, false);
    else
        gw_ebc_make(ctx, &request, &empty, 1);
    request.bytes[2] |= GW_EB_NR;
    gw_ebc_drain(ctx, gw_case_connection(ctx));
    unsigned number = gw_ebc_send(ctx, gw_case_connection(ctx), &request);
    gw_ebc_expect_silence(ctx, "EB-S28", number, "a packet with NR and no reads");
}

static void read_with_nr(gw_ctx *ctx)
{
    gw_ebc_request request;
    gw_ebc_reply reply;
    uint64_t address;
    gw_eb_operation op = {.reads = &address, .num_reads = 1, .byte_enable = gw_ebc_lanes(ctx)};
    op.flags = gw_ebc_harmless(ctx, &address) | GW_EB_CYC;
    gw_ebc_make(ctx, &request, &op, 1);
    request.bytes[2] |= GW_EB_NR;
    gw_ebc_ask(ctx, &request, &reply, "EB-S29");
}

static void once(gw_ctx *ctx)
{
    gw_connection *conn = gw_case_connection(ctx);
    gw_ebc_request request;
    gw_ebc_reply reply;
    gw_packet packet;
    uint64_t address;
    gw_eb_operation op = {.reads = &address, .num_reads = 1, .byte_enable = gw_ebc_lanes(ctx)};
    op.flags = gw_ebc_harmless(ctx, &address) | GW_EB_CYC;
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_ask(ctx, &request, &reply, "EB-S52");
    if (gw_case_recv(ctx, conn, gw_case_settle_ns(ctx), &packet) != GW_RECV_DATA)
        return;
    gw_miss miss = {.rule = "EB-S52", .packet = packet.number};
    gw_case_mark(ctx, packet.number, "EB-S52: a second reply");
    gw_case_fail(ctx, &miss, "one request got a second reply, of %zu bytes", packet.len);
}

const gw_case gw_eb_s_quiet[] = {
    {.id = "eb-s/write-only",
     .title = "Writes alone get no reply, or a zero-filled one",
     .rules = GW_LIST("EB-S26", "EB-S27"),
     .needs = GW_LIST("udp", "ram"),
     .run = write_only},
    {.id = "eb-s/zero-filled",
     .title = "A zero-filled reply is as long as its request, with zeros for writes",
     .rules = GW_LIST("EB-S27"),
     .after = GW_LIST("eb-s/write-only", "eb-s/read-answered"),
     .needs = GW_LIST("udp", "ram"),
     .run = zero_filled},
    {.id = "eb-s/zero-filled-reserved",
     .title = "A zero-filled reply has zeros for writes though reserved bits were set",
     .rules = GW_LIST("EB-S27"),
     .after = GW_LIST("eb-s/write-only"),
     .needs = GW_LIST("udp", "ram"),
     .negative = true,
     .run = reserved_bits},
    {.id = "eb-s/nr-silent",
     .title = "A packet with NR and no reads gets no reply",
     .rules = GW_LIST("EB-S28"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = no_reads},
    {.id = "eb-s/nr-with-reads",
     .title = "Reads are answered although NR is set",
     .rules = GW_LIST("EB-S29"),
     .after = GW_LIST("eb-s/read-answered"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = read_with_nr},
    {.id = "eb-s/reply-once",
     .title = "A request is answered once",
     .rules = GW_LIST("EB-S52"),
     .after = GW_LIST("eb-s/read-answered"),
     .run = once},
    {0},
};
