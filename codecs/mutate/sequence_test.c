/* SPDX-License-Identifier: BSD-2-Clause */
/* Sequences dropped, repeated, swapped, delayed, interleaved and cut: within their memory, each
 * edit reached, and nothing invented. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "goldwire/sequence.h"

enum { CAP = 12, GUARD = 2 };

static const uint8_t bytes[] = "abcdefghijklmnopqrstuvwxyz";
static gw_sequence_event store[CAP + GUARD];

static gw_sequence of(gw_sequence_event *events, uint32_t num, uint32_t link)
{
    gw_sequence s = {events, num, CAP, 4, 1000};

    memset(events, 0xa5, (CAP + GUARD) * sizeof events[0]);
    for (uint32_t i = 0; i < num; i++)
        events[i] =
            (gw_sequence_event){.data = bytes + (size_t)4 * i, .len = 4, .link = link, .tag = i};
    return s;
}

static void expect_sound(const gw_sequence *s)
{
    static const gw_sequence_event untouched;
    uint8_t guard[sizeof untouched];

    memset(guard, 0xa5, sizeof guard);
    for (size_t i = CAP; i < CAP + GUARD; i++)
        assert_memory_equal(&store[i], guard, sizeof guard);
    assert_true(s->num <= CAP);
    for (size_t i = 0; i < s->num; i++) {
        const gw_sequence_event *e = &s->events[i];
        assert_true(e->data >= bytes && e->data + e->len <= bytes + sizeof bytes);
        assert_true(e->link < 4 && e->delay_ns >= 0 && e->delay_ns <= 1000);
    }
}

static void each_edit_is_reached(void **state)
{
    unsigned done = 0;
    gw_random random = {1};

    (void)state;
    for (unsigned i = 0; i < 500; i++) {
        gw_sequence s = of(store, 1 + i % 6, 0);
        for (unsigned k = 0; k < 6; k++) {
            gw_sequence_edit edit = gw_sequence_mutate(&s, NULL, &random);
            done |= 1u << edit;
            expect_sound(&s);
        }
    }
    assert_int_equal(done & ((1u << GW_NUM_SEQUENCE_EDITS) - 1), (1u << GW_NUM_SEQUENCE_EDITS) - 1);
    for (unsigned i = 0; i < GW_NUM_SEQUENCE_EDITS; i++)
        assert_non_null(gw_sequence_edit_name((gw_sequence_edit)i));
    assert_null(gw_sequence_edit_name(GW_NUM_SEQUENCE_EDITS));
}

static void two_interleaved_keep_their_order(void **state)
{
    static gw_sequence_event others[CAP + GUARD];
    gw_random random = {2};
    unsigned mixed = 0;

    (void)state;
    for (unsigned i = 0; i < 500; i++) {
        gw_sequence s = of(store, 4, 1), other = of(others, 4, 2);
        if (gw_sequence_mutate(&s, &other, &random) != GW_SEQUENCE_INTERLEAVE)
            continue;
        uint32_t next[3] = {0};
        assert_int_equal(s.num, 8);
        for (size_t k = 0; k < s.num; k++) {
            assert_int_equal(s.events[k].tag, next[s.events[k].link]++);
            mixed += k > 0 && s.events[k].link != s.events[k - 1].link;
        }
    }
    assert_true(mixed > 2);
}

static void what_is_split_is_whole_together(void **state)
{
    gw_random random = {3};
    unsigned num = 0;

    (void)state;
    for (unsigned i = 0; i < 500; i++) {
        gw_sequence s = of(store, 1, 0);
        if (gw_sequence_mutate(&s, NULL, &random) != GW_SEQUENCE_SPLIT)
            continue;
        num++;
        assert_int_equal(s.num, 2);
        assert_int_equal(s.events[0].len + s.events[1].len, 4);
        assert_ptr_equal(s.events[0].data + s.events[0].len, s.events[1].data);
    }
    assert_true(num > 0);
}

static void nothing_stays_nothing(void **state)
{
    gw_random random = {4};
    gw_sequence s = of(store, 0, 0);

    (void)state;
    assert_int_equal(gw_sequence_mutate(&s, NULL, &random), GW_NUM_SEQUENCE_EDITS);
    assert_int_equal(s.num, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_edit_is_reached),
        cmocka_unit_test(two_interleaved_keep_their_order),
        cmocka_unit_test(what_is_split_is_whole_together),
        cmocka_unit_test(nothing_stays_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
