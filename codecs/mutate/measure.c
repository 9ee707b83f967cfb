/* SPDX-License-Identifier: BSD-2-Clause */
/* Which fields measure a place, and what an edit there makes of them. */
#include "mutate/measure.h"

#include "mutate/value.h"

typedef struct finder {
    gw_sink sink;
    gw_measures *found;
    const gw_group *group;
    gw_item nearest;
    bool has_nearest;
} finder;

static void look(gw_sink *sink, const gw_item *item)
{
    finder *f = (finder *)sink;
    const gw_field *field = item->field;

    if (field->view || field->measures == GW_MEASURES_NOTHING)
        return;
    if (field->measures == GW_MEASURES_REST) {
        if (item->offset < f->found->at && f->found->num + 1 < GW_MEASURES_MAX)
            f->found->items[f->found->num++] = *item;
        return;
    }
    if (field->measured != f->group || (f->has_nearest && item->offset >= f->found->at))
        return;
    f->nearest = *item;
    f->has_nearest = true;
}

gw_measures gw_measures_over(const gw_mutating *m, const gw_group *group, uint32_t at)
{
    gw_measures found = {.num = 0, .at = at};
    finder f = {.sink = {.item = look}, .found = &found, .group = group};

    (void)gw_mutating_walk(m, &f.sink);
    if (f.has_nearest)
        found.items[found.num++] = f.nearest;
    return found;
}

void gw_measures_add(const gw_measures *measures, gw_mutating *m, int32_t pieces, int32_t bytes)
{
    for (size_t i = 0; i < measures->num; i++) {
        gw_item item = measures->items[i];
        int32_t more = item.field->measures == GW_MEASURES_NUMBER ? pieces : bytes;
        if (item.offset >= measures->at)
            item.offset = (uint32_t)((int64_t)item.offset + bytes);
        item.value += (uint64_t)(int64_t)more;
        if ((item.value & ~gw_value_mask(&item)) == 0)
            (void)!gw_emit(m->edit.data, m->edit.len, &item); /* or it was cut off */
    }
}
