/* SPDX-License-Identifier: BSD-2-Clause */
/* Which ways to a board carry one conversation at a time: those that begin at one port of ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "boards/peer.h"
#include "device/dut.h"

static void one_port_carries_one_conversation(void **state)
{
    static const struct {
        const char *role;
        const char *url;
        bool single;
    } ways[] = {
        {"ims-buf", "roce://192.0.2.1", true}, /* it is answered at RoCEv2's port */
        {"ims-buf", "roce://127.0.0.2", false},
        {"ims-buf", "roce://127.0.0.2?local=127.0.0.3:4791", true},
        {"etherbone-slave", "udp://192.0.2.1:60368", false},
        {"etherbone-slave", "udp://192.0.2.1:60368?local=192.0.2.2:7", true},
        {"etherbone-slave", "tcp://192.0.2.1:60368", false},
    };
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(ways); i++) {
        char why[256] = "";
        const gw_dut_place place = {.link = "", .url = ways[i].url};
        gw_dut *dut =
            gw_dut_open(&place, 1, gw_board_by_role(ways[i].role), false, why, sizeof(why));
        if (dut == NULL)
            fail_msg("%s: %s", ways[i].url, why);
        if (gw_dut_target(dut)->links[0].single != ways[i].single)
            fail_msg("%s carries %s", ways[i].url, ways[i].single ? "several" : "one");
        gw_dut_close(dut);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_port_carries_one_conversation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
