/* SPDX-License-Identifier: BSD-2-Clause */
/* What counts: its value differs from run to run, its steps do not. Packet numbers of a connection
 * and totals of a run are known by their fields; of a board's registers the board file tells. */
#include "replay/format.h"

/* Finds out which counter |leaf| is, if it is one. */
static bool find(const gw_replay *r, const gw_related *related, const gw_leaf *leaf,
                 gw_counter *out)
{
    const gw_replay_format *row = gw_replay_format_of(gw_replay_line(r)->format);
    *out = (gw_counter){.field = leaf->field, .part = r->trace->steps[r->judged].label};
    if (leaf->field->counts == GW_COUNTS_AT_TIMES)
        return row->counter != NULL && row->counter(r, related, leaf, out);
    return leaf->field->counts == GW_COUNTS_ALWAYS;
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

gw_counts_how gw_player_counts(void *ctx, const gw_related *related, const gw_leaf *want,
                               const gw_leaf *have, uint64_t *expected)
{
    gw_replay *r = ctx;
    gw_counter found;
    unsigned spare = want->bits > 0 && want->bits < 64 ? 64 - want->bits : 0;

    if (want->field->type == GW_BYTES || !find(r, related, want, &found))
        return gw_player_remembers(r, related, want, have, expected);
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
