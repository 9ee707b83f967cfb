/* SPDX-License-Identifier: BSD-2-Clause */
/* Who is who in a trace: which end of a line is the board, and which of its links that is. What is
 * surest counts first, and what cannot be told is asked for, not guessed. */
#include "replay/trace_roles.h"

#include <stdio.h>
#include <string.h>

#include "goldwire/ib.h"
#include "goldwire/text.h"
#include "replay/format.h"

/* Of a party of RoCEv2 the host says all; its ports are not kept. */
static bool is_at(const gw_endpoint *wish, const gw_endpoint *end)
{
    return wish->family == end->family && memcmp(wish->ip, end->ip, sizeof(end->ip)) == 0 &&
           (wish->port == 0 || wish->port == end->port || end->port == GW_ROCE_PORT);
}

/* Which of the two has more; 2 when neither has. */
static unsigned more(const uint32_t votes[2])
{
    return votes[0] > votes[1] ? 0 : votes[1] > votes[0] ? 1 : 2;
}

static bool is_service(const gw_trace_line *line, unsigned end)
{
    const gw_format *f = line->format;
    const uint16_t *ports = line->is_stream ? f->tcp_ports : f->udp_ports;
    size_t num = line->is_stream ? f->num_tcp_ports : f->num_udp_ports;
    for (size_t i = 0; i < num; i++) {
        if (line->ends[end].port == ports[i])
            return true;
    }
    return false;
}

/* Which end is the board; 2 when nothing tells. */
static unsigned board_end(const gw_trace_line *line, const gw_trace_votes *v,
                          const gw_trace_wish *wish)
{
    bool regs = line->format != wish->role->format;
    bool calls = wish->role->calls_us && !regs;
    if (wish->board.family != GW_FAMILY_NONE)
        return is_at(&wish->board, &line->ends[0])   ? 0
               : is_at(&wish->board, &line->ends[1]) ? 1
                                                     : 2;
    for (size_t i = 0; i < wish->num_places; i++) {
        for (unsigned end = 0; end < 2; end++) {
            if (is_at(&wish->places[i].end, &line->ends[end]))
                return end;
        }
    }
    /* Captures are made at either end. Where one side asks and the other answers, that tells. */
    bool roles_apart = gw_replay_format_of(line->format)->one_side_asks;
    unsigned answers = more(v->answered);
    if (answers != 2 && roles_apart)
        return calls ? 1 - answers : answers;
    unsigned us = more(v->captured_out);
    if (us != 2)
        return 1 - us;
    if (answers != 2)
        return calls ? 1 - answers : answers;
    bool service[2] = {is_service(line, 0), is_service(line, 1)};
    if (service[0] != service[1])
        return service[calls ? 1 : 0] ? 0 : 1;
    unsigned asks = more(v->asked);
    if (asks != 2)
        return calls ? asks : 1 - asks;
    /* One side alone is the one that was recorded to be sent. */
    if (v->sent[0] == 0 || v->sent[1] == 0)
        return v->sent[0] == 0 ? 0 : 1;
    return 2;
}

static void turn(gw_trace_line *line)
{
    gw_endpoint end = line->ends[0];
    line->ends[0] = line->ends[1];
    line->ends[1] = end;
    line->turned = true;
}

static void say_end(gw_text *text, const gw_endpoint *end)
{
    if (!gw_trace_is_port(end)) {
        gw_text_endpoint(text, end);
        return;
    }
    gw_text_str(text, end->port % 2 == 0 ? "the captured port of interface "
                                         : "the partner at interface ");
    gw_text_dec(text, (end->port - 1u) / 2);
}

static void say_ends(char *why, size_t why_cap, const gw_trace *t, const gw_trace_line *line,
                     const char *what)
{
    gw_text text = gw_text_over(why, why_cap);
    gw_text_str(&text, t->path);
    gw_text_str(&text, ": frame ");
    gw_text_dec(&text, line->frame);
    gw_text_str(&text, ": ");
    say_end(&text, &line->ends[0]);
    gw_text_str(&text, " and ");
    say_end(&text, &line->ends[1]);
    gw_text_str(&text, what);
}

/* ---- links ---- */

static bool fits(const gw_board *role, unsigned link, const gw_trace_line *line)
{
    bool either =
        gw_board_link_streams(role, link, false) != gw_board_link_streams(role, link, true);
    return gw_board_link_format(role, link) == line->format &&
           (either || gw_board_link_streams(role, link, false) == line->is_stream);
}

/* Whether all lines that the first fitting link could take are one port of the board's. */
static bool alone(const gw_trace *t, const gw_trace_votes *votes, const gw_trace_line *line)
{
    for (uint32_t i = 0; i < t->num_lines; i++) {
        const gw_trace_line *other = &t->lines[i];
        if (!other->foreign && other->format == line->format &&
            other->is_stream == line->is_stream && votes[i].link == GW_TRACE_NONE &&
            !is_at(&line->ends[1], &other->ends[1]))
            return false;
    }
    return true;
}

static bool place(gw_trace *t, uint32_t number, const gw_trace_votes *votes,
                  const gw_trace_wish *wish, char *why, size_t why_cap)
{
    gw_trace_line *line = &t->lines[number];
    const gw_board *role = wish->role;
    unsigned num = gw_board_num_links(role);
    unsigned fitting = 0;
    unsigned first = num;
    for (size_t i = 0; i < wish->num_places; i++) {
        if (is_at(&wish->places[i].end, &line->ends[1])) {
            line->link = (uint8_t)wish->places[i].link;
            return true;
        }
    }
    if (votes[number].link != GW_TRACE_NONE && fits(role, votes[number].link, line)) {
        line->link = (uint8_t)votes[number].link;
        return true;
    }
    for (unsigned i = num; i > 0; i--) {
        if (!fits(role, i - 1, line))
            continue;
        first = i - 1;
        fitting++;
    }
    if (fitting == 0) {
        say_ends(why, why_cap, t, line, " talk over what is none of the board's links");
        return false;
    }
    line->link = (uint8_t)first;
    if (fitting == 1 || alone(t, votes, line))
        return true;
    say_ends(why, why_cap, t, line,
             ": which of the board's links is that? give --link NAME=HOST:PORT for each, as in the "
             "trace");
    return false;
}

bool gw_trace_settle(gw_trace *trace, const gw_trace_votes *votes, const gw_trace_wish *wish,
                     char *why, size_t why_cap)
{
    for (uint32_t i = 0; i < trace->num_lines; i++) {
        gw_trace_line *line = &trace->lines[i];
        if (line->foreign)
            continue;
        unsigned end = board_end(line, &votes[i], wish);
        if (end == 2) {
            say_ends(why, why_cap, trace, line,
                     wish->board.family != GW_FAMILY_NONE
                         ? ": neither is the board that --board names"
                         : ": which of them is the board? give --board HOST[:PORT], as in the "
                           "trace");
            return false;
        }
        if (end == 1)
            continue;
        turn(line);
    }
    for (uint32_t i = 0; i < trace->num_steps; i++)
        trace->steps[i].ours = trace->steps[i].ours != trace->lines[trace->steps[i].line].turned;
    for (uint32_t i = 0; i < trace->num_lines; i++) {
        if (!trace->lines[i].foreign && !place(trace, i, votes, wish, why, why_cap))
            return false;
    }
    return gw_trace_one_board(trace, wish->role, why, why_cap);
}
