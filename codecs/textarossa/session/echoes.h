/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets that may come back. Each waits under the hash of what would be its echo, so a look-up
 * meets nothing else, however many ends talk at a time. */
#ifndef TEXTAROSSA_SESSION_ECHOES_H
#define TEXTAROSSA_SESSION_ECHOES_H

#include "textarossa/internal.h"

/* gw_tx_sent is a packet that was sent. */
typedef struct gw_tx_sent {
    gw_endpoint src;
    gw_endpoint dst;
    uint64_t frame; /* 0: it came back */
    int64_t time_ns;
    uint32_t interface;
    uint32_t crc;    /* of its payload */
    uint32_t bucket; /* that it waits in ... */
    uint32_t next;   /* ... and who came there after it: its place + 1; 0: nobody */
    uint16_t size;
    uint16_t proc_id;
    uint8_t dir;
} gw_tx_sent;

/* gw_tx_bucket is the oldest and the newest packet of a chain: places + 1; 0: it is empty. */
typedef struct gw_tx_bucket {
    uint32_t first;
    uint32_t last;
} gw_tx_bucket;

/* gw_tx_echoes is a ring of packets, and a hash over those in it that wait. */
typedef struct gw_tx_echoes {
    gw_tx_sent *sent;
    gw_tx_bucket *buckets;
    uint32_t room;
    uint32_t first; /* the oldest packet ... */
    uint32_t count; /* ... and how many there are */
    uint32_t mask;  /* number of buckets - 1 */
    uint64_t steps; /* packets that were looked at, in all */
} gw_tx_echoes;

/* What one packet takes at the most, with its buckets. */
#define GW_TX_ECHO_BYTES (sizeof(gw_tx_sent) + 2 * sizeof(gw_tx_bucket))

/* gw_tx_echoes_init makes a table of the |cap| bytes at |memory|. */
void gw_tx_echoes_init(gw_tx_echoes *e, void *memory, size_t cap);

/* gw_tx_echoes_add lets |sent| wait; when the table is full the oldest goes. What nobody could tell
 * from its echo does not wait: who talks to himself, and links whose direction is not known. */
void gw_tx_echoes_add(gw_tx_echoes *e, const gw_tx_sent *sent);

/* gw_tx_echoes_take finds the oldest packet that |back| gives back, which ends its wait. False when
 * there is none. *|ambiguous| says that another one could be meant. */
bool gw_tx_echoes_take(gw_tx_echoes *e, const gw_tx_sent *back, gw_tx_sent *out, bool *ambiguous);

/* gw_tx_echoes_give_up forgets what was sent more than |give_up_ns| before |now_ns|. */
void gw_tx_echoes_give_up(gw_tx_echoes *e, int64_t now_ns, int64_t give_up_ns);

#endif
