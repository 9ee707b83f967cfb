/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: the shortest datagrams, which Ethernet pads and parsers trip over. */
#include <inttypes.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

/* Payload that fills the shortest Ethernet frame (64 bytes with its check sequence) over IPv4. */
#define PADDED_BELOW 18

static void header_only(gw_ctx *ctx)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    const uint8_t header[8] = {0x4e, 0x6f, GW_EB_VERSION << 4, l.widths};
    gw_ebc_put(ctx, gw_case_connection(ctx), header, l.header_len);
    gw_case_wait(gw_case_connection(ctx), gw_case_settle_ns(ctx));
    gw_ebc_drain(ctx, gw_case_connection(ctx)); /* a zero-filled reply is allowed */
    gw_case_expect_alive(ctx, "EB-S31", "a packet without records");
}

/* A record that lacks its last unit; the padding of its frame stands where that would be. */
static unsigned send_cut(gw_ctx *ctx, const gw_eb_operation *op)
{
    gw_ebc_request request;
    gw_ebc_make(ctx, &request, op, 1);
    request.len -= gw_ebc_layout(ctx).data_unit;
    if (request.len >= PADDED_BELOW)
        gw_case_na(ctx, "under these widths no record is short enough for Ethernet to pad");
    gw_ebc_forbid(ctx, &request);
    gw_ebc_drain(ctx, gw_case_connection(ctx));
    unsigned number = gw_ebc_send(ctx, gw_case_connection(ctx), &request);
    gw_case_mark(ctx, number, "the last unit of this record is missing");
    return number;
}

static void read_padding(gw_ctx *ctx)
{
    uint64_t address = 0;
    gw_packet packet;
    gw_eb_operation op = {
        .reads = &address, .num_reads = 1, .flags = GW_EB_CYC, .byte_enable = gw_ebc_lanes(ctx)};
    gw_eb_layout l = gw_ebc_layout(ctx);
    size_t no_result = (size_t)l.header_len + l.record_header + l.addr_unit;
    unsigned number = send_cut(ctx, &op);
    /* A streaming slave may send back a header and zeros: that is no result. */
    if (gw_ebc_next(ctx, gw_case_connection(ctx), gw_case_settle_ns(ctx), &packet) !=
            GW_RECV_DATA ||
        packet.len <= no_result)
        return;
    const gw_evidence_packet *sent = gw_case_seen(ctx, number);
    gw_miss miss = {.rule = "EB-S43", .packet = packet.number};
    if (sent != NULL && packet.len > sent->len) {
        miss.rule = "EB-S25";
        miss.offset = sent->len;
    }
    gw_case_fail(ctx, &miss,
                 "a read without its address, in a datagram that Ethernet pads, got a reply of "
                 "%zu bytes",
                 packet.len);
}

static void write_padding(gw_ctx *ctx)
{
    uint64_t kept = gw_ebc_word(ctx);
    uint64_t address = gw_ebc_ram(ctx, 8);
    gw_eb_operation op = {.writes = &kept,
                          .num_writes = 1,
                          .write_base = address,
                          .flags = GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_write(ctx, address, kept);
    gw_ebc_expect_kept(ctx, address, kept);
    (void)send_cut(ctx, &op);
    gw_case_wait(gw_case_connection(ctx), gw_case_settle_ns(ctx));
    gw_ebc_expect_word(ctx, "EB-S43", address, kept,
                       "after a write without its word, in a datagram that Ethernet pads");
}

static void padded(gw_ctx *ctx)
{
    char why[64];
    read_padding(ctx);
    if (gw_ebc_has(ctx, "ram", why, sizeof(why)))
        write_padding(ctx);
}

const gw_case gw_eb_s_frame[] = {
    {.id = "eb-s/header-only",
     .title = "A packet without records does no harm",
     .rules = GW_LIST("EB-S31"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = header_only},
    {.id = "eb-s/frame-padding",
     .title = "What pads a short Ethernet frame is not part of the datagram",
     .rules = GW_LIST("EB-S43", "EB-S25"),
     .after = GW_LIST("eb-s/read-answered", "eb-s/truncated"),
     .needs = GW_LIST("udp"),
     .negative = true,
     .run = padded},
    {0},
};
