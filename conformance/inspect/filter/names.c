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

static const gw_group *container(const gw_format *format, const char *name)
{
    char full[GW_FILTER_NAME];

    for (size_t i = 0; i < format->num_groups; i++) {
        if (format->groups[i]->shape != GW_CONTAINER)
            continue;
        name_container(full, format, format->groups[i]);
        if (strcmp(full, name) == 0)
            return format->groups[i];
    }
    return NULL;
}

bool gw_filter_resolve(gw_filter_node *node, const char *name)
{
    if (strcmp(name, FRAME_NUMBER) == 0) {
        node->kind = GW_FILTER_FRAME;
        return true;
    }
    for (size_t i = 0; i < gw_num_formats; i++) {
        node->format = gw_formats[i];
        node->field = gw_format_field(node->format, name);
        node->group = container(node->format, name);
        if (node->field != NULL)
            node->kind = GW_FILTER_FIELD;
        else if (node->group != NULL)
            node->kind = GW_FILTER_GROUP;
        else if (strcmp(node->format->name, name) == 0)
            node->kind = GW_FILTER_FORMAT;
        else
            continue;
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
