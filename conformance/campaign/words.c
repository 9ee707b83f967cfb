/* SPDX-License-Identifier: BSD-2-Clause */
/* The evidence is made messages again, and they go through the session and the check of the format
 * in the order in which they came. */
#include "campaign/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/packet_message.h"
#include "replay/format.h"

#define SESSION_BYTES ((size_t)64 << 10) /* some hundred open requests: a batch has fewer */
#define GIVE_UP_NS (5 * GW_SECOND)
#define STREAMS 64 /* connections that are cut; what comes over others is not judged */

/* What is being judged. */
typedef struct judge {
    gw_verdict_sink sink;
    const gw_ctx *ctx;
    const gw_format *format;
    void *session;          /* NULL: the conversation is not judged */
    void *streams[STREAMS]; /* by connection */
    uint64_t origin;        /* of the message at hand: what it passes on */
    bool deaf;              /* findings are not wanted at the moment */
    bool answers;           /* the message at hand answers something */
    uint64_t frame;         /* of the message at hand */
    const gw_told *told;
    const gw_rule **rule;
    char *text;
    size_t text_cap;
} judge;

bool gw_told_has(const gw_told *told, const gw_rule *rule)
{
    for (size_t i = 0; i < told->num; i++)
        if (told->rules[i] == rule)
            return true;
    return false;
}

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    judge *j = (judge *)sink;
    const gw_evidence_packet *p = gw_evidence_get(&j->ctx->evidence, (unsigned)finding->frame);
    const gw_dialect *dialect = j->ctx->setup->dialect;
    if (*j->rule != NULL || j->deaf || p == NULL || p->dir != GW_DIR_IN ||
        finding->rule->level != GW_MUST || gw_told_has(j->told, finding->rule) ||
        gw_dialect_knows(dialect, finding->rule, NULL, finding->text) != NULL)
        return;
    *j->rule = finding->rule;
    (void)snprintf(j->text, j->text_cap, "%s: %s", finding->rule->id, finding->text);
}

static void on_relation(gw_verdict_sink *sink, const gw_relation *relation)
{
    judge *j = (judge *)sink;
    if (relation->response != j->frame)
        return;
    if (relation->kind == GW_FORWARDED)
        j->origin = relation->request;
    if (relation->kind == GW_ANSWERS && !relation->ambiguous)
        j->answers = true;
}

static void take(void *arg, const gw_message *message)
{
    judge *j = arg;
    gw_message m = *message;
    const gw_dialect *dialect = j->ctx->setup->dialect;
    j->origin = 0;
    j->answers = false;
    j->frame = m.frame;
    const gw_replay_format *row = gw_replay_format_of(j->format);
    j->deaf = !row->answers_alone;
    if (j->session != NULL)
        j->format->session->feed(j->session, &m, dialect, &j->sink);
    j->deaf = false;
    if (m.dir != GW_DIR_IN)
        return;
    m.origin = j->origin;
    if (row->one_side_asks || (row->answers_are_own && j->answers))
        j->format->check(&m, dialect, &j->sink);
}

static void push(judge *j, const gw_message *m)
{
    const gw_stream_ops *stream = j->format->stream;
    if (m->stream >= STREAMS)
        return;
    void **state = &j->streams[m->stream];
    if (*state == NULL) {
        *state = calloc(1, stream->size);
        if (*state == NULL)
            return;
        stream->init(*state, j->ctx->setup->dialect);
    }
    stream->push(*state, m->dir == GW_DIR_OUT ? 0 : 1, m, take, j);
}

static void begin_session(judge *j)
{
    const gw_session_ops *session = j->format->session;
    bool whole = gw_ctx_near(j->ctx) || j->ctx->target->links[0].stream;
    if (session == NULL || !whole)
        return;
    size_t cap = session->min_size > SESSION_BYTES ? session->min_size : SESSION_BYTES;
    j->session = malloc(cap);
    if (j->session != NULL && !session->init(j->session, cap, GIVE_UP_NS)) {
        free(j->session);
        j->session = NULL;
    }
}

static void on_asked(gw_verdict_sink *sink, const gw_finding *finding)
{
    const judge *j = (const judge *)sink;
    const char *const *id = gw_replay_format_of(j->format)->always;
    while (id != NULL && *id != NULL && strcmp(*id, finding->rule->id) != 0)
        id++;
    if (id != NULL && *id != NULL)
        on_finding(sink, finding);
}

/* Whether packet |number| is a copy of one that we have sent: who sends that back has not made it.
 */
static bool is_sent_back(const gw_evidence *said, unsigned number)
{
    const gw_evidence_packet *p = gw_evidence_get(said, number);
    for (unsigned n = 1; n < number; n++) {
        const gw_evidence_packet *ours = gw_evidence_get(said, n);
        if (ours->dir == GW_DIR_OUT && ours->kind == GW_EVIDENCE_BYTES && ours->len == p->len &&
            memcmp(said->bytes + ours->data, said->bytes + p->data, p->len) == 0)
            return true;
    }
    return false;
}

/* Nothing is looked for behind the first breach. */
static void judge_alone(judge *j, unsigned number)
{
    const gw_evidence *said = &j->ctx->evidence;
    const gw_evidence_packet *p = gw_evidence_get(said, number);
    gw_message m;
    if (p->dir != GW_DIR_IN || p->stream || p->regs ||
        !gw_evidence_message(&m, said, number, j->format))
        return;
    j->format->check(&m, j->ctx->setup->dialect, &j->sink);
    if (*j->rule != NULL && is_sent_back(said, number))
        *j->rule = NULL;
}

bool gw_words_break_always(const gw_ctx *ctx, const gw_told *told, const gw_rule **rule, char *text,
                           size_t text_cap)
{
    judge j = {.sink = {.finding = on_asked},
               .ctx = ctx,
               .format = ctx->suite->format,
               .told = told,
               .rule = rule,
               .text = text,
               .text_cap = text_cap};
    *rule = NULL;
    for (unsigned n = 1; n <= ctx->evidence.num_packets && *rule == NULL; n++)
        judge_alone(&j, n);
    return *rule != NULL;
}

bool gw_words_break(const gw_ctx *ctx, const gw_told *told, const gw_rule **rule, char *text,
                    size_t text_cap)
{
    judge j = {.sink = {.finding = on_finding, .relation = on_relation},
               .ctx = ctx,
               .format = ctx->suite->format,
               .told = told,
               .rule = rule,
               .text = text,
               .text_cap = text_cap};
    *rule = NULL;
    begin_session(&j);
    for (unsigned n = 1; n <= ctx->evidence.num_packets && *rule == NULL; n++) {
        const gw_evidence_packet *p = gw_evidence_get(&ctx->evidence, n);
        gw_message m;
        if (p->regs || !gw_evidence_message(&m, &ctx->evidence, n, j.format))
            continue;
        if (p->stream && j.format->stream != NULL)
            push(&j, &m);
        else
            take(&j, &m);
    }
    for (size_t i = 0; i < STREAMS; i++)
        free(j.streams[i]);
    free(j.session);
    return *rule != NULL;
}
