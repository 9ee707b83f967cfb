/* SPDX-License-Identifier: BSD-2-Clause */
/* Which kinds a value is of. What a field can have at all is found by asking about values of every
 * kind: the two cannot disagree. */
#include "campaign/model/value_class.h"

#define FEW_BITS 3u   /* of a field in which halves and powers are nothing special */
#define SMALL_BITS 8u /* of one whose values are all asked about */
#define SHORT_BITS (8u * 8u)
#define MEDIUM_BITS (64u * 8u)

static uint32_t bit(gw_value_class value_class)
{
    return UINT32_C(1) << value_class;
}

const char *gw_value_class_name(gw_value_class value_class)
{
    static const char *const names[GW_NUM_VALUE_CLASSES] = {
        [GW_VALUE_ORDINARY] = "ordinary",
        [GW_VALUE_NAMED] = "named",
        [GW_VALUE_ZERO] = "0",
        [GW_VALUE_ONES] = "all ones",
        [GW_VALUE_HALF] = "half",
        [GW_VALUE_POWER] = "one bit",
        [GW_VALUE_BELOW_POWER] = "low ones",
        [GW_VALUE_LIMIT] = "limit",
        [GW_VALUE_BELOW_LIMIT] = "limit - 1",
        [GW_VALUE_ABOVE_LIMIT] = "limit + 1",
        [GW_VALUE_SHORT] = "1 to 8 bytes",
        [GW_VALUE_MEDIUM] = "9 to 64 bytes",
        [GW_VALUE_LONG] = "65 bytes and more",
        [GW_VALUE_NOT_ZERO] = "not 0",
        [GW_VALUE_ANOTHER] = "another value",
        [GW_VALUE_NO_BIT] = "no bit",
        [GW_VALUE_MANY_BITS] = "several bits",
        [GW_VALUE_ZERO_TOO] = "forbidden 0",
        [GW_VALUE_TOO_LARGE] = "too large",
        [GW_VALUE_NO_MULTIPLE] = "no multiple",
    };
    return names[value_class];
}

static bool must_be_zero(const gw_field *f)
{
    return f->legal == GW_ANY && (f->use == GW_RESERVED || f->use == GW_PADDING);
}

/* ---- byte strings ---- */

static bool is_zero(const gw_item *item)
{
    for (uint32_t i = 0; i < item->bits / 8; i++)
        if (item->bytes[i] != 0)
            return false;
    return true;
}

static uint32_t classes_of_string(const gw_item *item)
{
    uint32_t size = item->bits <= SHORT_BITS    ? bit(GW_VALUE_SHORT)
                    : item->bits <= MEDIUM_BITS ? bit(GW_VALUE_MEDIUM)
                                                : bit(GW_VALUE_LONG);
    if (!must_be_zero(item->field))
        return size;
    return bit(is_zero(item) ? GW_VALUE_ZERO : GW_VALUE_NOT_ZERO);
}

/* ---- numbers ---- */

static uint64_t mask_of(const gw_item *item)
{
    if (item->field->bits != 0)
        return item->field->mask;
    return item->bits == 0 ? 0 : UINT64_MAX >> (64 - (item->bits < 64 ? item->bits : 64));
}

static uint32_t illegal_classes(const gw_field *f, uint64_t value)
{
    if (must_be_zero(f))
        return value != 0 ? bit(GW_VALUE_NOT_ZERO) : 0;
    if (gw_field_legal(f, value))
        return 0;
    switch ((gw_legal)f->legal) {
    case GW_EXACTLY:
        return bit(GW_VALUE_ANOTHER);
    case GW_ONE_BIT:
        return bit(value == 0 ? GW_VALUE_NO_BIT : GW_VALUE_MANY_BITS);
    case GW_NONZERO:
        return bit(GW_VALUE_ZERO_TOO);
    case GW_AT_MOST:
        return bit(GW_VALUE_TOO_LARGE);
    case GW_MULTIPLE:
        return bit(GW_VALUE_NO_MULTIPLE);
    case GW_ANY:
        break;
    }
    return 0;
}

/* At the ends of what the bits can hold. */
static uint32_t shape_classes(uint64_t mask, uint64_t value)
{
    uint32_t classes = 0;
    if (value == 0)
        return bit(GW_VALUE_ZERO);
    if (value == mask)
        return bit(GW_VALUE_ONES);
    if (mask >> FEW_BITS == 0)
        return 0;
    if (value == mask >> 1 || value == (mask >> 1) + 1)
        return bit(GW_VALUE_HALF);
    if ((value & (value - 1)) == 0)
        classes |= bit(GW_VALUE_POWER);
    if ((value & (value + 1)) == 0)
        classes |= bit(GW_VALUE_BELOW_POWER);
    return classes;
}

static uint32_t limit_classes(const gw_field *f, uint64_t mask, uint64_t value)
{
    uint64_t limit = f->legal_value;
    if ((f->legal != GW_EXACTLY && f->legal != GW_AT_MOST) || mask >> 1 == 0)
        return 0;
    return (value == limit ? bit(GW_VALUE_LIMIT) : 0) |
           (limit > 0 && value == limit - 1 ? bit(GW_VALUE_BELOW_LIMIT) : 0) |
           (limit < mask && value == limit + 1 ? bit(GW_VALUE_ABOVE_LIMIT) : 0);
}

uint32_t gw_value_classes(const gw_item *item)
{
    const gw_field *f = item->field;
    if (f->type == GW_BYTES)
        return item->bits == 0 ? 0 : classes_of_string(item);
    uint64_t mask = mask_of(item);
    uint32_t classes = illegal_classes(f, item->value) | shape_classes(mask, item->value) |
                       limit_classes(f, mask, item->value);
    if (gw_field_value_name(f, item->value) != NULL)
        classes |= bit(GW_VALUE_NAMED);
    return classes != 0 ? classes : bit(GW_VALUE_ORDINARY);
}

/* ---- what a field can have ---- */

static uint32_t asked(const gw_field *f, uint32_t bits, uint64_t mask, uint64_t value)
{
    const gw_item item = {.field = f, .value = value & mask, .bits = bits};
    return gw_value_classes(&item);
}

static uint32_t number_can_have(const gw_field *f)
{
    uint32_t bits = f->bits != 0 ? f->bits : 64;
    uint64_t mask = f->bits != 0 ? f->mask : UINT64_MAX;
    uint32_t classes = 0;
    for (uint64_t value = 0; value <= mask && value < UINT64_C(1) << SMALL_BITS; value++)
        classes |= asked(f, bits, mask, value);
    for (unsigned n = 0; n < 64; n++) {
        uint64_t power = UINT64_C(1) << n;
        classes |= asked(f, bits, mask, power) | asked(f, bits, mask, power - 1) |
                   asked(f, bits, mask, ~power);
    }
    for (uint64_t i = 0; i < 3; i++)
        classes |= asked(f, bits, mask, f->legal_value - 1 + i);
    for (const gw_value_name *v = f->values; v != NULL && v->name != NULL; v++)
        classes |= asked(f, bits, mask, v->value);
    return classes;
}

uint32_t gw_value_classes_of(const gw_field *f)
{
    if (f->type != GW_BYTES)
        return number_can_have(f);
    if (must_be_zero(f))
        return bit(GW_VALUE_ZERO) | bit(GW_VALUE_NOT_ZERO);
    uint32_t classes = bit(GW_VALUE_SHORT) | bit(GW_VALUE_MEDIUM) | bit(GW_VALUE_LONG);
    if (f->bits == 0)
        return classes;
    const gw_item item = {.field = f, .bits = f->bits};
    return classes_of_string(&item);
}
