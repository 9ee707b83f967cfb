/* SPDX-License-Identifier: BSD-2-Clause */
/* Stations with IPv6 addresses, each other's only company. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "goldwire/cursor.h"
#include "harness/ether.h"

enum { MOST = 64, ICMP = GW_ETHER_HEADER + 40, HOPS = GW_ETHER_HEADER + 7, NOW = 1000 };

static const gw_endpoint ours = {.ip = {0xfe, 0x80, [15] = 1}, .family = GW_FAMILY_IPV6, .port = 7};
static const gw_endpoint theirs = {
    .ip = {0xfe, 0x80, [15] = 2}, .family = GW_FAMILY_IPV6, .port = 9};

/* What a station did. */
static struct {
    gw_ether_out out; /* first */
    unsigned frames;
    size_t len[MOST];
    uint8_t frame[MOST][GW_ETHER_FRAME_MAX];
    unsigned datagrams;
    uint8_t payload[4096];
    size_t payload_len;
    gw_endpoint from;
} s;

static gw_ether us, them;

static void on_frame(gw_ether_out *out, const uint8_t *frame, size_t len)
{
    (void)out;
    assert_true(s.frames < MOST && len <= GW_ETHER_FRAME_MAX);
    memcpy(s.frame[s.frames], frame, len);
    s.len[s.frames++] = len;
}

static void on_datagram(gw_ether_out *out, const gw_net *net)
{
    (void)out;
    s.datagrams++;
    s.from = net->src;
    s.payload_len = (size_t)(net->payload.end - net->payload.p);
    assert_true(s.payload_len <= sizeof(s.payload));
    memcpy(s.payload, net->payload.p, s.payload_len);
}

static void forget(void)
{
    memset(&s, 0, sizeof(s));
    s.out = (gw_ether_out){.frame = on_frame, .datagram = on_datagram};
}

static void start(gw_ether *e, const gw_endpoint *at, gw_defrag *defrag)
{
    gw_ether_setup setup = {.at = *at, .defrag = defrag, .verifies = true};
    gw_ether_mac_of(setup.mac, at);
    gw_ether_init(e, &setup);
    forget();
}

static void both(void)
{
    start(&us, &ours, NULL);
    start(&them, &theirs, NULL);
}

/* Hands the |i|th frame that was sent to |e|. What it does comes behind. */
static gw_ether_kind hand(gw_ether *e, unsigned i)
{
    uint8_t *copy = malloc(s.len[i]);
    assert_non_null(copy);
    memcpy(copy, s.frame[i], s.len[i]);
    gw_ether_kind kind = gw_ether_receive(e, copy, s.len[i], NOW, &s.out);
    free(copy);
    return kind;
}

static void asks_is_answered_and_sends(void **state)
{
    (void)state;
    both();
    assert_true(gw_ether_send(&us, 7, &theirs, (const uint8_t *)"hello", 5, NOW, &s.out));
    assert_int_equal(s.frames, 1);
    assert_memory_equal(s.frame[0], "\x33\x33\xff\x00\x00\x02", 6);
    assert_int_equal(s.frame[0][HOPS], 255);
    assert_int_equal(s.frame[0][ICMP], GW_NEIGHBOUR_ASKS);
    assert_int_equal(hand(&them, 0), GW_ETHER_ASKED);
    assert_int_equal(s.frames, 2);
    assert_int_equal(s.frame[1][ICMP], GW_NEIGHBOUR_TELLS);
    /* Who asked is known by that. */
    assert_non_null(gw_ether_lookup(&them, &ours, NOW));
    assert_int_equal(hand(&us, 1), GW_ETHER_ASKED);
    assert_int_equal(s.frames, 3);
    assert_memory_equal(s.frame[2], them.setup.mac, 6);
    assert_int_equal(hand(&them, 2), GW_ETHER_DATAGRAM);
    assert_memory_equal(s.payload, "hello", 5);
    assert_true(gw_endpoint_equal(&s.from, &ours));
}

