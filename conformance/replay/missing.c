/* SPDX-License-Identifier: BSD-2-Clause */
/* What does not come: whether it may be asked for again, and what can be said when it may not. */
#include <inttypes.h>
#include <stdio.h>

#include "replay/player.h"

/* Reads that are being looked at. */
typedef struct looker {
    const gw_board_file *board;
    bool harmless;
} looker;

static void look(void *ctx, const gw_memory_access *access)
{
    looker *l = ctx;
    bool inside = false;
    for (size_t i = 0; i < l->board->num_areas; i++) {
        const gw_area *a = &l->board->areas[i];
        inside = inside || ((a->type == GW_AREA_RAM || a->type == GW_AREA_READONLY) &&
                            access->first >= a->address && access->last - a->address < a->size);
    }
    l->harmless = l->harmless && inside;
}

/* Reading takes words out of a FIFO and counts an arbiter up: only what is declared to be memory is
 * read twice. */
static bool may_ask_again(const gw_replay *r, uint32_t request)
{
    const gw_trace_step *q = &r->trace->steps[request];
    const gw_trace_line *line = &r->trace->lines[q->line];
    looker l = {gw_case_board(r->ctx), true};
    gw_message m = gw_trace_message(r->trace, request);
    if (!q->asks || q->changes || line->format != r->ctx->suite->format)
        return false;
    (void)gw_format_transaction(line->format, line->dialect, &m, look, &l);
    return l.harmless;
}

static void ask_again(gw_replay *r, uint32_t step, uint32_t request)
{
    const gw_trace_step *s = &r->trace->steps[request];
    const gw_played *p = &r->played[request];
    const uint8_t *data = p->has_live ? r->live + p->live_at : r->trace->bytes + s->at;
    size_t len = p->has_live ? p->live_len : s->cap_len;
    r->played[step].again = true;
    r->report.asked_again++;
    gw_player_put(r, request, data, len);
    gw_case_mark(r->ctx, p->number, "asked again: the answer was lost");
}

void gw_player_missed(gw_replay *r, uint32_t step, bool closed)
{
    const gw_trace_line *line = &r->trace->lines[r->trace->steps[step].line];
    uint32_t request = gw_player_request(r, step);
    const gw_trace_step *q = request == GW_TRACE_NONE ? NULL : &r->trace->steps[request];
    bool ours = q != NULL && q->ours;
    bool lossy = gw_player_lossy(r, line);
    char place[240];

    bool again = ours && lossy && may_ask_again(r, request);
    if (again && !r->played[step].again && r->options.mode == GW_REPLAY_LOCKSTEP) {
        ask_again(r, step, request);
        return;
    }
    r->played[step].state = GW_STEP_MISSED;
    gw_player_note(r, step);
    if (ours && lossy && !again) {
        r->report.unknown_effect = q->frame;
        (void)gw_player_place(r, request, place, sizeof(place));
        gw_case_mark(r->ctx, r->played[request].number, "effect unknown: the reply was lost");
        gw_case_inconc(r->ctx,
                       "effect unknown: the reply to the %s in %s did not come; it is not sent "
                       "again, and what follows builds on it",
                       q->kind, place);
    }
    if (ours && lossy && !r->played[step].again)
        gw_case_inconc(r->ctx, "%s did not come, and only in lockstep is a read asked for again",
                       gw_player_place(r, step, place, sizeof(place)));
    gw_player_excuse(r, step);
    gw_miss miss = {.packet = ours ? r->played[request].number : 0};
    (void)gw_player_place(r, step, place, sizeof(place));
    if (closed)
        gw_case_fail(r->ctx, &miss, "%s did not come: the board closed the connection", place);
    gw_case_fail(r->ctx, &miss, "%s did not come%s", place,
                 r->played[step].again ? ", though asked for twice" : "");
}
