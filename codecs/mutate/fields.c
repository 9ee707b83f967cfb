/* SPDX-License-Identifier: BSD-2-Clause */
/* Mutators that give a field another value. */
#include "mutate/pick.h"
#include "mutate/value.h"

static bool is_number(const gw_item *item)
{
    return item->field->type != GW_BYTES && item->bits > 0 && item->bits <= 64;
}

/* Units come by the hundred and would take all there is to choose; so each other time only what
 * stands once is asked. */
static bool is_single(const gw_item *item, const void *ctx)
{
    (void)ctx;
    return is_number(item) && item->field->group->shape != GW_UNIT;
}

static bool is_any(const gw_item *item, const void *ctx)
{
    (void)ctx;
    return is_number(item);
}

static bool pick_number(gw_mutating *m, gw_item *item)
{
    bool single = gw_random_one_in(m->random, 2);

    return gw_pick_item(m, single ? is_single : is_any, NULL, item) > 0 ||
           (single && gw_pick_item(m, is_any, NULL, item) > 0);
}

static bool put(gw_mutating *m, const gw_item *item, uint64_t value)
{
    gw_item other = *item;

    other.value = value & gw_value_mask(item);
    return gw_emit(m->edit.data, m->edit.len, &other);
}

bool gw_mutate_legal_value(gw_mutating *m)
{
    gw_item item;

    return pick_number(m, &item) && put(m, &item, gw_value_legal(&item, m->random));
}

bool gw_mutate_boundary(gw_mutating *m)
{
    gw_item item;

    return pick_number(m, &item) && put(m, &item, gw_value_boundary(&item, m->random));
}

bool gw_mutate_flip(gw_mutating *m)
{
    gw_item item;

    return pick_number(m, &item) &&
           put(m, &item, item.value ^ UINT64_C(1) << gw_mutating_below(m, item.bits));
}

static bool is_restricted(const gw_item *item, const void *ctx)
{
    (void)ctx;
    return is_number(item) && item->field->legal != GW_ANY && item->field->use == GW_DATA;
}

static bool is_reserved(const gw_item *item, const void *ctx)
{
    (void)ctx;
    return is_number(item) && (item->field->use == GW_RESERVED || item->field->use == GW_PADDING);
}

static bool is_of_rule(const gw_item *item, const void *ctx)
{
    return is_number(item) && item->field->rule == (const gw_rule *)ctx;
}

static bool put_illegal(gw_mutating *m, gw_wants wants, const void *ctx)
{
    gw_item item;
    uint64_t value;

    return gw_pick_item(m, wants, ctx, &item) > 0 && gw_value_illegal(&item, m->random, &value) &&
           put(m, &item, value);
}

bool gw_mutate_illegal_value(gw_mutating *m)
{
    return put_illegal(m, is_restricted, NULL);
}

bool gw_mutate_reserved(gw_mutating *m)
{
    return put_illegal(m, is_reserved, NULL);
}

bool gw_mutate_break_field(gw_mutating *m)
{
    return m->plan->rule != NULL && put_illegal(m, is_of_rule, m->plan->rule);
}

static bool is_measure(const gw_item *item, const void *ctx)
{
    (void)ctx;
    return item->field->measures != GW_MEASURES_NOTHING;
}

bool gw_mutate_false_measure(gw_mutating *m)
{
    gw_item item;

    if (gw_pick_item(m, is_measure, NULL, &item) == 0)
        return false;
    uint64_t value = gw_value_boundary(&item, m->random);
    return put(m, &item, value != item.value ? value : value + 1);
}
