/* SPDX-License-Identifier: BSD-2-Clause */
/* Judging what comes: which recorded answer it stands for, and how the two differ. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/text.h"
#include "replay/player.h"
#include "replay/trace_roles.h"

#define WINDOW 64 /* answers that may overtake each other */
#define JUST_AFTER GW_MS
#define LIVE_MAX (256u << 20)

/* ---- what is due ---- */

uint32_t gw_player_due(gw_replay *r, uint32_t end)
{
    const gw_trace *t = r->trace;
    while (r->oldest < t->num_steps) {
        const gw_trace_step *s = &t->steps[r->oldest];
        bool waits = !s->ours && !s->unsolicited && r->played[r->oldest].state == GW_STEP_WAITS;
        if (waits)
            break;
        r->oldest++;
    }
    return r->oldest < end ? r->oldest : GW_TRACE_NONE;
}

uint32_t gw_player_request(const gw_replay *r, uint32_t step)
{
    const gw_trace *t = r->trace;
    if (t->steps[step].answers != GW_TRACE_NONE)
        return t->steps[step].answers;
    for (uint32_t i = step, seen = 0; i > 0 && seen < 4 * WINDOW; i--, seen++) {
        const gw_trace_step *s = &t->steps[i - 1];
        if (s->line == t->steps[step].line && s->ours != t->steps[step].ours)
            return i - 1;
    }
    return GW_TRACE_NONE;
}

void gw_player_keep(gw_replay *r, uint32_t step, const uint8_t *data, size_t len)
{
    gw_played *p = &r->played[step];
    if (len > r->cap_live - r->num_live) {
        size_t cap = r->cap_live == 0 ? 4096 : r->cap_live;
        while (cap - r->num_live < len)
            cap *= 2;
        uint8_t *live = cap > LIVE_MAX ? NULL : realloc(r->live, cap);
        if (live == NULL)
            gw_case_error(r->ctx, "out of memory");
        r->live = live;
        r->cap_live = cap;
    }
    if (len > 0)
        memcpy(r->live + r->num_live, data, len);
    p->live_at = r->num_live;
    p->live_len = (uint32_t)len;
    p->has_live = true;
    r->num_live += len;
}

void gw_player_related(gw_replay *r, uint32_t step, gw_related *out, gw_message *asked,
                       gw_message *asked_now)
{
    const gw_trace *t = r->trace;
    const gw_trace_line *line = &t->lines[t->steps[step].line];
    gw_open_connection *o = gw_player_connection(r, t->steps[step].line);
    const gw_transport *tp = gw_case_transport(o->conn);
    uint32_t request = t->steps[step].answers;

    *out = (gw_related){.is_free = r->ctx->suite->calls_us,
                        .is_ours = t->steps[step].ours,
                        .then = {line->ends[0], line->ends[1]},
                        .now = {tp->local, tp->remote},
                        .counts = gw_player_counts,
                        .named = gw_player_named,
                        .moved = gw_player_moved,
                        .ctx = r};
    /* Where the session does not know, whoever does not ask answers what came last. */
    if (request == GW_TRACE_NONE && t->steps[step].ours == r->ctx->suite->calls_us)
        request = gw_player_request(r, step);
    if (request == GW_TRACE_NONE)
        return;
    *asked = gw_trace_message(t, request);
    *asked_now = *asked;
    if (r->played[request].has_live) {
        asked_now->data = r->live + r->played[request].live_at;
        asked_now->cap_len = asked_now->len = r->played[request].live_len;
    }
    out->asked = asked;
    out->asked_now = asked_now;
}

/* ---- rules ---- */

/* The first MUST that a message breaks by itself. */
typedef struct breach {
    gw_verdict_sink sink;
    const gw_rule *rule;
    char text[200];
    uint32_t offset;
} breach;

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    breach *b = (breach *)sink;
    if (b->rule != NULL || finding->rule->level != GW_MUST)
        return;
    b->rule = finding->rule;
    b->offset = finding->offset;
    (void)snprintf(b->text, sizeof(b->text), "%s", finding->text);
}

static breach check_once(const gw_trace_line *line, const gw_message *m)
{
    breach b = {.sink = {.finding = on_finding}};
    if (line->format->check != NULL)
        line->format->check(m, line->dialect, &b.sink);
    return b;
}

/* Judges a message of the board's. Its ports tell some formats who speaks, and some boards write
 * them into their packets: what counts is broken between the ends of now and those of the trace. */
static breach check(const gw_trace_line *line, const gw_message *message)
{
    breach b = check_once(line, message);
    gw_message then = *message;
    then.src = line->ends[1];
    then.dst = line->ends[0];
    if (b.rule != NULL && check_once(line, &then).rule != b.rule)
        b.rule = NULL;
    return b;
}

