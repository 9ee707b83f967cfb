/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP and TCP transports over loopback, on ports that the kernel chooses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/socket.h"
#include "harness/transport.h"

#define SECOND INT64_C(1000000000)
#define LONG (10 * SECOND)

static gw_url url_of(const char *scheme, const char *host, uint16_t port)
{
    gw_url url = {.port = port, .has_port = true};
    snprintf(url.scheme, sizeof(url.scheme), "%s", scheme);
    snprintf(url.host, sizeof(url.host), "%s", host);
    return url;
}

static gw_transport *serve(const char *scheme, const char *host)
{
    char why[256] = "";
    gw_url url = url_of(scheme, host, 0);
    gw_transport *t = gw_transport_serve(&url, why, sizeof(why));
    if (t == NULL) {
        fail_msg("%s", why);
        return NULL;
    }
    assert_int_not_equal(t->local.port, 0);
    return t;
}

static gw_transport *call(const char *scheme, const char *host, uint16_t port)
{
    char why[256] = "";
    bool unreachable = false;
    gw_url url = url_of(scheme, host, port);
    gw_transport *t = gw_transport_open(&url, LONG, &unreachable, why, sizeof(why));
    if (t == NULL) {
        fail_msg("%s", why);
        return NULL;
    }
    assert_int_equal(t->remote.port, port);
    return t;
}

static void expect(gw_transport *t, const void *bytes, size_t len)
{
    uint8_t buf[256];
    size_t got = 0;
    while (got < len) {
        size_t n = 0;
        gw_recv_status status =
            t->ops->recv(t, buf + got, sizeof(buf) - got, &n, t->ops->now(t) + LONG, NULL, NULL);
        assert_int_equal(status, GW_RECV_DATA);
        got += n;
    }
    assert_int_equal(got, len);
    assert_memory_equal(buf, bytes, len);
}

static bool send_text(gw_transport *t, const char *text)
{
    return t->ops->send(t, (const uint8_t *)text, strlen(text));
}

static gw_recv_status try_recv(gw_transport *t, int64_t deadline)
{
    uint8_t buf[16];
    size_t len;
    return t->ops->recv(t, buf, sizeof(buf), &len, deadline, NULL, NULL);
}

static void exchange(const char *scheme, const char *host)
{
    gw_transport *server = serve(scheme, host);
    gw_transport *client = call(scheme, host, server->local.port);
    assert_true(send_text(client, "ping"));
    expect(server, "ping", 4);
    assert_true(gw_endpoint_equal(&server->remote, &client->local));
    assert_true(send_text(server, "pong"));
    expect(client, "pong", 4);
    gw_transport_close(client);
    gw_transport_close(server);
}

static void carries_both_ways(void **state)
{
    (void)state;
    exchange("udp", "127.0.0.1");
    exchange("tcp", "127.0.0.1");
}

static void carries_ipv6(void **state)
{
    (void)state;
    char why[256];
    gw_url url = url_of("udp", "::1", 0);
    gw_transport *probe = gw_transport_serve(&url, why, sizeof(why));
    if (probe == NULL)
        skip();
    gw_transport_close(probe);
    exchange("udp", "::1");
    exchange("tcp", "::1");
}

static void stamps_and_senders(void **state)
{
    (void)state;
    gw_transport *server = serve("udp", "127.0.0.1");
    gw_transport *client = call("udp", "127.0.0.1", server->local.port);
    int64_t before = gw_clock_ns(CLOCK_REALTIME);
    for (unsigned i = 0; i < 3; i++) {
        uint8_t buf[16];
        size_t len = 99;
        int64_t stamp = 0;
        gw_endpoint from = {0};
        assert_true(client->ops->send(client, buf, 0));
        assert_int_equal(server->ops->recv(server, buf, sizeof(buf), &len,
                                           server->ops->now(server) + LONG, &stamp, &from),
                         GW_RECV_DATA);
        assert_int_equal(len, 0);
        assert_true(stamp >= before && stamp <= gw_clock_ns(CLOCK_REALTIME));
        assert_true(gw_endpoint_equal(&from, &client->local));
    }
    gw_transport_close(client);
    gw_transport_close(server);
}

