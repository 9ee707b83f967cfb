/* SPDX-License-Identifier: BSD-2-Clause */
/* A run that others may look at while it goes on: whoever connects to it gets each packet as it
 * becomes evidence. Nobody who looks on is ever waited for. */
#ifndef GOLDWIRE_RUNNING_RUNNING_H
#define GOLDWIRE_RUNNING_RUNNING_H

#include "evidence/evidence.h"
#include "running/place.h"

#define GW_ONLOOKERS 8 /* of a run, at the most */

typedef struct gw_running gw_running;

/* gw_running_begin makes a run known under this user's name: |verb|, |role| and |board| are for
 * people. NULL when nobody can look on, with a text in |why|, and without one when nobody shall
 * (GOLDWIRE_WATCHABLE=no). The functions below take NULL for such a run. */
gw_running *gw_running_begin(const char *verb, const char *role, const char *board, char *why,
                             size_t why_cap);

/* gw_running_of says what board the packets to come are exchanged with. */
void gw_running_of(gw_running *running, const gw_announcement *board);

/* gw_running_tell makes "|what|: |title|" a part of the next packet's comment; an empty |title| is
 * left out. What was told before, and no packet came after, stands above it. */
void gw_running_tell(gw_running *running, const char *what, const char *title);

/* gw_running_packet hands |packet| on, whose bytes are |data|, and if |frame_len| is not 0 the
 * frame that carried it. An onlooker who is too slow for it does not get it. */
void gw_running_packet(gw_running *running, const gw_evidence_packet *packet, const uint8_t *data,
                       const uint8_t *frame, size_t frame_len);

/* gw_running_end tells all who look on that the run has ended. */
void gw_running_end(gw_running *running);

#endif
