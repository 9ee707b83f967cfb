/* SPDX-License-Identifier: BSD-2-Clause */
/* pcapng counts time in ticks whose length each interface declares. */
#ifndef HARNESS_CAPTURE_PCAPNG_TIME_H
#define HARNESS_CAPTURE_PCAPNG_TIME_H

#include "goldwire/base.h"

/* gw_pcapng_clock is an interface's declaration of its ticks. */
typedef struct gw_pcapng_clock {
    uint8_t resolution; /* if_tsresol: n, a tick is 10^-n s; 0x80 | n, it is 2^-n s */
    int64_t offset;     /* if_tsoffset: seconds to add */
} gw_pcapng_clock;

/* gw_pcapng_time returns |ticks| in nanoseconds since 1970, rounded down; of binary ticks shorter
 * than 2^-34 s it may be one less. Times that 64 bits cannot hold (before 1678, after 2262) become
 * INT64_MIN and INT64_MAX. */
int64_t gw_pcapng_time(gw_pcapng_clock clock, uint64_t ticks);

#endif
