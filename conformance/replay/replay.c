/* SPDX-License-Identifier: BSD-2-Clause */
/* Playing a trace: when the next message goes out, and what has to have come by then. */
#include "replay/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/format.h"
#include "replay/trace_roles.h"

/* A pause of the trace is kept up to this, so that a trace of last year does not take a year. */
#define PAUSE_MAX (10 * GW_SECOND)

/* What the board took its time for in the trace is waited for this much longer. */
#define PATIENCE_MAX (120 * GW_SECOND)

/* All the listening for what should not come. */
#define SILENCE_MAX (60 * GW_SECOND)

/* By how much longer one link to a board may be than another. */
#define LINKS_APART (5 * GW_MS)

/* As fast as possible, no more than this many answers may be outstanding where the board claims no
 * number: what is sent beyond what queues hold is lost. */
#define PIPELINE 16

#define LOOK (GW_MS) /* how long one line is listened to while others may have something */

static int64_t timeout_of(const gw_replay *r)
{
    return r->options.timeout_ns > 0 ? r->options.timeout_ns : gw_case_reply_ns(r->ctx);
}

static bool is_virtual(const gw_replay *r)
{
    return r->ctx->setup->target->virtual_time;
}

/* Any line that is open, to tell the time by. */
static gw_open_connection *some_connection(gw_replay *r)
{
    for (size_t i = 0; i < GW_MAX_CONNECTIONS; i++) {
        if (r->slots[i].conn != NULL && !r->slots[i].closed)
            return &r->slots[i];
    }
    return NULL;
}

/* ---- waiting ---- */

/* The trace's pause before |step|, within reason: the board's own are its own. */
static int64_t pause_before(const gw_replay *r, uint32_t step)
{
    const gw_trace_step *s = &r->trace->steps[step];
    int64_t gap = step == 0 ? 0 : s->time_ns - s[-1].time_ns;
    int64_t most = s->ours ? PAUSE_MAX : PATIENCE_MAX;
    return gap < 0 ? 0 : gap < most ? gap : most;
}

/* How long to wait for |step|. What took its time in the trace may take it now; somebody else's
 * board calls when it is made to. */
static int64_t patience(const gw_replay *r, uint32_t step)
{
    bool calls = r->ctx->suite->calls_us && !gw_case_fresh(r->ctx) &&
                 r->trace->lines[r->trace->steps[step].line].first == step;
    int64_t least = timeout_of(r) + pause_before(r, step);
    int64_t first = calls ? gw_case_first_ns(r->ctx) : 0;
    return least > first ? least : first;
}

/* Waits for one answer that is due. */
static void await(gw_replay *r, uint32_t step)
{
    gw_player_retire(r, step);
    gw_open_connection *o = gw_player_connection(r, r->trace->steps[step].line);
    int64_t deadline = gw_case_now(o->conn) + patience(r, step);
    gw_played *p = &r->played[step];
    while (p->state == GW_STEP_WAITS && !o->closed) {
        int64_t left = deadline - gw_case_now(o->conn);
        if (left <= 0 || !gw_player_receive(r, o, left))
            break;
    }
    if (p->state == GW_STEP_WAITS)
        gw_player_missed(r, step, o->closed);
}

static void await_all(gw_replay *r, uint32_t end)
{
    for (uint32_t due; (due = gw_player_due(r, end)) != GW_TRACE_NONE;)
        await(r, due);
}

/* What is still to come over connections that end before |step| comes before they are closed. */
static void await_ended(gw_replay *r, uint32_t step)
{
    for (size_t i = 0; i < GW_MAX_CONNECTIONS; i++) {
        const gw_open_connection *o = &r->slots[i];
        const gw_trace_line *line = &r->trace->lines[o->trace_line];
        if (o->conn != NULL && line->is_stream && line->last < step)
            await_all(r, line->last + 1);
    }
}

/* How many answers are still to come before |step|. */
static uint32_t outstanding(gw_replay *r, uint32_t step)
{
    uint32_t num = 0;
    for (uint32_t i = gw_player_due(r, step); i < step; i++)
        num += gw_trace_awaited(&r->trace->steps[i]) && r->played[i].state == GW_STEP_WAITS;
    return num;
}

static void await_room(gw_replay *r, uint32_t step)
{
    uint32_t claimed = gw_case_board(r->ctx)->claims.pipeline;
    bool stream = r->trace->lines[r->trace->steps[step].line].is_stream;
    uint32_t most = claimed > 0 ? claimed : PIPELINE;
    while (r->options.mode == GW_REPLAY_ASAP && !stream && outstanding(r, step) >= most)
        await(r, gw_player_due(r, step));
}

