/* SPDX-License-Identifier: BSD-2-Clause */
/* Who talks with whom: both directions count, carriers are told apart, and when the table is full
 * who was silent longest is forgotten; and who passes on what it was sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/pairs.h"
#include "core/passing.h"

static int set_up(void **state)
{
    *state = malloc(GW_PAIRS_SIZE);
    if (*state == NULL)
        return -1;
    gw_pairs_init(*state);
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

/* From host |from| to host |to|, over UDP. */
static gw_message between(uint32_t from, uint32_t to)
{
    gw_message m = {.transport = GW_OVER_UDP,
                    .src = {.family = GW_FAMILY_IPV4, .port = 50000},
                    .dst = {.family = GW_FAMILY_IPV4, .port = 60368}};

    memcpy(m.src.ip, &from, sizeof from);
    memcpy(m.dst.ip, &to, sizeof to);
    return m;
}

static void only_what_is_plausible_introduces(void **state)
{
    gw_message m = between(1, 2);

    assert_false(gw_pairs_know(*state, &m));
    assert_false(gw_pairs_meet(*state, &m, false));
    assert_false(gw_pairs_know(*state, &m));
    assert_true(gw_pairs_meet(*state, &m, true));
    assert_true(gw_pairs_know(*state, &m));
    assert_true(gw_pairs_meet(*state, &m, false));
}

static void answers_are_of_the_same_pair(void **state)
{
    gw_message m = between(1, 2);
    gw_message answer = m;

    answer.src = m.dst;
    answer.dst = m.src;
    assert_true(gw_pairs_meet(*state, &m, true));
    assert_true(gw_pairs_know(*state, &answer));
    answer.dst.port++;
    assert_false(gw_pairs_know(*state, &answer));
}

static void carriers_are_told_apart(void **state)
{
    gw_message m = between(1, 2);
    gw_message bare = {.link_type = 0, .interface = 0};

    assert_true(gw_pairs_meet(*state, &m, true));
    m.transport = GW_OVER_TCP;
    assert_false(gw_pairs_know(*state, &m));
    assert_false(gw_pairs_know(*state, &bare));
    assert_true(gw_pairs_meet(*state, &bare, true));
    bare.interface = 1;
    assert_false(gw_pairs_know(*state, &bare));
}

/* Many more pairs come than there is room for: one that is heard in between stays, whether or not
 * it was the one heard last, and one that is not heard goes. */
static void who_was_silent_longest_is_forgotten(void **state)
{
    gw_message talker = between(1, 2), silent = between(3, 4);

    assert_true(gw_pairs_meet(*state, &silent, true));
    assert_true(gw_pairs_meet(*state, &talker, true));
    for (uint32_t i = 0; i < 8 * GW_PAIRS_SETS * GW_PAIRS_WAYS; i++) {
        gw_message other = between(100 + i, 5);
        assert_true(gw_pairs_know(*state, &talker));
        assert_true(gw_pairs_know(*state, &talker));
        assert_true(gw_pairs_meet(*state, &other, true));
    }
    assert_true(gw_pairs_know(*state, &talker));
    assert_false(gw_pairs_know(*state, &silent));
}

/* ---- passing on ---- */

static gw_passing passing;
static uint64_t frame;
static int64_t now_ns;

static void start(void)
{
    memset(&passing, 0, sizeof passing);
    frame = 0;
    now_ns = 0;
}

static uint64_t directed(gw_direction dir, uint64_t content)
{
    gw_message m = {.frame = ++frame, .time_ns = now_ns, .dir = (uint8_t)dir};

    return gw_passing_take(&passing, &m, content);
}

static uint64_t addressed(uint8_t src, uint8_t dst, uint64_t content)
{
    gw_message m = {.frame = ++frame,
                    .src = {.ip = {10, 0, 0, src}, .port = src, .family = GW_FAMILY_IPV4},
                    .dst = {.ip = {10, 0, 0, dst}, .family = GW_FAMILY_IPV4}};

    return gw_passing_take(&passing, &m, content);
}

static void the_other_direction_passes_on(void **state)
{
    (void)state;
    start();
    assert_int_equal(directed(GW_DIR_OUT, 7), 0);
    assert_int_equal(directed(GW_DIR_IN, 7), 1);
    assert_int_equal(directed(GW_DIR_IN, 7), 1);  /* to every neighbour */
    assert_int_equal(directed(GW_DIR_OUT, 7), 0); /* its own, once more */
    assert_int_equal(directed(GW_DIR_IN, 7), 4);
    assert_int_equal(directed(GW_DIR_IN, 8), 0);
    assert_int_equal(directed(GW_DIR_UNKNOWN, 8), 0); /* nobody says */
}

static void nobody_passes_on_what_is_long_ago(void **state)
{
    (void)state;
    start();
    assert_int_equal(directed(GW_DIR_OUT, 7), 0);
    now_ns = GW_PASSING_NS;
    assert_int_equal(directed(GW_DIR_IN, 7), 1);
    now_ns++;
    assert_int_equal(directed(GW_DIR_IN, 7), 0);  /* its own */
    assert_int_equal(directed(GW_DIR_OUT, 7), 3); /* which comes back */
    now_ns = INT64_MIN;                           /* a clock that was set back tells nothing */
    assert_int_equal(directed(GW_DIR_OUT, 7), 3);
    start();
    now_ns = INT64_MIN;
    assert_int_equal(directed(GW_DIR_OUT, 7), 0);
    now_ns = INT64_MAX;
    assert_int_equal(directed(GW_DIR_IN, 7), 0);
}

static void who_was_sent_it_passes_on(void **state)
{
    (void)state;
    start();
    assert_int_equal(addressed(1, 2, 7), 0);
    assert_int_equal(addressed(2, 3, 7), 1);
    assert_int_equal(addressed(3, 4, 7), 1);
    assert_int_equal(addressed(5, 6, 7), 0);        /* somebody else sends the like */
    for (uint64_t i = 1; i < GW_PASSING_ALIKE; i++) /* others that have its place */
        assert_int_equal(addressed(3, 4, 7 + i * GW_PASSING_PLACES), 0);
    assert_int_equal(addressed(6, 7, 7), 4); /* and do not displace it */
    for (uint64_t i = 0; i < GW_PASSING_ALIKE; i++)
        assert_int_equal(addressed(3, 4, 71 + i * GW_PASSING_PLACES), 0);
    assert_int_equal(addressed(7, 8, 7), 0);  /* displaced meanwhile */
    assert_int_equal(addressed(8, 7, 7), 13); /* back where it came from */
    assert_int_equal(addressed(6, 6, 9), 0);  /* to itself */
    assert_int_equal(addressed(6, 6, 9), 0);
}

int main(void)
{
#define PAIRS_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        PAIRS_TEST(only_what_is_plausible_introduces),
        PAIRS_TEST(answers_are_of_the_same_pair),
        PAIRS_TEST(carriers_are_told_apart),
        PAIRS_TEST(who_was_silent_longest_is_forgotten),
        cmocka_unit_test(the_other_direction_passes_on),
        cmocka_unit_test(who_was_sent_it_passes_on),
        cmocka_unit_test(nobody_passes_on_what_is_long_ago),
    };
    return cmocka_run_group_tests_name("core.parties", tests, NULL, NULL);
}
