/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA switch: what it carries, whole and in order, whatever comes between. */
#include <stdio.h>
#include <string.h>

#include "formats/textarossa/switch/suite.h"
#include "suite/response.h"

/* Headers that keep to every rule of an endpoint. */
static void forwarded(gw_ctx *ctx)
{
    static const gw_tx_footer footers[] = {GW_TX_FOOTER_HAPECOM, GW_TX_FOOTER_GENERATOR};
    uint8_t payload[48];
    gw_txc_got got;

    for (unsigned i = 0; i < 8; i++) {
        gw_tx_draft draft = gw_txs_packet(ctx, i % GW_TXC_RING, payload, sizeof(payload));
        draft.header.dest_addr = gw_case_random(ctx) >> 16;
        draft.header.packet_type = i % 2 == 0 ? GW_TX_TYPE_ETH : 0;
        draft.footer = gw_tx_footer_word(footers[i % 2], GW_TX_PORT);
        gw_txs_route(ctx, 0, GW_TXC_LATTICE, "x-", &draft, &got, "TX-S1");
        gw_txs_same_footer(ctx, &got, &draft, "TX-S6");
        gw_txc_same(ctx, &got, &draft, "TX-S6");
    }
}

static void transparent(gw_ctx *ctx)
{
    uint8_t payload[48];
    gw_txc_got got;

    for (unsigned i = 0; i < 8; i++) {
        gw_tx_draft draft = gw_txs_packet(ctx, i % GW_TXC_RING, payload, sizeof(payload));
        draft.header.proc_id = (uint16_t)gw_case_random(ctx);
        draft.header.reserved = 1;
        draft.header.num_of_hops = (uint16_t)(gw_case_random(ctx) & 0x3ff);
        draft.header.dest_addr = gw_case_random(ctx) >> 16;
        draft.header.packet_type = (uint8_t)(gw_case_random(ctx) & 0xf);
        draft.footer = (gw_tx_word){gw_case_random(ctx), gw_case_random(ctx)};
        gw_txs_route(ctx, 0, GW_TXC_LATTICE, "x-", &draft, &got, "TX-S1");
        gw_txs_same_footer(ctx, &got, &draft, "TX-S6");
        gw_txc_same(ctx, &got, &draft, "TX-S6");
    }
}

static void footer(gw_ctx *ctx)
{
    uint8_t payload[16];
    gw_txc_got got;

    for (unsigned i = 0; i < 16; i++) {
        gw_tx_draft draft = gw_txs_packet(ctx, 1, payload, sizeof(payload));
        draft.footer = (gw_tx_word){gw_case_random(ctx), gw_case_random(ctx)};
        gw_txc_drain(ctx, "x+");
        (void)gw_txc_send(ctx, "x+", &draft);
        gw_txs_arrive(ctx, "x+", &got, "TX-L15", "a packet with a random footer");
        gw_txs_same_footer(ctx, &got, &draft, "TX-L15");
        gw_txc_credit(ctx, "x+", 0x40, 0x40);
    }
}

/* The packet behind the one that breaks off may be taken for its rest; those after it not. */
static void footer_after_loss(gw_ctx *ctx)
{
    uint8_t payload[64];
    gw_tx_word beats[16];
    gw_txc_got got;

    for (unsigned i = 0; i < 4; i++) {
        gw_tx_draft draft = gw_txs_packet(ctx, 1, payload, sizeof(payload));
        (void)gw_txc_run(ctx, &draft, beats, GW_ARRAY_LEN(beats));
        (void)gw_txc_beats(ctx, "x+", beats, 3 + i); /* up to the header, or so many words */
        (void)gw_txc_send(ctx, "x+", &draft);
        gw_txc_credit(ctx, "x+", 0x40, 0x40);
        gw_txc_swallow(ctx);
        for (unsigned n = 0; n < 3; n++) {
            draft = gw_txs_packet(ctx, 1, payload, sizeof(payload));
            draft.footer = (gw_tx_word){gw_case_random(ctx), gw_case_random(ctx)};
            gw_txc_drain(ctx, "x+");
            (void)gw_txc_send(ctx, "x+", &draft);
            gw_txs_arrive(ctx, "x+", &got, "TX-L15", "a packet behind one that broke off");
            gw_txs_same_footer(ctx, &got, &draft, "TX-L15");
            gw_txc_credit(ctx, "x+", 0x40, 0x40);
        }
    }
}

