/* SPDX-License-Identifier: BSD-2-Clause */
/* What is taken for OP2P, and what is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/testing/meet.h"
#include "op2p/internal.h"
#include "op2p/testing/frames.h"

#define UDP GW_OP2P_BARE, GW_OVER_UDP
#define FRAME GW_OP2P_BARE, GW_OVER_NOTHING
#define EVENT GW_OP2P_EVENT, GW_OVER_NOTHING

static const gw_meet_sample samples[] = {
    {OP2P_TUNNEL OP2P_WRITE_16, UDP, true, true},
    {OP2P_TUNNEL OP2P_READ_16, UDP, true, true},
    {OP2P_TUNNEL OP2P_COMPLETION_4, UDP, true, true},
    {OP2P_TUNNEL OP2P_RETRANSMIT_8, UDP, true, true},
    {"4f320101 0f000007", UDP, true, true},                 /* flow control */
    {"4f320101 0f000007 00000000", UDP, false, false},      /* and something behind it */
    {"4f320104 00000007", UDP, false, false},               /* no such kind */
    {"4f320200 00000007 " OP2P_READ_16, UDP, false, false}, /* no such version */
    {"4f320100 40000007 " OP2P_READ_16, UDP, false, false}, /* no such flag */
    {OP2P_TUNNEL OP2P_READ_STALE, UDP, false, false},       /* a read with data */
    {OP2P_TUNNEL OP2P_ERROR_16, UDP, false, false},         /* a reserved type */
    {OP2P_TUNNEL "00410042 00004000 00003000 001010f1", UDP, false, false}, /* reserved bits */
    {OP2P_TUNNEL "00410042 00004000 00003000 001013f0", UDP, false, false}, /* no such status */
    {OP2P_TUNNEL "00410042 00004000 00003000 040410f0", UDP, false, false}, /* 1028 bytes */
    {OP2P_TUNNEL "00410042 00002000 00001000 001000f0 d0001000", UDP, false, false}, /* too few */
    {OP2P_TUNNEL "00410042 0000", UDP, false, false},
    {"4f32", UDP, false, false},
    {OP2P_READ_16, UDP, false, false}, /* anything begins like this */
    {OP2P_WRITE_16, FRAME, false, true},
    {OP2P_READ_STALE, FRAME, false, false},
    {OP2P_EVENT OP2P_WRITE_16, EVENT, false, true},
    {"0101000f 0001ffff", EVENT, false, true},
    {OP2P_EVENT OP2P_READ_STALE, EVENT, false, false},
    {"0100", EVENT, false, false},
};

static void only_what_cannot_be_chance_is_taken(void **state)
{
    (void)state;
    gw_meet_check(&gw_op2p, samples, GW_ARRAY_LEN(samples));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_cannot_be_chance_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
