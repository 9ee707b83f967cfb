/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA switch: where packets go, and how they look then. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cases/tx.h"

static const char *const links[] = {"port0", "port1", "port2", "port3", "x+", "x-"};

static const char *exit_of(const gw_tx_hop *hop)
{
    if (hop->exit == GW_TX_EXIT_LOCAL)
        return links[hop->port % 4];
    return hop->exit == GW_TX_EXIT_X_PLUS ? "x+" : "x-";
}

/* What a rule of routing says of the header. */
static const char *rule_for(const gw_tx_hop *want, const gw_tx_header *got)
{
    uint8_t differs = want->header.virt_chan ^ got->virt_chan;

    if (want->exit == GW_TX_EXIT_LOCAL)
        return want->header.out_of_lattice != 0 ? "TX-S4" : "TX-S5";
    return (differs & GW_TX_LAST) != 0 ? "TX-S3" : "TX-S2";
}

static void drain_all(gw_ctx *ctx)
{
    for (size_t i = 0; i < GW_ARRAY_LEN(links); i++)
        gw_txc_drain(ctx, links[i]);
}

/* Waits for a packet on |link|; when it comes elsewhere, or not at all, |rule| is broken. */
static void arrive(gw_ctx *ctx, const char *link, gw_txc_got *got, const char *rule,
                   const char *what)
{
    gw_miss miss = {.rule = rule};

    if (gw_txc_next(ctx, link, got, gw_case_reply_ns(ctx)))
        return;
    for (size_t i = 0; i < GW_ARRAY_LEN(links); i++) {
        if (strcmp(links[i], link) == 0 || !gw_txc_next(ctx, links[i], got, 0))
            continue;
        miss.packet = got->number;
        gw_case_fail(ctx, &miss, "%s came out at %s; %s is expected", what, links[i], link);
    }
    gw_case_fail(ctx, &miss, "%s did not come out at %s, nor anywhere else", what, link);
}

/* Compares the header that left with what routing says of it. |link_status| bits, the check byte,
 * belong to the link. */
static void judge_header(gw_ctx *ctx, const gw_txc_got *got, const gw_tx_hop *want,
                         const char *what)
{
    gw_tx_header seen = got->p.header, wanted = want->header;
    gw_miss miss = {.packet = got->number, .offset = got->p.header_offset};

    miss.expected = wanted.virt_chan;
    miss.got = seen.virt_chan;
    miss.rule = rule_for(want, &seen);
    if (seen.virt_chan != wanted.virt_chan)
        gw_case_fail(ctx, &miss, "%s leaves with virt_chan 0x%02x; 0x%02x is expected", what,
                     seen.virt_chan, wanted.virt_chan);
    miss.expected = wanted.out_of_lattice;
    miss.got = seen.out_of_lattice;
    if (want->exit != GW_TX_EXIT_LOCAL)
        miss.rule = "TX-S6";
    if (seen.out_of_lattice != wanted.out_of_lattice)
        gw_case_fail(ctx, &miss, "%s leaves with out_of_lattice %u; %u is expected", what,
                     seen.out_of_lattice, wanted.out_of_lattice);
    if (seen.num_of_hops != wanted.num_of_hops)
        gw_case_note(ctx, "the hop counter goes from %u to %u", wanted.num_of_hops,
                     seen.num_of_hops);
    seen.edac = wanted.edac = 0;
    seen.num_of_hops = wanted.num_of_hops = 0;
    gw_tx_word a = gw_tx_pack(&seen, GW_TX_PORT), b = gw_tx_pack(&wanted, GW_TX_PORT);
    miss.rule = "TX-S6";
    miss.expected = b.lo;
    miss.got = a.lo;
    if (a.lo != b.lo || a.hi != b.hi)
        gw_case_fail(ctx, &miss,
                     "%s leaves with header 0x%016" PRIx64 "%016" PRIx64 "; 0x%016" PRIx64
                     "%016" PRIx64 " is expected",
                     what, a.hi, a.lo, b.hi, b.lo);
}

