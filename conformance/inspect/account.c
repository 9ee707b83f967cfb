/* SPDX-License-Identifier: BSD-2-Clause */
/* What is to be said of one message besides its fields. */
#include "inspect/account.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A finding about an earlier message, or one too many. */
static void tell_finding(gw_account *a, const gw_finding *finding)
{
    char text[GW_ACCOUNT_TEXT + 128];
    int len =
        snprintf(text, sizeof text, "%s %s @%" PRIu32 " %s", finding->rule->id,
                 gw_level_name((gw_level)finding->rule->level), finding->offset, finding->text);

    if (finding->revealed_by != finding->frame && len > 0 && (size_t)len < sizeof text)
        snprintf(text + len, sizeof text - (size_t)len, " (shown by frame %" PRIu64 ")",
                 finding->revealed_by);
    a->note(a->ctx, finding->frame, text);
}

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    gw_account *a = (gw_account *)sink;

    if (finding->frame != a->frame || a->num_findings == GW_ACCOUNT_MAX) {
        tell_finding(a, finding);
        return;
    }
    gw_kept_finding *kept = &a->findings[a->num_findings++];
    kept->rule = finding->rule;
    kept->field = finding->field;
    kept->offset = finding->offset;
    snprintf(kept->text, sizeof kept->text, "%s", finding->text);
}

/* A reply of several records answers a request record by record: told once. */
static bool known(const gw_account *a, const gw_relation *relation)
{
    for (size_t i = 0; i < a->num_relations; i++) {
        const gw_relation *r = &a->relations[i];
        if (r->kind == relation->kind && r->request == relation->request &&
            r->earlier == relation->earlier && r->ambiguous == relation->ambiguous)
            return true;
    }
    return false;
}

static void on_relation(gw_verdict_sink *sink, const gw_relation *relation)
{
    gw_account *a = (gw_account *)sink;

    if (a->frame != 0 && relation->response == a->frame) {
        if (a->num_relations < GW_ACCOUNT_MAX && !known(a, relation))
            a->relations[a->num_relations++] = *relation;
        return;
    }
    /* What stays unanswered is a finding, and is told as that. */
    if (relation->kind == GW_UNTRACKED && a->untracked++ == 0)
        a->first_untracked = relation->request != 0 ? relation->request : relation->response;
}

void gw_account_init(gw_account *a, gw_note_fn note, void *ctx)
{
    memset(a, 0, sizeof *a);
    a->sink.finding = on_finding;
    a->sink.relation = on_relation;
    a->note = note;
    a->ctx = ctx;
}

void gw_account_open(gw_account *a, const gw_found *found)
{
    a->frame = found->message->frame;
    a->names = NULL;
    a->error = (gw_error){.kind = GW_OK};
    a->num_findings = 0;
    a->num_relations = 0;
}

/* Proves what it passes on. */
typedef struct prover {
    gw_sink sink;
    gw_account *account;
    gw_sink *shown;
} prover;

static void prove_item(gw_sink *sink, const gw_item *item)
{
    prover *p = (prover *)sink;

    gw_cover_add(&p->account->cover, item);
    p->shown->item(p->shown, item);
}

static void pass_open(gw_sink *sink, const gw_group *group, uint32_t index, uint32_t offset)
{
    gw_sink *shown = ((prover *)sink)->shown;

    shown->open(shown, group, index, offset);
}

static void pass_close(gw_sink *sink, const gw_group *group, uint32_t end)
{
    gw_sink *shown = ((prover *)sink)->shown;

    shown->close(shown, group, end);
}

void gw_account_walk(gw_account *a, const gw_found *found, gw_sink *shown)
{
    const gw_message *message = found->message;
    prover p = {.sink = {.item = prove_item, .open = pass_open, .close = pass_close},
                .account = a,
                .shown = shown};

    bool provable = gw_cover_init(&a->cover, message->cap_len);
    a->error = found->format->walk(message, found->dialect, &p.sink);
    if (!provable)
        return;

    size_t hole = gw_cover_hole(&a->cover);
    if (a->cover.fault != NULL)
        a->error =
            (gw_error){.kind = GW_BUG, .offset = a->cover.fault_offset, .field = a->cover.fault};
    else if (hole < message->cap_len)
        a->error = (gw_error){.kind = GW_BUG, .offset = (uint32_t)hole};
}

uint64_t gw_account_origin(const gw_account *a)
{
    for (size_t i = 0; i < a->num_relations; i++) {
        if (a->relations[i].kind == GW_FORWARDED)
            return a->relations[i].request;
    }
    return 0;
}

void gw_account_close(gw_account *a)
{
    a->frame = 0;
}

void gw_account_end(gw_account *a)
{
    char text[GW_ACCOUNT_TEXT];
    char more[64] = "";

    if (a->untracked == 0)
        return;
    if (a->untracked > 1)
        snprintf(more, sizeof more, ", nor of %" PRIu64 " more", a->untracked - 1);
    snprintf(text, sizeof text,
             "more was outstanding than is remembered: whether this was answered is not known%s",
             more);
    a->note(a->ctx, a->first_untracked, text);
    a->untracked = 0;
}
