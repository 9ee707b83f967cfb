/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire's side of a simulation against the simulator's: a child process plays an HDL port, clock
 * edge by clock edge, with the same gw_hdl.c that testbenches link. What simulators do wrong is
 * played by hand. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "gw_hdl.h"
#include "gw_hdl_wire.h"
#include "harness/sim.h"

#define PERIOD_PS 8000
#define WAIT_NS INT64_C(20000000000)

static const gw_endpoint here = {.ip = {10, 0, 0, 1}, .family = GW_FAMILY_IPV4, .port = 50000};
static const gw_endpoint there = {.ip = {10, 0, 0, 2}, .family = GW_FAMILY_IPV4, .port = 60368};

/* ---- the simulator: a core that sends back what it gets, 4 bytes a beat ---- */

typedef struct echo {
    uint8_t frame[256];
    size_t len;
    size_t sent;
    bool whole;     /* it has all of a frame, which it sends back */
    unsigned delay; /* cycles before it answers */
    unsigned cycles;
    bool deaf;     /* takes nothing */
    int die_after; /* frames, by exit; 0: never */
    int breach;    /* told with each frame; 0: none */
    bool watches;  /* there is a bus, which each frame uses */
} echo;

/* Takes the beat on offer, |offered| as gw_hdl_tx tells it. */
static void take(echo *e, int offered)
{
    for (int i = 0; i < (offered & 0xffff); i++)
        e->frame[e->len++] = (uint8_t)((unsigned)gw_hdl_tx_word(0, i / 4) >> 8 * (i % 4));
    e->whole = (offered & GW_SIM_LAST_BEAT) != 0;
    e->cycles = e->delay;
    e->sent = 0;
}

/* Sends the next beat of the frame. */
static int give(echo *e, int us, int rest)
{
    size_t left = e->len - e->sent;
    size_t num = left < 4 ? left : 4;
    unsigned word = 0;
    for (size_t i = 0; i < num; i++)
        word |= (unsigned)e->frame[e->sent + i] << 8 * i;
    gw_hdl_rx_word(0, 0, (int)word);
    e->sent += num;
    bool last = e->sent == e->len;
    e->whole = !last;
    e->len = last ? 0 : e->len;
    return gw_hdl_rx(0, us, rest, (int)num, last ? GW_SIM_LAST_BEAT : 0);
}

/* One clock edge at |ps|: -1 at the end. */
static int edge(echo *e, int *offered, uint64_t ps)
{
    int us = (int)(ps / 1000000);
    int rest = (int)(ps % 1000000);
    bool was_whole = e->whole;
    if (*offered > 0 && !e->deaf)
        take(e, *offered);
    *offered = gw_hdl_tx(0, us, rest, !e->deaf);
    if (e->whole && !was_whole) {
        if (e->breach != 0)
            gw_hdl_breach(0, us, rest, e->breach);
        if (e->watches)
            gw_hdl_breach(1, us, rest, GW_SIM_BUS_USED);
        if (e->die_after > 0 && --e->die_after == 0)
            exit(3);
    } else if (e->whole && e->cycles > 0) {
        e->cycles--;
    } else if (e->whole && give(e, us, rest) < 0) {
        return -1;
    }
    return gw_hdl_reset(15, us, rest) < 0 || *offered < 0 ? -1 : 0;
}

/* Runs the core in a child until goldwire goes away. */
static pid_t start_echo(const echo *setup)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    echo e = *setup;
    (void)!freopen("/dev/null", "w", stderr);
    if (gw_hdl_port(0, GW_SIM_UDP, 4) < 0 || gw_hdl_port(15, GW_SIM_RESET, 1) < 0)
        _exit(9);
    if (e.watches && gw_hdl_port(1, GW_SIM_WATCH, 1) < 0)
        _exit(9);
    int offered = 0;
    for (uint64_t ps = 0; edge(&e, &offered, ps) == 0; ps += PERIOD_PS)
        ;
    _exit(0);
}

/* ---- goldwire ---- */

typedef struct scene {
    gw_sim *sim;
    pid_t child;
    gw_transport *t;
} scene;

/* A name that no other test uses. */
static const char *choose_name(void)
{
    static char name[48];
    static unsigned number;
    (void)snprintf(name, sizeof(name), "test-%ld-%u", (long)getpid(), ++number);
    return name;
}

static gw_sim *listen_as(const char *name)
{
    char why[256] = "";
    gw_sim *sim = gw_sim_listen(name, why, sizeof(why));
    if (sim == NULL)
        fail_msg("%s", why);
    return sim;
}

