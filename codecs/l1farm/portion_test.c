/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tunnel's datagrams carry of an event. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/testing/portions.h"
#include "l1farm/internal.h"
#include "l1farm/testing/frames.h"

#define UDP GW_L1_TUNNEL, GW_OVER_UDP

static const gw_portion_sample samples[] = {

    {L1_SHIM("80", "0010") L1_WORDS,
     "event 0x1234 of 0x0 any channel 0x500 at 0x1234 next 0x1234 offset 0x80, 0x10 of 0x10:0000",
     UDP, 0},
    {L1_SHIM("80", "0010") L1_WORDS,
     "event 0x1234 of 0x0 any channel 0x500 at 0x1234 next 0x1234 offset 0x80, 0x7 of 0x10:0000",
     UDP, 9},
    {L1_SHIM("80", "0010") L1_WORDS, "nothing", UDP, 30},
    /* It would not fit into an event buffer. */
    {"4c3101800102000512340000000700000ff1 0010" L1_WORDS, "nothing", UDP, 0},
    {L1_SHIM("80", "ffff") L1_WORDS, "nothing", UDP, 0},
    {L1_SHIM("80", "0000"), "nothing", UDP, 0},
    {L1_SHIM("83", "0010") L1_RESULT_IMAGE, "nothing", UDP, 0},
    {"4c31", "nothing", UDP, 0},
};

static void messages_carry_what_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(samples); i++) {
        char line[GW_PORTION_LINE];
        gw_portion_describe(line, &gw_l1farm, NULL, &samples[i]);
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