static void words(gw_ctx *ctx)
{
    static const uint16_t sizes[] = {1, 15, 16, 17, 31, 4095, 4096, 0, 33};
    uint8_t payload[GW_TX_PAYLOAD_MAX];
    gw_txc_got got;
    char what[64];

    for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        size_t most = gw_case_transport(gw_case_link(ctx, "port1"))->carries;
        if (most != 0 && sizes[i] + 3u * GW_TX_WORD > most) {
            gw_case_note(ctx, "a payload of %u bytes was not tried: the path carries %zu", sizes[i],
                         most);
            continue;
        }
        gw_tx_draft draft = gw_txs_packet(ctx, 0, payload, sizes[i]);
        draft.header.intra_dest = 1;
        (void)snprintf(what, sizeof(what), "a payload of %u bytes", sizes[i]);
        gw_txs_drain(ctx);
        (void)gw_txc_send(ctx, "x-", &draft);
        gw_txs_arrive(ctx, "port1", &got, "TX-S8", what);
        gw_miss miss = {.rule = "TX-S8", .packet = got.number, .offset = got.error.offset};
        if (got.error.kind != GW_OK || !got.p.has_footer)
            gw_case_fail(ctx, &miss, "%s is delivered with a length that does not fit it", what);
        gw_txc_same(ctx, &got, &draft, "TX-S8");
    }
}

/* A datagram at a port is what its FIFOs hold; this one's do not hold what its header says. */
static void wrong_words(gw_ctx *ctx)
{
    static const uint8_t words[] = {5, 7, 4, 8}; /* six are right */
    uint8_t payload[64], bytes[16 * GW_TX_WORD] = {0};
    gw_txc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(words); i++) {
        gw_tx_draft draft = gw_txs_packet(ctx, 0, payload, sizeof(payload));
        draft.header.intra_dest = 1;
        (void)gw_tx_build(bytes, sizeof(bytes), &draft, gw_case_dialect(ctx));
        gw_txs_drain(ctx);
        (void)gw_case_send(ctx, gw_case_link(ctx, "port0"), bytes, (size_t)GW_TX_WORD * words[i]);
        gw_txc_silence(ctx, "port1", "TX-S8", "one with other words than its header says");
        for (unsigned n = 0; n < 2; n++) {
            draft = gw_txs_packet(ctx, 0, payload, sizeof(payload));
            draft.header.intra_dest = 1;
            (void)gw_txc_send(ctx, "port0", &draft);
            gw_txs_arrive(ctx, "port1", &got, "TX-S8", "a packet behind one with wrong words");
            gw_txc_same(ctx, &got, &draft, "TX-S8");
        }
    }
}

enum { ROW = 12 };

/* A row is this and fewer datagrams; when all rows are out of order, then so is one. */
#define ROW_STAKE (2 * ROW)

/* Sends packets in a row; with |broken|, one for a channel that does not exist before each. */
static void send_row(gw_ctx *ctx, bool broken)
{
    uint8_t payload[16] = {0};
    gw_tx_word beats[192];
    size_t num = 0;

    gw_txs_drain(ctx);
    for (unsigned i = 0; i < ROW; i++) {
        payload[0] = (uint8_t)i;
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        draft.header.dest_x = 0;
        draft.header.intra_dest = 2;
        draft.header.virt_chan = 0x12;
        if (broken)
            num += gw_txc_run(ctx, &draft, beats + num, GW_ARRAY_LEN(beats) - num);
        draft.header.virt_chan = GW_TX_LAST_VC0;
        num += gw_txc_run(ctx, &draft, beats + num, GW_ARRAY_LEN(beats) - num);
    }
    (void)gw_txc_beats(ctx, "x-", beats, num);
}