/* Where the board is, and how large its lattice. */
static void place(gw_ctx *ctx, unsigned me, uint32_t lattice)
{
    gw_txc_write(ctx, GW_TX_COORDME_REG, me);
    gw_txc_write(ctx, GW_TX_LATTICESIZE_REG, lattice);
}

/* Sends |draft| in at |from| and wants it where routing says. */
static void route(gw_ctx *ctx, unsigned me, uint32_t lattice, const char *from,
                  const gw_tx_draft *draft, gw_txc_got *got, const char *rule)
{
    char what[96];
    gw_tx_torus torus = gw_tx_torus_of(me, lattice);
    gw_tx_hop hop = gw_tx_route(&torus, &draft->header, from[0] == 'p');
    const char *to = exit_of(&hop);

    (void)snprintf(what, sizeof(what), "a packet from %s of node %u to node %u of %u", from, me,
                   draft->header.dest_x, torus.size_x);
    drain_all(ctx);
    (void)gw_txc_send(ctx, from, draft);
    arrive(ctx, to, got, rule, what);
    hop.header.packet_size = (uint16_t)draft->payload_len;
    judge_header(ctx, got, &hop, what);
    if (to[0] == 'x')
        gw_txc_credit(ctx, to, 0x40, 0x40);
}

static gw_tx_draft packet_to(gw_ctx *ctx, unsigned x, uint8_t *payload, size_t len)
{
    gw_txc_fill(ctx, payload, len);
    gw_tx_draft draft = gw_txc_draft(ctx, payload, len);
    draft.header.dest_x = (uint8_t)x;
    return draft;
}

static void ring(gw_ctx *ctx)
{
    uint8_t payload[16];
    gw_txc_got got;

    for (unsigned me = 0; me < GW_TXC_RING; me++) {
        place(ctx, me, GW_TXC_LATTICE);
        for (unsigned to = 0; to < GW_TXC_RING; to++) {
            gw_tx_draft draft = packet_to(ctx, to, payload, sizeof(payload));
            route(ctx, me, GW_TXC_LATTICE, "x-", &draft, &got, "TX-S1");
            route(ctx, me, GW_TXC_LATTICE, "port1", &draft, &got, "TX-S1");
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
            place(ctx, me, lattice);
            gw_tx_draft draft = packet_to(ctx, to, payload, sizeof(payload));
            route(ctx, me, lattice, "x-", &draft, &got, "TX-S1");
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
            gw_tx_draft draft = packet_to(ctx, to, payload, sizeof(payload));
            draft.header.virt_chan = channels[i];
            route(ctx, 0, GW_TXC_LATTICE, "port2", &draft, &got, "TX-S1");
        }
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
        gw_tx_draft draft = packet_to(ctx, places[i].x, payload, sizeof(payload));
        draft.header.dest_y = places[i].y;
        draft.header.dest_z = places[i].z;
        draft.header.intra_dest = 2;
        route(ctx, 0, GW_TXC_LATTICE, "x-", &draft, &got, "TX-S4");
        route(ctx, 0, GW_TXC_LATTICE, "port3", &draft, &got, "TX-S4");
    }
}

static void deliver(gw_ctx *ctx)
{
    uint8_t payload[16];
    gw_txc_got got;

    for (uint8_t port = 0; port < 4; port++) {
        gw_tx_draft draft = packet_to(ctx, 0, payload, sizeof(payload));
        draft.header.intra_dest = port;
        draft.header.virt_chan = GW_TX_LAST_VC1;
        draft.header.out_of_lattice = 1;
        route(ctx, 0, GW_TXC_LATTICE, "x-", &draft, &got, "TX-S5");
        route(ctx, 0, GW_TXC_LATTICE, "port0", &draft, &got, "TX-S5");
    }
}