/* Listens on every line until |deadline| of their common clock. */
static void listen_until(gw_replay *r, int64_t deadline)
{
    for (;;) {
        gw_open_connection *o = some_connection(r);
        if (o == NULL)
            return;
        gw_player_drain(r);
        int64_t left = deadline - gw_case_now(o->conn);
        if (left <= 0)
            return;
        if (r->ctx->setup->spin && !is_virtual(r))
            continue;
        uint32_t due = gw_player_due(r, r->at);
        if (due != GW_TRACE_NONE)
            o = gw_player_connection(r, r->trace->steps[due].line);
        if (o->closed)
            o = some_connection(r);
        if (o == NULL)
            return;
        (void)gw_player_receive(r, o, is_virtual(r) || left < LOOK ? left : LOOK);
    }
}

/* The step before |step|, |step| > 0; what the board says of its own accord is none. */
static const gw_trace_step *before(const gw_replay *r, uint32_t step)
{
    uint32_t i = step - 1;
    while (i > 0 && !r->trace->steps[i].ours && r->trace->steps[i].unsolicited)
        i--;
    return &r->trace->steps[i];
}

/* Whether |step| follows something of ours on another link, which no answer shows to have arrived:
 * links are apart, and what goes over one may overtake what went over the other. */
static bool changes_link(const gw_replay *r, uint32_t step)
{
    const gw_trace_step *s = &r->trace->steps[step];
    const gw_trace_step *last = before(r, step);
    return last->ours && r->trace->lines[s->line].link != r->trace->lines[last->line].link;
}

/* Where the trace was silent, so has the board to be. Returns how long it was listened to. */
static int64_t listen_for_nothing(gw_replay *r, uint32_t step)
{
    const gw_trace_step *s = &r->trace->steps[step];
    gw_open_connection *o = some_connection(r);
    bool near = gw_ctx_near(r->ctx);
    if (step == 0 || o == NULL || r->asked_last == GW_TRACE_NONE)
        return 0;
    const gw_trace_step *last = before(r, step);
    int64_t gap = s->time_ns > last->time_ns ? s->time_ns - last->time_ns : 0;
    int64_t most = is_virtual(r) ? PAUSE_MAX : gw_case_settle_ns(r->ctx);
    if (!last->ours && !is_virtual(r))
        return 0;
    /* What got no answer may be overtaken by what is sent next. */
    const gw_trace_line *line = &r->trace->lines[s->line];
    if (last->ours && !near && !line->is_stream && !line->format->infiniband) {
        gap = 2 * gw_case_lag_ns(r->ctx) + gw_case_settle_ns(r->ctx);
        if (changes_link(r, step) && gap < LINKS_APART)
            gap = LINKS_APART;
        listen_until(r, gw_case_now(o->conn) + gap);
        return gap;
    }
    if (!is_virtual(r) && changes_link(r, step))
        gap = gap > LINKS_APART ? gap : LINKS_APART;
    gap = gap < most ? gap : most;
    gap = gap < r->silence_ns ? gap : r->silence_ns;
    r->silence_ns -= gap;
    listen_until(r, gw_case_now(o->conn) + gap);
    return gap;
}

/* ---- sending ---- */

/* What a buffer names is known by now: it has to lie where its board file lets us write. */
static void want_allowed(gw_replay *r, uint32_t step, const gw_message *then)
{
    char why[320];
    char place[240];
    gw_message now = *then;
    now.data = r->scratch;
    if (r->options.guarded != NULL && gw_replay_role(r)->in_named_memory != NULL &&
        !gw_trace_may_send(&r->trace->lines[r->trace->steps[step].line], &now, r->options.guarded,
                           gw_case_board(r->ctx), why, sizeof(why)))
        gw_case_inconc(r->ctx, "%s is not sent: as the board names it now it %s",
                       gw_player_place(r, step, place, sizeof(place)), why);
}

/* Leaves out of the rest of a part, from |step| on, what goes to the halted port, and all that
 * would be compared. What brings the board back into order at the end of a part is sent. */
static void cut(gw_replay *r, uint32_t step)
{
    const gw_trace_step *steps = r->trace->steps;
    if (r->report.cut++ == 0)
        r->report.cut_frame = steps[step].frame;
    r->cutting = true;
    for (uint32_t i = step; i < r->trace->num_steps && steps[i].label == steps[step].label; i++) {
        if (!steps[i].ours || steps[i].stoppable)
            r->played[i].state = GW_STEP_DONE;
    }
}

