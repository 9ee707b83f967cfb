/* SPDX-License-Identifier: BSD-2-Clause */
/* APElink: the footers of a node, whose tasks put them behind packets. What a task has put there
 * nobody but the published ones tells: a footer of theirs, or ours given back, has crossed the link
 * bit by bit. */
#include <inttypes.h>

#include "formats/textarossa/suite.h"

#define PACKETS 8

static bool is_same(gw_tx_word a, gw_tx_word b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

/* Has packets of one word more each come back, of which every second had a footer like none when
 * |disturbed|, and looks at their footers. */
static void judge_footers(gw_ctx *ctx, bool disturbed)
{
    uint8_t payload[PACKETS * GW_TX_WORD];
    gw_txc_got got;
    gw_tx_word odd = {0, 0};
    gw_miss miss = {.rule = "TX-L15"};
    unsigned known = 0, unknown = 0;

    for (unsigned i = 0; i < PACKETS; i++) {
        gw_txc_fill(ctx, payload, sizeof(payload));
        gw_tx_draft draft = gw_txc_draft(ctx, payload, (i + 1) * (size_t)GW_TX_WORD);
        if (disturbed && i % 2 != 0)
            draft.footer = (gw_tx_word){gw_case_random(ctx), gw_case_random(ctx) >> 1};
        gw_txc_round(ctx, &draft, &got, "TX-L15", "a packet");
        if (!got.p.has_footer)
            gw_case_inconc(ctx, "a packet came back without a footer");
        if (gw_tx_footer_kind(got.p.footer, GW_TX_PORT) != GW_TX_FOOTER_UNKNOWN ||
            is_same(got.p.footer, draft.footer)) {
            known++;
            continue;
        }
        unknown++;
        odd = got.p.footer;
        miss.packet = got.number;
        miss.offset = got.p.footer_offset;
    }
    if (known == 0)
        gw_case_inconc(ctx,
                       "the board's footers are its own, and nobody knows what they should be");
    if (unknown > 0)
        gw_case_fail(ctx, &miss,
                     "%u of %u packets have a footer as published senders have it, and the others "
                     "one that none has: 0x%016" PRIx64 "%016" PRIx64,
                     known, PACKETS, odd.hi, odd.lo);
}

static void undisturbed(gw_ctx *ctx)
{
    judge_footers(ctx, false);
}

static void disturbed(gw_ctx *ctx)
{
    judge_footers(ctx, true);
}

#define NEEDS GW_LIST("link", "regs")

const gw_case gw_tx_l_footers[] = {
    {.id = "tx-l/own-footer",
     .title = "The footers that a node puts behind its packets cross the link bit by bit",
     .rules = GW_LIST("TX-L15"),
     .after = GW_LIST("tx-e/sizes"),
     .needs = NEEDS,
     .run = undisturbed},
    {.id = "tx-l/own-footer-disturbed",
     .title = "A node's footers stay whole when packets with other footers come in",
     .rules = GW_LIST("TX-L15"),
     .after = GW_LIST("tx-l/own-footer", "tx-e/unknown-footers"),
     .needs = NEEDS,
     .negative = true,
     .run = disturbed},
    {.id = NULL},
};
