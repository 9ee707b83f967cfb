/* SPDX-License-Identifier: BSD-2-Clause */
/* What packets of a queue pair carry of a frame. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/testing/portions.h"
#include "ims/internal.h"
#include "ims/testing/packets.h"

static const gw_portion_sample samples[] = {

    {IMS_FIRST, "frame 0x2000000040 of 0xc0 first channel 0x90 at 0x0 next 0x1, 0x40 of 0x40:0001",
     0, GW_OVER_UDP, 0},
    {IMS_MIDDLE, "frame 0x0 of 0x0 behind channel 0x90 at 0x1 next 0x2, 0x40 of 0x40:0001", 0,
     GW_OVER_UDP, 0},
    {IMS_LAST, "frame 0x0 of 0x0 behind last channel 0x90 at 0x2 next 0x3, 0x40 of 0x40:0001", 0,
     GW_OVER_UDP, 0},
    {IMS_ONLY,
     "frame 0x2000000040 of 0x40 first last channel 0x90 at 0x0 next 0x1, 0x40 of 0x40:0001", 0,
     GW_OVER_UDP, 0},
    {IMS_ONLY,
     "frame 0x2000000040 of 0x40 first last channel 0x90 at 0x0 next 0x1, 0x4 of 0x40:0001", 0,
     GW_OVER_UDP, 60},
    {IMS_ACK_40, "nothing", 0, GW_OVER_UDP, 0},
    {IMS_STAT_REQ, "nothing", 0, GW_OVER_UDP, 0},
    {"2600ffff 00000090 00000000 00000020", "nothing", 0, GW_OVER_UDP, 0},
    {"2600ffff 0000", "nothing", 0, GW_OVER_UDP, 0},
};

static void messages_carry_what_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        char line[GW_PORTION_LINE];
        gw_portion_describe(line, &gw_ims, NULL, &samples[i]);
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
