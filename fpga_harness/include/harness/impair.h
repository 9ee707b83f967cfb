/* SPDX-License-Identifier: BSD-2-Clause */
/* Impairments: what a bad network does to what is sent over it, by a seed, so that it does the same
 * again.
 *
 * Which datagrams are hit depends on the seed and on their number in their direction, not on time
 * or content; only an outage hits what is sent while it lasts. What takes time waits in a queue of
 * its own, ordered by when it is due; nothing here reads a clock. */
#ifndef HARNESS_IMPAIR_H
#define HARNESS_IMPAIR_H

#include "goldwire/base.h"

#define GW_IMPAIR_SCALE UINT32_C(1000000000) /* shares are of so many datagrams */
#define GW_IMPAIR_QUIET_NS INT64_C(1000000)  /* after which no next datagram is waited for */
#define GW_IMPAIR_MAX 65536                  /* bytes of a datagram */
#define GW_IMPAIR_NOTE 192                   /* bytes of a note */
#define GW_IMPAIR_ROOM (8u << 20)            /* bytes under way at most; more is lost */
#define GW_IMPAIR_NEVER INT64_MAX
#define GW_IMPAIR_MTU_MIN 68                            /* that IPv4 lets a link have (RFC 791) */
#define GW_IMPAIR_TIME_MAX (INT64_C(3600) * 1000000000) /* of a delay, a jitter, an outage */

/* gw_impairment says how many datagrams of GW_IMPAIR_SCALE meet with what, how long all of them
 * take, and how long they may be. All zero: nothing happens. */
typedef struct gw_impairment {
    uint32_t loss;
    uint32_t reorder;   /* change places with the next one */
    uint32_t duplicate; /* come twice */
    uint32_t corrupt;   /* have one bit flipped */
    uint32_t mtu;       /* bytes of an IP packet at most; 0: any */
    uint64_t seed;
    int64_t delay_ns;       /* in each direction, to which ... */
    int64_t jitter_ns;      /* ... up to so much is added or taken off, down to none */
    int64_t outage_from_ns; /* the link is down from then on, counted from the beginning, ... */
    int64_t outage_ns;      /* ... for so long */
} gw_impairment;

/* gw_impairs says whether |what| does anything at all. */
bool gw_impairs(const gw_impairment *what);

/* gw_impair_add makes |to| at least as bad as |what| in every respect; the seed stays. */
void gw_impair_add(gw_impairment *to, const gw_impairment *what);

/* gw_impair_again returns |what| for a way that is opened for the |nth| time (from 0), |ns| after
 * the first: with fates of its own, and an outage that is counted from the first time on. */
gw_impairment gw_impair_again(const gw_impairment *what, unsigned nth, int64_t ns);

/* gw_impair_kind is what goes through. */
typedef enum gw_impair_kind {
    GW_IMPAIR_BYTES = 0, /* flipped bits arrive, and the MTU is of exactly these bytes */
    GW_IMPAIR_UDP4, /* payload of UDP, which arrives whole or not at all: there is a checksum */
    GW_IMPAIR_UDP6,
    GW_IMPAIR_FRAMES, /* Ethernet frames: flipped bits arrive */
} gw_impair_kind;

/* gw_impair_carries returns how many bytes of |kind| may go at once where |what| happens; 0: as
 * many as there can be. */
size_t gw_impair_carries(const gw_impairment *what, gw_impair_kind kind);

/* gw_impair_pass_fn gets what goes on. |note| is what its datagram was put in with. */
typedef void (*gw_impair_pass_fn)(void *arg, const void *note, const uint8_t *data, size_t len);

/* gw_impair_item is a datagram under way. */
typedef struct gw_impair_item {
    struct gw_impair_item *next;
    int64_t due;
    uint64_t note[GW_IMPAIR_NOTE / 8]; /* aligned for whatever a note is */
    size_t len;
    uint8_t bytes[];
} gw_impair_item;

