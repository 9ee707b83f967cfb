/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/run.h"

uint64_t gw_target_cycle(const gw_target *target, int64_t time_ns)
{
    return (uint64_t)((double)time_ns * (double)target->clock_hz / 1e9);
}
