/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock edges that show what happened, chosen from what a simulator tells, and garbage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "link.h"

#define CYCLE INT64_C(8000) /* ps */
#define VALID 0x01
#define READY 0x04
#define LAST 0x10

typedef struct text {
    uint8_t bytes[1 << 16];
    size_t len;
    uint32_t num;
} text;

static void edge(text *t, unsigned lane, uint32_t number, uint32_t wires, uint8_t byte)
{
    uint8_t *p = t->bytes + t->len;
    memset(p, 0, GW_WIRE_EDGE + 1);
    gw_wire_put64(p, (uint64_t)(number * CYCLE));
    gw_wire_put32(p + 8, number);
    gw_wire_put32(p + 12, wires);
    p[16] = (uint8_t)lane;
    p[17] = 1;
    p[20] = byte;
    t->len += GW_WIRE_EDGE + 1;
    gw_wire_put32(t->bytes + 20, ++t->num);
}

/* A request of four bytes that ends at edge 13, and its answer of |answer| bytes from 100 on. */
static text *exchange(unsigned answer)
{
    text *t = calloc(1, sizeof(*t));
    assert_non_null(t);
    t->len = GW_WIRE_EDGES_HEAD;
    edge(t, 0, 1, READY, 0);
    for (unsigned i = 0; i < 4; i++)
        edge(t, 0, 10 + i, VALID | READY | (i == 3 ? LAST : 0), (uint8_t)i);
    edge(t, 0, 14, READY, 0);
    edge(t, 1, 1, READY, 0);
    for (unsigned i = 0; i < answer; i++)
        edge(t, 1, 100 + i, VALID | READY | (i + 1 == answer ? LAST : 0), (uint8_t)(0x80 + i));
    edge(t, 1, 100 + answer, READY, 0);
    return t;
}

static gw_sim_view *view_of(const text *t, const gw_sim_moment *moment, int64_t base_ps)
{
    return gw_sim_view_of(t->bytes, t->len, 2, GW_SIM_UDP, base_ps, moment);
}

static void a_byte_of_a_frame_is_found(void **state)
{
    (void)state;
    text *t = exchange(30);
    const gw_sim_moment moment = {.at_ns = 129 * CYCLE / 1000, .from_core = true, .num_byte = 11};
    gw_sim_view *view = view_of(t, &moment, 0);
    assert_non_null(view);
    const gw_sim_column *focus = &view->columns[view->focus];
    assert_int_equal(focus->time_ps, 110 * CYCLE);
    assert_int_equal(focus->lanes[1].data[0], 0x8a);
    /* Beginning and end of the frame, and the end of the one that it answers. */
    assert_int_equal(view->columns[0].time_ps, 10 * CYCLE);
    bool start = false;
    bool end = false;
    uint64_t number = 10;
    for (size_t i = 1; i < view->num; i++) {
        number += 1 + view->columns[i].skipped;
        assert_int_equal(view->columns[i].time_ps, number * CYCLE);
        start = start || number == 100;
        end = end || number == 129;
    }
    assert_true(start && end);
    /* What is not told anew holds on. */
    assert_true(focus->lanes[0].known);
    assert_int_equal(focus->lanes[0].wires, READY);
    free(view);
    free(t);
}

static void a_frame_longer_than_the_drawing_is_cut(void **state)
{
    (void)state;
    text *t = exchange(1000);
    const gw_sim_moment moment = {.at_ns = 1099 * CYCLE / 1000, .from_core = true, .num_byte = 501};
    gw_sim_view *view = view_of(t, &moment, 0);
    assert_non_null(view);
    assert_true(view->num <= GW_SIM_VIEW_COLUMNS);
    assert_int_equal(view->columns[view->focus].time_ps, 600 * CYCLE);
    free(view);
    free(t);
}

