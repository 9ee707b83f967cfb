/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of gw_tcp and what tcp.c asks of one direction of a connection.
 *
 * Sequence numbers are widened to 64 bits where they arrive, so that nothing further in has to
 * think of their wrap: the low half of an offset is the sequence number. */
#ifndef GOLDWIRE_NET_TCP_STATE_H
#define GOLDWIRE_NET_TCP_STATE_H

#include "goldwire/net.h"

#define GW_TCP_NONE UINT32_MAX

/* RFC 7323 lets no window grow past this. */
#define GW_TCP_MAX_WINDOW (UINT32_C(1) << 30)

/* gw_seen is where a segment stood in the capture. */
typedef struct gw_seen {
    uint64_t frame;
    int64_t time_ns;
} gw_seen;

/* gw_piece is a run of bytes of one segment that waits behind a hole. */
typedef struct gw_piece {
    uint64_t off;
    gw_seen at;
    uint32_t len;
    uint32_t next; /* piece in order of |off|, GW_TCP_NONE after the last */
    bool lost;     /* the capture cut these bytes: a gap that has its place */
} gw_piece;

/* gw_tcp_flow is one direction. Its ring holds the bytes that wait and, in what room they leave,
 * those delivered last, to which retransmissions are compared. */
typedef struct gw_tcp_flow {
    gw_piece *pieces;
    uint8_t *ring;  /* byte |off| lives at off & (window - 1) */
    uint64_t start; /* first byte of the stream, or of what was captured of it */
    uint64_t next;  /* next byte to deliver */
    uint64_t known; /* delivered bytes from here to |next| are in the ring */
    uint64_t top;   /* end of the highest byte in the ring */
    uint64_t fin;   /* end of the stream, when |fin_seen| */
    uint32_t head;  /* first piece; none ever starts at or below |next| */
    uint32_t spare; /* list of pieces to use again */
    uint32_t fresh; /* pieces from here on were never used */
    uint16_t vlans[GW_MESSAGE_VLANS];
    uint8_t num_vlans;
    bool started;
    bool mid_stream;
    bool fin_seen;
} gw_tcp_flow;

typedef enum gw_conn_state {
    GW_CONN_OPEN = 0,
    GW_CONN_CLOSED, /* stays in the table, first to be evicted, so that late copies are known */
} gw_conn_state;

typedef struct gw_conn {
    gw_tcp_flow flow[2];
    gw_endpoint end[2]; /* flow[d] comes from end[d] */
    gw_seen last;       /* latest segment */
    uint32_t hash;
    uint32_t stream;
    uint32_t chain; /* next in its bucket */
    uint32_t newer; /* neighbours by last use: a ring, in which the oldest follows the newest */
    uint32_t older;
    uint8_t state; /* gw_conn_state */
} gw_conn;

struct gw_tcp {
    gw_tcp_fn fn;
    void *ctx;
    gw_conn *conns;
    uint32_t *buckets;
    uint32_t bucket_mask;
    uint32_t num;
    uint32_t used; /* connections from here on were never used */
    uint32_t newest;
    uint32_t streams;
    uint32_t window; /* a power of two */
    uint32_t num_pieces;
    gw_tcp_event event; /* the one being told */
};

/* gw_flow_reset forgets everything but the flow's memory. */
void gw_flow_reset(gw_tcp_flow *f);

/* gw_flow_start makes |seq| the first byte. */
void gw_flow_start(gw_tcp_flow *f, uint32_t seq, const gw_net *net, bool mid_stream);

/* gw_flow_offset widens |seq|, of a flow that started. A capture may lose a lot, and a sender does
 * not go back by more than a window: what lies up to 3 GiB on is ahead. */
uint64_t gw_flow_offset(const gw_tcp_flow *f, uint32_t seq);

/* gw_flow_add takes |len| bytes at |off|, of which |payload| was captured. */
void gw_flow_add(gw_tcp *t, gw_conn *c, unsigned dir, uint64_t off, gw_cursor payload, uint32_t len,
                 gw_seen at);

/* gw_flow_pass gives up waiting for what is missing below |to|. */
void gw_flow_pass(gw_tcp *t, gw_conn *c, unsigned dir, uint64_t to, gw_seen at);

/* gw_flow_flush gives up waiting altogether. */
void gw_flow_flush(gw_tcp *t, gw_conn *c, unsigned dir, gw_seen at);

/* gw_flow_tell_end hands out the connection's GW_TCP_END. */
void gw_flow_tell_end(gw_tcp *t, const gw_conn *c, unsigned dir, bool evicted, gw_seen at);

#endif
