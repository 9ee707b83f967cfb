/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints a fuzzer's dictionary for the format named on the command line, made from its field table:
 * for every flat group the bytes of its legal values, and once more with each named value, each
 * single flag and each extreme count set. libFuzzer and AFL++ read the same syntax. */
#include "fuzz.h"

/* The value a legal group holds in |f|. */
static uint64_t usual(const gw_field *f)
{
    switch (f->legal) {
    case GW_EXACTLY:
        return f->legal_value;
    case GW_ONE_BIT:
        return f->mask & 4 ? 4 : 1; /* for widths: 32 bit, which every device speaks */
    case GW_NONZERO:
        return 1;
    default:
        return 0;
    }
}

static void set(uint8_t *bytes, const gw_group *group, const gw_field *f, uint64_t value)
{
    size_t first;
    (void)gw_field_span(f, &first);
    gw_item item = {
        .field = f, .value = value & f->mask, .offset = (uint32_t)first, .bits = f->bits};
    gw_fuzz_check(gw_emit(bytes, group->bytes, &item), "a field does not fit its group");
}

static void token(const gw_group *group, const gw_field *changed, uint64_t value)
{
    static unsigned number;
    uint8_t bytes[64] = {0};

    for (unsigned i = 0; i < group->num_fields; i++) {
        if (!group->fields[i].view)
            set(bytes, group, &group->fields[i], usual(&group->fields[i]));
    }
    if (changed != NULL)
        set(bytes, group, changed, value);
    printf("t%u=\"", number++);
    for (unsigned i = 0; i < group->bytes; i++)
        printf("\\x%02x", bytes[i]);
    printf("\"\n");
}

static void group_tokens(const gw_group *group)
{
    token(group, NULL, 0);
    for (unsigned i = 0; i < group->num_fields; i++) {
        const gw_field *f = &group->fields[i];
        if (f->view)
            continue;
        for (const gw_value_name *v = f->values; v != NULL && v->name != NULL; v++)
            token(group, f, v->value);
        if (f->values == NULL)
            token(group, f, f->mask);
        if (f->values == NULL && f->bits > 1)
            token(group, f, 1);
    }
}

int main(int argc, char **argv)
{
    const gw_format *format = argc == 2 ? gw_format_by_name(argv[1]) : NULL;

    if (format == NULL) {
        fprintf(stderr, "usage: dictionary FORMAT\n");
        return 2;
    }
    for (size_t g = 0; g < format->num_groups; g++) {
        const gw_group *group = format->groups[g];
        if (group->shape == GW_FLAT && group->bytes <= 64) {
            printf("# %s\n", group->label);
            group_tokens(group);
        }
    }
    return 0;
}
