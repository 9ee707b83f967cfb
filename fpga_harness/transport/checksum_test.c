/* SPDX-License-Identifier: BSD-2-Clause */
/* The fast checksums are the portable ones: of every short length, at every alignment, in pieces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/checksum.h"

static uint8_t bytes[5000];

static void fill(void)
{
    uint32_t x = 1;
    for (size_t i = 0; i < sizeof(bytes); i++) {
        x = x * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(x >> 24);
    }
}

static void known_values(void **state)
{
    static const uint8_t digits[] = "123456789";
    (void)state;
    assert_int_equal(gw_crc32(&gw_fast_env, 0, digits, 9), 0xcbf43926);
    assert_int_equal(gw_crc32c(&gw_fast_env, 0, digits, 9), 0xe3069283);
}

static void same_as_portable(void **state)
{
    (void)state;
    fill();
    for (size_t at = 0; at < 16; at++) {
        for (size_t len = 0; len < 600; len++) {
            assert_int_equal(gw_crc32(&gw_fast_env, 0, bytes + at, len),
                             gw_crc32(NULL, 0, bytes + at, len));
            assert_int_equal(gw_crc32c(&gw_fast_env, 0, bytes + at, len),
                             gw_crc32c(NULL, 0, bytes + at, len));
        }
    }
}

static void goes_on_from_a_piece(void **state)
{
    (void)state;
    fill();
    uint32_t whole = gw_crc32(NULL, 0, bytes, sizeof(bytes));
    uint32_t whole_c = gw_crc32c(NULL, 0, bytes, sizeof(bytes));
    for (size_t cut = 0; cut <= sizeof(bytes); cut += 7) {
        uint32_t crc = gw_crc32(&gw_fast_env, 0, bytes, cut);
        assert_int_equal(gw_crc32(&gw_fast_env, crc, bytes + cut, sizeof(bytes) - cut), whole);
        crc = gw_crc32c(&gw_fast_env, 0, bytes, cut);
        assert_int_equal(gw_crc32c(&gw_fast_env, crc, bytes + cut, sizeof(bytes) - cut), whole_c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(same_as_portable),
        cmocka_unit_test(goes_on_from_a_piece),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
