/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting what was sent, field by field as a walk comes by. */
#include "campaign/model/coverage.h"

#include <stdlib.h>
#include <string.h>

#define RARE 4u   /* times that something was sent, up to which it still is worth a lot, ... */
#define USUAL 32u /* ... or anything, to be sent again */
#define NEW_WORTH 64u
#define RARE_WORTH 8u
#define NEW_FLAGS_WORTH 16u

static const struct {
    uint32_t to; /* bytes, not counted themselves */
    const char *name;
} lengths[GW_COVERAGE_LENGTHS] = {
    {1, "0 bytes"},
    {16, "1 to 15 bytes"},
    {64, "16 to 63 bytes"},
    {256, "64 to 255 bytes"},
    {1024, "256 to 1023 bytes"},
    {1473, "1 KiB to 1472 bytes"},
    {UINT32_MAX, "more than 1472 bytes"},
};

const char *gw_coverage_length_name(unsigned length)
{
    return lengths[length].name;
}

static bool is_leaf(const gw_field *f)
{
    return !f->view && !f->derived;
}

/* ---- tables ---- */

static bool is_flag(const gw_field *f)
{
    return is_leaf(f) && f->bits == 1 && f->use == GW_DATA;
}

static void list_flags(gw_covered_flags *out, const gw_group *group)
{
    out->group = group;
    for (unsigned i = 0; i < group->num_fields && out->num < GW_COVERAGE_FLAGS; i++)
        if (is_flag(&group->fields[i]))
            out->flags[out->num++] = &group->fields[i];
    /* The kinds of its own values say all of a flag that is alone. */
    if (out->num < 2)
        out->num = 0;
}

static void list_fields(gw_coverage *c)
{
    size_t at = 0;
    for (size_t g = 0; g < c->format->num_groups; g++) {
        const gw_group *group = c->format->groups[g];
        list_flags(&c->groups[g], group);
        c->first_field[g] = at;
        for (unsigned i = 0; i < group->num_fields; i++, at++) {
            const gw_field *f = &group->fields[i];
            c->fields[at] =
                (gw_covered_field){.field = f, .possible = is_leaf(f) ? gw_value_classes_of(f) : 0};
        }
    }
}

gw_coverage *gw_coverage_new(const gw_format *format, const gw_dialect *dialect)
{
    gw_coverage *c = calloc(1, sizeof(*c));
    if (c == NULL)
        return NULL;
    c->format = format;
    c->dialect = dialect;
    for (size_t g = 0; g < format->num_groups; g++)
        c->num_fields += format->groups[g]->num_fields;
    c->fields = calloc(c->num_fields + 1, sizeof(*c->fields));
    c->groups = calloc(format->num_groups + 1, sizeof(*c->groups));
    c->first_field = calloc(format->num_groups + 1, sizeof(*c->first_field));
    if (c->fields == NULL || c->groups == NULL || c->first_field == NULL) {
        gw_coverage_free(c);
        return NULL;
    }
    list_fields(c);
    return c;
}

void gw_coverage_free(gw_coverage *c)
{
    if (c == NULL)
        return;
    free(c->fields);
    free(c->groups);
    free(c->first_field);
    free(c);
}

/* ---- a message ---- */

/* What a message is looked at for. */
typedef struct look {
    gw_sink sink;
    gw_coverage *c;
    bool counts; /* it was sent; else it is met, or weighed */
    bool answered;
    unsigned kind;
    uint32_t worth;
    size_t group; /* whose flags are being collected, and ... */
    uint32_t index;
    unsigned seen; /* ... how many of them there were */
    unsigned combination;
} look;

static void count(gw_covered *cell, bool answered)
{
    cell->hit += cell->hit < UINT32_MAX;
    cell->answered += answered && cell->answered < UINT32_MAX;
}

static uint32_t worth_of(const gw_covered *cell, uint32_t new_worth)
{
    return cell->hit == 0 ? new_worth : cell->hit < RARE ? RARE_WORTH : cell->hit < USUAL ? 1 : 0;
}

static size_t group_of(const gw_coverage *c, const gw_group *group, size_t guess)
{
    if (guess < c->format->num_groups && c->format->groups[guess] == group)
        return guess;
    for (size_t g = 0; g < c->format->num_groups; g++)
        if (c->format->groups[g] == group)
            return g;
    return SIZE_MAX;
}

static void end_flags(look *l)
{
    if (l->group == SIZE_MAX)
        return;
    gw_covered_flags *flags = &l->c->groups[l->group];
    if (flags->num > 0 && l->seen == flags->num) {
        gw_covered *cell = &flags->of[l->combination];
        flags->met = true;
        l->worth += worth_of(cell, NEW_FLAGS_WORTH);
        if (l->counts)
            count(cell, l->answered);
    }
    l->seen = l->combination = 0;
}

