/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses that the trace has, in what we send and in what the board sends, as they are on the
 * board of now. */
#include "replay/format.h"

/* A table is no longer than this, wherever it lies. */
#define TABLE_MAX UINT64_C(0x10000)

bool gw_player_now_at(const gw_replay *r, uint64_t address, unsigned bytes, uint64_t *now)
{
    char why[160];
    uint64_t last = bytes - 1 > UINT64_MAX - address ? UINT64_MAX : address + bytes - 1;
    if (gw_recorded_area(&r->trace->recorded, address, last) == NULL &&
        address - r->table_then < TABLE_MAX && r->table_then != 0) {
        *now = address - r->table_then + r->table_now;
        return true;
    }
    return gw_recorded_place(&r->trace->recorded, gw_case_board(r->ctx), address, last, now, why,
                             sizeof(why));
}

bool gw_player_moved(void *ctx, const gw_related *related, const gw_leaf *leaf, uint64_t *value)
{
    const gw_replay *r = ctx;
    const gw_trace_line *line = gw_replay_line(r);
    const gw_replay_format *row = gw_replay_format_of(line->format);
    const gw_suite *suite = r->ctx->suite;
    *value = leaf->value;
    if (r->adapter != NULL && row->own != NULL && row->own(r, related, leaf, value))
        return *value != leaf->value;
    if (leaf->field->memory == GW_MEMORY_NONE || row->moved == NULL ||
        (line->format == suite->format && suite->calls_us))
        return false;
    return row->moved(r, related, leaf, value) && *value != leaf->value;
}