static void datagrams_are_cut_not_split(void **state)
{
    (void)state;
    gw_transport *server = serve("udp", "127.0.0.1");
    gw_transport *client = call("udp", "127.0.0.1", server->local.port);
    assert_true(send_text(client, "a long one"));
    assert_true(send_text(client, "b"));
    uint8_t buf[4];
    size_t len = 0;
    int64_t deadline = server->ops->now(server) + LONG;
    assert_int_equal(server->ops->recv(server, buf, sizeof(buf), &len, deadline, NULL, NULL),
                     GW_RECV_DATA);
    assert_int_equal(len, 4);
    assert_int_equal(server->ops->recv(server, buf, sizeof(buf), &len, deadline, NULL, NULL),
                     GW_RECV_DATA);
    assert_int_equal(len, 1);
    assert_int_equal(buf[0], 'b');
    gw_transport_close(client);
    gw_transport_close(server);
}

static void waits_until_the_deadline(void **state)
{
    (void)state;
    static const char *const schemes[] = {"udp", "tcp"};
    /* On both sides of the change from exact to coarse waiting. */
    static const int64_t waits[] = {-SECOND, 0, SECOND / 100, SECOND / 10};
    for (size_t i = 0; i < GW_ARRAY_LEN(schemes); i++) {
        gw_transport *server = serve(schemes[i], "127.0.0.1");
        gw_transport *client = call(schemes[i], "127.0.0.1", server->local.port);
        for (size_t k = 0; k < GW_ARRAY_LEN(waits); k++) {
            int64_t deadline = client->ops->now(client) + waits[k];
            assert_int_equal(try_recv(client, deadline), GW_RECV_TIMEOUT);
            assert_true(client->ops->now(client) >= deadline);
            assert_int_equal(try_recv(server, client->ops->now(client)), GW_RECV_TIMEOUT);
        }
        int64_t deadline = client->ops->now(client) + SECOND / 100;
        client->ops->wait(client, deadline);
        assert_true(client->ops->now(client) >= deadline);
        /* A deadline in the past takes what is there. */
        assert_true(send_text(client, "x"));
        assert_int_equal(try_recv(server, server->ops->now(server) + LONG), GW_RECV_DATA);
        assert_true(send_text(server, "y"));
        client->ops->wait(client, client->ops->now(client) + SECOND / 50);
        assert_int_equal(try_recv(client, 0), GW_RECV_DATA);
        gw_transport_close(client);
        gw_transport_close(server);
    }
}

static void notices_an_unreachable_port(void **state)
{
    (void)state;
    gw_transport *server = serve("udp", "127.0.0.1");
    uint16_t port = server->local.port;
    gw_transport *client = call("udp", "127.0.0.1", port);
    gw_transport_close(server);

    assert_true(send_text(client, "hello"));
    assert_int_equal(try_recv(client, client->ops->now(client) + LONG), GW_RECV_ERROR);
    assert_true(client->unreachable);
    assert_string_equal(client->error, "receive: Connection refused");
    /* The error of one datagram does not swallow the next. */
    assert_true(send_text(client, "a"));
    assert_true(send_text(client, "b"));
    assert_true(client->unreachable);

    char why[256];
    gw_url url = url_of("udp", "127.0.0.1", port);
    server = gw_transport_serve(&url, why, sizeof(why));
    if (server != NULL) { /* unless somebody else took the port meanwhile */
        try_recv(client, 0);
        assert_true(send_text(client, "again"));
        expect(server, "again", 5);
        assert_true(send_text(server, "here"));
        expect(client, "here", 4);
        assert_false(client->unreachable);
    }
    gw_transport_close(client);
    gw_transport_close(server);
}

