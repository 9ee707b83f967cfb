/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA switch: sending in at one place and looking where it comes out. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/textarossa/switch/suite.h"

static const char *const links[] = {"port0", "port1", "port2", "port3", "x+", "x-"};

const char *gw_txs_exit(const gw_tx_hop *hop)
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

/* A switch sends to whoever was heard on a port; an empty datagram is heard. */
static void greet_ports(gw_ctx *ctx)
{
    gw_txc_state *s = gw_case_state(ctx);

    if (s->greeted)
        return;
    for (size_t i = 0; i < GW_ARRAY_LEN(links); i++)
        if (links[i][0] == 'p')
            (void)gw_case_send(ctx, gw_case_link(ctx, links[i]), "", 0);
    s->greeted = true;
}

void gw_txs_drain(gw_ctx *ctx)
{
    greet_ports(ctx);
    for (size_t i = 0; i < GW_ARRAY_LEN(links); i++)
        gw_txc_drain(ctx, links[i]);
}

const char *gw_txs_elsewhere(gw_ctx *ctx, const char *link, gw_txc_got *got)
{
    for (size_t i = 0; i < GW_ARRAY_LEN(links); i++) {
        if (strcmp(links[i], link) != 0 && gw_txc_next(ctx, links[i], got, 0))
            return links[i];
    }
    return NULL;
}

void gw_txs_arrive(gw_ctx *ctx, const char *link, gw_txc_got *got, const char *rule,
                   const char *what)
{
    gw_miss miss = {.rule = rule};

    if (gw_txc_await(ctx, link, got, gw_case_reply_ns(ctx)))
        return;
    const char *seen = gw_txs_elsewhere(ctx, link, got);
    if (seen != NULL) {
        miss.packet = got->number;
        if (link[0] == 'x' && seen[0] == 'x')
            miss.rule = "TX-S1"; /* the wrong way, whatever else */
        gw_case_fail(ctx, &miss, "%s came out at %s; %s is expected", what, seen, link);
    }
    gw_case_fail(ctx, &miss, "%s did not come out at %s, nor anywhere else", what, link);
}

/* Compares the header that left with what routing says of it. The check byte belongs to the link.
 */
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

void gw_txs_place(gw_ctx *ctx, unsigned me, uint32_t lattice)
{
    gw_txc_write(ctx, GW_TX_COORDME_REG, me);
    gw_txc_write(ctx, GW_TX_LATTICESIZE_REG, lattice);
}

void gw_txs_route(gw_ctx *ctx, unsigned me, uint32_t lattice, const char *from,
                  const gw_tx_draft *draft, gw_txc_got *got, const char *rule)
{
    char what[96];
    gw_tx_torus torus = gw_tx_torus_of(me, lattice);
    gw_tx_hop hop = gw_tx_route(&torus, &draft->header, from[0] == 'p');
    const char *to = gw_txs_exit(&hop);

    (void)snprintf(what, sizeof(what), "a packet from %s of node %u to node %u of %u", from, me,
                   draft->header.dest_x, torus.size_x);
    gw_txs_drain(ctx);
    (void)gw_txc_send(ctx, from, draft);
    gw_txs_arrive(ctx, to, got, rule, what);
    hop.header.packet_size = (uint16_t)draft->payload_len;
    judge_header(ctx, got, &hop, what);
    if (to[0] == 'x')
        gw_txc_credit(ctx, to, 0x40, 0x40);
}

gw_tx_draft gw_txs_packet(gw_ctx *ctx, unsigned x, uint8_t *payload, size_t len)
{
    gw_txc_fill(ctx, payload, len);
    gw_tx_draft draft = gw_txc_draft(ctx, payload, len);
    draft.header.dest_x = (uint8_t)x;
    return draft;
}

void gw_txs_same_footer(gw_ctx *ctx, const gw_txc_got *got, const gw_tx_draft *draft,
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

void gw_txs_inputs_work(gw_ctx *ctx, const char *rule)
{
    uint8_t payload[16];
    gw_txc_got got;

    for (size_t i = 0; i < 2; i++) {
        gw_tx_draft draft = gw_txs_packet(ctx, 0, payload, sizeof(payload));
        gw_txs_drain(ctx);
        (void)gw_txc_send(ctx, i == 0 ? "x-" : "port1", &draft);
        gw_txs_arrive(ctx, "port0", &got, rule, "a good packet after it");
    }
}