/* Waits for what a part that was cut may still have to say. */
static void end_cut(gw_replay *r)
{
    gw_open_connection *o = some_connection(r);
    if (o != NULL && r->cutting)
        listen_until(r, gw_case_now(o->conn) + gw_case_lag_ns(r->ctx) + gw_case_settle_ns(r->ctx));
    r->cutting = false;
}

/* Whether |step| may go out. While the board has its partner halted no packet does, but events of
 * the link. In the trace it may have been under way already when XOFF came. */
static bool may_go_out(gw_replay *r, uint32_t step)
{
    const gw_trace_step *s = &r->trace->steps[step];
    const gw_replay_format *row = gw_replay_format_of(r->trace->lines[s->line].format);
    gw_open_connection *o = gw_player_connection(r, s->line);
    gw_message m = gw_trace_message(r->trace, step);
    bool anew = row->begins_anew != NULL && row->begins_anew(&m);
    char place[240];
    if (!s->stoppable && !anew)
        return true;
    while (gw_player_receive(r, o, 0))
        ;
    int64_t deadline = gw_case_now(o->conn) + gw_case_settle_ns(r->ctx);
    while (o->halted && !o->closed) {
        int64_t left = deadline - gw_case_now(o->conn);
        if (left <= 0 || !gw_player_receive(r, o, left))
            break;
    }
    /* An XOFF does not outlive that, and no XON is told. */
    o->halted = o->halted && !anew;
    if (o->halted && s->label == GW_TRACE_NONE)
        gw_case_inconc(r->ctx,
                       "the board holds its partner with XOFF, and no XON came: %s cannot be sent",
                       gw_player_place(r, step, place, sizeof(place)));
    return !o->halted;
}

static void send_step(gw_replay *r, uint32_t step, int64_t pause_ns)
{
    const gw_trace_step *s = &r->trace->steps[step];
    const gw_trace_line *line = &r->trace->lines[s->line];
    gw_message m = gw_trace_message(r->trace, step);
    gw_message asked;
    gw_message asked_now;
    gw_related related;

    gw_player_retire(r, step);
    if (gw_replay_role(r)->settle != NULL && r->options.mode == GW_REPLAY_LOCKSTEP)
        gw_replay_role(r)->settle(r);
    if (!may_go_out(r, step)) {
        cut(r, step);
        return;
    }
    (void)gw_player_connection(r, s->line); /* an adapter has chosen its names by then */
    gw_player_related(r, step, &related, &asked, &asked_now);
    if (s->cap_len > 0)
        memcpy(r->scratch, m.data, s->cap_len);
    r->judged = step;
    gw_message now = m;
    now.data = r->scratch;
    if (gw_rebind(&r->comparer, line->format, line->dialect, &m, &related, r->scratch)) {
        gw_player_keep(r, step, r->scratch, s->cap_len);
        const gw_replay_format *row = gw_replay_format_of(line->format);
        if (row->rebound != NULL)
            row->rebound(r, line->dialect, &m, &now);
    }
    want_allowed(r, step, &m);
    gw_player_note_write(r, step, &m, &now);
    gw_player_put(r, step, r->scratch, s->cap_len);
    gw_player_was_sent(r, step, pause_ns);
    r->report.sent++;
    gw_open_connection *o = gw_player_connection(r, s->line);
    if (r->cutting)
        listen_until(r, gw_case_now(o->conn) + gw_case_lag_ns(r->ctx) + gw_case_settle_ns(r->ctx));
}

/* Another part of the trace begins with a board whose queues are empty, |settled|: where nothing is
 * awaited any more. */
static void begin_part(gw_replay *r, uint32_t step, bool settled)
{
    if (r->trace->steps[step].label == r->part)
        return;
    end_cut(r);
    r->part = r->trace->steps[step].label;
    if (settled)
        gw_player_prepare(r, step);
}

/* What the schedule says of |step|, in nanoseconds from its beginning. */
static int64_t schedule(const gw_replay *r, uint32_t step, int64_t before)
{
    if (r->options.mode == GW_REPLAY_ASAP || step == 0)
        return before;
    return before + pause_before(r, step);
}

/* An answer that is overdue is not waited for to the end of the schedule. */
static void give_up_overdue(gw_replay *r, uint32_t end)
{
    uint32_t due = gw_player_due(r, end);
    if (due == GW_TRACE_NONE)
        return;
    uint32_t request = gw_player_request(r, due);
    gw_open_connection *o = gw_player_connection(r, r->trace->steps[due].line);
    if (request != GW_TRACE_NONE && r->trace->steps[request].ours &&
        gw_case_now(o->conn) > r->played[request].sent_ns + timeout_of(r))
        gw_player_missed(r, due, o->closed);
}

