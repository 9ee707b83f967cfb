/* SPDX-License-Identifier: BSD-2-Clause */
/* In which order the messages of a trace go out and come in. */
#include <stdlib.h>

#include "replay/trace_roles.h"

bool gw_trace_awaited(const gw_trace_step *s)
{
    return !s->ours && !s->unsolicited;
}

/* Chains what is awaited, line by line. */
static void chain(gw_trace *t)
{
    for (uint32_t i = 0; i < t->num_lines; i++)
        t->lines[i].first = GW_TRACE_NONE;
    for (uint32_t i = t->num_steps; i > 0; i--) {
        gw_trace_step *s = &t->steps[i - 1];
        gw_trace_line *line = &t->lines[s->line];
        s->next = line->first;
        if (gw_trace_awaited(s))
            line->first = i - 1;
    }
}

static bool has_streams(const gw_trace *t)
{
    for (uint32_t i = 0; i < t->num_lines; i++) {
        if (t->lines[i].is_stream)
            return true;
    }
    return false;
}

/* When a step happened. Datagrams have a time each; whoever recorded several links wrote them down
 * in the order of reading. On streams what we send goes out when it began, what the board sends is
 * there when it is whole: a board may answer a message whose last bytes are still to come. */
static uint64_t moment(const gw_trace_step *s, bool streams)
{
    if (!streams)
        return (uint64_t)s->time_ns;
    return s->ours && s->first_frame != 0 ? s->first_frame : s->frame;
}

/* A step, and where it stood. */
typedef struct placed {
    uint64_t moment;
    uint32_t was;
    uint32_t part; /* of the trace; a clock may begin anew with each */
    uint32_t call;
} placed;

static placed place(const gw_trace *t, uint32_t step, bool streams)
{
    const gw_trace_step *s = &t->steps[step];
    return (placed){.moment = moment(s, streams),
                    .was = step,
                    .part = streams ? 0 : s->label + 1u,
                    .call = streams ? 0 : t->lines[s->line].call};
}

static int by_moment(const void *a, const void *b)
{
    const placed *x = a;
    const placed *y = b;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->call != y->call)
        return x->call < y->call ? -1 : 1;
    if (x->moment != y->moment)
        return x->moment < y->moment ? -1 : 1;
    return (x->was > y->was) - (x->was < y->was);
}

/* Whether the steps stand in that order already, with nothing between that is left out. */
static bool in_order(const gw_trace *t, bool streams)
{
    placed before = {0};
    for (uint32_t i = 0; i < t->num_steps; i++) {
        placed p = place(t, i, streams);
        if (t->lines[t->steps[i].line].foreign || t->steps[i].left_out ||
            (i > 0 && by_moment(&before, &p) > 0))
            return false;
        before = p;
    }
    return true;
}

/* Marks what of ours was not complete yet when another of ours went over another line and changed
 * the board. Of what follows a step, the nearest such is looked at, whatever its own line. */
static void mark_interrupted(gw_trace *t)
{
    uint32_t next[2] = {GW_TRACE_NONE, GW_TRACE_NONE}; /* on two lines, the nearest first */
    for (uint32_t i = t->num_steps; i > 0; i--) {
        gw_trace_step *s = &t->steps[i - 1];
        bool same = next[0] != GW_TRACE_NONE && t->steps[next[0]].line == s->line;
        uint32_t other = next[same ? 1 : 0];
        s->interrupted = s->ours && t->lines[s->line].is_stream && other != GW_TRACE_NONE &&
                         moment(&t->steps[other], true) < s->frame;
        if (!s->ours || !s->changes)
            continue;
        if (!same)
            next[1] = next[0];
        next[0] = i - 1;
    }
}

static void settle(gw_trace *t)
{
    chain(t);
    mark_interrupted(t);
}

bool gw_trace_order(gw_trace *t)
{
    bool streams = has_streams(t);
    if (in_order(t, streams)) {
        settle(t);
        return true;
    }
    placed *order = calloc((size_t)t->num_steps + 1, sizeof(*order));
    gw_trace_step *steps = calloc((size_t)t->num_steps + 1, sizeof(*steps));
    uint32_t *now = calloc((size_t)t->num_steps + 1, sizeof(*now));
    uint32_t num = 0;
    bool ok = order != NULL && steps != NULL && now != NULL;
    for (uint32_t i = 0; ok && i < t->num_steps; i++) {
        if (!t->lines[t->steps[i].line].foreign && !t->steps[i].left_out)
            order[num++] = place(t, i, streams);
    }
    if (ok)
        qsort(order, num, sizeof(*order), by_moment);
    for (uint32_t i = 0; ok && i < num; i++) {
        steps[i] = t->steps[order[i].was];
        now[order[i].was] = i;
    }
    for (uint32_t i = 0; ok && i < num; i++) {
        uint32_t asked = steps[i].answers;
        if (asked != GW_TRACE_NONE)
            steps[i].answers = t->steps[asked].left_out ? GW_TRACE_NONE : now[asked];
    }
    if (ok) {
        free(t->steps);
        t->steps = steps;
        t->cap_steps = t->num_steps + 1;
        t->num_steps = num;
        steps = NULL;
        settle(t);
    }
    free(order);
    free(steps);
    free(now);
    return ok;
}
