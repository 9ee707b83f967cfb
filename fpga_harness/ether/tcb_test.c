/* SPDX-License-Identifier: BSD-2-Clause */
/* Two ends of a connection, and a wire between them that does what it is told. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "goldwire/net.h"
#include "harness/tcb.h"

enum { MOST = 128, MS = 1000000 };

typedef struct wire {
    unsigned num;
    gw_tcp_segment segment[MOST];
    uint8_t bytes[MOST][GW_TCB_LONGEST];
} wire;

static wire to_b, to_a;
static gw_tcb a, b;
static int64_t now;

static void carry(void *arg, const gw_tcp_segment *s)
{
    wire *w = arg;
    assert_true(w->num < MOST && s->len <= GW_TCB_LONGEST);
    w->segment[w->num] = *s;
    if (s->len > 0)
        memcpy(w->bytes[w->num], s->data, s->len);
    w->segment[w->num].data = w->bytes[w->num];
    w->num++;
}

/* Hands all segments of |w| but the |lost|th to |e|. */
static void deliver(wire *w, gw_tcb *e, unsigned lost)
{
    wire *copy = malloc(sizeof(*copy));
    assert_non_null(copy);
    *copy = *w;
    w->num = 0;
    for (unsigned i = 0; i < copy->num; i++) {
        copy->segment[i].data = copy->bytes[i];
        if (i != lost)
            (void)gw_tcb_hear(e, &copy->segment[i], now);
        (void)gw_tcb_run(e, now);
    }
    free(copy);
}

static void talk(void)
{
    for (unsigned i = 0; i < 200 && (to_a.num > 0 || to_b.num > 0); i++) {
        now += MS;
        deliver(&to_b, &b, MOST);
        deliver(&to_a, &a, MOST);
    }
}

static void connect_both(uint32_t first)
{
    memset(&to_a, 0, sizeof(to_a));
    memset(&to_b, 0, sizeof(to_b));
    now = MS;
    gw_tcb_call(&a, carry, &to_b, first, now);
    assert_int_equal(to_b.segment[0].flags, GW_TCP_SYN);
    gw_tcb_answer(&b, carry, &to_a, 0xfffffff0u, &to_b.segment[0], now);
    to_b.num = 0;
    talk();
    assert_int_equal(a.state, GW_TCB_OPEN);
    assert_int_equal(b.state, GW_TCB_OPEN);
}

static uint8_t pattern(size_t i)
{
    return (uint8_t)(i * 31 + i / 251);
}

static void write_all(gw_tcb *e, size_t from, size_t len)
{
    uint8_t bytes[4096];
    assert_true(len <= sizeof(bytes));
    for (size_t i = 0; i < len; i++)
        bytes[i] = pattern(from + i);
    assert_int_equal(gw_tcb_write(e, bytes, len), len);
    (void)gw_tcb_run(e, now);
}

static size_t read_all(gw_tcb *e, size_t from)
{
    uint8_t bytes[4096];
    size_t got;
    size_t all = 0;
    while ((got = gw_tcb_read(e, bytes, sizeof(bytes))) > 0) {
        for (size_t i = 0; i < got; i++)
            assert_int_equal(bytes[i], pattern(from + all + i));
        all += got;
    }
    return all;
}

/* Waits until |e| wants to do something, and lets it. */
static void wait_for(gw_tcb *e)
{
    int64_t next = gw_tcb_run(e, now);
    assert_true(next != GW_TCB_NEVER);
    now = next > now ? next : now;
    (void)gw_tcb_run(e, now);
}

static void bytes_go_both_ways(void **state)
{
    (void)state;
    connect_both(0xfffffffe); /* numbers wrap on the way */
    for (size_t i = 0; i < 40; i++) {
        write_all(&a, i * 4000, 4000);
        write_all(&b, i * 100, 100);
        talk();
        assert_int_equal(read_all(&b, i * 4000), 4000);
        assert_int_equal(read_all(&a, i * 100), 100);
    }
    assert_true(gw_tcb_idle(&a));
    gw_tcb_close(&a);
    (void)gw_tcb_run(&a, now);
    talk();
    assert_true(b.they_ended);
    assert_int_equal(a.state, GW_TCB_OPEN);
    gw_tcb_close(&b);
    (void)gw_tcb_run(&b, now);
    talk();
    assert_int_equal(a.state, GW_TCB_OVER);
    assert_int_equal(b.state, GW_TCB_OVER);
}

