/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of a replay share. */
#ifndef REPLAY_PLAYER_H
#define REPLAY_PLAYER_H

#include "replay/compare/memory.h"
#include "replay/replay.h"
#include "run/ctx.h"

typedef enum gw_step_state {
    GW_STEP_WAITS = 0, /* to be sent, or to come */
    GW_STEP_DONE,      /* sent, or come as expected */
    GW_STEP_MISSED,    /* given up; it may still come late */
} gw_step_state;

/* gw_played is what became of a step. */
typedef struct gw_played {
    int64_t sent_ns; /* of the line's clock */
    size_t live_at;  /* its bytes as they are now, where those differ from the trace's or are needed
                        later */
    uint32_t live_len;
    unsigned number; /* in the evidence */
    uint8_t state;   /* gw_step_state */
    bool has_live;
    bool again; /* was asked twice */
} gw_played;

/* gw_open_connection is what a line of the trace goes over now. */
typedef struct gw_open_connection {
    gw_connection *conn; /* NULL: the slot is free */
    uint32_t trace_line;
    void *stream;    /* state for cutting its bytes into messages; kept from line to line */
    unsigned number; /* of the packet whose bytes are being cut */
    bool usual;      /* the link's usual connection, which outlives us */
    bool closed;     /* by the board */
    bool halted;     /* the board has sent XOFF, and no XON since */
    uint32_t sent;   /* datagrams */
} gw_open_connection;

/* gw_counter is something that counts, and how far it had come when it was first seen. */
typedef struct gw_counter {
    const gw_field *field;
    uint64_t key;   /* which one: an address, a queue pair */
    uint64_t ahead; /* of the trace */
    uint32_t part;  /* of the trace in which it goes on; GW_TRACE_NONE: in all */
} gw_counter;

/* gw_name is what the board called something in the trace, and calls it now. */
typedef struct gw_name {
    uint64_t scope;
    uint64_t then;
    uint64_t now;
    uint8_t class; /* gw_names */
} gw_name;

#define GW_PLAYER_COUNTERS 64
#define GW_PLAYER_NAMES 256

struct gw_replay {
    gw_case one;
    gw_trace *trace;
    gw_replay_options options;
    gw_replay_report report;
    gw_comparer comparer;
    gw_played *played;
    uint8_t *live;
    size_t num_live;
    size_t cap_live;
    uint8_t *scratch; /* of the longest message that is sent, and of its ICRC */
    size_t cap_scratch;
    uint8_t *segment; /* of a stream: what waits for the rest of it to be sent, ... */
    size_t num_segment;
    size_t cap_segment;
    uint32_t segment_from; /* ... from this step on */
    uint8_t *opened;       /* slot + 1, by line */
    uint32_t *first; /* by line: nothing before this step is awaited on it, or GW_TRACE_NONE */
    uint32_t *last;  /* by line: the step that came last, or GW_TRACE_NONE */
    gw_open_connection slots[GW_MAX_CONNECTIONS];
    gw_ctx *ctx;
    /* gets each message that comes. A pointer, for answers.c may have to open a line for what it
     * judges, and to open one the rest of another is heard. */
    void (*take)(gw_replay *r, gw_open_connection *o, const gw_message *message);
    const gw_adapter *adapter; /* that our end is; NULL: every name of ours is the trace's */
    uint32_t at;               /* the next step to be sent; what stands before it is due */
    uint32_t oldest;           /* nothing before it is awaited */
    uint32_t asked_last;       /* the step that was sent last, or GW_TRACE_NONE */
    int64_t silence_ns;        /* that may still be spent on listening for what should not come */
    gw_counter counters[GW_PLAYER_COUNTERS];
    unsigned num_counters;
    gw_name names[GW_PLAYER_NAMES]; /* oldest first */
    unsigned num_names;
    uint32_t late_step; /* that went out |late_ns| later than in the trace */
    int64_t late_ns;    /* 0: none did */
    uint32_t judged;    /* the step that a message is being compared with */
    gw_memory memory;
    uint64_t table_then; /* where the config space said that the SDB table lies; 0: it has not */
    uint64_t table_now;
    uint64_t pool; /* of a node, where the trace put it */
    bool has_pool;
    uint32_t part;         /* of the trace, by its label */
    bool cutting;          /* the rest of a part is left out, and what comes is not judged */
    bool numbered;         /* the board has a number of its own, by which others call it */
    uint16_t node;         /* the board's id in the trace */
    bool released;         /* its port was just released from a reset */
    uint32_t queues_part;  /* of the trace, in which ... */
    uint8_t queues[2];     /* ... these queues of each port were seen to be empty, */
    uint8_t queues_now[2]; /* and these are, when they were looked at last */
    uint8_t tail[4];       /* bytes of a frame that are no whole word yet */
    unsigned num_tail;
    char id[128];
    char title[320];
};

