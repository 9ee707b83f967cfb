/* SPDX-License-Identifier: BSD-2-Clause */
/* What the board was tried with, as a heat map: fields by the clause that they come from, and the
 * kinds of values that each can have. */
#include <inttypes.h>
#include <stdio.h>

#include "campaign/model/value_class.h"
#include "evidence/clean.h"
#include "harvest/page.h"
#include "harvest/words.h"
#include "report/html.h"

static void put_count(FILE *file, uint64_t count)
{
    if (count < 1000)
        fprintf(file, "%" PRIu64, count);
    else if (count < 1000000)
        fprintf(file, "%" PRIu64 "k", count / 1000);
    else
        fprintf(file, "%" PRIu64 "M", count / 1000000);
}

static void put_cell(FILE *file, const json_t *cell, const char *what)
{
    uint64_t hit = gw_whole(cell, "hit");
    uint64_t answered = gw_whole(cell, "answered");
    fprintf(file, "<td class=\"c %s m%u\" title=\"",
            hit == 0       ? "never"
            : answered > 0 ? "a"
                           : "h",
            hit > 0 ? gw_html_heat(hit, 10) : 0);
    gw_put_markup(file, what);
    fprintf(file, ": sent %" PRIu64 " times, %" PRIu64 " surely answered\">", hit, answered);
    if (hit == 0)
        fputs("&ndash;", file);
    else
        put_count(file, hit);
    fputs("</td>", file);
}

/* ---- values ---- */

static const json_t *cell_of(const json_t *field, const char *value_class)
{
    size_t i;
    const json_t *cell;
    json_array_foreach(json_object_get(field, "cells"), i, cell)
    {
        if (gw_word_is(cell, "class", value_class))
            return cell;
    }
    return NULL;
}

/* Columns are the kinds that any field in sight can have. */
static uint32_t columns_of(const json_t *fields)
{
    size_t i;
    const json_t *field;
    uint32_t columns = 0;
    json_array_foreach(fields, i, field)
    {
        for (unsigned k = 0; k < GW_NUM_VALUE_CLASSES; k++)
            if (json_is_true(json_object_get(field, "met")) &&
                cell_of(field, gw_value_class_name((gw_value_class)k)) != NULL)
                columns |= UINT32_C(1) << k;
    }
    return columns;
}

static void put_field(FILE *file, const json_t *field, uint32_t columns)
{
    fputs("<tr><th class=\"field\"><code>", file);
    gw_put_markup(file, gw_word(field, "field"));
    fputs("</code></th><td class=\"dim id\">", file);
    gw_put_markup(file, gw_word(field, "clause"));
    fputs("</td>", file);
    for (unsigned k = 0; k < GW_NUM_VALUE_CLASSES; k++) {
        const char *name = gw_value_class_name((gw_value_class)k);
        const json_t *cell = cell_of(field, name);
        if ((columns >> k & 1) == 0)
            continue;
        if (cell != NULL)
            put_cell(file, cell, name);
        else
            fputs("<td></td>", file);
    }
    fputs("</tr>\n", file);
}

static void put_values(FILE *file, const json_t *fields)
{
    size_t i;
    const json_t *field;
    unsigned unmet = 0;
    uint32_t columns = columns_of(fields);
    fputs(
        "<div class=\"scroll\"><table class=\"heat many\"><thead><tr><th>Field</th><th>Clause</th>",
        file);
    for (unsigned k = 0; k < GW_NUM_VALUE_CLASSES; k++)
        if ((columns >> k & 1) != 0)
            fprintf(file, "<th>%s%s</th>", k >= GW_VALUE_ILLEGAL ? "illegal: " : "",
                    gw_value_class_name((gw_value_class)k));
    fputs("</tr></thead><tbody>\n", file);
    json_array_foreach(fields, i, field)
    {
        if (!json_is_true(json_object_get(field, "met"))) {
            unmet++;
            continue;
        }
        put_field(file, field, columns);
    }
    fputs("</tbody></table></div>\n", file);
    if (unmet > 0)
        fprintf(file,
                "<p class=\"dim\">%u more fields of the format are in no message that was sent or "
                "is known to be good: nothing is said of them.</p>\n",
                unmet);
}