/* Rules of another format than the board's cannot be named in its report. */
static const char *rule_for(const gw_replay *r, const gw_trace_line *line, const breach *b)
{
    return b->rule != NULL && line->format == r->ctx->suite->format ? b->rule->id : NULL;
}

/* ---- ways out ---- */

GW_NORETURN static void fail_difference(gw_replay *r, uint32_t step, const gw_message *got)
{
    const gw_trace_line *line = &r->trace->lines[r->trace->steps[step].line];
    const gw_difference *d = &r->report.difference;
    gw_message recorded = gw_trace_message(r->trace, step);
    breach b = check(line, got);
    bool always = check(line, &recorded).rule == b.rule;
    char place[240];

    if (b.rule == NULL)
        gw_player_excuse(r, step);
    gw_player_note(r, step);
    r->report.differs = true;
    (void)gw_player_place(r, step, place, sizeof(place));
    if (d->kind == GW_TOO_BIG)
        gw_case_error(r->ctx, "%s has more than %u fields", place, GW_COMPARE_MAX_LEAVES);
    gw_miss miss = {.rule = always ? NULL : rule_for(r, line, &b),
                    .field = d->field,
                    .packet = (unsigned)got->frame,
                    .offset = d->offset,
                    .expected = d->expected,
                    .got = d->got};
    r->report.clause = gw_clause_of(line->format, d->field->clause);
    gw_case_mark(r->ctx, miss.packet, "differs from %s in %s at byte %" PRIu32, place, d->path,
                 d->offset);
    gw_case_fail(r->ctx, &miss, "%s: %s at byte %" PRIu32 ": expected %s, got %s (%s)", place,
                 d->path, d->offset, d->expected_text, d->got_text, r->report.clause.text);
}

GW_NORETURN static void fail_unexpected(gw_replay *r, const gw_open_connection *o,
                                        const gw_message *m)
{
    const gw_trace_line *line = &r->trace->lines[o->trace_line];
    uint32_t after = r->asked_last;
    breach b = check(line, m);
    gw_miss miss = {.rule = rule_for(r, line, &b), .packet = (unsigned)m->frame};
    char place[240] = "the beginning of the trace";
    char what[160];
    gw_text text = gw_text_over(what, sizeof(what));

    line->format->summary(m, line->dialect, &text);
    if (b.rule == NULL)
        gw_player_excuse(r, after);
    if (after != GW_TRACE_NONE) {
        gw_player_note(r, after);
        (void)gw_player_place(r, after, place, sizeof(place));
    }
    gw_case_fail(r->ctx, &miss, "after %s came what the trace does not have there: %s", place,
                 what);
}

/* ---- taking ---- */

/* Is |step| due? When the trace had it by now, or its request has gone out. */
static bool is_due(const gw_replay *r, uint32_t step)
{
    uint32_t request = r->trace->steps[step].answers;
    return step < r->at || (request != GW_TRACE_NONE && r->played[request].state == GW_STEP_DONE);
}

/* Whether |step| came after the messages of ours that are going out now, with nothing of ours
 * between: any of them may have caused it, and what several links said is in the order in which it
 * was read. */
static bool is_of_burst(const gw_replay *r, uint32_t step)
{
    const gw_trace_step *steps = r->trace->steps;
    uint32_t i = r->at;
    if (steps[step].answers != GW_TRACE_NONE || r->at == 0 || !steps[r->at - 1].ours)
        return false;
    while (i < step && i - r->at < WINDOW && steps[i].ours)
        i++;
    while (i < step && i - r->at < 2 * WINDOW && !steps[i].ours)
        i++;
    return i == step;
}

/* May it come already, since the trace had it just after this? */
static bool is_early(const gw_replay *r, uint32_t step)
{
    const gw_trace_step *s = &r->trace->steps[step];
    return !is_due(r, step) && r->at < r->trace->num_steps &&
           (s->time_ns <= r->trace->steps[r->at].time_ns + JUST_AFTER || is_of_burst(r, step));
}

static bool same(gw_replay *r, uint32_t step, const gw_message *m, gw_difference *out)
{
    const gw_trace_line *line = &r->trace->lines[r->trace->steps[step].line];
    gw_message expected = gw_trace_message(r->trace, step);
    gw_message asked;
    gw_message asked_now;
    gw_related related;
    r->judged = step;
    if (r->num_counters == GW_PLAYER_COUNTERS)
        gw_player_forget_counters(r);
    unsigned num_counters = r->num_counters;
    gw_player_related(r, step, &related, &asked, &asked_now);
    if (gw_compare_messages(&r->comparer, line->format, line->dialect, &expected, m, &related, out))
        return true;
    /* What does not fit tells nothing of counters. */
    r->num_counters = num_counters;
    return false;
}

