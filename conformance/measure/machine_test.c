/* SPDX-License-Identifier: BSD-2-Clause */
/* What doctor reads on this machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "measure/machine.h"

static gw_arp_entry find(const char *last, char *out, size_t cap)
{
    static char table[] =
        "IP address       HW type     Flags       HW address            Mask     Device\n"
        "10.0.0.1         0x1         0x2         00:11:22:33:44:55     *        eth0\n"
        "10.0.0.17        0x1         0x0         00:00:00:00:00:00     *        eth0\n"
        "garbage\n";
    const uint8_t ip[4] = {10, 0, 0, (uint8_t)strtoul(last, NULL, 10)};
    FILE *file = fmemopen(table, strlen(table), "r");
    assert_non_null(file);
    gw_arp_entry found = gw_arp_find(file, ip, out, cap);
    assert_int_equal(fclose(file), 0);
    return found;
}

static void finds_neighbours(void **state)
{
    (void)state;
    char out[64];
    assert_int_equal(find("1", out, sizeof(out)), GW_ARP_KNOWN);
    assert_string_equal(out, "00:11:22:33:44:55");
    assert_int_equal(find("17", out, sizeof(out)), GW_ARP_SILENT);
    assert_int_equal(find("7", out, sizeof(out)), GW_ARP_UNKNOWN);
    assert_string_equal(out, "");
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
        cmocka_unit_test(describes_the_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
