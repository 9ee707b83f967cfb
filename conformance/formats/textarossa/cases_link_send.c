/* SPDX-License-Identifier: BSD-2-Clause */
/* APElink: what a board sends, and when. */
#include <inttypes.h>

#include "formats/textarossa/suite.h"

enum { MOST = 512 }; /* beats that a case looks at */

/* Told from payload, which is random in all bits; how good it is, is for another case to say. */
static bool looks_like_credit(gw_tx_word word)
{
    return word.lo >> 48 == 0 && word.hi << 8 == 0;
}

/* A credit says how many words are in use: 35:0; nothing above but the check byte. */
static bool is_credit(gw_tx_word word)
{
    return word.lo >> 36 == 0 && word.hi << 8 == 0;
}

static size_t first_magic(const gw_tx_word *beats, size_t num)
{
    size_t i = 0;
    while (i < num && !gw_tx_is_magic(beats[i]))
        i++;
    return i;
}

static size_t ask(gw_ctx *ctx, size_t len, gw_tx_word *beats, unsigned *number)
{
    uint8_t payload[64];

    gw_txc_fill(ctx, payload, len);
    gw_tx_draft draft = gw_txc_draft(ctx, payload, len);
    gw_txc_drain(ctx, gw_txc_net(ctx));
    (void)gw_txc_send(ctx, gw_txc_net(ctx), &draft);
    return gw_txc_collect(ctx, beats, MOST, number);
}

void gw_txc_run_start(gw_ctx *ctx)
{
    gw_tx_word beats[MOST];
    gw_miss miss = {.rule = "TX-L1"};
    size_t num = ask(ctx, 48, beats, &miss.packet);
    size_t at = first_magic(beats, num);

    if (at == num)
        gw_case_fail(ctx, &miss, "no packet came: none of %zu beats is MAGIC", num);
    if (at + 1 >= num || !gw_tx_is_start(beats[at + 1]))
        gw_case_fail(ctx, &miss, "no START follows MAGIC, but 0x%016" PRIx64 "%016" PRIx64,
                     at + 1 < num ? beats[at + 1].hi : 0, at + 1 < num ? beats[at + 1].lo : 0);
}

/* Sends four packets in one go; of each run the last |left_out| beats stay away. */
static void send_four(gw_ctx *ctx, const char *net, size_t left_out)
{
    uint8_t payload[32];
    gw_tx_word beats[64];
    size_t num = 0;

    gw_txc_drain(ctx, net);
    for (unsigned i = 0; i < 4; i++) {
        gw_txc_fill(ctx, payload, sizeof(payload));
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        num += gw_txc_run(ctx, &draft, beats + num, GW_ARRAY_LEN(beats) - num) - left_out;
    }
    (void)gw_txc_beats(ctx, net, beats, num);
}

static void gap(gw_ctx *ctx)
{
    gw_txc_got got;
    const char *net = gw_txc_net(ctx);
    gw_miss miss = {.rule = "TX-L2"};

    send_four(ctx, net, 0);
    for (unsigned i = 0; i < 4; i++) {
        if (!gw_txc_next(ctx, net, &got, gw_case_reply_ns(ctx)))
            gw_case_inconc(ctx, "%u of 4 packets came back", i);
        miss.packet = got.number;
        if (i > 0 && got.credits == 0)
            gw_case_fail(ctx, &miss, "no credit stands between packet %u and the next", i);
    }
}

/* Four packets of ours without a credit between them, of which the board must not learn. */
static void back_to_back(gw_ctx *ctx)
{
    gw_txc_got got;
    const char *net = gw_txc_net(ctx);
    gw_miss miss = {.rule = "TX-L2"};

    send_four(ctx, net, 1); /* the credit is the last one */
    for (unsigned i = 0; gw_txc_next(ctx, net, &got, gw_case_settle_ns(ctx)); i++) {
        miss.packet = got.number;
        if (i > 0 && got.credits == 0)
            gw_case_fail(ctx, &miss, "no credit stands between packet %u and the next", i);
    }
    gw_txc_credit(ctx, net, 0x40, 0x40);
    gw_txc_still_works(ctx, "TX-L2", "packets without a credit between them");
}

