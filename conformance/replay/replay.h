/* SPDX-License-Identifier: BSD-2-Clause */
/* A trace as a case: its requests are sent, the answers compared field by field. */
#ifndef REPLAY_REPLAY_H
#define REPLAY_REPLAY_H

#include "replay/compare/compare.h"
#include "replay/trace.h"
#include "run/case.h"

typedef enum gw_replay_mode {
    GW_REPLAY_LOCKSTEP = 0, /* a request goes out when the answers before it have come */
    GW_REPLAY_CAPTURED,     /* at the trace's own times, on an absolute schedule, over several links
                               no earlier than in lockstep; a board that calls us is answered as
                               long after it asked as it was in the trace */
    GW_REPLAY_ASAP,         /* as fast as the line takes them */
} gw_replay_mode;

/* gw_replay_options is how a trace is played. */
typedef struct gw_replay_options {
    gw_replay_mode mode;
    int64_t timeout_ns;      /* for an answer; 0: as the run's cases wait */
    bool all_values;         /* what the trace read and did not write is compared as well */
    const gw_board *guarded; /* a board of this role: what it names is written to only inside the
                                areas of its file; NULL: anything may be written */
} gw_replay_options;

/* gw_replay_report is what became of a trace. */
typedef struct gw_replay_report {
    uint64_t sent;
    uint64_t came;           /* from the board, without what is unsolicited */
    uint64_t compared;       /* and found the same */
    uint64_t reordered;      /* of these */
    uint64_t cut;            /* parts of the trace, because the board had halted us */
    uint64_t cut_frame;      /* where the first of them was */
    uint64_t presumed_empty; /* queues that brought one word over and over, and no error, ... */
    char presumed[64];       /* ... the first of them */
    uint64_t doubled;        /* came more than once, over a path that may do that */
    uint64_t asked_again;    /* reads whose answer was lost once */
    uint64_t unjudged;       /* came, and the trace has no answers to compare with */
    uint64_t excepted;       /* values that differ, and that the trace has from elsewhere */
    uint64_t excepted_frame; /* of the first of them */
    uint64_t unknown_effect; /* frame of the write whose reply was lost; 0: none */
    uint64_t frame;          /* of the first difference, in the trace; 0: none */
    bool differs;            /* |difference| is filled in; a missing answer has none */
    gw_difference difference;
    gw_clause clause;           /* of its field */
    char label[GW_TRACE_LABEL]; /* what the trace calls that part */
} gw_replay_report;

typedef struct gw_replay gw_replay;

/* gw_replay_mode_fits says whether |trace| can be sent to a board like |role| at that pace; if not,
 * |why| says what to do. */
GW_MUST_USE bool gw_replay_mode_fits(const gw_trace *trace, const gw_board *role,
                                     gw_replay_mode mode, char *why, size_t why_cap);

/* gw_replay_new makes a case of |trace|, which belongs to the replay from now on, even when that
 * fails. The case is called "trace/" and the file's name without its ending. NULL when memory is
 * short. */
gw_replay *gw_replay_new(gw_trace *trace, const gw_replay_options *options);

/* gw_replay_case returns the case. It lives as long as |replay|. */
const gw_case *gw_replay_case(const gw_replay *replay);

/* gw_replay_outcome returns what became of it, after the run. */
const gw_replay_report *gw_replay_outcome(const gw_replay *replay);

/* gw_replay_trace returns the trace. */
const gw_trace *gw_replay_trace(const gw_replay *replay);

/* gw_replay_free frees the replay and its trace; NULL is allowed. */
void gw_replay_free(gw_replay *replay);

#endif
