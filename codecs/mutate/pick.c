/* SPDX-License-Identifier: BSD-2-Clause */
/* Choosing without memory: the n-th that comes by replaces the chosen one once in n times. */
#include "mutate/pick.h"

#define DEPTH 8 /* containers inside of each other that are pieces; formats have two */

typedef struct item_picker {
    gw_sink sink;
    gw_wants wants;
    const void *ctx;
    gw_random *random;
    gw_item *chosen;
    uint32_t num;
} item_picker;

static void pick_item(gw_sink *sink, const gw_item *item)
{
    item_picker *p = (item_picker *)sink;

    if (item->field->view || item->field->derived || !p->wants(item, p->ctx))
        return;
    if (gw_random_one_in(p->random, ++p->num))
        *p->chosen = *item;
}

uint32_t gw_pick_item(const gw_mutating *m, gw_wants wants, const void *ctx, gw_item *chosen)
{
    item_picker p = {{.item = pick_item}, wants, ctx, m->random, chosen, 0};

    (void)gw_mutating_walk(m, &p.sink);
    return p.num;
}

typedef struct piece_sink {
    gw_sink sink;
    gw_piece_fn fn;
    void *ctx;
    uint32_t len;
    uint32_t starts[DEPTH]; /* of open containers */
    unsigned depth;
    gw_item padding; /* the last one, of a unit */
} piece_sink;

static void tell(const piece_sink *p, const gw_group *group, uint32_t start, uint32_t end)
{
    gw_piece piece = {group, start, end < p->len ? end : p->len};

    if (piece.start < piece.end)
        p->fn(p->ctx, &piece);
}

static void tell_unit(piece_sink *p, const gw_item *item)
{
    const gw_group *group = item->field->group;
    uint32_t start = item->offset;

    if (item->field == &group->fields[0]) {
        p->padding = *item;
        return;
    }
    if (p->padding.field == &group->fields[0] && p->padding.index == item->index &&
        p->padding.offset + p->padding.bits / 8 == start)
        start = p->padding.offset;
    p->padding.field = NULL;
    tell(p, group, start, item->offset + item->bits / 8);
}

static void on_item(gw_sink *sink, const gw_item *item)
{
    piece_sink *p = (piece_sink *)sink;
    const gw_group *group = item->field->group;
    size_t first;

    if (item->field->view || item->field->derived)
        return;
    switch (group->shape) {
    case GW_UNIT:
        tell_unit(p, item);
        break;
    case GW_STRING:
        tell(p, group, item->offset, item->offset + item->bits / 8);
        break;
    case GW_FLAT:
        if (item->field != &group->fields[0])
            break;
        (void)gw_field_span(item->field, &first);
        tell(p, group, item->offset - (uint32_t)first,
             item->offset - (uint32_t)first + group->bytes);
        break;
    default:
        break;
    }
}

static void on_open(gw_sink *sink, const gw_group *group, uint32_t index, uint32_t offset)
{
    piece_sink *p = (piece_sink *)sink;

    (void)group;
    (void)index;
    if (p->depth < DEPTH)
        p->starts[p->depth] = offset;
    p->depth++;
}

static void on_close(gw_sink *sink, const gw_group *group, uint32_t end)
{
    piece_sink *p = (piece_sink *)sink;

    if (--p->depth < DEPTH)
        tell(p, group, p->starts[p->depth], end);
}

void gw_pieces(const gw_format *format, const gw_dialect *dialect, const gw_message *message,
               gw_piece_fn fn, void *ctx)
{
    piece_sink p = {
        .sink = {.item = on_item, .open = on_open, .close = on_close}, .fn = fn, .ctx = ctx};

    p.len = message->cap_len;
    (void)format->walk(message, dialect, &p.sink);
}

typedef struct piece_picker {
    gw_random *random;
    const gw_group *group;
    unsigned shapes;
    uint32_t behind;
    gw_piece *chosen;
    uint32_t num;
} piece_picker;

static void pick_piece(void *ctx, const gw_piece *piece)
{
    piece_picker *p = ctx;

    if ((p->group != NULL && piece->group != p->group) ||
        (p->shapes & 1u << piece->group->shape) == 0 || piece->start < p->behind)
        return;
    if (gw_random_one_in(p->random, ++p->num))
        *p->chosen = *piece;
}

bool gw_pick_piece(const gw_mutating *m, const gw_message *message, const gw_group *group,
                   unsigned shapes, gw_piece *chosen)
{
    piece_picker p = {m->random, group, shapes, 0, chosen, 0};

    gw_pieces(m->plan->format, m->plan->dialect, message, pick_piece, &p);
    return p.num > 0;
}

bool gw_pick_second(const gw_mutating *m, const gw_message *message, const gw_piece *first,
                    gw_piece *chosen)
{
    piece_picker p = {m->random, first->group, ~0u, first->end, chosen, 0};

    gw_pieces(m->plan->format, m->plan->dialect, message, pick_piece, &p);
    return p.num > 0;
}
