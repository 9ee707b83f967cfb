/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards behind real sockets, in this process and in children. Ports are the kernel's choice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "boards/host.h"
#include "boards/spawn.h"
#include "boards/talk_testing.h"
#include "goldwire/etherbone.h"

#define SECOND INT64_C(1000000000)

static const gw_peer_config plain;

static gw_transport *call(const char *text)
{
    gw_url url;
    char why[256] = "";
    bool unreachable = false;
    if (!gw_url_parse(&url, text, why, sizeof(why)))
        fail_msg("%s", why);
    gw_transport *t = gw_transport_open(&url, 10 * SECOND, &unreachable, why, sizeof(why));
    if (t == NULL)
        fail_msg("%s", why);
    return t;
}

static gw_spawn *spawn_slave(const gw_peer_config *config)
{
    static const gw_spawn_link listen[] = {{.url = "udp://127.0.0.1:0"},
                                           {.url = "tcp://127.0.0.1:0"}};
    char why[256] = "";
    gw_spawn *spawn = gw_spawn_board(gw_board_by_role("etherbone-slave"), config, listen,
                                     GW_ARRAY_LEN(listen), why, sizeof(why));
    if (spawn == NULL)
        fail_msg("%s", why);
    assert_true(gw_spawn_alive(spawn));
    assert_null(gw_spawn_url(spawn, 2));
    return spawn;
}

static void serves_several_clients_at_once(void **state)
{
    (void)state;
    gw_spawn *spawn = spawn_slave(&plain);
    const char *udp = gw_spawn_url(spawn, 0);
    const char *tcp = gw_spawn_url(spawn, 1);
    gw_transport *a = call(udp);
    gw_transport *b = call(udp);
    gw_transport *c = call(tcp);
    gw_transport *d = call(tcp);
    say(c, "4e6f1144 0000");
    say(a, "4e6f1144 00000001");
    say(b, "4e6f1144 00000002");
    hear(b, "4e6f16ff 00000002");
    hear(a, "4e6f16ff 00000001");
    ask(d, "4e6f1144 00000004", "4e6f16ff 00000004");
    ask(c, "0003", "4e6f16ff 00000003");
    ask(a, "4e6f1044 080f0101 00000000 12345678 00008000 00000000",
        "4e6f1444 080f0100 00008000 12345678");
    ask(c, "080f0001 00008000 00000000", "080f0100 00008000 12345678");
    /* each has an error register of its own */
    ask(b, "4e6f1044 080f0001 00008000 00100000", "4e6f1444 080f0100 00008000 00000000");
    ask(a, "4e6f1044 480f0001 00008000 00000004", "4e6f1444 080f0100 00008000 00000000");
    ask(b, "4e6f1044 480f0001 00008000 00000004", "4e6f1444 080f0100 00008000 00000001");
    gw_transport_close(c);
    ask(d, "080f0001 00008000 00000000", "080f0100 00008000 12345678");
    gw_transport_close(a);
    gw_transport_close(b);
    gw_transport_close(d);
    assert_true(gw_spawn_stop(spawn));
}

static void many_senders_come_and_go(void **state)
{
    (void)state;
    gw_spawn *spawn = spawn_slave(&plain);
    gw_transport *stream = call(gw_spawn_url(spawn, 1));
    ask(stream, "4e6f1144 00000009", "4e6f16ff 00000009");
    gw_transport *first = call(gw_spawn_url(spawn, 0));
    ask(first, "4e6f1144 00000001", "4e6f16ff 00000001");
    for (unsigned i = 0; i < 3 * GW_PEER_MAX_CONNS; i++) {
        gw_transport *t = call(gw_spawn_url(spawn, 0));
        ask(t, "4e6f1144 00000002", "4e6f16ff 00000002");
        gw_transport_close(t);
    }
    /* forgotten meanwhile, and served all the same; the connection was never given up */
    ask(first, "4e6f1144 00000003", "4e6f16ff 00000003");
    ask(stream, "080f0001 00008000 00020000", "080f0100 00008000 c0de0000");
    gw_transport_close(first);
    gw_transport_close(stream);
    assert_true(gw_spawn_stop(spawn));
}

