/* SPDX-License-Identifier: BSD-2-Clause */
/* SplitMix64. */
#include "goldwire/random.h"

uint64_t gw_random_next(gw_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint32_t gw_random_below(gw_random *random, uint32_t limit)
{
    return (uint32_t)((gw_random_next(random) >> 32) * limit >> 32);
}

bool gw_random_one_in(gw_random *random, uint32_t num)
{
    return num != 0 && gw_random_below(random, num) == 0;
}
