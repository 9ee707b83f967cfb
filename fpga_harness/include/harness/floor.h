/* SPDX-License-Identifier: BSD-2-Clause */
/* What this machine and program add to every time they measure. */
#ifndef HARNESS_FLOOR_H
#define HARNESS_FLOOR_H

#include "goldwire/base.h"

#define GW_FLOOR_ROUNDS 256

/* gw_floor is how late things are here, in nanoseconds. Every part is 0 where there is no loopback
 * interface to measure it on. */
typedef struct gw_floor {
    int64_t own_ns; /* 99 of 100 datagrams took no longer from just before the send to the kernel's
                       stamp: no shorter response time can be told from it */
    int64_t trip_median_ns; /* a datagram from one of our sockets to another */
    int64_t trip_p99_ns;
    int64_t trip_max_ns;
    int64_t wake_max_ns; /* behind the time that we asked to be woken at */
    unsigned num;        /* datagrams */
} gw_floor;

/* gw_floor_measure sends GW_FLOOR_ROUNDS datagrams over loopback and, when |naps| says so, sleeps a
 * while between some of them. False, with a text in |why| and nothing measured, when one is lost.
 */
GW_MUST_USE bool gw_floor_measure(gw_floor *out, bool naps, char *why, size_t why_cap);

#endif
