/* SPDX-License-Identifier: BSD-2-Clause */
/* Random numbers for what has to come out the same on every machine. */
#ifndef GOLDWIRE_RANDOM_H
#define GOLDWIRE_RANDOM_H

#include "goldwire/base.h"

GW_BEGIN_DECLS

/* gw_random is a state; any value will do. Equal states give equal numbers, whatever the compiler,
 * the byte order and the width of a word (Steele, Lea and Flood, OOPSLA 2014: SplitMix). No
 * secrets come from here. */
typedef struct gw_random {
    uint64_t state;
} gw_random;

/* gw_random_next returns the next 64 bits. */
GW_API uint64_t gw_random_next(gw_random *random);

/* gw_random_below returns a number less than |limit|, 0 when that is 0. */
GW_API uint32_t gw_random_below(gw_random *random, uint32_t limit);

/* gw_random_one_in is true once in |num| times; never for 0. */
GW_API bool gw_random_one_in(gw_random *random, uint32_t num);

GW_END_DECLS

#endif
