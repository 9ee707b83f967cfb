/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA endpoint: what it makes of packets that break the rules, and of those behind them. */
#include <stdio.h>
#include <string.h>

#include "formats/textarossa/suite.h"

/* A packet of 32 random bytes. */
typedef struct specimen {
    gw_tx_draft draft;
    uint8_t payload[32];
} specimen;

static void prepare(gw_ctx *ctx, specimen *s)
{
    gw_txc_fill(ctx, s->payload, sizeof(s->payload));
    s->draft = gw_txc_draft(ctx, s->payload, sizeof(s->payload));
}

/* Sends |draft| as a datagram of |dialect|. */
static void send_as(gw_ctx *ctx, const gw_tx_draft *draft, const gw_dialect *dialect)
{
    uint8_t bytes[16 * GW_TX_WORD];
    size_t len = gw_tx_build(bytes, sizeof(bytes), draft, dialect);

    gw_txc_drain(ctx, gw_txc_net(ctx));
    (void)gw_case_send(ctx, gw_case_connection(ctx), bytes, len);
}

/* Sends |draft| over a link, its header in the kernel side's layout. In the port layout that header
 * is one of as many bytes, for a channel that does not exist. */
static void send_run_as_hls(gw_ctx *ctx, const gw_tx_draft *draft)
{
    gw_tx_word beats[16];
    gw_tx_header h = draft->header;
    size_t num = gw_txc_run(ctx, draft, beats, GW_ARRAY_LEN(beats));

    h.packet_size = (uint16_t)draft->payload_len;
    h.dest_addr = (uint64_t)draft->payload_len << 30 | 4;
    beats[2] = gw_tx_pack(&h, GW_TX_HLS);
    gw_txc_drain(ctx, gw_txc_net(ctx));
    (void)gw_txc_beats(ctx, gw_txc_net(ctx), beats, num);
}

/* In case some of it was taken for a credit. */
static void repair_credit(gw_ctx *ctx)
{
    if (gw_case_stream(ctx))
        gw_txc_credit(ctx, gw_txc_net(ctx), 0x40, 0x40);
}

static void other_layout(gw_ctx *ctx)
{
    bool is_hls = gw_tx_dialect_of(gw_case_dialect(ctx))->layout == GW_TX_HLS;
    specimen s;
    gw_txc_got got;

    prepare(ctx, &s);
    if (gw_case_stream(ctx))
        send_run_as_hls(ctx, &s.draft);
    else
        send_as(ctx, &s.draft, gw_dialect_by_name(&gw_textarossa, is_hls ? "strict" : "hls"));
    if (gw_txc_next(ctx, gw_txc_net(ctx), &got, gw_case_settle_ns(ctx))) {
        gw_miss miss = {.rule = "TX-E1", .packet = got.number};
        gw_txc_judge(ctx, &got); /* it may be one that takes any channel */
        gw_case_fail(ctx, &miss, "a packet whose header has the other layout was served");
    }
    repair_credit(ctx);
    gw_txc_still_works(ctx, "TX-E1", "a header in the other layout");
}

static void oversized(gw_ctx *ctx)
{
    static const uint16_t sizes[] = {4097, 4112, 5120};
    const char *net = gw_txc_net(ctx);
    uint8_t payload[5120];
    gw_txc_got got;
    char what[64];

    for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        gw_txc_fill(ctx, payload, sizes[i]);
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizes[i]);
        (void)snprintf(what, sizeof(what), "a packet of %u bytes", sizes[i]);
        gw_txc_drain(ctx, net);
        (void)gw_txc_send(ctx, net, &draft);
        if (gw_txc_next(ctx, net, &got, gw_case_settle_ns(ctx))) {
            gw_miss miss = {.rule = "TX-E3",
                            .packet = got.number,
                            .expected = GW_TX_PAYLOAD_MAX,
                            .got = sizes[i]};
            gw_case_fail(ctx, &miss, "%s was served; 4096 are the most", what);
        }
        repair_credit(ctx);
        gw_txc_still_works(ctx, "TX-E3", what);
    }
}

