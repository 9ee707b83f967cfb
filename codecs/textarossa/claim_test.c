/* SPDX-License-Identifier: BSD-2-Clause */
/* What is taken for TEXTAROSSA, and what is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/testing/meet.h"
#include "textarossa/internal.h"
#include "textarossa/testing/packets.h"

#define UDP GW_TX_PART_DATAGRAM, GW_OVER_UDP

/* Headers for 16 bytes that name 10.0.0.1, and nobody the datagram goes to. */
#define ELSEWHERE "10000000 00001080 0100000a 983e0000 "
#define ELSEWHERE_VC2 "12000000 00001080 0100000a 983e0000 "
#define HAPECOM "00000000 00000000 ebaaab2a 00000099 "

static const gw_meet_sample samples[] = {
    {TX_SAMPLE_A, UDP, true, true},
    {TX_SAMPLE_B, UDP, true, true},
    {TX_SAMPLE_C, UDP, true, true},
    /* Too long a payload: the header names where it goes, so that it is judged on its port. */
    {TX_SAMPLE_A TX_ONES TX_ONES, UDP, false, true},
    {TX_SAMPLE_A, GW_TX_PART_DATAGRAM, GW_OVER_TCP, false, true},
    {ELSEWHERE TX_DATA HAPECOM, UDP, false, true},      /* a footer that only they send */
    {ELSEWHERE TX_DATA TX_DATA, UDP, false, false},     /* another one */
    {ELSEWHERE_VC2 TX_DATA HAPECOM, UDP, false, false}, /* a channel that there is not */
    {ELSEWHERE HAPECOM, UDP, false, false},             /* and too few words */
    {"0011", UDP, false, false},
    /* A link's beats are nobody else's. */
    {TX_CREDIT, GW_TX_PART_IDLE, GW_OVER_NOTHING, false, true},
};

static void only_what_cannot_be_chance_is_taken(void **state)
{
    (void)state;
    gw_meet_check(&gw_textarossa, samples, GW_ARRAY_LEN(samples));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_cannot_be_chance_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
