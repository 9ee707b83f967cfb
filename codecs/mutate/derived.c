/* SPDX-License-Identifier: BSD-2-Clause */
/* Check bytes: right, or wrong on purpose. */
#include "goldwire/mend.h"
#include "mutate/internal.h"
#include "mutate/value.h"

bool gw_mutate_mend(gw_mutating *m)
{
    gw_message now = gw_mutating_now(m);
    gw_check_leaf stale[GW_MEND_MAX];
    size_t num = gw_mend_find(stale, m->plan->format, &now, m->plan->dialect);

    gw_mend_apply(m->edit.data, m->edit.len, stale, num);
    return num > 0;
}

/* One wrong bit and several are told apart by codes that correct. */
static bool falsify_check(gw_mutating *m)
{
    gw_message now = gw_mutating_now(m);
    gw_check_leaf leaves[GW_MEND_MAX];
    size_t num = gw_mend_list(leaves, m->plan->format, &now, m->plan->dialect);

    if (num == 0)
        return false;
    gw_check_leaf *leaf = &leaves[gw_mutating_below(m, num)];
    uint64_t mask = gw_value_mask(&leaf->item), wrong;
    if (gw_random_one_in(m->random, 2))
        wrong = UINT64_C(1) << gw_mutating_below(m, leaf->item.bits);
    else
        wrong = gw_random_next(m->random) & mask;
    leaf->expected ^= wrong != 0 ? wrong : 1;
    gw_mend_apply(m->edit.data, m->edit.len, leaf, 1);
    return true;
}

bool gw_mutate_falsify(gw_mutating *m)
{
    return falsify_check(m) || gw_mutate_false_measure(m);
}
