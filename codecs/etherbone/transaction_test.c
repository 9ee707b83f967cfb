/* SPDX-License-Identifier: BSD-2-Clause */
/* What EtherBone's packets ask of a slave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/testing/transactions.h"
#include "etherbone/internal.h"

#define HEADER "4e6f1044 "

static const gw_transaction_sample samples[] = {
    {HEADER "000f0200 00000100 11111111 22222222", "write changes, write 0x100-0x107", GW_EB_PACKET,
     GW_OVER_UDP},
    {HEADER "020f0200 00000100 11111111 22222222", "write changes, write 0x100-0x103", GW_EB_PACKET,
     GW_OVER_UDP},
    {HEADER "040f0100 00000100 11111111", "write changes, config 0x100-0x103", GW_EB_PACKET,
     GW_OVER_UDP},
    {HEADER "000f0002 00008000 00000200 00000300", "read asks, read 0x200-0x203, read 0x300-0x303",
     GW_EB_PACKET, GW_OVER_UDP},
    /* What lies in the slave's own configuration space is no memory. */
    {HEADER "400f0001 00008000 00000200", "read asks", GW_EB_PACKET, GW_OVER_UDP},
    {HEADER "000f0101 fffffffc 11111111 00008000 00000200",
     "write and read asks changes, write 0xfffffffc-0xffffffff, read 0x200-0x203", GW_EB_PACKET,
     GW_OVER_UDP},
    {HEADER, "packet", GW_EB_PACKET, GW_OVER_UDP},
    {"4e6f11ff 12345678", "probe asks", GW_EB_PACKET, GW_OVER_UDP},
    {"4e6f11ff 1234", "probe asks", GW_EB_PACKET, GW_OVER_UDP},
    {HEADER "000f0200 00000100 1111", "packet opaque", GW_EB_PACKET, GW_OVER_UDP},
    {"00112233", "packet opaque", GW_EB_LOST, GW_OVER_TCP},
    {"68656c6c 6f0a", "packet", GW_EB_BANNER, GW_OVER_TCP},
};

static void messages_ask_what_the_specification_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        char line[GW_TRANSACTION_LINE];
        gw_transaction_describe(line, &gw_etherbone, NULL, &samples[i]);
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
