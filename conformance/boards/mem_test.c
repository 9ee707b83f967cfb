/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards in memory: virtual time, timers, streams, and connections that end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boards/mem_testing.h"

#define SECOND INT64_C(1000000000)

/* A board that does on its timer, a second after each packet, what the packet asked for. */
typedef struct echo {
    uint8_t pending[64];
    size_t pending_len;
    int64_t deadline;
    bool stubborn; /* wants its timer at once, for ever */
    unsigned opens;
    unsigned closes;
    unsigned timers;
    unsigned starts;
} echo;

static bool echo_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    echo *e = state;
    e->deadline = GW_PEER_NEVER;
    if (config->setup != NULL)
        snprintf(why, why_cap, "%s", (const char *)config->setup);
    return config->setup == NULL;
}

static void on_bytes(echo *e, const gw_peer_event *event, int64_t now, gw_peer_out *out)
{
    switch (event->len > 0 ? event->data[0] : 0) {
    case 'x': /* close at once */
        out->close(out, event->link, event->conn);
        break;
    case 'l': /* have the last word */
        out->send(out, event->link, event->conn, event->data, event->len);
        out->close(out, event->link, event->conn);
        break;
    case 's':
        e->stubborn = true;
        e->deadline = now;
        break;
    case 'f': { /* flood */
        static const uint8_t block[4096];
        for (unsigned i = 0; i < GW_MEM_QUEUE_MAX / sizeof(block) + 1; i++)
            out->send(out, event->link, event->conn, block, sizeof(block));
        break;
    }
    case 'w': /* to somebody who is not there */
        out->send(out, event->link, event->conn + 1, event->data, event->len);
        out->send(out, event->link, GW_PEER_MAX_CONNS, event->data, event->len);
        out->send(out, event->link + 1u, event->conn, event->data, event->len);
        out->close(out, event->link, event->conn + 1);
        break;
    default:
        memcpy(e->pending, event->data, event->len);
        e->pending_len = event->len;
        e->deadline = now + SECOND;
        break;
    }
}

static int64_t echo_step(void *state, const gw_peer_event *event, int64_t now, gw_peer_out *out)
{
    echo *e = state;
    switch (event->kind) {
    case GW_PEER_START:
        e->starts++;
        break;
    case GW_PEER_OPEN:
        e->opens++;
        break;
    case GW_PEER_BYTES:
        on_bytes(e, event, now, out);
        break;
    case GW_PEER_TIMER:
        e->timers++;
        if (e->stubborn)
            break;
        assert_true(now >= e->deadline);
        out->send(out, 0, 0, e->pending, e->pending_len);
        e->deadline = GW_PEER_NEVER;
        break;
    case GW_PEER_CLOSE:
        e->closes++;
        break;
    default:
        break;
    }
    return e->deadline;
}

static void echo_fini(void *state)
{
    (void)state;
}

static const char *const links[] = {"net", NULL};
static const gw_board echo_board = {
    .role = "echo",
    .links = links,
    .size = sizeof(echo),
    .init = echo_init,
    .step = echo_step,
    .fini = echo_fini,
};

static gw_mem *start(void)
{
    char why[128] = "";
    static const gw_peer_config config;
    gw_mem *mem = gw_mem_start(&echo_board, &config, why, sizeof(why));
    assert_non_null(mem);
    return mem;
}

static gw_transport *connect_to(gw_mem *mem, bool stream)
{
    char why[128] = "";
    gw_transport *t = gw_mem_connect(mem, 0, stream, why, sizeof(why));
    assert_non_null(t);
    return t;
}

static bool send_text(gw_transport *t, const char *text)
{
    return t->ops->send(t, (const uint8_t *)text, strlen(text));
}

static void time_passes_by_waiting_only(void **state)
{
    (void)state;
    gw_mem *mem = start();
    gw_transport *t = connect_to(mem, false);
    uint8_t buf[64];
    size_t len = 0;
    int64_t stamp = 0;
    assert_int_equal(t->ops->now(t), 0);
    assert_true(send_text(t, "hello"));
    assert_int_equal(t->ops->now(t), GW_MEM_LATENCY_NS);
    /* too early */
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, SECOND, NULL, NULL), GW_RECV_TIMEOUT);
    assert_int_equal(t->ops->now(t), SECOND);
    /* exactly when the timer and the way back are over */
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, 60 * SECOND, &stamp, NULL),
                     GW_RECV_DATA);
    assert_int_equal(len, 5);
    assert_memory_equal(buf, "hello", 5);
    assert_int_equal(t->ops->now(t), SECOND + 2 * GW_MEM_LATENCY_NS);
    assert_int_equal(stamp, GW_VIRTUAL_EPOCH_NS + t->ops->now(t));
    /* waiting runs timers too; what arrived meanwhile is there for a deadline in the past */
    assert_true(send_text(t, "again"));
    t->ops->wait(t, t->ops->now(t) + 5 * SECOND);
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, 0, NULL, NULL), GW_RECV_DATA);
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, 0, NULL, NULL), GW_RECV_TIMEOUT);
    assert_true(t->ops->now(t) >= 6 * SECOND);
    gw_transport_close(t);
    gw_mem_stop(mem);
}

