/* SPDX-License-Identifier: BSD-2-Clause */
/* What a filter says of a message: each test sees what stands at its places, then the tests are
 * joined. Groups in which no test has a place are left out. */
#include <string.h>

#include "inspect/filter/filter.h"

static bool contains(const uint8_t *bytes, size_t len, const gw_filter_node *n)
{
    for (size_t i = 0; i + n->len <= len; i++) {
        if (memcmp(bytes + i, n->bytes, n->len) == 0)
            return true;
    }
    return false;
}

static bool bytes_hold(const gw_filter_node *n, const gw_item *item)
{
    size_t len = item->bits / 8;

    if (n->op == GW_FILTER_CONTAINS)
        return contains(item->bytes, len, n);
    bool equal = len == n->len && memcmp(item->bytes, n->bytes, len) == 0;
    return equal == (n->op == GW_FILTER_EQ);
}

static bool number_holds(const gw_filter_node *n, uint64_t value)
{
    switch (n->op) {
    case GW_FILTER_EQ:
        return value == n->number;
    case GW_FILTER_NE:
        return value != n->number;
    case GW_FILTER_GT:
        return value > n->number;
    case GW_FILTER_GE:
        return value >= n->number;
    case GW_FILTER_LT:
        return value < n->number;
    default:
        return value <= n->number;
    }
}

/* One more occurrence of what |n| asks for, which it is |right| about. */
static void take(gw_filter_node *n, bool right)
{
    if (n->op == GW_FILTER_NE)
        n->value = right && (!n->found || n->value);
    else
        n->value |= right;
    n->found = true;
}

typedef struct filter_sink {
    gw_sink sink;
    gw_filter *filter;
} filter_sink;

static void on_item(gw_sink *sink, const gw_item *item)
{
    gw_filter *filter = ((filter_sink *)sink)->filter;

    for (size_t i = 0; i < filter->num_places; i++) {
        if (filter->places[i].field != item->field)
            continue;
        gw_filter_node *n = &filter->nodes[filter->places[i].node];
        if (n->op == GW_FILTER_EXISTS)
            take(n, true);
        else if (item->field->type == GW_BYTES)
            take(n, bytes_hold(n, item));
        else
            take(n, number_holds(n, item->value));
    }
}

/* Reads what is asked for from the group's bytes, so that none of its items has to come. */
static bool on_flat(gw_sink *sink, const gw_group *group, const uint8_t *bytes)
{
    gw_filter *filter = ((filter_sink *)sink)->filter;

    for (size_t i = 0; i < filter->num_places; i++) {
        const gw_filter_place *place = &filter->places[i];
        if (place->group != group)
            continue;
        gw_filter_node *n = &filter->nodes[place->node];
        take(n, n->op == GW_FILTER_EXISTS || number_holds(n, gw_field_get(place->field, bytes)));
    }
    return false;
}

static bool on_units(gw_sink *sink, const gw_group *group)
{
    const gw_filter *filter = ((filter_sink *)sink)->filter;

    for (size_t i = 0; i < filter->num_places; i++) {
        if (filter->places[i].group == group)
            return true;
    }
    return false;
}

static void on_open(gw_sink *sink, const gw_group *group, uint32_t index, uint32_t offset)
{
    gw_filter *filter = ((filter_sink *)sink)->filter;

    (void)index;
    (void)offset;
    for (size_t i = 0; i < filter->num_places; i++) {
        if (filter->places[i].group == group && filter->places[i].field == NULL)
            take(&filter->nodes[filter->places[i].node], true);
    }
}

static void on_close(gw_sink *sink, const gw_group *group, uint32_t end)
{
    (void)sink;
    (void)group;
    (void)end;
}

/* Forgets the message before; whether this one's fields have to be looked at. */
static bool start(gw_filter *filter, const gw_found *found)
{
    bool walk = false;

    for (size_t i = 0; i < filter->num; i++) {
        gw_filter_node *n = &filter->nodes[i];
        n->found = false;
        n->value = false;
        if (n->kind == GW_FILTER_FORMAT)
            n->value = n->format == found->format;
        else if (n->kind == GW_FILTER_FRAME)
            n->value = n->op == GW_FILTER_EXISTS || number_holds(n, found->message->frame);
        else if (n->kind == GW_FILTER_FIELD || n->kind == GW_FILTER_GROUP)
            walk |= n->format == found->format;
    }
    return walk;
}

bool gw_filter_matches(gw_filter *filter, const gw_found *found)
{
    filter_sink s = {.sink = {.item = on_item,
                              .open = on_open,
                              .close = on_close,
                              .flat = on_flat,
                              .units = on_units},
                     .filter = filter};

    if (start(filter, found))
        (void)found->format->walk(found->message, found->dialect, &s.sink);
    /* Operands stand before what joins them. */
    for (size_t i = 0; i < filter->num; i++) {
        gw_filter_node *n = &filter->nodes[i];
        if (n->kind == GW_FILTER_NOT)
            n->value = !filter->nodes[n->left].value;
        else if (n->kind == GW_FILTER_AND)
            n->value = filter->nodes[n->left].value && filter->nodes[n->right].value;
        else if (n->kind == GW_FILTER_OR)
            n->value = filter->nodes[n->left].value || filter->nodes[n->right].value;
    }
    return filter->nodes[filter->num - 1].value;
}
