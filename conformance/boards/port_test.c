/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards behind Ethernet ports: senders and their numbers, timers of both, other links beside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boards/mem.h"
#include "boards/port.h"
#include "goldwire/cursor.h"
#include "goldwire/etherbone.h"
#include "goldwire/writer.h"
#include "harness/raw.h"

#define SECOND INT64_C(1000000000)

static const gw_endpoint board_end = {.ip = {10, 0, 0, 2}, .port = 5000, .family = GW_FAMILY_IPV4};

/* A board that sends back what comes, at once or (first byte 't') a second later. */
typedef struct echo {
    uint64_t open; /* connections */
    unsigned opens;
    unsigned closes;
    unsigned timers;
    uint32_t conn;
    uint8_t late[16];
    size_t late_len;
    size_t padding; /* behind what came last */
} echo;

static echo *behind; /* the port that was laid last */

static bool echo_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    (void)config;
    (void)why;
    (void)why_cap;
    behind = state;
    memset(behind, 0, sizeof(*behind));
    return true;
}

static int64_t on_bytes(echo *e, const gw_peer_event *event, int64_t now, gw_peer_out *out)
{
    assert_true((e->open >> event->conn & 1) != 0);
    e->padding = event->padding;
    if (event->len == 0 || event->data[0] != 't') {
        out->send(out, event->link, event->conn, event->data, event->len);
        return GW_PEER_NEVER;
    }
    e->conn = event->conn;
    e->late_len = event->len;
    memcpy(e->late, event->data, event->len);
    return now + SECOND;
}

static int64_t echo_step(void *state, const gw_peer_event *event, int64_t now, gw_peer_out *out)
{
    echo *e = state;
    uint64_t bit = UINT64_C(1) << event->conn;
    switch (event->kind) {
    case GW_PEER_OPEN:
        assert_true((e->open & bit) == 0);
        assert_non_null(event->there);
        e->open |= bit;
        e->opens++;
        break;
    case GW_PEER_CLOSE:
        assert_true((e->open & bit) != 0);
        e->open &= ~bit;
        e->closes++;
        break;
    case GW_PEER_BYTES:
        return on_bytes(e, event, now, out);
    case GW_PEER_TIMER:
        e->timers++;
        out->send(out, 0, e->conn, e->late, e->late_len);
        break;
    default:
        break;
    }
    return GW_PEER_NEVER;
}

static void echo_fini(void *state)
{
    (void)state;
}

static const char *const links[] = {"net", "side", NULL};
static const gw_board echo_board = {.role = "echo",
                                    .links = links,
                                    .ethernet_links = 1,
                                    .format = &gw_etherbone,
                                    .size = sizeof(echo),
                                    .init = echo_init,
                                    .step = echo_step,
                                    .fini = echo_fini};

static gw_port port;
static gw_mem *mem;

static echo *start(const gw_mutant *mutant)
{
    char why[128];
    gw_peer_config config = {.mutant = mutant};
    gw_port_lay(&port, &echo_board, &config, 0, &board_end, NULL);
    mem = gw_mem_start(&port.board, &port.config, why, sizeof(why));
    assert_non_null(mem);
    return behind;
}

static gw_transport *station(uint8_t number)
{
    char why[128];
    gw_raw_setup setup = {.local = {.ip = {10, 0, 0, number},
                                    .port = (uint16_t)(4000 + number),
                                    .family = GW_FAMILY_IPV4},
                          .remote = board_end,
                          .guard_fd = -1};
    gw_transport *frames = gw_mem_connect(mem, 0, false, why, sizeof(why));
    assert_non_null(frames);
    gw_ether_own_mac(setup.mac, gw_load_be32(setup.local.ip));
    gw_transport *t = gw_raw_over(frames, &setup, why, sizeof(why));
    assert_non_null(t);
    return t;
}

/* Sends |text| and says whether it comes back within |patience_ns|. */
static bool returns(gw_transport *t, const char *text, int64_t patience_ns)
{
    uint8_t got[64];
    size_t len = 0;
    assert_true(t->ops->send(t, (const uint8_t *)text, strlen(text)));
    return t->ops->recv(t, got, sizeof(got), &len, t->ops->now(t) + patience_ns, NULL, NULL) ==
               GW_RECV_DATA &&
           len == strlen(text) && memcmp(got, text, len) == 0;
}

