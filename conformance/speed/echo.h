/* SPDX-License-Identifier: BSD-2-Clause */
/* The floor of what is measured: the same bytes, echoed by this program itself. */
#ifndef GOLDWIRE_SPEED_ECHO_H
#define GOLDWIRE_SPEED_ECHO_H

#include "harness/transport.h"

/* gw_echo_shape is what one exchange looks like. */
typedef struct gw_echo_shape {
    unsigned requests;      /* messages to the echo, 1 at least ... */
    uint32_t request_bytes; /* ... and their bytes together */
    unsigned answers;
    uint32_t answer_bytes;
} gw_echo_shape;

/* gw_echo is two sockets of this process that talk to each other over loopback. */
typedef struct gw_echo gw_echo;

/* gw_echo_open opens them, over TCP or UDP, IPv6 or IPv4. NULL with a text in |why|. */
gw_echo *gw_echo_open(bool stream, bool ipv6, char *why, size_t why_cap);

/* gw_echo_close closes them; NULL is allowed. */
void gw_echo_close(gw_echo *echo);

/* gw_echo_times makes exchanges of |shape| until there are |cap| or |until_ns| of CLOCK_MONOTONIC
 * has come, one at least, and puts how long each took into |times|: from the clock just before the
 * first message is sent to the kernel's stamp on the last one that comes, or the clock where there
 * is none. Returns how many; |*whole_ns| gets how long all of them took. Fewer than were made when
 * the time of day was set meanwhile; 0 when one gets lost. */
size_t gw_echo_times(gw_echo *echo, const gw_echo_shape *shape, int64_t *times, size_t cap,
                     int64_t until_ns, int64_t *whole_ns);

#endif
