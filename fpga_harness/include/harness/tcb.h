/* SPDX-License-Identifier: BSD-2-Clause */
/* One end of a TCP connection (RFC 9293), small: a handshake from either side, a window of 64 KiB
 * each way, segments sent again when nobody acknowledges them, FIN and RST. Without I/O and without
 * a clock, in fixed memory: segments go in and come out, and time is an argument. Neither window
 * scaling nor selective acknowledgements nor urgent data; of congestion it knows a timeout, after
 * which one segment is sent at a time until one is acknowledged. */
#ifndef HARNESS_TCB_H
#define HARNESS_TCB_H

#include "goldwire/base.h"

enum {
    GW_TCB_ROOM = 65536,   /* bytes on their way or waiting, each way; a power of two */
    GW_TCB_SEGMENT = 1220, /* bytes, when the other side does not say: IPv6's least */
    GW_TCB_LONGEST = 1440, /* that Ethernet carries, over IPv6 as well */
    GW_TCB_HOLES = 8,      /* runs of bytes that wait for what is missing before them */
    GW_TCB_TRIES = 7,      /* of a segment that nobody acknowledges */
};

#define GW_TCB_FIRST_NS INT64_C(1000000000) /* before round trips are known (RFC 6298 2.1) */
#define GW_TCB_LEAST_NS INT64_C(200000000)  /* as hosts do */
#define GW_TCB_MOST_NS INT64_C(8000000000)
#define GW_TCB_NEVER INT64_MAX

/* gw_tcp_segment is what a segment says. */
typedef struct gw_tcp_segment {
    uint32_t seq;
    uint32_t ack;
    uint8_t flags; /* GW_TCP_SYN ... of goldwire/net.h */
    uint16_t window;
    uint16_t mss;        /* of a SYN; 0: not told */
    bool again;          /* its bytes were sent before */
    const uint8_t *data; /* valid during the call only */
    size_t len;
} gw_tcp_segment;

/* gw_tcp_send_fn sends |segment|. */
typedef void (*gw_tcp_send_fn)(void *arg, const gw_tcp_segment *segment);

typedef enum gw_tcb_state {
    GW_TCB_CALLS = 0, /* has sent a SYN, and waits for one */
    GW_TCB_CALLED,    /* has answered a SYN, and waits for that to be acknowledged */
    GW_TCB_OPEN,      /* both sides know each other */
    GW_TCB_OVER,      /* both have ended it, and know */
    GW_TCB_RESET,     /* the other side has reset it, or refuses it */
    GW_TCB_DEAD,      /* the other side does not acknowledge any more */
} gw_tcb_state;

/* gw_tcp_run is bytes that came before what lies in front of them. */
typedef struct gw_tcp_run {
    uint32_t from;
    uint32_t to;
} gw_tcp_run;

/* gw_tcb is one end of a connection: a transmission control block (RFC 9293 3.3.1). */
typedef struct gw_tcb {
    gw_tcp_send_fn send;
    void *arg;
    uint8_t state;    /* gw_tcb_state */
    bool ends;        /* we send a FIN behind what is waiting, ... */
    bool end_known;   /* ... and it was acknowledged */
    bool they_ended;  /* their FIN came, with all before it */
    bool owes_ack;    /* for what came */
    uint16_t segment; /* bytes of ours at most */
    uint32_t first;   /* our SYN's number */
    uint32_t unknown; /* the first number of ours that is not acknowledged */
    uint32_t next;    /* to be sent */
    uint32_t sent;    /* behind all that was ever sent */
    uint32_t queued;  /* behind all that is to be sent, without the FIN */
    uint32_t window;  /* bytes that the other side takes, from |unknown| on */
    uint32_t taken;   /* of theirs, the first that nobody has read yet */
    uint32_t expects; /* of theirs */
    gw_tcp_run runs[GW_TCB_HOLES];
    unsigned num_runs;
    uint32_t their_end; /* number of their FIN, where one came, ... */
    bool knows_end;     /* ... in order or not */
    int64_t deadline;   /* when something is sent again; GW_TCB_NEVER */
    int64_t wait_ns;    /* until that */
    int64_t smooth_ns;  /* a round trip; 0: not known */
    int64_t spread_ns;
    int64_t timed_ns; /* when the byte |timed| went out */
    uint32_t timed;
    bool timing;
    bool careful;   /* after a timeout: one segment at a time */
    uint8_t tries;  /* of what is at |unknown| */
    uint8_t copies; /* acknowledgements of nothing new */
    uint8_t in[GW_TCB_ROOM];
    uint8_t out[GW_TCB_ROOM];
    uint8_t piece[GW_TCB_LONGEST];
} gw_tcb;

/* gw_tcb_call begins a connection by a SYN numbered |first|. */
void gw_tcb_call(gw_tcb *e, gw_tcp_send_fn send, void *arg, uint32_t first, int64_t now);

/* gw_tcb_answer begins one by answering |syn| with a SYN numbered |first|. */
void gw_tcb_answer(gw_tcb *e, gw_tcp_send_fn send, void *arg, uint32_t first,
                   const gw_tcp_segment *syn, int64_t now);

/* gw_tcb_hear takes a segment of the other side's. Nothing is sent: gw_tcb_run does that,
 * and is to be called behind it. It returns how many bytes are there now that were not before, all
 * before them having come; they are the last of those that wait to be read. */
size_t gw_tcb_hear(gw_tcb *e, const gw_tcp_segment *segment, int64_t now);

/* gw_tcb_run sends what is due and may go, and returns when it wants to be called next;
 * GW_TCB_NEVER. */
int64_t gw_tcb_run(gw_tcb *e, int64_t now);

/* gw_tcb_write queues |len| bytes, as many as there is room for, and returns how many. */
size_t gw_tcb_write(gw_tcb *e, const uint8_t *data, size_t len);

/* gw_tcb_read hands out at most |cap| bytes of what came. */
size_t gw_tcb_read(gw_tcb *e, uint8_t *buf, size_t cap);

/* gw_tcb_peek copies the last |len| bytes that wait to be read; they go on waiting. */
void gw_tcb_peek(const gw_tcb *e, uint8_t *buf, size_t len);

/* gw_tcb_close sends a FIN behind what is queued. */
void gw_tcb_close(gw_tcb *e);

/* gw_tcb_reset sends an RST, and forgets the connection. */
void gw_tcb_reset(gw_tcb *e);

/* gw_tcb_idle says whether all that was queued is acknowledged. */
bool gw_tcb_idle(const gw_tcb *e);

#endif
