/* SPDX-License-Identifier: BSD-2-Clause */
/* Impairments: what a bad network does to datagrams, by a seed, so that it does the same again.
 *
 * Which datagrams are hit depends on the seed and on their number in their direction, not on time
 * or content. Only one thing waits for time: a datagram that was to change places with the next one
 * goes on its way when none has come for a while. */
#ifndef HARNESS_IMPAIR_H
#define HARNESS_IMPAIR_H

#include "goldwire/base.h"

#define GW_IMPAIR_SCALE UINT32_C(1000000000) /* shares are of so many datagrams */
#define GW_IMPAIR_QUIET_NS INT64_C(1000000)  /* after which no next datagram is waited for */
#define GW_IMPAIR_MAX 65536                  /* bytes of a datagram */
#define GW_IMPAIR_NOTE 192                   /* bytes of a note */

/* gw_impairment says how many datagrams of GW_IMPAIR_SCALE meet with what. All zero: none. */
typedef struct gw_impairment {
    uint32_t loss;
    uint32_t reorder;   /* change places with the next one */
    uint32_t duplicate; /* come twice */
    uint32_t corrupt;   /* have one bit flipped */
    uint64_t seed;
} gw_impairment;

/* gw_impairs says whether |what| does anything at all. */
bool gw_impairs(const gw_impairment *what);

/* gw_impair_add makes |to| at least as bad as |what| in every respect; the seed stays. */
void gw_impair_add(gw_impairment *to, const gw_impairment *what);

/* gw_impair_text writes what |what| does as a URL says it, "loss=0.01&reorder=0.5", and returns
 * |out|, |cap| at least 1; "" for nothing. */
const char *gw_impair_text(const gw_impairment *what, char *out, size_t cap);

/* gw_impair_pass_fn gets what goes on. |note| is what its datagram was put in with. */
typedef void (*gw_impair_pass_fn)(void *arg, const void *note, const uint8_t *data, size_t len);

/* gw_impair is one direction of a way. */
typedef struct gw_impair {
    gw_impairment what;
    uint64_t random;
    gw_impair_pass_fn pass;
    void *arg;
    bool holds; /* one datagram, which waits for the next: */
    size_t held_len;
    uint64_t held_note[GW_IMPAIR_NOTE / 8]; /* aligned for whatever a note is */
    uint8_t held[GW_IMPAIR_MAX];
    uint8_t copy[GW_IMPAIR_MAX]; /* with a flipped bit */
} gw_impair;

/* gw_impair_init prepares direction |number| (0, 1 ...) of a way that |what| happens on. Two
 * directions of one seed have fates of their own. */
void gw_impair_init(gw_impair *impair, const gw_impairment *what, unsigned number,
                    gw_impair_pass_fn pass, void *arg);

/* gw_impair_put sends |len| bytes, at most GW_IMPAIR_MAX, on their way, with the |note_len| bytes
 * at |note|, at most GW_IMPAIR_NOTE, that come out with them. */
void gw_impair_put(gw_impair *impair, const void *note, size_t note_len, const uint8_t *data,
                   size_t len);

/* gw_impair_flush lets go of what waits for the next datagram. */
void gw_impair_flush(gw_impair *impair);

/* ---- transports ---- */

typedef struct gw_transport gw_transport;

/* gw_impair_transport returns a transport over |t| on which |what| happens in both directions, or
 * |t| itself when nothing does. It owns |t|. NULL, |t| closed, with a text in |why| when memory is
 * short or |t| is a byte stream, which knows no datagrams. */
gw_transport *gw_impair_transport(gw_transport *t, const gw_impairment *what, char *why,
                                  size_t why_cap);

#endif
