/* SPDX-License-Identifier: BSD-2-Clause */
/* A conversation with a master while it lasts: what its listening and its speaking part share. */
#ifndef GOLDWIRE_CASES_EBM_TALKING_H
#define GOLDWIRE_CASES_EBM_TALKING_H

#include "cases/ebm.h"

/* gw_ebm_talking is a conversation that goes on. */
typedef struct gw_ebm_talking {
    gw_ctx *ctx;
    gw_line *line;
    gw_ebm_talk *talk;
    gw_ebm_slave *slave;
    const gw_ebm_manner *manner;
    bool stream;
    bool muted; /* the reply that the manner takes away is gone */
    bool ended;
    unsigned dropped;   /* probes */
    uint8_t held[2048]; /* a reply that will come late, ... */
    size_t held_len;    /* ... 0: none, ... */
    uint64_t held_for;  /* ... and the shape of its request */
    unsigned num_held;
} gw_ebm_talking;

/* gw_ebm_is_probe says whether a datagram, or the beginning of a stream, is a probe. */
bool gw_ebm_is_probe(const uint8_t *data, size_t len);

/* gw_ebm_keep takes down what one side said; when there is no more room, the conversation ends. */
void gw_ebm_keep(gw_ebm_talking *t, gw_direction dir, int64_t time_ns, const uint8_t *data,
                 size_t len);

/* gw_ebm_follow notes the requests in what one side said. A datagram is one as it stands; a stream
 * has to be cut, which takes both sides of it. */
void gw_ebm_follow(gw_ebm_talking *t, gw_direction dir, const uint8_t *data, size_t len);

/* gw_ebm_flush sends the answers that our slave has ready, in the manner of the conversation. */
void gw_ebm_flush(gw_ebm_talking *t);

#endif
