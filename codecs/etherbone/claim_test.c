/* SPDX-License-Identifier: BSD-2-Clause */
/* What is taken for EtherBone, and what is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/testing/meet.h"
#include "etherbone/internal.h"

#define UDP GW_EB_PACKET, GW_OVER_UDP

static const gw_meet_sample samples[] = {
    {"4e6f1044 000f0100 00000100 11111111", UDP, true, true},
    {"4e6f11ff 12345678", UDP, true, true},
    {"4e6f1244 12345678", UDP, true, true},
    {"4e6f1144 12345678 00000000", UDP, true, true},           /* as LiteX has it */
    {"4e6f1144 12345678 0000", UDP, false, true},              /* as nobody has it */
    {"4e6f13ff 12345678", UDP, false, true},                   /* a probe and a response at once */
    {"4e6f11f0 12345678", UDP, false, true},                   /* no width */
    {"4e6f1844 000f0100 00000100 11111111", UDP, false, true}, /* a reserved bit */
    {"4e6f1044 100f0100 00000100 11111111", UDP, false, true}, /* another */
    {"4e6f1044 000f0100 00000100 1111", UDP, false, true},
    {"4e6f1088 00000001 000f0100 00000000", UDP, false, true}, /* padding that is not 0 */
    {"4e6f2044 000f0100 00000100 11111111", UDP, false, true}, /* version 2 */
    {"4e6e1044 000f0100 00000100 11111111", UDP, false, false},
    {"4e6f", UDP, false, true},
    {"4e", UDP, false, false},
    {"000f0100 00000100 11111111", GW_EB_RECORD, GW_OVER_TCP, false, true},
    {"68656c6c 6f0a", GW_EB_BANNER, GW_OVER_TCP, false, true},
    {"4e6f1044 00000000", GW_EB_LOST, GW_OVER_TCP, false, false},
};

static void only_what_cannot_be_chance_is_taken(void **state)
{
    (void)state;
    gw_meet_check(&gw_etherbone, samples, GW_ARRAY_LEN(samples));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_cannot_be_chance_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
