/* SPDX-License-Identifier: BSD-2-Clause */
/* The other side: who looks on while a run goes on. */
#ifndef GOLDWIRE_RUNNING_ONLOOKER_H
#define GOLDWIRE_RUNNING_ONLOOKER_H

#include <stdio.h>

#include "running/place.h"

typedef struct gw_onlooker gw_onlooker;

typedef enum gw_look {
    GW_LOOK_PACKET = 0, /* one was written */
    GW_LOOK_NOTHING,    /* nothing is there yet */
    GW_LOOK_OVER,       /* the run has ended */
    GW_LOOK_REFUSED,    /* by the run, or what it says is not understood; there is a text */
    GW_LOOK_UNWRITTEN,  /* the file takes no more */
} gw_look;

/* gw_onlooker_begin connects to the run |entry| and starts a pcapng file on |file|, which stays the
 * caller's. NULL with a text in |why|. */
gw_onlooker *gw_onlooker_begin(const gw_running_entry *entry, FILE *file, char *why,
                               size_t why_cap);

/* gw_onlooker_fd is the descriptor to wait at until gw_onlooker_look has something. */
int gw_onlooker_fd(const gw_onlooker *onlooker);

/* gw_onlooker_look takes what is there next, without waiting, and writes it as evidence is written.
 * What was lost on the way stands in the comment of the packet that came after. */
gw_look gw_onlooker_look(gw_onlooker *onlooker, char *why, size_t why_cap);

/* gw_onlooker_lost returns how many packets were lost, so far as that is known. */
uint64_t gw_onlooker_lost(const gw_onlooker *onlooker);

/* gw_onlooker_end writes what was lost, ends the file and frees |onlooker|; NULL is allowed. False
 * when anything failed to be written. */
GW_MUST_USE bool gw_onlooker_end(gw_onlooker *onlooker);

#endif
