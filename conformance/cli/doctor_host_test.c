/* SPDX-License-Identifier: BSD-2-Clause */
/* What doctor reads and measures on this machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/doctor_host.h"

static gw_neighbour find(const char *last, char *out, size_t cap)
{
    static char table[] =
        "IP address       HW type     Flags       HW address            Mask     Device\n"
        "10.0.0.1         0x1         0x2         00:11:22:33:44:55     *        eth0\n"
        "10.0.0.17        0x1         0x0         00:00:00:00:00:00     *        eth0\n"
        "garbage\n";
    const uint8_t ip[4] = {10, 0, 0, (uint8_t)strtoul(last, NULL, 10)};
    FILE *file = fmemopen(table, strlen(table), "r");
    assert_non_null(file);
    gw_neighbour found = gw_neighbour_find(file, ip, out, cap);
    assert_int_equal(fclose(file), 0);
    return found;
}

static void finds_neighbours(void **state)
{
    (void)state;
    char out[64];
    assert_int_equal(find("1", out, sizeof(out)), GW_NEIGHBOUR_KNOWN);
    assert_string_equal(out, "00:11:22:33:44:55");
    assert_int_equal(find("17", out, sizeof(out)), GW_NEIGHBOUR_SILENT);
    assert_int_equal(find("7", out, sizeof(out)), GW_NEIGHBOUR_UNKNOWN);
    assert_string_equal(out, "");
}

static void percentiles_are_values_that_were_seen(void **state)
{
    (void)state;
    int64_t values[100];
    for (int i = 0; i < 100; i++)
        values[i] = i + 1;
    assert_int_equal(gw_percentile(values, 100, 50), 50);
    assert_int_equal(gw_percentile(values, 100, 99), 99);
    assert_int_equal(gw_percentile(values, 100, 100), 100);
    assert_int_equal(gw_percentile(values, 100, 0), 1);
    assert_int_equal(gw_percentile(values, 1, 99), 1);
    assert_int_equal(gw_percentile(values, 3, 50), 2);
}

/* How long things take is this machine's business; that they are in order is ours. */
static void measures_in_order(void **state)
{
    (void)state;
    gw_jitter j;
    char why[160] = "";
    if (!gw_jitter_measure(&j, 64, why, sizeof(why)))
        fail_msg("%s", why);
    assert_int_equal(j.num, 64);
    assert_true(j.trip_median > 0);
    assert_true(j.trip_median <= j.trip_p99 && j.trip_p99 <= j.trip_max);
    assert_true(j.wake_p99 <= j.wake_max);
    assert_false(gw_jitter_measure(&j, 0, why, sizeof(why)));
}

static void describes_the_clock(void **state)
{
    (void)state;
    char text[256] = "";
    (void)gw_clock_describe(text, sizeof(text));
    assert_non_null(strstr(text, "source "));
    assert_non_null(strstr(text, " ns; the time of day is "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_neighbours),
        cmocka_unit_test(percentiles_are_values_that_were_seen),
        cmocka_unit_test(measures_in_order),
        cmocka_unit_test(describes_the_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