static void a_stubborn_timer_does_not_stop_time(void **state)
{
    (void)state;
    gw_mem *mem = start();
    gw_transport *t = connect_to(mem, false);
    assert_true(send_text(t, "s"));
    t->ops->wait(t, SECOND / 1000);
    assert_int_equal(t->ops->now(t), SECOND / 1000);
    assert_uint_in_range(((echo *)gw_mem_state(mem))->timers, 10, 2000);
    gw_transport_close(t);
    gw_mem_stop(mem);
}

static void streams_are_bytes(void **state)
{
    (void)state;
    gw_mem *mem = start();
    gw_transport *t = connect_to(mem, true);
    uint8_t buf[4];
    size_t len = 0;
    assert_true(t->stream);
    assert_true(send_text(t, "abcdef"));
    int64_t late = 100 * SECOND;
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, late, NULL, NULL), GW_RECV_DATA);
    assert_int_equal(len, 4);
    assert_memory_equal(buf, "abcd", 4);
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, late, NULL, NULL), GW_RECV_DATA);
    assert_int_equal(len, 2);
    assert_memory_equal(buf, "ef", 2);
    gw_transport_close(t);
    gw_mem_stop(mem);
}

/* Who looks before the last bytes are there finds a connection that stands. */
static void the_end_comes_behind_the_last_bytes(void **state)
{
    (void)state;
    gw_mem *mem = start();
    gw_transport *t = connect_to(mem, true);
    uint8_t buf[4];
    size_t len = 0;
    assert_true(send_text(t, "l"));
    int64_t now = t->ops->now(t);
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, now, NULL, NULL), GW_RECV_TIMEOUT);
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, now + SECOND, NULL, NULL),
                     GW_RECV_DATA);
    assert_int_equal(len, 1);
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, now + SECOND, NULL, NULL),
                     GW_RECV_CLOSED);
    gw_transport_close(t);
    gw_mem_stop(mem);
}

static void datagrams_are_cut(void **state)
{
    (void)state;
    gw_mem *mem = start();
    gw_transport *t = connect_to(mem, false);
    uint8_t buf[4];
    size_t len = 0;
    assert_true(send_text(t, "abcdef"));
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, 9 * SECOND, NULL, NULL), GW_RECV_DATA);
    assert_int_equal(len, 4);
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, 18 * SECOND, NULL, NULL),
                     GW_RECV_TIMEOUT);
    gw_transport_close(t);
    gw_mem_stop(mem);
}

/* One CLOSE for each OPEN, whoever ends it. */
static void connections_end_once(void **state)
{
    (void)state;
    gw_mem *mem = start();
    echo *e = gw_mem_state(mem);
    gw_transport *a = connect_to(mem, true);
    gw_transport *b = connect_to(mem, true);
    uint8_t buf[4];
    size_t len = 0;
    assert_int_equal(e->starts, 1);
    assert_int_equal(e->opens, 2);
    assert_true(send_text(a, "x"));
    assert_int_equal(e->closes, 1);
    assert_int_equal(a->ops->recv(a, buf, sizeof(buf), &len, 9 * SECOND, NULL, NULL),
                     GW_RECV_CLOSED);
    assert_true(a->ops->now(a) < SECOND);
    assert_false(send_text(a, "hello"));
    gw_transport_close(a);
    assert_int_equal(e->closes, 1);
    gw_transport_close(b);
    assert_int_equal(e->closes, 2);
    gw_mem_stop(mem);
}

static void nobody_is_harmed_by_wrong_numbers(void **state)
{
    (void)state;
    gw_mem *mem = start();
    gw_transport *t = connect_to(mem, false);
    uint8_t buf[4];
    size_t len = 0;
    assert_true(send_text(t, "w"));
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, SECOND, NULL, NULL), GW_RECV_TIMEOUT);
    gw_transport_close(t);
    gw_mem_stop(mem);
}

