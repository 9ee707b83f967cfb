/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA switch: where packets go, and how they look then. */
#include <stdio.h>

#include "formats/textarossa/switch/suite.h"

static void ring(gw_ctx *ctx)
{
    uint8_t payload[16];
    gw_txc_got got;

    for (unsigned me = 0; me < GW_TXC_RING; me++) {
        gw_txs_place(ctx, me, GW_TXC_LATTICE);
        for (unsigned to = 0; to < GW_TXC_RING; to++) {
            gw_tx_draft draft = gw_txs_packet(ctx, to, payload, sizeof(payload));
            gw_txs_route(ctx, me, GW_TXC_LATTICE, "x-", &draft, &got, "TX-S1");
            gw_txs_route(ctx, me, GW_TXC_LATTICE, "port1", &draft, &got, "TX-S1");
        }
    }
}

static void other_rings(gw_ctx *ctx)
{
    static const uint8_t sizes[] = {2, 3, 5, 8, 63};
    uint8_t payload[16];
    gw_txc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        uint32_t lattice = 0x840 | sizes[i];
        for (unsigned n = 0; n < 8; n++) {
            unsigned me = (unsigned)(gw_case_random(ctx) % sizes[i]);
            unsigned to = (unsigned)(gw_case_random(ctx) % sizes[i]);
            gw_txs_place(ctx, me, lattice);
            gw_tx_draft draft = gw_txs_packet(ctx, to, payload, sizeof(payload));
            gw_txs_route(ctx, me, lattice, "x-", &draft, &got, "TX-S1");
        }
    }
}

static void injected(gw_ctx *ctx)
{
    static const uint8_t channels[] = {GW_TX_VC0, GW_TX_VC1, GW_TX_LAST_VC1};
    uint8_t payload[16];
    gw_txc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(channels); i++) {
        for (unsigned to = 1; to < GW_TXC_RING; to++) {
            gw_tx_draft draft = gw_txs_packet(ctx, to, payload, sizeof(payload));
            draft.header.virt_chan = channels[i];
            gw_txs_route(ctx, 0, GW_TXC_LATTICE, "port2", &draft, &got, "TX-S1");
        }
    }
}

/* Where a packet with a channel that does not exist comes out, if it does, it has one that does. */
static void inject_nonsense(gw_ctx *ctx, uint8_t channel, unsigned to)
{
    uint8_t payload[16];
    gw_txc_got got;
    char what[64];
    gw_tx_torus torus = gw_tx_torus_of(0, GW_TXC_LATTICE);
    gw_tx_draft draft = gw_txs_packet(ctx, to, payload, sizeof(payload));

    draft.header.virt_chan = channel;
    gw_tx_hop hop = gw_tx_route(&torus, &draft.header, true);
    const char *exit = gw_txs_exit(&hop);
    (void)snprintf(what, sizeof(what), "a packet injected with virt_chan 0x%02x", channel);
    gw_txs_drain(ctx);
    (void)gw_txc_send(ctx, "port2", &draft);
    gw_miss miss = {.rule = "TX-S1"};
    if (!gw_txc_next(ctx, exit, &got, gw_case_settle_ns(ctx))) {
        const char *seen = gw_txs_elsewhere(ctx, exit, &got);
        miss.packet = seen != NULL ? got.number : 0;
        if (seen != NULL)
            gw_case_fail(ctx, &miss, "%s came out at %s; %s is on its way", what, seen, exit);
        return; /* refused */
    }
    miss = (gw_miss){.rule = "TX-S2", .packet = got.number, .got = got.p.header.virt_chan};
    if ((got.p.header.virt_chan & ~GW_TX_LAST) >= GW_TX_NUM_VCS)
        gw_case_fail(ctx, &miss, "%s leaves with virt_chan 0x%02x", what, got.p.header.virt_chan);
    gw_txc_credit(ctx, exit, 0x40, 0x40);
}

static void bad_channels(gw_ctx *ctx)
{
    static const uint8_t channels[] = {0x02, 0x08, 0x0f, 0x12, 0x1f};
    uint8_t payload[16];
    gw_txc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(channels); i++) {
        for (unsigned to = 1; to < GW_TXC_RING; to++) {
            inject_nonsense(ctx, channels[i], to);
            gw_tx_draft draft = gw_txs_packet(ctx, to, payload, sizeof(payload));
            gw_txs_route(ctx, 0, GW_TXC_LATTICE, "port2", &draft, &got, "TX-S1");
        }
    }
}

