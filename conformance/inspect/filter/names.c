/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields, containers and formats by name. */
#include "inspect/filter/names.h"

#include <stdio.h>
#include <string.h>

#include "harness/nearest.h"

#define FRAME_NUMBER "frame.number"

static void name_container(char out[GW_FILTER_NAME], const gw_format *format, const gw_group *group)
{
    snprintf(out, GW_FILTER_NAME, "%s.%s", format->name, group->segment);
}

/* A name stands at GW_FILTER_SAME places at the most, which a test holds all tables to. */
static void note_place(gw_filter *filter, const gw_group *group, const gw_field *field)
{
    if (filter->num_places < GW_ARRAY_LEN(filter->places))
        filter->places[filter->num_places++] =
            (gw_filter_place){.group = group, .field = field, .node = (uint8_t)(filter->num - 1)};
}

static void note_fields(gw_filter *filter, const gw_format *format, const char *name)
{
    for (size_t i = 0; i < format->num_groups; i++) {
        const gw_group *g = format->groups[i];
        for (size_t k = 0; k < g->num_fields; k++) {
            if (strcmp(g->fields[k].name, name) == 0)
                note_place(filter, g, &g->fields[k]);
        }
    }
}

static void note_containers(gw_filter *filter, const gw_format *format, const char *name)
{
    char full[GW_FILTER_NAME];

    for (size_t i = 0; i < format->num_groups; i++) {
        const gw_group *g = format->groups[i];
        name_container(full, format, g);
        if (g->shape == GW_CONTAINER && strcmp(full, name) == 0)
            note_place(filter, g, NULL);
    }
}

static bool resolve_in(gw_filter *filter, gw_filter_node *node, const gw_format *format,
                       const char *name)
{
    const size_t before = filter->num_places;

    node->format = format;
    node->field = gw_format_field(format, name);
    if (node->field != NULL)
        note_fields(filter, format, name);
    else
        note_containers(filter, format, name);
    if (filter->num_places > before)
        node->kind = node->field != NULL ? GW_FILTER_FIELD : GW_FILTER_GROUP;
    else if (strcmp(format->name, name) == 0)
        node->kind = GW_FILTER_FORMAT;
    else
        return false;
    return true;
}

bool gw_filter_resolve(gw_filter *filter, const char *name)
{
    gw_filter_node *node = &filter->nodes[filter->num - 1];

    if (strcmp(name, FRAME_NUMBER) == 0) {
        node->kind = GW_FILTER_FRAME;
        return true;
    }
    for (size_t i = 0; i < gw_num_formats; i++) {
        if (resolve_in(filter, node, gw_formats[i], name))
            return true;
    }
    return false;
}

/* The nearest name so far. */
typedef struct search {
    const char *word;
    char best[GW_FILTER_NAME];
} search;

/* What is behind the format, which most names have in common; NULL: nothing. */
static const char *behind_dot(const char *name)
{
    const char *dot = strchr(name, '.');

    return dot != NULL ? dot + 1 : NULL;
}

static void consider(search *s, const char *name)
{
    const char *wanted = behind_dot(s->word), *here = behind_dot(name);
    const char *const alone[] = {here, NULL};

    if (wanted != NULL && here != NULL && gw_nearest(wanted, alone) == NULL)
        return;
    const char *const both[] = {s->best, name, NULL};
    const char *const first[] = {name, NULL};

    if (gw_nearest(s->word, s->best[0] != '\0' ? both : first) == name)
        snprintf(s->best, sizeof s->best, "%s", name);
}

static void consider_format(search *s, const gw_format *format)
{
    char full[GW_FILTER_NAME];

    consider(s, format->name);
    for (size_t i = 0; i < format->num_groups; i++) {
        const gw_group *g = format->groups[i];
        if (g->shape == GW_CONTAINER) {
            name_container(full, format, g);
            consider(s, full);
        }
        for (size_t k = 0; k < g->num_fields; k++)
            consider(s, g->fields[k].name);
    }
}

const char *gw_filter_meant(char *out, size_t cap, const char *name)
{
    search s = {.word = name};

    consider(&s, FRAME_NUMBER);
    for (size_t i = 0; i < gw_num_formats; i++)
        consider_format(&s, gw_formats[i]);
    if (s.best[0] != '\0')
        snprintf(out, cap, "; did you mean '%s'?", s.best);
    else
        snprintf(out, cap, "; decode --json shows the names of a message's fields");
    return out;
}
