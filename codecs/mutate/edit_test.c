/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes inserted, removed and exchanged in place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "mutate/edit.h"

static uint8_t bytes[16];

static gw_edit over(const char *text)
{
    gw_edit e = {bytes, strlen(text), 12};

    memset(bytes, '#', sizeof bytes);
    memcpy(bytes, text, e.len);
    return e;
}

static void expect(const gw_edit *e, const char *text)
{
    assert_int_equal(e->len, strlen(text));
    assert_memory_equal(e->data, text, e->len);
    assert_memory_equal(bytes + 12, "####", 4);
}

static void inserts_what_fits(void **state)
{
    gw_edit e = over("abcdef");

    (void)state;
    assert_true(gw_edit_insert(&e, 2, (const uint8_t *)"XY", 2));
    expect(&e, "abXYcdef");
    assert_true(gw_edit_repeat(&e, 4, 2, 2));
    expect(&e, "abXYXYcdef");
    assert_false(gw_edit_insert(&e, 0, NULL, 3));
    assert_false(gw_edit_insert(&e, 11, NULL, 1));
    assert_false(gw_edit_repeat(&e, 4, 2, 3));
    expect(&e, "abXYXYcdef");
    assert_true(gw_edit_insert(&e, 10, NULL, 2));
    assert_memory_equal(e.data + 10, "\0\0", 2);
}

static void removes_what_is_there(void **state)
{
    gw_edit e = over("abcdef");

    (void)state;
    gw_edit_remove(&e, 1, 2);
    expect(&e, "adef");
    gw_edit_remove(&e, 3, 5);
    expect(&e, "ade");
    gw_edit_remove(&e, 3, 1);
    expect(&e, "ade");
}

static void exchanges_pieces_of_any_length(void **state)
{
    gw_edit e = over("aBBBccDDe");

    (void)state;
    gw_edit_swap(&e, 1, 4, 6, 8);
    expect(&e, "aDDccBBBe");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inserts_what_fits),
        cmocka_unit_test(removes_what_is_there),
        cmocka_unit_test(exchanges_pieces_of_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
