/* SPDX-License-Identifier: BSD-2-Clause */
/* APElink: what a board makes of what comes, flipped bits and garbage among it. */
#include <inttypes.h>
#include <stdio.h>

#include "formats/textarossa/suite.h"

/* A packet of |len| bytes as beats, with bits of its header flipped; -1: none. */
typedef struct flipped {
    gw_tx_draft draft;
    uint8_t payload[128];
    gw_tx_word beats[16];
    size_t num;
} flipped;

enum { HEADER = 2 }; /* the beat that the header is */

static void flip(gw_tx_word *word, int bit)
{
    if (bit >= 64)
        word->hi ^= UINT64_C(1) << (bit - 64);
    else if (bit >= 0)
        word->lo ^= UINT64_C(1) << bit;
}

static void make(gw_ctx *ctx, flipped *f, size_t len, int bit, int other)
{
    gw_txc_fill(ctx, f->payload, len);
    f->draft = gw_txc_draft(ctx, f->payload, len);
    f->num = gw_txc_run(ctx, &f->draft, f->beats, GW_ARRAY_LEN(f->beats));
    flip(&f->beats[HEADER], bit);
    flip(&f->beats[HEADER], other);
}

static void send(gw_ctx *ctx, const flipped *f)
{
    (void)gw_txc_beats(ctx, gw_txc_net(ctx), f->beats, f->num);
}

/* Bits of virt_chan that name the channel, of header-only and of packet_size: the receiver needs
 * them while the packet is still coming. */
static bool is_framing(int bit)
{
    return bit < 4 || (bit >= 47 && bit <= 61);
}

static void flip_each(gw_ctx *ctx, bool framing, const char *rule)
{
    flipped f;
    gw_txc_got got;
    char what[64];
    const char *net = gw_txc_net(ctx);

    gw_txc_use_edac(ctx);
    for (int bit = 0; bit < 128; bit++) {
        if (is_framing(bit) != framing)
            continue;
        make(ctx, &f, 48, bit, -1);
        gw_txc_drain(ctx, net);
        send(ctx, &f);
        (void)snprintf(what, sizeof(what), "a packet with bit %d of its header flipped", bit);
        gw_txc_back(ctx, &f.draft, &got, rule, what);
        gw_txc_credit(ctx, net, 0x40, 0x40);
    }
}

static void single_flips(gw_ctx *ctx)
{
    flip_each(ctx, false, "TX-L6");
}

static void framing_flips(gw_ctx *ctx)
{
    flip_each(ctx, true, "TX-L8");
}

static uint32_t error_counts(gw_ctx *ctx)
{
    return gw_regs_read(ctx, GW_TX_LINK_0_STATUS_0 + GW_TX_LINK_ERROR);
}

static void double_flips(gw_ctx *ctx)
{
    static const int8_t pairs[][2] = {{21, 25}, {0, 28}, {21, 100}, {3, 0}};
    const char *net = gw_txc_net(ctx);
    flipped f;
    gw_txc_got got;
    gw_miss miss = {.rule = "TX-L7"};

    gw_txc_use_edac(ctx);
    for (size_t i = 0; i < GW_ARRAY_LEN(pairs); i++) {
        uint32_t before = error_counts(ctx) & 0xffff;
        make(ctx, &f, 32, pairs[i][0], pairs[i][1]);
        gw_txc_drain(ctx, net);
        send(ctx, &f);
        uint32_t want = (before + 1) & 0xffff;
        uint32_t after = gw_txc_soon(ctx, GW_TX_LINK_0_STATUS_0 + GW_TX_LINK_ERROR, 0xffff, want);
        miss.expected = want;
        miss.got = after & 0xffff;
        if (miss.got != want)
            gw_case_fail(ctx, &miss, "bits %d and %d flipped are not counted as a fatal error",
                         pairs[i][0], pairs[i][1]);
        if (gw_txc_next(ctx, net, &got, 0)) {
            miss.packet = got.number;
            gw_case_fail(ctx, &miss, "a packet with bits %d and %d flipped was used", pairs[i][0],
                         pairs[i][1]);
        }
    }
}