static gw_sim *listen_here(void)
{
    return listen_as(choose_name());
}

static scene begin(const echo *setup)
{
    char why[256] = "";
    scene s = {.sim = listen_here()};
    s.child = start_echo(setup);
    if (!gw_sim_await(s.sim, WAIT_NS, why, sizeof(why)))
        fail_msg("%s", why);
    s.t = gw_sim_open(s.sim, 0, &here, &there, why, sizeof(why));
    if (s.t == NULL)
        fail_msg("%s", why);
    return s;
}

static int end_child(pid_t child)
{
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void end(scene *s)
{
    gw_transport_close(s->t);
    gw_sim_free(s->sim);
    int status = end_child(s->child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void lost_because(const gw_sim *sim, const char *text)
{
    char why[256] = "";
    assert_true(gw_sim_lost(sim, why, sizeof(why)));
    if (strstr(why, text) == NULL)
        fail_msg("'%s' does not say '%s'", why, text);
}

static size_t receive(scene *s, int64_t within_ns, uint8_t out[256], int64_t *stamp)
{
    size_t len = 0;
    gw_endpoint from;
    gw_recv_status got =
        s->t->ops->recv(s->t, out, 256, &len, s->t->ops->now(s->t) + within_ns, stamp, &from);
    assert_true(got == GW_RECV_DATA || got == GW_RECV_TIMEOUT);
    return got == GW_RECV_DATA ? len : 0;
}

/* ---- tests ---- */

static void frames_come_back_in_their_own_time(void **state)
{
    uint8_t sent[61];
    uint8_t got[256];
    int64_t stamps[2][3];
    (void)state;
    for (size_t i = 0; i < sizeof(sent); i++)
        sent[i] = (uint8_t)(3 * i);
    for (unsigned run = 0; run < 2; run++) {
        scene s = begin(&(echo){.delay = 100});
        for (unsigned i = 0; i < 3; i++) {
            assert_true(s.t->ops->send(s.t, sent, sizeof(sent) - i));
            assert_int_equal(receive(&s, 100000, got, &stamps[run][i]), sizeof(sent) - i);
            assert_memory_equal(got, sent, sizeof(sent) - i);
            assert_int_equal(stamps[run][i], GW_VIRTUAL_EPOCH_NS + s.t->ops->now(s.t));
        }
        assert_int_equal(gw_sim_untaken(s.sim, 0), 0);
        end(&s);
    }
    /* 16 beats in, 100 cycles, 16 beats out, of 8 ns each. */
    assert_true(stamps[0][0] - GW_VIRTUAL_EPOCH_NS >= INT64_C(8) * (16 + 100 + 16));
    assert_true(stamps[0][0] - GW_VIRTUAL_EPOCH_NS <= INT64_C(8) * (16 + 100 + 16 + 8));
    assert_memory_equal(stamps[0], stamps[1], sizeof(stamps[0]));
}

static void time_passes_only_while_somebody_waits(void **state)
{
    uint8_t got[256];
    (void)state;
    scene s = begin(&(echo){0});
    assert_int_equal(gw_sim_now(s.sim), 0);
    s.t->ops->wait(s.t, 5000);
    assert_int_equal(gw_sim_now(s.sim), 5000);
    assert_int_equal(receive(&s, 1234, got, NULL), 0);
    int64_t now = gw_sim_now(s.sim); /* the first edge at or after the deadline */
    assert_true(now >= 6234 && now < 6234 + 8);
    assert_int_equal(receive(&s, 0, got, NULL), 0);
    assert_int_equal(gw_sim_now(s.sim), now);
    end(&s);
}

static void waiting_keeps_what_comes(void **state)
{
    uint8_t got[256];
    (void)state;
    scene s = begin(&(echo){0});
    assert_true(s.t->ops->send(s.t, (const uint8_t *)"first", 5));
    s.t->ops->wait(s.t, 10000);
    assert_int_equal(gw_sim_now(s.sim), 10000);
    assert_int_equal(receive(&s, 0, got, NULL), 5);
    assert_memory_equal(got, "first", 5);
    end(&s);
}

static void a_core_that_takes_nothing_is_silent(void **state)
{
    uint8_t got[256];
    (void)state;
    scene s = begin(&(echo){.deaf = true});
    assert_true(s.t->ops->send(s.t, (const uint8_t *)"hello", 5));
    assert_int_equal(receive(&s, 1000, got, NULL), 0);
    assert_false(s.t->unreachable);
    assert_int_equal(gw_sim_untaken(s.sim, 0), 5);
    end(&s);
}

static void the_reset_wire_is_pulled(void **state)
{
    char why[256] = "";
    (void)state;
    scene s = begin(&(echo){0});
    assert_true(gw_sim_reset(s.sim, 800, why, sizeof(why)));
    assert_int_equal(gw_sim_now(s.sim), 1600);
    end(&s);
}

static void breaches_are_counted(void **state)
{
    uint8_t got[256];
    (void)state;
    scene s = begin(&(echo){.breach = GW_SIM_DATA_CHANGED});
    assert_null(gw_sim_breach_seen(s.sim, 0));
    assert_int_equal(gw_sim_frames_heard(s.sim), 0);
    assert_true(gw_sim_watches_axis(s.sim));
    assert_false(gw_sim_watches_bus(s.sim));
    gw_sim_mark(s.sim, "eb-s/probe-echo");
    for (unsigned i = 0; i < 2; i++) {
        assert_true(s.t->ops->send(s.t, (const uint8_t *)"abc", 3));
        assert_int_equal(receive(&s, 1000, got, NULL), 3);
    }
    const gw_sim_breaches *seen = gw_sim_breach_seen(s.sim, 0);
    assert_non_null(seen);
    assert_int_equal(seen->which, GW_SIM_DATA_CHANGED);
    assert_int_equal(seen->times, 2);
    assert_false(seen->at_least);
    assert_string_equal(seen->rule, "AXIS-02");
    assert_string_equal(seen->during, "eb-s/probe-echo");
    assert_true(seen->first_ns > 0 && seen->first_ns < gw_sim_now(s.sim));
    assert_null(gw_sim_breach_seen(s.sim, 1));
    assert_int_equal(gw_sim_frames_heard(s.sim), 2);
    end(&s);
}

/* A core that is wrong at every edge does not drown goldwire, and is counted all the same. */
static void many_breaches_are_told_few_times(void **state)
{
    uint8_t got[256];
    (void)state;
    scene s = begin(&(echo){.breach = GW_SIM_VALID_DROPPED});
    for (unsigned i = 0; i < 40; i++) {
        assert_true(s.t->ops->send(s.t, (const uint8_t *)"abc", 3));
        assert_int_equal(receive(&s, 1000, got, NULL), 3);
    }
    assert_int_equal(gw_sim_breach_seen(s.sim, 0)->times, 32);
    assert_true(gw_sim_breach_seen(s.sim, 0)->at_least);
    end(&s);
}

static void a_bus_in_use_is_no_breach(void **state)
{
    uint8_t got[256];
    (void)state;
    scene s = begin(&(echo){.watches = true});
    assert_true(gw_sim_watches_bus(s.sim));
    assert_false(gw_sim_bus_used(s.sim));
    assert_true(s.t->ops->send(s.t, (const uint8_t *)"abc", 3));
    assert_int_equal(receive(&s, 1000, got, NULL), 3);
    assert_true(gw_sim_bus_used(s.sim));
    assert_null(gw_sim_breach_seen(s.sim, 0));
    end(&s);
}

static void an_end_is_told(void **state)
{
    uint8_t got[256];
    (void)state;
    scene s = begin(&(echo){.die_after = 1});
    assert_true(s.t->ops->send(s.t, (const uint8_t *)"x", 1));
    assert_int_equal(receive(&s, 1000000, got, NULL), 0);
    assert_true(s.t->unreachable);
    lost_because(s.sim, "ended by itself");
    /* Whoever still waits comes to an end. */
    int64_t now = gw_sim_now(s.sim);
    s.t->ops->wait(s.t, now + 777);
    assert_int_equal(gw_sim_now(s.sim), now + 777);
    assert_false(s.t->ops->send(s.t, got, 1));
    gw_transport_close(s.t);
    assert_int_equal(WEXITSTATUS(end_child(s.child)), 3);

    /* The next simulator's time goes on where the clock stands. */
    char why[256] = "";
    s.child = start_echo(&(echo){0});
    assert_true(gw_sim_await(s.sim, WAIT_NS, why, sizeof(why)));
    s.t = gw_sim_open(s.sim, 0, &here, &there, why, sizeof(why));
    assert_int_equal(gw_sim_now(s.sim), now + 777);
    assert_true(s.t->ops->send(s.t, (const uint8_t *)"again", 5));
    assert_int_equal(receive(&s, 1000, got, NULL), 5);
    end(&s);
}

static void a_killed_simulator_is_noticed(void **state)
{
    uint8_t got[256];
    (void)state;
    scene s = begin(&(echo){0});
    assert_int_equal(kill(s.child, SIGKILL), 0);
    (void)end_child(s.child);
    assert_int_equal(receive(&s, 1000, got, NULL), 0);
    lost_because(s.sim, "the simulator is gone");
    gw_transport_close(s.t);
    gw_sim_free(s.sim);
}

static void a_hung_simulator_is_noticed(void **state)
{
    uint8_t got[256];
    (void)state;
    scene s = begin(&(echo){0});
    gw_sim_guard(s.sim, INT64_C(1500000000));
    assert_int_equal(kill(s.child, SIGSTOP), 0);
    assert_int_equal(receive(&s, 1000, got, NULL), 0);
    lost_because(s.sim, "hangs");
    assert_int_equal(kill(s.child, SIGKILL), 0);
    assert_int_equal(kill(s.child, SIGCONT), 0);
    (void)end_child(s.child);
    gw_transport_close(s.t);
    gw_sim_free(s.sim);
}

static void a_port_that_is_not_there_is_refused(void **state)
{
    char why[256] = "";
    (void)state;
    scene s = begin(&(echo){0});
    assert_null(gw_sim_open(s.sim, 3, &here, &there, why, sizeof(why)));
    assert_non_null(strstr(why, "no port 3"));
    assert_null(gw_sim_open(s.sim, 15, &here, &there, why, sizeof(why)));
    assert_false(gw_sim_is_ethernet(s.sim, 0));
    assert_true(gw_sim_is_datagrams(s.sim, 0));
    end(&s);
}

static void names_are_checked(void **state)
{
    char why[256] = "";
    (void)state;
    assert_null(gw_sim_listen("", why, sizeof(why)));
    assert_null(gw_sim_listen("../x", why, sizeof(why)));
    assert_non_null(strstr(why, "letters"));
    const char *name = choose_name();
    gw_sim *sim = listen_as(name);
    assert_null(gw_sim_listen(name, why, sizeof(why)));
    assert_non_null(strstr(why, "another goldwire"));
    /* The look did no harm, and without a simulator there is nothing to wait for. */
    assert_false(gw_sim_await(sim, INT64_C(150000000), why, sizeof(why)));
    assert_non_null(strstr(why, "GOLDWIRE_COSIM="));
    assert_int_equal(access(gw_sim_path(sim), F_OK), 0);
    char path[128];
    (void)snprintf(path, sizeof(path), "%s", gw_sim_path(sim));
    gw_sim_free(sim);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* ---- what simulators do wrong ---- */

static int call(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    return fd;
}

static void say(int fd, uint32_t command, const uint8_t *body, uint32_t len, uint32_t flags)
{
    uint8_t header[GW_WIRE_HEADER];
    gw_wire_head head = {command, len, 0, flags, 0};
    gw_wire_put_head(header, &head);
    assert_int_equal(write(fd, header, sizeof(header)), sizeof(header));
    if (len > 0)
        assert_int_equal(write(fd, body, len), len);
}

/* Says hello for a testbench with port 0 only. */
static void say_hello(int fd, unsigned major)
{
    uint8_t body[24] = {0};
    gw_wire_put16(body, major);
    gw_wire_put16(body + 2, 3);
    gw_wire_put16(body + 18, GW_WIRE_VERSION);
    gw_wire_put32(body + 4, 12);
    gw_wire_put32(body + 12, GW_WIRE_MAGIC);
    body[16] = (uint8_t)-12;
    body[17] = 1;
    body[21] = GW_SIM_UDP;
    body[22] = 1;
    say(fd, GW_WIRE_HELLO, body, sizeof(body), 0);
}

static void another_version_is_refused(void **state)
{
    char why[256] = "";
    (void)state;
    gw_sim *sim = listen_here();
    int fd = call(gw_sim_path(sim));
    say_hello(fd, 5);
    assert_false(gw_sim_await(sim, WAIT_NS, why, sizeof(why)));
    assert_non_null(strstr(why, "version 5.3"));
    (void)close(fd);
    fd = call(gw_sim_path(sim));
    say(fd, GW_WIRE_SYNC, (const uint8_t *)"12345678", 8, 0);
    assert_false(gw_sim_await(sim, WAIT_NS, why, sizeof(why)));
    assert_non_null(strstr(why, "no simulator"));
    (void)close(fd);
    gw_sim_free(sim);
}

static gw_sim *greeted(int *fd, const uint8_t *ports, unsigned num, char why[256])
{
    uint8_t body[20 + 4 * 4] = {0};
    gw_sim *sim = listen_here();
    *fd = call(gw_sim_path(sim));
    gw_wire_put16(body, GW_WIRE_MAJOR);
    gw_wire_put32(body + 12, GW_WIRE_MAGIC);
    gw_wire_put16(body + 18, GW_WIRE_VERSION);
    body[16] = (uint8_t)-12;
    body[17] = (uint8_t)num;
    memcpy(body + 20, ports, (size_t)4 * num);
    say(*fd, GW_WIRE_HELLO, body, 20 + 4 * num, 0);
    bool called = gw_sim_await(sim, WAIT_NS, why, 256);
    assert_int_equal(called, why[0] == '\0');
    return sim;
}

static void ports_that_cannot_be_are_refused(void **state)
{
    static const uint8_t wrongs[][8] = {
        {16, GW_SIM_UDP, 4, 0},     {0, 0, 4, 0},
        {0, GW_SIM_AXIL + 1, 4, 0}, {0, GW_SIM_UDP, 0, 0},
        {0, GW_SIM_UDP, 65, 0},     {3, GW_SIM_UDP, 4, 0, 3, GW_SIM_ETHERNET, 8, 0},
    };
    int fd;
    (void)state;
    for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
        char why[256] = "";
        gw_sim *sim = greeted(&fd, wrongs[i], i == 5 ? 2 : 1, why);
        assert_non_null(strstr(why, "garbage: port"));
        gw_sim_free(sim);
        (void)close(fd);
    }
}

/* The first one is not disturbed, and the second one does not wait for ever. */
static void a_second_testbench_is_refused(void **state)
{
    uint8_t got[256];
    uint8_t message[128] = {0};
    (void)state;
    scene s = begin(&(echo){.deaf = true});
    int fd = call(gw_sim_path(s.sim));
    say_hello(fd, GW_WIRE_MAJOR);
    /* It is looked for while the first one is waited for. */
    for (unsigned i = 0; i < 100 && recv(fd, message, sizeof(message), MSG_DONTWAIT) <= 0; i++)
        s.t->ops->wait(s.t, gw_sim_now(s.sim) + 1000000);
    assert_int_equal(gw_wire_get_head(message).command, GW_WIRE_ERROR);
    assert_non_null(strstr((const char *)message + GW_WIRE_HEADER + 8, "another testbench"));
    assert_true(recv(fd, message, sizeof(message), 0) <= 0);
    (void)close(fd);
    assert_int_equal(receive(&s, 1000, got, NULL), 0);
    assert_false(s.t->unreachable);
    end(&s);
}

/* It called, told its ports, and died: before anything is asked, or with half a word. */
static void one_that_dies_before_a_case_is_told(void **state)
{
    static const uint8_t port[] = {0, GW_SIM_UDP, 1, 0};
    (void)state;
    for (unsigned half = 0; half < 2; half++) {
        char why[256] = "";
        int fd;
        gw_sim *sim = greeted(&fd, port, 1, why);
        gw_transport *t = gw_sim_open(sim, 0, &here, &there, why, sizeof(why));
        assert_non_null(t);
        if (half == 1)
            assert_int_equal(write(fd, "\0\0\0", 3), 3);
        (void)close(fd);
        t->ops->wait(t, 5000);
        lost_because(sim, "the simulator is gone");
        assert_int_equal(gw_sim_now(sim), 5000);
        gw_transport_close(t);
        gw_sim_free(sim);
    }
}

/* It stands still before the time that it was asked to go to, and nothing has come: whoever waited
 * for that time would ask for ever. */
static void time_that_does_not_pass_is_told(void **state)
{
    static const uint8_t port[] = {0, GW_SIM_UDP, 1, 0};
    char why[256] = "";
    uint8_t message[GW_WIRE_HEADER + 8] = {0};
    /* As goldwire's first SYNC will be numbered, behind its HELLO. */
    const gw_wire_head head = {GW_WIRE_SYNC, 8, 2, GW_WIRE_RESPONSE, 0};
    int fd;
    (void)state;
    gw_sim *sim = greeted(&fd, port, 1, why);
    gw_transport *t = gw_sim_open(sim, 0, &here, &there, why, sizeof(why));
    assert_non_null(t);
    gw_wire_put_head(message, &head);
    assert_int_equal(write(fd, message, sizeof(message)), sizeof(message));
    t->ops->wait(t, 5000);
    lost_because(sim, "stands still at 0 ns");
    assert_int_equal(gw_sim_now(sim), 5000);
    gw_transport_close(t);
    gw_sim_free(sim);
    (void)close(fd);
}

typedef struct wrong {
    const char *what; /* goldwire says */
    uint32_t command;
    uint32_t flags;
    uint8_t body[64];
    uint32_t len;
    unsigned times;
} wrong;

static void garbage_ends_the_conversation(void **state)
{
    const wrong wrongs[] = {
        {"garbage: command", 0x1234, 0, {0}, 0, 1},
        {"answer to no SYNC", GW_WIRE_SYNC, GW_WIRE_RESPONSE, {0}, 8, 1},
        {"answer to no SYNC", GW_WIRE_SYNC, 0, {0}, 2, 1},
        {"data of port", GW_WIRE_WRITE, GW_WIRE_POSTED, {0}, 10, 1},
        {"stands still", GW_WIRE_NOP, GW_WIRE_POSTED, {0}, 8, 30},
        {"gave up at 5 ns: no idea",
         GW_WIRE_ERROR,
         GW_WIRE_OPTIONAL,
         {0, 0, 0, 0, 0, 0, 5000 >> 8, 5000 & 255, 'n', 'o', ' ', 'i', 'd', 'e', 'a'},
         15,
         1},
    };
    char why[256] = "";
    uint8_t got[256];
    (void)state;
    for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
        scene s = {.sim = listen_here()};
        int fd = call(gw_sim_path(s.sim));
        say_hello(fd, 4);
        assert_true(gw_sim_await(s.sim, WAIT_NS, why, sizeof(why)));
        s.t = gw_sim_open(s.sim, 0, &here, &there, why, sizeof(why));
        for (unsigned k = 0; k < wrongs[i].times; k++)
            say(fd, wrongs[i].command, wrongs[i].body, wrongs[i].len, wrongs[i].flags);
        assert_int_equal(receive(&s, 1000, got, NULL), 0);
        lost_because(s.sim, wrongs[i].what);
        gw_transport_close(s.t);
        gw_sim_free(s.sim);
        (void)close(fd);
    }
}

static void a_long_message_is_refused(void **state)
{
    char why[256] = "";
    uint8_t got[256];
    uint8_t header[GW_WIRE_HEADER];
    (void)state;
    scene s = {.sim = listen_here()};
    int fd = call(gw_sim_path(s.sim));
    say_hello(fd, 4);
    assert_true(gw_sim_await(s.sim, WAIT_NS, why, sizeof(why)));
    s.t = gw_sim_open(s.sim, 0, &here, &there, why, sizeof(why));
    gw_wire_head head = {GW_WIRE_WRITE, UINT32_MAX, 0, GW_WIRE_POSTED, 0};
    gw_wire_put_head(header, &head);
    assert_int_equal(write(fd, header, sizeof(header)), sizeof(header));
    assert_int_equal(receive(&s, 1000, got, NULL), 0);
    lost_because(s.sim, "4294967295 bytes");
    gw_transport_close(s.t);
    gw_sim_free(s.sim);
    (void)close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_come_back_in_their_own_time),
        cmocka_unit_test(time_passes_only_while_somebody_waits),
        cmocka_unit_test(waiting_keeps_what_comes),
        cmocka_unit_test(a_core_that_takes_nothing_is_silent),
        cmocka_unit_test(the_reset_wire_is_pulled),
        cmocka_unit_test(breaches_are_counted),
        cmocka_unit_test(many_breaches_are_told_few_times),
        cmocka_unit_test(a_bus_in_use_is_no_breach),
        cmocka_unit_test(an_end_is_told),
        cmocka_unit_test(a_killed_simulator_is_noticed),
        cmocka_unit_test(a_hung_simulator_is_noticed),
        cmocka_unit_test(a_port_that_is_not_there_is_refused),
        cmocka_unit_test(names_are_checked),
        cmocka_unit_test(another_version_is_refused),
        cmocka_unit_test(ports_that_cannot_be_are_refused),
        cmocka_unit_test(a_second_testbench_is_refused),
        cmocka_unit_test(one_that_dies_before_a_case_is_told),
        cmocka_unit_test(time_that_does_not_pass_is_told),
        cmocka_unit_test(garbage_ends_the_conversation),
        cmocka_unit_test(a_long_message_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
