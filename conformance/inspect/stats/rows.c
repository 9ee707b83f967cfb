/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows by hash, with open addressing. */
#include "inspect/stats/rows.h"

#include <string.h>

static uint32_t add_bytes(uint32_t hash, const void *data, size_t len)
{
    const uint8_t *p = data;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ p[i]) * 16777619u;
    return hash;
}

static uint32_t add_text(uint32_t hash, const char *text)
{
    return text != NULL ? add_bytes(hash, text, strlen(text) + 1) : hash;
}

static uint32_t hash_of(const gw_stats_key *key)
{
    uint32_t hash = add_bytes(2166136261u, &key->table, sizeof key->table);

    hash = add_text(hash, key->heading);
    hash = add_text(hash, key->name);
    hash = add_bytes(hash, &key->number, sizeof key->number);
    hash = add_bytes(hash, &key->config, sizeof key->config);
    if (key->a.family != GW_FAMILY_NONE)
        hash = add_bytes(add_bytes(hash, &key->a, sizeof key->a), &key->b, sizeof key->b);
    return hash;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Values of one number below one heading are one, whichever field had them. */
static bool same(const gw_stats_key *a, const gw_stats_key *b)
{
    return a->table == b->table && a->number == b->number && a->config == b->config &&
           same_text(a->heading, b->heading) && same_text(a->name, b->name) &&
           a->interface == b->interface && gw_endpoint_equal(&a->a, &b->a) &&
           gw_endpoint_equal(&a->b, &b->b);
}

gw_stats_row *gw_stats_row_of(gw_stats_rows *rows, const gw_stats_key *key)
{
    size_t place = hash_of(key) % GW_ARRAY_LEN(rows->places);

    for (; rows->places[place] != 0; place = (place + 1) % GW_ARRAY_LEN(rows->places)) {
        gw_stats_row *row = &rows->rows[rows->places[place] - 1];
        if (same(&row->key, key))
            return row;
    }
    if (rows->num == GW_STATS_ROWS) {
        gw_stats_row *others = &rows->others[key->table];
        others->key = (gw_stats_key){.table = key->table, .name = "(more than are told apart)"};
        return others;
    }
    gw_stats_row *row = &rows->rows[rows->num++];
    row->key = *key;
    rows->places[place] = (uint16_t)rows->num;
    return row;
}

void gw_stats_measure(gw_stats_row *row, int64_t value)
{
    if (!row->measured || value < row->least)
        row->least = value;
    if (!row->measured || value > row->most)
        row->most = value;
    row->measured = true;
    if (__builtin_add_overflow(row->sum, value, &row->sum))
        row->sum = value > 0 ? INT64_MAX : INT64_MIN;
    row->count++;
}
