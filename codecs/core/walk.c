/* SPDX-License-Identifier: BSD-2-Clause */
/* The table interpreter. */
#include "core/walk.h"

#include "core/bits.h"

gw_walk gw_walk_over(const gw_message *message, gw_sink *sink)
{
    gw_walk w = {
        .sink = sink, .c = gw_cursor_over(message->data, message->cap_len), .len = message->len};
    return w;
}

void gw_walk_stop(gw_walk *w, gw_error_kind kind, uint32_t offset, const gw_field *field)
{
    if (w->error.kind != GW_OK)
        return;
    w->error.kind = (uint8_t)kind;
    w->error.offset = offset;
    w->error.field = field;
}

void gw_walk_missing(gw_walk *w, const gw_field *field, uint32_t need)
{
    uint32_t offset = gw_cursor_offset(&w->c);
    uint32_t captured = offset + (uint32_t)gw_cursor_left(&w->c);

    if (w->error.kind == GW_OK)
        w->error.capture_cut = captured < w->len && need <= w->len - offset;
    gw_walk_stop(w, GW_TRUNCATED, offset, field);
}

static inline void report(gw_walk *w, const gw_item *item)
{
    if (w->sink != NULL)
        w->sink->item(w->sink, item);
}

/* The widest swizzled group: a 256-bit word. */
#define GW_SWIZZLED_MAX 32

static inline uint64_t load(const gw_group *group, const uint8_t *p, size_t len)
{
    return group->little ? gw_load_le(p, len) : gw_load_be(p, len);
}

/* The group does not fit: report what does, field by field. Reporting ends on a byte boundary, so
 * that what is left over is whole bytes: of two fields that share the last byte present, neither is
 * reported. */
static bool walk_partial(gw_walk *w, const gw_group *group, uint32_t index)
{
    //@ slevel 3000;
    size_t have = gw_cursor_left(&w->c);
    if (have >= group->bytes)
        return false; /* a prover does not know that it does not fit */
    //@ split have;
    gw_cursor rest = w->c;
    const uint8_t *at;
    uint32_t start = gw_cursor_offset(&w->c);
    unsigned missing = 0, whole = 0;
    size_t reported = 0;

    if (!gw_cursor_bytes(&rest, &at, have))
        return false;

    for (; missing < group->num_fields; missing++) {
        const gw_field *f = &group->fields[missing];
        if (f->view)
            continue;
        if ((size_t)f->byte + f->num_bytes > have)
            break;
        if (f->last % 8 == 7) {
            whole = missing + 1;
            reported = (size_t)f->last / 8 + 1;
        }
    }
    for (unsigned i = 0; i < whole; i++) {
        const gw_field *f = &group->fields[i];
        gw_item item = {.field = f,
                        .value = gw_bits_field(f, at),
                        .offset = start + f->byte,
                        .bits = f->bits,
                        .index = index};
        report(w, &item);
    }
    const gw_field *f = &group->fields[missing];
    size_t before = f->byte < have ? f->byte : have;
    w->c.p = at + before;
    gw_walk_missing(w, f, f->num_bytes);
    w->c.p = at + reported;
    return false;
}

/* A swizzled group that does not fit: its fields lie scattered, so none is reported. */
static bool walk_cut_word(gw_walk *w, const gw_group *group)
{
    size_t have = gw_cursor_left(&w->c);
    size_t first, span;
    const gw_field *missing = &group->fields[0];

    for (unsigned i = 0; i < group->num_fields; i++) {
        span = gw_field_span(&group->fields[i], &first);
        if (!group->fields[i].view && first + span > have) {
            missing = &group->fields[i];
            break;
        }
    }
    gw_walk_missing(w, missing, group->bytes);
    return false;
}

/* The word is put in order first; fields then read it as they would any little-endian one. */
static bool walk_swizzled(gw_walk *w, const gw_group *group, uint32_t index)
{
    uint8_t word[GW_SWIZZLED_MAX];
    const uint8_t *at;
    uint32_t start = gw_cursor_offset(&w->c);

    if (!gw_cursor_bytes(&w->c, &at, group->bytes))
        return walk_cut_word(w, group);
    if (w->sink == NULL)
        return true;
    for (size_t k = 0; k < group->bytes; k++)
        word[k] = at[k ^ group->swizzle];
    for (const gw_field *f = group->fields; f != group->fields + group->num_fields; f++) {
        size_t first;
        (void)gw_field_span(f, &first);
        gw_item item = {.field = f,
                        .value = gw_bits_field(f, word),
                        .offset = start + (uint32_t)first,
                        .bits = f->bits,
                        .index = index};
        w->sink->item(w->sink, &item);
    }
    return true;
}

/* Most fields are not counted, and most flags are not set. */
static bool walk_tallied(gw_sink *sink, const gw_group *group, const uint8_t *at, uint32_t start,
                         uint32_t index)
{
    const gw_field *end = group->fields + group->num_fields;
    bool one_load = group->bytes == 4 && !group->little; /* the common header word */
    uint32_t word = one_load ? gw_load_be32(at) : 0;

    for (const gw_field *f = group->fields; f != end; f++) {
        if (f->tallies == GW_TALLIES_NOTHING)
            continue;
        uint64_t value = one_load ? word >> (32u - 1 - f->last) & f->mask : gw_bits_field(f, at);
        if (value == 0 && f->type == GW_BOOL)
            continue;
        gw_item item = {
            .field = f, .value = value, .offset = start + f->byte, .bits = f->bits, .index = index};
        sink->item(sink, &item);
    }
    return true;
}

