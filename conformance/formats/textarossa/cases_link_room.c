/* SPDX-License-Identifier: BSD-2-Clause */
/* APElink: what a board makes of our credits, before it sends a packet. */
#include "formats/textarossa/suite.h"

/* With so little room at our end the packet has to wait; with more it comes. */
static void waits(gw_ctx *ctx, const char *rule, unsigned headers, unsigned data, const char *what)
{
    uint8_t payload[48];
    const char *net = gw_txc_net(ctx);
    gw_txc_got got;

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    gw_txc_credit(ctx, net, headers, data);
    (void)gw_txc_send(ctx, net, &draft);
    gw_txc_silence(ctx, net, rule, what);
    gw_txc_credit(ctx, net, 0x40, 0x40);
    gw_txc_back(ctx, &draft, &got, rule, "the packet that waited for room");
    gw_txc_credit(ctx, net, 0x40, 0x40);
}

static void data_space(gw_ctx *ctx)
{
    waits(ctx, "TX-L12", 0x40, 384 - 2,
          "a credit that leaves room for two words, for a packet of three");
}

static void header_space(gw_ctx *ctx)
{
    waits(ctx, "TX-L12", 96 - 1, 0x40,
          "a credit that leaves room for one header word; two are needed");
}

static void over_threshold(gw_ctx *ctx)
{
    waits(ctx, "TX-L12", 0x40, 0x3ff, "a credit of more data words than there is a threshold");
    waits(ctx, "TX-L12", 0xff, 0x40, "a credit of more headers than there is a threshold");
    waits(ctx, "TX-L12", 0xff, 0x3ff, "a credit beyond both thresholds");
}

static void good_credit(gw_ctx *ctx)
{
    gw_txc_use_edac(ctx);
    waits(ctx, "TX-L5", 96, 384, "a credit with the right check byte that leaves no room");
}

static void bad_credit(gw_ctx *ctx)
{
    uint8_t payload[48];
    const char *net = gw_txc_net(ctx);
    gw_txc_got got;

    gw_txc_use_edac(ctx);
    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    gw_tx_word room =
        gw_tx_protect(gw_tx_credit_pack(&(gw_tx_credit){.vc = {{0x40, 0x40}, {0x40, 0x40}}}));
    gw_tx_word damaged[] = {room, room, room};
    damaged[0].hi ^= UINT64_C(1) << 60; /* a flip in the check byte, */
    damaged[1].lo ^= UINT64_C(1) << 50; /* one in the data, which could be corrected, */
    damaged[2].lo ^= UINT64_C(9) << 40; /* and two */
    gw_txc_credit(ctx, net, 96, 384);
    (void)gw_txc_send(ctx, net, &draft);
    (void)gw_txc_beats(ctx, net, damaged, GW_ARRAY_LEN(damaged));
    gw_txc_silence(ctx, net, "TX-L5", "credits whose check byte does not match");
    gw_txc_credit(ctx, net, 0x40, 0x40);
    gw_txc_back(ctx, &draft, &got, "TX-L12", "the packet that waited for a good credit");
}

#define NEEDS GW_LIST("link", "regs")

const gw_case gw_tx_l_room[] = {
    {.id = "tx-l/data-space",
     .title = "A packet waits until the other side has room for its words",
     .rules = GW_LIST("TX-L12"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .run = data_space},
    {.id = "tx-l/header-space",
     .title = "A packet waits until the other side has room for two headers",
     .rules = GW_LIST("TX-L12"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .run = header_space},
    {.id = "tx-l/over-threshold",
     .title = "A packet waits when the other side's credit is above the threshold",
     .rules = GW_LIST("TX-L12"),
     .after = GW_LIST("tx-l/data-space", "tx-l/header-space"),
     .needs = NEEDS,
     .negative = true,
     .run = over_threshold},
    {.id = "tx-l/good-credit",
     .title = "A credit whose check byte matches is obeyed",
     .rules = GW_LIST("TX-L5"),
     .after = GW_LIST("tx-l/data-space", "tx-l/header-space"),
     .needs = NEEDS,
     .run = good_credit},
    {.id = "tx-l/bad-credit",
     .title = "A credit whose check byte does not match is ignored",
     .rules = GW_LIST("TX-L5", "TX-L12"),
     .after = GW_LIST("tx-l/data-space", "tx-l/good-credit"),
     .needs = NEEDS,
     .negative = true,
     .run = bad_credit},
    {.id = NULL},
};
