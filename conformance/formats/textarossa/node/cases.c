/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA Ethernet port: which datagrams it takes, and which it sends. */
#include <string.h>

#include "formats/textarossa/suite.h"

enum { UDP_HEADER = 8, FRAMING = 2 * GW_TX_WORD };

/* Sends a packet and looks whom the one that comes back names. */
static void judge_address(gw_ctx *ctx, const char *what)
{
    uint8_t payload[64];
    gw_txc_got got;

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    gw_txc_round(ctx, &draft, &got, "TX-N2", what);
    gw_miss miss = {.rule = "TX-N2",
                    .packet = got.number,
                    .expected = got.message.src.port,
                    .got = got.message.dst.port};
    if (got.message.src.port != got.message.dst.port)
        gw_case_fail(ctx, &miss, "port %u sends to port %u; both are the same",
                     got.message.src.port, got.message.dst.port);
    uint64_t want = (uint64_t)got.message.dst.port << 32 | (uint64_t)got.message.dst.ip[0] << 24 |
                    (uint64_t)got.message.dst.ip[1] << 16 | (uint64_t)got.message.dst.ip[2] << 8 |
                    got.message.dst.ip[3];
    miss.expected = want;
    miss.got = got.p.header.dest_addr;
    if (got.p.header.dest_addr != want)
        gw_case_fail(ctx, &miss, "dest_addr does not name address and port of its datagram");
}

static void address(gw_ctx *ctx)
{
    judge_address(ctx, "a payload of 64 bytes");
}

static void foreign_address(gw_ctx *ctx)
{
    static const uint64_t away[] = {
        UINT64_C(1) << 32, /* another port, */
        1,                 /* another host, */
        UINT64_C(0x3123) << 32 | 0x40302010,
    };
    uint8_t payload[32];

    for (size_t i = 0; i < GW_ARRAY_LEN(away); i++) {
        gw_txc_fill(ctx, payload, sizeof(payload));
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        draft.header.dest_addr ^= away[i];
        gw_txc_drain(ctx, gw_txc_net(ctx));
        (void)gw_txc_send(ctx, gw_txc_net(ctx), &draft);
        gw_txc_swallow(ctx); /* whether it is answered is the board's choice */
        judge_address(ctx, "a packet behind one whose header names somebody else");
    }
}

static void longest(gw_ctx *ctx)
{
    const size_t most = gw_txc_longest(ctx), sizes[] = {most - 32, most - 16, most - 15, most};
    uint8_t payload[GW_TX_UDP_LIMIT];
    gw_txc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        gw_txc_fill(ctx, payload, sizes[i]);
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizes[i]);
        gw_txc_round(ctx, &draft, &got, "TX-E3", "a payload that fits a datagram");
        gw_miss miss = {.rule = "TX-N5",
                        .packet = got.number,
                        .expected = GW_TX_UDP_LIMIT,
                        .got = UDP_HEADER + got.message.len};
        if (miss.got > GW_TX_UDP_LIMIT)
            gw_case_fail(ctx, &miss, "%zu bytes of payload came in a UDP datagram of %u", sizes[i],
                         UDP_HEADER + got.message.len);
    }
}

static void shortest(gw_ctx *ctx)
{
    uint8_t payload[1];
    gw_txc_got got;

    gw_tx_draft draft = gw_txc_draft(ctx, NULL, 0);
    gw_txc_provoke(ctx, &draft); /* 32 bytes, which a task need not send back */
    gw_txc_still_works(ctx, "TX-N11", "a datagram of header and footer");
    draft.header.packet_type = GW_TX_TYPE_HEADER_ONLY;
    gw_txc_provoke(ctx, &draft); /* 16 bytes */
    gw_txc_still_works(ctx, "TX-N14", "a datagram of one header");
    gw_txc_fill(ctx, payload, sizeof(payload));
    draft = gw_txc_draft(ctx, payload, sizeof(payload));
    gw_txc_round(ctx, &draft, &got, "TX-E3", "one byte and its padding");
}

static void one_packet(gw_ctx *ctx)
{
    uint8_t payload[32], bytes[256];
    const char *net = gw_txc_net(ctx);

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    size_t len = gw_tx_build(bytes, sizeof(bytes) / 2, &draft, gw_case_dialect(ctx));
    memcpy(bytes + len, bytes, len);
    gw_txc_drain(ctx, net);
    (void)gw_case_send(ctx, gw_case_connection(ctx), bytes, 2 * len);
    gw_txc_silence(ctx, net, "TX-N14", "two packets in one datagram");
    gw_txc_still_works(ctx, "TX-N1", "two in one datagram");
}