static void fatal(gw_ctx *ctx)
{
    static const uint8_t lens[] = {0, 16, 32, 128};
    const char *net = gw_txc_net(ctx);
    flipped f;
    gw_txc_got got;

    gw_txc_use_edac(ctx);
    for (size_t i = 0; i < GW_ARRAY_LEN(lens); i++) {
        make(ctx, &f, lens[i], 21, 100);
        gw_txc_drain(ctx, net);
        send(ctx, &f);
        gw_txc_credit(ctx, net, 0x40, 0x40);
        make(ctx, &f, 48, -1, -1);
        send(ctx, &f);
        gw_txc_back(ctx, &f.draft, &got, "TX-L9", "a good packet after a fatal one");
        gw_txc_credit(ctx, net, 0x40, 0x40);
    }
}

static void counters(gw_ctx *ctx)
{
    const char *net = gw_txc_net(ctx);
    flipped f;

    gw_txc_use_edac(ctx);
    uint32_t before = error_counts(ctx);
    for (int i = 0; i < 5; i++) {
        make(ctx, &f, 16, 21 + i, i < 3 ? -1 : 100);
        send(ctx, &f);
        gw_txc_credit(ctx, net, 0x40, 0x40);
    }
    uint32_t want = ((before >> 16) + 3) << 16 | ((before + 2) & 0xffff);
    uint32_t after = gw_txc_soon(ctx, GW_TX_LINK_0_STATUS_0 + GW_TX_LINK_ERROR, UINT32_MAX, want);
    gw_miss miss = {.rule = "TX-L10", .expected = want, .got = after};
    if (after != want)
        gw_case_fail(ctx, &miss,
                     "LINK_0_ERROR went from 0x%08" PRIx32 " to 0x%08" PRIx32
                     " by three single and two fatal errors; 0x%08" PRIx32 " is expected",
                     before, after, want);
}

/* A header whose check byte happens to be 0 is protected like any other. */
static bool has_zero_check(const gw_tx_header *h)
{
    return gw_tx_protect(gw_tx_pack(h, GW_TX_PORT)).hi >> 56 == 0;
}

/* Looks for a channel and an address with which the check byte is 0: one pair in 256 will do, and
 * no address alone, as all its bits lie in the same half of the code. At least one is drawn, so
 * that no two packets are the same. */
static void make_check_zero(gw_ctx *ctx, gw_tx_header *h)
{
    unsigned left = 10000;

    do {
        h->proc_id = (uint16_t)(1 + gw_case_random(ctx) % 126);
        h->dest_addr = gw_case_random(ctx) & UINT32_MAX;
    } while (!has_zero_check(h) && --left > 0);
    if (left == 0)
        gw_case_error(ctx, "no header was found whose check byte is 0");
}

static void clean_headers(gw_ctx *ctx)
{
    static const uint8_t lens[] = {16, 48, 128};
    gw_txc_got got;
    uint8_t payload[128];

    gw_txc_use_edac(ctx);
    uint32_t before = error_counts(ctx);
    for (size_t i = 0; i < GW_ARRAY_LEN(lens); i++) {
        gw_txc_fill(ctx, payload, lens[i]);
        gw_tx_draft draft = gw_txc_draft(ctx, payload, lens[i]);
        gw_txc_round(ctx, &draft, &got, "TX-L9", "a packet under EDAC");
        draft.header.packet_size = lens[i];
        make_check_zero(ctx, &draft.header);
        gw_txc_round(ctx, &draft, &got, "TX-L9", "a packet whose right check byte is 0");
    }
    uint32_t after = error_counts(ctx);
    gw_miss miss = {.rule = "TX-L10", .expected = before, .got = after};
    if (after != before)
        gw_case_fail(ctx, &miss,
                     "LINK_0_ERROR went from 0x%08" PRIx32 " to 0x%08" PRIx32
                     " by packets without an error",
                     before, after);
}