static void a_simulators_time_begins_anew(void **state)
{
    (void)state;
    text *t = exchange(4);
    const gw_sim_moment moment = {.at_ns = 5000 + 103 * CYCLE / 1000, .from_core = true};
    gw_sim_view *view = view_of(t, &moment, 5000000);
    assert_int_equal(view->columns[view->focus].time_ps, 5000000 + 103 * CYCLE);
    assert_int_equal(view->columns[view->focus].lanes[1].data[0], 0x83);
    free(view);
    free(t);
}

static void a_breach_is_where_it_was(void **state)
{
    (void)state;
    text *t = exchange(4);
    gw_wire_put64(t->bytes + 8, 50 * CYCLE);
    gw_sim_view *view = view_of(t, NULL, 0);
    assert_int_equal(view->columns[view->focus].time_ps, 50 * CYCLE);
    for (size_t i = 1; i < view->num; i++)
        assert_int_equal(view->columns[i].skipped, 0);
    free(view);
    free(t);
}

/* The end of an access, and the beginning of what it answers; one that nobody ends is shown where
 * it was given up. */
static void an_access_is_shown_from_its_request_on(void **state)
{
    (void)state;
    for (unsigned ended = 0; ended < 2; ended++) {
        text *t = calloc(1, sizeof(*t));
        assert_non_null(t);
        t->len = GW_WIRE_EDGES_HEAD;
        edge(t, 0, 1, 0, 0);
        edge(t, 0, 20, VALID, 0x11);
        edge(t, 0, 21, VALID | READY, 0x11);
        edge(t, 0, 22, 0, 0);
        edge(t, 0, 100, VALID, 0x22);
        edge(t, 0, 101, VALID | READY, 0x22);
        edge(t, 0, 102, 0, 0);
        edge(t, 1, 1, 0, 0);
        if (ended)
            edge(t, 1, 300, VALID | READY, 0x33);
        edge(t, 1, 301, 0, 0);
        const gw_sim_moment moment = {.at_ns = 300 * CYCLE / 1000, .from_core = true};
        gw_sim_view *view = gw_sim_view_of(t->bytes, t->len, 2, GW_SIM_AXIL, 0, &moment);
        assert_non_null(view);
        assert_int_equal(view->interface, GW_SIM_INTERFACE_AXIL);
        assert_int_equal(view->columns[view->focus].time_ps, 300 * CYCLE);
        assert_int_equal(view->columns[view->focus].lanes[1].wires, ended ? VALID | READY : 0);
        assert_int_equal(view->columns[2].time_ps, 100 * CYCLE);
        assert_int_equal(view->columns[2].lanes[0].data[0], 0x22);
        free(view);
        free(t);
    }
}

static void garbage_shows_nothing(void **state)
{
    (void)state;
    const gw_sim_moment moment = {.at_ns = 103 * CYCLE / 1000, .from_core = true};
    /* Each byte of it, and each length. */
    for (size_t i = 16; i < 400; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            text *t = exchange(4);
            t->bytes[i] ^= (uint8_t)(1u << bit);
            free(view_of(t, &moment, 0));
            free(view_of(t, NULL, 0));
            free(t);
        }
        text *t = exchange(4);
        t->len = i < GW_WIRE_EDGES_HEAD ? GW_WIRE_EDGES_HEAD : i;
        assert_null(view_of(t, &moment, 0));
        free(t);
    }
    text *t = exchange(4);
    gw_wire_put32(t->bytes + 20, UINT32_MAX);
    assert_null(view_of(t, &moment, 0));
    free(t);
    t = exchange(4);
    t->bytes[GW_WIRE_EDGES_HEAD + 16] = 2; /* a lane that there is none of */
    assert_null(view_of(t, &moment, 0));
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_byte_of_a_frame_is_found),
        cmocka_unit_test(a_frame_longer_than_the_drawing_is_cut),
        cmocka_unit_test(a_simulators_time_begins_anew),
        cmocka_unit_test(a_breach_is_where_it_was),
        cmocka_unit_test(an_access_is_shown_from_its_request_on),
        cmocka_unit_test(garbage_shows_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