/* An EtherBone slave does not mind RoCEv2's way of using sockets. */
static void impairs_its_datagrams(void **state)
{
    static const struct {
        const char *url;
        unsigned answers; /* to two probes */
    } ways[] = {
        {"roce://127.0.0.1:0", 2},
        {"roce://127.0.0.1:0?duplicate=1", 8},
        {"udp://127.0.0.1:0?loss=1", 0},
        {"udp://127.0.0.1:0?reorder=1", 2},
        {"udp://127.0.0.1:0?corrupt=1", 0}, /* there is a checksum */
        {"udp://127.0.0.1:0?mtu=68&jitter=1ms", 2},
        {"udp://127.0.0.1:0?outage=0+3600s", 0},
    };
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(ways); i++) {
        static const uint8_t probe[] = {0x4e, 0x6f, 0x11, 0x44, 0, 0, 0, 1};
        gw_spawn_link listen = {.url = ways[i].url};
        char why[256] = "";
        uint8_t answer[16];
        size_t len;
        unsigned answers = 0;
        gw_spawn *spawn = gw_spawn_board(gw_board_by_role("etherbone-slave"), &plain, &listen, 1,
                                         why, sizeof(why));
        assert_non_null(spawn);
        gw_transport *t = call(gw_spawn_url(spawn, 0));
        for (unsigned k = 0; k < 2; k++)
            assert_true(t->ops->send(t, probe, sizeof(probe)));
        for (;;) {
            int64_t patience = answers < ways[i].answers ? 10 * SECOND : SECOND / 50;
            if (t->ops->recv(t, answer, sizeof(answer), &len, t->ops->now(t) + patience, NULL,
                             NULL) != GW_RECV_DATA)
                break;
            answers++;
        }
        assert_int_equal(answers, ways[i].answers);
        gw_transport_close(t);
        assert_true(gw_spawn_stop(spawn));
    }
}

static void takes_the_time_it_is_told_to(void **state)
{
    gw_spawn_link listen = {.url = "udp://127.0.0.1:0?rtt=60ms"};
    char why[256] = "";
    (void)state;
    gw_spawn *spawn =
        gw_spawn_board(gw_board_by_role("etherbone-slave"), &plain, &listen, 1, why, sizeof(why));
    assert_non_null(spawn);
    gw_transport *t = call(gw_spawn_url(spawn, 0));
    int64_t begin = t->ops->now(t);
    ask(t, "4e6f1144 00000001", "4e6f16ff 00000001");
    assert_true(t->ops->now(t) - begin >= 60000000);
    gw_transport_close(t);
    assert_true(gw_spawn_stop(spawn));
}

/* Somebody who asks and asks and takes no answers holds up nobody else. */
static void a_stuck_client_harms_itself_only(void **state)
{
    (void)state;
    gw_spawn *spawn = spawn_slave(&plain);
    gw_transport *stuck = call(gw_spawn_url(spawn, 1));
    gw_transport *other = call(gw_spawn_url(spawn, 1));
    uint8_t bytes[24 * 1000];
    ask(stuck, "4e6f1188 00000001", "4e6f16ff 00000001");
    for (size_t at = 0; at < sizeof(bytes); at += 24)
        unhex(bytes + at, "08ff0001 00000000 0000000000008000 0000000000020000");
    for (unsigned i = 0; i < 40; i++)
        assert_true(stuck->ops->send(stuck, bytes, sizeof(bytes)));
    ask(other, "4e6f1144 00000002", "4e6f16ff 00000002");
    /* What was asked is answered to the last byte, once it is taken. */
    size_t left = 40 * sizeof(bytes);
    static uint8_t got[65536];
    while (left > 0) {
        size_t len = 0;
        assert_int_equal(stuck->ops->recv(stuck, got, sizeof(got), &len,
                                          stuck->ops->now(stuck) + 10 * SECOND, NULL, NULL),
                         GW_RECV_DATA);
        assert_true(len <= left);
        left -= len;
    }
    gw_transport_close(stuck);
    gw_transport_close(other);
    assert_true(gw_spawn_stop(spawn));
}