static void tcp_refusal_and_close(void **state)
{
    (void)state;
    gw_transport *server = serve("tcp", "127.0.0.1");
    uint16_t port = server->local.port;
    gw_transport *client = call("tcp", "127.0.0.1", port);
    assert_true(send_text(client, "x"));
    expect(server, "x", 1);
    gw_transport_close(client);
    assert_int_equal(try_recv(server, server->ops->now(server) + LONG), GW_RECV_CLOSED);
    assert_false(send_text(server, "x"));

    /* The next caller is served. */
    client = call("tcp", "127.0.0.1", port);
    assert_true(send_text(client, "y"));
    expect(server, "y", 1);
    gw_transport_close(server);
    assert_int_equal(try_recv(client, client->ops->now(client) + LONG), GW_RECV_CLOSED);
    gw_transport_close(client);

    char why[256] = "";
    bool unreachable = false;
    gw_url url = url_of("tcp", "127.0.0.1", port);
    assert_null(gw_transport_open(&url, LONG, &unreachable, why, sizeof(why)));
    assert_true(unreachable);
    assert_non_null(strstr(why, "Connection refused"));
}

static void own_end_can_be_chosen(void **state)
{
    (void)state;
    gw_transport *server = serve("udp", "127.0.0.1");
    gw_url url = url_of("udp", "127.0.0.1", server->local.port);
    snprintf(url.local_host, sizeof(url.local_host), "127.0.0.2");
    char why[256] = "";
    bool unreachable = false;
    gw_transport *client = gw_transport_open(&url, LONG, &unreachable, why, sizeof(why));
    assert_non_null(client);
    assert_int_equal(client->local.ip[3], 2);
    gw_transport_close(client);

    snprintf(url.local_host, sizeof(url.local_host), "::1");
    assert_null(gw_transport_open(&url, LONG, &unreachable, why, sizeof(why)));
    assert_false(unreachable);
    assert_non_null(strstr(why, "another address family"));
    gw_transport_close(server);
}

/* Whoever talks to RoCEv2's port is answered there; elsewhere the kernel chooses. The addresses are
 * this process' own, so that nobody else is at that port. */
static void rocev2_is_answered_at_its_port(void **state)
{
    unsigned pid = (unsigned)getpid();
    unsigned a = pid / 250 % 250 + 1;
    unsigned b = pid % 250;
    char text[96];
    char why[256] = "";
    bool unreachable = false;
    gw_url url;
    (void)state;
    snprintf(text, sizeof(text), "roce://127.%u.%u.1?local=127.%u.%u.2", a, b, a, b);
    assert_true(gw_url_parse(&url, text, why, sizeof(why)));
    gw_transport *at = gw_transport_open(&url, LONG, &unreachable, why, sizeof(why));
    if (at == NULL) {
        fail_msg("%s", why);
        return;
    }
    assert_int_equal(at->remote.port, 4791);
    assert_int_equal(at->local.port, 4791);
    gw_transport_close(at);
    url.local_port = 4792;
    at = gw_transport_open(&url, LONG, &unreachable, why, sizeof(why));
    assert_non_null(at);
    assert_int_equal(at->local.port, 4792);
    gw_transport_close(at);
    url.local_port = 0;
    url.port = 4790;
    at = gw_transport_open(&url, LONG, &unreachable, why, sizeof(why));
    assert_non_null(at);
    assert_true(at->local.port > 1023 && at->local.port != 4791);
    gw_transport_close(at);
}

static void a_port_in_use_is_explained(void **state)
{
    (void)state;
    static const char *const schemes[] = {"udp", "tcp"};
    for (size_t i = 0; i < GW_ARRAY_LEN(schemes); i++) {
        gw_transport *server = serve(schemes[i], "127.0.0.1");
        gw_url url = url_of(schemes[i], "127.0.0.1", server->local.port);
        char why[256] = "";
        assert_null(gw_transport_serve(&url, why, sizeof(why)));
        assert_non_null(strstr(why, "Address already in use"));
        assert_non_null(strstr(why, "port 0 lets the kernel choose"));
        gw_transport_close(server);
    }
    gw_url url = url_of("peer", "x", 0);
    char why[256] = "";
    bool unreachable = false;
    assert_null(gw_transport_serve(&url, why, sizeof(why)));
    assert_null(gw_transport_open(&url, LONG, &unreachable, why, sizeof(why)));
}