/* gw_impair is one direction of a way. */
typedef struct gw_impair {
    gw_impairment what;
    gw_impair_kind kind; /* GW_IMPAIR_BYTES; whoever knows better sets it after gw_impair_init */
    int64_t begun_ns;    /* when what.outage_from_ns is counted from; likewise */
    uint64_t random;
    uint64_t spread; /* a second source, for times */
    gw_impair_pass_fn pass;
    void *arg;
    gw_impair_item *first; /* by due */
    gw_impair_item *last;
    gw_impair_item *late; /* one of them, which waits for the next datagram; NULL: none */
    size_t used;          /* bytes of all */
} gw_impair;

/* gw_impair_init prepares direction |number| (0, 1 ...) of a way that |what| happens on. Two
 * directions of one seed have fates of their own. Without |pass| everything waits for
 * gw_impair_pop. */
void gw_impair_init(gw_impair *impair, const gw_impairment *what, unsigned number,
                    gw_impair_pass_fn pass, void *arg);

/* gw_impair_go_on lets |impair| throw the dice on from where |before| stopped. */
void gw_impair_go_on(gw_impair *impair, const gw_impair *before);

/* gw_impair_put sends |len| bytes, at most GW_IMPAIR_MAX, on their way at |now|, with the
 * |note_len| bytes at |note|, at most GW_IMPAIR_NOTE, that come out with them. What is due at once
 * has been passed when it returns. */
void gw_impair_put(gw_impair *impair, int64_t now, const void *note, size_t note_len,
                   const uint8_t *data, size_t len);

/* gw_impair_put_at puts something on its way that nothing happens to, and that comes out at |due|.
 * False when there is no room. */
GW_MUST_USE bool gw_impair_put_at(gw_impair *impair, int64_t due, const void *note, size_t note_len,
                                  const uint8_t *data, size_t len);

/* gw_impair_put_stream does so with bytes of a stream: as over TCP, all of them come, in order and
 * whole; a segment that is lost, or changed, comes late, as it is sent again after about 200 ms,
 * and then after twice that. |behind| is when the stream's last bytes are due, 0 at first. False
 * when no more of the stream will ever come. */
GW_MUST_USE bool gw_impair_put_stream(gw_impair *impair, int64_t now, const void *note,
                                      size_t note_len, const uint8_t *data, size_t len,
                                      int64_t *behind);

/* gw_impair_handshake returns how long it takes from |now| until a connection stands that |there|
 * leads to and |back| comes from; GW_IMPAIR_NEVER when all attempts are lost. */
int64_t gw_impair_handshake(gw_impair *there, gw_impair *back, int64_t now);

/* gw_impair_next returns when something is due, or GW_IMPAIR_NEVER. */
int64_t gw_impair_next(const gw_impair *impair);

/* gw_impair_run passes on what is due at |now|, in the order of when it was due. */
void gw_impair_run(gw_impair *impair, int64_t now);

/* gw_impair_pop takes out what is due first, if it is at |now|; the caller frees it. NULL: nothing
 * is. */
gw_impair_item *gw_impair_pop(gw_impair *impair, int64_t now);

/* gw_impair_flush passes on all that is under way. */
void gw_impair_flush(gw_impair *impair);

/* gw_impair_end forgets all that is under way, and frees it. */
void gw_impair_end(gw_impair *impair);

/* ---- transports ---- */

typedef struct gw_transport gw_transport;

/* gw_impair_transport returns a transport over |t| on which |what| happens in both directions, or
 * |t| itself when nothing does. |frames|: its datagrams are Ethernet frames. Of a byte stream all
 * comes, late (gw_impair_put_stream). It owns |t|. NULL, |t| closed, with a text in |why| when
 * memory is short. What is under way in a transport over sockets goes on in time while any of them
 * waits. */
gw_transport *gw_impair_transport(gw_transport *t, const gw_impairment *what, bool frames,
                                  char *why, size_t why_cap);

/* gw_impair_connect waits as long as the handshake of the byte stream |t|, which we have just
 * called, takes there, at most |timeout_ns|. False when it takes longer: nobody is connected. */
GW_MUST_USE bool gw_impair_connect(gw_transport *t, int64_t timeout_ns);

#endif
