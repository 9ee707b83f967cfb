/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that the board gives and our messages use: queue pairs, keys, where its memory begins, the
 * number of a node. The tables say which fields hold one. Another board, or the same one on another
 * day, gives others, so what the trace says is put into the words of now. */
#include <string.h>

#include "replay/format.h"

/* A frame lies no farther behind the address that its buffer named. */
#define REACH (UINT64_C(1) << 40)

/* The key of the memory that the message speaks of; 0: it names none. */
static uint64_t key_in(const gw_leaves *all)
{
    for (size_t i = 0; i < all->num; i++) {
        if (all->list[i].field->names == GW_NAMES_RKEY)
            return all->list[i].value;
    }
    return 0;
}

/* Whether the judged message tells the board's number. */
static bool introduces(const gw_replay *r)
{
    const gw_trace_line *line = gw_replay_line(r);
    const gw_replay_format *row = gw_replay_format_of(line->format);
    gw_message m = gw_replay_judged(r);
    return r->numbered && row->introduces != NULL && row->introduces(&m, line->dialect);
}

/* ---- keeping them ---- */

void gw_player_name(gw_replay *r, const gw_name *name)
{
    for (unsigned i = 0; i < r->num_names; i++) {
        gw_name *n = &r->names[i];
        if (n->class == name->class && n->scope == name->scope && n->then == name->then) {
            n->now = name->now;
            return;
        }
    }
    /* The oldest goes: a board has few at a time. */
    if (r->num_names == GW_PLAYER_NAMES)
        memmove(r->names, r->names + 1, --r->num_names * sizeof(r->names[0]));
    r->names[r->num_names++] = *name;
}

void gw_player_learn(gw_replay *r, const gw_leaves *then, const gw_leaves *now)
{
    for (size_t i = 0; i < then->num && i < now->num; i++) {
        const gw_leaf *leaf = &then->list[i];
        const gw_field *field = leaf->field;
        if (field->names == GW_NAMES_NOTHING ||
            (field->naming != GW_NAME_GIVEN && (field->names != GW_NAMES_NODE || !introduces(r))))
            continue;
        gw_name name = {.class = field->names, .then = leaf->value, .now = now->list[i].value};
        if (name.class == GW_NAMES_BASE)
            name.scope = key_in(then);
        gw_player_name(r, &name);
    }
}

void gw_player_learn_place(gw_replay *r, uint64_t then, uint64_t now)
{
    gw_name name = {.class = GW_NAMES_PLACE, .then = then, .now = now};
    gw_player_name(r, &name);
}

/* ---- using them ---- */

/* The newest name for exactly |value|. */
static const gw_name *exactly(const gw_replay *r, uint8_t class, uint64_t value)
{
    for (unsigned i = r->num_names; i > 0; i--) {
        const gw_name *n = &r->names[i - 1];
        if (n->class == class && n->then == value)
            return n;
    }
    return NULL;
}

/* The memory that |value| lies in: that of the message's own key, else the nearest below. */
static const gw_name *nearest_below(const gw_replay *r, uint64_t value, uint64_t key)
{
    const gw_name *found = NULL;
    for (unsigned i = 0; i < r->num_names; i++) {
        const gw_name *n = &r->names[i];
        if (n->class != GW_NAMES_BASE || value - n->then >= REACH)
            continue;
        bool better = found == NULL || (n->scope == key) > (found->scope == key) ||
                      ((n->scope == key) == (found->scope == key) && n->then >= found->then);
        if (better)
            found = n;
    }
    return found;
}

uint64_t gw_player_node(const gw_replay *r, uint64_t then)
{
    const gw_name *name = exactly(r, GW_NAMES_NODE, then);
    return name != NULL ? name->now : then;
}

uint32_t gw_player_queue_pair(const gw_replay *r, uint64_t then)
{
    const gw_name *name = exactly(r, GW_NAMES_QP, then);
    return (uint32_t)(name != NULL ? name->now : then);
}

uint64_t gw_player_in_ring(const gw_replay *r, uint64_t then)
{
    const gw_name *name =
        nearest_below(r, then, UINT64_MAX); /* no packet's key: the nearest below */
    return name != NULL ? then - name->then + name->now : then;
}

gw_named_how gw_player_named(void *ctx, const gw_related *related, const gw_leaves *all,
                             const gw_leaf *leaf, uint64_t *value)
{
    const gw_replay *r = ctx;
    const gw_field *field = leaf->field;
    const gw_replay_format *row = gw_replay_format_of(gw_replay_line(r)->format);
    if (r->numbered && row->placed != NULL && row->placed(r, leaf, value))
        return GW_NAMED;
    if (field->names == GW_NAMES_NOTHING || field->naming == GW_NAME_GIVEN ||
        (field->names == GW_NAMES_NODE && !r->numbered))
        return GW_NAMED_NOT;
    if (field->names == GW_NAMES_NODE && !related->is_ours && introduces(r))
        return GW_NAMED_FREE;
    *value = leaf->value;
    /* What the board sends to us goes by the names that we gave, and sent as they were. */
    if (!related->is_ours && field->naming == GW_NAME_USED)
        return GW_NAMED;
    const gw_name *name = field->names == GW_NAMES_BASE ? nearest_below(r, leaf->value, key_in(all))
                                                        : exactly(r, field->names, leaf->value);
    if (name == NULL)
        return field->names == GW_NAMES_PLACE ? GW_NAMED_NOT : GW_NAMED;
    *value = leaf->value - name->then + name->now;
    return GW_NAMED;
}
