/* SPDX-License-Identifier: BSD-2-Clause */
/* APElink: what a board sends, and when. */
#include <inttypes.h>

#include "cases/tx.h"

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

static void gap(gw_ctx *ctx)
{
    uint8_t payload[32];
    gw_tx_word beats[64];
    gw_txc_got got;
    const char *net = gw_txc_net(ctx);
    gw_miss miss = {.rule = "TX-L2"};
    size_t num = 0;

    gw_txc_drain(ctx, net);
    for (unsigned i = 0; i < 4; i++) {
        gw_txc_fill(ctx, payload, sizeof(payload));
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        num += gw_txc_run(ctx, &draft, beats + num, GW_ARRAY_LEN(beats) - num);
    }
    (void)gw_txc_beats(ctx, net, beats, num);
    for (unsigned i = 0; i < 4; i++) {
        if (!gw_txc_next(ctx, net, &got, gw_case_reply_ns(ctx)))
            gw_case_inconc(ctx, "%u of 4 packets came back", i);
        miss.packet = got.number;
        if (i > 0 && got.credits == 0)
            gw_case_fail(ctx, &miss, "no credit stands between packet %u and the next", i);
    }
}

static void credits(gw_ctx *ctx)
{
    const char *net = gw_txc_net(ctx);
    const uint64_t one = UINT64_C(0x2020), both = one | one << 18;
    gw_miss miss = {.rule = "TX-L4", .expected = both};

    gw_txc_write(ctx, GW_TX_LINK_0_CONFIG_2, 0xff20);
    bool came = gw_txc_fresh_credit(ctx, net, both);
    const gw_txc_way *way = gw_txc_way_of(ctx, net);
    gw_miss none = {.rule = "TX-L2"};
    if (!way->has_credit)
        gw_case_fail(ctx, &none, "an idle link carries no credit");
    miss.got = way->credit.lo;
    if (!came)
        gw_case_fail(
            ctx, &miss,
            "with empty FIFOs and a waiting cycle of 0x20 the last credit holds 0x%010" PRIx64
            "; 0x%010" PRIx64 " is expected",
            way->credit.lo, both);
    if (!is_credit(way->credit))
        gw_case_fail(ctx, &miss,
                     "the credit has bits set above its counts: 0x%016" PRIx64 "%016" PRIx64,
                     way->credit.hi, way->credit.lo);
}

static void stuffing(gw_ctx *ctx)
{
    gw_tx_word beats[MOST];
    gw_miss miss = {.rule = "TX-L3"}, unfinished = {.rule = "TX-L14"};
    gw_txc_write(ctx, GW_TX_LINK_0_CONFIG_2, 0x0140);
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

/* With so little room at our end the packet has to wait; with more it comes. */
static void waits(gw_ctx *ctx, unsigned headers, unsigned data, const char *what)
{
    uint8_t payload[48];
    const char *net = gw_txc_net(ctx);
    gw_txc_got got;

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    gw_txc_credit(ctx, net, headers, data);
    (void)gw_txc_send(ctx, net, &draft);
    gw_txc_silence(ctx, net, "TX-L12", what);
    gw_txc_credit(ctx, net, 0x40, 0x40);
    gw_txc_back(ctx, &draft, &got, "TX-L12", "the packet that waited for room");
}

static void data_space(gw_ctx *ctx)
{
    waits(ctx, 0x40, 384 - 2, "a credit that leaves room for two words, for a packet of three");
}

static void header_space(gw_ctx *ctx)
{
    waits(ctx, 96 - 1, 0x40, "a credit that leaves room for one header word; two are needed");
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
    {.id = "tx-l/credits",
     .title = "Credits tell the words in use plus the waiting cycle, and nothing above",
     .rules = GW_LIST("TX-L4", "TX-L2"),
     .needs = NEEDS,
     .run = credits},
    {.id = "tx-l/stuffing",
     .title = "A packet is interrupted by MAGIC and one credit, and completed",
     .rules = GW_LIST("TX-L3", "TX-L14"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .run = stuffing},
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
    {.id = "tx-l/bad-credit",
     .title = "A credit whose check byte does not match is ignored",
     .rules = GW_LIST("TX-L5", "TX-L12"),
     .after = GW_LIST("tx-l/run-start", "tx-l/data-space"),
     .needs = NEEDS,
     .run = bad_credit},
    {.id = "tx-l/edac-made",
     .title = "Headers and credits carry the right check byte",
     .rules = GW_LIST("TX-L6"),
     .after = GW_LIST("tx-l/run-start", "tx-l/credits"),
     .needs = NEEDS,
     .run = edac_made},
    {.id = NULL},
};
