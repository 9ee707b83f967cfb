/* SPDX-License-Identifier: BSD-2-Clause */
/* Stale check bytes: the walk shows a leaf and what it would have to be. */
#include "goldwire/mend.h"

#include <string.h>

/* A value that the walk derives, and whether it says of its leaf that nobody generated it. */
typedef struct told {
    const char *name;
    size_t leaf_len; /* of |name|: what comes before the dot or underscore is the leaf's */
    uint64_t value;
    bool unchecked;
} told;

typedef struct finder {
    gw_sink sink;
    told told[2 * GW_MEND_MAX];
    size_t num_told;
    gw_check_leaf *leaves;
    size_t num;
} finder;

/* Whether |t| is told of the leaf |name|. */
static bool is_of(const told *t, const char *name)
{
    return t->name[0] == name[0] && /* as hardly any */
           strncmp(t->name, name, t->leaf_len) == 0 && name[t->leaf_len] == '\0';
}

static bool says_unchecked(const gw_item *derived)
{
    const gw_value_name *v = derived->field->values;

    while (v != NULL && v->name != NULL && v->value != derived->value)
        v++;
    return v != NULL && v->name != NULL && strcmp(v->name, "not checked") == 0;
}

/* How long the leaf's name is when |name| is one and, behind a dot or an underscore, |what|; or 0.
 */
static size_t leaf_of(const char *name, size_t len, const char *what, size_t what_len)
{
    if (len < what_len + 2 || memcmp(name + len - what_len, what, what_len) != 0)
        return 0;
    size_t leaf_len = len - what_len - 1;
    return name[leaf_len] == '.' || name[leaf_len] == '_' ? leaf_len : 0;
}

static void collect(gw_sink *sink, const gw_item *item)
{
    finder *f = (finder *)sink;
    const char *name = item->field->name;

    if (!item->field->derived || f->num_told == GW_ARRAY_LEN(f->told))
        return;
    size_t len = strlen(name);
    size_t expected = leaf_of(name, len, "expected", sizeof("expected") - 1);
    size_t status = leaf_of(name, len, "status", sizeof("status") - 1);
    if (expected > 0)
        f->told[f->num_told++] = (told){name, expected, item->value, false};
    else if (status > 0 && says_unchecked(item))
        f->told[f->num_told++] = (told){name, status, item->value, true};
}

static void compare(gw_sink *sink, const gw_item *item)
{
    finder *f = (finder *)sink;
    const told *expected = NULL;

    if (item->field->view || item->field->derived)
        return;
    for (size_t i = 0; i < f->num_told; i++) {
        if (!is_of(&f->told[i], item->field->name))
            continue;
        if (f->told[i].unchecked)
            return;
        expected = &f->told[i];
    }
    if (expected != NULL && f->num < GW_MEND_MAX)
        f->leaves[f->num++] = (gw_check_leaf){.item = *item, .expected = expected->value};
}

/* What is derived may be told before its leaf or behind it, so the message is walked twice. */
size_t gw_mend_list(gw_check_leaf leaves[GW_MEND_MAX], const gw_format *format,
                    const gw_message *message, const gw_dialect *dialect)
{
    finder f = {.leaves = leaves};

    if (dialect == NULL)
        dialect = &format->dialects[0];
    f.sink.item = collect;
    (void)format->walk(message, dialect, &f.sink);
    if (f.num_told == 0)
        return 0;
    f.sink.item = compare;
    (void)format->walk(message, dialect, &f.sink);
    return f.num;
}

size_t gw_mend_find(gw_check_leaf stale[GW_MEND_MAX], const gw_format *format,
                    const gw_message *message, const gw_dialect *dialect)
{
    size_t num = gw_mend_list(stale, format, message, dialect), kept = 0;

    for (size_t i = 0; i < num; i++) {
        if (stale[i].item.value != stale[i].expected)
            stale[kept++] = stale[i];
    }
    return kept;
}

void gw_mend_apply(uint8_t *bytes, size_t len, const gw_check_leaf *stale, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        gw_item item = stale[i].item;
        item.value = stale[i].expected;
        /* It was read from there. */
        (void)!gw_emit(bytes, len, &item);
    }
}
