/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers that count: what is read from them differs from run to run. No table can know which
 * they are; the board file does. */
#include <string.h>

#include "goldwire/etherbone.h"
#include "replay/player.h"

static bool counts_at(const gw_board_file *board, uint64_t address)
{
    for (size_t i = 0; i < board->num_areas; i++) {
        const gw_area *a = &board->areas[i];
        if (a->type == GW_AREA_ARBITER && address - a->address < a->size)
            return true;
    }
    return false;
}

/* Finds the address that |leaf| was read from. */
static bool address_of(const gw_related *related, const gw_dialect *dialect, const gw_leaf *leaf,
                       uint64_t *address)
{
    gw_eb_reader reader;
    gw_eb_record record;
    uint32_t replied = 0; /* records of the request that have an answer, so far */

    if (related->asked == NULL || strcmp(leaf->field->name, "etherbone.write.value") != 0 ||
        !gw_eb_open(&reader, related->asked, dialect))
        return false;
    while (gw_eb_next(&reader, &record)) {
        if (record.rcount == 0 || replied++ != leaf->container)
            continue;
        if ((record.flags & GW_EB_RCA) != 0 || leaf->index >= record.rcount)
            return false;
        *address = gw_eb_read_addr(&reader.layout, &record, leaf->index);
        return true;
    }
    return false;
}

gw_counts_how gw_player_counts(void *ctx, const gw_related *related, const gw_leaf *want,
                               const gw_leaf *have)
{
    gw_replay *r = ctx;
    uint64_t address;
    unsigned spare = want->bits > 0 && want->bits < 64 ? 64 - want->bits : 0;
    uint64_t ahead = (have->value - want->value) << spare >> spare;

    if (!address_of(related, gw_case_dialect(r->ctx), want, &address) ||
        !counts_at(gw_case_board(r->ctx), address))
        return GW_COUNTS_NOT;
    for (unsigned i = 0; i < r->num_counters; i++) {
        if (r->counters[i].address == address)
            return r->counters[i].ahead == ahead ? GW_COUNTS_ON : GW_COUNTS_WRONG;
    }
    if (r->num_counters == GW_PLAYER_COUNTERS)
        return GW_COUNTS_NOT;
    r->counters[r->num_counters++] = (gw_counter){address, ahead};
    return GW_COUNTS_ON;
}