/* Changes the waiting cycle, and so what credits hold, to |waiting|, and judges one. */
static void judge_credit(gw_ctx *ctx, uint64_t waiting)
{
    const char *net = gw_txc_net(ctx);
    const uint64_t one = waiting << 8 | waiting, both = one | one << 18;
    gw_miss miss = {.rule = "TX-L4", .expected = both};

    gw_txc_write(ctx, GW_TX_LINK_0_CONFIG_2, (uint32_t)(0xff00 | waiting));
    bool came = gw_txc_fresh_credit(ctx, net, both);
    const gw_txc_way *way = gw_txc_way_of(ctx, net);
    gw_miss none = {.rule = "TX-L2"};
    if (!way->has_credit)
        gw_case_fail(ctx, &none, "an idle link carries no credit");
    miss.got = way->credit.lo;
    if (!came)
        gw_case_fail(ctx, &miss,
                     "with empty FIFOs and a waiting cycle of 0x%02" PRIx64
                     " the last credit holds 0x%010" PRIx64 "; 0x%010" PRIx64 " is expected",
                     waiting, way->credit.lo, both);
    if (!is_credit(way->credit))
        gw_case_fail(ctx, &miss,
                     "the credit has bits set above its counts: 0x%016" PRIx64 "%016" PRIx64,
                     way->credit.hi, way->credit.lo);
}

static void credits(gw_ctx *ctx)
{
    judge_credit(ctx, 0x20);
}

static void dirty_credits(gw_ctx *ctx)
{
    const char *net = gw_txc_net(ctx);
    gw_tx_word dirty = gw_tx_credit_pack(&(gw_tx_credit){.vc = {{0x40, 0x40}, {0x40, 0x40}}});

    for (unsigned i = 0; i < 3; i++) {
        dirty.lo |= gw_case_random(ctx) << 36;
        dirty.hi |= gw_case_random(ctx) >> 8;
        (void)gw_txc_beats(ctx, net, &dirty, 1);
        judge_credit(ctx, 0x21 + i);
    }
    gw_txc_credit(ctx, net, 0x40, 0x40);
    gw_txc_still_works(ctx, "TX-L4", "credits with bits set above their counts");
}

/* Asks for a packet while the board is told to interrupt its own before every word. */
static void judge_stuffing(gw_ctx *ctx)
{
    gw_tx_word beats[MOST];
    gw_miss miss = {.rule = "TX-L3"}, unfinished = {.rule = "TX-L14"};
    size_t num = ask(ctx, 48, beats, &miss.packet);
    size_t at = first_magic(beats, num), words = 0;

    for (size_t i = at + 2; i < num && words < 5; i++) {
        if (!gw_tx_is_magic(beats[i])) {
            words += !looks_like_credit(beats[i]);
            continue;
        }
        if (i + 2 >= num)
            break;
        if (gw_tx_is_start(beats[i + 1]) || !looks_like_credit(beats[i + 1]) ||
            looks_like_credit(beats[i + 2]))
            gw_case_fail(ctx, &miss,
                         "MAGIC inside a packet is not followed by one credit and a "
                         "word of the packet");
        i++;
    }
    unfinished.expected = 5;
    unfinished.got = words;
    unfinished.packet = miss.packet;
    if (words < 5)
        gw_case_fail(ctx, &unfinished,
                     "%zu of header, three words of payload and footer came, with a new-credit "
                     "cycle of 1",
                     words);
}

static void stuffing(gw_ctx *ctx)
{
    gw_txc_write(ctx, GW_TX_LINK_0_CONFIG_2, 0x0140);
    judge_stuffing(ctx);
}

/* Interrupts a packet with MAGIC and |num| credits. */
static void interrupt(gw_ctx *ctx, unsigned num)
{
    uint8_t payload[48];
    gw_tx_word beats[16], stuffed[20];
    const gw_tx_word magic = {GW_TX_MAGIC, GW_TX_MAGIC};
    const size_t before = 4; /* MAGIC, START, header and a word */

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    size_t all = gw_txc_run(ctx, &draft, beats, GW_ARRAY_LEN(beats)), len = 0;
    for (size_t i = 0; i < all; i++) {
        if (i == before) {
            stuffed[len++] = magic;
            for (unsigned n = 0; n < num; n++)
                stuffed[len++] = beats[all - 1];
        }
        stuffed[len++] = beats[i];
    }
    (void)gw_txc_beats(ctx, gw_txc_net(ctx), stuffed, len);
    gw_txc_credit(ctx, gw_txc_net(ctx), 0x40, 0x40);
}

