/* SPDX-License-Identifier: BSD-2-Clause */
/* What a case leaves: packets and notes, and the ways out of it. */
#include "run/ctx.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/stop.h"
#include "run/waive.h"

/* ---- evidence ---- */

unsigned gw_case_recall(gw_ctx *ctx, const gw_evidence_packet *packet, const uint8_t *data)
{
    unsigned number = gw_evidence_add(&ctx->evidence, packet, data);
    if (packet->dir == GW_DIR_IN)
        ctx->last_received = number;
    else
        ctx->last_sent = number;
    ctx->listened = 0; /* what is looked at now is what came earlier */
    return number;
}

const gw_evidence_packet *gw_case_seen(const gw_ctx *ctx, unsigned number)
{
    return gw_evidence_get(&ctx->evidence, number);
}

const uint8_t *gw_case_seen_bytes(const gw_ctx *ctx, unsigned number)
{
    const gw_evidence_packet *packet = gw_evidence_get(&ctx->evidence, number);
    return packet == NULL ? NULL : ctx->evidence.bytes + packet->data;
}

unsigned gw_case_num_seen(const gw_ctx *ctx)
{
    return (unsigned)ctx->evidence.num_packets;
}

void gw_case_mark(gw_ctx *ctx, unsigned number, const char *fmt, ...)
{
    char text[512];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    gw_evidence_comment_on(&ctx->evidence, number, text);
}

void gw_case_note(gw_ctx *ctx, const char *fmt, ...)
{
    char *notes = ctx->result->notes;
    size_t cap = sizeof(ctx->result->notes);
    size_t len = strlen(notes);
    if (len > 0 && len + 1 < cap)
        notes[len++] = '\n';
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(notes + len, cap - len, fmt, args);
    va_end(args);
}

/* ---- which packet a verdict is about ---- */

static unsigned last_of_case(const gw_ctx *ctx)
{
    unsigned num = (unsigned)ctx->evidence.num_packets;
    /* When the evidence was begun anew, |until| is of what was before. */
    return ctx->until != 0 && ctx->until < num ? ctx->until : num;
}

static bool is_bytes(const gw_evidence_packet *packet, gw_direction dir)
{
    return packet->dir == dir && packet->kind == GW_EVIDENCE_BYTES;
}

unsigned gw_ctx_last_received(const gw_ctx *ctx)
{
    if (ctx->listened == 0)
        return ctx->last_received;
    for (unsigned n = last_of_case(ctx); n > ctx->before; n--) {
        const gw_evidence_packet *packet = gw_evidence_get(&ctx->evidence, n);
        bool closed = packet->dir == GW_DIR_IN && packet->kind == GW_EVIDENCE_CLOSE;
        if (packet->line + 1u == ctx->listened && (closed || is_bytes(packet, GW_DIR_IN)))
            return n;
    }
    return 0;
}

unsigned gw_ctx_last_sent(const gw_ctx *ctx)
{
    if (ctx->listened == 0)
        return ctx->last_sent;
    for (unsigned n = last_of_case(ctx); n > ctx->before; n--) {
        const gw_evidence_packet *packet = gw_evidence_get(&ctx->evidence, n);
        if (packet->line + 1u == ctx->listened && is_bytes(packet, GW_DIR_OUT))
            return n;
    }
    return ctx->last_sent;
}

/* Two connections of one link are conversations of their own; what one link is told may show at
 * another.
 */
static bool apart(const gw_evidence_packet *a, const gw_evidence_packet *b)
{
    return a->line != b->line && a->link == b->link;
}

unsigned gw_ctx_sent_before(const gw_ctx *ctx, unsigned number)
{
    const gw_evidence_packet *packet = gw_evidence_get(&ctx->evidence, number);
    if (packet == NULL)
        return gw_ctx_last_sent(ctx);
    for (unsigned n = number; n > 0; n--) {
        const gw_evidence_packet *said = gw_evidence_get(&ctx->evidence, n);
        if (is_bytes(said, GW_DIR_OUT) && !apart(said, packet))
            return n;
    }
    return packet->stream ? 0 : ctx->last_sent;
}

/* ---- ways out ---- */

GW_NORETURN static void end(gw_ctx *ctx, gw_verdict verdict, const char *fmt, va_list args)
{
    gw_result *result = ctx->result;
    result->verdict = verdict;
    (void)vsnprintf(result->text, sizeof(result->text), fmt, args);
    gw_waive_known(result, ctx->setup->dialect);
    /* What is lacking may be lacking because it was not waited for. */
    if (gw_stopped() && verdict != GW_NA) {
        result->verdict = GW_INCONC;
        result->rule = NULL;
        result->field = NULL;
        (void)snprintf(result->text, sizeof(result->text), "%s", GW_INTERRUPTED);
    }
    longjmp(ctx->out, 1);
}

static const gw_rule *rule_of(const gw_ctx *ctx, const char *id)
{
    return id == NULL ? NULL : gw_format_rule(ctx->suite->format, id);
}

void gw_case_fail(gw_ctx *ctx, const gw_miss *miss, const char *fmt, ...)
{
    gw_result *result = ctx->result;
    const gw_rule *rule = rule_of(ctx, miss->rule);
    result->rule = rule;
    result->field = miss->field;
    result->packet = miss->packet != 0 ? miss->packet : gw_ctx_last_received(ctx);
    result->offset = miss->offset;
    result->expected = miss->expected;
    result->got = miss->got;
    ctx->proven = miss->proven;
    result->blocks = miss->blocks;
    if (ctx->target->mark != NULL) {
        char text[40];
        (void)snprintf(text, sizeof(text), "FAIL %.32s", ctx->self != NULL ? ctx->self->id : "");
        ctx->target->mark(ctx->target, text);
    }
    va_list args;
    va_start(args, fmt);
    if (rule != NULL && rule->level == GW_SHOULD)
        end(ctx, GW_WARN, fmt, args);
    if (rule != NULL && rule->level == GW_MAY)
        end(ctx, GW_PASS, fmt, args);
    end(ctx, GW_FAIL, fmt, args);
}

void gw_case_forgo(gw_ctx *ctx, const char *rule, const char *why)
{
    const gw_rule *broken = rule_of(ctx, rule);
    char text[200];
    (void)snprintf(text, sizeof(text), "not sent: %s", why);
    const gw_case *self = gw_case_self(ctx);
    const char *which = self != NULL ? self->id : NULL;
    bool known =
        broken != NULL && gw_dialect_knows(ctx->setup->dialect, broken, which, text) != NULL;
    if (!known)
        gw_case_na(ctx, "%s", text);
    gw_miss miss = {.rule = rule};
    gw_case_fail(ctx, &miss, "%s", text);
}

void gw_case_inconc(gw_ctx *ctx, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    end(ctx, GW_INCONC, fmt, args);
}

void gw_case_lost(gw_ctx *ctx, const char *rule, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    ctx->lost = true;
    if (rule == NULL && ctx->self != NULL)
        rule = ctx->self->rules[0];
    ctx->result->rule = rule_of(ctx, rule);
    end(ctx, GW_INCONC, fmt, args);
}

void gw_case_na(gw_ctx *ctx, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    end(ctx, GW_NA, fmt, args);
}

void gw_case_error(gw_ctx *ctx, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    end(ctx, GW_ERROR, fmt, args);
}
