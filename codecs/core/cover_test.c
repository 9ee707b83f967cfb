/* SPDX-License-Identifier: BSD-2-Clause */
/* The proof that leaves cover a message: what it refuses, and what it does not count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/table.h"
#include "goldwire/cover.h"

#define GW_TABLE_DEF "core/testing/orders.def"
#define GW_ID(name) T_##name
#define GW_PREFIX "t"
#define GW_AT GW_AT_LSB0
#define GW_TABLE_GROUPS table_list
#include "core/table_ids.h"

#include "core/table_build.h"

static gw_cover cover;

/* |field| of the group that begins at |group|. */
static gw_item item_of(const gw_field *field, uint32_t group)
{
    size_t first = 0;
    if (!field->derived)
        (void)gw_field_span(field, &first);
    return (gw_item){.field = field, .offset = group + (uint32_t)first, .bits = field->bits};
}

/* The first word's leaves, those that are no views, one after the other. */
static void add_word(uint32_t offset)
{
    const gw_group *group = table_fields[0].group;
    for (size_t i = 0; i < T_NUM_FIELDS; i++) {
        gw_item item = item_of(&table_fields[i], offset);
        if (table_fields[i].group == group && !table_fields[i].derived)
            assert_true(gw_cover_add(&cover, &item));
    }
}

static void leaves_cover_each_bit_once(void **state)
{
    (void)state;
    assert_true(gw_cover_init(&cover, 32));
    assert_int_equal(gw_cover_hole(&cover), 0);
    add_word(0);
    assert_int_equal(gw_cover_hole(&cover), 16);
    add_word(16);
    assert_int_equal(gw_cover_hole(&cover), 32);
    assert_null(cover.fault);
}

static void a_leaf_that_comes_twice_is_kept(void **state)
{
    (void)state;
    gw_item first = item_of(&table_fields[0], 0);
    assert_true(gw_cover_init(&cover, 16));
    assert_true(gw_cover_add(&cover, &first));
    assert_false(gw_cover_add(&cover, &first));
    assert_ptr_equal(cover.fault, first.field);
    assert_true(cover.twice);

    /* Later faults do not take the place of the first. */
    gw_item outside = item_of(&table_fields[1], 17);
    assert_false(gw_cover_add(&cover, &outside));
    assert_ptr_equal(cover.fault, first.field);
    assert_int_equal(cover.fault_offset, 0);
}

static void a_leaf_outside_is_refused(void **state)
{
    (void)state;
    for (uint32_t offset = 1; offset < 40; offset++) {
        bool fits = true;
        assert_true(gw_cover_init(&cover, 16));
        for (size_t i = 0; i < T_NUM_FIELDS; i++) {
            gw_item item = item_of(&table_fields[i], offset);
            if (table_fields[i].group == table_fields[0].group && !table_fields[i].derived)
                fits = gw_cover_add(&cover, &item) && fits;
        }
        assert_false(fits);
        assert_false(cover.twice);
        assert_true(cover.fault_offset >= offset);
    }
}

static void views_and_what_is_derived_have_no_bits(void **state)
{
    (void)state;
    gw_field view = table_fields[0];
    view.view = true;
    gw_item item = item_of(&view, 100);
    gw_item sum = item_of(&table_fields[T_F_SUM], 0);
    assert_true(gw_cover_init(&cover, 16));
    assert_true(gw_cover_add(&cover, &item));
    assert_true(gw_cover_add(&cover, &sum));
    assert_int_equal(gw_cover_hole(&cover), 0);
}

static void what_is_too_long_is_said(void **state)
{
    (void)state;
    assert_true(gw_cover_init(&cover, GW_COVER_BYTES));
    assert_false(gw_cover_init(&cover, GW_COVER_BYTES + 1));
    assert_int_equal(cover.len, GW_COVER_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_cover_each_bit_once),
        cmocka_unit_test(a_leaf_that_comes_twice_is_kept),
        cmocka_unit_test(a_leaf_outside_is_refused),
        cmocka_unit_test(views_and_what_is_derived_have_no_bits),
        cmocka_unit_test(what_is_too_long_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
