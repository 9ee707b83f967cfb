/* SPDX-License-Identifier: BSD-2-Clause */
/* A conversation with a master while it lasts: what its listening and its speaking part share. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_MASTER_EXCHANGE_H
#define GOLDWIRE_FORMATS_ETHERBONE_MASTER_EXCHANGE_H

#include "formats/etherbone/master/suite.h"

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
    unsigned num_lies; /* told, ... */
    unsigned next_lie; /* ... and where to look for the next one */
    bool swallowed;    /* the reply that the manner takes away behind the lies is gone, ... */
    bool waiting;      /* ... and the master has said nothing since */
} gw_ebm_talking;

/* gw_ebm_is_probe says whether a datagram, or the beginning of a stream, is a probe. */
bool gw_ebm_is_probe(const uint8_t *data, size_t len);

/* gw_ebm_begins_another says whether |packet| ends the conversation: a foreign master that probes
 * again, after requests or from another port, begins another one, for which its probe waits. */
bool gw_ebm_begins_another(gw_ebm_talking *t, const gw_packet *packet);

/* gw_ebm_keep takes down what one side said, packet |number| of the evidence; when there is no more
 * room, the conversation ends. */
void gw_ebm_keep(gw_ebm_talking *t, gw_direction dir, unsigned number, int64_t time_ns,
                 const uint8_t *data, size_t len);

/* gw_ebm_follow notes the requests in what one side said. A datagram is one as it stands; a stream
 * has to be cut, which takes both sides of it. */
void gw_ebm_follow(gw_ebm_talking *t, gw_direction dir, const uint8_t *data, size_t len);

/* gw_ebm_flush sends the answers that our slave has ready, in the manner of the conversation. */
void gw_ebm_flush(gw_ebm_talking *t);

/* By which what comes is too soon, or too late, to come upon what was said. */
#define GW_EBM_CROSSED_NS (10 * GW_MS)

/* gw_ebm_say sends |len| bytes as they stand. */
void gw_ebm_say(gw_ebm_talking *t, const uint8_t *data, size_t len);

/* gw_ebm_watch waits for the settle time: whatever comes now came too early. */
void gw_ebm_watch(gw_ebm_talking *t, unsigned *early);

/* gw_ebm_as_message is our own reply, or what answers one, to be decoded by the agreed widths. */
gw_message gw_ebm_as_message(const gw_ebm_talking *t, const uint8_t *data, size_t len);

/* gw_ebm_say_falsely sends a reply like |data| that the master must not take for its own, and
 * watches what comes of it. */
void gw_ebm_say_falsely(gw_ebm_talking *t, const uint8_t *data, size_t len);

/* gw_ebm_tell_lie tells the next lie of the manner before the reply |data|, if one is due. */
void gw_ebm_tell_lie(gw_ebm_talking *t, const uint8_t *data, size_t len);

/* gw_ebm_swallows says whether the reply |data| is the one that gets lost; a last lie has gone out
 * in its place. */
bool gw_ebm_swallows(gw_ebm_talking *t, const uint8_t *data, size_t len);

/* gw_ebm_deny_probe sends what looks like a response to the first probe, and is none. */
void gw_ebm_deny_probe(gw_ebm_talking *t);

#endif