bool gw_walk_flat(gw_walk *w, const gw_group *group, uint32_t index)
{
    const uint8_t *at;
    uint32_t start = gw_cursor_offset(&w->c);

    if (w->error.kind != GW_OK)
        return false;
    if (GW_UNLIKELY(group->swizzle != 0))
        return walk_swizzled(w, group, index);
    if (GW_UNLIKELY(!gw_cursor_bytes(&w->c, &at, group->bytes)))
        return walk_partial(w, group, index);

    gw_sink *sink = w->sink;
    if (sink == NULL)
        return true;
    if (sink->flat != NULL && !sink->flat(sink, group, at))
        return true;
    if (sink->tallied)
        return walk_tallied(sink, group, at, start, index);
    const gw_field *f = group->fields;
    const gw_field *end = f + group->num_fields;
    gw_item item = {.index = index};

    if (group->bytes == 4 && !group->little) {
        /* The common header word: one load for all its fields. */
        uint32_t word = gw_load_be32(at);
        for (; f != end; f++) {
            unsigned shift = 32u - 1 - f->last;
            item.field = f;
            item.value = word >> shift & f->mask;
            item.offset = start + f->byte;
            item.bits = f->bits;
            sink->item(sink, &item);
        }
        return true;
    }
    for (; f != end; f++) {
        item.field = f;
        item.value = gw_bits_field(f, at);
        item.offset = start + f->byte;
        item.bits = f->bits;
        sink->item(sink, &item);
    }
    return true;
}

/* Whether whoever looks can do without the units of |group|. */
static bool units_unwanted(gw_sink *sink, const gw_group *group)
{
    if (sink == NULL)
        return false;
    if (sink->tallied && (group->fields[0].tallies | group->fields[1].tallies) == 0)
        return true;
    return sink->units != NULL && !sink->units(sink, group);
}

/* A number of |len| bytes, which is the whole of |field|. */
static inline bool walk_number(gw_walk *w, const gw_group *group, const gw_field *field,
                               uint32_t index, size_t len)
{
    gw_item item = {.field = field,
                    .offset = gw_cursor_offset(&w->c),
                    .bits = (uint32_t)len * 8,
                    .index = index};
    const uint8_t *p;

    //@ split len;
    if (!gw_cursor_bytes(&w->c, &p, len)) {
        gw_walk_missing(w, field, (uint32_t)len);
        return false;
    }
    item.value = load(group, p, len);
    report(w, &item);
    return true;
}

bool gw_walk_units(gw_walk *w, const gw_group *group, uint32_t num, size_t unit, size_t width)
{
    const gw_field *pad = &group->fields[0];
    const gw_field *val = &group->fields[1];
    size_t fill = width < unit ? unit - width : 0; /* a prover does not know that it is no wider */

    if (w->error.kind != GW_OK)
        return false;
    if (units_unwanted(w->sink, group) && gw_cursor_skip(&w->c, (size_t)num * unit))
        return true;
    //@ slevel 0;
    //@ loop unroll 0;
    for (uint32_t i = 0; i < num; i++) {
        if (fill > 0 && !walk_number(w, group, pad, i, fill))
            return false;
        if (!walk_number(w, group, val, i, width))
            return false;
    }
    return true;
}

size_t gw_walk_string(gw_walk *w, const gw_group *group, size_t len)
{
    size_t left = gw_cursor_left(&w->c);
    size_t here = len < left ? len : left;
    gw_item item = {.field = &group->fields[0], .offset = gw_cursor_offset(&w->c)};

    //@ split here;
    if (here == 0 || !gw_cursor_bytes(&w->c, &item.bytes, here))
        return 0;
    item.bits = (uint32_t)here * 8;
    report(w, &item);
    return here;
}

void gw_walk_rest(gw_walk *w, const gw_group *group)
{
    (void)gw_walk_string(w, group, SIZE_MAX);
}

void gw_walk_derive(gw_walk *w, const gw_field *field, uint64_t value, uint32_t offset)
{
    gw_item item = {.field = field, .value = value, .offset = offset};

    report(w, &item);
}

void gw_walk_derive_bytes(gw_walk *w, const gw_field *field, const uint8_t *bytes, uint32_t len,
                          uint32_t offset)
{
    gw_item item = {.field = field, .bytes = bytes, .offset = offset, .bits = len * 8};

    report(w, &item);
}

void gw_walk_open(gw_walk *w, const gw_group *group, uint32_t index)
{
    if (w->sink != NULL && w->sink->open != NULL)
        w->sink->open(w->sink, group, index, gw_cursor_offset(&w->c));
}

void gw_walk_close(gw_walk *w, const gw_group *group)
{
    if (w->sink != NULL && w->sink->close != NULL)
        w->sink->close(w->sink, group, gw_cursor_offset(&w->c));
}
