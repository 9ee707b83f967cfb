/* SPDX-License-Identifier: BSD-2-Clause */
/* A model in goldwire's own process: gw_hdl.c compiled for it, a core in C whose clock edges are
 * steps, and what models can do wrong. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gw_hdl.h"
#include "gw_hdl_in_process.h"
#include "harness/sim.h"
#include "harness/stop.h"

#define PERIOD_PS 8000
#define CORES 2 /* on ports 0 and 1 */
#define RESET 15
#define RESET_NS 80

static const gw_endpoint here = {.ip = {10, 0, 0, 1}, .family = GW_FAMILY_IPV4, .port = 50000};
static const gw_endpoint there = {.ip = {10, 0, 0, 2}, .family = GW_FAMILY_IPV4, .port = 60368};

/* ---- the model: cores that send back what they get, 4 bytes a beat ---- */

typedef struct core {
    uint8_t frame[256];
    size_t len;
    size_t sent;
    bool whole;
    unsigned left; /* cycles until it answers */
    int offered;   /* as gw_hdl_tx tells it */
} core;

typedef struct model {
    core cores[CORES];
    uint64_t ps;
    bool opened;
    bool reset;
    unsigned delay; /* cycles before an answer */
    unsigned edges; /* in a step: one, as is right, unless told */
    bool deaf;      /* takes nothing */
    bool frozen;    /* its clock stands still */
    int ends_after; /* edges; 0: never */
} model;

static void take(core *c, int number, unsigned delay)
{
    for (int i = 0; i < (c->offered & 0xffff); i++)
        c->frame[c->len++ % sizeof(c->frame)] =
            (uint8_t)((unsigned)gw_hdl_tx_word(number, i / 4) >> 8 * (i % 4));
    c->whole = (c->offered & GW_SIM_LAST_BEAT) != 0;
    c->left = delay;
    c->sent = 0;
}

static int give(core *c, int number, int us, int ps)
{
    size_t left = c->len - c->sent;
    size_t num = left < 4 ? left : 4;
    unsigned word = 0;
    for (size_t i = 0; i < num; i++)
        word |= (unsigned)c->frame[c->sent + i] << 8 * i;
    gw_hdl_rx_word(number, 0, (int)word);
    c->sent += num;
    bool last = c->sent == c->len;
    c->whole = !last;
    c->len = last ? 0 : c->len;
    return gw_hdl_rx(number, us, ps, (int)num, last ? GW_SIM_LAST_BEAT : 0);
}

static int clock_core(model *m, int number, int us, int ps)
{
    core *c = &m->cores[number];
    if (m->reset) {
        *c = (core){0};
        return gw_hdl_tx(number, us, ps, 0);
    }
    bool was_whole = c->whole;
    bool takes = !m->deaf && !c->whole;
    if (c->offered > 0 && takes)
        take(c, number, m->delay);
    c->offered = gw_hdl_tx(number, us, ps, takes);
    if (was_whole && c->left > 0)
        c->left--;
    else if (was_whole && give(c, number, us, ps) < 0)
        return -1;
    return c->offered;
}

static bool clock_model(model *m)
{
    int us = (int)(m->ps / 1000000), ps = (int)(m->ps % 1000000);
    int result = 0;
    for (int i = 0; i < CORES && result >= 0; i++)
        result = clock_core(m, i, us, ps);
    m->reset = gw_hdl_reset(RESET, us, ps) != 0;
    m->ps += PERIOD_PS;
    return result >= 0 && (m->ends_after == 0 || --m->ends_after > 0);
}

/* One time step of a simulator. */
static bool step(void *context)
{
    model *m = context;
    bool goes_on = true;
    if (!m->opened) {
        for (int i = 0; i < CORES; i++)
            goes_on = goes_on && gw_hdl_port(i, GW_SIM_UDP, 4) == i;
        goes_on = goes_on && gw_hdl_port(RESET, GW_SIM_RESET, 1) == RESET;
        m->opened = true;
    }
    for (unsigned i = 0; !m->frozen && goes_on && i < (m->edges != 0 ? m->edges : 1); i++)
        goes_on = clock_model(m);
    return goes_on;
}

/* ---- goldwire ---- */

typedef struct scene {
    gw_sim *sim;
    gw_transport *t[CORES];
} scene;

static void open_ports(scene *s)
{
    char why[256] = "";
    for (unsigned i = 0; i < CORES; i++) {
        s->t[i] = gw_sim_open(s->sim, i, &here, &there, why, sizeof(why));
        if (s->t[i] == NULL)
            fail_msg("%s", why);
    }
}

static void close_ports(scene *s)
{
    for (unsigned i = 0; i < CORES; i++)
        gw_transport_close(s->t[i]);
}

static scene begin(model *m)
{
    char why[256] = "";
    scene s = {.sim = gw_sim_attach(gw_hdl_in_this_process(), step, m, why, sizeof(why))};
    if (s.sim == NULL)
        fail_msg("%s", why);
    open_ports(&s);
    return s;
}

static void end(scene *s)
{
    close_ports(s);
    gw_sim_free(s->sim);
}

