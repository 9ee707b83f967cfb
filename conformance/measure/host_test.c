/* SPDX-License-Identifier: BSD-2-Clause */
/* What a report says of the machine that a run was made on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cmocka.h>

#include "measure/host.h"

static void names_this_machine(void **state)
{
    (void)state;
    const gw_endpoint loopback = {.family = GW_FAMILY_IPV4, .ip = {127, 0, 0, 1}};
    struct utsname u;
    gw_host host;
    assert_int_equal(uname(&u), 0);
    gw_host_describe(&host, &loopback);
    assert_non_null(strstr(host.system, u.release));
    assert_non_null(strstr(host.system, " processor"));
    assert_non_null(strstr(host.clock, "source "));
    if (access("/sys/class/net/lo/mtu", R_OK) != 0) {
        assert_string_equal(host.interface, "lo");
        return;
    }
    assert_memory_equal(host.interface, "lo, MTU ", 8);
    assert_int_not_equal(host.interface[8], '0');
}

/* 192.0.2.0/24 is for documents: no interface has an address of it. */
static void invents_no_interface(void **state)
{
    (void)state;
    const gw_endpoint nobody = {.family = GW_FAMILY_IPV4, .ip = {192, 0, 2, 1}};
    gw_host host;
    memset(&host, 'x', sizeof(host));
    gw_host_describe(&host, &nobody);
    assert_string_equal(host.interface, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_this_machine),
        cmocka_unit_test(invents_no_interface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
