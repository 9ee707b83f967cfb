/* SPDX-License-Identifier: BSD-2-Clause */
/* What the progress line says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/progress.h"

#define MS INT64_C(1000000)

static void expect(size_t done, size_t total, int64_t elapsed_ns, const char *line)
{
    char out[128];
    assert_string_equal(gw_progress_line(out, sizeof(out), done, total, elapsed_ns, "x/y"), line);
}

static void says_how_far_how_fast_how_long(void **state)
{
    (void)state;
    expect(0, 113, 0, "[0/113] x/y");
    expect(0, 113, 5000 * MS, "[0/113] x/y");
    expect(5, 113, 100 * MS, "[5/113] x/y");
    expect(50, 100, 1000 * MS, "[50/100] 50/s, 1 s left  x/y");
    expect(1, 100, 2000 * MS, "[1/100] 0.5/s, 4 min left  x/y");
    expect(100, 100, 1000 * MS, "[100/100] 100/s, 0 s left  x/y");
}

static void long_waits_are_told_in_minutes(void **state)
{
    (void)state;
    expect(1, 3, 60000 * MS, "[1/3] 0.0/s, 2 min left  x/y");
    expect(1, 2, 119000 * MS, "[1/2] 0.0/s, 119 s left  x/y");
}

static void a_short_buffer_cuts(void **state)
{
    (void)state;
    char out[8];
    assert_string_equal(gw_progress_line(out, sizeof(out), 50, 100, 1000 * MS, "x/y"), "[50/100");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_how_far_how_fast_how_long),
        cmocka_unit_test(long_waits_are_told_in_minutes),
        cmocka_unit_test(a_short_buffer_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