/* ---- lines.c ---- */

/* gw_player_connection returns the open connection for trace line |line|, opened when there is
 * none. */
gw_open_connection *gw_player_connection(gw_replay *r, uint32_t line);

/* gw_player_receive waits at most |timeout_ns| for something on |o| and takes it. False when
 * nothing came. */
bool gw_player_receive(gw_replay *r, gw_open_connection *o, int64_t timeout_ns);

/* gw_player_drain takes what has come on all open connections. */
void gw_player_drain(gw_replay *r);

/* gw_player_put sends |len| bytes of step |step|; over a stream together with what follows it in
 * one segment of the trace. */
void gw_player_put(gw_replay *r, uint32_t step, const uint8_t *data, size_t len);

/* gw_player_retire closes the connections whose last step lies before |step|. */
void gw_player_retire(gw_replay *r, uint32_t step);

/* gw_player_forget forgets the lines of an earlier run, which the runner has closed. */
void gw_player_forget(gw_replay *r);

/* ---- steps.c ---- */

/* gw_player_note notes in the report that |step| is where the trace and now part; gw_player_place
 * writes "frame 12 of x.pcapng (eb-s/probe-echo)" and returns |out|. */
void gw_player_note(gw_replay *r, uint32_t step);
const char *gw_player_place(const gw_replay *r, uint32_t step, char *out, size_t cap);

/* ---- counters.c ---- */

/* gw_player_counts is gw_related's counts, |ctx| being the replay: of what counts, only the steps
 * from one message to the next are compared. */
gw_counts_how gw_player_counts(void *ctx, const gw_related *related, const gw_leaf *want,
                               const gw_leaf *have, uint64_t *expected);

/* gw_player_forget_counters forgets those of other parts of the trace than the judged step's. */
void gw_player_forget_counters(gw_replay *r);

/* ---- names.c ---- */

/* gw_player_named is gw_related's named, |ctx| being the replay. */
gw_named_how gw_player_named(void *ctx, const gw_related *related, const gw_leaves *all,
                             const gw_leaf *leaf, uint64_t *value);

/* gw_player_learn takes the names that a message of the board's gives, |then| in the trace and
 * |now|.
 */
void gw_player_learn(gw_replay *r, const gw_leaves *then, const gw_leaves *now);

/* gw_player_name notes |name|. */
void gw_player_name(gw_replay *r, const gw_name *name);

/* gw_player_learn_place notes that we wrote to |now| what the trace wrote to |then|. */
void gw_player_learn_place(gw_replay *r, uint64_t then, uint64_t now);

/* gw_player_node returns the number of now of the board that had number |then| in the trace. */
uint64_t gw_player_node(const gw_replay *r, uint64_t then);

/* gw_player_queue_pair returns what the board calls queue pair |then| of the trace now. */
uint32_t gw_player_queue_pair(const gw_replay *r, uint64_t then);

/* gw_player_in_ring returns the address of now for |then|, which lies in memory that it named. */
uint64_t gw_player_in_ring(const gw_replay *r, uint64_t then);

/* ---- remember.c ---- */

/* gw_player_note_write notes what a message of ours writes, |then| in the trace and |now|. */
void gw_player_note_write(gw_replay *r, uint32_t step, const gw_message *then,
                          const gw_message *now);