/* Sends |f|'s beats without the one at |skipped|. */
static void send_without(gw_ctx *ctx, flipped *f, size_t skipped)
{
    for (size_t i = skipped; i + 1 < f->num; i++)
        f->beats[i] = f->beats[i + 1];
    (void)gw_txc_beats(ctx, gw_txc_net(ctx), f->beats, f->num - 1);
}

static void start_alone(gw_ctx *ctx)
{
    static const char *const what[] = {"START without MAGIC", "MAGIC without START"};
    const char *net = gw_txc_net(ctx);
    flipped f;

    for (size_t skipped = 0; skipped < GW_ARRAY_LEN(what); skipped++) {
        make(ctx, &f, 48, -1, -1);
        gw_txc_drain(ctx, net);
        send_without(ctx, &f, skipped);
        gw_txc_silence(ctx, net, "TX-L1", what[skipped]);
        gw_txc_credit(ctx, net, 0x40, 0x40); /* the words were taken for some */
        gw_txc_still_works(ctx, "TX-L1", what[skipped]);
    }
}

static void after_idle(gw_ctx *ctx)
{
    gw_tx_word credits[320];

    for (size_t i = 0; i < GW_ARRAY_LEN(credits); i++)
        credits[i] = gw_tx_credit_pack(&(gw_tx_credit){.vc = {{0x40, 0x40}, {0x40, 0x40}}});
    (void)gw_txc_beats(ctx, gw_txc_net(ctx), credits, GW_ARRAY_LEN(credits));
    gw_txc_still_works(ctx, "TX-L13", "320 words of idle");
}

/* The packet behind one that breaks off may be taken for its rest; not the one after that. */
static void break_off(gw_ctx *ctx)
{
    const char *net = gw_txc_net(ctx);
    gw_txc_got got;
    flipped f;

    gw_txc_drain(ctx, net);
    make(ctx, &f, 48, -1, -1);
    send(ctx, &f);
    if (!gw_txc_next(ctx, net, &got, gw_case_settle_ns(ctx)) ||
        got.p.header.proc_id != f.draft.header.proc_id)
        gw_case_note(ctx, "a packet that breaks off takes the next one with it");
}

static void garbage(gw_ctx *ctx)
{
    const char *net = gw_txc_net(ctx);
    const gw_tx_word magic = {GW_TX_MAGIC, GW_TX_MAGIC};
    gw_tx_word noise[8];
    flipped f;

    for (size_t i = 0; i < GW_ARRAY_LEN(noise); i++)
        noise[i] = (gw_tx_word){gw_case_random(ctx) >> 1, gw_case_random(ctx) >> 1};
    (void)gw_txc_beats(ctx, net, noise, GW_ARRAY_LEN(noise));
    gw_txc_credit(ctx, net, 0x40, 0x40);
    gw_txc_still_works(ctx, "TX-L13", "words that belong to no packet");
    noise[0] = magic; /* and no START */
    (void)gw_txc_beats(ctx, net, noise, 2);
    gw_txc_credit(ctx, net, 0x40, 0x40);
    gw_txc_still_works(ctx, "TX-L13", "MAGIC without START");
    make(ctx, &f, 64, -1, -1);
    (void)gw_txc_beats(ctx, net, f.beats, 5);
    break_off(ctx);
    gw_txc_still_works(ctx, "TX-L13", "a packet that breaks off");
    make(ctx, &f, 64, 1, -1); /* virt_chan 0x12: no such channel */
    send(ctx, &f);
    gw_txc_credit(ctx, net, 0x40, 0x40);
    gw_txc_still_works(ctx, "TX-L13", "a packet for a channel that does not exist");
}

