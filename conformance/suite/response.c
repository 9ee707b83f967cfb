/* SPDX-License-Identifier: BSD-2-Clause */
/* Response times: measured by the evidence's stamps, judged by what the board claims, and never
 * held against a board when it may have been us. */
#include "suite/response.h"

#include <inttypes.h>
#include <stdio.h>

#include "harness/times.h"
#include "measure/budget.h"

#define US INT64_C(1000)
#define FEW 12 /* responses, none of which came in time, or at all */

void gw_response_add(gw_ctx *ctx, gw_responses *responses, unsigned sent, unsigned received)
{
    const gw_evidence_packet *q = gw_case_seen(ctx, sent);
    int64_t asked = q != NULL ? q->time_ns : 0;
    const gw_evidence_packet *a = gw_case_seen(ctx, received);
    responses->missed = 0;
    /* A clock that was set back in between measured nothing. */
    if (q == NULL || a == NULL || a->time_ns < asked || responses->num == GW_RESPONSE_ROUNDS)
        return;
    responses->stream = a->stream;
    responses->times[responses->num++] = a->time_ns - asked;
}

void gw_response_missed(gw_ctx *ctx, gw_responses *responses)
{
    if (++responses->missed == FEW)
        gw_case_inconc(ctx, "%u requests in a row took no answer; %zu times were measured",
                       responses->missed, responses->num);
}

bool gw_response_slow(const gw_ctx *ctx, gw_responses *responses)
{
    int64_t budget = gw_budget((int64_t)gw_case_board(ctx)->claims.response_us * US);

    if (!gw_case_loses(ctx) || responses->num < FEW)
        return false;
    for (size_t i = 0; i < responses->num; i++)
        if (responses->times[i] < budget + gw_case_floor_ns(ctx) + gw_case_lag_ns(ctx))
            return false;
    responses->rounds = responses->num;
    return true;
}

/* What was measured, and what it is held against; all in nanoseconds but |num|. */
typedef struct measured {
    size_t num;
    int64_t p50, p99;
    int64_t claimed;
    int64_t budget;
    int64_t floor;
    int64_t least; /* of each, the path's */
} measured;

static void note_measured(gw_ctx *ctx, const measured *m)
{
    char half[24];
    char most[24];
    char budget[24];
    char least[24];

    gw_case_note(ctx,
                 "%zu responses: half within %s, 99 of 100 within %s; %s are allowed, %" PRId64
                 " ns may be our own",
                 m->num, gw_times_text(half, sizeof(half), m->p50),
                 gw_times_text(most, sizeof(most), m->p99),
                 gw_times_text(budget, sizeof(budget), m->budget), m->floor);
    if (m->least > 0)
        gw_case_note(ctx, "%s of each is the path's, and left out of account",
                     gw_times_text(least, sizeof(least), m->least));
}

/* Ends the case where what was slow need not have been the board. */
static void excuse(gw_ctx *ctx, const measured *m, const gw_responses *responses)
{
    if (gw_case_near(ctx))
        return;
    /* Where a sign of life takes as long, nobody can tell the board from what lies before it. */
    int64_t path_ns = gw_case_lag_ns(ctx);
    path_ns = path_ns > responses->path_ns ? path_ns : responses->path_ns;
    if (path_ns - m->least > m->budget)
        gw_case_inconc(ctx,
                       "99 of 100 responses come within %" PRId64 " us, %" PRId64
                       " us are allowed, and the path to the board may take %" PRId64 " us of it",
                       m->p99 / US, m->budget / US, path_ns / US);
    /* What a stream loses on a way that is not known to be good comes when it is sent again. */
    if (responses->stream && m->p50 <= m->budget)
        gw_case_inconc(ctx,
                       "half the responses come within %" PRId64 " us, 99 of 100 within %" PRId64
                       " us, and %" PRId64
                       " us are allowed: the stream may have had to send some of them again",
                       m->p50 / US, m->p99 / US, m->budget / US);
}

/* Ends the case with what the board claims and does not keep. */
static _Noreturn void fail(gw_ctx *ctx, const measured *m, const gw_responses *responses)
{
    static const char text[] = "99 of 100 responses come within %" PRId64
                               " us; the board claims %" PRId64 " us, which allows %" PRId64;
    gw_miss miss = {.expected = (uint64_t)m->budget, .got = (uint64_t)m->p99};

    if (responses->fail != NULL)
        responses->fail(ctx, &miss, responses->place, text, m->p99 / US, m->claimed / US,
                        m->budget / US);
    gw_case_fail(ctx, &miss, text, m->p99 / US, m->claimed / US, m->budget / US);
}

void gw_response_end(gw_ctx *ctx, gw_responses *responses)
{
    bool usual = responses->rounds == 0 || responses->rounds > GW_RESPONSE_ROUNDS;
    size_t rounds = usual ? GW_RESPONSE_ROUNDS : responses->rounds;
    measured m = {
        .num = responses->num,
        .claimed = (int64_t)gw_case_board(ctx)->claims.response_us * US,
        .floor = gw_case_floor_ns(ctx),
        .least = gw_case_near(ctx) ? 0 : responses->least_ns,
    };

    m.budget = gw_budget(m.claimed);
    gw_times_sort(responses->times, responses->num);
    m.p50 = gw_times_permille(responses->times, responses->num, 500);
    m.p99 = gw_times_permille(responses->times, responses->num, 990);
    if (m.num < (rounds + 1) / 2)
        gw_case_inconc(ctx, "%zu of %zu times could be measured", m.num, rounds);
    note_measured(ctx, &m);
    switch (gw_budget_judge(m.p99 - m.least, m.budget, m.floor > m.least ? m.floor - m.least : 0)) {
    case GW_BUDGET_KEPT:
        return;
    case GW_BUDGET_UNKNOWN:
        gw_case_inconc(ctx,
                       "99 of 100 responses come within %" PRId64 " us, %" PRId64
                       " us are allowed, and %" PRId64 " ns may be this tool's own",
                       m.p99 / US, m.budget / US, m.floor);
    case GW_BUDGET_BROKEN:
        break;
    }
    excuse(ctx, &m, responses);
    fail(ctx, &m, responses);
}

bool gw_response_claimed(gw_ctx *ctx, char *why, size_t why_cap)
{
    (void)snprintf(why, why_cap, "the board claims no response_us");
    return gw_case_board(ctx)->claims.response_us > 0;
}
