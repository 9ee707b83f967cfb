/* SPDX-License-Identifier: BSD-2-Clause */
/* Mutators of flat groups as a whole: turned round, written over, and put right where the walk
 * stops. */
#include <string.h>

#include "mutate/pick.h"
#include "mutate/value.h"

enum {
    REPAIRS = 12,
    GROUP_MAX = 32, /* bytes of the longest group with several layouts */
};

/* Writes |value| into |field| of the group that begins at |start|, if the message goes on so far.
 */
static void put(gw_mutating *m, const gw_field *field, uint32_t start, uint64_t value)
{
    size_t first;

    (void)gw_field_span(field, &first);
    gw_item item = {.field = field, .value = value, .bits = field->bits};
    item.offset = start + (uint32_t)first;
    (void)!gw_emit(m->edit.data, m->edit.len, &item);
}

/* The bytes of a word come in the other order, or those of each half, quarter or eighth. */
bool gw_mutate_byte_order(gw_mutating *m)
{
    gw_message now = gw_mutating_now(m);
    gw_piece piece;

    if (!gw_pick_piece(m, &now, NULL, 1 << GW_FLAT | 1 << GW_UNIT, &piece))
        return false;
    uint32_t step = piece.end - piece.start;
    for (uint32_t halves = gw_mutating_below(m, 3); halves > 0 && step % 4 == 0; halves--)
        step /= 2;
    if (step < 2)
        return false;
    for (uint32_t at = piece.start; at < piece.end; at += step)
        gw_edit_reverse(&m->edit, at, at + step < piece.end ? at + step : piece.end);
    return true;
}

/* The field of |group| that is called as |like|; NULL: there is none. */
static const gw_field *same_field(const gw_group *group, const gw_field *like)
{
    for (const gw_field *f = group->fields; f != group->fields + group->num_fields; f++) {
        if (!f->view && strcmp(f->name, like->name) == 0)
            return f;
    }
    return NULL;
}

static bool is_layout_of(const gw_group *other, const gw_group *group)
{
    return other != group && other->shape == GW_FLAT && other->bytes == group->bytes &&
           other->num_fields > 0 && same_field(other, &group->fields[0]) != NULL;
}

static const gw_group *other_layout(gw_mutating *m, const gw_group *group)
{
    const gw_format *f = m->plan->format;
    const gw_group *chosen = NULL;
    uint32_t num = 0;

    for (size_t g = 0; g < f->num_groups; g++) {
        if (is_layout_of(f->groups[g], group) && gw_random_one_in(m->random, ++num))
            chosen = f->groups[g];
    }
    return chosen;
}

/* The same values where another group of the tables has its fields: a dialect's, a byte order's. */
bool gw_mutate_layout(gw_mutating *m)
{
    gw_message now = gw_mutating_now(m);
    uint8_t old[GROUP_MAX];
    gw_piece piece;

    if (!gw_pick_piece(m, &now, NULL, 1 << GW_FLAT, &piece))
        return false;
    const gw_group *group = piece.group, *other = other_layout(m, group);
    if (other == NULL || group->bytes > GROUP_MAX || piece.end - piece.start != group->bytes)
        return false;
    memcpy(old, m->edit.data + piece.start, group->bytes);
    for (const gw_field *f = group->fields; f != group->fields + group->num_fields; f++) {
        const gw_field *there = f->view ? NULL : same_field(other, f);
        if (there != NULL)
            put(m, there, piece.start, gw_field_get(f, old) & there->mask);
    }
    return true;
}

static const gw_group *any_flat(gw_mutating *m)
{
    const gw_format *f = m->plan->format;

    for (unsigned tries = 0; tries < 16; tries++) {
        const gw_group *group = f->groups[gw_mutating_below(m, f->num_groups)];
        if (group->shape == GW_FLAT)
            return group;
    }
    return NULL;
}

/* A group with legal values, at the beginning, the end, or where another begins. */
bool gw_mutate_overlay(gw_mutating *m)
{
    const gw_group *group = any_flat(m);
    gw_message now = gw_mutating_now(m);
    gw_piece piece;
    size_t at = gw_random_one_in(m->random, 4) ? m->edit.len : 0;

    if (group == NULL)
        return false;
    if (gw_random_one_in(m->random, 2) && gw_pick_piece(m, &now, NULL, ~0u, &piece))
        at = piece.start;
    if (at + group->bytes > m->edit.len &&
        !gw_edit_insert(&m->edit, m->edit.len, NULL, at + group->bytes - m->edit.len))
        return false;
    for (const gw_field *f = group->fields; f != group->fields + group->num_fields; f++) {
        gw_item item = {.field = f, .bits = f->bits};
        if (!f->view)
            put(m, f, (uint32_t)at, gw_value_legal(&item, m->random));
    }
    return true;
}

/* The walk stopped at |error|: what is missing comes, what is too much goes, what is not legal
 * becomes so. */
static bool repair_once(gw_mutating *m, const gw_error *error)
{
    const gw_field *f = error->field;
    gw_edit *e = &m->edit;

    if (f == NULL || error->offset > e->len)
        return false;
    if (error->kind == GW_TRUNCATED) {
        size_t num = f->bits == 0 ? 4 : f->group->bytes;
        return gw_edit_insert(e, e->len, NULL, num);
    }
    if (f->bits == 0 || f->legal == GW_ANY) {
        bool shorter = error->offset < e->len;
        e->len = error->offset;
        return shorter;
    }
    gw_item item = {.field = f, .bits = f->bits, .offset = error->offset};
    size_t first;
    item.value = gw_value_legal(&item, m->random);
    size_t span = gw_field_span(f, &first);
    if (error->offset + span > e->len)
        return false;
    if (!gw_emit(e->data, e->len, &item))
        return false;
    return true;
}

bool gw_mutate_repair(gw_mutating *m)
{
    bool done = false;

    for (unsigned i = 0; i < REPAIRS; i++) {
        gw_error error = gw_mutating_walk(m, NULL);
        if (error.kind == GW_OK || error.capture_cut || !repair_once(m, &error))
            break;
        done = true;
    }
    return done;
}