static void stuffed(gw_ctx *ctx)
{
    const gw_tx_word magic = {GW_TX_MAGIC, GW_TX_MAGIC};
    const gw_tx_word credit =
        gw_tx_credit_pack(&(gw_tx_credit){.vc = {{0x40, 0x40}, {0x40, 0x40}}});
    const char *net = gw_txc_net(ctx);
    gw_tx_word beats[64];
    size_t num = 0;
    flipped f;
    gw_txc_got got;

    make(ctx, &f, 48, -1, -1);
    for (size_t i = 0; i < f.num; i++) {
        bool inside = i >= HEADER && i + 1 < f.num; /* up to the footer */
        for (size_t pairs = inside ? 1 + i % 2 : 0; pairs > 0; pairs--) {
            beats[num++] = magic;
            beats[num++] = credit;
        }
        beats[num++] = f.beats[i];
    }
    gw_txc_drain(ctx, net);
    (void)gw_txc_beats(ctx, net, beats, num);
    gw_txc_back(ctx, &f.draft, &got, "TX-L3", "a packet with credits stuffed into it");
}

#define NEEDS GW_LIST("link", "regs")
#define AFTER GW_LIST("tx-l/run-start")

const gw_case gw_tx_l_receive[] = {
    {.id = "tx-l/stuffed",
     .title = "Credits stuffed into a packet are taken out",
     .rules = GW_LIST("TX-L3"),
     .after = AFTER,
     .needs = NEEDS,
     .run = stuffed},
    {.id = "tx-l/start-alone",
     .title = "Words that lack MAGIC or START are not taken for a packet",
     .rules = GW_LIST("TX-L1"),
     .after = AFTER,
     .needs = NEEDS,
     .negative = true,
     .run = start_alone},
    {.id = "tx-l/after-idle",
     .title = "The first packet after a long idle time is accepted",
     .rules = GW_LIST("TX-L13"),
     .after = AFTER,
     .needs = NEEDS,
     .run = after_idle},
    {.id = "tx-l/garbage",
     .title = "After garbage the receiver is in step again with the next packet",
     .rules = GW_LIST("TX-L13"),
     .after = AFTER,
     .needs = NEEDS,
     .negative = true,
     .run = garbage},
    {.id = "tx-l/clean-headers",
     .title = "Headers without an error pass the check, and are not counted as errors",
     .rules = GW_LIST("TX-L9", "TX-L10"),
     .after = AFTER,
     .needs = NEEDS,
     .run = clean_headers},
    {.id = "tx-l/single-flips",
     .title = "A flipped bit of a header is corrected",
     .rules = GW_LIST("TX-L6"),
     .after = AFTER,
     .needs = NEEDS,
     .negative = true,
     .run = single_flips},
    {.id = "tx-l/framing-flips",
     .title = "Size, type and channel are those of the corrected header",
     .rules = GW_LIST("TX-L8"),
     .after = AFTER,
     .needs = NEEDS,
     .negative = true,
     .run = framing_flips},
    {.id = "tx-l/double-flips",
     .title = "Two flipped bits of a header are a fatal error",
     .rules = GW_LIST("TX-L7"),
     .after = GW_LIST("tx-l/run-start", "tx-l/garbage"),
     .needs = NEEDS,
     .negative = true,
     .run = double_flips},
    {.id = "tx-l/fatal",
     .title = "Nothing is left of a packet with a fatal header",
     .rules = GW_LIST("TX-L9"),
     .after = GW_LIST("tx-l/run-start", "tx-l/garbage"),
     .needs = NEEDS,
     .negative = true,
     .run = fatal},
    {.id = "tx-l/counters",
     .title = "Single and fatal errors are counted apart",
     .rules = GW_LIST("TX-L10"),
     .after = GW_LIST("tx-l/run-start", "tx-l/garbage"),
     .needs = NEEDS,
     .negative = true,
     .run = counters},
    {.id = NULL},
};