/* Takes a row. False when it did not come in order, of which |miss| tells. */
static bool take_row(gw_ctx *ctx, gw_miss *miss)
{
    gw_txc_got got;
    unsigned due = 0;

    while (due < ROW) {
        uint8_t payload[16] = {0};
        gw_txs_arrive(ctx, "port2", &got, "TX-S9", "one packet of twelve in a row");
        (void)gw_tx_copy_payload(&got.p, payload, sizeof(payload));
        if (payload[0] + 1u == due && !gw_case_near(ctx))
            continue; /* the one before, twice */
        *miss =
            (gw_miss){.rule = "TX-S9", .packet = got.number, .expected = due, .got = payload[0]};
        if (payload[0] != due++)
            return false;
    }
    return true;
}

/* Whether the path to the board's registers, which is one of datagrams like that to its ports,
 * keeps things in order. How evenly a stream comes tells nothing about it. */
static bool way_keeps_order(gw_ctx *ctx)
{
    enum { PAIRS = 24 };

    for (unsigned i = 0; i < PAIRS; i++)
        if (gw_regs_pair(ctx, GW_TX_FIFO_REGISTER, gw_case_reply_ns(ctx)).overtaken)
            return false;
    return true;
}

/* Of the way to a port nobody knows whether it keeps the order: a row that comes in order once
 * shows that the board does. */
static void in_order(gw_ctx *ctx, bool broken)
{
    unsigned rows = gw_case_near(ctx) ? 1 : 8;
    gw_miss miss;

    for (unsigned i = 0; i < rows; i++) {
        send_row(ctx, broken);
        if (take_row(ctx, &miss))
            return;
        gw_case_wait(gw_case_connection(ctx), gw_case_lag_ns(ctx));
    }
    if (gw_case_spread_ns(ctx) > 0 && !way_keeps_order(ctx))
        gw_case_inconc(ctx, "no row of %u came in order, and the path may have changed it", rows);
    gw_case_stake(ctx, ROW_STAKE);
    gw_case_fail(ctx, &miss, "packet %u came where packet %u is due", (unsigned)miss.got,
                 (unsigned)miss.expected);
}

static void order(gw_ctx *ctx)
{
    in_order(ctx, false);
}

static void order_among_broken(gw_ctx *ctx)
{
    in_order(ctx, true);
}

static void every_port(gw_ctx *ctx)
{
    static const char *const ports[] = {"port0", "port1", "port2", "port3"};
    uint8_t payload[16];
    gw_txc_got got;

    for (size_t from = 0; from < GW_ARRAY_LEN(ports); from++) {
        for (uint8_t to = 0; to < 4; to++) {
            gw_tx_draft draft = gw_txs_packet(ctx, 0, payload, sizeof(payload));
            draft.header.intra_dest = to;
            gw_txs_route(ctx, 0, GW_TXC_LATTICE, ports[from], &draft, &got, "TX-S10");
        }
    }
}

static void bad_port(gw_ctx *ctx)
{
    uint8_t payload[16];

    for (unsigned port = 4; port < 16; port += 3) {
        gw_tx_draft draft = gw_txs_packet(ctx, 0, payload, sizeof(payload));
        draft.header.intra_dest = (uint8_t)port;
        (void)gw_txc_send(ctx, "x-", &draft);
        (void)gw_txc_send(ctx, "port1", &draft);
    }
    gw_case_wait(gw_case_link(ctx, "x-"), gw_case_settle_ns(ctx));
    gw_txs_inputs_work(ctx, "TX-S10");
}

static void too_large(gw_ctx *ctx)
{
    static const uint16_t sizes[] = {5136, 8192, 16383};
    static uint8_t const zeros[16384];

    for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        gw_tx_draft draft = gw_txc_draft(ctx, zeros, sizes[i]);
        draft.header.dest_x = 1;
        (void)gw_txc_send(ctx, "x-", &draft);
        gw_txc_credit(ctx, "x-", 0x40, 0x40);
    }
    gw_case_wait(gw_case_link(ctx, "x-"), gw_case_settle_ns(ctx));
    gw_txs_inputs_work(ctx, "TX-S11");
}

