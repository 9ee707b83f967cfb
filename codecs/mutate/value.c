/* SPDX-License-Identifier: BSD-2-Clause */
/* Legal, illegal and boundary values. */
#include "mutate/value.h"

uint64_t gw_value_mask(const gw_item *item)
{
    if (item->field->bits != 0)
        return item->field->mask;
    return item->bits == 0 ? 0 : UINT64_MAX >> (64 - (item->bits < 64 ? item->bits : 64));
}

static bool must_be_zero(const gw_field *f)
{
    return f->legal == GW_ANY && (f->use == GW_RESERVED || f->use == GW_PADDING);
}

static bool allowed(const gw_field *f, uint64_t value)
{
    return must_be_zero(f) ? value == 0 : gw_field_legal(f, value);
}

static unsigned num_bits(uint64_t mask)
{
    unsigned bits = 0;

    for (; mask != 0; mask >>= 1)
        bits++;
    return bits;
}

uint64_t gw_value_boundary(const gw_item *item, gw_random *random)
{
    const gw_field *f = item->field;
    uint64_t mask = gw_value_mask(item), limit = f->legal == GW_ANY ? item->value : f->legal_value;
    uint64_t power = UINT64_C(1) << gw_random_below(random, num_bits(mask));

    switch (gw_random_below(random, 10)) {
    case 0:
        return 0;
    case 1:
        return mask;
    case 2:
        return mask >> 1;
    case 3:
        return (mask >> 1) + 1;
    case 4:
        return power & mask;
    case 5:
        return (power - 1) & mask;
    case 6:
        return (limit + 1) & mask;
    case 7:
        return (limit - 1) & mask;
    case 8:
        return (item->value + 1) & mask;
    default:
        return (item->value - 1) & mask;
    }
}

static uint64_t named(const gw_field *f, gw_random *random)
{
    uint32_t num = 0;

    while (f->values[num].name != NULL)
        num++;
    return num == 0 ? 0 : f->values[gw_random_below(random, num)].value;
}

/* Half of all values are taken from where faults are. */
static uint64_t any(const gw_item *item, gw_random *random)
{
    if (item->field->values != NULL && gw_random_one_in(random, 2))
        return named(item->field, random) & gw_value_mask(item);
    if (gw_random_one_in(random, 2))
        return gw_value_boundary(item, random);
    return gw_random_next(random) & gw_value_mask(item);
}

uint64_t gw_value_legal(const gw_item *item, gw_random *random)
{
    const gw_field *f = item->field;
    uint64_t mask = gw_value_mask(item);

    if (must_be_zero(f))
        return 0;
    switch (f->legal) {
    case GW_EXACTLY:
        return f->legal_value;
    case GW_ONE_BIT:
        return UINT64_C(1) << gw_random_below(random, num_bits(mask));
    case GW_AT_MOST:
        if (gw_random_one_in(random, 4))
            return f->legal_value;
        return f->legal_value == UINT64_MAX ? gw_random_next(random)
                                            : gw_random_next(random) % (f->legal_value + 1);
    case GW_MULTIPLE:
        return gw_random_next(random) % (mask / f->legal_value + 1) * f->legal_value;
    default:
        break;
    }
    uint64_t value = any(item, random);
    return allowed(f, value) ? value : 1;
}

bool gw_value_illegal(const gw_item *item, gw_random *random, uint64_t *value)
{
    const gw_field *f = item->field;

    if (f->legal == GW_ANY && !must_be_zero(f))
        return false;
    for (unsigned tries = 0; tries < 16; tries++) {
        *value = any(item, random);
        if (!allowed(f, *value))
            return true;
    }
    *value = gw_value_mask(item);
    return !allowed(f, *value);
}