static void closes_when_the_board_says_so(void **state)
{
    (void)state;
    gw_spawn *spawn = spawn_slave(&plain);
    gw_transport *t = call(gw_spawn_url(spawn, 1));
    ask(t, "4e6f1104 00000001", "4e6f16ff 00000001");
    hear_close(t);
    gw_transport_close(t);
    assert_true(gw_spawn_stop(spawn));
}

/* What somebody sent while the board waited for another one is looked at when that one is gone. */
static void closes_others_at_the_end_of_one(void **state)
{
    const gw_peer_config config = {.dialect = gw_dialect_by_name(&gw_etherbone, "libetherbone")};
    (void)state;
    gw_spawn *spawn = spawn_slave(&config);
    gw_transport *a = call(gw_spawn_url(spawn, 1));
    gw_transport *b = call(gw_spawn_url(spawn, 1));
    gw_transport *sign = call(gw_spawn_url(spawn, 0));
    ask(a, "4e6f1144 00000001", "4e6f16ff 00000001");
    ask(b, "4e6f1144 00000002", "4e6f16ff 00000002");
    ask(a, "000f0001 00008000 00020000", "000f0100 00008000 c0de0000"); /* the cycle stays open */
    say(b, "08");                                                       /* no record */
    ask(sign, "4e6f1144 00000003", "4e6f16ff 00000003");                /* that is there */
    gw_transport_close(a);
    hear_close(b);
    gw_transport_close(b);
    gw_transport_close(sign);
    assert_true(gw_spawn_stop(spawn));
}

static void a_port_in_use_is_explained(void **state)
{
    (void)state;
    gw_spawn *spawn = spawn_slave(&plain);
    const gw_board *board = gw_board_by_role("etherbone-slave");
    for (size_t i = 0; i < 2; i++) {
        const gw_spawn_link listen = {.url = gw_spawn_url(spawn, i)};
        char why[256] = "";
        assert_null(gw_spawn_board(board, &plain, &listen, 1, why, sizeof(why)));
        assert_non_null(strstr(why, listen.url));
        assert_non_null(strstr(why, "Address already in use"));
        assert_non_null(strstr(why, "port 0 lets the kernel choose"));
    }
    assert_true(gw_spawn_stop(spawn));
}

static void wait_for_end(gw_spawn *spawn)
{
    for (unsigned i = 0; i < 1000 && gw_spawn_alive(spawn); i++)
        usleep(10000);
    assert_false(gw_spawn_alive(spawn));
}

static void a_master_calls_and_ends(void **state)
{
    (void)state;
    gw_spawn *slave = spawn_slave(&plain);
    for (size_t i = 0; i < 2; i++) {
        char why[256] = "";
        gw_spawn *master = gw_spawn_caller(gw_board_by_role("etherbone-master"), &plain,
                                           gw_spawn_url(slave, i), why, sizeof(why));
        if (master == NULL)
            fail_msg("%s", why);
        wait_for_end(master);
        assert_true(gw_spawn_stop(master));
    }
    assert_true(gw_spawn_stop(slave));
}