static void bad_channel(gw_ctx *ctx)
{
    static const uint8_t channels[] = {0x02, 0x08, 0x0f, 0x12, 0x1f};
    char what[64];
    specimen s;

    for (size_t i = 0; i < GW_ARRAY_LEN(channels); i++) {
        prepare(ctx, &s);
        s.draft.header.virt_chan = channels[i];
        (void)snprintf(what, sizeof(what), "one with virt_chan 0x%02x", channels[i]);
        gw_txc_provoke(ctx, &s.draft);
        gw_txc_still_works(ctx, "TX-E5", what);
    }
}

static void left_over(gw_ctx *ctx)
{
    static const uint8_t types[] = {0x01, 0x04, 0x0d};
    specimen s;

    for (size_t i = 0; i < GW_ARRAY_LEN(types); i++) {
        prepare(ctx, &s);
        s.draft.header.packet_type = types[i];
        s.draft.header.reserved = 1;
        s.draft.header.num_of_hops = 0x2a5;
        gw_txc_provoke(ctx, &s.draft);
        gw_txc_still_works(ctx, "TX-E8", "one with unused bits set");
    }
}

static void unknown_footers(gw_ctx *ctx)
{
    specimen s;
    gw_txc_got got;

    prepare(ctx, &s);
    const gw_tx_word all[] = {
        {0, 0},
        {gw_case_random(ctx), gw_case_random(ctx) >> 1},
        {GW_TX_START, GW_TX_START},
        gw_tx_pack(&s.draft.header, GW_TX_PORT), /* as if the next packet began here */
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(all); i++) {
        prepare(ctx, &s);
        s.draft.footer = all[i];
        gw_txc_round(ctx, &s.draft, &got, "TX-E9", "a packet with a footer that nobody sends");
    }
}

/* Of an error in two bits, which no link hands on: an even number of them, at some position. */
static void fatal_status(gw_ctx *ctx)
{
    static const uint8_t bytes[] = {0x07, 0x55, 0x7f};
    specimen s;
    gw_txc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(bytes); i++) {
        prepare(ctx, &s);
        s.draft.header.edac = bytes[i];
        gw_txc_round(ctx, &s.draft, &got, "TX-E10",
                     "a packet with the status of a fatal error in its check byte");
    }
}

