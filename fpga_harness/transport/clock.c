/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/socket.h"

#include <time.h>

int64_t gw_clock_ns(int id)
{
    struct timespec ts = {0, 0};
    clock_gettime((clockid_t)id, &ts);
    return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}
