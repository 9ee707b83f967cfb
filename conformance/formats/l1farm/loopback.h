/* SPDX-License-Identifier: BSD-2-Clause */
/* A UDP socket on 127.0.0.1 for each party of a farm, so that what is said crosses the kernel. */
#ifndef GOLDWIRE_FORMATS_L1FARM_LOOPBACK_H
#define GOLDWIRE_FORMATS_L1FARM_LOOPBACK_H

#include "goldwire/message.h"

enum { GW_L1_LOOPBACK_MAX = 64 };

/* gw_l1_loopback is a set of sockets. Start with all zeros. */
typedef struct gw_l1_loopback {
    unsigned num;
    int sockets[GW_L1_LOOPBACK_MAX];
    gw_endpoint ends[GW_L1_LOOPBACK_MAX]; /* ports that the kernel chose */
} gw_l1_loopback;

/* gw_l1_loopback_open binds |num| sockets, at most GW_L1_LOOPBACK_MAX. False with a text in |why|;
 * close it then as well. */
GW_MUST_USE bool gw_l1_loopback_open(gw_l1_loopback *l, unsigned num, char *why, size_t why_cap);

/* gw_l1_loopback_cross sends |len| bytes from party |from| to party |to| and waits, a second at the
 * most, until they have come there, into the same bytes; what strangers send is dropped. False with
 * a text in |why| when they did not come. */
GW_MUST_USE bool gw_l1_loopback_cross(gw_l1_loopback *l, unsigned from, unsigned to, uint8_t *bytes,
                                      size_t len, char *why, size_t why_cap);

/* gw_l1_loopback_close closes the sockets. */
void gw_l1_loopback_close(gw_l1_loopback *l);

#endif