/* Sends a packet in the board's order and wants it back so, not as |other| would write it. */
static void judge_order(gw_ctx *ctx, const gw_dialect *other)
{
    static const char what[] = "a packet behind words of another order";
    specimen s;
    gw_txc_got got;
    gw_tx_packet p;
    gw_miss miss = {.rule = "TX-E11"};

    prepare(ctx, &s);
    (void)gw_txc_send(ctx, gw_txc_net(ctx), &s.draft);
    if (!gw_txc_next(ctx, gw_txc_net(ctx), &got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "%s did not come back", what);
    miss.packet = got.number;
    if (got.error.kind != GW_OK && gw_tx_decode(&p, &got.message, other).kind == GW_OK)
        gw_case_fail(ctx, &miss, "%s comes back in that order", what);
    gw_txc_judge(ctx, &got);
    gw_txc_same(ctx, &got, &s.draft, "TX-E11");
}

static void other_orders(gw_ctx *ctx)
{
    static const char *const orders[] = {"strict", "order-b", "order-c"};
    const uint8_t own = gw_tx_dialect_of(gw_case_dialect(ctx))->order;
    specimen s;

    for (size_t i = 0; i < GW_ARRAY_LEN(orders); i++) {
        const gw_dialect *other = gw_dialect_by_name(&gw_textarossa, orders[i]);
        if (i == own)
            continue;
        prepare(ctx, &s);
        send_as(ctx, &s.draft, other);
        gw_txc_swallow(ctx); /* one that looks for the order may answer */
        judge_order(ctx, other);
    }
}

static void header_only_length(gw_ctx *ctx)
{
    const gw_miss none = {.rule = gw_case_stream(ctx) ? "TX-E14" : "TX-E2"};
    gw_txc_got got;

    gw_txc_wants_header_only(ctx);
    gw_txc_still_works(ctx, "TX-E2", "nothing");
    gw_txc_generate(ctx, 2, 64, true);
    for (unsigned n = 0; n < 2; n++) {
        if (!gw_txc_next(ctx, gw_txc_net(ctx), &got, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &none,
                         "header %u of 2 did not come, which were told as headers alone of 64 "
                         "bytes",
                         n + 1);
        gw_txc_judge(ctx, &got);
        gw_miss miss = {.rule = none.rule, .packet = got.number};
        if (got.p.has_footer || got.p.payload_len > 0)
            gw_case_fail(ctx, &miss, "a header alone was told; there is more");
    }
    gw_txc_still_works(ctx, none.rule, "headers alone that were told a length");
}

static void header_alone_size(gw_ctx *ctx)
{
    static const uint16_t sizes[] = {1, 64, 4096};

    for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        gw_tx_draft draft = gw_txc_draft(ctx, NULL, 0);
        draft.header.packet_type = GW_TX_TYPE_HEADER_ONLY;
        draft.header.packet_size = sizes[i];
        gw_txc_provoke(ctx, &draft);
        gw_txc_still_works(ctx, "TX-E2", "a header alone that names a size");
    }
}

#define AFTER GW_LIST("tx-e/well-made")

const gw_case gw_tx_e_hostile[] = {
    {.id = "tx-e/other-layout",
     .title = "A packet whose header has the other layout is not served",
     .rules = GW_LIST("TX-E1"),
     .after = AFTER,
     .negative = true,
     .run = other_layout},
    {.id = "tx-e/oversized",
     .title = "A packet of more than 4096 bytes is not served, and does no harm",
     .rules = GW_LIST("TX-E3"),
     .after = AFTER,
     .negative = true,
     .run = oversized},
    {.id = "tx-e/bad-channel",
     .title = "A packet with an impossible virt_chan does no harm, and is not sent on with it",
     .rules = GW_LIST("TX-E5"),
     .after = AFTER,
     .negative = true,
     .run = bad_channel},
    {.id = "tx-e/left-over",
     .title = "Unused bits set in received headers are not copied into those sent",
     .rules = GW_LIST("TX-E8", "TX-E6"),
     .after = AFTER,
     .negative = true,
     .run = left_over},
    {.id = "tx-e/unknown-footers",
     .title = "A packet is accepted with a footer that no known device sends",
     .rules = GW_LIST("TX-E9"),
     .after = AFTER,
     .negative = true,
     .run = unknown_footers},
    {.id = "tx-e/fatal-status",
     .title = "A check byte that reports a fatal error is not treated as data",
     .rules = GW_LIST("TX-E10"),
     .after = AFTER,
     .negative = true,
     .run = fatal_status},
    {.id = "tx-e/other-orders",
     .title = "Packets in another byte order do not change the order of the board's own",
     .rules = GW_LIST("TX-E11"),
     .after = AFTER,
     .needs = GW_LIST("ethernet"),
     .negative = true,
     .run = other_orders},
    {.id = "tx-e/header-only-length",
     .title = "A generator told a length for headers alone sends no payload",
     .rules = GW_LIST("TX-E14", "TX-E2", "TX-E8"),
     .after = GW_LIST("tx-e/well-made", "tx-e/header-only"),
     .needs = GW_LIST("regs"),
     .negative = true,
     .run = header_only_length},
    {.id = "tx-e/header-alone-size",
     .title = "A header alone is accepted whatever size it names, without waiting for payload",
     .rules = GW_LIST("TX-E2"),
     .after = AFTER,
     .negative = true,
     .run = header_alone_size},
    {.id = NULL},
};