static void same_footer(gw_ctx *ctx, const gw_txc_got *got, const gw_tx_draft *draft,
                        const char *rule)
{
    gw_miss miss = {.rule = rule,
                    .packet = got->number,
                    .offset = got->p.footer_offset,
                    .expected = draft->footer.lo,
                    .got = got->p.footer.lo};

    if (!got->p.has_footer || got->p.footer.lo != draft->footer.lo ||
        got->p.footer.hi != draft->footer.hi)
        gw_case_fail(ctx, &miss,
                     "the footer left as 0x%016" PRIx64 "%016" PRIx64 "; it came as 0x%016" PRIx64
                     "%016" PRIx64,
                     got->p.footer.hi, got->p.footer.lo, draft->footer.hi, draft->footer.lo);
}

static void transparent(gw_ctx *ctx)
{
    uint8_t payload[48];
    gw_txc_got got;

    for (unsigned i = 0; i < 8; i++) {
        gw_tx_draft draft = packet_to(ctx, i % GW_TXC_RING, payload, sizeof(payload));
        draft.header.proc_id = (uint16_t)gw_case_random(ctx);
        draft.header.reserved = 1;
        draft.header.num_of_hops = (uint16_t)(gw_case_random(ctx) & 0x3ff);
        draft.header.dest_addr = gw_case_random(ctx) >> 16;
        draft.header.packet_type = (uint8_t)(gw_case_random(ctx) & 0xf);
        draft.footer = (gw_tx_word){gw_case_random(ctx), gw_case_random(ctx)};
        route(ctx, 0, GW_TXC_LATTICE, "x-", &draft, &got, "TX-S1");
        same_footer(ctx, &got, &draft, "TX-S6");
        gw_txc_same(ctx, &got, &draft, "TX-S6");
    }
}

static void footer(gw_ctx *ctx)
{
    uint8_t payload[16];
    gw_txc_got got;

    for (unsigned i = 0; i < 16; i++) {
        gw_tx_draft draft = packet_to(ctx, 1, payload, sizeof(payload));
        draft.footer = (gw_tx_word){gw_case_random(ctx), gw_case_random(ctx)};
        gw_txc_drain(ctx, "x+");
        (void)gw_txc_send(ctx, "x+", &draft);
        arrive(ctx, "x+", &got, "TX-L15", "a packet with a random footer");
        same_footer(ctx, &got, &draft, "TX-L15");
        gw_txc_credit(ctx, "x+", 0x40, 0x40);
    }
}

static void words(gw_ctx *ctx)
{
    static const uint16_t sizes[] = {1, 15, 16, 17, 31, 4095, 4096, 0, 33};
    uint8_t payload[GW_TX_PAYLOAD_MAX];
    gw_txc_got got;
    char what[64];

    for (size_t i = 0; i < GW_ARRAY_LEN(sizes); i++) {
        gw_tx_draft draft = packet_to(ctx, 0, payload, sizes[i]);
        draft.header.intra_dest = 1;
        (void)snprintf(what, sizeof(what), "a payload of %u bytes", sizes[i]);
        drain_all(ctx);
        (void)gw_txc_send(ctx, "x-", &draft);
        arrive(ctx, "port1", &got, "TX-S8", what);
        gw_miss miss = {.rule = "TX-S8", .packet = got.number, .offset = got.error.offset};
        if (got.error.kind != GW_OK || !got.p.has_footer)
            gw_case_fail(ctx, &miss, "%s is delivered with a length that does not fit it", what);
        gw_txc_same(ctx, &got, &draft, "TX-S8");
    }
}

static void order(gw_ctx *ctx)
{
    uint8_t payload[16] = {0};
    gw_tx_word beats[128];
    gw_txc_got got;
    size_t num = 0;

    drain_all(ctx);
    for (unsigned i = 0; i < 12; i++) {
        payload[0] = (uint8_t)i;
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        draft.header.dest_x = 0;
        draft.header.intra_dest = 2;
        num += gw_txc_run(ctx, &draft, beats + num, GW_ARRAY_LEN(beats) - num);
    }
    (void)gw_txc_beats(ctx, "x-", beats, num);
    for (unsigned i = 0; i < 12; i++) {
        arrive(ctx, "port2", &got, "TX-S9", "one packet of twelve in a row");
        (void)gw_tx_copy_payload(&got.p, payload, sizeof(payload));
        gw_miss miss = {.rule = "TX-S9", .packet = got.number, .expected = i, .got = payload[0]};
        if (payload[0] != i)
            gw_case_fail(ctx, &miss, "packet %u came where packet %u is due", payload[0], i);
    }
}

