/* SPDX-License-Identifier: BSD-2-Clause */
/* The ways to write the endless pattern that the software IMS Worker streams: for any processor,
 * and for those that take several words at a time. All write the same bytes. */
#ifndef GOLDWIRE_FORMATS_IMS_WORKER_PATTERN_H
#define GOLDWIRE_FORMATS_IMS_WORKER_PATTERN_H

#include <stddef.h>
#include <stdint.h>

enum {
    GW_IMS_PATTERN_WORD = 8,   /* bytes, least significant first */
    GW_IMS_PATTERN_BLOCK = 64, /* bytes that a way writes at a time */
    GW_IMS_PATTERN_WAYS = 3,
};

/* gw_ims_pattern_way writes |blocks| blocks, from word |number| of the pattern on. */
typedef void (*gw_ims_pattern_way)(uint64_t number, uint8_t *out, size_t blocks);

/* gw_ims_pattern_ways fills |ways| with those that this processor can go, the fastest first, and
 * returns how many. */
size_t gw_ims_pattern_ways(gw_ims_pattern_way ways[GW_IMS_PATTERN_WAYS]);

#endif
