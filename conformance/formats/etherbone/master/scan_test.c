/* SPDX-License-Identifier: BSD-2-Clause */
/* Which reads of configuration space are reads of the error register, whatever the widths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/etherbone/master/scan.h"

enum { ERROR_REGISTER = 8 }; /* bytes that it has, from address 0 on */

/* Whether a record of |num| reads from |address| on is one, with one-bit widths |widths|. */
static bool is_status(uint8_t widths, uint8_t space, uint64_t address, unsigned num)
{
    const uint64_t reads[] = {address, address + 4};
    const gw_eb_operation op = {.flags = (uint8_t)(GW_EB_CYC | space),
                                .byte_enable = 1,
                                .reads = reads,
                                .num_reads = (uint8_t)num};
    uint8_t packet[128];
    gw_eb_builder b;
    gw_eb_reader reader;
    gw_eb_record record;

    assert_true(gw_eb_build_packet(&b, packet, sizeof packet, widths, NULL));
    assert_true(gw_eb_build_record(&b, &op));
    gw_message m = gw_message_of(packet, gw_eb_build_end(&b, false));
    assert_true(gw_eb_open(&reader, &m, NULL));
    assert_true(gw_eb_next(&reader, &record));
    return gw_eb_master_reads_status(&reader.layout, &record);
}

static void an_address_tells_it_at_all_widths(void **state)
{
    (void)state;
    for (unsigned addr = 1; addr <= 8; addr *= 2) {
        for (unsigned port = 1; port <= 8; port *= 2) {
            uint8_t widths = (uint8_t)(addr << 4 | port);
            for (uint64_t at = 0; at < 64; at++) {
                assert_int_equal(is_status(widths, GW_EB_RCA, at, 1), at < ERROR_REGISTER);
                assert_false(is_status(widths, 0, at, 1));
                assert_false(is_status(widths, GW_EB_RCA, at, 2));
            }
        }
    }
}

/* The configuration space has 64 KiB, and a master may leave anything above that. */
static void the_space_has_16_bits(void **state)
{
    (void)state;
    assert_false(is_status(0x44, GW_EB_RCA, 0x8004, 1));
    assert_true(is_status(0x44, GW_EB_RCA, 0x10004, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_tells_it_at_all_widths),
        cmocka_unit_test(the_space_has_16_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
