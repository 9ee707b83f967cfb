/* SPDX-License-Identifier: BSD-2-Clause */
/* What a field descriptor can tell, and the writer without judgement. */
#include "goldwire/field.h"

#include <string.h>

#include "core/bits.h"
#include "goldwire/error.h"
#include "goldwire/rule.h"
#include "goldwire/writer.h"

const char *gw_field_key(const gw_field *field)
{
    return strrchr(field->name, '.') + 1;
}

bool gw_field_legal(const gw_field *field, uint64_t value)
{
    switch (field->legal) {
    case GW_EXACTLY:
        return value == field->legal_value;
    case GW_ONE_BIT:
        return value != 0 && (value & (value - 1)) == 0;
    case GW_NONZERO:
        return value != 0;
    case GW_AT_MOST:
        return value <= field->legal_value;
    case GW_MULTIPLE:
        return value % field->legal_value == 0;
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

size_t gw_field_span(const gw_field *field, size_t *first)
{
    size_t swizzle = field->group->swizzle;
    size_t low = field->byte, high = low + field->num_bytes - 1;

    if (swizzle != 0) {
        size_t k = low, end = high;
        for (low = SIZE_MAX, high = 0; k <= end; k++) {
            low = (k ^ swizzle) < low ? k ^ swizzle : low;
            high = (k ^ swizzle) > high ? k ^ swizzle : high;
        }
    }
    *first = low;
    return high - low + 1;
}

/* How many bytes from its offset on an item touches; 0 of a derived one. */
static size_t span(const gw_item *item, size_t *first)
{
    *first = 0;
    if (item->field->bits != 0)
        return gw_field_span(item->field, first);
    return item->field->derived ? 0 : (item->bits + 7) / 8;
}

/* The place in a fixed item of the byte that is |up| bytes above the lowest of its field. */
static size_t place(const gw_field *f, size_t first, size_t up)
{
    size_t k = f->group->little ? f->byte + up : (size_t)f->byte + f->num_bytes - 1 - up;
    return (k ^ f->group->swizzle) - first;
}

/* The field's bits in the byte |up| bytes above the lowest one, from |value|. */
static uint8_t byte_of(const gw_field *f, uint64_t value, size_t up)
{
    unsigned low = (unsigned)up * 8;

    if (low < f->shift)
        return (uint8_t)(value << (f->shift - low));
    return low - f->shift < 64 ? (uint8_t)(value >> (low - f->shift)) : 0;
}

uint64_t gw_field_get(const gw_field *field, const uint8_t *group)
{
    uint64_t value = 0;

    if (field->group->swizzle == 0)
        return gw_bits_field(field, group);
    for (size_t up = 0; up < field->num_bytes; up++) {
        uint64_t byte = group[place(field, 0, up)];
        unsigned low = (unsigned)up * 8;
        if (low < field->shift)
            value |= byte >> (field->shift - low);
        else if (low - field->shift < 64)
            value |= byte << (low - field->shift);
    }
    return value & field->mask;
}

size_t gw_item_mask(const gw_item *item, uint8_t *mask, size_t cap)
{
    const gw_field *f = item->field;
    size_t first;
    size_t len = span(item, &first);

    if (cap > 0)
        memset(mask, f->bits == 0 ? 0xff : 0, len < cap ? len : cap);
    if (f->bits == 0)
        return len;
    for (size_t up = 0; up < f->num_bytes; up++) {
        size_t at = place(f, first, up);
        if (at < cap)
            mask[at] = byte_of(f, f->mask, up);
    }
    return len;
}

/* A unit's part: whole bytes, at most eight. */
static bool emit_unit(uint8_t *p, const gw_item *item, size_t bytes)
{
    if (bytes > 8 || (bytes < 8 && item->value >> (8 * bytes) != 0))
        return false;
    if (item->field->group->little)
        gw_store_le(p, item->value, bytes);
    else
        gw_store_be(p, item->value, bytes);
    return true;
}

bool gw_emit(uint8_t *data, size_t len, const gw_item *item)
{
    const gw_field *f = item->field;
    size_t first;
    size_t bytes = span(item, &first);

    if (f->derived || item->offset > len || len - item->offset < bytes)
        return false;
    uint8_t *p = data + item->offset;

    if (f->type == GW_BYTES) {
        if (bytes > 0)
            memcpy(p, item->bytes, bytes);
        return true;
    }
    if (f->bits == 0)
        return emit_unit(p, item, bytes);
    if ((item->value & ~f->mask) != 0)
        return false;
    for (size_t up = 0; up < f->num_bytes; up++) {
        uint8_t mask = byte_of(f, f->mask, up);
        uint8_t *byte = p + place(f, first, up);
        *byte = (uint8_t)((*byte & ~mask) | (byte_of(f, item->value, up) & mask));
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

const char *gw_error_stopped(const gw_error *error)
{
    static const char *const kinds[] = {
        [GW_OK] = "Whole",
        [GW_TRUNCATED] = "Message ends too early",
        [GW_MALFORMED] = "Format broken",
        [GW_UNSUPPORTED] = "Beyond what the decoder can follow",
        [GW_BUG] = "Fault in goldwire",
    };

    return error->capture_cut ? "Cut off by the capture" : kinds[error->kind];
}

const char *gw_relation_of_request(gw_relation_kind kind)
{
    static const char *const names[GW_NUM_RELATIONS] = {
        [GW_ANSWERS] = "Answered",
        [GW_UNANSWERED] = "Unanswered",
        [GW_UNTRACKED] = "Not followed: too many at a time",
        [GW_FORWARDED] = "Passed on",
    };

    return names[kind];
}

const char *gw_relation_of_answer(gw_relation_kind kind)
{
    static const char *const names[GW_NUM_RELATIONS] = {
        [GW_ANSWERS] = "First answer",
        [GW_DUPLICATE] = "Repeated",
        [GW_STALE] = "Too late",
        [GW_UNSOLICITED] = "No request captured",
        [GW_UNTRACKED] = "Not followed: too many at a time",
        [GW_FORWARDED] = "Passes on",
    };

    return names[kind];
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