/* ---- flags, lengths, orders ---- */

static void put_flags(FILE *file, const json_t *flags)
{
    size_t i;
    const json_t *group;
    if (json_array_size(flags) == 0)
        return;
    fputs("<h3>Flags together</h3>\n<dl>\n", file);
    json_array_foreach(flags, i, group)
    {
        size_t k;
        const json_t *flag;
        fputs("<dt>", file);
        gw_put_markup(file, gw_word(group, "group"));
        fprintf(file, "</dt><dd>%zu of %" PRIu64 " combinations of",
                json_array_size(json_object_get(group, "combinations")),
                gw_whole(group, "possible"));
        json_array_foreach(json_object_get(group, "flags"), k, flag)
        {
            fputs(k > 0 ? ", " : " ", file);
            gw_put_markup(file, json_string_value(flag));
        }
        fputs("</dd>\n", file);
    }
    fputs("</dl>\n", file);
}

/* Cells with two texts each, as a table: |row| down, |column| across. Those of one row stand
 * together. */
static void put_table(FILE *file, const json_t *cells, const char *row, const char *column,
                      const char *first)
{
    size_t i;
    const json_t *cell;
    const char *last = NULL;
    fputs("<div class=\"scroll\"><table class=\"heat\"><thead><tr><th></th>", file);
    json_array_foreach(cells, i, cell)
    {
        if (i > 0 && !gw_word_is(cell, row, gw_word(json_array_get(cells, 0), row)))
            break;
        fputs("<th>", file);
        gw_put_markup(file, gw_word(cell, column));
        fputs("</th>", file);
    }
    fputs("</tr></thead><tbody>", file);
    json_array_foreach(cells, i, cell)
    {
        const char *name = gw_word(cell, row);
        if (last == NULL || strcmp(last, name) != 0) {
            fprintf(file, "%s\n<tr><th class=\"field\">", last != NULL ? "</tr>" : "");
            gw_put_markup(file, name[0] != '\0' ? name : first);
            fputs("</th>", file);
            last = name;
        }
        put_cell(file, cell, gw_word(cell, column));
    }
    fprintf(file, "%s</tbody></table></div>\n", last != NULL ? "</tr>" : "");
}

static void put_key(FILE *file)
{
    fputs("<table class=\"heat key\"><tr><td class=\"c a m4\">answered</td><td class=\"c h "
          "m4\">sent only</td><td class=\"c never\">never</td></tr></table>\n<p class=\"dim\">The "
          "number is how many packets were sent; the fuller the colour the more of them. Answered "
          "is what surely was: not everything that is, if several are under way.</p>\n",
          file);
}

void gw_page_model(FILE *file, const json_t *model)
{
    gw_html_heading(file, "model", "What the board was tried with");
    if (!json_is_object(model)) {
        fputs("<p>Nobody counted.</p>\n", file);
        return;
    }
    uint64_t possible = gw_whole(model, "possible");
    uint64_t hit = gw_whole(model, "hit");
    fprintf(file,
            "<p>%" PRIu64 " of %" PRIu64 " (%.1f %%) kinds of values, combinations of flags "
            "and orders of messages were sent; something surely came back for %" PRIu64
            " of them.</p>\n",
            hit, possible, possible > 0 ? 100.0 * (double)hit / (double)possible : 0,
            gw_whole(model, "answered"));
    put_key(file);
    put_values(file, json_object_get(model, "fields"));
    put_flags(file, json_object_get(model, "flags"));
    fputs("<h3>What it asks, by length</h3>\n", file);
    put_table(file, json_object_get(model, "lengths"), "kind", "length", "");
    fputs("<h3>What it asks, after what</h3>\n", file);
    put_table(file, json_object_get(model, "steps"), "from", "to", "as the first");
}
