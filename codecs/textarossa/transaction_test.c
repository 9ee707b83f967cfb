/* SPDX-License-Identifier: BSD-2-Clause */
/* What TEXTAROSSA's packets ask of a board. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/testing/transactions.h"
#include "textarossa/internal.h"
#include "textarossa/testing/packets.h"

static const gw_transaction_sample samples[] = {
    {TX_SAMPLE_A, "packet asks changes", GW_TX_PART_DATAGRAM, GW_OVER_UDP},
    {TX_MAGIC TX_START TX_HEADER_16 TX_DATA TX_ONES, "packet asks changes", GW_TX_PART_LINK,
     GW_OVER_NOTHING},
    {TX_CREDIT, "credit changes unsolicited", GW_TX_PART_IDLE, GW_OVER_NOTHING},
    {"00112233", "stray bytes changes", GW_TX_PART_STRAY, GW_OVER_NOTHING},
};

static void messages_ask_by_their_part(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        char line[GW_TRANSACTION_LINE];
        gw_transaction_describe(line, &gw_textarossa, NULL, &samples[i]);
        assert_string_equal(line, samples[i].asks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_ask_by_their_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
