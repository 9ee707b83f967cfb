/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside a conversation with an IMS Worker: what its two halves, listening and saying, share. */
#ifndef GOLDWIRE_FORMATS_IMS_WORKER_EXCHANGE_H
#define GOLDWIRE_FORMATS_IMS_WORKER_EXCHANGE_H

#include "formats/ims/worker/suite.h"

#define GW_IMSW_LATE 8 /* responses that wait, at most */

/* gw_imsw_late is a response that waits. */
typedef struct gw_imsw_late {
    gw_imsw_sending *sending;
    int64_t due_ns;
} gw_imsw_late;

/* gw_imsw_exchange is a conversation that goes on. */
typedef struct gw_imsw_exchange {
    gw_ctx *ctx;
    gw_connection *conn;
    gw_imsw_session *session;
    const gw_imsw_behavior *behavior;
    gw_imsw_sending *open;                   /* the frame whose packets come; NULL: none */
    bool open_is_news;                       /* it has not come so often before */
    gw_imsw_sending other;                   /* one that is not remembered */
    gw_ims_status worker;                    /* its STAT_REQ */
    gw_ims_status first[GW_IMS_NUM_METHODS]; /* its first request of each kind */
    gw_endpoint caller;                      /* who registered first */
    uint32_t worker_qpnd;
    uint32_t service_qp;
    bool has_psn;
    uint32_t next_psn; /* of its data */
    uint64_t seen_psn; /* a bit for each of the 64 before that: it was there */
    uint32_t psn[2];   /* of status packets, of responses */
    bool registered;   /* STAT_RES is out, and nobody has ended it since */
    bool writable;     /* DATA_RES is, and nobody has ended that */
    bool opened;       /* DATA_RES has been out */
    bool closed;       /* we have closed the data channel, though nobody asked */
    bool answer_due;
    gw_ims_status answer; /* waits for |answer_ns| */
    int64_t answer_ns;
    int64_t said_ns[GW_IMS_NUM_METHODS]; /* when ours were first said; 0: not yet, negative: what
                                            the Worker does upon it has come */
    gw_imsw_late late[GW_IMSW_LATE];
    size_t num_late;
    int64_t deadline; /* when we stop listening, if nothing comes ... */
    int64_t end;      /* ... and if it does not stop coming */
    unsigned weight;  /* for how many the packet that came counts */
    unsigned stale;   /* packets in a row that brought nothing new */
    bool down;        /* STAT_DOWN went out */
    bool ended;
} gw_imsw_exchange;

/* gw_imsw_does says whether |trick| (GW_IMSW_...) is in our behavior. */
static inline bool gw_imsw_does(const gw_imsw_exchange *t, unsigned trick)
{
    return (t->behavior->tricks & trick) != 0;
}

/* gw_imsw_answer gets the answer to |request| ready, behind whatever our behavior puts before it.
 */
void gw_imsw_answer(gw_imsw_exchange *t, const gw_ims_status *request);

/* gw_imsw_acknowledge says that |s| has come. */
void gw_imsw_acknowledge(gw_imsw_exchange *t, gw_imsw_sending *s);

/* gw_imsw_respond responds to |s|, whose last packet has come: as |plan| says, or, when that is
 * NULL, as a good buffer does. */
void gw_imsw_respond(gw_imsw_exchange *t, gw_imsw_sending *s, const gw_imsw_plan *plan);

/* gw_imsw_refuse says that |s| is not there, as |plan| says. */
void gw_imsw_refuse(gw_imsw_exchange *t, gw_imsw_sending *s, const gw_imsw_plan *plan);

/* gw_imsw_send_due sends whatever has waited long enough. True when that was something. */
bool gw_imsw_send_due(gw_imsw_exchange *t);

/* gw_imsw_due returns when there will be something to send; INT64_MAX when nothing waits. */
int64_t gw_imsw_due(const gw_imsw_exchange *t);

/* gw_imsw_leave tells a Worker that would go on that this is all. */
void gw_imsw_leave(gw_imsw_exchange *t);

#endif
