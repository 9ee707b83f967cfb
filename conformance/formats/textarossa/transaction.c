/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA cases: sending a packet and judging what comes back. */
#include <string.h>

#include "formats/textarossa/suite.h"

void gw_txc_silence(gw_ctx *ctx, const char *link, const char *rule, const char *after)
{
    gw_txc_got got;
    gw_miss miss = {.rule = rule};

    if (gw_txc_await(ctx, link, &got, gw_case_settle_ns(ctx))) {
        miss.packet = got.number;
        gw_case_fail(ctx, &miss, "a packet came over %s after %s; none is expected", link, after);
    }
}

typedef struct judging {
    gw_verdict_sink sink;
    gw_ctx *ctx;
    unsigned number;
} judging;

static void found(gw_verdict_sink *sink, const gw_finding *f)
{
    judging *j = (judging *)sink;
    gw_miss miss = {
        .rule = f->rule->id, .field = f->field, .packet = j->number, .offset = f->offset};

    if (f->rule->level == GW_MUST)
        gw_case_fail(j->ctx, &miss, "%s", f->text);
}

void gw_txc_judge(gw_ctx *ctx, const gw_txc_got *got)
{
    judging j = {.sink = {.finding = found}, .ctx = ctx, .number = got->number};
    gw_miss miss = {.rule = "TX-E2", .packet = got->number, .offset = got->error.offset};

    gw_textarossa.check(&got->message, gw_case_dialect(ctx), &j.sink);
    if (got->error.kind != GW_OK)
        gw_case_fail(ctx, &miss, "the packet cannot be decoded from byte %u on", got->error.offset);
}

/* Whether |payload| is |want| with the bytes of every word the other way round. */
static bool is_reversed(const uint8_t *payload, const uint8_t *want, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        size_t other = i / GW_TX_WORD * GW_TX_WORD + (GW_TX_WORD - 1 - i % GW_TX_WORD);
        if (other < len && payload[i] != want[other])
            return false;
    }
    return true;
}

void gw_txc_same(gw_ctx *ctx, const gw_txc_got *got, const gw_tx_draft *sent, const char *rule)
{
    uint8_t payload[GW_TX_PAYLOAD_MAX];
    const uint8_t *want = sent->payload;
    gw_miss miss = {.rule = rule, .packet = got->number};
    size_t len = gw_tx_copy_payload(&got->p, payload, sizeof(payload));
    gw_tx_header h = gw_tx_unpack(got->p.edac.word, GW_TX_PORT);

    if (h.packet_size != sent->payload_len || len != sent->payload_len)
        gw_case_fail(ctx, &miss, "%u bytes came of a payload of %zu", h.packet_size,
                     sent->payload_len);
    if (len >= GW_TX_WORD && memcmp(payload, want, len) != 0 && is_reversed(payload, want, len)) {
        miss.rule = "TX-E11";
        gw_case_fail(ctx, &miss, "the bytes of every word come the other way round");
    }
    for (size_t i = 0; i < len; i++) {
        miss.expected = want[i];
        miss.got = payload[i];
        miss.offset = got->p.payload_offset + (uint32_t)i;
        if (payload[i] != want[i])
            gw_case_fail(ctx, &miss, "byte %zu of the payload is 0x%02x; 0x%02x was sent", i,
                         payload[i], want[i]);
    }
}

void gw_txc_back(gw_ctx *ctx, const gw_tx_draft *sent, gw_txc_got *got, const char *rule,
                 const char *what)
{
    gw_miss miss = {.rule = rule};

    if (!gw_txc_await(ctx, gw_txc_net(ctx), got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "%s did not come back", what);
    miss.packet = got->number;
    gw_txc_judge(ctx, got);
    if (got->p.header.proc_id != sent->header.proc_id)
        gw_case_fail(ctx, &miss, "channel %u came where %s on channel %u is expected",
                     got->p.header.proc_id, what, sent->header.proc_id);
    gw_txc_same(ctx, got, sent, rule);
}

void gw_txc_round(gw_ctx *ctx, const gw_tx_draft *draft, gw_txc_got *got, const char *rule,
                  const char *what)
{
    const char *net = gw_txc_net(ctx);

    gw_txc_drain(ctx, net);
    (void)gw_txc_send(ctx, net, draft);
    gw_txc_back(ctx, draft, got, rule, what);
    if (gw_txc_over_link(ctx, net))
        gw_txc_credit(ctx, net, 0x40, 0x40); /* taken out of our FIFOs */
}

void gw_txc_swallow(gw_ctx *ctx)
{
    static const unsigned enough = 64;
    gw_txc_got got;

    for (unsigned i = 0;
         i < enough && gw_txc_next(ctx, gw_txc_net(ctx), &got, gw_case_settle_ns(ctx)); i++)
        ;
}

void gw_txc_provoke(gw_ctx *ctx, const gw_tx_draft *draft)
{
    const char *net = gw_txc_net(ctx);
    gw_txc_got got;

    gw_txc_drain(ctx, net);
    (void)gw_txc_send(ctx, net, draft);
    if (gw_txc_next(ctx, net, &got, gw_case_settle_ns(ctx)))
        gw_txc_judge(ctx, &got);
    if (gw_txc_over_link(ctx, net))
        gw_txc_credit(ctx, net, 0x40, 0x40);
}

void gw_txc_still_works(gw_ctx *ctx, const char *rule, const char *after)
{
    uint8_t payload[48];
    gw_txc_got got;
    char what[160];
    gw_text text = gw_text_over(what, sizeof(what));

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    gw_text_str(&text, "a good packet after ");
    gw_text_str(&text, after);
    gw_txc_round(ctx, &draft, &got, rule, what);
}
