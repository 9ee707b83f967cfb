/* SPDX-License-Identifier: BSD-2-Clause */
/* What has to be sent later, while this program waits for something else: whatever waits on a
 * socket, or for a time, lets it happen when it is due. */
#ifndef TRANSPORT_LATER_H
#define TRANSPORT_LATER_H

#include "goldwire/base.h"

/* gw_later is something that is due at times of CLOCK_MONOTONIC. */
typedef struct gw_later {
    struct gw_later *next;
    int64_t (*due)(void *arg); /* INT64_MAX: nothing is */
    void (*run)(void *arg, int64_t now);
    void *arg;
} gw_later;

/* gw_later_add makes |later| known until gw_later_remove. */
void gw_later_add(gw_later *later);
void gw_later_remove(gw_later *later);

/* gw_later_due returns when the first of all is due; INT64_MAX when nothing is. */
int64_t gw_later_due(void);

/* gw_later_run does what is due at |now|. */
void gw_later_run(int64_t now);

#endif
