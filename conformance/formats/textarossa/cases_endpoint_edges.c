/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA endpoint: what is just legal, and how long it takes. */
#include <stdio.h>

#include "formats/textarossa/suite.h"
#include "suite/response.h"

static void channels(gw_ctx *ctx)
{
    static const uint16_t ids[] = {0, 1, 63, 64, 126, 127};
    uint8_t payload[32];
    gw_txc_got got;
    char what[64];

    for (size_t i = 0; i < GW_ARRAY_LEN(ids); i++) {
        gw_txc_fill(ctx, payload, sizeof(payload));
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        draft.header.proc_id = ids[i];
        (void)snprintf(what, sizeof(what), "a packet for channel %u", ids[i]);
        gw_txc_round(ctx, &draft, &got, "TX-E7", what);
    }
}

static void last_node(gw_ctx *ctx)
{
    uint8_t payload[32];
    gw_txc_got got;

    gw_txc_write(ctx, GW_TX_COORDME_REG, GW_TXC_RING - 1);
    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    draft.header.dest_x = GW_TXC_RING - 1;
    gw_txc_round(ctx, &draft, &got, "TX-E12", "a packet for the last node of the ring");
}

static void nearly_magic(gw_ctx *ctx)
{
    const gw_tx_word all[] = {
        {GW_TX_START, GW_TX_START}, {GW_TX_MAGIC, 0},           {0, GW_TX_MAGIC},
        {GW_TX_MAGIC, GW_TX_START}, {GW_TX_START, GW_TX_MAGIC}, {GW_TX_MAGIC ^ 1, GW_TX_MAGIC},
    };
    uint8_t payload[GW_ARRAY_LEN(all) * GW_TX_WORD];
    gw_txc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(all); i++)
        gw_tx_store(payload + i * GW_TX_WORD, GW_TX_WORD, GW_TX_ORDER_A, all[i]);
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    gw_txc_round(ctx, &draft, &got, "TX-E15", "a payload of words that are nearly MAGIC");
}

static void header_alone(gw_ctx *ctx)
{
    for (unsigned i = 0; i < 3; i++) {
        gw_tx_draft draft = gw_txc_draft(ctx, NULL, 0);
        draft.header.packet_type = GW_TX_TYPE_HEADER_ONLY;
        gw_txc_provoke(ctx, &draft);
        gw_txc_still_works(ctx, "TX-E2", "a header alone");
    }
}

static void response_time(gw_ctx *ctx)
{
    gw_responses responses = {.num = 0};
    const char *net = gw_txc_net(ctx);
    uint8_t payload[64];
    gw_txc_got got;

    gw_txc_drain(ctx, net);
    for (unsigned i = 0; i < GW_RESPONSE_ROUNDS; i++) {
        gw_txc_fill(ctx, payload, sizeof(payload));
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        unsigned sent = gw_txc_send(ctx, net, &draft);
        if (gw_txc_await(ctx, net, &got, gw_case_reply_ns(ctx))) {
            gw_response_add(ctx, &responses, sent, got.number);
            gw_txc_same(ctx, &got, &draft, "TX-E3");
        } else {
            gw_response_missed(ctx, &responses);
        }
        if (gw_case_stream(ctx))
            gw_txc_credit(ctx, net, 0x40, 0x40);
    }
    gw_response_end(ctx, &responses);
}

const gw_case gw_tx_e_edges[] = {
    {.id = "tx-e/channels",
     .title = "Every channel of a task is served, the first and the last among them",
     .rules = GW_LIST("TX-E7"),
     .after = GW_LIST("tx-e/well-made"),
     .run = channels},
    {.id = "tx-e/last-node",
     .title = "A packet for the last node of the ring is data, not a bounced one",
     .rules = GW_LIST("TX-E12"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_LIST("regs"),
     .run = last_node},
    {.id = "tx-e/nearly-magic",
     .title = "Words of payload that resemble MAGIC or START cross a link unchanged",
     .rules = GW_LIST("TX-E15"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_LIST("link", "regs"),
     .run = nearly_magic},
    {.id = "tx-e/header-alone",
     .title = "A packet that is a header alone is accepted",
     .rules = GW_LIST("TX-E2"),
     .after = GW_LIST("tx-e/well-made"),
     .run = header_alone},
    {.id = "tx-e/response-time",
     .title = "Packets come back within the time that the board claims",
     .rules = GW_LIST("TX-E3"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_LIST("response_us"),
     .run = response_time},
    {.id = NULL},
};
