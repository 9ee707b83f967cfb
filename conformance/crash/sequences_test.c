/* SPDX-License-Identifier: BSD-2-Clause */
/* What a choice says of a piece is written as it is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "crash/sequences.h"

static void captured_pieces_go_there_and_back(void **state)
{
    (void)state;
    for (unsigned head = 0; head < 8; head++)
        for (unsigned choice = 0; choice < 256; choice++) {
            gw_captured c = gw_captured_of((uint8_t)head, (uint8_t)choice);
            gw_captured again = gw_captured_of((uint8_t)head, gw_captured_choice(&c));
            assert_ptr_equal(again.format, c.format);
            assert_ptr_equal(again.link, c.link);
            assert_int_equal(again.transport, c.transport);
            assert_int_equal(again.reply, c.reply);
            assert_int_equal(again.broken, c.broken);
            assert_int_equal(again.later, c.later);
            assert_int_equal(again.repeated, c.repeated);
            if (c.link == NULL)
                assert_int_equal(again.flow, c.flow);
        }
}

static void what_is_said_goes_there_and_back(void **state)
{
    (void)state;
    for (unsigned choice = 0; choice < 256; choice++) {
        gw_said said = gw_said_of((uint8_t)choice);
        assert_int_equal(gw_said_choice(&said), choice);
        assert_int_equal(said.ends, (choice & GW_SAID_ENDS) != 0);
    }
}

/* Between two delays it is the longer one; beyond all, the longest. */
static void a_delay_is_never_shorter(void **state)
{
    (void)state;
    gw_said said = {.delay_ns = 151 * INT64_C(1000000)};
    assert_int_equal(gw_said_of(gw_said_choice(&said)).delay_ns, 600 * INT64_C(1000000));
    said.delay_ns = INT64_MAX;
    assert_int_equal(gw_said_choice(&said), 0xe0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captured_pieces_go_there_and_back),
        cmocka_unit_test(what_is_said_goes_there_and_back),
        cmocka_unit_test(a_delay_is_never_shorter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
