/* SPDX-License-Identifier: BSD-2-Clause */
/* The farm's software boards in memory: what the cases cannot see from outside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "boards/mem.h"
#include "formats/l1farm/board.h"

typedef struct desk {
    gw_peer_config config;
    gw_mem *mem;
    gw_transport *in, *out;
} desk;

static void say(gw_transport *t, gw_l1_shim shim, const uint8_t *data)
{
    uint8_t datagram[GW_L1_SHIM + GW_L1_SUBEVENT_MAX];

    shim.version = 1;
    gw_l1_put_shim(datagram, &shim);
    for (size_t i = 0; i < shim.length; i++)
        datagram[GW_L1_SHIM + i] = data[i];
    assert_true(t->ops->send(t, datagram, (size_t)GW_L1_SHIM + shim.length));
}

static bool hear(desk *d, gw_l1_unit *u)
{
    static uint8_t datagram[2048];
    size_t len;
    gw_transport *t = d->out;

    *u = (gw_l1_unit){0};
    if (t->ops->recv(t, datagram, sizeof(datagram), &len, t->ops->now(t) + 10000000, NULL, NULL) !=
        GW_RECV_DATA)
        return false;
    gw_message m = gw_message_of(datagram, len);
    m.transport = GW_OVER_UDP;
    return gw_l1_decode(u, &m, NULL).kind == GW_OK;
}

static void open_desk(desk *d, const gw_board *board)
{
    char why[256] = "";
    gw_l1_unit u;

    *d = (desk){0};
    d->mem = gw_mem_start(board, &d->config, why, sizeof(why));
    if (d->mem == NULL)
        fail_msg("%s", why);
    d->in = gw_mem_connect(d->mem, GW_L1_LINK_IN, false, why, sizeof(why));
    d->out = gw_mem_connect(d->mem, GW_L1_LINK_OUT, false, why, sizeof(why));
    assert_non_null(d->in);
    assert_non_null(d->out);
    say(d->out, (gw_l1_shim){.kind = GW_L1_KIND_LISTEN}, NULL);
    assert_true(hear(d, &u));
    assert_int_equal(u.shim.kind, GW_L1_KIND_LISTEN);
}

static void close_desk(desk *d)
{
    gw_transport_close(d->in);
    gw_transport_close(d->out);
    gw_mem_stop(d->mem);
}

/* ---- the compute node ---- */

static void fragment(desk *d, unsigned ru, uint8_t buffer, uint16_t tag, uint32_t offset)
{
    uint8_t words[GW_L1_SUBEVENT];
    gw_l1_shim s = {.kind = GW_L1_KIND_SUBEVENT,
                    .little = true,
                    .ru = (uint8_t)ru,
                    .buffer = buffer,
                    .dest = GW_L1_CN_NODE,
                    .event = tag,
                    .offset = offset,
                    .length = GW_L1_SUBEVENT};

    gw_l1_put_words(words, tag, 0, GW_L1_SUBEVENT / GW_L1_WORD);
    say(d->in, s, words);
}

static void event(desk *d, uint8_t buffer, uint16_t tag)
{
    for (unsigned ru = 0; ru < GW_L1_UNITS; ru++)
        fragment(d, ru, buffer, tag, ru * GW_L1_SUBEVENT);
}

static void the_node_expects_every_26th_event(void **state)
{
    gw_l1_unit u;
    desk d;
    gw_l1_cn *n;
    uint16_t tag = 0xffe0;

    (void)state;
    open_desk(&d, &gw_l1_cn_board);
    n = gw_mem_state(d.mem);
    event(&d, 0, tag);
    for (unsigned i = 1; i < 6; i++) {
        uint16_t seen = tag;
        tag = (uint16_t)(tag + (i == 4 ? 52 : 26)); /* one is missing */
        event(&d, i % 2, tag);
        assert_true(hear(&d, &u));
        assert_int_equal(u.u.result.tag_id, seen);
        assert_int_equal(u.u.result.status, GW_L1_CORRECT);
    }
    assert_int_equal(n->ntries, 5);
    assert_int_equal(n->nallok, 5);
    assert_int_equal(n->nnext, 4);
    close_desk(&d);
}

static void a_run_may_begin_in_the_middle_of_a_lap(void **state)
{
    gw_l1_unit u;
    desk d;

    (void)state;
    open_desk(&d, &gw_l1_cn_board);
    event(&d, 1, 100); /* the second buffer first */
    assert_false(hear(&d, &u));
    event(&d, 0, 126);
    assert_true(hear(&d, &u));
    assert_int_equal(u.u.result.tag_id, 100);
    assert_int_equal(u.shim.buffer, 1);
    close_desk(&d);
}