/* The same in one process: the report tells how it went. */
static void a_host_tells_what_its_board_did(void **state)
{
    (void)state;
    char why[256] = "";
    gw_url url;
    static const volatile sig_atomic_t never = 0;
    gw_spawn *slave = spawn_slave(&plain);
    gw_host *host = gw_host_new(gw_board_by_role("etherbone-master"), &plain, why, sizeof(why));
    assert_non_null(host);
    assert_true(gw_url_parse(&url, gw_spawn_url(slave, 0), why, sizeof(why)));
    assert_true(gw_host_call(host, 0, &url, 10 * SECOND, why, sizeof(why)));
    assert_true(gw_host_run(host, &never, why, sizeof(why)));
    assert_true(gw_host_report(host, why, sizeof(why)));
    assert_non_null(strstr(why, "10 of 10 tasks done"));
    gw_host_free(host);
    assert_true(gw_spawn_stop(slave));
}

static void stops_when_told(void **state)
{
    (void)state;
    char why[256] = "";
    gw_url url;
    char text[96];
    static volatile sig_atomic_t stop = 1;
    gw_host *host = gw_host_new(gw_board_by_role("etherbone-slave"), &plain, why, sizeof(why));
    assert_non_null(host);
    assert_true(gw_url_parse(&url, "tcp://127.0.0.1:0", why, sizeof(why)));
    assert_true(gw_host_listen(host, 0, &url, why, sizeof(why)));
    assert_int_equal(gw_host_count(host), 1);
    assert_int_equal(gw_host_link(host, 0), 0);
    assert_int_equal(strncmp(gw_host_url(host, 0, text, sizeof(text)), "tcp://127.0.0.1:", 16), 0);
    assert_true(gw_host_run(host, &stop, why, sizeof(why)));
    assert_true(gw_url_parse(&url, "peer:x", why, sizeof(why)));
    assert_false(gw_host_listen(host, 0, &url, why, sizeof(why)));
    gw_host_free(host);
}

/* ---- several links, one order ---- */

#define IN_TURN 40

/* A board that notes what it is told: one byte a datagram. */
typedef struct noting {
    size_t num;
    uint8_t heard[IN_TURN];
} noting;

static noting *noted;

static bool noting_init(void *board, const gw_peer_config *config, char *why, size_t why_cap)
{
    (void)config;
    (void)why;
    (void)why_cap;
    noted = board;
    return true;
}

static int64_t noting_step(void *board, const gw_peer_event *event, int64_t now, gw_peer_out *out)
{
    noting *n = board;
    (void)now;
    (void)out;
    if (event->kind == GW_PEER_BYTES && event->len == 1 && n->num < IN_TURN)
        n->heard[n->num++] = event->data[0];
    return GW_PEER_NEVER;
}

static bool noting_done(const void *board)
{
    return ((const noting *)board)->num == IN_TURN;
}

static void noting_fini(void *board)
{
    (void)board;
}

static const char *const three_links[] = {"a", "b", "c", NULL};
static const gw_board noting_board = {
    .role = "noting",
    .links = three_links,
    .size = sizeof(noting),
    .init = noting_init,
    .step = noting_step,
    .done = noting_done,
    .fini = noting_fini,
};

/* However long a board was busy: what came first over any of its links is first. */
static void links_keep_their_common_order(void **state)
{
    (void)state;
    static const volatile sig_atomic_t never = 0;
    char why[256] = "";
    char text[96];
    gw_url url;
    gw_transport *ends[3];
    gw_host *host = gw_host_new(&noting_board, &plain, why, sizeof(why));
    assert_non_null(host);
    assert_true(gw_url_parse(&url, "udp://127.0.0.1:0", why, sizeof(why)));
    for (unsigned i = 0; i < GW_ARRAY_LEN(ends); i++) {
        assert_true(gw_host_listen(host, i, &url, why, sizeof(why)));
        ends[i] = call(gw_host_url(host, i, text, sizeof(text)));
    }
    for (uint8_t i = 0; i < IN_TURN; i++) {
        gw_transport *t = ends[i % 7 % 3];
        assert_true(t->ops->send(t, &i, 1));
    }
    assert_true(gw_host_run(host, &never, why, sizeof(why)));
    for (uint8_t i = 0; i < IN_TURN; i++)
        assert_int_equal(noted->heard[i], i);
    for (unsigned i = 0; i < GW_ARRAY_LEN(ends); i++)
        gw_transport_close(ends[i]);
    gw_host_free(host);
}