/* gw_player_know notes a byte that was written, |then| in the trace. */
void gw_player_know(gw_replay *r, gw_space space, uint64_t address, uint8_t then, uint8_t now);

/* gw_player_spoken notes that step |step| speaks of |word|, say an address. */
void gw_player_spoken(gw_replay *r, uint32_t step, uint64_t word);

/* gw_player_is_spoken says whether |word| was spoken of in the judged step's part. */
bool gw_player_is_spoken(const gw_replay *r, uint64_t word);

/* gw_player_remembers is gw_player_counts for what does not count: memory, of which only what the
 * trace wrote, or read before, is compared. */
gw_counts_how gw_player_remembers(gw_replay *r, const gw_related *related, const gw_leaf *want,
                                  const gw_leaf *have, uint64_t *expected);

/* gw_player_remember takes what the answer that was compared last tells of memory. */
void gw_player_remember(gw_replay *r, const gw_related *related);

/* ---- prelude.c ---- */

/* gw_player_prepare empties the board's queues that the part of the trace uses which begins with
 * |step|. Nothing may be awaited. */
void gw_player_prepare(gw_replay *r, uint32_t step);

/* gw_player_is_of_part says whether |step| is of the part of the trace that |first| is of. */
bool gw_player_is_of_part(const gw_replay *r, uint32_t step, uint32_t first);

/* gw_read_word is a word on a bus. */
typedef struct gw_read_word {
    uint64_t value;
    bool there; /* the bus had one */
} gw_read_word;

/* gw_player_read_word reads one word over EtherBone. A board that does not answer has none: what
 * follows will tell. */
gw_read_word gw_player_read_word(gw_ctx *ctx, gw_connection *conn, uint8_t widths,
                                 const gw_dialect *dialect, uint64_t address);

/* ---- elsewhere.c ---- */

/* gw_player_moved is gw_related's moved, |ctx| being the replay. */
bool gw_player_moved(void *ctx, const gw_related *related, const gw_leaf *leaf, uint64_t *value);

/* gw_player_now_at puts into |now| where that lies which the trace has at |address|, |bytes| long.
 * False when the board has no such place. */
bool gw_player_now_at(const gw_replay *r, uint64_t address, unsigned bytes, uint64_t *now);

/* ---- answers.c ---- */

/* gw_player_take judges a message that came on |o|. */
void gw_player_take(gw_replay *r, gw_open_connection *o, const gw_message *message);

/* gw_player_due returns the oldest step before |end| that is awaited, or GW_TRACE_NONE. */
uint32_t gw_player_due(gw_replay *r, uint32_t end);

/* gw_player_request returns the step that step |step| answers: the session's word, or what was
 * sent last before it on its line; GW_TRACE_NONE when there is none. */
uint32_t gw_player_request(const gw_replay *r, uint32_t step);

/* gw_player_related fills |out| for step |step|. |asked| and |asked_now| are room for it. */
void gw_player_related(gw_replay *r, uint32_t step, gw_related *out, gw_message *asked,
                       gw_message *asked_now);

/* gw_player_keep keeps the bytes of step |step| as they are now. */
void gw_player_keep(gw_replay *r, uint32_t step, const uint8_t *data, size_t len);

/* gw_player_lossy says whether messages of |line| may get lost. Where nothing does, what does not
 * come was not sent, and what is late was sent late. */
bool gw_player_lossy(const gw_replay *r, const gw_trace_line *line);

/* ---- late.c ---- */

/* gw_player_was_sent notes how late step |step| went out, which was sent just now and should follow
 * |pause_ns| after the one before. */
void gw_player_was_sent(gw_replay *r, uint32_t step, int64_t pause_ns);

/* gw_player_excuse ends the replay, inconclusive, when something before |step|, which is not as in
 * the trace, went out so late that the board may be right. */
void gw_player_excuse(gw_replay *r, uint32_t step);

/* ---- missing.c ---- */

/* gw_player_missed gives step |step| up, which does not come; |closed| tells that the board closed
 * the connection. It returns when it was asked for again. */
void gw_player_missed(gw_replay *r, uint32_t step, bool closed);

#endif