static void too_long(gw_ctx *ctx)
{
    uint8_t payload[1472];
    const char *net = gw_txc_net(ctx);
    gw_txc_got got;
    gw_miss miss = {.rule = "TX-N5", .expected = GW_TX_UDP_LIMIT};

    gw_txc_fill(ctx, payload, sizeof(payload));
    for (size_t len = 1440; len <= sizeof(payload); len += 16) {
        gw_tx_draft draft = gw_txc_draft(ctx, payload, len);
        gw_txc_drain(ctx, net);
        (void)gw_txc_send(ctx, net, &draft);
        if (!gw_txc_next(ctx, net, &got, gw_case_settle_ns(ctx)))
            continue;
        miss.packet = got.number;
        miss.got = UDP_HEADER + got.message.len;
        if (miss.got > GW_TX_UDP_LIMIT)
            gw_case_fail(ctx, &miss, "a UDP datagram of %u bytes came; 1480 are the most",
                         UDP_HEADER + got.message.len);
        gw_case_note(ctx, "a UDP datagram of 1480 bytes is sent; the document says less than that");
    }
    gw_txc_still_works(ctx, "TX-N5", "payloads that do not fit a datagram");
}

static void too_short(gw_ctx *ctx)
{
    uint8_t payload[32], bytes[128];
    const char *net = gw_txc_net(ctx);

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    (void)gw_tx_build(bytes, sizeof(bytes), &draft, gw_case_dialect(ctx));
    gw_txc_drain(ctx, net);
    for (size_t len = 0; len < FRAMING; len++)
        (void)gw_case_send(ctx, gw_case_connection(ctx), bytes, len);
    gw_txc_silence(ctx, net, "TX-N14", "datagrams shorter than header and footer");
    gw_txc_still_works(ctx, "TX-N11", "short datagrams");
}

static void inconsistent(gw_ctx *ctx)
{
    uint8_t payload[64], bytes[256] = {0};
    const char *net = gw_txc_net(ctx);

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    size_t len = gw_tx_build(bytes, sizeof(bytes), &draft, gw_case_dialect(ctx));
    const size_t wrong[] = {len - 1, len - GW_TX_WORD, len + 1, len + GW_TX_WORD};
    for (size_t i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        gw_txc_drain(ctx, net);
        (void)gw_case_send(ctx, gw_case_connection(ctx), bytes, wrong[i]);
        gw_txc_silence(ctx, net, "TX-N14", "a datagram whose length does not fit packet_size");
    }
    gw_txc_still_works(ctx, "TX-N14", "datagrams whose length does not fit");
}

const gw_case gw_tx_n[] = {
    {.id = "tx-n/address",
     .title = "A packet goes to its header's address and port, from a port of that number",
     .rules = GW_LIST("TX-N2", "TX-N1"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_LIST("ethernet"),
     .run = address},
    {.id = "tx-n/foreign-address",
     .title = "A packet goes to its own address, whatever a header named before",
     .rules = GW_LIST("TX-N2"),
     .after = GW_LIST("tx-n/address"),
     .needs = GW_LIST("ethernet"),
     .negative = true,
     .run = foreign_address},
    {.id = "tx-n/longest",
     .title = "Packets with the longest payloads that fit a datagram come back",
     .rules = GW_LIST("TX-N5", "TX-E3"),
     .after = GW_LIST("tx-e/sizes"),
     .needs = GW_LIST("ethernet"),
     .run = longest},
    {.id = "tx-n/shortest",
     .title = "The shortest legal datagrams are accepted",
     .rules = GW_LIST("TX-N11", "TX-N14", "TX-E3"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_LIST("ethernet"),
     .run = shortest},
    {.id = "tx-n/one-packet",
     .title = "A datagram holds one packet",
     .rules = GW_LIST("TX-N1", "TX-N14"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_LIST("ethernet"),
     .negative = true,
     .run = one_packet},
    {.id = "tx-n/too-long",
     .title = "No UDP datagram of more than 1480 bytes is sent",
     .rules = GW_LIST("TX-N5"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_LIST("ethernet"),
     .negative = true,
     .run = too_long},
    {.id = "tx-n/too-short",
     .title = "Datagrams shorter than header and footer are dropped, and do not stall the port",
     .rules = GW_LIST("TX-N11", "TX-N14"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_LIST("ethernet"),
     .negative = true,
     .run = too_short},
    {.id = "tx-n/inconsistent",
     .title = "A datagram whose length does not fit its header is dropped",
     .rules = GW_LIST("TX-N14"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_LIST("ethernet"),
     .negative = true,
     .run = inconsistent},
    {.id = NULL},
};