/* ---- processes that do not end well ---- */

static bool bad_init(void *board, const gw_peer_config *config, char *why, size_t why_cap)
{
    (void)board;
    (void)config;
    (void)why;
    (void)why_cap;
    return true;
}

static int64_t bad_step(void *board, const gw_peer_event *event, int64_t now, gw_peer_out *out)
{
    (void)board;
    (void)now;
    (void)out;
    if (event->kind == GW_PEER_BYTES && event->len == 1)
        _exit(3);
    while (event->kind == GW_PEER_BYTES)
        pause();
    return GW_PEER_NEVER;
}

static void bad_fini(void *board)
{
    (void)board;
}

static const char *const links[] = {"net", NULL};
static const gw_board bad_board = {
    .role = "bad",
    .links = links,
    .size = 1,
    .init = bad_init,
    .step = bad_step,
    .fini = bad_fini,
};

static void crashed_and_stuck_processes_end_too(void **state)
{
    (void)state;
    static const gw_spawn_link listen = {.url = "udp://127.0.0.1:0"};
    static const char *const packets[] = {"00", "0000"};
    for (size_t i = 0; i < 2; i++) {
        char why[256] = "";
        gw_spawn *spawn = gw_spawn_board(&bad_board, &plain, &listen, 1, why, sizeof(why));
        assert_non_null(spawn);
        gw_transport *t = call(gw_spawn_url(spawn, 0));
        say(t, packets[i]);
        if (i == 0)
            wait_for_end(spawn);
        else
            t->ops->wait(t, t->ops->now(t) + SECOND / 10); /* until it is stuck */
        gw_transport_close(t);
        assert_false(gw_spawn_stop(spawn));
    }
}

/* A parent that dies without a word takes its board along. */
static void boards_do_not_outlive_their_parent(void **state)
{
    (void)state;
    int ends[2];
    char url[96] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t parent = fork();
    if (parent == 0) {
        gw_spawn *spawn = spawn_slave(&plain);
        const char *text = gw_spawn_url(spawn, 0);
        _exit(write(ends[1], text, strlen(text) + 1) > 0 ? 0 : 1);
    }
    int status = 0;
    assert_true(read(ends[0], url, sizeof(url)) > 0);
    close(ends[0]);
    close(ends[1]);
    assert_int_equal(waitpid(parent, &status, 0), parent);
    assert_int_equal(status, 0);
    gw_transport *t = call(url);
    bool gone = false;
    for (unsigned i = 0; i < 1000 && !gone; i++) {
        uint8_t buf[64];
        size_t len;
        say(t, "4e6f1144 00000001");
        gone = t->ops->recv(t, buf, sizeof(buf), &len, t->ops->now(t) + SECOND / 100, NULL, NULL) ==
               GW_RECV_ERROR;
    }
    assert_true(gone && t->unreachable);
    gw_transport_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serves_several_clients_at_once),
        cmocka_unit_test(many_senders_come_and_go),
        cmocka_unit_test(impairs_its_datagrams),
        cmocka_unit_test(takes_the_time_it_is_told_to),
        cmocka_unit_test(a_stuck_client_harms_itself_only),
        cmocka_unit_test(closes_when_the_board_says_so),
        cmocka_unit_test(closes_others_at_the_end_of_one),
        cmocka_unit_test(a_port_in_use_is_explained),
        cmocka_unit_test(a_master_calls_and_ends),
        cmocka_unit_test(a_host_tells_what_its_board_did),
        cmocka_unit_test(stops_when_told),
        cmocka_unit_test(links_keep_their_common_order),
        cmocka_unit_test(crashed_and_stuck_processes_end_too),
        cmocka_unit_test(boards_do_not_outlive_their_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
