/* SPDX-License-Identifier: BSD-2-Clause */
/* coverage.json. */
#include "campaign/model/coverage.h"
#include "json/json.h"

static void put_cell(gw_json *j, const gw_covered *cell)
{
    gw_json_uint(j, "hit", cell->hit);
    gw_json_uint(j, "answered", cell->answered);
}

static void put_kinds(gw_json *j, const gw_coverage *c, uint32_t kinds)
{
    gw_json_open(j, "asked_with", '[');
    for (unsigned i = 0; i < c->num_kinds; i++)
        if ((kinds >> i & 1) != 0)
            gw_json_str(j, NULL, c->kinds[i]);
    gw_json_close(j, ']');
}

static void put_field(gw_json *j, const gw_coverage *c, const gw_covered_field *covered)
{
    gw_json_open(j, NULL, '{');
    gw_json_str(j, "field", covered->field->name);
    gw_json_str(j, "group", covered->field->group->label);
    gw_json_str(j, "clause", gw_clause_of(c->format, covered->field->clause).text);
    gw_json_bool(j, "met", covered->met);
    gw_json_open(j, "cells", '[');
    for (unsigned i = 0; i < GW_NUM_VALUE_CLASSES; i++) {
        if ((covered->possible >> i & 1) == 0)
            continue;
        gw_json_open(j, NULL, '{');
        gw_json_str(j, "class", gw_value_class_name((gw_value_class)i));
        gw_json_bool(j, "legal", i < GW_VALUE_ILLEGAL);
        put_cell(j, &covered->of[i]);
        put_kinds(j, c, covered->asked_with[i]);
        gw_json_close(j, '}');
    }
    gw_json_close(j, ']');
    gw_json_close(j, '}');
}

static void put_flags(gw_json *j, const gw_covered_flags *flags)
{
    gw_json_open(j, NULL, '{');
    gw_json_str(j, "group", flags->group->label);
    gw_json_open(j, "flags", '[');
    for (unsigned i = 0; i < flags->num; i++)
        gw_json_str(j, NULL, flags->flags[i]->name);
    gw_json_close(j, ']');
    gw_json_uint(j, "possible", UINT64_C(1) << flags->num);
    gw_json_open(j, "combinations", '[');
    for (unsigned i = 0; i < 1u << flags->num; i++) {
        if (flags->of[i].hit == 0)
            continue;
        gw_json_open(j, NULL, '{');
        gw_json_uint(j, "value", i);
        put_cell(j, &flags->of[i]);
        gw_json_close(j, '}');
    }
    gw_json_close(j, ']');
    gw_json_close(j, '}');
}

static void put_lengths(gw_json *j, const gw_coverage *c)
{
    gw_json_open(j, "lengths", '[');
    for (unsigned k = 0; k < c->num_kinds; k++) {
        for (unsigned i = 0; i < GW_COVERAGE_LENGTHS; i++) {
            gw_json_open(j, NULL, '{');
            gw_json_str(j, "kind", c->kinds[k]);
            gw_json_str(j, "length", gw_coverage_length_name(i));
            put_cell(j, &c->lengths[k][i]);
            gw_json_close(j, '}');
        }
    }
    gw_json_close(j, ']');
}

static void put_steps(gw_json *j, const gw_coverage *c)
{
    gw_json_open(j, "steps", '[');
    for (unsigned from = 0; from <= c->num_kinds; from++) {
        for (unsigned to = 0; to < c->num_kinds; to++) {
            gw_json_open(j, NULL, '{');
            gw_json_str(j, "from", from == 0 ? NULL : c->kinds[from - 1]);
            gw_json_str(j, "to", c->kinds[to]);
            put_cell(j, &c->steps[from][to]);
            gw_json_close(j, '}');
        }
    }
    gw_json_close(j, ']');
}

void gw_coverage_write(FILE *file, const gw_coverage *c)
{
    gw_json j;
    gw_coverage_sum sum = gw_coverage_sum_up(c);
    gw_json_init(&j, file);
    gw_json_open(&j, NULL, '{');
    gw_json_str(&j, "schema", GW_COVERAGE_SCHEMA);
    gw_json_str(&j, "format", c->format->name);
    gw_json_uint(&j, "packets", c->packets);
    gw_json_uint(&j, "possible", sum.possible);
    gw_json_uint(&j, "hit", sum.hit);
    gw_json_uint(&j, "answered", sum.answered);
    gw_json_open(&j, "fields", '[');
    for (size_t i = 0; i < c->num_fields; i++)
        if (c->fields[i].possible != 0)
            put_field(&j, c, &c->fields[i]);
    gw_json_close(&j, ']');
    gw_json_open(&j, "flags", '[');
    for (size_t i = 0; i < c->format->num_groups; i++)
        if (c->groups[i].num > 0 && c->groups[i].met)
            put_flags(&j, &c->groups[i]);
    gw_json_close(&j, ']');
    put_lengths(&j, c);
    put_steps(&j, c);
    gw_json_close(&j, '}');
    gw_json_end(&j);
}