static void overstuffed(gw_ctx *ctx)
{
    static const uint8_t nums[] = {0, 2, 3};

    gw_txc_write(ctx, GW_TX_LINK_0_CONFIG_2, 0x0140);
    for (size_t i = 0; i < GW_ARRAY_LEN(nums); i++) {
        interrupt(ctx, nums[i]);
        gw_txc_swallow(ctx); /* what became of that packet is nobody's business */
        judge_stuffing(ctx);
        gw_txc_credit(ctx, gw_txc_net(ctx), 0x40, 0x40);
    }
}

static void edac_made(gw_ctx *ctx)
{
    const char *net = gw_txc_net(ctx);
    uint8_t payload[64];
    gw_txc_got got;
    gw_miss miss = {.rule = "TX-L6"};

    gw_txc_use_edac(ctx);
    for (size_t len = 16; len <= sizeof(payload); len += 16) {
        gw_txc_fill(ctx, payload, len);
        gw_tx_draft draft = gw_txc_draft(ctx, payload, len);
        gw_txc_round(ctx, &draft, &got, "TX-L6", "a packet under EDAC");
        gw_tx_word word = gw_tx_load(got.bytes + got.p.header_offset, GW_TX_WORD, GW_TX_ORDER_A);
        miss.packet = got.number;
        miss.expected = gw_tx_protect(word).hi >> 56;
        miss.got = word.hi >> 56;
        miss.offset = got.p.header_offset + GW_TX_WORD - 1;
        if (miss.expected != miss.got)
            gw_case_fail(ctx, &miss, "the check byte of a header is 0x%02x; 0x%02x is right",
                         (unsigned)miss.got, (unsigned)miss.expected);
    }
    gw_txc_write(ctx, GW_TX_LINK_0_CONFIG_2, 0xff21);
    const uint64_t one = UINT64_C(0x2121), both = one | one << 18;
    if (!gw_txc_fresh_credit(ctx, net, both))
        gw_case_inconc(ctx, "no credit came after the waiting cycle was changed");
    gw_tx_word credit = gw_txc_way_of(ctx, net)->credit;
    miss.packet = 0;
    miss.offset = 0;
    miss.expected = gw_tx_protect(credit).hi >> 56;
    miss.got = credit.hi >> 56;
    if (miss.expected != miss.got)
        gw_case_fail(ctx, &miss, "the check byte of a credit is 0x%02x; 0x%02x is right",
                     (unsigned)miss.got, (unsigned)miss.expected);
}

#define NEEDS GW_LIST("link", "regs")

const gw_case gw_tx_l_send[] = {
    {.id = "tx-l/run-start",
     .title = "A packet begins with MAGIC and START",
     .rules = GW_LIST("TX-L1"),
     .needs = NEEDS,
     .run = gw_txc_run_start},
    {.id = "tx-l/gap",
     .title = "A credit stands between two packets",
     .rules = GW_LIST("TX-L2"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .run = gap},
    {.id = "tx-l/back-to-back",
     .title = "A credit stands between two packets even when the other side sends none",
     .rules = GW_LIST("TX-L2"),
     .after = GW_LIST("tx-l/gap"),
     .needs = NEEDS,
     .negative = true,
     .run = back_to_back},
    {.id = "tx-l/credits",
     .title = "Credits tell the words in use plus the waiting cycle, and have no bit set above",
     .rules = GW_LIST("TX-L4", "TX-L2"),
     .needs = NEEDS,
     .run = credits},
    {.id = "tx-l/dirty-credits",
     .title = "Bits above the counts of received credits are not copied into those sent",
     .rules = GW_LIST("TX-L4", "TX-L2"),
     .after = GW_LIST("tx-l/run-start", "tx-l/credits"),
     .needs = NEEDS,
     .negative = true,
     .run = dirty_credits},
    {.id = "tx-l/stuffing",
     .title = "A packet is interrupted by MAGIC and one credit, and completed",
     .rules = GW_LIST("TX-L3", "TX-L14"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .run = stuffing},
    {.id = "tx-l/overstuffed",
     .title = "Packets are interrupted by one credit after malformed interruptions came in",
     .rules = GW_LIST("TX-L3", "TX-L14"),
     .after = GW_LIST("tx-l/stuffing"),
     .needs = NEEDS,
     .negative = true,
     .run = overstuffed},
    {.id = "tx-l/edac-made",
     .title = "Headers and credits carry the right check byte",
     .rules = GW_LIST("TX-L6"),
     .after = GW_LIST("tx-l/run-start", "tx-l/credits"),
     .needs = NEEDS,
     .run = edac_made},
    {.id = NULL},
};
