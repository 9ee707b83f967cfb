/* SPDX-License-Identifier: BSD-2-Clause */
/* The built-in board descriptions say what the example files say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "boards/peer.h"
#include "formats/builtin.h"

static void expect_example(const char *role)
{
    gw_board_file file;
    char why[512] = "";
    char path[256];
    (void)snprintf(path, sizeof(path), GW_SOURCE_DIR "/fpga_harness/boards/%s.yaml", role);
    if (!gw_board_load(&file, path, why, sizeof(why)))
        fail_msg("%s", why);
    const gw_board_file *builtin = gw_builtin_board(role);
    assert_non_null(builtin);
    assert_string_equal(file.role, builtin->role);
    assert_string_equal(file.make, builtin->make);
    assert_memory_equal(&file.claims, &builtin->claims, sizeof(file.claims));
    assert_int_equal(file.num_areas, builtin->num_areas);
    for (size_t i = 0; i < file.num_areas; i++) {
        assert_string_equal(file.areas[i].name, builtin->areas[i].name);
        assert_int_equal(file.areas[i].type, builtin->areas[i].type);
        assert_true(file.areas[i].address == builtin->areas[i].address);
        assert_true(file.areas[i].size == builtin->areas[i].size);
    }
}

static void builtin_is_the_example(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_boards; i++)
        expect_example(gw_boards[i]->role);
    assert_null(gw_builtin_board("toaster"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(builtin_is_the_example)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
