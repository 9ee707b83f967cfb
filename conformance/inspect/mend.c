/* SPDX-License-Identifier: BSD-2-Clause */
/* Stale check bytes: the walk shows a leaf and what it would have to be. */
#include "inspect/mend.h"

#include <string.h>

/* A value that the walk derives, and whether it says of its leaf that nobody generated it. */
typedef struct told {
    const char *name;
    uint64_t value;
    bool unchecked;
} told;

typedef struct finder {
    gw_sink sink;
    told told[GW_MEND_MAX];
    size_t num_told;
    gw_stale *stale;
    size_t num;
} finder;

/* Whether |derived| is called as |leaf| and, behind a dot or an underscore, |what|. */
static bool is_of(const char *derived, const char *leaf, const char *what)
{
    size_t len = strlen(leaf);

    return strncmp(derived, leaf, len) == 0 && (derived[len] == '.' || derived[len] == '_') &&
           strcmp(derived + len + 1, what) == 0;
}

static bool says_unchecked(const gw_item *derived)
{
    const gw_value_name *v = derived->field->values;

    while (v != NULL && v->name != NULL && v->value != derived->value)
        v++;
    return v != NULL && v->name != NULL && strcmp(v->name, "not checked") == 0;
}

static void collect(gw_sink *sink, const gw_item *item)
{
    finder *f = (finder *)sink;

    if (item->field->derived && f->num_told < GW_MEND_MAX)
        f->told[f->num_told++] = (told){item->field->name, item->value, says_unchecked(item)};
}

static void compare(gw_sink *sink, const gw_item *item)
{
    finder *f = (finder *)sink;
    const told *expected = NULL;

    if (item->field->view || item->field->derived)
        return;
    for (size_t i = 0; i < f->num_told; i++) {
        if (is_of(f->told[i].name, item->field->name, "expected"))
            expected = &f->told[i];
        else if (f->told[i].unchecked && is_of(f->told[i].name, item->field->name, "status"))
            return;
    }
    if (expected != NULL && expected->value != item->value && f->num < GW_MEND_MAX)
        f->stale[f->num++] = (gw_stale){.item = *item, .expected = expected->value};
}

/* What a frame of a link type is, the framer would say; the walk wants to know it now. */
static gw_message message_of(const gw_assembled *a)
{
    const gw_link *link = gw_format_link(a->format, a->message.link_type);
    gw_message m = a->message;

    if (link != NULL && m.transport == GW_OVER_NOTHING)
        m.part = link->part;
    return m;
}

/* What is derived may be told before its leaf or behind it, so the message is walked twice. */
size_t gw_mend_find(gw_stale stale[GW_MEND_MAX], const gw_assembled *a, const gw_dialect *dialect)
{
    finder f = {.stale = stale};
    gw_message m = message_of(a);

    if (dialect == NULL)
        dialect = &a->format->dialects[0];
    f.sink.item = collect;
    (void)a->format->walk(&m, dialect, &f.sink);
    f.sink.item = compare;
    (void)a->format->walk(&m, dialect, &f.sink);
    return f.num;
}

void gw_mend_apply(gw_assembled *a, const gw_stale *stale, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        gw_item item = stale[i].item;
        item.value = stale[i].expected;
        /* It was read from there. */
        (void)!gw_emit(a->bytes, a->message.cap_len, &item);
    }
}
