/* SPDX-License-Identifier: BSD-2-Clause */
/* An exchange with a master while it lasts: what its receiving and its sending part share. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_MASTER_EXCHANGE_H
#define GOLDWIRE_FORMATS_ETHERBONE_MASTER_EXCHANGE_H

#include "formats/etherbone/master/suite.h"

/* gw_eb_master_session is an exchange that goes on. */
typedef struct gw_eb_master_session {
    gw_ctx *ctx;
    gw_connection *conn;
    gw_eb_master_exchange *exchange;
    gw_eb_test_slave *slave;
    const gw_eb_master_behavior *behavior;
    bool stream;
    size_t first_packet;  /* of this master's, in |exchange|, ... */
    size_t first_request; /* ... and its first request */
    bool silenced;        /* the reply that is withheld (no_reply) was due */
    bool ended;
    unsigned dropped;    /* probes */
    unsigned num_looked; /* who called before, and asked for nothing */
    uint8_t held[2048];  /* a reply that will come late, ... */
    size_t held_len;     /* ... 0: none, ... */
    uint64_t held_for;   /* ... and the shape of its request */
    unsigned num_held;
    unsigned num_false;  /* false responses sent, ... */
    unsigned next_false; /* ... and where to look for the next one */
    bool reply_lost;     /* the reply that lose_reply withholds is gone, ... */
    bool waiting;        /* ... and the master has sent nothing since */
} gw_eb_master_session;

/* gw_eb_master_is_probe says whether a datagram, or the beginning of a stream, is a probe. */
bool gw_eb_master_is_probe(const uint8_t *data, size_t len);

/* gw_eb_master_clear begins |exchange| anew, with a slave that offers |offer|. */
void gw_eb_master_clear(gw_eb_master_exchange *exchange, uint8_t offer);

/* gw_eb_master_starts_another says whether |packet| ends the exchange: a foreign master that probes
 * again, after requests or from another port, begins another one, for which its probe is kept.
 * Where nobody has asked for anything, the exchange itself begins anew. */
bool gw_eb_master_starts_another(gw_eb_master_session *t, const gw_packet *packet);

/* gw_eb_master_record keeps what one side sent, packet |number| of the evidence; when there is no
 * more room, the exchange ends. */
void gw_eb_master_record(gw_eb_master_session *t, gw_direction dir, unsigned number,
                         int64_t time_ns, const uint8_t *data, size_t len);

/* gw_eb_master_note_requests notes the requests in what one side sent. A datagram is one as it
 * stands; a stream has to be cut, which takes both sides of it. */
void gw_eb_master_note_requests(gw_eb_master_session *t, gw_direction dir, const uint8_t *data,
                                size_t len);

/* gw_eb_master_send_replies sends the answers that our slave has ready, with the behavior of the
 * exchange. */
void gw_eb_master_send_replies(gw_eb_master_session *t);

/* By how much a packet must come too early, or too late, to be no answer to what was sent. */
#define GW_EB_MASTER_CROSSED_NS (10 * GW_MS)

/* gw_eb_master_send_bytes sends |len| bytes as they stand. */
void gw_eb_master_send_bytes(gw_eb_master_session *t, const uint8_t *data, size_t len);

/* gw_eb_master_send_as_other sends them from another address than the one that the master asked.
 * False, with a text in |t|->exchange->no_other, when that cannot be. */
bool gw_eb_master_send_as_other(gw_eb_master_session *t, const uint8_t *data, size_t len);

/* gw_eb_master_next_but_probes takes the next packet that is no probe, within |timeout_ns|, and
 * adds the probes before it to |num_probes|, but for one that begins another exchange. */
bool gw_eb_master_next_but_probes(gw_eb_master_session *t, int64_t timeout_ns, gw_packet *packet,
                                  unsigned *num_probes);

/* gw_eb_master_watch_early waits for the settle time: whatever comes now came too early. */
void gw_eb_master_watch_early(gw_eb_master_session *t, unsigned *early);

/* gw_eb_master_message_of is our own reply, or what answers one, to be decoded by the agreed
 * widths. */
gw_message gw_eb_master_message_of(const gw_eb_master_session *t, const uint8_t *data, size_t len);

/* gw_eb_master_send_forged sends a reply like |data| that the master must not take for its own, and
 * watches what comes of it. */
void gw_eb_master_send_forged(gw_eb_master_session *t, const uint8_t *data, size_t len);

/* gw_eb_master_send_false sends the next false response of the behavior before the reply |data|, if
 * one is due. */
void gw_eb_master_send_false(gw_eb_master_session *t, const uint8_t *data, size_t len);

/* gw_eb_master_loses_reply says whether the reply |data| is the one that gets lost; a last false
 * response has gone out in its place. */
bool gw_eb_master_loses_reply(gw_eb_master_session *t, const uint8_t *data, size_t len);

/* gw_eb_master_send_false_probe sends what looks like a response to the first probe, and is none.
 */
void gw_eb_master_send_false_probe(gw_eb_master_session *t);

#endif
