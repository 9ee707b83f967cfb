/* SPDX-License-Identifier: BSD-2-Clause */
/* Mutators that repeat, drop, exchange and splice what a message may have more or less of. Counts
 * and lengths go along. */
#include "mutate/measure.h"
#include "mutate/pick.h"
#include "mutate/value.h"

enum {
    SEVERAL = 1 << GW_CONTAINER | 1 << GW_UNIT | 1 << GW_FLAT,
    ANYTHING = SEVERAL | 1 << GW_STRING,
    LOOKAHEAD = 8192, /* bytes that a record which is to grow may take */
};

bool gw_mutate_repeat(gw_mutating *m)
{
    gw_message now = gw_mutating_now(m);
    uint32_t times = gw_random_one_in(m->random, 8) ? 1 + gw_mutating_below(m, 64) : 1;
    gw_piece piece;
    bool done = false;

    if (!gw_pick_piece(m, &now, NULL, SEVERAL, &piece))
        return false;
    for (uint32_t i = 0; i < times; i++) {
        gw_measures measures = gw_measures_over(m, piece.group, piece.end);
        if (!gw_edit_repeat(&m->edit, piece.end, piece.start, piece.end - piece.start))
            break;
        gw_measures_add(&measures, m, 1, (int32_t)(piece.end - piece.start));
        done = true;
    }
    return done;
}

static void take_out(gw_mutating *m, const gw_piece *piece)
{
    gw_measures measures = gw_measures_over(m, piece->group, piece->end);

    gw_edit_remove(&m->edit, piece->start, piece->end - piece->start);
    gw_measures_add(&measures, m, -1, -(int32_t)(piece->end - piece->start));
}

bool gw_mutate_drop(gw_mutating *m)
{
    gw_message now = gw_mutating_now(m);
    gw_piece piece;

    if (!gw_pick_piece(m, &now, NULL, ANYTHING, &piece))
        return false;
    take_out(m, &piece);
    return true;
}

bool gw_mutate_swap(gw_mutating *m)
{
    gw_message now = gw_mutating_now(m);
    gw_piece first, second;

    if (!gw_pick_piece(m, &now, NULL, SEVERAL, &first) || !gw_pick_second(m, &now, &first, &second))
        return false;
    gw_edit_swap(&m->edit, first.start, first.end, second.start, second.end);
    return true;
}

/* ---- a count changed, and the room for it made ---- */

typedef struct around {
    uint32_t at;
    gw_piece found; /* the innermost container around |at| */
} around;

static void find_around(void *ctx, const gw_piece *piece)
{
    around *a = ctx;

    if (piece->group->shape == GW_CONTAINER && piece->start <= a->at && a->at < piece->end &&
        (a->found.group == NULL || piece->start > a->found.start))
        a->found = *piece;
}

static gw_piece container_around(const gw_mutating *m, const gw_message *message, uint32_t at)
{
    around a = {.at = at};

    gw_pieces(m->plan->format, m->plan->dialect, message, find_around, &a);
    return a.found;
}

static bool counts_pieces(const gw_item *item, const void *ctx)
{
    (void)ctx;
    return item->field->measures == GW_MEASURES_NUMBER;
}

static uint64_t other_count(gw_mutating *m, const gw_item *item)
{
    if (gw_random_one_in(m->random, 2))
        return gw_mutating_below(m, 8) & gw_value_mask(item);
    return gw_value_boundary(item, m->random);
}

/* The walk is asked how much its container takes with the new count, over zeros behind the end. */
bool gw_mutate_resize(gw_mutating *m)
{
    gw_edit *e = &m->edit;
    gw_message now = gw_mutating_now(m);
    size_t room = e->cap - e->len < LOOKAHEAD ? e->cap - e->len : LOOKAHEAD;
    gw_item item;

    if (gw_pick_item(m, counts_pieces, NULL, &item) == 0)
        return false;
    gw_piece before = container_around(m, &now, item.offset);
    if (before.group == NULL)
        return false;
    gw_item other = item;
    other.value = other_count(m, &item);
    if (!gw_emit(e->data, e->len, &other))
        return false;
    memset(e->data + e->len, 0, room);
    gw_message wider = gw_mutated(m->original, e->data, e->len + room);
    gw_piece after = container_around(m, &wider, item.offset);
    if (after.group != before.group || after.start != before.start ||
        (after.end > before.end && !gw_edit_insert(e, before.end, NULL, after.end - before.end))) {
        (void)!gw_emit(e->data, e->len, &item);
        return false;
    }
    if (after.end < before.end)
        gw_edit_remove(e, after.end, before.end - after.end);
    return true;
}

/* ---- other messages ---- */

static gw_message donor(const gw_mutating *m)
{
    return m->plan->other != NULL ? *m->plan->other : *m->original;
}

bool gw_mutate_splice(gw_mutating *m)
{
    gw_message now = gw_mutating_now(m), other = donor(m);
    gw_piece here, there;

    if (!gw_pick_piece(m, &now, NULL, ANYTHING, &here) ||
        !gw_pick_piece(m, &other, here.group, ANYTHING, &there))
        return false;
    uint32_t gone = here.end - here.start, come = there.end - there.start;
    if (come > gone && come - gone > m->edit.cap - m->edit.len)
        return false;
    gw_measures measures = gw_measures_over(m, here.group, here.end);
    gw_edit_remove(&m->edit, here.start, gone);
    if (!gw_edit_insert(&m->edit, here.start, other.data + there.start, come))
        return false;
    gw_measures_add(&measures, m, 0, (int32_t)come - (int32_t)gone);
    return true;
}

bool gw_mutate_cross(gw_mutating *m)
{
    gw_message now = gw_mutating_now(m), other = donor(m);
    gw_edit *e = &m->edit;
    gw_piece here, there;

    if (!gw_pick_piece(m, &now, NULL, ANYTHING, &here) ||
        !gw_pick_piece(m, &other, here.group, ANYTHING, &there))
        return false;
    size_t come = other.cap_len - there.start;
    come = come < e->cap - here.start ? come : e->cap - here.start;
    e->len = here.start;
    return gw_edit_insert(e, here.start, other.data + there.start, come);
}

/* ---- the least of a message that still does what the whole does ---- */

typedef struct counter {
    uint32_t left;
    gw_piece found;
} counter;

static void find_nth(void *ctx, const gw_piece *piece)
{
    counter *c = ctx;

    if (c->found.group == NULL && c->left-- == 0)
        c->found = *piece;
}

size_t gw_mutate_trim(const gw_format *format, const gw_dialect *dialect, const gw_message *message,
                      uint32_t piece, uint8_t *out, size_t cap)
{
    gw_random none = {0};
    gw_mutate_plan plan = {.format = format, .dialect = dialect};
    gw_mutating m = {.plan = &plan, .random = &none, .original = message};
    counter c = {.left = piece};

    gw_pieces(format, dialect, message, find_nth, &c);
    if (c.found.group == NULL || message->cap_len > cap)
        return 0;
    memcpy(out, message->data, message->cap_len);
    m.edit = (gw_edit){out, message->cap_len, cap};
    take_out(&m, &c.found);
    (void)gw_mutate_mend(&m);
    return m.edit.len;
}
