/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: what was found, as text. */
#ifndef L1FARM_TESTING_VERDICTS_H
#define L1FARM_TESTING_VERDICTS_H

#include <stdio.h>
#include <string.h>

#include "goldwire/text.h"
#include "l1farm/internal.h"

typedef struct verdicts {
    gw_verdict_sink sink;
    char rules[256];     /* "S04 S14" */
    char text[200];      /* of the last finding */
    char relations[512]; /* "2 answers 1; " */
} verdicts;

static inline void note_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    verdicts *v = (verdicts *)sink;
    gw_text t = {v->rules, sizeof v->rules, strlen(v->rules), false};

    if (t.len > 0)
        gw_text_str(&t, " ");
    gw_text_str(&t, f->rule->id + strlen("L1-"));
    (void)snprintf(v->text, sizeof v->text, "%s", f->text);
    assert_non_null(f->field);
    assert_true(f->text[0] != '\0' && f->frame != 0);
}

static inline void note_relation(gw_verdict_sink *sink, const gw_relation *r)
{
    static const char *const kinds[] = {"answers",     "repeats",    "stale",
                                        "unsolicited", "unanswered", "untracked"};
    verdicts *v = (verdicts *)sink;
    gw_text t = {v->relations, sizeof v->relations, strlen(v->relations), false};

    gw_text_dec(&t, r->response);
    gw_text_str(&t, " ");
    gw_text_str(&t, kinds[r->kind]);
    gw_text_str(&t, " ");
    gw_text_dec(&t, r->request);
    gw_text_str(&t, "; ");
}

static inline verdicts no_verdicts(void)
{
    verdicts v = {.sink = {.finding = note_finding, .relation = note_relation}};
    return v;
}

#endif
