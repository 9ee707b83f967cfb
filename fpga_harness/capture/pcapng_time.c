/* SPDX-License-Identifier: BSD-2-Clause */
/* pcapng ticks to nanoseconds, for any resolution a file may claim and without overflow. */
#include "pcapng_time.h"

#define BINARY 0x80
#define NANO 9
#define GIGA 1000000000

static const uint64_t power10[20] = {
    1,
    10,
    100,
    1000,
    10000,
    100000,
    1000000,
    10000000,
    100000000,
    1000000000,
    10000000000,
    100000000000,
    1000000000000,
    10000000000000,
    100000000000000,
    1000000000000000,
    10000000000000000,
    100000000000000000,
    1000000000000000000,
    10000000000000000000u,
};

/* Splits decimal ticks into whole seconds and the nanoseconds beyond them. */
static uint32_t split_decimal(unsigned n, uint64_t ticks, uint64_t *seconds)
{
    *seconds = 0;
    if (n < GW_ARRAY_LEN(power10)) {
        *seconds = ticks / power10[n];
        ticks %= power10[n];
    }
    if (n <= NANO)
        return (uint32_t)(ticks * power10[NANO - n]);
    if (n - NANO < GW_ARRAY_LEN(power10))
        return (uint32_t)(ticks / power10[n - NANO]);
    return 0;
}

/* Splits binary ticks. 34 bits of a fraction times 10^9 just fit in 64. */
static uint32_t split_binary(unsigned n, uint64_t ticks, uint64_t *seconds)
{
    const unsigned kept = 34;

    *seconds = 0;
    if (n < 64) {
        *seconds = ticks >> n;
        ticks &= ((uint64_t)1 << n) - 1;
    }
    if (n <= kept)
        return (uint32_t)(ticks * GIGA >> n);
    if (n - kept < 64)
        return (uint32_t)((ticks >> (n - kept)) * GIGA >> kept);
    return 0;
}

int64_t gw_pcapng_time(gw_pcapng_clock clock, uint64_t ticks)
{
    const unsigned n = clock.resolution & (BINARY - 1);
    uint64_t seconds;
    uint32_t ns = (clock.resolution & BINARY) != 0 ? split_binary(n, ticks, &seconds)
                                                   : split_decimal(n, ticks, &seconds);
    int64_t total;

    if (__builtin_add_overflow(seconds, clock.offset, &total))
        return INT64_MAX;
    const bool past = total < 0;
    if (__builtin_mul_overflow(total, GIGA, &total) || __builtin_add_overflow(total, ns, &total))
        return past ? INT64_MIN : INT64_MAX;
    return total;
}
