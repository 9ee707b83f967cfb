/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS Worker cases: what the codec's checks and its session say about a conversation. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cases/ims_w.h"
#include "goldwire/cursor.h"

/* Whom the session sees talking: one address each, wherever both really are. */
static const gw_endpoint buffer_end = {
    .ip = {127, 0, 0, 1}, .port = GW_ROCE_PORT, .family = GW_FAMILY_IPV4};
static const gw_endpoint worker_end = {
    .ip = {127, 0, 0, 2}, .port = GW_ROCE_PORT, .family = GW_FAMILY_IPV4};

/* The codec's message for packet |number| of the evidence, its ICRC judged by the real addresses.
 */
static bool message_of(gw_ctx *ctx, unsigned number, gw_message *out, gw_ib *ib)
{
    const gw_evidence_packet *packet = gw_case_seen(ctx, number);
    if (packet == NULL || packet->len < GW_IB_ICRC)
        return false;
    const uint8_t *data = gw_case_seen_bytes(ctx, number);
    uint32_t len = packet->len - GW_IB_ICRC;
    bool in = packet->dir == GW_DIR_IN;
    const gw_endpoint *src = in ? &packet->remote : &packet->local;
    const gw_endpoint *dst = in ? &packet->local : &packet->remote;
    *ib =
        (gw_ib){.icrc = gw_load_le32(data + len),
                .icrc_due = gw_ib_icrc_udp(NULL, src, dst, data, len),
                .icrc_verdict = (uint8_t)gw_ib_judge_udp(NULL, src, dst, data, packet->len, true)};
    *out = gw_message_of(data, len);
    out->src = in ? worker_end : buffer_end;
    out->dst = in ? buffer_end : worker_end;
    out->dir = packet->dir;
    out->time_ns = packet->time_ns;
    out->transport = GW_OVER_UDP;
    out->frame = number;
    out->frames[0] = number;
    out->num_frames = 1;
    out->ib = ib;
    return true;
}

/* The first finding against a rule. */
typedef struct fault {
    bool found;
    unsigned packet; /* in the evidence */
    uint32_t offset;
    const gw_field *field;
    char text[256];
} fault;

typedef struct scan {
    gw_verdict_sink sink; /* first */
    gw_ctx *ctx;
    const char *rule;
    fault fault;
} scan;

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    scan *s = (scan *)sink;
    const gw_evidence_packet *packet = gw_case_seen(s->ctx, (unsigned)finding->frame);
    if (s->fault.found || packet == NULL || packet->dir != GW_DIR_IN ||
        strcmp(finding->rule->id, s->rule) != 0)
        return;
    s->fault = (fault){.found = true,
                       .packet = (unsigned)finding->frame,
                       .offset = finding->offset,
                       .field = finding->field};
    (void)snprintf(s->fault.text, sizeof(s->fault.text), "%s", finding->text);
}

/* A wrong ICRC is a fault of its own: the packet is looked at as if it were right. */
static void feed(scan *s, void *session, gw_message *m, gw_ib *ib, const gw_dialect *dialect)
{
    if (m->dir == GW_DIR_IN)
        gw_ims.check(m, dialect, &s->sink);
    ib->icrc_verdict = GW_IB_NOT_JUDGED;
    if (m->dir == GW_DIR_IN)
        gw_ims.check(m, dialect, &s->sink);
    gw_ims.session->feed(session, m, dialect, &s->sink);
}

static fault look_for(gw_ctx *ctx, const char *rule, const gw_dialect *dialect)
{
    gw_imsw_state *state = gw_imsw_state_of(ctx);
    scan s = {.sink = {.finding = on_finding}, .ctx = ctx, .rule = rule};
    gw_message m;
    gw_ib ib;
    if (!gw_ims.session->init(state->session, sizeof(state->session), 60 * GW_SECOND))
        gw_case_error(ctx, "no room for a session");
    for (unsigned number = 1; gw_case_seen(ctx, number) != NULL; number++)
        if (message_of(ctx, number, &m, &ib))
            feed(&s, state->session, &m, &ib, dialect);
    gw_ims.session->end(state->session, &s.sink);
    return s.fault;
}

static void judge_by(gw_ctx *ctx, const char *rule, const gw_dialect *dialect)
{
    fault f = look_for(ctx, rule, dialect);
    if (!f.found)
        return;
    gw_miss miss = {.rule = rule, .field = f.field, .packet = f.packet, .offset = f.offset};
    gw_case_mark(ctx, f.packet, "%s at byte %" PRIu32 ": %s", rule, f.offset, f.text);
    gw_case_fail(ctx, &miss, "packet %u, byte %" PRIu32 ": %s", f.packet, f.offset, f.text);
}

void gw_imsw_judge(gw_ctx *ctx, const char *rule)
{
    judge_by(ctx, rule, gw_case_dialect(ctx));
}

void gw_imsw_judge_images(gw_ctx *ctx, const char *rule)
{
    judge_by(ctx, rule, gw_dialect_by_name(&gw_ims, "images"));
}