static void senders_have_numbers(void **state)
{
    (void)state;
    echo *e = start(NULL);
    gw_transport *one = station(10);
    gw_transport *other = station(11);
    assert_true(returns(one, "one", SECOND));
    assert_true(returns(other, "other", SECOND));
    assert_true(returns(one, "again", SECOND));
    assert_int_equal(e->opens, 2);
    assert_int_equal(e->open >> GW_PORT_FIRST_CONN, 3);
    gw_transport_close(one);
    gw_transport_close(other);
    gw_mem_stop(mem);
}

/* More senders than there are numbers: who was silent longest goes. */
static void old_senders_go(void **state)
{
    enum { MANY = GW_PEER_MAX_CONNS - GW_PORT_FIRST_CONN + 5 };
    (void)state;
    echo *e = start(NULL);
    for (unsigned i = 0; i < MANY; i++) {
        gw_transport *t = station((uint8_t)(10 + i));
        assert_true(returns(t, "hello", SECOND));
        gw_transport_close(t);
    }
    assert_int_equal(e->opens, MANY);
    assert_int_equal(e->closes, 5);
    gw_mem_stop(mem);
}

static void timers_are_kept_apart(void **state)
{
    (void)state;
    echo *e = start(NULL);
    gw_transport *t = station(10);
    assert_false(returns(t, "t", SECOND / 2));
    assert_int_equal(e->timers, 0);
    uint8_t got[8];
    size_t len = 0;
    assert_int_equal(t->ops->recv(t, got, sizeof(got), &len, t->ops->now(t) + SECOND, NULL, NULL),
                     GW_RECV_DATA);
    assert_int_equal(e->timers, 1);
    gw_transport_close(t);
    gw_mem_stop(mem);
}

static void other_links_pass(void **state)
{
    char why[128];
    (void)state;
    echo *e = start(NULL);
    gw_transport *side = gw_mem_connect(mem, 1, false, why, sizeof(why));
    assert_non_null(side);
    assert_true(returns(side, "beside", SECOND));
    assert_int_equal(e->open, 1);
    gw_transport_close(side);
    assert_int_equal(e->open, 0);
    gw_mem_stop(mem);
}

/* A frame carries 18 bytes over UDP at the least. */
static void padding_is_told(void **state)
{
    (void)state;
    echo *e = start(NULL);
    gw_transport *t = station(10);
    assert_true(returns(t, "four", SECOND));
    assert_int_equal(e->padding, 14);
    assert_true(returns(t, "seventeen letters", SECOND));
    assert_int_equal(e->padding, 1);
    assert_true(returns(t, "not a byte less than that", SECOND));
    assert_int_equal(e->padding, 0);
    gw_transport_close(t);
    gw_mem_stop(mem);
}

/* The mutant's faults are the port's. */
static void mutants_break_the_port(void **state)
{
    static const gw_mutant deaf = {.id = "m-deaf", .wire = GW_ETHER_BIT(ANSWERS_NOT)};
    static const gw_mutant strict = {.id = "m-strict", .wire = GW_ETHER_BIT(WANTS_CHECKSUM)};
    (void)state;
    (void)start(&deaf);
    gw_transport *t = station(10);
    assert_true(returns(t, "hello", SECOND));
    assert_true(t->raw->unanswered);
    gw_transport_close(t);
    gw_mem_stop(mem);

    (void)start(&strict);
    t = station(10);
    assert_true(returns(t, "hello", SECOND));
    assert_true(t->ops->no_checksum(t, true));
    assert_false(returns(t, "hello", SECOND));
    gw_transport_close(t);
    gw_mem_stop(mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(senders_have_numbers),  cmocka_unit_test(old_senders_go),
        cmocka_unit_test(timers_are_kept_apart), cmocka_unit_test(other_links_pass),
        cmocka_unit_test(padding_is_told),       cmocka_unit_test(mutants_break_the_port),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