/* Whether |step| must not come together with what was sent before it. */
static bool stands_apart(const gw_replay *r, uint32_t step)
{
    const gw_trace_line *line = &r->trace->lines[r->trace->steps[step].line];
    const gw_replay_format *row = gw_replay_format_of(line->format);
    return line->is_stream && row->apart != NULL && row->apart(line->dialect);
}

static void play_scheduled(gw_replay *r)
{
    int64_t start = 0;
    int64_t at = 0;
    /* What goes over one link and what goes over another reach the board in any order; that the
     * first was answered shows that it did. And what uses a name comes after it was given. */
    bool behind = gw_trace_links(r->trace) > 1 || r->ctx->suite->format->infiniband;
    for (uint32_t i = 0; i < r->trace->num_steps; i++) {
        r->at = i;
        at = schedule(r, i, at);
        if (!r->trace->steps[i].ours || r->played[i].state == GW_STEP_DONE)
            continue;
        if (r->asked_last == GW_TRACE_NONE)
            start = gw_case_now(gw_player_connection(r, r->trace->steps[i].line)->conn) - at;
        bool ordered = behind || stands_apart(r, i);
        if (ordered)
            await_all(r, i);
        begin_part(r, i, ordered);
        listen_until(r, start + at);
        give_up_overdue(r, i);
        await_ended(r, i);
        await_room(r, i);
        send_step(r, i, pause_before(r, i));
    }
}

/* A board that calls us sets the pace; ours is how long an answer took. */
static void take_time(gw_replay *r, uint32_t step)
{
    gw_open_connection *o = some_connection(r);
    if (o != NULL)
        listen_until(r, gw_case_now(o->conn) + pause_before(r, step));
}

static void play_lockstep(gw_replay *r)
{
    const gw_trace_step *steps = r->trace->steps;
    for (uint32_t i = 0; i < r->trace->num_steps; i++) {
        r->at = i;
        if (!steps[i].ours || r->played[i].state == GW_STEP_DONE)
            continue;
        await_all(r, i);
        begin_part(r, i, true);
        int64_t listened = listen_for_nothing(r, i);
        int64_t pause = pause_before(r, i);
        if (r->options.mode == GW_REPLAY_CAPTURED) {
            take_time(r, i);
            pause += listened;
        }
        send_step(r, i, listened > pause ? listened : pause);
    }
}

/* ---- the case ---- */

static gw_replay *replay_of(const gw_case *one)
{
    return (gw_replay *)(void *)one;
}

static void start_over(gw_replay *r, gw_ctx *ctx)
{
    gw_player_forget(r);
    memset(r->played, 0, r->trace->num_steps * sizeof(*r->played));
    memset(&r->report, 0, sizeof(r->report));
    for (uint32_t i = 0; i < r->trace->num_lines; i++) {
        r->first[i] = r->trace->lines[i].first;
        r->last[i] = GW_TRACE_NONE;
    }
    r->ctx = ctx;
    r->at = 0;
    r->oldest = 0;
    r->num_live = 0;
    r->num_segment = 0;
    r->num_counters = 0;
    r->num_names = 0;
    r->judged = 0;
    r->asked_last = GW_TRACE_NONE;
    r->silence_ns = SILENCE_MAX;
    r->late_ns = 0;
    gw_memory_forget(&r->memory);
    r->table_then = 0;
    r->table_now = 0;
    r->has_pool = false;
    r->node = 0;
    const gw_board *board = gw_board_by_role(ctx->suite->role);
    r->numbered = board != NULL && board->numbered;
    r->num_tail = 0;
    r->cutting = false;
    r->queues_part = GW_TRACE_NONE;
    memset(r->queues, 0, sizeof(r->queues));
}

