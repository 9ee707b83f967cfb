/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the places that names stand for: in every table, and in every message of the golden
 * traces, where a filter has to say what comparing names would. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fts.h>

#include "harness/capture.h"
#include "inspect/filter/filter.h"
#include "inspect/filter/names.h"

static gw_filter filter;

static void parse(const char *text)
{
    char why[GW_FILTER_WHY];

    if (!gw_filter_parse(&filter, text, why, sizeof why))
        fail_msg("%s", why);
}

/* ---- tables ---- */

static bool has_place(const gw_group *group, const gw_field *field)
{
    for (size_t i = 0; i < filter.num_places; i++) {
        if (filter.places[i].group == group && filter.places[i].field == field)
            return filter.places[i].node == 0;
    }
    return false;
}

/* Every field that is called |name| is one of its places, and there is no other. */
static void assert_places(const gw_format *format, const char *name)
{
    size_t num = 0;

    parse(name);
    assert_int_equal(filter.nodes[0].kind, GW_FILTER_FIELD);
    assert_ptr_equal(filter.nodes[0].format, format);
    for (size_t i = 0; i < format->num_groups; i++) {
        const gw_group *g = format->groups[i];
        for (size_t k = 0; k < g->num_fields; k++) {
            bool same = strcmp(g->fields[k].name, name) == 0;
            if (has_place(g, &g->fields[k]) != same)
                fail_msg("%s: place %zu of group %zu", name, k, i);
            num += same;
        }
    }
    assert_int_equal(filter.num_places, num);
    assert_uint_in_range(num, 1, GW_FILTER_SAME);
}

static void a_field_stands_wherever_its_name_does(void **state)
{
    (void)state;
    for (size_t f = 0; f < gw_num_formats; f++) {
        for (size_t i = 0; i < gw_formats[f]->num_groups; i++) {
            const gw_group *g = gw_formats[f]->groups[i];
            for (size_t k = 0; k < g->num_fields; k++)
                assert_places(gw_formats[f], g->fields[k].name);
        }
    }
}

static void a_container_stands_for_itself(void **state)
{
    (void)state;
    for (size_t f = 0; f < gw_num_formats; f++) {
        for (size_t i = 0; i < gw_formats[f]->num_groups; i++) {
            const gw_group *g = gw_formats[f]->groups[i];
            char name[GW_FILTER_NAME];
            snprintf(name, sizeof name, "%s.%s", gw_formats[f]->name, g->segment);
            if (g->shape != GW_CONTAINER || gw_format_field(gw_formats[f], name) != NULL)
                continue;
            parse(name);
            assert_int_equal(filter.nodes[0].kind, GW_FILTER_GROUP);
            assert_true(has_place(g, NULL));
            assert_uint_in_range(filter.num_places, 1, GW_FILTER_SAME);
        }
    }
}

static void formats_and_frames_have_no_place(void **state)
{
    (void)state;
    for (size_t f = 0; f < gw_num_formats; f++) {
        parse(gw_formats[f]->name);
        assert_int_equal(filter.nodes[0].kind, GW_FILTER_FORMAT);
        assert_int_equal(filter.num_places, 0);
    }
    parse("frame.number == 1");
    assert_int_equal(filter.num_places, 0);
}

static void the_longest_filter_has_all_its_places(void **state)
{
    char text[GW_FILTER_TEXT + 1] = "etherbone.record.wff";
    size_t tests = 1;

    (void)state;
    for (; 2 * tests + 1 <= GW_FILTER_NODES; tests++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "||etherbone.record.wff");
    parse(text);
    assert_int_equal(filter.num_places, tests * 2); /* either numbering of a record's flags */
    assert_int_equal(filter.places[filter.num_places - 1].node, filter.num - 2);
}

/* ---- messages ---- */

/* What a message holds, by name. */
typedef struct reference {
    gw_sink sink;
    const char *name;
    uint64_t wanted;
    bool there, any, all; /* some, and all, have the value that is wanted */
} reference;

static void compare(gw_sink *sink, const gw_item *item)
{
    reference *r = (reference *)sink;

    if (strcmp(item->field->name, r->name) != 0)
        return;
    if (!r->there)
        r->all = true;
    r->there = true;
    r->any |= item->value == r->wanted;
    r->all &= item->value == r->wanted;
}

typedef struct first_value {
    gw_sink sink;
    const gw_field *field;
    uint64_t value;
} first_value;

static void keep_first(gw_sink *sink, const gw_item *item)
{
    first_value *f = (first_value *)sink;

    if (item->field == f->field)
        f->value = item->value;
}

