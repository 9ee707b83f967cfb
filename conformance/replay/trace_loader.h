/* SPDX-License-Identifier: BSD-2-Clause */
/* A trace while it is being read. */
#ifndef REPLAY_TRACE_LOADER_H
#define REPLAY_TRACE_LOADER_H

#include "inspect/pipeline.h"
#include "inspect/sessions.h"
#include "replay/trace_link.h"
#include "replay/trace_roles.h"

#define GW_TRACE_SLOTS ((size_t)4 * GW_TRACE_MAX_LINES) /* of the table that finds a line */

/* A trace being read. */
typedef struct gw_trace_loader {
    gw_verdict_sink sink; /* first: the session's findings come here */
    gw_trace *trace;
    const gw_trace_wish *wish;
    gw_selection *selection;
    gw_sessions *sessions;
    gw_trace_votes *votes;
    uint32_t *slots; /* line number + 1 */
    bool scouting;   /* the first pass: which ports speak EtherBone */
    uint32_t label;
    gw_carried carried; /* a unit of a link */
    uint32_t sequence;  /* of what goes to the captured port */
    uint32_t call;      /* of a board that calls us: comments tell a new one */
    uint64_t frame;     /* that is being read */
    char link[32];      /* that the frame's comment names */
    gw_error first;     /* why the first message that cannot be read cannot, in ... */
    uint64_t first_frame;
    char stop[256]; /* why the trace is refused; "": it is not */
    uint64_t stop_frame;
} gw_trace_loader;

/* gw_trace_refuse notes why the trace cannot be replayed, as frame |frame| shows; the first reason
 * counts. */
void gw_trace_refuse(gw_trace_loader *l, uint64_t frame, const char *fmt, ...) GW_PRINTF(3, 4);

/* gw_trace_take is a gw_found_fn, |ctx| being the loader: it adds a message to the trace. */
void gw_trace_take(void *ctx, const gw_found *found);

/* gw_trace_relate is the |relation| of the loader's sink. */
void gw_trace_relate(gw_verdict_sink *sink, const gw_relation *relation);

/* gw_trace_pair finds in a settled trace of a board of |role| what those of its answers answer that
 * repeat nothing of their requests. */
void gw_trace_pair(gw_trace *trace, const gw_board *role);

#endif
