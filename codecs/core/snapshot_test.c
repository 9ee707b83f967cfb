/* SPDX-License-Identifier: BSD-2-Clause */
/* Every table as text, compared with the file kept beside its .def: a change of the wire
 * description shows in review as what it means. GW_UPDATE_SNAPSHOT=1 writes the files anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/format.h"

static const char *const shapes[] = {"flat", "unit", "string", "container", "derived"};
static const char *const types[] = {"uint", "bool", "bytes"};
static const char *const uses[] = {"data", "reserved", "padding", "undecoded"};
static const char *const compares[] = {"exact", "echo", "volatile", "ignored"};

static const char *const names[] = {"", "qp", "qkey", "rkey", "base", "place", "node"};
static const char *const namings[] = {"gives", "uses", "shares"};
static const char *const measures[] = {"", "number-of ", "bytes-of ", "rest"};
static const char *const memories[] = {"", "from", "to", "data"};

static void print_field(FILE *out, const gw_field *f)
{
    fprintf(out, "  %-30s ", f->name);
    if (f->derived)
        fprintf(out, "computed         ");
    else if (f->bits != 0)
        fprintf(out, "%3u..%-3u %2u bit", f->first, f->last, f->bits);
    else
        fprintf(out, "width of the walk");
    fprintf(out, " %s %s %s%s", f->base == GW_IPV4 ? "ipv4" : types[f->type], uses[f->use],
            compares[f->compare], f->view ? " view" : "");
    switch (f->legal) {
    case GW_EXACTLY:
        fprintf(out, " =0x%llx", (unsigned long long)f->legal_value);
        break;
    case GW_ONE_BIT:
        fprintf(out, " one-bit");
        break;
    case GW_NONZERO:
        fprintf(out, " nonzero");
        break;
    case GW_AT_MOST:
        fprintf(out, " <=0x%llx", (unsigned long long)f->legal_value);
        break;
    case GW_MULTIPLE:
        fprintf(out, " n*%llu", (unsigned long long)f->legal_value);
        break;
    default:
        break;
    }
    if (f->rule != NULL)
        fprintf(out, " or %s", f->rule->id);
    if (f->names != GW_NAMES_NOTHING)
        fprintf(out, " %s %s", namings[f->naming], names[f->names]);
    if (f->counts != GW_COUNTS_NOTHING)
        fprintf(out, " counts-%s", f->counts == GW_COUNTS_ALWAYS ? "always" : "at-times");
    if (f->memory != GW_MEMORY_NONE)
        fprintf(out, " memory-%s", memories[f->memory]);
    if (f->measures != GW_MEASURES_NOTHING)
        fprintf(out, " %s%s", measures[f->measures], f->measured == NULL ? "" : f->measured->label);
    if (f->tallies != GW_TALLIES_NOTHING)
        fprintf(out, " %s \"%s\"", f->tallies == GW_TALLIES_EACH ? "each" : "mean", f->tally);
    if (f->unsolicited)
        fprintf(out, " unsolicited");
    fprintf(out, " | %s | %s | %s\n", f->label, f->clause, f->blurb);
    for (const gw_value_name *v = f->values; v != NULL && v->name != NULL; v++)
        fprintf(out, "    %llu = %s\n", (unsigned long long)v->value, v->name);
}

static void print_format(FILE *out, const gw_format *format)
{
    fprintf(out, "%s: %s\n", format->name, format->title);
    for (size_t g = 0; g < format->num_groups; g++) {
        const gw_group *group = format->groups[g];
        fprintf(out, "\n%s \"%s\"%s: %s", shapes[group->shape], group->segment,
                group->indexed ? "[n]" : "", group->label);
        if (group->shape == GW_FLAT)
            fprintf(out, ", %u bytes, %s-endian", group->bytes, group->little ? "little" : "big");
        if (group->swizzle != 0)
            fprintf(out, ", bytes swizzled by %u", group->swizzle);
        fprintf(out, "\n");
        for (unsigned i = 0; i < group->num_fields; i++)
            print_field(out, &group->fields[i]);
    }
    fprintf(out, "\nrules\n");
    for (size_t i = 0; i < format->num_rules; i++) {
        const gw_rule *r = &format->rules[i];
        fprintf(out, "  %-7s %-6s %c%c%c%c | %s | %s\n", r->id, gw_level_name(r->level),
                r->scope & GW_SCOPE_MESSAGE ? 'm' : '-', r->scope & GW_SCOPE_SESSION ? 's' : '-',
                r->scope & GW_SCOPE_ACTIVE ? 'a' : '-', r->scope & GW_SCOPE_HIDDEN ? 'h' : '-',
                r->clause, r->text);
    }
    fprintf(out, "\ndialects\n");
    for (size_t i = 0; i < format->num_dialects; i++) {
        fprintf(out, "  %s: %s; waives", format->dialects[i].name, format->dialects[i].blurb);
        const gw_known_fault *known = format->dialects[i].known;
        if (known == NULL)
            fprintf(out, " nothing");
        for (; known != NULL && known->rule != NULL; known++) {
            fprintf(out, " %s", known->rule);
            if (known->which != NULL || known->text != NULL)
                fprintf(out, "(%s%s\"%s\")", known->which != NULL ? known->which : "",
                        known->which != NULL ? " " : "", known->text != NULL ? known->text : "");
            assert_non_null(gw_format_rule(format, known->rule));
        }
        fprintf(out, "\n");
    }
}

static char *slurp(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *text;

    *len = 0;
    if (f == NULL)
        return NULL;
    text = malloc(1 << 20);
    assert_non_null(text);
    *len = fread(text, 1, 1 << 20, f);
    fclose(f);
    return text;
}

static void tables_are_what_was_reviewed(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_formats; i++) {
        const gw_format *format = gw_formats[i];
        char path[512], *now = NULL, *kept;
        size_t now_len, kept_len;

        snprintf(path, sizeof path, "%s/codecs/%s/%s.tables.txt", GW_SOURCE_DIR, format->name,
                 format->name);
        FILE *mem = open_memstream(&now, &now_len);
        assert_non_null(mem);
        print_format(mem, format);
        fclose(mem);
        if (getenv("GW_UPDATE_SNAPSHOT") != NULL) {
            FILE *f = fopen(path, "wb");
            assert_non_null(f);
            assert_int_equal(fwrite(now, 1, now_len, f), now_len);
            fclose(f);
        }
        kept = slurp(path, &kept_len);
        if (kept == NULL || kept_len != now_len || memcmp(kept, now, now_len) != 0)
            fail_msg("%s differs from the tables; if that is meant, run this test once with "
                     "GW_UPDATE_SNAPSHOT=1 and commit the file",
                     path);
        free(kept);
        free(now);
    }
}

static void names_are_unique_and_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_formats; i++) {
        const gw_format *format = gw_formats[i];
        size_t prefix = strlen(format->name);
        for (size_t g = 0; g < format->num_groups; g++) {
            const gw_group *group = format->groups[g];
            for (unsigned k = 0; k < group->num_fields; k++) {
                const gw_field *f = &group->fields[k];
                assert_ptr_equal(f->group, group);
                assert_int_equal(strncmp(f->name, format->name, prefix), 0);
                assert_int_equal(f->name[prefix], '.');
                assert_int_not_equal(gw_field_key(f)[0], '\0');
                assert_int_equal(group->shape == GW_FLAT ? f->legal_value & ~f->mask : 0, 0);
                assert_true(f->base != GW_IPV4 || (f->type == GW_UINT && f->bits == 32));
                assert_true(f->label[0] != '\0' && f->blurb[0] != '\0' && f->clause[0] != '\0');
                for (unsigned other = 0; other < k; other++)
                    assert_string_not_equal(group->fields[other].name, f->name);
                /* One name means one thing wherever it stands. */
                const gw_field *first = gw_format_field(format, f->name);
                assert_int_equal(first->type, f->type);
                assert_int_equal(first->bits, f->bits);
                assert_int_equal(first->base == GW_IPV4, f->base == GW_IPV4);
                assert_string_equal(first->label, f->label);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_what_was_reviewed),
        cmocka_unit_test(names_are_unique_and_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
