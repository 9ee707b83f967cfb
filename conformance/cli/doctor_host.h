/* SPDX-License-Identifier: BSD-2-Clause */
/* What doctor looks at on this machine: neighbours, clocks, and how steady it keeps time. */
#ifndef GOLDWIRE_DOCTOR_HOST_H
#define GOLDWIRE_DOCTOR_HOST_H

#include <stdio.h>

#include "goldwire/base.h"
#include "goldwire/message.h"

typedef enum gw_neighbour {
    GW_NEIGHBOUR_UNKNOWN = 0, /* not in the table: behind a router, or never asked for */
    GW_NEIGHBOUR_SILENT,      /* asked for, and nobody answers */
    GW_NEIGHBOUR_KNOWN,
} gw_neighbour;

/* gw_neighbour_find looks |ip|, 4 bytes, up in |table|, which reads like /proc/net/arp, and writes
 * its hardware address into |out|. */
gw_neighbour gw_neighbour_find(FILE *table, const uint8_t ip[4], char *out, size_t cap);

/* gw_jitter is how late things are here, in nanoseconds. */
typedef struct gw_jitter {
    int64_t trip_median; /* a datagram to ourselves and back */
    int64_t trip_p99;
    int64_t trip_max;
    int64_t wake_p99; /* behind the time that we asked to be woken at */
    int64_t wake_max;
    unsigned num; /* trips */
} gw_jitter;

/* gw_jitter_measure sends |num| datagrams through the loopback interface, at most 4096, and sleeps
 * a while between some of them. False with a text in |why|. */
GW_MUST_USE bool gw_jitter_measure(gw_jitter *out, unsigned num, char *why, size_t why_cap);

/* gw_percentile returns the value that |percent| of the |num| sorted |values|, 1 at least, do not
 * exceed. */
int64_t gw_percentile(const int64_t *values, size_t num, unsigned percent);

/* gw_clock_describe writes what keeps time here, for people: the kernel's source, its resolution,
 * and whether somebody keeps the time of day right. True when nothing is to be said against it. */
bool gw_clock_describe(char *out, size_t cap);

#endif