/* Both ways into the switch still work. */
static void inputs_work(gw_ctx *ctx, const char *rule)
{
    uint8_t payload[16];
    gw_txc_got got;

    for (size_t i = 0; i < 2; i++) {
        gw_tx_draft draft = packet_to(ctx, 0, payload, sizeof(payload));
        drain_all(ctx);
        (void)gw_txc_send(ctx, i == 0 ? "x-" : "port1", &draft);
        arrive(ctx, "port0", &got, rule, "a good packet after it");
    }
}

static void bad_port(gw_ctx *ctx)
{
    uint8_t payload[16];

    for (unsigned port = 4; port < 16; port += 3) {
        gw_tx_draft draft = packet_to(ctx, 0, payload, sizeof(payload));
        draft.header.intra_dest = (uint8_t)port;
        (void)gw_txc_send(ctx, "x-", &draft);
        (void)gw_txc_send(ctx, "port1", &draft);
    }
    gw_case_wait(gw_case_link(ctx, "x-"), gw_case_settle_ns(ctx));
    inputs_work(ctx, "TX-S10");
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
    inputs_work(ctx, "TX-S11");
}

#define NEEDS GW_LIST("regs", "x-", "port0", "port1", "port2", "port3")

const gw_case gw_tx_s[] = {
    {.id = "tx-s/ring",
     .title = "In a ring of four packets go the shorter way, on the right channel",
     .rules = GW_LIST("TX-S1", "TX-S2", "TX-S3", "TX-S5"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .run = ring},
    {.id = "tx-s/other-rings",
     .title = "So they do in smaller and larger rings",
     .rules = GW_LIST("TX-S1", "TX-S2", "TX-S3"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .run = other_rings},
    {.id = "tx-s/injected",
     .title = "Whoever injects a channel keeps it for the first hop",
     .rules = GW_LIST("TX-S2", "TX-S1", "TX-S3"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .run = injected},
    {.id = "tx-s/bounce",
     .title = "A packet to a node outside the lattice comes to port 0, marked",
     .rules = GW_LIST("TX-S4"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .negative = true,
     .run = bounce},
    {.id = "tx-s/deliver",
     .title = "A delivered packet has mark and channel cleared",
     .rules = GW_LIST("TX-S5"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .run = deliver},
    {.id = "tx-s/transparent",
     .title = "Everything else of header, payload and footer is forwarded as it came",
     .rules = GW_LIST("TX-S6", "TX-S1", "TX-S2", "TX-S3", "TX-S5", "TX-S7"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .run = transparent},
    {.id = "tx-s/words",
     .title = "Payloads of every size are delivered whole",
     .rules = GW_LIST("TX-S8"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .run = words},
    {.id = "tx-s/order",
     .title = "Packets between the same two ports stay in order",
     .rules = GW_LIST("TX-S9"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .run = order},
    {.id = "tx-s/bad-port",
     .title = "A packet for a port that does not exist blocks nothing",
     .rules = GW_LIST("TX-S10"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = NEEDS,
     .negative = true,
     .run = bad_port},
    {.id = "tx-s/too-large",
     .title = "A packet larger than the buffers blocks nothing",
     .rules = GW_LIST("TX-S11"),
     .after = GW_LIST("tx-l/run-start", "tx-l/garbage"),
     .needs = NEEDS,
     .negative = true,
     .run = too_large},
    {.id = "tx-l/footer",
     .title = "A footer crosses a link bit by bit",
     .rules = GW_LIST("TX-L15"),
     .after = GW_LIST("tx-l/run-start"),
     .needs = GW_LIST("link", "regs"),
     .run = footer},
    {.id = NULL},
};
