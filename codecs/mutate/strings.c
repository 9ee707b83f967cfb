/* SPDX-License-Identifier: BSD-2-Clause */
/* Mutators of runs of bytes. */
#include "mutate/measure.h"
#include "mutate/pick.h"

static bool is_string(const gw_item *item, const void *ctx)
{
    (void)ctx;
    return item->field->type == GW_BYTES && item->bits >= 8;
}

static uint8_t any_byte(gw_mutating *m)
{
    static const uint8_t often[] = {0, 1, 0x7f, 0x80, 0xfe, 0xff};

    return gw_random_one_in(m->random, 2) ? often[gw_mutating_below(m, sizeof often)]
                                          : (uint8_t)gw_random_next(m->random);
}

/* Lengths that things are aligned to, and one that is not. */
static uint32_t some_bytes(gw_mutating *m)
{
    static const uint8_t steps[] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint32_t step = steps[gw_mutating_below(m, sizeof steps)];

    return step * (1 + gw_mutating_below(m, gw_random_one_in(m->random, 8) ? 32 : 2));
}

bool gw_mutate_bytes(gw_mutating *m)
{
    gw_item item;

    if (gw_pick_item(m, is_string, NULL, &item) == 0)
        return false;
    uint32_t len = item.bits / 8, from = gw_mutating_below(m, len);
    uint32_t num = gw_random_one_in(m->random, 4) ? len - from : 1;
    uint8_t *p = m->edit.data + item.offset + from;
    if (num == 1)
        *p = any_byte(m);
    for (uint32_t i = 0; num > 1 && i < num; i++)
        p[i] = any_byte(m);
    return true;
}

static bool measures_bytes(const gw_item *item, const void *ctx)
{
    (void)ctx;
    return item->field->measures == GW_MEASURES_BYTES || item->field->measures == GW_MEASURES_REST;
}

/* Where there is no run yet, one begins behind the group that holds its length. */
static bool place_of_string(gw_mutating *m, const gw_group **group, uint32_t *at)
{
    gw_item item;
    size_t first;

    if (gw_pick_item(m, is_string, NULL, &item) > 0) {
        *group = item.field->group;
        *at = item.offset + gw_mutating_below(m, item.bits / 8 + 1);
        return true;
    }
    if (gw_pick_item(m, measures_bytes, NULL, &item) == 0)
        return false;
    (void)gw_field_span(item.field, &first);
    *group = item.field->measured;
    *at = item.offset - (uint32_t)first + item.field->group->bytes;
    return *at <= m->edit.len;
}

bool gw_mutate_grow(gw_mutating *m)
{
    const gw_group *group;
    uint32_t at, num = some_bytes(m);

    if (!place_of_string(m, &group, &at))
        return false;
    gw_measures measures = gw_measures_over(m, group, at);
    if (!gw_edit_insert(&m->edit, at, NULL, num))
        return false;
    for (uint32_t i = 0; i < num; i++)
        m->edit.data[at + i] = any_byte(m);
    gw_measures_add(&measures, m, 0, (int32_t)num);
    return true;
}

bool gw_mutate_shrink(gw_mutating *m)
{
    gw_item item;
    uint32_t num = some_bytes(m);

    if (gw_pick_item(m, is_string, NULL, &item) == 0)
        return false;
    num = num < item.bits / 8 ? num : item.bits / 8;
    uint32_t at = item.offset + gw_mutating_below(m, item.bits / 8 - num + 1);
    gw_measures measures = gw_measures_over(m, item.field->group, item.offset);
    gw_edit_remove(&m->edit, at, num);
    gw_measures_add(&measures, m, 0, -(int32_t)num);
    return true;
}

bool gw_mutate_cut(gw_mutating *m)
{
    gw_message now = gw_mutating_now(m);
    gw_piece piece;

    if (m->edit.len == 0)
        return false;
    if (gw_random_one_in(m->random, 2) && gw_pick_piece(m, &now, NULL, ~0u, &piece))
        m->edit.len = gw_random_one_in(m->random, 2)
                          ? piece.start
                          : piece.start + gw_mutating_below(m, piece.end - piece.start);
    else
        m->edit.len = gw_mutating_below(m, m->edit.len);
    return true;
}

bool gw_mutate_extend(gw_mutating *m)
{
    uint32_t num = gw_random_one_in(m->random, 16) ? 1000 + some_bytes(m) : some_bytes(m);
    size_t at = m->edit.len;
    bool zeros = gw_random_one_in(m->random, 2);

    if (!gw_edit_insert(&m->edit, at, NULL, num))
        return false;
    for (uint32_t i = 0; !zeros && i < num; i++)
        m->edit.data[at + i] = any_byte(m);
    return true;
}