static void what_does_not_fit_the_buffers_is_refused(void **state)
{
    static const uint32_t offsets[] = {GW_L1_SUBEVENT_MAX, GW_L1_SUBEVENT_MAX - 127, UINT32_MAX};
    desk d;
    gw_l1_cn *n;

    (void)state;
    open_desk(&d, &gw_l1_cn_board);
    n = gw_mem_state(d.mem);
    for (size_t i = 0; i < GW_ARRAY_LEN(offsets); i++)
        fragment(&d, 0, 0, 1, offsets[i]);
    fragment(&d, 0, 2, 1, 0);
    fragment(&d, 0, 0, 1, GW_L1_SUBEVENT_MAX - GW_L1_SUBEVENT); /* the last place */
    say(d.in, (gw_l1_shim){.kind = GW_L1_KIND_FREE}, NULL);
    assert_int_equal(n->refused, 5);
    assert_true(n->touched[0]);
    close_desk(&d);
}

/* ---- the decision unit ---- */

static void enter(desk *d, uint16_t id)
{
    say(d->in, (gw_l1_shim){.kind = GW_L1_KIND_ENTERED, .event = id}, NULL);
}

static void result(desk *d, uint16_t id, unsigned slot, uint16_t rsv)
{
    uint8_t image[GW_L1_RESULT];
    gw_l1_result r = {.tag_id = id, .rsv = rsv};

    gw_l1_put_result(image, &r);
    say(d->in,
        (gw_l1_shim){.kind = GW_L1_KIND_RESULT,
                     .little = true,
                     .event = id,
                     .offset = slot * GW_L1_RESULT,
                     .length = GW_L1_RESULT},
        image);
}

static void more_events_than_places_give_up_the_oldest(void **state)
{
    gw_l1_unit u;
    desk d;
    gw_l1_du *unit;

    (void)state;
    open_desk(&d, &gw_l1_du_board);
    unit = gw_mem_state(d.mem);
    for (unsigned i = 0; i <= GW_L1_DU_EVENTS; i++)
        enter(&d, (uint16_t)i);
    assert_true(hear(&d, &u));
    assert_int_equal(u.shim.kind, GW_L1_KIND_TIMEOUT);
    assert_int_equal(u.shim.event, 0);
    assert_int_equal(unit->count, GW_L1_DU_EVENTS);
    assert_int_equal(unit->timeouts, 1);
    close_desk(&d);
}

static void reserved_bits_are_ignored_and_not_passed_on(void **state)
{
    gw_l1_unit u;
    desk d;

    (void)state;
    open_desk(&d, &gw_l1_du_board);
    enter(&d, 7);
    result(&d, 7, 0, 0xffff);
    assert_true(hear(&d, &u));
    assert_int_equal(u.shim.kind, GW_L1_KIND_DECISION);
    assert_int_equal(u.u.result.rsv, 0);
    close_desk(&d);
}

static void a_silent_farm_is_not_watched_for_ever(void **state)
{
    gw_l1_unit u;
    desk d;
    gw_l1_du *unit;

    (void)state;
    open_desk(&d, &gw_l1_du_board);
    unit = gw_mem_state(d.mem);
    result(&d, 7, 3, 0);
    assert_true(hear(&d, &u));
    d.in->ops->wait(d.in, d.in->ops->now(d.in) + (GW_L1_DU_SLOTS + 2) * GW_L1_DU_LIMIT_NS);
    assert_int_equal(unit->timeouts, GW_L1_DU_SLOTS);
    assert_false(unit->running);
    close_desk(&d);
}

/* Of constants in tables, whose padding is zero; were it not, alike would pass for different. */
static void assert_different(const gw_board *board, const void *specified, size_t size)
{
    for (size_t i = 0; i < board->num_mutants; i++) {
        const gw_mutant *m = &board->mutants[i];
        assert_non_null(m->mutation);
        if (memcmp(m->mutation, specified, size) == 0)
            fail_msg("%s %s is the good board", board->role, m->id);
        for (size_t k = 0; k < i; k++)
            if (memcmp(m->mutation, board->mutants[k].mutation, size) == 0)
                fail_msg("%s %s is %s", board->role, m->id, board->mutants[k].id);
    }
}

static void every_mutant_is_another(void **state)
{
    static const gw_l1_cn_policy cn = {GW_L1_CN_POLICY};
    static const gw_l1_du_policy du = {GW_L1_DU_POLICY};
    static const gw_l1_ru_policy ru = {GW_L1_RU_POLICY};

    (void)state;
    assert_different(&gw_l1_cn_board, &cn, sizeof(cn));
    assert_different(&gw_l1_du_board, &du, sizeof(du));
    assert_different(&gw_l1_ru_board, &ru, sizeof(ru));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_node_expects_every_26th_event),
        cmocka_unit_test(a_run_may_begin_in_the_middle_of_a_lap),
        cmocka_unit_test(what_does_not_fit_the_buffers_is_refused),
        cmocka_unit_test(more_events_than_places_give_up_the_oldest),
        cmocka_unit_test(reserved_bits_are_ignored_and_not_passed_on),
        cmocka_unit_test(a_silent_farm_is_not_watched_for_ever),
        cmocka_unit_test(every_mutant_is_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