static void asks_again_and_gives_up(void **state)
{
    int64_t now = NOW;
    (void)state;
    both();
    assert_true(gw_ether_send(&us, 7, &theirs, (const uint8_t *)"x", 1, now, &s.out));
    for (unsigned i = 0; i < 8; i++) {
        int64_t next = gw_ether_timer(&us, now, &s.out);
        now = next != GW_ETHER_NEVER ? next : now;
    }
    assert_int_equal(s.frames, GW_ETHER_ASKS);
    assert_null(gw_ether_lookup(&us, &theirs, now));
}

/* Who wants to know whether an address is free has none yet: everybody is told. */
static void tells_all_that_its_address_is_taken(void **state)
{
    const gw_endpoint nobody = {.family = GW_FAMILY_IPV6};
    (void)state;
    both();
    start(&us, &nobody, NULL);
    gw_ether_ask(&us, &theirs, NOW, &s.out);
    assert_int_equal(hand(&them, 0), GW_ETHER_ASKED);
    assert_memory_equal(s.frame[1], "\x33\x33\x00\x00\x00\x01", 6);
    assert_null(gw_ether_lookup(&them, &nobody, NOW));
    /* The caller may have it keep silent. */
    them.silent = true;
    (void)hand(&them, 0);
    assert_int_equal(s.frames, 2);
}

/* What came through a router, or is told without having been asked for, is not believed. */
static void believes_its_neighbours_only(void **state)
{
    (void)state;
    both();
    gw_ether_ask(&us, &theirs, NOW, &s.out);
    s.frame[0][HOPS] = 254;
    assert_int_equal(hand(&them, 0), GW_ETHER_FOREIGN);
    s.frame[0][HOPS] = 255;
    assert_int_equal(hand(&them, 0), GW_ETHER_ASKED);
    gw_ether stranger;
    gw_ether_setup setup = {.at = ours};
    memcpy(setup.mac, us.setup.mac, sizeof(setup.mac));
    gw_ether_init(&stranger, &setup);
    assert_int_equal(hand(&stranger, 1), GW_ETHER_FOREIGN);
    assert_null(gw_ether_lookup(&stranger, &theirs, NOW));
}

static void has_a_checksum_always(void **state)
{
    enum { UDP_SUM = ICMP + 6 };
    (void)state;
    both();
    const gw_ip_style without = {.ttl = 64, .no_udp_checksum = true};
    us.setup.style = &without;
    assert_true(gw_ether_send_to(&us, them.setup.mac, 7, &theirs, (const uint8_t *)"x", 1, &s.out));
    assert_int_not_equal(gw_load_be16(s.frame[0] + UDP_SUM), 0);
    assert_int_equal(hand(&them, 0), GW_ETHER_DATAGRAM);
    s.frame[0][ICMP + 8] ^= 1;
    assert_int_equal(hand(&them, 0), GW_ETHER_BAD);
    s.frame[0][ICMP + 8] ^= 1;
    memset(s.frame[0] + UDP_SUM, 0, 2);
    assert_int_equal(hand(&them, 0), GW_ETHER_BAD);
}

static void cuts_and_puts_together(void **state)
{
    static uint8_t data[4000];
    void *room = malloc(gw_defrag_size(1));
    (void)state;
    assert_non_null(room);
    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (uint8_t)(i * 7);
    both();
    start(&them, &theirs, gw_defrag_init(room, 1, NULL, NULL));
    assert_true(gw_ether_send_to(&us, them.setup.mac, 7, &theirs, data, sizeof(data), &s.out));
    assert_int_equal(s.frames, 3);
    assert_int_equal(hand(&them, 2), GW_ETHER_FRAGMENT);
    assert_int_equal(hand(&them, 0), GW_ETHER_FRAGMENT);
    assert_int_equal(hand(&them, 1), GW_ETHER_DATAGRAM);
    assert_int_equal(s.payload_len, sizeof(data));
    assert_memory_equal(s.payload, data, sizeof(data));
    free(room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_is_answered_and_sends),
        cmocka_unit_test(asks_again_and_gives_up),
        cmocka_unit_test(tells_all_that_its_address_is_taken),
        cmocka_unit_test(believes_its_neighbours_only),
        cmocka_unit_test(has_a_checksum_always),
        cmocka_unit_test(cuts_and_puts_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
