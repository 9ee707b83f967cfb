/* SPDX-License-Identifier: BSD-2-Clause */
/* What OP2P's packets and link events ask of a node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/testing/transactions.h"
#include "op2p/internal.h"
#include "op2p/testing/frames.h"

static const gw_transaction_sample samples[] = {
    {OP2P_WRITE_16, "write changes stoppable, write 0x2000-0x200f", GW_OP2P_BARE, 0},
    {OP2P_READ_16, "read asks stoppable, read 0x4000-0x400f", GW_OP2P_BARE, 0},
    /* Bytes before the first enabled one lie in the same double word. */
    {"00410042 00004002 00003000 00041070", "read asks stoppable, read 0x4000-0x4005", GW_OP2P_BARE,
     0},
    {OP2P_COMPLETION_4, "completion changes stoppable, write 0x200-0x203", GW_OP2P_BARE, 0},
    {"00410042 00000200 00000100 000022f0", "completion changes stoppable", GW_OP2P_BARE, 0},
    {OP2P_ERROR_16, "packet changes opaque stoppable", GW_OP2P_BARE, 0},
    {OP2P_RETRANSMIT_8, "packet changes stoppable", GW_OP2P_BARE, 0},
    /* More came than the header counts: it may all be written. */
    {"00410042 00002000 00001000 000400f0 d0001000 d0001004",
     "write changes stoppable, write 0x2000-0x2007", GW_OP2P_BARE, 0},
    {"00410042 00002000", "link event changes opaque", GW_OP2P_BARE, 0},
    {"0101000f 0001ffff", "link event changes unsolicited stop", GW_OP2P_EVENT, 0},
    {"01010000 0001ffff", "link event changes unsolicited go", GW_OP2P_EVENT, 0},
    {"01010003 0001ffff", "link event changes unsolicited", GW_OP2P_EVENT, 0},
    {"01020003 0001ffff", "link event changes unsolicited go", GW_OP2P_EVENT, 0},
    {"01030000 0001ffff", "link event changes unsolicited", GW_OP2P_EVENT, 0},
    {OP2P_TUNNEL OP2P_READ_16, "read asks stoppable, read 0x4000-0x400f", GW_OP2P_BARE,
     GW_OVER_UDP},
};

static void messages_ask_what_the_datasheet_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        char line[GW_TRANSACTION_LINE];
        gw_transaction_describe(line, &gw_op2p, NULL, &samples[i]);
        assert_string_equal(line, samples[i].asks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_ask_what_the_datasheet_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