static void what_is_lost_comes_again(void **state)
{
    (void)state;
    for (unsigned lost = 0; lost < 3; lost++) {
        connect_both(100);
        write_all(&a, 0, 4000);
        assert_int_equal(to_b.num, 3);
        deliver(&to_b, &b, lost);
        /* Nobody reads what has a hole before it. */
        assert_int_equal(read_all(&b, 0), lost == 0 ? 0 : lost * GW_TCB_LONGEST);
        deliver(&to_a, &a, MOST);
        wait_for(&a);
        assert_true(to_b.num > 0 && to_b.segment[0].again);
        talk();
        assert_int_equal(read_all(&b, (size_t)lost * GW_TCB_LONGEST),
                         4000 - (size_t)lost * GW_TCB_LONGEST);
        assert_true(gw_tcb_idle(&a));
    }
}

static void order_and_copies_do_not_matter(void **state)
{
    gw_tcp_segment held[3];
    (void)state;
    connect_both(7);
    write_all(&a, 0, 4000);
    memcpy(held, to_b.segment, sizeof(held));
    assert_int_equal(gw_tcb_hear(&b, &held[2], now), 0);
    assert_int_equal(gw_tcb_hear(&b, &held[1], now), 0);
    assert_int_equal(gw_tcb_hear(&b, &held[1], now), 0);
    assert_int_equal(gw_tcb_hear(&b, &held[0], now), 4000);
    assert_int_equal(gw_tcb_hear(&b, &held[0], now), 0);
    assert_int_equal(read_all(&b, 0), 4000);
}

/* Who takes nothing is asked until it does. */
static void a_shut_window_opens_again(void **state)
{
    size_t sent = 0;
    (void)state;
    connect_both(1);
    while (a.window > a.next - a.unknown || to_b.num > 0) {
        size_t free = GW_TCB_ROOM - (a.queued - a.unknown);
        size_t len = free < 4096 ? free : 4096;
        if (len == 0)
            break;
        write_all(&a, sent, len);
        sent += len;
        talk();
    }
    write_all(&a, sent, 100);
    sent += 100;
    talk();
    assert_int_equal(a.window, 0);
    for (unsigned i = 0; i < 3 * GW_TCB_TRIES; i++) {
        wait_for(&a);
        talk();
        assert_int_equal(a.state, GW_TCB_OPEN);
    }
    size_t got = read_all(&b, 0);
    (void)gw_tcb_run(&b, now);
    talk();
    for (unsigned i = 0; i < 8 && !gw_tcb_idle(&a); i++) {
        wait_for(&a);
        talk();
    }
    got += read_all(&b, got);
    assert_int_equal(got, sent);
}

static void a_dead_peer_is_given_up(void **state)
{
    (void)state;
    connect_both(1);
    write_all(&a, 0, 10);
    for (unsigned i = 0; i < GW_TCB_TRIES; i++)
        wait_for(&a);
    assert_int_equal(a.state, GW_TCB_DEAD);
    assert_int_equal(to_b.num, GW_TCB_TRIES);
    assert_int_equal(gw_tcb_run(&a, now), GW_TCB_NEVER);
    /* Nobody is called for ever. */
    memset(&to_b, 0, sizeof(to_b));
    gw_tcb_call(&a, carry, &to_b, 5, now);
    for (unsigned i = 0; i < GW_TCB_TRIES; i++)
        wait_for(&a);
    assert_int_equal(a.state, GW_TCB_DEAD);
}

static void resets_end_what_they_fit(void **state)
{
    gw_tcp_segment rst = {.flags = GW_TCP_RST | GW_TCP_ACK};
    (void)state;
    connect_both(1);
    rst.seq = b.expects + 10; /* in the window only: asked back for */
    (void)gw_tcb_hear(&b, &rst, now);
    assert_int_equal(b.state, GW_TCB_OPEN);
    assert_true(b.owes_ack);
    rst.seq = b.expects;
    (void)gw_tcb_hear(&b, &rst, now);
    assert_int_equal(b.state, GW_TCB_RESET);
    /* Who is called refuses by one that answers the SYN; any other is somebody else's. */
    memset(&to_b, 0, sizeof(to_b));
    gw_tcb_call(&a, carry, &to_b, 5, now);
    rst = (gw_tcp_segment){.flags = GW_TCP_RST | GW_TCP_ACK, .ack = 9};
    (void)gw_tcb_hear(&a, &rst, now);
    assert_int_equal(a.state, GW_TCB_CALLS);
    rst.ack = 6;
    (void)gw_tcb_hear(&a, &rst, now);
    assert_int_equal(a.state, GW_TCB_RESET);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_go_both_ways),
        cmocka_unit_test(what_is_lost_comes_again),
        cmocka_unit_test(order_and_copies_do_not_matter),
        cmocka_unit_test(a_shut_window_opens_again),
        cmocka_unit_test(a_dead_peer_is_given_up),
        cmocka_unit_test(resets_end_what_they_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
