/* SPDX-License-Identifier: BSD-2-Clause */
/* Which traces can be sent at which pace. */
#include <stdio.h>

#include "replay/replay.h"

unsigned gw_trace_links(const gw_trace *trace)
{
    unsigned num = 0;
    uint64_t seen = 0;
    for (uint32_t i = 0; i < trace->num_lines; i++) {
        uint64_t bit = UINT64_C(1) << trace->lines[i].link;
        num += (seen & bit) == 0;
        seen |= bit;
    }
    return num;
}

bool gw_replay_mode_fits(const gw_trace *trace, const gw_board *role, gw_replay_mode mode,
                         char *why, size_t why_cap)
{
    unsigned num = gw_trace_links(trace);
    if (mode != GW_REPLAY_ASAP)
        return true;
    if (role->calls_us)
        (void)snprintf(
            why, why_cap,
            "--mode asap: a board of role %s asks, and there is nothing to answer before it has; "
            "lockstep answers at once, captured takes the trace's time for it",
            role->role);
    else if (role->format->infiniband)
        (void)snprintf(
            why, why_cap,
            "--mode asap: what is sent to a board of role %s names queue pairs and memory that its "
            "answers tell first: take lockstep or captured",
            role->role);
    else if (num > 1)
        (void)snprintf(why, why_cap,
                       "--mode asap: %s speaks over %u of the board's links, and as fast as "
                       "possible nothing keeps one behind the other: take lockstep or captured",
                       trace->path, num);
    else
        return true;
    return false;
}
