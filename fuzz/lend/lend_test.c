/* SPDX-License-Identifier: BSD-2-Clause */
/* What is lent is the target's alone, to its last byte, and nobody's afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

#include "goldwire/base.h"
#include "lend/lend.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define IS_POISONED(at) (__asan_address_is_poisoned(at) != 0)
#endif
#endif

static void lent_bytes_are_a_copy_each(void **state)
{
    static const size_t lens[] = {0, 1, 7, 8, 9, 16, 31, 4096, 70000, 1 << 19};
    static uint8_t data[1 << 19];
    uint8_t *lent[GW_ARRAY_LEN(lens)];

    (void)state;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + 1);
    for (unsigned round = 0; round < 40; round++) { /* several times around */
        for (size_t i = 0; i < GW_ARRAY_LEN(lens); i++) {
            lent[i] = gw_fuzz_lend(data, lens[i]);
            assert_int_equal((uintptr_t)lent[i] % 16, 0);
        }
        for (size_t i = 0; i < GW_ARRAY_LEN(lens); i++)
            assert_memory_equal(lent[i], data, lens[i]);
        for (size_t i = 0; i < GW_ARRAY_LEN(lens); i++)
            gw_fuzz_take_back(lent[(i * 3 + round) % GW_ARRAY_LEN(lens)]);
    }
    gw_fuzz_take_back(NULL);
}

/* Nothing but one is lent again while one is kept, whatever comes by. */
static void what_is_kept_stays(void **state)
{
    uint8_t *kept = gw_fuzz_lend((const uint8_t *)"kept", 4);

    (void)state;
    for (unsigned i = 0; i < 5000; i++) {
        uint8_t *other = gw_fuzz_lend(NULL, 1000);
        memset(other, 0xee, 1000);
        assert_memory_equal(kept, "kept", 4);
        gw_fuzz_take_back(other);
    }
    gw_fuzz_take_back(kept);
}

static void what_lies_around_may_not_be_touched(void **state)
{
    (void)state;
#ifdef IS_POISONED
    for (size_t len = 0; len < 200; len++) {
        uint8_t *bytes = gw_fuzz_lend(NULL, len);
        for (size_t i = 1; i <= 32; i++)
            assert_true(IS_POISONED(bytes - i));
        for (size_t i = 0; i < len; i++)
            assert_false(IS_POISONED(bytes + i));
        for (size_t i = len; i < len + 32; i++)
            assert_true(IS_POISONED(bytes + i));
        gw_fuzz_take_back(bytes);
        for (size_t i = 0; i < len; i++)
            assert_true(IS_POISONED(bytes + i));
    }
#else
    skip(); /* nothing is poisoned without AddressSanitizer */
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lent_bytes_are_a_copy_each),
        cmocka_unit_test(what_is_kept_stays),
        cmocka_unit_test(what_lies_around_may_not_be_touched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
