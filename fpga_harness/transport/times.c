/* SPDX-License-Identifier: BSD-2-Clause */
/* Sorting times, and percentiles that were really seen. */
#include "harness/times.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void gw_times_sort(int64_t *times, size_t num)
{
    qsort(times, num, sizeof(times[0]), ascending);
}

int64_t gw_times_permille(const int64_t *times, size_t num, unsigned permille)
{
    if (num == 0)
        return 0;
    size_t rank = (num * permille + 999) / 1000;
    return times[rank == 0 ? 0 : rank > num ? num - 1 : rank - 1];
}
