/* SPDX-License-Identifier: BSD-2-Clause */
/* Which roles can be cores in a simulator: all, or they say why not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "boards/peer.h"
#include "device/dut.h"

/* Opens a simulated board of |role|, each of its links a port of one testbench. */
static gw_dut *open_simulated(const gw_board *role, char *why, size_t why_cap)
{
    static char urls[GW_TARGET_LINKS][96];
    gw_dut_place places[GW_TARGET_LINKS];
    unsigned num = gw_board_num_links(role);
    for (unsigned i = 0; i < num; i++) {
        (void)snprintf(urls[i], sizeof(urls[i]), "sim://roles-%ld?port=%u%s", (long)getpid(), i,
                       gw_board_link_streams(role, i, false) ? "&over=apelink" : "");
        places[i] = (gw_dut_place){role->links[i], urls[i]};
    }
    return gw_dut_open(places, num, role, role->calls_us, why, why_cap);
}

static void has(const char *why, const char *text)
{
    if (strstr(why, text) == NULL)
        fail_msg("'%s' lacks '%s'", why, text);
}

static void each_role_can_be_simulated_or_says_why_not(void **state)
{
    unsigned num_calling = 0;
    unsigned num_infiniband = 0;
    (void)state;
    for (size_t i = 0; i < gw_num_boards; i++) {
        const gw_board *role = gw_boards[i];
        char why[512] = "";
        gw_dut *dut = open_simulated(role, why, sizeof(why));
        bool refused = role->calls_us || role->roce_links != 0;
        if ((dut == NULL) != refused)
            fail_msg("%s: %s", role->role, dut == NULL ? why : "is not refused");
        if (refused) {
            has(why, "sim://");
            has(why, role->role);
            has(why, "cannot be simulated");
            has(why, role->calls_us ? "calls us" : "InfiniBand");
        } else {
            assert_true(gw_dut_target(dut)->virtual_time);
        }
        num_calling += role->calls_us;
        num_infiniband += role->roce_links != 0 && !role->calls_us;
        gw_dut_close(dut);
    }
    assert_true(num_calling > 0 && num_infiniband > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_role_can_be_simulated_or_says_why_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