static void last_node(gw_ctx *ctx)
{
    const uint32_t lattice = GW_TXC_RING | 2 << 6 | 2 << 11;
    uint8_t payload[16];
    gw_txc_got got;

    gw_txs_place(ctx, 0, lattice);
    for (unsigned x = 0; x < GW_TXC_RING; x++) {
        gw_tx_draft draft = gw_txs_packet(ctx, x, payload, sizeof(payload));
        draft.header.dest_y = 1;
        draft.header.dest_z = 1;
        draft.header.intra_dest = 1;
        gw_txs_route(ctx, 0, lattice, "x-", &draft, &got, "TX-S4");
    }
}

static void bounce(gw_ctx *ctx)
{
    static const struct {
        uint8_t x, y, z;
    } places[] = {{4, 0, 0}, {63, 0, 0}, {1, 1, 0}, {0, 0, 1}, {2, 31, 31}};
    uint8_t payload[16];
    gw_txc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(places); i++) {
        gw_tx_draft draft = gw_txs_packet(ctx, places[i].x, payload, sizeof(payload));
        draft.header.dest_y = places[i].y;
        draft.header.dest_z = places[i].z;
        draft.header.intra_dest = 2;
        gw_txs_route(ctx, 0, GW_TXC_LATTICE, "x-", &draft, &got, "TX-S4");
        gw_txs_route(ctx, 0, GW_TXC_LATTICE, "port3", &draft, &got, "TX-S4");
    }
}

static void deliver(gw_ctx *ctx)
{
    uint8_t payload[16];
    gw_txc_got got;

    for (uint8_t port = 0; port < 4; port++) {
        gw_tx_draft draft = gw_txs_packet(ctx, 0, payload, sizeof(payload));
        draft.header.intra_dest = port;
        draft.header.virt_chan = GW_TX_LAST_VC1;
        draft.header.out_of_lattice = 1;
        gw_txs_route(ctx, 0, GW_TXC_LATTICE, "x-", &draft, &got, "TX-S5");
        gw_txs_route(ctx, 0, GW_TXC_LATTICE, "port0", &draft, &got, "TX-S5");
    }
}

const gw_case gw_tx_s[] = {
    {.id = "tx-s/ring",
     .title = "In a ring of four packets go the shorter way, on the right channel",
     .rules = GW_LIST("TX-S1", "TX-S2", "TX-S3", "TX-S5"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_TXS_NEEDS,
     .run = ring},
    {.id = "tx-s/other-rings",
     .title = "In rings of 2 to 63 nodes packets go the shorter way, on the right channel",
     .rules = GW_LIST("TX-S1", "TX-S2", "TX-S3"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_TXS_NEEDS,
     .run = other_rings},
    {.id = "tx-s/injected",
     .title = "A packet injected on a channel keeps it for the first hop",
     .rules = GW_LIST("TX-S2", "TX-S1", "TX-S3"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_TXS_NEEDS,
     .run = injected},
    {.id = "tx-s/bad-channels",
     .title = "An impossible injected channel is not sent on, and other packets keep their way",
     .rules = GW_LIST("TX-S2", "TX-S1", "TX-S3"),
     .after = GW_LIST("tx-s/ring"),
     .needs = GW_TXS_NEEDS,
     .negative = true,
     .run = bad_channels},
    {.id = "tx-s/last-node",
     .title = "A packet to the last node of the lattice is not taken for lost",
     .rules = GW_LIST("TX-S4", "TX-S1", "TX-S2", "TX-S3", "TX-S5"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_TXS_NEEDS,
     .run = last_node},
    {.id = "tx-s/bounce",
     .title = "A packet to a node outside the lattice comes to port 0, marked",
     .rules = GW_LIST("TX-S4"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_TXS_NEEDS,
     .negative = true,
     .run = bounce},
    {.id = "tx-s/deliver",
     .title = "A delivered packet has mark and channel cleared",
     .rules = GW_LIST("TX-S5"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_TXS_NEEDS,
     .negative = true,
     .run = deliver},
    {.id = NULL},
};
