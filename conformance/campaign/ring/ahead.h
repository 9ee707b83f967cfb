/* SPDX-License-Identifier: BSD-2-Clause */
/* Has what a run sends in the ring before it goes out: probes, and what cases say, as they say it.
 * What is legal waits for the disk with what comes next: a disk takes milliseconds for each packet,
 * and cases would be others for that. Registers beside a link are left out: they are none of the
 * board's format. */
#ifndef GOLDWIRE_CAMPAIGN_RING_AHEAD_H
#define GOLDWIRE_CAMPAIGN_RING_AHEAD_H

#include "campaign/ring/journal.h"
#include "run/ctx.h"

/* gw_ahead is who writes. All zeros but the ring: nothing was sent yet. */
typedef struct gw_ahead {
    gw_journal *journal;
    bool at_once; /* each packet is on the disk before it goes out, not only in the ring */
    gw_shots one; /* on its way into the ring */
    unsigned number[GW_TARGET_LINKS]; /* of the usual connection that spoke last, plus 1 */
    char why[200];                    /* what could not be written; or "" */
} gw_ahead;

/* gw_ahead_write is a gw_ahead_fn; |arg| is a gw_ahead. A connection that takes the place of the
 * usual one begins a conversation of its own. */
bool gw_ahead_write(void *arg, const gw_connection *conn, const void *data, size_t len, char *why,
                    size_t why_cap);

/* gw_ahead_write_shots puts |num| shots of |shots| from |first| on into the ring, and has them on
 * the disk when it returns. A NULL |ahead| keeps nothing. False with a text in |ahead|->why. */
GW_MUST_USE bool gw_ahead_write_shots(gw_ahead *ahead, const gw_shots *shots, size_t first,
                                      size_t num);

/* gw_ahead_flush has the ring on the disk; NULL is allowed. False with a text in |ahead|->why. */
GW_MUST_USE bool gw_ahead_flush(gw_ahead *ahead);

/* gw_ahead_settle notes that the board was well after all of it; NULL is allowed. */
void gw_ahead_settle(gw_ahead *ahead);

/* gw_ahead_free gives the memory back; the ring stays open. */
void gw_ahead_free(gw_ahead *ahead);

#endif
