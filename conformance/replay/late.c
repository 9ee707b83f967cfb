/* SPDX-License-Identifier: BSD-2-Clause */
/* Our own lateness: a board that is told something later than in the trace may rightly answer
 * otherwise. */
#include <inttypes.h>
#include <stdio.h>

#include "replay/format.h"

/* What any machine may take from time to time, and what boards hardly notice. */
#define UNNOTICED (GW_MS)

/* For how many steps it may tell. */
#define REACH 64

void gw_player_was_sent(gw_replay *r, uint32_t step, int64_t pause_ns)
{
    const gw_trace_step *s = &r->trace->steps[step];
    gw_open_connection *o = gw_player_connection(r, s->line);
    int64_t sent = r->played[step].sent_ns;
    int64_t late = gw_case_now(o->conn) - sent;

    if (r->ctx->setup->target->virtual_time)
        return;
    /* Only from what we send ourselves to the next is the pace ours alone. */
    if (step > 0 && s[-1].ours)
        late += sent - r->played[step - 1].sent_ns - pause_ns;
    if (late <= UNNOTICED)
        return;
    r->late_step = step;
    r->late_ns = late;
}

/* Boards of the Level-1 farm, and those that call us, do things when their time has come, whether
 * or not what was sent to them has arrived by then. */
static bool works_against_time(const gw_suite *suite)
{
    return suite->calls_us || gw_replay_format_of(suite->format)->against_time;
}

/* Ends the replay, inconclusive, when the path takes longer than such a board lets pass. */
static void excuse_path(gw_replay *r, uint32_t step)
{
    gw_ctx *ctx = r->ctx;
    char place[240];
    char path[160];
    bool known = !ctx->suite->calls_us && gw_path_stats_clean(&ctx->path);
    if (step == GW_TRACE_NONE || gw_ctx_near(ctx) || !works_against_time(ctx->suite) ||
        (known && gw_case_lag_ns(ctx) <= UNNOTICED))
        return;
    gw_player_note(r, step);
    gw_case_inconc(
        ctx,
        "%s is not as in the trace, but the board works against time, and the path to it "
        "takes its own: %s",
        gw_player_place(r, step, place, sizeof(place)),
        gw_path_stats_text(&ctx->path, path, sizeof(path)));
}

void gw_player_excuse(gw_replay *r, uint32_t step)
{
    const gw_trace_step *steps = r->trace->steps;
    char place[240];
    char late[240];

    excuse_path(r, step);

    if (r->late_ns == 0 || step == GW_TRACE_NONE || steps[step].answers != GW_TRACE_NONE ||
        steps[r->late_step].label != steps[step].label || r->late_step > step + REACH ||
        step > r->late_step + REACH)
        return;
    gw_player_note(r, step);
    gw_case_inconc(
        r->ctx,
        "%s is not as in the trace, but this machine was busy: %s went out %.1f ms later "
        "than in the trace; try again",
        gw_player_place(r, step, place, sizeof(place)),
        gw_player_place(r, r->late_step, late, sizeof(late)), (double)r->late_ns / 1e6);
}