static void memory_is_bounded(void **state)
{
    (void)state;
    gw_mem *mem = start();
    gw_transport *datagrams = connect_to(mem, false);
    gw_transport *stream = connect_to(mem, true);
    uint8_t buf[8192];
    size_t len = 0;
    assert_true(send_text(datagrams, "f"));
    size_t got = 0;
    while (datagrams->ops->recv(datagrams, buf, sizeof(buf), &len, SECOND, NULL, NULL) ==
           GW_RECV_DATA)
        got += len;
    assert_uint_in_range(got, UINT32_C(1) << 20, GW_MEM_QUEUE_MAX);
    assert_true(send_text(stream, "f"));
    assert_int_equal(stream->ops->recv(stream, buf, sizeof(buf), &len, 2 * SECOND, NULL, NULL),
                     GW_RECV_ERROR);
    assert_non_null(strstr(stream->error, "left unread"));
    gw_transport_close(datagrams);
    gw_transport_close(stream);
    gw_mem_stop(mem);
}

static void there_are_only_so_many_clients(void **state)
{
    (void)state;
    gw_mem *mem = start();
    gw_transport *clients[GW_PEER_MAX_CONNS];
    char why[128] = "";
    for (unsigned i = 0; i < GW_PEER_MAX_CONNS; i++)
        clients[i] = connect_to(mem, i % 2 != 0);
    assert_null(gw_mem_connect(mem, 0, false, why, sizeof(why)));
    assert_string_equal(why, "echo takes 64 clients at most");
    gw_transport_close(clients[10]);
    clients[10] = connect_to(mem, false);
    gw_mem_stop(mem);
    for (unsigned i = 0; i < GW_PEER_MAX_CONNS; i++)
        gw_transport_close(clients[i]);
}

/* ---- over a path that is not perfect ---- */

static gw_mem *start_over(const gw_impairment *what, const gw_mem *before)
{
    gw_mem *mem = start();
    gw_mem_impair(mem, what, 0, before);
    return mem;
}

/* The echo comes a second, two latencies and the round trip later: to the nanosecond. */
static void a_path_takes_its_time(void **state)
{
    gw_impairment what = {.delay_ns = 10000000};
    uint8_t buf[8];
    size_t len = 0;
    int64_t stamp = 0;
    (void)state;
    for (unsigned stream = 0; stream < 2; stream++) {
        gw_mem *mem = start_over(&what, NULL);
        gw_transport *t = connect_to(mem, stream != 0);
        assert_true(send_text(t, "hello"));
        int64_t due = SECOND + 2 * GW_MEM_LATENCY_NS + 2 * what.delay_ns;
        assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, due - 1, NULL, NULL),
                         GW_RECV_TIMEOUT);
        assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, due, &stamp, NULL), GW_RECV_DATA);
        assert_int_equal(t->ops->now(t), due);
        assert_int_equal(stamp, GW_VIRTUAL_EPOCH_NS + due);
        assert_int_equal(len, 5);
        gw_transport_close(t);
        gw_mem_stop(mem);
    }
}

/* What one client has sent is under way while another one waits. */
static void all_clients_share_the_time(void **state)
{
    gw_impairment what = {.delay_ns = SECOND};
    (void)state;
    gw_mem *mem = start_over(&what, NULL);
    gw_transport *a = connect_to(mem, false);
    gw_transport *b = connect_to(mem, false);
    assert_true(send_text(a, "x"));
    assert_int_equal(((echo *)gw_mem_state(mem))->closes, 0);
    b->ops->wait(b, 2 * SECOND);
    assert_int_equal(((echo *)gw_mem_state(mem))->closes, 1);
    gw_transport_close(a);
    gw_transport_close(b);
    gw_mem_stop(mem);
}

