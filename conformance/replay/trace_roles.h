/* SPDX-License-Identifier: BSD-2-Clause */
/* Who is who in a trace, once all of it is read. */
#ifndef REPLAY_TRACE_ROLES_H
#define REPLAY_TRACE_ROLES_H

#include "replay/trace.h"

/* gw_trace_votes is what speaks for either end of a line being the board; index 0 is the end that
 * ends[0] holds before the line is settled. */
typedef struct gw_trace_votes {
    uint32_t captured_out[2]; /* the capture says that this end is where it was made */
    uint32_t answered[2];     /* this end answered */
    uint32_t asked[2];        /* this end asked, by what it sent alone */
    uint32_t sent[2];
    uint32_t link; /* that a comment names, or GW_TRACE_NONE */
} gw_trace_votes;

/* gw_trace_leave_out marks the lines that are somebody else's: nothing on them can be read, and
 * nobody between their hosts says anything that can. False when that is all of them. */
GW_MUST_USE bool gw_trace_leave_out(gw_trace *trace);

/* gw_trace_one_board says whether each link of a settled trace leads to one host; if not, |why|
 * names two. */
GW_MUST_USE bool gw_trace_one_board(const gw_trace *trace, const gw_board *role, char *why,
                                    size_t why_cap);

/* gw_trace_close, of a settled trace of a Worker: the request with which it begins a conversation
 * that the trace does not go on with is not awaited. */
void gw_trace_close(gw_trace *trace);

/* gw_trace_settle decides for each line which end is ours and which link it is, turns its ends
 * round where needed, and sets |ours| of every step; until then |ours| tells that ends[0] sent it.
 * False with a text in |why|. */
GW_MUST_USE bool gw_trace_settle(gw_trace *trace, const gw_trace_votes *votes,
                                 const gw_trace_wish *wish, char *why, size_t why_cap);

/* gw_trace_finish orders and counts the steps of a settled trace, leaving out what is marked so.
 * False with a text in |why|: nothing is left to be sent, or it is not there whole. */
GW_MUST_USE bool gw_trace_finish(gw_trace *trace, char *why, size_t why_cap);

/* gw_trace_awaited says whether |step| is a message that has to come. */
bool gw_trace_awaited(const gw_trace_step *step);

/* gw_trace_order puts the steps of a settled trace into the order they are played in, and chains
 * what is awaited line by line. False when memory is short. */
GW_MUST_USE bool gw_trace_order(gw_trace *trace);

#endif