static void send(scene *s, unsigned port, const char *text)
{
    assert_true(s->t[port]->ops->send(s->t[port], (const uint8_t *)text, strlen(text)));
}

/* What comes within |within_ns|, as text; *at_ns is when, since |since_ns|. */
static const char *receive(scene *s, unsigned port, int64_t within_ns, int64_t since_ns,
                           int64_t *at_ns)
{
    static char text[257];
    gw_transport *t = s->t[port];
    size_t len = 0;
    int64_t stamp = 0;
    gw_endpoint from;
    gw_recv_status got = t->ops->recv(t, (uint8_t *)text, sizeof(text) - 1, &len,
                                      t->ops->now(t) + within_ns, &stamp, &from);
    if (got != GW_RECV_DATA)
        return NULL;
    text[len] = '\0';
    if (at_ns != NULL)
        *at_ns = stamp - GW_VIRTUAL_EPOCH_NS - since_ns;
    return text;
}

static void lost_because(const gw_sim *sim, const char *text)
{
    char why[256] = "";
    assert_true(gw_sim_lost(sim, why, sizeof(why)));
    if (strstr(why, text) == NULL)
        fail_msg("'%s' does not say '%s'", why, text);
}

/* ---- tests ---- */

static void frames_come_back_in_their_own_time(void **state)
{
    model m = {.delay = 100};
    int64_t at_ns = 0;
    (void)state;
    scene s = begin(&m);
    assert_string_equal(gw_sim_path(s.sim), "");
    send(&s, 0, "in and out again");
    assert_string_equal(receive(&s, 0, 100000, 0, &at_ns), "in and out again");
    /* 4 beats in, 100 cycles, 4 beats out, of 8 ns each. */
    assert_true(at_ns >= INT64_C(8) * (4 + 100 + 4) && at_ns <= INT64_C(8) * (4 + 100 + 4 + 8));
    assert_int_equal(gw_sim_now(s.sim), at_ns);
    assert_int_equal(gw_sim_untaken(s.sim, 0), 0);
    end(&s);
}

static void no_step_is_made_that_nobody_waits_for(void **state)
{
    model m = {0};
    (void)state;
    scene s = begin(&m);
    assert_int_equal(m.ps, PERIOD_PS); /* the first edge, at 0 */
    s.t[0]->ops->wait(s.t[0], 5000);
    assert_int_equal(gw_sim_now(s.sim), 5000);
    assert_int_equal(m.ps, 5000000 + PERIOD_PS);
    assert_null(receive(&s, 0, 1234, 0, NULL));
    int64_t now = gw_sim_now(s.sim);
    assert_true(now >= 6234 && now < 6234 + 8);
    assert_int_equal(m.ps, now * 1000 + PERIOD_PS);
    end(&s);
}

/* Both frames end at one clock edge: the second one is there before time goes on. */
static void two_frames_at_one_edge_are_both_heard_then(void **state)
{
    model m = {0};
    int64_t first_ns = 0, second_ns = 1;
    (void)state;
    scene s = begin(&m);
    send(&s, 0, "left");
    send(&s, 1, "next");
    assert_string_equal(receive(&s, 0, 1000, 0, &first_ns), "left");
    uint64_t ps = m.ps;
    assert_string_equal(receive(&s, 1, 1000, 0, &second_ns), "next");
    assert_int_equal(first_ns, second_ns);
    assert_int_equal(m.ps, ps);
    end(&s);
}

static void waiting_keeps_what_comes(void **state)
{
    model m = {0};
    (void)state;
    scene s = begin(&m);
    send(&s, 0, "first");
    send(&s, 0, "second");
    s.t[0]->ops->wait(s.t[0], 10000);
    assert_string_equal(receive(&s, 0, 0, 0, NULL), "first");
    assert_string_equal(receive(&s, 0, 0, 0, NULL), "second");
    end(&s);
}

/* One exchange, and the time it took since |since_ns|. */
static int64_t exchange(scene *s, int64_t since_ns)
{
    int64_t at_ns = 0;
    send(s, 0, "a question");
    assert_string_equal(receive(s, 0, 10000, since_ns, &at_ns), "a question");
    return at_ns;
}

static void a_reset_leaves_nothing_behind(void **state)
{
    char why[256] = "";
    model m = {.delay = 3};
    (void)state;
    scene s = begin(&m);
    int64_t took_ns = exchange(&s, 0);
    for (unsigned i = 0; i < 3; i++) {
        /* Some of it is with the core, some is on its way, and some of an answer is. */
        m.delay = i;
        send(&s, 0, "of which half has come back");
        send(&s, 0, "of which nothing is taken");
        send(&s, 1, "x");
        s.t[0]->ops->wait(s.t[0], gw_sim_now(s.sim) + 90);
        close_ports(&s);
        m.delay = 3;
        assert_true(gw_sim_clear(s.sim, RESET_NS, why, sizeof(why)));
        open_ports(&s);
        assert_int_equal(gw_sim_untaken(s.sim, 0), 0);
        int64_t since_ns = gw_sim_now(s.sim);
        assert_int_equal(exchange(&s, since_ns), took_ns);
        assert_null(receive(&s, 0, 1000, 0, NULL));
        assert_null(receive(&s, 1, 0, 0, NULL));
    }
    end(&s);
}

