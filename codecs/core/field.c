/* SPDX-License-Identifier: BSD-2-Clause */
/* What a field descriptor can tell, and the writer without judgement. */
#include "goldwire/field.h"

#include <string.h>

#include "goldwire/error.h"
#include "goldwire/rule.h"
#include "goldwire/writer.h"

bool gw_field_legal(const gw_field *field, uint64_t value)
{
    switch (field->legal) {
    case GW_EQUALS:
        return value == field->legal_value;
    case GW_ONE_BIT:
        return value != 0 && (value & (value - 1)) == 0;
    case GW_NONZERO:
        return value != 0;
    default:
        return true;
    }
}

const char *gw_field_value_name(const gw_field *field, uint64_t value)
{
    if (field->values == NULL)
        return NULL;
    for (const gw_value_name *v = field->values; v->name != NULL; v++) {
        if (v->value == value)
            return v->name;
    }
    return NULL;
}

/* How many bytes from its offset on an item touches. */
static size_t span(const gw_item *item)
{
    return item->field->bits != 0 ? item->field->num_bytes : (item->bits + 7) / 8;
}

size_t gw_item_mask(const gw_item *item, uint8_t *mask, size_t cap)
{
    const gw_field *f = item->field;
    size_t len = span(item);

    if (f->bits == 0) {
        memset(mask, 0xff, len < cap ? len : cap);
        return len;
    }
    /* A fixed field spans at most 9 bytes: 64 bits that start inside a byte. */
    for (size_t i = 0; i < len && i < cap; i++) {
        size_t up = f->group->little ? i : len - 1 - i; /* place of the byte in the word */
        unsigned low = (unsigned)up * 8;
        uint64_t bits;
        if (low >= f->shift)
            bits = low - f->shift < 64 ? f->mask >> (low - f->shift) : 0;
        else
            bits = f->mask << (f->shift - low);
        mask[i] = (uint8_t)bits;
    }
    return len;
}

bool gw_emit(uint8_t *data, size_t len, const gw_item *item)
{
    const gw_field *f = item->field;
    size_t bytes = span(item);

    if (item->offset > len || len - item->offset < bytes)
        return false;
    uint8_t *p = data + item->offset;

    if (f->type == GW_BYTES) {
        if (bytes > 0)
            memcpy(p, item->bytes, bytes);
        return true;
    }
    if (f->bits == 0) { /* a unit's part: whole bytes, at most eight */
        if (bytes > 8 || (bytes < 8 && item->value >> (8 * bytes) != 0))
            return false;
        if (f->group->little)
            gw_store_le(p, item->value, bytes);
        else
            gw_store_be(p, item->value, bytes);
        return true;
    }
    if ((item->value & ~f->mask) != 0)
        return false;

    uint8_t mask[9];
    (void)gw_item_mask(item, mask, sizeof mask);
    for (size_t i = 0; i < bytes; i++) {
        size_t up = f->group->little ? i : bytes - 1 - i;
        unsigned low = (unsigned)up * 8;
        uint64_t bits =
            low >= f->shift ? item->value >> (low - f->shift) : item->value << (f->shift - low);
        p[i] = (uint8_t)((p[i] & ~mask[i]) | ((uint8_t)bits & mask[i]));
    }
    return true;
}

const char *gw_error_kind_name(gw_error_kind kind)
{
    switch (kind) {
    case GW_OK:
        return "ok";
    case GW_TRUNCATED:
        return "truncated";
    case GW_MALFORMED:
        return "malformed";
    case GW_UNSUPPORTED:
        return "unsupported";
    default:
        return "bug";
    }
}

const char *gw_level_name(gw_level level)
{
    switch (level) {
    case GW_MUST:
        return "MUST";
    case GW_SHOULD:
        return "SHOULD";
    default:
        return "MAY";
    }
}
