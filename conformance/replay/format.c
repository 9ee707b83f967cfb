/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of all formats. */
#include "replay/format.h"

static const gw_replay_format *const rows[] = {
#define GW_FORMAT(name) &gw_replay_##name,
#include "goldwire/formats.def"
};

const gw_replay_format *gw_replay_format_of(const gw_format *format)
{
    static const gw_replay_format none;
    for (size_t i = 0; i < GW_ARRAY_LEN(rows); i++) {
        if (rows[i]->format == format)
            return rows[i];
    }
    return &none;
}

const gw_replay_format *gw_replay_role(const gw_replay *r)
{
    return gw_replay_format_of(r->ctx->suite->format);
}

const gw_trace_line *gw_replay_line(const gw_replay *r)
{
    return &r->trace->lines[r->trace->steps[r->judged].line];
}

gw_message gw_replay_judged(const gw_replay *r)
{
    return gw_trace_message(r->trace, r->judged);
}