bool gw_player_lossy(const gw_replay *r, const gw_trace_line *line)
{
    return !line->is_stream && r->ctx->setup->target->lossy;
}

/* Equal where the table compares, an answer may still break a rule in the rest: in reserved bits,
 * say, which are nobody's to read. */
static void want_rules_kept(gw_replay *r, uint32_t step, const gw_message *m)
{
    const gw_trace_line *line = &r->trace->lines[r->trace->steps[step].line];
    breach b = check(line, m);
    if (b.rule == NULL)
        return;
    gw_message recorded = gw_trace_message(r->trace, step);
    if (check(line, &recorded).rule == b.rule)
        return;
    gw_miss miss = {
        .rule = rule_for(r, line, &b), .packet = (unsigned)m->frame, .offset = b.offset};
    char place[240];
    gw_player_note(r, step);
    gw_case_fail(r->ctx, &miss, "%s: equal where it counts, but breaks %s at byte %" PRIu32 ": %s",
                 gw_player_place(r, step, place, sizeof(place)), b.rule->id, b.offset, b.text);
}

/* Takes |m| for step |step|, with which it was compared just now. */
static void accept(gw_replay *r, uint32_t step, const gw_message *m, bool overtook)
{
    gw_played *p = &r->played[step];
    gw_message asked;
    gw_message asked_now;
    gw_related related;
    want_rules_kept(r, step, m);
    if (p->state == GW_STEP_MISSED)
        gw_case_mark(r->ctx, (unsigned)m->frame, "came late: frame %" PRIu64 " of the trace",
                     r->trace->steps[step].frame);
    else
        r->report.compared++;
    gw_player_learn(r, &r->comparer.expected, &r->comparer.got);
    gw_player_related(r, step, &related, &asked, &asked_now);
    gw_player_remember(r, &related);
    p->state = GW_STEP_DONE;
    p->number = (unsigned)m->frame;
    r->last[r->trace->steps[step].line] = step;
    r->report.reordered += overtook;
    if (r->trace->steps[step].related || r->ctx->suite->calls_us)
        gw_player_keep(r, step, m->data, m->cap_len);
}

/* A read that was asked twice may be answered twice. */
static bool is_second(gw_replay *r, const gw_open_connection *o, const gw_message *m)
{
    gw_difference d;
    uint32_t step = r->first[o->trace_line];
    for (; step != GW_TRACE_NONE && step < r->at; step = r->trace->steps[step].next) {
        if (r->played[step].again && r->played[step].state == GW_STEP_DONE &&
            same(r, step, m, &d)) {
            r->played[step].again = false;
            return true;
        }
    }
    return false;
}

/* On the way a datagram may be doubled: whoever sent it said it once. */
static bool is_doubled(gw_replay *r, const gw_open_connection *o, const gw_message *m)
{
    const gw_trace_line *line = &r->trace->lines[o->trace_line];
    gw_difference d;
    if (line->is_stream || gw_ctx_near(r->ctx))
        return false;
    for (uint32_t i = r->at, seen = 0; i > 0 && seen < WINDOW; i--, seen++) {
        const gw_trace_step *s = &r->trace->steps[i - 1];
        if (s->line != o->trace_line || s->ours || r->played[i - 1].state != GW_STEP_DONE ||
            !same(r, i - 1, m, &d))
            continue;
        r->report.doubled++;
        return true;
    }
    return false;
}

/* Whether more has gone out on |line| just now than has been answered: whoever is told several
 * things in a row may say the same to each. */
static bool owes(const gw_replay *r, uint32_t line)
{
    const gw_trace_step *steps = r->trace->steps;
    const gw_trace_step *next = &steps[r->at];
    unsigned asked = 0;
    unsigned came = 0;
    for (uint32_t i = r->at; i > 0 && r->at - i < WINDOW; i--) {
        const gw_trace_step *s = &steps[i - 1];
        bool settled = s->line == line && !s->ours && s->answers != GW_TRACE_NONE;
        if (settled || s->label != next->label || s->time_ns + JUST_AFTER < next->time_ns)
            break;
        asked += s->line == line && s->ours && !s->unsolicited;
        came += s->line == line && gw_trace_awaited(s) && r->played[i - 1].state == GW_STEP_DONE;
    }
    for (uint32_t i = r->at; i < r->trace->num_steps && i - r->at < WINDOW; i++)
        came += steps[i].line == line && gw_trace_awaited(&steps[i]) &&
                r->played[i].state == GW_STEP_DONE;
    return came < asked;
}