static void a_model_can_be_attached_again(void **state)
{
    int64_t took_ns = 0;
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        model m = {.delay = 7};
        scene s = begin(&m);
        assert_int_equal(gw_sim_now(s.sim), 0);
        int64_t again_ns = exchange(&s, 0);
        assert_true(i == 0 || again_ns == took_ns);
        took_ns = again_ns;
        send(&s, 0, "left in the queue");
        end(&s);
    }
}

static void a_deaf_core_is_silent(void **state)
{
    model m = {.deaf = true};
    (void)state;
    scene s = begin(&m);
    send(&s, 0, "hello");
    assert_null(receive(&s, 0, 1000, 0, NULL));
    assert_false(s.t[0]->unreachable);
    assert_int_equal(gw_sim_untaken(s.sim, 0), 5);
    end(&s);
}

static void a_model_that_ends_is_told(void **state)
{
    char why[256] = "";
    model m = {.ends_after = 20, .delay = 100};
    (void)state;
    scene s = begin(&m);
    send(&s, 0, "hello");
    assert_null(receive(&s, 0, 100000, 0, NULL));
    assert_true(s.t[0]->unreachable);
    lost_because(s.sim, "the model ended by itself at 152 ns");
    /* Nobody calls in its place. */
    assert_false(gw_sim_await(s.sim, INT64_C(3600000000000), why, sizeof(why)));
    end(&s);
    m = (model){.ends_after = -1, .frozen = true};
    assert_null(gw_sim_attach(gw_hdl_in_this_process(), step, &m, why, sizeof(why)));
    assert_non_null(strstr(why, "stands still"));
}

static void time_that_stands_still_is_told(void **state)
{
    model m = {0};
    (void)state;
    scene s = begin(&m);
    s.t[0]->ops->wait(s.t[0], 800);
    m.frozen = true;
    assert_null(receive(&s, 0, 1000, 0, NULL));
    lost_because(s.sim, "the model's time stands still at 800 ns");
    end(&s);
}

/* Else an answer to it would come later than it can be. */
static void a_step_of_many_edges_is_refused(void **state)
{
    model m = {0};
    (void)state;
    scene s = begin(&m);
    m.edges = 3;
    send(&s, 0, "hello");
    (void)receive(&s, 0, 1000, 0, NULL);
    assert_null(receive(&s, 0, 1000, 0, NULL));
    lost_because(s.sim, "more than one clock edge");
    end(&s);
}

/* What the simulator's side says of a goldwire that it does not understand. */
static void what_goldwire_says_wrongly_is_told(void **state)
{
    static const struct {
        const char *text;
        gw_wire_head head;
    } wrongs[] = {
        {"another version", {GW_WIRE_HELLO, 4, 1, 0, 0}},
        {"unknown", {0x1234, 0, 1, 0, 0}},
        {"does not have", {GW_WIRE_WRITE, GW_WIRE_BUS + 1, 1, 0, 7}},
        {"does not have", {GW_WIRE_WRITE, 3, 1, 0, 0}},
        {"empty frame", {GW_WIRE_WRITE, GW_WIRE_BUS, 1, 0, 0}},
        {"does not do", {GW_WIRE_READ, GW_WIRE_BUS, 1, 0, 0}},
        {"too short", {GW_WIRE_SYNC, 2, 1, 0, 0}},
    };
    static const uint8_t body[GW_WIRE_BUS + 1] = {0, 9};
    (void)state;
    for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
        model m = {0};
        scene s = begin(&m);
        gw_hdl_in_this_process()->hear(&wrongs[i].head, body);
        s.t[0]->ops->wait(s.t[0], 1000);
        lost_because(s.sim, wrongs[i].text);
        end(&s);
    }
}

static void who_is_told_to_stop_comes_back(void **state)
{
    model m = {0};
    (void)state;
    scene s = begin(&m);
    gw_stop_watch();
    assert_int_equal(raise(SIGTERM), 0);
    assert_null(receive(&s, 0, INT64_C(3600000000000), 0, NULL));
    assert_true(gw_sim_now(s.sim) < INT64_C(1000000000));
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_come_back_in_their_own_time),
        cmocka_unit_test(no_step_is_made_that_nobody_waits_for),
        cmocka_unit_test(two_frames_at_one_edge_are_both_heard_then),
        cmocka_unit_test(waiting_keeps_what_comes),
        cmocka_unit_test(a_reset_leaves_nothing_behind),
        cmocka_unit_test(a_model_can_be_attached_again),
        cmocka_unit_test(a_deaf_core_is_silent),
        cmocka_unit_test(a_model_that_ends_is_told),
        cmocka_unit_test(time_that_stands_still_is_told),
        cmocka_unit_test(a_step_of_many_edges_is_refused),
        cmocka_unit_test(what_goldwire_says_wrongly_is_told),
        cmocka_unit_test(who_is_told_to_stop_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
