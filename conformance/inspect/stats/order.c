/* SPDX-License-Identifier: BSD-2-Clause */
/* Sorting and naming rows. */
#include "inspect/stats/order.h"

#include <stdlib.h>
#include <string.h>

#include "goldwire/text.h"

#define ADDRESS_DIGITS 8

static int by(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare(const void *a, const void *b)
{
    const gw_stats_row *x = *(const gw_stats_row *const *)a;
    const gw_stats_row *y = *(const gw_stats_row *const *)b;
    const uint8_t table = x->key.table;

    if (table == GW_STATS_HISTOGRAM)
        return by(x->key.number, y->key.number);
    if (table >= GW_STATS_BY_KIND && table <= GW_STATS_BY_BOARD) {
        const double mean_x = (double)x->sum / (double)x->count;
        const double mean_y = (double)y->sum / (double)y->count;
        if (mean_x < mean_y || mean_x > mean_y)
            return mean_x < mean_y ? 1 : -1;
    }
    const int more = by(y->count + y->back, x->count + x->back);
    return more != 0 ? more : (x > y) - (x < y); /* of one array: as they first came */
}

static bool same_heading(const gw_stats_row *a, const gw_stats_row *b)
{
    const char *x = a->key.heading, *y = b->key.heading;

    return x == y || (x != NULL && y != NULL && strcmp(x, y) == 0);
}

/* Puts the rows below the heading of |first| behind each other from |out| on. */
static size_t gather(const gw_stats_rows *rows, size_t first, const gw_stats_row **out)
{
    const gw_stats_row *lead = &rows->rows[first];
    size_t n = 0;

    for (size_t i = first; i < rows->num; i++) {
        const gw_stats_row *row = &rows->rows[i];
        if (row->key.table == lead->key.table && same_heading(row, lead))
            out[n++] = row;
    }
    qsort(out, n, sizeof(const gw_stats_row *), compare);
    return n;
}

static bool told(const gw_stats_row *const *rows, size_t num, const gw_stats_row *row)
{
    for (size_t i = 0; i < num; i++) {
        if (same_heading(rows[i], row))
            return true;
    }
    return false;
}

size_t gw_stats_order(const gw_stats_rows *rows, gw_stats_table table, const gw_stats_row **out)
{
    size_t n = 0;

    for (size_t i = 0; i < rows->num; i++) {
        if (rows->rows[i].key.table == table && !told(out, n, &rows->rows[i]))
            n += gather(rows, i, out + n);
    }
    if (rows->others[table].count + rows->others[table].back > 0)
        out[n++] = &rows->others[table];
    return n;
}

static void name_conversation(gw_text *text, const gw_stats_key *key)
{
    if (key->number != 0) {
        gw_text_str(text, "#");
        gw_text_dec(text, key->number);
        gw_text_str(text, "  ");
    }
    if (key->a.family == GW_FAMILY_NONE && key->b.family == GW_FAMILY_NONE) {
        gw_text_str(text, "interface ");
        gw_text_dec(text, key->interface);
        return;
    }
    gw_text_endpoint(text, &key->a);
    gw_text_str(text, " <-> ");
    gw_text_endpoint(text, &key->b);
}

const char *gw_stats_name(char out[GW_STATS_NAME], const gw_stats_row *row)
{
    const gw_stats_key *key = &row->key;
    gw_text text = gw_text_over(out, GW_STATS_NAME);

    if (key->name != NULL) {
        gw_text_str(&text, key->name);
    } else if (key->table == GW_STATS_CONVERSATIONS) {
        name_conversation(&text, key);
    } else if (key->a.family != GW_FAMILY_NONE) {
        gw_text_endpoint(&text, &key->a);
    } else if (key->field != NULL) {
        gw_text_value(&text, key->field, key->number, 1);
    } else {
        gw_text_str(&text, key->config ? "config " : "");
        gw_text_hex(&text, key->number, ADDRESS_DIGITS);
    }
    return out;
}
