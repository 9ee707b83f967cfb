/* SPDX-License-Identifier: BSD-2-Clause */
/* What else a capture holds: other people's traffic, other boards', another role's. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "goldwire/text.h"
#include "replay/trace_roles.h"

static bool same_host(const gw_endpoint *a, const gw_endpoint *b)
{
    return a->family == b->family && memcmp(a->ip, b->ip, sizeof(a->ip)) == 0;
}

static bool same_hosts(const gw_trace_line *a, const gw_trace_line *b)
{
    return (same_host(&a->ends[0], &b->ends[0]) && same_host(&a->ends[1], &b->ends[1])) ||
           (same_host(&a->ends[0], &b->ends[1]) && same_host(&a->ends[1], &b->ends[0]));
}

/* Whether somebody between the ends of |line| says what can be read. What cannot be read on another
 * port of theirs may be meant to be refused. */
static bool is_theirs(const gw_trace *t, const gw_trace_line *line)
{
    for (uint32_t i = 0; i < t->num_lines; i++) {
        if (t->lines[i].readable && same_hosts(&t->lines[i], line))
            return true;
    }
    return false;
}

bool gw_trace_leave_out(gw_trace *trace)
{
    bool any = false;
    for (uint32_t i = 0; i < trace->num_lines; i++) {
        gw_trace_line *line = &trace->lines[i];
        line->foreign = !line->readable && !is_theirs(trace, line);
        any = any || !line->foreign;
    }
    return any;
}

bool gw_trace_one_board(const gw_trace *trace, const gw_board *role, char *why, size_t why_cap)
{
    const gw_trace_line *first[GW_PEER_MAX_LINKS] = {NULL};
    for (uint32_t i = 0; i < trace->num_lines; i++) {
        const gw_trace_line *line = &trace->lines[i];
        const gw_trace_line *other = first[line->link];
        if (line->foreign)
            continue;
        first[line->link] = other != NULL ? other : line;
        /* A board may have an address of each family. */
        if (other == NULL || gw_trace_is_port(&line->ends[1]) ||
            other->ends[1].family != line->ends[1].family ||
            same_host(&other->ends[1], &line->ends[1]))
            continue;
        gw_text text = gw_text_over(why, why_cap);
        gw_text_str(&text, trace->path);
        gw_text_str(&text, ": two boards on link ");
        gw_text_str(&text, role->links[line->link]);
        gw_text_str(&text, ": ");
        gw_text_endpoint(&text, &other->ends[1]);
        gw_text_str(&text, " in frame ");
        gw_text_dec(&text, other->frame);
        gw_text_str(&text, ", ");
        gw_text_endpoint(&text, &line->ends[1]);
        gw_text_str(&text, " in frame ");
        gw_text_dec(&text, line->frame);
        gw_text_str(&text, "; cut the trace to one: tshark -r IN -w OUT 'ip.addr == ADDRESS'");
        return false;
    }
    return true;
}

void gw_trace_close(gw_trace *trace)
{
    for (uint32_t i = 0; i < trace->num_steps; i++)
        trace->lines[trace->steps[i].line].last = i;
    for (uint32_t i = 0; i < trace->num_steps; i++) {
        gw_trace_step *s = &trace->steps[i];
        bool opens = !s->ours && s->opens;
        bool first = trace->lines[s->line].frame == s->frame;
        if (opens && !first && trace->lines[s->line].last == i)
            s->unsolicited = true;
    }
}
