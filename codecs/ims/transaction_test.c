/* SPDX-License-Identifier: BSD-2-Clause */
/* What IMS packets ask of a buffer or a Worker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/testing/transactions.h"
#include "ims/internal.h"
#include "ims/testing/packets.h"

static const gw_transaction_sample samples[] = {
    {IMS_STAT_REQ, "STAT_REQ asks opens changes", 0, GW_OVER_UDP},
    {IMS_STAT_RES, "STAT_RES changes", 0, GW_OVER_UDP},
    {IMS_STAT_TERM, "STAT_TERM asks changes", 0, GW_OVER_UDP},
    {IMS_DATA_REQ, "DATA_REQ asks changes", 0, GW_OVER_UDP},
    {IMS_DATA_RES, "DATA_RES changes", 0, GW_OVER_UDP},
    {IMS_UD_UP "09000101 21000000 12030000 33333333 0000000000000000 00000000",
     "status packet changes", 0, GW_OVER_UDP},
    {IMS_ACK_40, "response changes", 0, GW_OVER_UDP},
    /* The first packet tells where all of them go; only the last one is answered. */
    {IMS_ONLY, "frame asks changes, write 0x2000000040-0x200000007f", 0, GW_OVER_UDP},
    {IMS_FIRST, "frame changes, write 0x2000000040-0x20000000ff", 0, GW_OVER_UDP},
    {IMS_MIDDLE, "frame changes", 0, GW_OVER_UDP},
    {IMS_LAST, "frame asks changes", 0, GW_OVER_UDP},
    /* More came than the header says. */
    {"2a00ffff 00000090 00000000 0000002000000040 cafe0002 00000004 " IMS_DATA_64,
     "frame asks changes, write 0x2000000040-0x200000007f", 0, GW_OVER_UDP},
    {"2600ffff 0000", "packet changes opaque", 0, GW_OVER_UDP},
};

static void messages_ask_what_the_specification_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        char line[GW_TRANSACTION_LINE];
        gw_transaction_describe(line, &gw_ims, NULL, &samples[i]);
        assert_string_equal(line, samples[i].asks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_ask_what_the_specification_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
