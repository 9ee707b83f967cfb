/* SPDX-License-Identifier: BSD-2-Clause */
/* Sorting times, and percentiles that were really seen. */
#include "harness/times.h"

#include <inttypes.h>
#include <stdio.h>
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

const char *gw_times_text(char *out, size_t cap, int64_t time_ns)
{
    static const struct {
        int64_t ns;
        const char *name;
    } units[] = {{1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    size_t i = 0;
    while (i + 1 < GW_ARRAY_LEN(units) && time_ns / units[i].ns < 10)
        i++;
    (void)snprintf(out, cap, "%" PRId64 " %s", time_ns / units[i].ns, units[i].name);
    return out;
}
