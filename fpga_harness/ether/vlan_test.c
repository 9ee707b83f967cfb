/* SPDX-License-Identifier: BSD-2-Clause */
/* Tags in and out again, and those that are somebody else's. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <string.h>

#include "harness/vlan.h"

static const uint8_t plain[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0x08, 0x00, 'b', 'y'};

static void one_tag(void **state)
{
    const gw_vlan vlan = {.ids = {100}, .num = 1, .pcp = 5};
    uint8_t tagged[24];
    uint8_t back[24];

    (void)state;
    assert_int_equal(gw_vlan_put(&vlan, tagged, plain, sizeof(plain)), sizeof(tagged));
    assert_memory_equal(tagged, plain, 12);
    assert_memory_equal(tagged + 12, "\x81\x00\xa0\x64\x08\x00", 6);
    assert_int_equal(gw_vlan_take(&vlan, back, tagged, sizeof(tagged)), sizeof(plain));
    assert_memory_equal(back, plain, sizeof(plain));
    tagged[14] = 0x00; /* of another priority */
    assert_int_equal(gw_vlan_take(&vlan, back, tagged, sizeof(tagged)), sizeof(plain));
    tagged[15] = 0x65; /* of another VLAN */
    assert_int_equal(gw_vlan_take(&vlan, back, tagged, sizeof(tagged)), 0);
    assert_int_equal(gw_vlan_take(&vlan, back, plain, sizeof(plain)), 0);
}

static void two_tags(void **state)
{
    const gw_vlan vlan = {.ids = {200, 100}, .num = 2};
    const gw_vlan outer = {.ids = {200}, .num = 1};
    const gw_vlan swapped = {.ids = {100, 200}, .num = 2};
    uint8_t tagged[28];
    uint8_t back[28];

    (void)state;
    assert_int_equal(gw_vlan_put(&vlan, tagged, plain, sizeof(plain)), sizeof(tagged));
    assert_memory_equal(tagged + 12, "\x88\xa8\x00\xc8\x81\x00\x00\x64\x08\x00", 10);
    assert_int_equal(gw_vlan_take(&vlan, back, tagged, sizeof(tagged)), sizeof(plain));
    assert_memory_equal(back, plain, sizeof(plain));
    assert_int_equal(gw_vlan_take(&outer, back, tagged, sizeof(tagged)), 0);
    assert_int_equal(gw_vlan_take(&swapped, back, tagged, sizeof(tagged)), 0);
}

static void what_is_cut_has_no_tag(void **state)
{
    const gw_vlan vlan = {.ids = {1}, .num = 1};
    uint8_t tagged[24];
    uint8_t back[24];

    (void)state;
    assert_int_equal(gw_vlan_put(&vlan, tagged, plain, sizeof(plain)), sizeof(tagged));
    for (size_t len = 0; len < 18; len++)
        assert_int_equal(gw_vlan_take(&vlan, back, tagged, len), 0);
    assert_int_equal(gw_vlan_put(&vlan, tagged, plain, 5), 5);
}

static void what_the_kernel_took_out_comes_back(void **state)
{
    const gw_vlan vlan = {.ids = {100}, .num = 1, .pcp = 3};
    uint8_t tagged[24];
    uint8_t frame[24];

    (void)state;
    assert_int_equal(gw_vlan_put(&vlan, tagged, plain, sizeof(plain)), sizeof(tagged));
    memcpy(frame, plain, sizeof(plain));
    assert_int_equal(gw_vlan_restore(frame, sizeof(plain), 0x6064, 0x8100), sizeof(frame));
    assert_memory_equal(frame, tagged, sizeof(frame));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_tag),
        cmocka_unit_test(two_tags),
        cmocka_unit_test(what_is_cut_has_no_tag),
        cmocka_unit_test(what_the_kernel_took_out_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
