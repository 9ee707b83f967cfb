/* SPDX-License-Identifier: BSD-2-Clause */
/* What OP2P's packets carry of a buffer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/testing/portions.h"
#include "op2p/internal.h"
#include "op2p/testing/frames.h"

static const gw_portion_sample samples[] = {

    {OP2P_WRITE_16,
     "buffer written 0x2000 of 0x0 any channel 0x410042 at 0x2000 next 0x2010, 0x10 of 0x10:d000",
     GW_OP2P_BARE, 0, 0},
    {OP2P_COMPLETION_4,
     "buffer read 0x200 of 0x0 any channel 0x200410042 at 0x200 next 0x204, 0x4 of 0x4:d000",
     GW_OP2P_BARE, 0, 0},
    {OP2P_WRITE_16,
     "buffer written 0x2000 of 0x0 any channel 0x410042 at 0x2000 next 0x2010, 0x1 of 0x10:d0",
     GW_OP2P_BARE, 0, 15},
    {OP2P_TUNNEL OP2P_WRITE_16,
     "buffer written 0x2000 of 0x0 any channel 0x410042 at 0x2000 next 0x2010, 0x10 of 0x10:d000",
     GW_OP2P_BARE, GW_OVER_UDP, 0},
    /* Bytes beyond the count are no part of it. */
    {"00410042 00002000 00001000 000400f0 d0001000 d0001004",
     "buffer written 0x2000 of 0x0 any channel 0x410042 at 0x2000 next 0x2004, 0x4 of 0x4:d000",
     GW_OP2P_BARE, 0, 0},
    {"00410042 00002000 00001000 000000f0", "nothing", GW_OP2P_BARE, 0, 0},
    {OP2P_READ_16, "nothing", GW_OP2P_BARE, 0, 0},
    {OP2P_ERROR_16, "nothing", GW_OP2P_BARE, 0, 0},
    {OP2P_RETRANSMIT_8, "nothing", GW_OP2P_BARE, 0, 0},
    {"00410042 00002000", "nothing", GW_OP2P_BARE, 0, 0},
};

static void messages_carry_what_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        char line[GW_PORTION_LINE];
        gw_portion_describe(line, &gw_op2p, NULL, &samples[i]);
        assert_string_equal(line, samples[i].carries);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_carry_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