/* Whether |m| repeats what came last on its line, in the part of the trace that |step| is of. */
static bool repeats(gw_replay *r, const gw_open_connection *o, const gw_message *m, uint32_t step)
{
    gw_difference d;
    uint32_t last = r->last[o->trace_line];
    return last != GW_TRACE_NONE && r->trace->steps[last].label == r->trace->steps[step].label &&
           !owes(r, o->trace_line) && same(r, last, m, &d);
}

/* What a quick board says of its own accord may come before our next message has gone out; what
 * repeats its last word does not. */
static bool came_early(gw_replay *r, const gw_open_connection *o, const gw_message *m)
{
    gw_difference d;
    uint32_t i = r->first[o->trace_line];
    while (i != GW_TRACE_NONE && r->played[i].state == GW_STEP_DONE)
        i = r->trace->steps[i].next;
    if (i == GW_TRACE_NONE || !is_early(r, i) || repeats(r, o, m, i) || !same(r, i, m, &d))
        return false;
    accept(r, i, m, false);
    return true;
}

/* The step that |m|, which is not due yet, most likely stands for: the next one of its line, if
 * that may come by now and is of the same kind. */
static uint32_t meant(gw_replay *r, const gw_open_connection *o, const gw_message *m)
{
    const gw_trace_line *line = &r->trace->lines[o->trace_line];
    gw_difference d;
    uint32_t i = r->first[o->trace_line];
    while (i != GW_TRACE_NONE && r->played[i].state == GW_STEP_DONE)
        i = r->trace->steps[i].next;
    if (i == GW_TRACE_NONE || !is_early(r, i) || repeats(r, o, m, i) ||
        strcmp(gw_format_transaction(line->format, line->dialect, m, NULL, NULL).kind,
               r->trace->steps[i].kind) != 0 ||
        same(r, i, m, &d))
        return GW_TRACE_NONE;
    r->report.difference = d;
    return i;
}

/* Nothing to compare with: what the format alone says of it is said. */
static void judge_alone(gw_replay *r, const gw_open_connection *o, const gw_message *m)
{
    const gw_trace_line *line = &r->trace->lines[o->trace_line];
    breach b = check(line, m);
    gw_miss miss = {
        .rule = rule_for(r, line, &b), .packet = (unsigned)m->frame, .offset = b.offset};
    if (b.rule != NULL)
        gw_case_fail(r->ctx, &miss, "the trace has no answers, but this one breaks %s: %s",
                     b.rule->id, b.text);
}

/* Takes what comes with time: a port that says stop is sent nothing until it says go. */
static bool take_unsolicited(gw_open_connection *o, const gw_trace_line *line, const gw_message *m)
{
    gw_transaction t = gw_format_transaction(line->format, line->dialect, m, NULL, NULL);
    if (t.unsolicited && t.flow != GW_FLOW_AS_BEFORE)
        o->halted = t.flow == GW_FLOW_STOP;
    return t.unsolicited;
}

void gw_player_take(gw_replay *r, gw_open_connection *o, const gw_message *received)
{
    const gw_trace_line *line = &r->trace->lines[o->trace_line];
    uint32_t *awaited = &r->first[o->trace_line];
    uint32_t first = GW_TRACE_NONE;
    unsigned seen = 0;
    gw_difference d;
    gw_message m = *received;

    if (m.frame == 0)
        m.frame = o->number;
    if (take_unsolicited(o, line, &m) || r->cutting)
        return;
    r->report.came++;
    if (r->trace->num_theirs == 0) {
        r->report.unjudged++;
        judge_alone(r, o, &m);
        return;
    }
    while (*awaited != GW_TRACE_NONE && r->played[*awaited].state == GW_STEP_DONE &&
           !r->played[*awaited].again)
        *awaited = r->trace->steps[*awaited].next;
    for (uint32_t i = *awaited; i != GW_TRACE_NONE && seen < WINDOW; i = r->trace->steps[i].next) {
        if (r->played[i].state == GW_STEP_DONE || !is_due(r, i))
            continue;
        if (same(r, i, &m, &d)) {
            accept(r, i, &m, first != GW_TRACE_NONE);
            return;
        }
        if (first == GW_TRACE_NONE && r->played[i].state == GW_STEP_WAITS) {
            first = i;
            r->report.difference = d;
        }
        seen++;
        if (!gw_player_lossy(r, line) && first != GW_TRACE_NONE)
            break;
    }
    /* A board that calls us goes on asking where the trace has hung up. */
    if (r->ctx->suite->calls_us && *awaited == GW_TRACE_NONE)
        return;
    if (is_second(r, o, &m) || (first == GW_TRACE_NONE && came_early(r, o, &m)) ||
        is_doubled(r, o, &m))
        return;
    if (first == GW_TRACE_NONE)
        first = meant(r, o, &m);
    if (first == GW_TRACE_NONE)
        fail_unexpected(r, o, &m);
    fail_difference(r, first, &m);
}
