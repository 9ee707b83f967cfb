/* SPDX-License-Identifier: BSD-2-Clause */
/* What is taken for the Level-1 farm's, and what is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/testing/meet.h"
#include "l1farm/internal.h"
#include "l1farm/testing/frames.h"

#define UDP GW_L1_TUNNEL, GW_OVER_UDP

static const gw_meet_sample samples[] = {
    {L1_SHIM("80", "0010") L1_WORDS, UDP, true, true},
    {L1_SHIM("01", "0004") "00054742", UDP, true, true},
    {L1_SHIM("83", "0010") L1_RESULT_IMAGE, UDP, true, true},
    {L1_SHIM("89", "0010") L1_RESULT_IMAGE, UDP, true, true},
    {L1_SHIM("05", "0008") "00010100 00000820", UDP, true, true},
    {L1_SHIM("05", "0004") "00000400", UDP, true, true},
    {L1_SHIM("0c", "0000"), UDP, true, true},
    {L1_SHIM("80", "0000"), UDP, false, false},                        /* without data */
    {L1_SHIM("0c", "0004") "00000000", UDP, false, false},             /* with data */
    {L1_SHIM("05", "0006") "00010100 0000", UDP, false, false},        /* half a value */
    {L1_SHIM("83", "0012") L1_RESULT_IMAGE "0000", UDP, false, false}, /* too long a result */
    {L1_SHIM("80", "0010") L1_WORDS "00", UDP, false, false},          /* a byte too many */
    {L1_SHIM("80", "0020") L1_WORDS, UDP, false, false},               /* too few */
    {L1_SHIM("0d", "0004") "00000000", UDP, false, false},             /* no such kind */
    {"4c3201800100000512340000000700000080 0000", UDP, false, false},  /* other letters */
    {"4c31", UDP, false, false},
    {L1_SHIM("0c", "0000"), GW_L1_TUNNEL, GW_OVER_TCP, false, false},
    /* What a link type of its own captured needs no proof. */
    {L1_SEND_RECORD L1_WRITESB, GW_L1_SCI, GW_OVER_NOTHING, false, true},
};

static void only_what_cannot_be_chance_is_taken(void **state)
{
    (void)state;
    gw_meet_check(&gw_l1farm, samples, GW_ARRAY_LEN(samples));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_cannot_be_chance_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
