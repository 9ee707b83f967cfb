/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies behind gw_ctx. For the runner only; cases see case.h. */
#ifndef GOLDWIRE_RUN_CTX_H
#define GOLDWIRE_RUN_CTX_H

#include <setjmp.h>

#include "evidence/evidence.h"
#include "run/case.h"
#include "run/recover.h"
#include "run/run.h"

#define GW_MAX_CONNECTIONS 16
#define GW_PROBE_STEPS 8 /* round trips of a sign of life that are measured */

struct gw_connection {
    gw_ctx *ctx;
    gw_transport *transport; /* NULL: closed */
    uint16_t number;         /* counts connections, for the evidence */
    uint8_t link;            /* of the board */
    gw_spent *spent;         /* what is waited for is added here */
    bool spin;               /* waits by looking at the clock */
    bool greeted;            /* of a stream: its opening is in the evidence */
    bool hung_up;            /* of one that is served: whoever called is gone */
    int64_t sent_ns;         /* when something was last sent on it */
    unsigned unanswered;     /* sent since something came, or since it was drained */
};

/* How a guarded call came back. */
typedef enum gw_outcome {
    GW_OUTCOME_RETURNED = 0,
    GW_OUTCOME_ENDED, /* by one of the functions that judge; the result says how */
} gw_outcome;

/* gw_alter_fn sends |len| bytes of |data| on |conn|, or something else instead, with
 * gw_ctx_send_as_is, and returns the number of the packet that it came to; 0: none went out. */
typedef unsigned (*gw_alter_fn)(void *arg, gw_ctx *ctx, gw_connection *conn, const void *data,
                                size_t len);

struct gw_ctx {
    const gw_run_setup *setup;
    gw_target *target; /* setup's, or for one case its |wire| */
    const gw_suite *suite;
    const gw_case *self;
    gw_result *result; /* of the case that runs; a spare one during the pre-flight */
    void *state;
    gw_board_file board; /* with the claims to go by */
    gw_rescue rescue;
    gw_connection conns[GW_MAX_CONNECTIONS]; /* the first ones are the usual ones, one a link */
    uint16_t num_connections;
    gw_evidence evidence;
    unsigned last_sent; /* packet numbers; 0: none */
    unsigned last_received;
    unsigned before;   /* packets of the evidence that are older than what the case did ... */
    unsigned until;    /* ... and the last one that is not younger; 0: it still runs */
    unsigned listened; /* to this connection last, its number plus 1; 0: to none */
    unsigned unasked;  /* messages that came since something was last sent */
    uint64_t random;
    gw_spent spent;
    int64_t reply_ns;     /* on a path that takes no time; gw_case_reply_ns adds what it takes */
    int64_t settle_ns;    /* likewise */
    int64_t reply_cap_ns; /* at the most, whatever the path takes; 0: no matter */
    int64_t floor_ns;
    gw_endpoint local; /* our own end of the first connection */
    gw_path_stats path;
    int64_t probe_rtts[GW_PROBE_STEPS]; /* of the sign of life that is looked for */
    int64_t probe_at[GW_PROBE_STEPS];
    unsigned num_probe_rtts;
    int64_t vague_rtt_ns; /* of an answer to one of several requests; 0: none */
    int64_t vague_at;
    bool probing;
    bool lost;          /* the case that ran says that the board stopped answering */
    bool proven;        /* what it failed for is proven by the packet alone */
    unsigned stake;     /* of its datagrams so many matter to what it fails for; 0: perhaps all */
    int64_t connect_ns; /* at the most */
    char fault[256];    /* goldwire's own, during the last sign of life; or "" */
    bool refused;       /* the last sign of life failed before anything could be answered */
    char silence[240];  /* why the last sign of life failed, to go behind another sentence; or "" */
    gw_ahead_fn ahead;  /* NULL: nobody wants to know what goes out before it does */
    void *ahead_arg;
    gw_alter_fn alter; /* sends what a case says in its place; NULL: it goes out as it is */
    void *alter_arg;
    jmp_buf out;
    uint8_t received[GW_CASE_RECV_MAX];
};

/* gw_guarded_fn is what gw_ctx_guard can call. */
typedef void (*gw_guarded_fn)(gw_ctx *ctx, void *arg);

/* gw_ctx_guard calls |fn| with |arg| and catches the ways out of it. */
gw_outcome gw_ctx_guard(gw_ctx *ctx, gw_guarded_fn fn, void *arg);

/* gw_ctx_aside calls |fn| as gw_ctx_guard does and keeps what it judges from the case that runs:
 * it goes to |spare|, or nowhere (NULL). */
gw_outcome gw_ctx_aside(gw_ctx *ctx, gw_guarded_fn fn, void *arg, gw_result *spare);

/* gw_ctx_last_received returns the last packet that came, gw_ctx_last_sent the last one sent, on
 * the connection that the case listened to last, and not what others had to say; 0: none. The end
 * of a connection is something heard. */
unsigned gw_ctx_last_received(const gw_ctx *ctx);
unsigned gw_ctx_last_sent(const gw_ctx *ctx);

/* gw_ctx_sent_before returns the last bytes sent before packet |number| that it may be the answer
 * to: of several connections to one link those of its own; 0: none. */
unsigned gw_ctx_sent_before(const gw_ctx *ctx, unsigned number);

/* gw_ctx_near says whether nothing between us and the board can lose, delay or reorder datagrams,
 * as far as anybody knows beforehand. */
bool gw_ctx_near(const gw_ctx *ctx);

/* gw_ctx_wait_less makes answers waited for no longer than answers usually take, several times
 * over, where that is less than it was. For those who lose many of them and blame nobody for the
 * first. Returns what gw_ctx.reply_ns was before.
 */
int64_t gw_ctx_wait_less(gw_ctx *ctx);

/* gw_ctx_send_as_is is gw_case_send, whoever wants to alter what is sent. */
unsigned gw_ctx_send_as_is(gw_ctx *ctx, gw_connection *conn, const void *data, size_t len);

/* gw_ctx_close_all closes every connection, or (|keep_usual|) all but the usual one if that carries
 * datagrams. */
void gw_ctx_close_all(gw_ctx *ctx, bool keep_usual);

#endif
