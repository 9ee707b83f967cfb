/* SPDX-License-Identifier: BSD-2-Clause */
/* A message as one line for people. */
#include <inttypes.h>

#include "inspect/describe/describe.h"
#include "inspect/sessions.h"

/* Prints the first finding, and counts all. */
typedef struct brief_sink {
    gw_verdict_sink sink;
    FILE *out;
    bool colours;
    uint64_t num;
} brief_sink;

static void add_finding(brief_sink *s, const gw_rule *rule, uint32_t offset, const char *text)
{
    if (s->num++ > 0)
        return;
    fputs("  ", s->out);
    gw_describe_finding(s->out, rule, offset, text, s->colours);
}

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    add_finding((brief_sink *)sink, f->rule, f->offset, f->text);
}

void gw_describe_brief(FILE *out, const gw_found *found, gw_describe_last *last,
                       const gw_account *account, bool colours)
{
    brief_sink s = {.sink = {.finding = on_finding}, .out = out, .colours = colours};

    gw_describe_head(out, found, last, account->names);
    gw_sessions_check(found, gw_account_origin(account), &s.sink);
    for (size_t i = 0; i < account->num_findings; i++) {
        const gw_kept_finding *f = &account->findings[i];
        add_finding(&s, f->rule, f->offset, f->text);
    }
    if (s.num > 1)
        fprintf(out, " (and %" PRIu64 " more)", s.num - 1);
    putc_unlocked('\n', out);
}
