/* SPDX-License-Identifier: BSD-2-Clause */
/* What a value in an answer is, by where it was read. */
#include "replay/format.h"

gw_spot_kind gw_spot_register(const gw_replay *r, uint32_t address)
{
    const gw_replay_format *role = gw_replay_role(r);
    if (role->register_kind == NULL)
        return GW_SPOT_STATE;
    return role->register_kind(
        gw_recorded_offset(&r->trace->recorded, gw_case_board(r->ctx), role->format, address));
}

gw_spot gw_spot_of(const gw_replay *r, const gw_related *related, const gw_leaf *leaf)
{
    const gw_trace_line *line = gw_replay_line(r);
    const gw_replay_format *row = gw_replay_format_of(line->format);
    const gw_suite *suite = r->ctx->suite;
    if (related->is_ours || (suite->calls_us && line->format == suite->format) ||
        leaf->field->memory != GW_MEMORY_DATA || row->spot == NULL)
        return (gw_spot){.kind = GW_SPOT_STATE};
    return row->spot(r, related, leaf);
}
