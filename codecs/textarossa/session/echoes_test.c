/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the table of packets that may come back: what a look-up costs, whoever talks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "textarossa/session/echoes.h"

#define ROOM 20000U

static struct {
    gw_tx_echoes echoes;
    void *memory;
} t;

static int start(void **state)
{
    (void)state;
    t.memory = malloc(ROOM * GW_TX_ECHO_BYTES);
    if (t.memory == NULL)
        return -1;
    gw_tx_echoes_init(&t.echoes, t.memory, ROOM * GW_TX_ECHO_BYTES);
    return t.echoes.room == ROOM ? 0 : -1;
}

static int finish(void **state)
{
    (void)state;
    free(t.memory);
    return 0;
}

static gw_tx_sent between(uint32_t from, uint32_t to, uint64_t frame)
{
    gw_tx_sent s = {.frame = frame, .time_ns = (int64_t)frame, .crc = 0x12345678, .size = 16};

    s.src.family = s.dst.family = GW_FAMILY_IPV4;
    for (unsigned i = 0; i < 4; i++) {
        s.src.ip[i] = (uint8_t)(from >> (24 - 8 * i));
        s.dst.ip[i] = (uint8_t)(to >> (24 - 8 * i));
    }
    return s;
}

/* As the session does: an echo ends a wait, everything else begins one. */
static bool pass(const gw_tx_sent *now, uint64_t *answered)
{
    gw_tx_sent before;
    bool ambiguous;

    if (gw_tx_echoes_take(&t.echoes, now, &before, &ambiguous)) {
        *answered = before.frame;
        return true;
    }
    gw_tx_echoes_add(&t.echoes, now);
    return false;
}

static void a_look_up_costs_the_same_among_thousands(void **state)
{
    uint64_t frame = 0, answered;

    (void)state;
    for (uint32_t i = 0; i < 4 * ROOM; i++) {
        gw_tx_sent s = between(0x0a000001 + i % 9973, 0x0a800001 + i % 9967, ++frame);
        s.crc = i;
        assert_false(pass(&s, &answered));
    }
    /* Of the packets in the table one and a bit is met by chance, in every round the same. */
    if (t.echoes.steps > UINT64_C(8) * ROOM)
        fail_msg("%llu steps for %u packets", (unsigned long long)t.echoes.steps, 4 * ROOM);
    t.echoes.steps = 0;
    for (uint32_t i = 3 * ROOM; i < 4 * ROOM; i++) {
        gw_tx_sent s = between(0x0a800001 + i % 9967, 0x0a000001 + i % 9973, ++frame);
        s.crc = i;
        assert_true(pass(&s, &answered));
        assert_int_equal(answered, i + 1);
    }
    if (t.echoes.steps > UINT64_C(4) * ROOM)
        fail_msg("%llu steps for %u echoes", (unsigned long long)t.echoes.steps, ROOM);
}

/* One packet again and again, which is what a sender without an echo does. */
static void nor_does_one_packet_over_and_over(void **state)
{
    uint64_t answered;
    gw_tx_sent s = between(1, 2, 0);
    gw_tx_sent back = between(2, 1, 2 * ROOM + 1);

    (void)state;
    for (uint64_t i = 1; i <= UINT64_C(2) * ROOM; i++) {
        s.frame = i;
        assert_false(pass(&s, &answered));
    }
    assert_int_equal(t.echoes.steps, 0);
    assert_true(pass(&back, &answered));
    assert_int_equal(answered, ROOM + 1); /* those before are forgotten */
    assert_int_equal(t.echoes.steps, 2);  /* itself, and the next one, which might be meant */
}

/* Waits end in the middle of chains and the ring goes round: what is left is found. */
static void ends_in_any_order_leave_the_others(void **state)
{
    enum { BATCH = 500 };
    uint64_t frame = 0;

    (void)state;
    for (unsigned round = 0; round < 100; round++) {
        uint64_t first = frame + 1, answered;
        for (uint32_t i = 0; i < BATCH; i++) {
            gw_tx_sent s = between(1, 2, ++frame);
            s.proc_id = (uint16_t)i;
            assert_false(pass(&s, &answered));
        }
        for (uint32_t i = 0; i < BATCH; i++) {
            uint32_t which = i * 37 % BATCH;
            gw_tx_sent s = between(2, 1, ++frame);
            s.proc_id = (uint16_t)which;
            assert_true(pass(&s, &answered));
            assert_int_equal(answered, first + which);
        }
        gw_tx_echoes_give_up(&t.echoes, (int64_t)frame, 0);
        assert_int_equal(t.echoes.count, 0);
    }
}

static void what_cannot_be_told_from_its_echo_does_not_wait(void **state)
{
    gw_tx_sent self = between(7, 7, 1);
    gw_tx_sent nowhere = {.frame = 2, .size = 16};
    uint64_t answered;

    (void)state;
    assert_false(pass(&self, &answered));
    assert_false(pass(&self, &answered));
    assert_false(pass(&nowhere, &answered));
    assert_int_equal(t.echoes.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_look_up_costs_the_same_among_thousands, start, finish),
        cmocka_unit_test_setup_teardown(nor_does_one_packet_over_and_over, start, finish),
        cmocka_unit_test_setup_teardown(ends_in_any_order_leave_the_others, start, finish),
        cmocka_unit_test_setup_teardown(what_cannot_be_told_from_its_echo_does_not_wait, start,
                                        finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
