/* SPDX-License-Identifier: BSD-2-Clause */
/* Which step of the trace a replay is at, for its report. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "replay/player.h"

void gw_player_note(gw_replay *r, uint32_t step)
{
    r->report.frame = r->trace->steps[step].frame;
    (void)snprintf(r->report.label, sizeof(r->report.label), "%s", gw_trace_label(r->trace, step));
}

const char *gw_player_place(const gw_replay *r, uint32_t step, char *out, size_t cap)
{
    const char *name = strrchr(r->trace->path, '/');
    const char *label = gw_trace_label(r->trace, step);
    (void)snprintf(out, cap, "frame %" PRIu64 " of %.80s%s%s%s", r->trace->steps[step].frame,
                   name != NULL ? name + 1 : r->trace->path, label[0] != '\0' ? " (" : "", label,
                   label[0] != '\0' ? ")" : "");
    return out;
}
