/* SPDX-License-Identifier: BSD-2-Clause */
/* What a case builds on: cases that were run, or are tried for it. */
#include <string.h>

#include "harness/stop.h"
#include "run/alive.h"
#include "run/runner.h"

#define FOUNDATION_TRIES 3

static const gw_result *result_of(const gw_runner *r, const char *id)
{
    for (size_t i = 0; i < r->run->num_results; i++)
        if (strcmp(r->run->results[i].which->id, id) == 0)
            return &r->run->results[i];
    return NULL;
}

/* How a case ended, or would. */
typedef struct ending {
    gw_verdict verdict;
    bool blocks;
} ending;

/* Runs |which|, which was not run yet or not selected, to see whether it can be built on. Neither
 * its verdict nor its evidence is kept. */
static ending try_foundation(gw_runner *r, const gw_case *which)
{
    gw_ctx *ctx = r->ctx;
    gw_result spare = {.which = which};
    gw_result *result = ctx->result;
    const gw_case *self = ctx->self;
    gw_evidence evidence = ctx->evidence;
    for (unsigned i = 0; i < r->num_tried; i++)
        if (r->tried[i].which == which)
            return (ending){r->tried[i].verdict, r->tried[i].blocks};
    memset(&ctx->evidence, 0, sizeof(ctx->evidence));
    ctx->self = which;
    ctx->result = &spare;
    if (!gw_runner_unmet(r, &spare)) {
        gw_back_in_step(ctx);
        (void)gw_runner_attempt(r, &spare, true);
        /* One failure may be the path's. */
        for (unsigned i = 1; i < FOUNDATION_TRIES && spare.verdict != GW_PASS &&
                             spare.verdict != GW_NA && r->lost_because[0] == '\0';
             i++)
            (void)gw_runner_attempt(r, &spare, true);
    }
    gw_evidence_free(&ctx->evidence);
    ctx->evidence = evidence;
    ctx->self = self;
    ctx->result = result;
    if (r->num_tried < GW_ARRAY_LEN(r->tried)) {
        r->tried[r->num_tried].which = which;
        r->tried[r->num_tried].blocks = spare.blocks;
        r->tried[r->num_tried++].verdict = spare.verdict;
    }
    return (ending){spare.verdict, spare.blocks};
}

static ending foundation(gw_runner *r, const gw_case *which)
{
    const gw_result *earlier = result_of(r, which->id);
    if (earlier != NULL && earlier < r->run->results + r->num_done)
        return (ending){earlier->verdict, earlier->blocks};
    bool may_try = gw_runner_repeatable(r->ctx) && r->lost_because[0] == '\0' && !gw_stopped() &&
                   gw_runner_in_time(r);
    return may_try ? try_foundation(r, which) : (ending){.verdict = GW_PASS};
}

/* What is waived was looked at and is no reason to doubt the rest, unless it leaves no way to ask.
 */
static bool holds(const ending *e)
{
    return e->verdict == GW_PASS || e->verdict == GW_XPASS ||
           (e->verdict == GW_WAIVED && !e->blocks);
}

/* What |which| builds on, directly or through others, and does not pass; NULL when all of it does.
 */
static const gw_case *bad_foundation(gw_runner *r, const gw_case *which, gw_verdict *verdict)
{
    for (const char *const *id = which->after; id != NULL && *id != NULL; id++) {
        const gw_case *earlier = gw_suite_case(r->ctx->suite, *id);
        if (earlier == NULL || earlier == which)
            continue;
        const gw_case *deeper = bad_foundation(r, earlier, verdict);
        if (deeper != NULL)
            return deeper;
        ending e = foundation(r, earlier);
        *verdict = e.verdict;
        if (!holds(&e))
            return earlier;
    }
    return NULL;
}

void gw_runner_look_at_foundations(gw_runner *r, gw_result *result)
{
    char found[340];
    gw_verdict verdict;
    if (result->verdict != GW_FAIL && result->verdict != GW_WARN && result->verdict != GW_INCONC)
        return;
    const gw_case *earlier = bad_foundation(r, result->which, &verdict);
    if (earlier == NULL)
        return;
    gw_result_found(found, sizeof(found), result);
    result->rule = NULL;
    result->field = NULL;
    if (verdict == GW_NA)
        gw_result_set(result, GW_NA, "builds on %s, which does not apply", earlier->id);
    else
        gw_result_set(result, GW_INCONC, "builds on %s, which did not pass (%s): %s", earlier->id,
                      gw_verdict_name(verdict), found);
}

static bool builds_on(const gw_suite *suite, const gw_case *which, const char *foundation)
{
    for (const char *const *id = which->after; id != NULL && *id != NULL; id++) {
        const gw_case *earlier = gw_suite_case(suite, *id);
        if (strcmp(*id, foundation) == 0 ||
            (earlier != NULL && earlier != which && builds_on(suite, earlier, foundation)))
            return true;
    }
    return false;
}

bool gw_runner_is_futile(gw_runner *r, gw_result *result)
{
    const char *id = r->run->unserved_by;
    const gw_suite *suite = r->ctx->suite;
    if (id == NULL || !builds_on(suite, result->which, id))
        return false;
    ending e = foundation(r, gw_suite_case(suite, id));
    if (e.verdict == GW_NA || holds(&e))
        return false;
    gw_result_set(result, GW_INCONC, "builds on %s, which did not pass (%s), and was not tried: %s",
                  id, gw_verdict_name(e.verdict), r->run->unserved);
    return true;
}