static void response_time(gw_ctx *ctx)
{
    gw_responses responses = {.num = 0};
    uint8_t payload[64];
    gw_txc_got got;

    gw_txs_drain(ctx);
    for (unsigned i = 0; i < GW_RESPONSE_ROUNDS; i++) {
        gw_tx_draft draft = gw_txs_packet(ctx, 0, payload, sizeof(payload));
        draft.header.intra_dest = 1;
        unsigned sent = gw_txc_send(ctx, "port0", &draft);
        if (gw_txc_await(ctx, "port1", &got, gw_case_reply_ns(ctx))) {
            gw_response_add(ctx, &responses, sent, got.number);
            gw_txc_same(ctx, &got, &draft, "TX-S8");
        } else {
            gw_response_missed(ctx, &responses);
        }
    }
    gw_response_end(ctx, &responses);
}

const gw_case gw_tx_s_carry[] = {
    {.id = "tx-s/forwarded",
     .title = "A legal packet is forwarded as it came",
     .rules = GW_LIST("TX-S6", "TX-S1", "TX-S2", "TX-S3", "TX-S5"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_TXS_NEEDS,
     .run = forwarded},
    {.id = "tx-s/transparent",
     .title = "A packet with unused header bits set and an unknown footer is forwarded as it came",
     .rules = GW_LIST("TX-S6", "TX-S1", "TX-S2", "TX-S3", "TX-S5", "TX-S7"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_TXS_NEEDS,
     .negative = true,
     .run = transparent},
    {.id = "tx-s/words",
     .title = "Payloads of every size are delivered whole",
     .rules = GW_LIST("TX-S8"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_TXS_NEEDS,
     .run = words},
    {.id = "tx-s/wrong-words",
     .title = "A packet with other words than its size says is not forwarded, and shifts nothing",
     .rules = GW_LIST("TX-S8"),
     .after = GW_LIST("tx-s/words"),
     .needs = GW_TXS_NEEDS,
     .negative = true,
     .run = wrong_words},
    {.id = "tx-s/order",
     .title = "Packets between the same two ports stay in order",
     .rules = GW_LIST("TX-S9"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_TXS_NEEDS,
     .run = order},
    {.id = "tx-s/order-among-broken",
     .title = "Packets between the same two ports stay in order among packets that are dropped",
     .rules = GW_LIST("TX-S9"),
     .after = GW_LIST("tx-s/order", "tx-l/garbage"),
     .needs = GW_TXS_NEEDS,
     .negative = true,
     .run = order_among_broken},
    {.id = "tx-s/every-port",
     .title = "Every port is reached from every port, and no other gets the packet",
     .rules = GW_LIST("TX-S10", "TX-S5"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_TXS_NEEDS,
     .run = every_port},
    {.id = "tx-s/bad-port",
     .title = "A packet for a port that does not exist blocks nothing",
     .rules = GW_LIST("TX-S10"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_TXS_NEEDS,
     .negative = true,
     .run = bad_port},
    {.id = "tx-s/too-large",
     .title = "A packet larger than the buffers blocks nothing",
     .rules = GW_LIST("TX-S11"),
     .after = GW_LIST("tx-l/run-start", "tx-l/garbage"),
     .needs = GW_TXS_NEEDS,
     .negative = true,
     .run = too_large},
    {.id = "tx-l/footer",
     .title = "A footer crosses a link bit by bit",
     .rules = GW_LIST("TX-L15"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_LIST("link", "regs"),
     .run = footer},
    {.id = "tx-l/footer-after-loss",
     .title = "A packet keeps its own footer after one that broke off before its end",
     .rules = GW_LIST("TX-L15"),
     .after = GW_LIST("tx-l/footer", "tx-l/garbage"),
     .needs = GW_LIST("link", "regs"),
     .negative = true,
     .run = footer_after_loss},
    {.id = "tx-s/response-time",
     .title = "Packets cross from port to port within the time that the board claims",
     .rules = GW_LIST("TX-S8"),
     .after = GW_LIST("tx-s/words"),
     .needs = GW_LIST("response_us", "port0", "port1"),
     .run = response_time},
    {.id = NULL},
};
