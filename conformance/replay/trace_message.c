/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of a trace as messages. */
#include "replay/trace.h"

gw_message gw_trace_message(const gw_trace *trace, uint32_t step)
{
    static const gw_ib damaged = {.icrc_verdict = GW_IB_WRONG};
    const gw_trace_step *s = &trace->steps[step];
    const gw_trace_line *line = &trace->lines[s->line];
    gw_message m = gw_message_of(trace->bytes + s->at, s->cap_len);
    m.len = s->len;
    m.time_ns = s->time_ns;
    m.frame = s->frame;
    m.src = line->ends[s->ours ? 0 : 1];
    m.dst = line->ends[s->ours ? 1 : 0];
    m.transport = line->is_stream ? GW_OVER_TCP : GW_OVER_UDP;
    m.stream = line->stream;
    m.part = s->part;
    m.part_arg = s->part_arg;
    m.ib = s->damaged ? &damaged : NULL;
    return m;
}