static void assert_says(const gw_found *found, const char *text, bool expected)
{
    parse(text);
    if (gw_filter_matches(&filter, found) != expected)
        fail_msg("frame %llu: %s %s", (unsigned long long)found->message->frame, text,
                 expected ? "does not match" : "matches");
}

static void assert_field(const gw_found *found, const gw_field *field)
{
    char text[GW_FILTER_NAME + 64];
    first_value value = {.sink = {.item = keep_first}, .field = field};
    reference r = {.sink = {.item = compare}, .name = field->name};

    (void)found->format->walk(found->message, found->dialect, &value.sink);
    r.wanted = value.value;
    (void)found->format->walk(found->message, found->dialect, &r.sink);
    assert_says(found, field->name, r.there);
    if (field->type == GW_BYTES || field->base == GW_IPV4)
        return;
    snprintf(text, sizeof text, "%s == %#llx", field->name, (unsigned long long)r.wanted);
    assert_says(found, text, r.any);
    snprintf(text, sizeof text, "%s != %#llx", field->name, (unsigned long long)r.wanted);
    assert_says(found, text, r.there && !r.any);
    snprintf(text, sizeof text, "not %s != %#llx and %s <= %#llx", field->name,
             (unsigned long long)r.wanted, field->name, (unsigned long long)r.wanted);
    assert_says(found, text, r.any);
}

static void ignore(gw_sink *sink, const gw_item *item)
{
    (void)sink;
    (void)item;
}

static bool no_flat(gw_sink *sink, const gw_group *group, const uint8_t *bytes)
{
    (void)sink;
    (void)group;
    (void)bytes;
    return false;
}

static bool no_units(gw_sink *sink, const gw_group *group)
{
    (void)sink;
    (void)group;
    return false;
}

/* A walk ends where it does, whatever it leaves out. */
static void assert_ends_alike(const gw_found *found)
{
    gw_sink all = {.item = ignore};
    gw_sink none = {.item = ignore, .flat = no_flat, .units = no_units};
    gw_error a = found->format->walk(found->message, found->dialect, &all);
    gw_error b = found->format->walk(found->message, found->dialect, &none);

    assert_int_equal(a.kind, b.kind);
    assert_int_equal(a.offset, b.offset);
    assert_ptr_equal(a.field, b.field);
    assert_int_equal(a.capture_cut, b.capture_cut);
}

/* Of a capture the first messages are enough. */
#define MESSAGES_MAX 6

static void on_found(void *ctx, const gw_found *found)
{
    size_t *num = ctx;

    if ((*num)++ >= MESSAGES_MAX)
        return;
    assert_ends_alike(found);
    for (size_t i = 0; i < found->format->num_groups; i++) {
        const gw_group *g = found->format->groups[i];
        for (size_t k = 0; k < g->num_fields; k++)
            assert_field(found, &g->fields[k]);
    }
}

static void on_note(void *ctx, uint64_t frame, const char *text)
{
    (void)ctx;
    (void)frame;
    (void)text;
}

static size_t read_capture(const char *path)
{
    static gw_selection selection;
    size_t num = 0;
    char why[256];
    gw_frame frame;

    gw_selection_init(&selection);
    gw_pipeline *pipeline = gw_pipeline_new(&selection, on_found, on_note, &num);
    gw_capture *capture = gw_capture_open(path, why, sizeof why);
    assert_non_null(pipeline);
    if (capture == NULL)
        fail_msg("%s", why);
    while (gw_capture_next(capture, &frame) == GW_CAPTURE_FRAME)
        gw_pipeline_frame(pipeline, &frame);
    gw_pipeline_end(pipeline);
    gw_pipeline_free(pipeline);
    gw_capture_close(capture);
    return num;
}

static void a_place_says_what_its_name_does(void **state)
{
    static char root[] = GW_SOURCE_DIR "/pcaps";
    char *roots[] = {root, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    size_t messages = 0, captures = 0;

    (void)state;
    assert_non_null(tree);
    for (FTSENT *e = fts_read(tree); e != NULL; e = fts_read(tree)) {
        const char *dot = strrchr(e->fts_name, '.');
        if (e->fts_info != FTS_F || dot == NULL || strcmp(dot, ".pcapng") != 0)
            continue;
        messages += read_capture(e->fts_path);
        captures++;
    }
    assert_int_equal(fts_close(tree), 0);
    assert_true(captures > 50 && messages > captures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_stands_wherever_its_name_does),
        cmocka_unit_test(a_container_stands_for_itself),
        cmocka_unit_test(formats_and_frames_have_no_place),
        cmocka_unit_test(the_longest_filter_has_all_its_places),
        cmocka_unit_test(a_place_says_what_its_name_does),
    };

    return cmocka_run_group_tests_name("inspect.filter.names", tests, NULL, NULL);
}
