/* SPDX-License-Identifier: BSD-2-Clause */
/* Which inputs get the expensive oracles: what counts as new, and that the rest has its turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "worth.h"

/* Edges as an instrumented target has them: the section is what worth.c goes by. */
__attribute__((section("__sancov_cntrs"), used)) static uint8_t edges[85];

static void news_is_an_edge_or_another_class(void **state)
{
    static const struct {
        uint8_t count;
        bool news;
    } turns[] = {{0, false}, {1, true},    {1, false},  {2, true},    {3, true},  {2, false},
                 {4, true},  {7, false},   {8, true},   {15, false},  {16, true}, {31, false},
                 {32, true}, {127, false}, {128, true}, {255, false}, {5, false}};
    uint8_t counts[85] = {0}, seen[85];

    (void)state;
    for (size_t at = 0; at < sizeof counts; at++) { /* in a whole stride, and behind the last */
        memset(seen, 0, sizeof seen);
        for (size_t i = 0; i < GW_ARRAY_LEN(turns); i++) {
            counts[at] = turns[i].count;
            assert_int_equal(gw_fuzz_worth_news(counts, seen, sizeof counts), turns[i].news);
        }
        counts[at] = 0;
    }
    assert_false(gw_fuzz_worth_news(counts, seen, 0));
}

static void what_is_new_is_worth_it_and_each_nth(void **state)
{
    (void)state;
    edges[84] = 1;
    assert_true(gw_fuzz_worth());
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 1; i < GW_FUZZ_WORTH_EVERY; i++)
            assert_false(gw_fuzz_worth());
        assert_true(gw_fuzz_worth());
    }
    assert_false(gw_fuzz_worth());
    edges[3] = 9;
    assert_true(gw_fuzz_worth());
    assert_false(gw_fuzz_worth());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(news_is_an_edge_or_another_class),
        cmocka_unit_test(what_is_new_is_worth_it_and_each_nth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