static void collect_flag(look *l, const gw_item *item)
{
    const gw_covered_flags *flags = &l->c->groups[l->group];
    for (unsigned i = 0; i < flags->num; i++) {
        if (flags->flags[i] != item->field)
            continue;
        l->combination |= (unsigned)(item->value != 0) << i;
        l->seen++;
    }
}

static void on_item(gw_sink *sink, const gw_item *item)
{
    look *l = (look *)sink;
    const gw_field *f = item->field;
    if (!is_leaf(f))
        return;
    size_t group = group_of(l->c, f->group, l->group);
    if (group != l->group || item->index != l->index) {
        end_flags(l);
        l->group = group;
        l->index = item->index;
    }
    if (group == SIZE_MAX)
        return;
    collect_flag(l, item);
    gw_covered_field *covered =
        &l->c->fields[l->c->first_field[group] + (size_t)(f - f->group->fields)];
    uint32_t classes = gw_value_classes(item) & covered->possible;
    covered->met = true;
    for (unsigned i = 0; classes >> i != 0; i++) {
        if ((classes >> i & 1) == 0)
            continue;
        l->worth += worth_of(&covered->of[i], NEW_WORTH);
        if (!l->counts)
            continue;
        count(&covered->of[i], l->answered);
        covered->asked_with[i] |= UINT32_C(1) << l->kind;
    }
}

static void walk(look *l, const gw_message *message)
{
    l->sink.item = on_item;
    l->group = SIZE_MAX;
    (void)l->c->format->walk(message, l->c->dialect, &l->sink);
    end_flags(l);
}

/* Kinds are constants, but equal ones need not be the same. */
static unsigned kind_of(gw_coverage *c, const gw_message *message)
{
    const char *kind = gw_format_transaction(c->format, c->dialect, message, NULL, NULL).kind;
    if (kind == NULL || kind[0] == '\0')
        kind = "unknown";
    for (unsigned i = 0; i < c->num_kinds; i++)
        if (strcmp(c->kinds[i], kind) == 0)
            return i;
    if (c->num_kinds == GW_COVERAGE_KINDS)
        return GW_COVERAGE_KINDS - 1;
    c->kinds[c->num_kinds] = c->num_kinds == GW_COVERAGE_KINDS - 1 ? "others" : kind;
    return c->num_kinds++;
}

void gw_coverage_meet(gw_coverage *c, const gw_message *message)
{
    look l = {.c = c};
    walk(&l, message);
}

uint32_t gw_coverage_novelty(gw_coverage *c, const gw_message *message)
{
    look l = {.c = c};
    walk(&l, message);
    return l.worth;
}

void gw_coverage_note(gw_coverage *c, const gw_message *message, bool anew, bool answered)
{
    look l = {.c = c, .counts = true, .answered = answered, .kind = kind_of(c, message)};
    unsigned length = 0;
    walk(&l, message);
    while (length + 1 < GW_COVERAGE_LENGTHS && message->len >= lengths[length].to)
        length++;
    count(&c->lengths[l.kind][length], answered);
    count(&c->steps[anew ? 0 : c->before][l.kind], answered);
    c->before = 1 + l.kind;
    c->packets++;
}

/* ---- all of it ---- */

static void add(gw_coverage_sum *sum, const gw_covered *cell)
{
    sum->possible++;
    sum->hit += cell->hit > 0;
    sum->answered += cell->answered > 0;
}

gw_coverage_sum gw_coverage_sum_up(const gw_coverage *c)
{
    gw_coverage_sum sum = {0};
    for (size_t f = 0; f < c->num_fields; f++) {
        const gw_covered_field *covered = &c->fields[f];
        sum.unmet_fields += !covered->met && covered->possible != 0;
        for (unsigned i = 0; covered->met && i < GW_NUM_VALUE_CLASSES; i++)
            if ((covered->possible >> i & 1) != 0)
                add(&sum, &covered->of[i]);
    }
    for (size_t g = 0; g < c->format->num_groups; g++)
        for (unsigned i = 0; c->groups[g].met && i < 1u << c->groups[g].num; i++)
            add(&sum, &c->groups[g].of[i]);
    for (unsigned from = 0; from <= c->num_kinds; from++)
        for (unsigned to = 0; to < c->num_kinds; to++)
            add(&sum, &c->steps[from][to]);
    return sum;
}

double gw_coverage_percent(const gw_coverage *c)
{
    gw_coverage_sum sum = gw_coverage_sum_up(c);
    return sum.possible > 0 ? 100.0 * sum.hit / sum.possible : 0;
}