static void can_leave_the_checksum_out(void **state)
{
    (void)state;
    gw_transport *server = serve("udp", "127.0.0.1");
    gw_transport *client = call("udp", "127.0.0.1", server->local.port);
    assert_non_null(client->ops->no_checksum);
    assert_true(client->ops->no_checksum(client, true));
    assert_true(send_text(client, "zero"));
    expect(server, "zero", 4);
    assert_true(client->ops->no_checksum(client, false));
    gw_transport_close(client);
    gw_transport_close(server);
}

/* Served at |host|, called at 127.0.0.1. */
static void comes_from_another_address(const char *host)
{
    uint8_t buf[16];
    size_t len = 0;
    gw_endpoint from = {.port = 0}, seen = {.port = 0};
    gw_transport *server = serve("udp", host);
    gw_transport *client = call("udp", "127.0.0.1", server->local.port);
    assert_false(server->ops->send_as_other(server, (const uint8_t *)"x", 1, &from));
    assert_true(send_text(client, "hello"));
    expect(server, "hello", 5);
    assert_true(server->ops->send_as_other(server, (const uint8_t *)"other", 5, &from));
    assert_int_equal(from.ip[0], 127);
    assert_int_equal(from.ip[3], 2);
    /* The client's socket takes what comes from whom it has called only. */
    assert_int_equal(client->ops->recv(client, buf, sizeof(buf), &len, 0, NULL, &seen),
                     GW_RECV_TIMEOUT);
    assert_true(send_text(server, "answer"));
    expect(client, "answer", 6);
    gw_transport_close(client);
    gw_transport_close(server);
}

static void another_address_is_another_sender(void **state)
{
    (void)state;
    comes_from_another_address("127.0.0.1");
    comes_from_another_address("0.0.0.0");
}

/* Where a slave answers at its own port, whoever shares its address is answered where it is. */
static void own_port_is_of_another_host(void **state)
{
    uint8_t buf[16];
    size_t n = 0;
    gw_transport *at = serve("udp", "127.0.0.1");
    gw_transport *from = call("udp", "127.0.0.1", at->local.port);
    (void)state;
    at->at_own_port = true;
    assert_true(from->ops->send(from, (const uint8_t *)"ask", 3));
    expect(at, "ask", 3);
    assert_int_equal(gw_transport_answer_port(at), from->local.port);
    assert_true(at->ops->send(at, (const uint8_t *)"yes", 3));
    assert_int_equal(
        from->ops->recv(from, buf, sizeof(buf), &n, from->ops->now(from) + LONG, NULL, NULL),
        GW_RECV_DATA);
    assert_int_equal(n, 3);
    gw_transport elsewhere = *at;
    elsewhere.remote.ip[3]++;
    assert_int_equal(gw_transport_answer_port(&elsewhere), at->local.port);
    gw_transport_close(from);
    gw_transport_close(at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carries_both_ways),
        cmocka_unit_test(carries_ipv6),
        cmocka_unit_test(stamps_and_senders),
        cmocka_unit_test(datagrams_are_cut_not_split),
        cmocka_unit_test(waits_until_the_deadline),
        cmocka_unit_test(notices_an_unreachable_port),
        cmocka_unit_test(tcp_refusal_and_close),
        cmocka_unit_test(own_end_can_be_chosen),
        cmocka_unit_test(rocev2_is_answered_at_its_port),
        cmocka_unit_test(a_port_in_use_is_explained),
        cmocka_unit_test(own_port_is_of_another_host),
        cmocka_unit_test(can_leave_the_checksum_out),
        cmocka_unit_test(another_address_is_another_sender),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