static void play(gw_ctx *ctx)
{
    gw_replay *r = replay_of(gw_case_self(ctx));
    const gw_trace *t = r->trace;
    start_over(r, ctx);
    if (gw_replay_role(r)->begin != NULL)
        gw_replay_role(r)->begin(r);
    r->part = t->steps[0].label;
    gw_player_prepare(r, 0);
    if (r->options.mode == GW_REPLAY_LOCKSTEP || ctx->suite->calls_us)
        play_lockstep(r);
    else
        play_scheduled(r);
    end_cut(r);
    r->at = t->num_steps;
    await_all(r, t->num_steps);
    gw_open_connection *o = some_connection(r);
    if (o != NULL)
        listen_until(r, gw_case_now(o->conn) + gw_case_settle_ns(ctx));
    const gw_replay_report *p = &r->report;
    if (t->num_theirs == 0)
        gw_case_inconc(ctx,
                       "the trace has no answers to compare with: %" PRIu64
                       " messages sent, %" PRIu64
                       " came, none of which breaks a rule by itself; more was not judged",
                       p->sent, p->unjudged);
    gw_case_note(ctx, "%" PRIu64 " messages sent, %" PRIu64 " answers as in the trace", p->sent,
                 p->compared);
    if (t->num_left_out > 0)
        gw_case_note(ctx, "%" PRIu32 " parts of the trace were left out, the first %s: %s",
                     t->num_left_out, t->left_out, t->left_out_why);
    if (p->excepted > 0)
        gw_case_note(ctx,
                     "%" PRIu64
                     " values differ that the trace read and did not write, the first in "
                     "frame %" PRIu64 ": they were not compared",
                     p->excepted, p->excepted_frame);
    if (p->reordered > 0)
        gw_case_note(ctx, "%" PRIu64 " answers overtook others", p->reordered);
    if (p->cut > 0)
        gw_case_note(ctx,
                     "%" PRIu64 " parts of the trace were cut off, the first at frame %" PRIu64
                     ": the board had halted us by then with XOFF",
                     p->cut, p->cut_frame);
    if (p->doubled > 0)
        gw_case_note(ctx, "%" PRIu64 " answers came once more, which a path may do", p->doubled);
    if (p->presumed_empty > 0)
        gw_case_note(ctx,
                     "%" PRIu64 " times a queue, first %s, was taken to be empty, for it brought "
                     "one word over and over and no error",
                     p->presumed_empty, p->presumed);
    if (p->asked_again > 0)
        gw_case_note(ctx, "%" PRIu64 " reads were asked for twice: an answer was lost",
                     p->asked_again);
}

/* ---- making one ---- */

static const char *const no_ids[] = {NULL};

static void name(gw_replay *r)
{
    const char *base = strrchr(r->trace->path, '/');
    base = base != NULL ? base + 1 : r->trace->path;
    const char *dot = strrchr(base, '.');
    size_t len = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
    (void)snprintf(r->id, sizeof(r->id), "trace/%.*s", (int)(len < 100 ? len : 100), base);
    /* An id is a path in the evidence and a pattern's prey. */
    for (char *c = r->id; *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || *c == '-' || *c == '_' || *c == '.' || *c == '/';
        if (!plain)
            *c = '-';
    }
    (void)snprintf(r->title, sizeof(r->title), "answers as it did in %.256s", r->trace->path);
}

gw_replay *gw_replay_new(gw_trace *trace, const gw_replay_options *options)
{
    gw_replay *r = calloc(1, sizeof(*r));
    uint32_t longest = 0;
    if (r == NULL) {
        gw_trace_free(trace);
        return NULL;
    }
    for (uint32_t i = 0; i < trace->num_steps; i++) {
        if (trace->steps[i].ours && trace->steps[i].cap_len > longest)
            longest = trace->steps[i].cap_len;
    }
    r->trace = trace;
    r->options = *options;
    r->take = gw_player_take;
    r->played = calloc(trace->num_steps + 1, sizeof(*r->played));
    r->opened = calloc(trace->num_lines + 1, 1);
    r->first = calloc(trace->num_lines + 1, sizeof(*r->first));
    r->last = calloc(trace->num_lines + 1, sizeof(*r->last));
    r->cap_scratch = (size_t)longest + GW_IB_ICRC;
    r->scratch = malloc(r->cap_scratch);
    if (r->played == NULL || r->opened == NULL || r->first == NULL || r->last == NULL ||
        r->scratch == NULL) {
        gw_replay_free(r);
        return NULL;
    }
    name(r);
    r->one = (gw_case){.id = r->id,
                       .title = r->title,
                       .rules = no_ids,
                       .negative = true,
                       .anew = true,
                       .run = play};
    return r;
}

const gw_case *gw_replay_case(const gw_replay *replay)
{
    return &replay->one;
}

const gw_replay_report *gw_replay_outcome(const gw_replay *replay)
{
    return &replay->report;
}

const gw_trace *gw_replay_trace(const gw_replay *replay)
{
    return replay->trace;
}

void gw_replay_free(gw_replay *replay)
{
    if (replay == NULL)
        return;
    for (size_t i = 0; i < GW_MAX_CONNECTIONS; i++)
        free(replay->slots[i].stream);
    gw_comparer_free(&replay->comparer);
    gw_trace_free(replay->trace);
    gw_memory_free(&replay->memory);
    free(replay->played);
    free(replay->opened);
    free(replay->first);
    free(replay->last);
    free(replay->scratch);
    free(replay->segment);
    free(replay->live);
    free(replay);
}
