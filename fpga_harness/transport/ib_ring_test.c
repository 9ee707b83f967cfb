/* SPDX-License-Identifier: BSD-2-Clause */
/* Room for messages: in one piece each, never over one that is still under way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ib_ring.h"

static bool take(gw_ib_ring *ring, size_t len, size_t *at)
{
    if (!gw_ib_ring_find(ring, len, at))
        return false;
    gw_ib_ring_take(ring, *at, len);
    return true;
}

static void two_halves_take_turns(void **state)
{
    (void)state;
    gw_ib_ring ring = {.size = 64};
    size_t at;
    for (unsigned i = 0; i < 5; i++) {
        assert_true(take(&ring, 32, &at));
        assert_int_equal(at, 0);
        assert_true(take(&ring, 32, &at));
        assert_int_equal(at, 32);
        assert_false(take(&ring, 1, &at));
        gw_ib_ring_release(&ring);
        assert_true(take(&ring, 32, &at));
        assert_int_equal(at, 0);
        assert_false(take(&ring, 32, &at));
        while (ring.num > 0)
            gw_ib_ring_release(&ring);
    }
}

static void whole_and_more(void **state)
{
    (void)state;
    gw_ib_ring ring = {.size = 64};
    size_t at;
    assert_false(gw_ib_ring_find(&ring, 65, &at));
    assert_true(take(&ring, 64, &at));
    assert_false(gw_ib_ring_find(&ring, 1, &at));
    gw_ib_ring_release(&ring);
    gw_ib_ring_release(&ring); /* of nothing */
    assert_true(take(&ring, 64, &at));
}

static void not_more_messages_than_it_counts(void **state)
{
    (void)state;
    gw_ib_ring ring = {.size = 4096};
    size_t at;
    for (unsigned i = 0; i < GW_IB_RING_DEPTH; i++)
        assert_true(take(&ring, 1, &at));
    assert_false(gw_ib_ring_find(&ring, 1, &at));
    gw_ib_ring_release(&ring);
    assert_true(take(&ring, 1, &at));
}

/* Against a map of bytes that are in use. */
static void never_overlaps(void **state)
{
    (void)state;
    enum { SIZE = 100, STEPS = 20000 };
    gw_ib_ring ring = {.size = SIZE};
    uint8_t used[SIZE] = {0};
    struct {
        size_t at, len;
    } under_way[GW_IB_RING_DEPTH];
    size_t first = 0;
    size_t num = 0;
    uint32_t random = 1;
    unsigned taken = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        random = random * 1664525 + 1013904223;
        size_t len = 1 + (random >> 16) % 40;
        size_t at;
        if ((random >> 8 & 3) != 0 && take(&ring, len, &at)) {
            assert_true(at + len <= SIZE);
            for (size_t k = at; k < at + len; k++)
                assert_int_equal(used[k]++, 0);
            under_way[(first + num) % GW_IB_RING_DEPTH].at = at;
            under_way[(first + num++) % GW_IB_RING_DEPTH].len = len;
            taken++;
        } else if (num > 0) {
            memset(used + under_way[first].at, 0, under_way[first].len);
            first = (first + 1) % GW_IB_RING_DEPTH;
            num--;
            gw_ib_ring_release(&ring);
        }
    }
    assert_true(taken > STEPS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_halves_take_turns),
        cmocka_unit_test(whole_and_more),
        cmocka_unit_test(not_more_messages_than_it_counts),
        cmocka_unit_test(never_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
