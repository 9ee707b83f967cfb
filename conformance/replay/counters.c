/* SPDX-License-Identifier: BSD-2-Clause */
/* What counts: its value differs from run to run, its steps do not. Packet numbers of a connection
 * and totals of a run are known by their names; of a board's registers the board file tells. */
#include <string.h>

#include "goldwire/ib.h"
#include "goldwire/l1farm.h"
#include "goldwire/op2p.h"
#include "replay/access.h"
#include "replay/player.h"

/* |address| is the trace's. */
static bool counts_at(const gw_replay *r, uint64_t address)
{
    const gw_board_file *board = gw_case_board(r->ctx);
    const gw_recorded *recorded = &r->trace->recorded;
    if (recorded->num_areas > 0) {
        const gw_area *a = gw_recorded_area(recorded, address, address);
        return a != NULL && a->type == GW_AREA_ARBITER;
    }
    for (size_t i = 0; i < board->num_areas; i++) {
        const gw_area *a = &board->areas[i];
        if (a->type == GW_AREA_ARBITER && address - a->address < a->size)
            return true;
    }
    return false;
}

/* Finds the address on the bus that |leaf| was read from. */
static bool address_of(const gw_related *related, const gw_dialect *dialect, const gw_leaf *leaf,
                       uint64_t *address)
{
    gw_access_one a;
    if (related->asked == NULL ||
        !gw_access_answered(&a, related->asked, dialect, leaf->container, leaf->index) || a.config)
        return false;
    *address = a.address;
    return true;
}

static bool is_called(const gw_leaf *leaf, const char *name)
{
    return strcmp(leaf->field->name, name) == 0;
}

static bool has_value(const gw_leaves *all, const char *name, uint64_t value)
{
    const gw_leaf *leaf = gw_leaf_called(all, name);
    return leaf != NULL && leaf->value == value;
}

/* Packets of a connection are numbered without a gap; datagrams of a queue pair go to many. */
static bool is_connected(const gw_leaves *all)
{
    const gw_leaf *opcode = gw_leaf_called(all, "ims.bth.opcode");
    return opcode != NULL && (opcode->value & GW_IB_SERVICE) == GW_IB_UC;
}

/* A node's host sees how many frames had errors since the port was reset. */
static bool counts_errors(const gw_replay *r, const gw_related *related, const gw_leaf *leaf,
                          uint64_t *key)
{
    const gw_trace_line *line = &r->trace->lines[r->trace->steps[r->judged].line];
    const gw_format *format = r->ctx->suite->format;
    if (format != &gw_op2p || line->format == format ||
        !address_of(related, line->dialect, leaf, key) || *key > UINT32_MAX)
        return false;
    uint32_t offset =
        gw_recorded_offset(&r->trace->recorded, gw_case_board(r->ctx), format, (uint32_t)*key);
    return offset < 2 * GW_OP2P_REGISTERS && offset % GW_OP2P_REGISTERS == GW_OP2P_LINK_ERROR_COUNT;
}

/* Finds out which counter |leaf| is, if it is one. */
static bool find(const gw_replay *r, const gw_related *related, const gw_leaves *all,
                 const gw_leaf *leaf, gw_counter *out)
{
    const gw_trace_step *step = &r->trace->steps[r->judged];
    *out = (gw_counter){.field = leaf->field, .part = step->label};
    if (is_called(leaf, "etherbone.write.value") && counts_errors(r, related, leaf, &out->key))
        return true;
    if (is_called(leaf, "etherbone.write.value")) {
        out->part = GW_TRACE_NONE;
        return address_of(related, r->trace->lines[step->line].dialect, leaf, &out->key) &&
               counts_at(r, out->key);
    }
    if (is_called(leaf, "ims.bth.psn")) {
        const gw_leaf *to = gw_leaf_called(all, "ims.bth.dest_qp");
        out->key = to != NULL ? to->value : 0;
        return is_connected(all);
    }
    if (is_called(leaf, "l1farm.reg.value"))
        return has_value(all, "l1farm.reg.offset", GW_L1_TAGS) &&
               has_value(all, "l1farm.reg.bar", 0);
    return is_called(leaf, "l1farm.result.ntries") || is_called(leaf, "l1farm.result.nallok");
}

static gw_counter *known(gw_replay *r, const gw_counter *like)
{
    for (unsigned i = 0; i < r->num_counters; i++) {
        gw_counter *c = &r->counters[i];
        if (c->field == like->field && c->key == like->key && c->part == like->part)
            return c;
    }
    return NULL;
}

gw_counts_how gw_player_counts(void *ctx, const gw_related *related, const gw_leaves *all,
                               const gw_leaf *want, const gw_leaf *have, uint64_t *expected)
{
    gw_replay *r = ctx;
    gw_counter found;
    unsigned spare = want->bits > 0 && want->bits < 64 ? 64 - want->bits : 0;

    if (want->field->type == GW_BYTES || !find(r, related, all, want, &found))
        return gw_player_remembers(r, related, all, want, have, expected);
    found.ahead = (have->value - want->value) << spare >> spare;
    gw_counter *before = known(r, &found);
    if (before != NULL && want->value == 0 && have->value == 0)
        before->ahead = 0; /* it was cleared, now as then */
    if (before != NULL) {
        *expected = (want->value + before->ahead) << spare >> spare;
        return before->ahead == found.ahead ? GW_COUNTS_ON : GW_COUNTS_WRONG;
    }
    if (r->num_counters == GW_PLAYER_COUNTERS)
        return GW_COUNTS_NOT;
    r->counters[r->num_counters++] = found;
    return GW_COUNTS_ON;
}

void gw_player_forget_counters(gw_replay *r)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < r->num_counters; i++) {
        if (r->counters[i].part == GW_TRACE_NONE ||
            r->counters[i].part == r->trace->steps[r->judged].label)
            r->counters[kept++] = r->counters[i];
    }
    r->num_counters = kept;
}