/* The end of a stream comes behind its bytes, from either side. */
static void ends_travel_too(void **state)
{
    gw_impairment what = {.delay_ns = SECOND};
    uint8_t buf[8];
    size_t len = 0;
    (void)state;
    gw_mem *mem = start_over(&what, NULL);
    echo *e = gw_mem_state(mem);
    gw_transport *t = connect_to(mem, true);
    gw_transport *other = connect_to(mem, true);
    assert_true(send_text(t, "x"));
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, 2 * SECOND, NULL, NULL),
                     GW_RECV_TIMEOUT);
    assert_int_equal(e->closes, 1);
    assert_int_equal(t->ops->recv(t, buf, sizeof(buf), &len, 3 * SECOND, NULL, NULL),
                     GW_RECV_CLOSED);
    assert_int_equal(t->ops->now(t), 2 * SECOND + 2 * GW_MEM_LATENCY_NS);
    gw_transport_close(t);
    assert_true(send_text(other, "s")); /* arrives before its end does */
    gw_transport_close(other);
    assert_int_equal(e->closes, 1);
    other = connect_to(mem, true);
    other->ops->wait(other, 6 * SECOND);
    assert_true(e->stubborn);
    assert_int_equal(e->closes, 2);
    gw_transport_close(other);
    gw_mem_stop(mem);
}

static void a_connection_stands_after_a_round_trip(void **state)
{
    gw_impairment what = {.delay_ns = 100000000, .outage_from_ns = SECOND, .outage_ns = SECOND / 2};
    char why[128] = "";
    bool unreachable = true;
    (void)state;
    gw_mem *mem = start_over(&what, NULL);
    gw_transport *t = gw_mem_await(mem, 0, SECOND, &unreachable, why, sizeof(why));
    assert_non_null(t);
    assert_false(unreachable);
    assert_int_equal(t->ops->now(t), 2 * what.delay_ns);
    t->ops->wait(t, SECOND);
    assert_null(gw_mem_await(mem, 0, SECOND, &unreachable, why, sizeof(why)));
    assert_true(unreachable);
    assert_string_equal(why, "echo does not take the connection in time");
    assert_int_equal(t->ops->now(t), 2 * SECOND);
    /* the next board at that path does not meet with the outage again */
    gw_mem *next = start_over(&what, mem);
    gw_transport *u = gw_mem_await(next, 0, SECOND, &unreachable, why, sizeof(why));
    assert_non_null(u);
    u->ops->wait(u, SECOND);
    gw_transport *v = gw_mem_await(next, 0, SECOND, &unreachable, why, sizeof(why));
    assert_non_null(v);
    gw_transport_close(t);
    gw_transport_close(u);
    gw_transport_close(v);
    gw_mem_stop(next);
    gw_mem_stop(mem);
}

static void longer_datagrams_are_refused(void **state)
{
    static const uint8_t bytes[600];
    gw_impairment what = {.mtu = 576};
    (void)state;
    gw_mem *mem = start_over(&what, NULL);
    gw_transport *t = connect_to(mem, false);
    gw_transport *stream = connect_to(mem, true);
    assert_int_equal(t->carries, 548);
    assert_false(t->ops->send(t, bytes, 549));
    assert_true(t->too_long);
    assert_true(t->ops->send(t, bytes, 2));
    assert_false(t->too_long);
    assert_int_equal(stream->carries, 0);
    gw_transport_close(t);
    gw_transport_close(stream);
    gw_mem_stop(mem);
}

/* Clients whose end is still under way do not keep others out. */
static void those_who_leave_make_room(void **state)
{
    gw_impairment what = {.delay_ns = SECOND};
    (void)state;
    gw_mem *mem = start_over(&what, NULL);
    for (unsigned i = 0; i < 3 * GW_PEER_MAX_CONNS; i++)
        gw_transport_close(connect_to(mem, i % 2 != 0));
    gw_mem_stop(mem);
}

static void a_bad_setup_is_reported(void **state)
{
    (void)state;
    char why[128] = "";
    const gw_peer_config config = {.setup = "not today"};
    assert_null(mem_open(&echo_board, &config, false, why, sizeof(why)));
    assert_string_equal(why, "not today");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_passes_by_waiting_only),
        cmocka_unit_test(a_stubborn_timer_does_not_stop_time),
        cmocka_unit_test(streams_are_bytes),
        cmocka_unit_test(the_end_comes_behind_the_last_bytes),
        cmocka_unit_test(datagrams_are_cut),
        cmocka_unit_test(connections_end_once),
        cmocka_unit_test(nobody_is_harmed_by_wrong_numbers),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(there_are_only_so_many_clients),
        cmocka_unit_test(a_path_takes_its_time),
        cmocka_unit_test(all_clients_share_the_time),
        cmocka_unit_test(ends_travel_too),
        cmocka_unit_test(a_connection_stands_after_a_round_trip),
        cmocka_unit_test(longer_datagrams_are_refused),
        cmocka_unit_test(those_who_leave_make_room),
        cmocka_unit_test(a_bad_setup_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
