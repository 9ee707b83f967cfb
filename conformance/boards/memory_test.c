/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory at the start of a board: zeros, or the same anything for the same seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "boards/memory.h"

static void zeros_are_left(void **state)
{
    static const uint8_t zeros[37];
    uint8_t bytes[37] = {0};
    gw_peer_config config = {.memory_seed = 7};
    (void)state;
    gw_memory_fill(&config, 0, bytes, sizeof(bytes));
    assert_memory_equal(bytes, zeros, sizeof(bytes));
}

static void a_seed_gives_the_same_bytes(void **state)
{
    uint8_t bytes[4][37] = {{0}};
    gw_peer_config config = {.random_memory = true, .memory_seed = 7};
    (void)state;
    gw_memory_fill(&config, 0, bytes[0], sizeof(bytes[0]));
    gw_memory_fill(&config, 0, bytes[1], sizeof(bytes[1]));
    gw_memory_fill(&config, 1, bytes[2], sizeof(bytes[2]));
    config.memory_seed++;
    gw_memory_fill(&config, 2, bytes[3], sizeof(bytes[3]));
    assert_memory_equal(bytes[0], bytes[1], sizeof(bytes[0]));
    assert_memory_not_equal(bytes[0], bytes[2], sizeof(bytes[0]));
    assert_memory_not_equal(bytes[0], bytes[3], sizeof(bytes[0]));
    assert_int_not_equal(bytes[0][36], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_are_left),
        cmocka_unit_test(a_seed_gives_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
