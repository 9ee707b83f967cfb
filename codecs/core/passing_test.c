/* SPDX-License-Identifier: BSD-2-Clause */
/* Who passes on what it was sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/passing.h"

static gw_passing passing;
static uint64_t frame;

static void start(void)
{
    memset(&passing, 0, sizeof passing);
    frame = 0;
}

static uint64_t directed(gw_direction dir, uint64_t content)
{
    gw_message m = {.frame = ++frame, .dir = (uint8_t)dir};

    return gw_passing_take(&passing, &m, content);
}

static uint64_t addressed(uint8_t src, uint8_t dst, uint64_t content)
{
    gw_message m = {.frame = ++frame,
                    .src = {.ip = {10, 0, 0, src}, .port = src, .family = GW_FAMILY_IPV4},
                    .dst = {.ip = {10, 0, 0, dst}, .family = GW_FAMILY_IPV4}};

    return gw_passing_take(&passing, &m, content);
}

static void the_other_direction_passes_on(void **state)
{
    (void)state;
    start();
    assert_int_equal(directed(GW_DIR_OUT, 7), 0);
    assert_int_equal(directed(GW_DIR_IN, 7), 1);
    assert_int_equal(directed(GW_DIR_IN, 7), 1);  /* to every neighbour */
    assert_int_equal(directed(GW_DIR_OUT, 7), 0); /* its own, once more */
    assert_int_equal(directed(GW_DIR_IN, 7), 4);
    assert_int_equal(directed(GW_DIR_IN, 8), 0);
    assert_int_equal(directed(GW_DIR_UNKNOWN, 8), 0); /* nobody says */
}

static void who_was_sent_it_passes_on(void **state)
{
    (void)state;
    start();
    assert_int_equal(addressed(1, 2, 7), 0);
    assert_int_equal(addressed(2, 3, 7), 1);
    assert_int_equal(addressed(3, 4, 7), 1);
    assert_int_equal(addressed(5, 6, 7), 0); /* somebody else sends the like */
    assert_int_equal(addressed(3, 4, 7 + GW_PASSING_PLACES), 0);
    assert_int_equal(addressed(6, 7, 7), 0); /* displaced meanwhile */
    assert_int_equal(addressed(7, 6, 7), 6); /* back where it came from */
    assert_int_equal(addressed(6, 6, 9), 0); /* to itself */
    assert_int_equal(addressed(6, 6, 9), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_direction_passes_on),
        cmocka_unit_test(who_was_sent_it_passes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
