/* SPDX-License-Identifier: BSD-2-Clause */
/* A station on an Ethernet: ARP both ways, headers, padding, fragments, and frames that are no
 * business of its. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "goldwire/checksum.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "harness/ether.h"

#define OURS UINT32_C(0x0a000001)
#define THEIRS UINT32_C(0x0a000002)
#define SOMEBODY UINT32_C(0x0a000003)
#define MS INT64_C(1000000)

enum { MOST = 64, IP = GW_ETHER_HEADER, UDP = IP + 20, PAYLOAD = UDP + 8 };

/* What a station did. */
typedef struct seen {
    gw_ether_out out;
    unsigned frames;
    unsigned datagrams;
    size_t len[MOST];
    uint8_t frame[MOST][GW_ETHER_FRAME_MAX];
    gw_endpoint src;
    uint16_t port;
    size_t payload_len;
    uint8_t payload[4096];
} seen;

static seen s;
static gw_ether e;

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
    s.src = net->src;
    s.port = net->dst.port;
    s.payload_len = (size_t)(net->payload.end - net->payload.p);
    assert_true(s.payload_len <= sizeof(s.payload));
    memcpy(s.payload, net->payload.p, s.payload_len);
}

static void forget(void)
{
    memset(&s, 0, sizeof(s));
    s.out = (gw_ether_out){.frame = on_frame, .datagram = on_datagram};
}

static void start(uint32_t ip, uint32_t faults)
{
    gw_ether_setup setup = {.at = gw_ether_ipv4(ip), .faults = faults};
    gw_ether_own_mac(setup.mac, ip);
    gw_ether_init(&e, &setup);
    forget();
}

static gw_endpoint end_of(uint32_t ip, uint16_t port)
{
    gw_endpoint end = {.port = port, .family = GW_FAMILY_IPV4};
    gw_store_be(end.ip, ip, 4);
    return end;
}

static const uint8_t *lookup(uint32_t ip, int64_t now)
{
    const gw_endpoint whom = gw_ether_ipv4(ip);
    return gw_ether_lookup(&e, &whom, now);
}

static gw_ether_kind hear_arp(uint16_t operation, uint32_t sender, uint32_t target, bool to_all,
                              int64_t now)
{
    uint8_t frame[GW_ETHER_FRAME_MIN];
    gw_arp arp = {.operation = operation, .sender_ip = sender, .target_ip = target};
    gw_ether_own_mac(arp.sender_hw, sender);
    size_t len = gw_ether_arp(frame, to_all ? gw_ether_broadcast : e.setup.mac, &arp);
    return gw_ether_receive(&e, frame, len, now, &s.out);
}

static gw_arp arp_in(unsigned i)
{
    gw_arp arp = {0};
    assert_true(i < s.frames);
    assert_int_equal(gw_load_be16(s.frame[i] + 12), GW_ETHERTYPE_ARP);
    assert_true(gw_net_arp(&arp, gw_cursor_over(s.frame[i] + IP, s.len[i] - GW_ETHER_HEADER)));
    return arp;
}

/* A datagram of |len| bytes from THEIRS to OURS, padded, made by a station of its own. */
static size_t their_datagram(uint8_t *frame, const void *data, size_t len)
{
    static gw_ether other;
    gw_ether_setup setup = {.at = gw_ether_ipv4(THEIRS)};
    gw_endpoint to = end_of(OURS, 1234);
    gw_ether_own_mac(setup.mac, THEIRS);
    gw_ether_init(&other, &setup);
    unsigned before = s.frames;
    assert_true(gw_ether_send_to(&other, e.setup.mac, 99, &to, data, len, &s.out));
    assert_int_equal(s.frames, before + 1);
    s.frames = before;
    memcpy(frame, s.frame[before], s.len[before]);
    return s.len[before];
}

static void answers_for_itself_only(void **state)
{
    uint8_t mac[6];
    (void)state;
    start(OURS, 0);
    assert_int_equal(hear_arp(GW_ARP_REQUEST, THEIRS, OURS, true, 0), GW_ETHER_ASKED);
    assert_int_equal(s.frames, 1);
    gw_arp arp = arp_in(0);
    assert_int_equal(arp.operation, GW_ARP_REPLY);
    assert_int_equal(arp.sender_ip, OURS);
    assert_int_equal(arp.target_ip, THEIRS);
    gw_ether_own_mac(mac, OURS);
    assert_memory_equal(arp.sender_hw, mac, 6);
    assert_memory_equal(s.frame[0] + 6, mac, 6);
    gw_ether_own_mac(mac, THEIRS);
    assert_memory_equal(arp.target_hw, mac, 6);
    assert_memory_equal(s.frame[0], mac, 6);
    assert_int_equal(s.len[0], GW_ETHER_FRAME_MIN);

    forget();
    assert_int_equal(hear_arp(GW_ARP_REQUEST, SOMEBODY, SOMEBODY + 1, true, 0), GW_ETHER_FOREIGN);
    assert_int_equal(s.frames, 0);
    e.silent = true;
    (void)hear_arp(GW_ARP_REQUEST, THEIRS, OURS, true, 0);
    assert_int_equal(s.frames, 0);
}

static void learns_from_whoever_asks(void **state)
{
    uint8_t mac[6];
    (void)state;
    start(OURS, 0);
    assert_null(lookup(THEIRS, 0));
    (void)hear_arp(GW_ARP_REQUEST, THEIRS, OURS, true, 0);
    gw_ether_own_mac(mac, THEIRS);
    assert_non_null(lookup(THEIRS, 0));
    assert_memory_equal(lookup(THEIRS, 0), mac, 6);
    /* It is kept for its time, and no longer. */
    assert_non_null(lookup(THEIRS, GW_ETHER_KEEP_NS - 1));
    assert_null(lookup(THEIRS, GW_ETHER_KEEP_NS));
    /* What others say to each other is not. */
    (void)hear_arp(GW_ARP_REQUEST, SOMEBODY, THEIRS, true, 0);
    assert_null(lookup(SOMEBODY, 0));
    /* Nobody's address, everybody's and our own are no neighbours. */
    (void)hear_arp(GW_ARP_REQUEST, 0, OURS, true, 0);
    (void)hear_arp(GW_ARP_REPLY, UINT32_MAX, OURS, false, 0);
    (void)hear_arp(GW_ARP_REPLY, OURS, OURS, false, 0);
    assert_null(lookup(0, 0));
    assert_null(lookup(UINT32_MAX, 0));
    assert_null(lookup(OURS, 0));
}

static void asks_before_it_sends(void **state)
{
    gw_endpoint to = end_of(THEIRS, 7);
    uint8_t mac[6];
    (void)state;
    start(OURS, 0);
    assert_true(gw_ether_send(&e, 1234, &to, (const uint8_t *)"first", 5, 0, &s.out));
    assert_int_equal(s.frames, 1);
    gw_arp arp = arp_in(0);
    assert_int_equal(arp.operation, GW_ARP_REQUEST);
    assert_int_equal(arp.target_ip, THEIRS);
    assert_memory_equal(s.frame[0], gw_ether_broadcast, 6);
    /* A later one takes its place, and nobody is asked twice. */
    assert_true(gw_ether_send(&e, 1234, &to, (const uint8_t *)"second", 6, MS, &s.out));
    assert_int_equal(s.frames, 1);
    (void)hear_arp(GW_ARP_REPLY, THEIRS, OURS, false, 2 * MS);
    assert_int_equal(s.frames, 2);
    gw_ether_own_mac(mac, THEIRS);
    assert_memory_equal(s.frame[1], mac, 6);
    assert_int_equal(s.len[1], GW_ETHER_FRAME_MIN);
    assert_int_equal(gw_load_be16(s.frame[1] + UDP), 1234);
    assert_int_equal(gw_load_be16(s.frame[1] + UDP + 2), 7);
    assert_memory_equal(s.frame[1] + PAYLOAD, "second", 6);
    /* From now on it knows. */
    assert_true(gw_ether_send(&e, 1234, &to, (const uint8_t *)"third", 5, 3 * MS, &s.out));
    assert_int_equal(s.frames, 3);
    assert_memory_equal(s.frame[2] + PAYLOAD, "third", 5);
}

static void gives_up_who_never_answers(void **state)
{
    gw_endpoint to = end_of(THEIRS, 7);
    int64_t now = 0;
    (void)state;
    start(OURS, 0);
    assert_int_equal(gw_ether_timer(&e, now, &s.out), GW_ETHER_NEVER);
    assert_true(gw_ether_send(&e, 1, &to, (const uint8_t *)"x", 1, now, &s.out));
    for (unsigned i = 0; i < 10; i++) {
        int64_t next = gw_ether_timer(&e, now, &s.out);
        if (next == GW_ETHER_NEVER)
            break;
        assert_true(next > now);
        now = next;
    }
    assert_int_equal(s.frames, GW_ETHER_ASKS);
    assert_int_equal(now, GW_ETHER_ASKS * GW_ETHER_ASK_NS);
    /* The datagram went with the hope; an answer that comes late brings nothing back. */
    (void)hear_arp(GW_ARP_REPLY, THEIRS, OURS, false, now);
    assert_int_equal(s.frames, GW_ETHER_ASKS);
    assert_non_null(lookup(THEIRS, now));
}

static void needs_no_arp_for_everybody(void **state)
{
    gw_endpoint to = end_of(UINT32_MAX, 7);
    (void)state;
    start(OURS, 0);
    assert_true(gw_ether_send(&e, 1, &to, (const uint8_t *)"x", 1, 0, &s.out));
    assert_int_equal(s.frames, 1);
    assert_memory_equal(s.frame[0], gw_ether_broadcast, 6);
    assert_int_equal(gw_load_be16(s.frame[0] + 12), 0x0800);
}

static void forgets_the_oldest_entry(void **state)
{
    (void)state;
    start(OURS, 0);
    for (uint32_t i = 0; i <= GW_ETHER_NEIGHBOURS; i++)
        (void)hear_arp(GW_ARP_REQUEST, SOMEBODY + i, OURS, true, 0);
    assert_null(lookup(SOMEBODY, 0));
    for (uint32_t i = 1; i <= GW_ETHER_NEIGHBOURS; i++)
        assert_non_null(lookup(SOMEBODY + i, 0));
}

static void hands_up_what_is_for_it(void **state)
{
    uint8_t frame[GW_ETHER_FRAME_MAX];
    (void)state;
    start(OURS, 0);
    size_t len = their_datagram(frame, "hello", 5);
    assert_int_equal(len, GW_ETHER_FRAME_MIN);
    memset(frame + PAYLOAD + 5, 0xee, len - PAYLOAD - 5); /* dirty padding */
    assert_int_equal(gw_ether_receive(&e, frame, len, 0, &s.out), GW_ETHER_DATAGRAM);
    assert_int_equal(s.datagrams, 1);
    assert_int_equal(s.payload_len, 5);
    assert_memory_equal(s.payload, "hello", 5);
    assert_int_equal(s.port, 1234);
    gw_endpoint from = end_of(THEIRS, 99);
    assert_memory_equal(&s.src, &from, sizeof(from));

    frame[5] ^= 1; /* somebody else's hardware address */
    assert_int_equal(gw_ether_receive(&e, frame, len, 0, &s.out), GW_ETHER_FOREIGN);
    memcpy(frame, gw_ether_broadcast, 6);
    assert_int_equal(gw_ether_receive(&e, frame, len, 0, &s.out), GW_ETHER_DATAGRAM);
    frame[IP + 19] ^= 1; /* somebody else's address */
    assert_int_equal(gw_ether_receive(&e, frame, len, 0, &s.out), GW_ETHER_FOREIGN);
    assert_int_equal(s.datagrams, 2);
    assert_int_equal(s.frames, 0);
}

/* Every cut of a frame, and every value of every byte of its headers, is survived. */
static bool is_damaged(const uint8_t *frame, size_t len)
{
    gw_net net = {0};
    gw_net_status status =
        gw_net_parse(&net, GW_LINK_ETHERNET, gw_cursor_over(frame, len), (uint32_t)len);
    return gw_ether_damaged(&net, status);
}

/* Any one bit of IP's header and UDP's payload but those that make it no packet at all. */
static void checksums_tell_what_is_damaged(void **state)
{
    uint8_t frame[GW_ETHER_FRAME_MAX];
    (void)state;
    start(OURS, 0);
    static const char odd[] = "nineteen bytes here";
    size_t len = their_datagram(frame, odd, sizeof(odd) - 1);
    assert_false(is_damaged(frame, len));
    for (size_t bit = (size_t)IP * 8; bit < (IP + 28 + sizeof(odd) - 1) * 8; bit++) {
        frame[bit / 8] ^= (uint8_t)(1u << bit % 8);
        size_t at = bit / 8 - IP;
        if ((at > 7 && at < 20) || at >= 28)
            assert_true(is_damaged(frame, len));
        frame[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    /* a UDP port and the checksum itself */
    frame[IP + 21] ^= 1;
    assert_true(is_damaged(frame, len));
    frame[IP + 21] ^= 1;
    frame[IP + 27] ^= 1;
    assert_true(is_damaged(frame, len));
    /* none, and one that hardware would have completed, are none */
    gw_store_be(frame + IP + 26, 0, 2);
    assert_false(is_damaged(frame, len));
    uint8_t pseudo[12] = {0};
    memcpy(pseudo, frame + IP + 12, 8);
    pseudo[9] = 17;
    memcpy(pseudo + 10, frame + IP + 24, 2);
    gw_store_be(frame + IP + 26, (uint16_t)~gw_inet_fold(gw_inet_sum(0, pseudo, 12)), 2);
    assert_false(is_damaged(frame, len));
    frame[IP + 8] ^= 4; /* TTL: IPv4's own checksum tells */
    assert_true(is_damaged(frame, len));
    /* who verifies drops it */
    assert_int_equal(gw_ether_receive(&e, frame, len, 0, &s.out), GW_ETHER_DATAGRAM);
    e.setup.verifies = true;
    assert_int_equal(gw_ether_receive(&e, frame, len, 0, &s.out), GW_ETHER_BAD);
}

static void survives_what_is_broken(void **state)
{
    uint8_t good[GW_ETHER_FRAME_MAX];
    (void)state;
    start(OURS, 0);
    size_t len = their_datagram(good, "hello", 5);
    for (size_t cut = 0; cut < PAYLOAD + 5; cut++) {
        uint8_t *exact = malloc(cut + 1);
        assert_non_null(exact);
        memcpy(exact, good, cut);
        assert_int_not_equal(gw_ether_receive(&e, exact, cut, 0, &s.out), GW_ETHER_DATAGRAM);
        free(exact);
    }
    assert_int_equal(s.datagrams, 0);
    for (size_t at = 0; at < PAYLOAD; at++) {
        for (unsigned value = 0; value <= UINT8_MAX; value++) {
            uint8_t frame[GW_ETHER_FRAME_MAX];
            memcpy(frame, good, len);
            frame[at] = (uint8_t)value;
            s.frames = 0;
            (void)gw_ether_receive(&e, frame, len, 0, &s.out);
        }
    }
    assert_int_equal(gw_ether_receive(&e, good, len, 0, &s.out), GW_ETHER_DATAGRAM);
}

static void cuts_and_puts_together(void **state)
{
    static gw_ether sender;
    uint8_t data[4000];
    void *mem = calloc(1, gw_defrag_size(2));
    (void)state;
    assert_non_null(mem);
    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (uint8_t)(i * 7);
    start(THEIRS, 0);
    sender = e;
    gw_endpoint to = end_of(OURS, 1234);
    start(OURS, 0);
    e.setup.defrag = gw_defrag_init(mem, 2, NULL, NULL);
    assert_true(gw_ether_send_to(&sender, e.setup.mac, 99, &to, data, sizeof(data), &s.out));
    assert_int_equal(s.frames, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(gw_inet_fold(gw_inet_sum(0, s.frame[i] + IP, 20)), 0);
        assert_int_equal(gw_ether_receive(&e, s.frame[i], s.len[i], 0, &s.out),
                         i == 2 ? GW_ETHER_DATAGRAM : GW_ETHER_FRAGMENT);
    }
    assert_int_equal(s.payload_len, sizeof(data));
    assert_memory_equal(s.payload, data, sizeof(data));
    /* Without memory for it they are dropped. */
    e.setup.defrag = NULL;
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(gw_ether_receive(&e, s.frame[i], s.len[i], 0, &s.out), GW_ETHER_FRAGMENT);
    assert_int_equal(s.datagrams, 1);
    free(mem);
}

static void refuses_what_is_too_long(void **state)
{
    static uint8_t data[65536];
    gw_endpoint to = end_of(THEIRS, 7);
    (void)state;
    start(OURS, 0);
    assert_false(gw_ether_send_to(&e, gw_ether_broadcast, 1, &to, data, 65508, &s.out));
    assert_false(gw_ether_send(&e, 1, &to, data, GW_ETHER_WAITING + 1, 0, &s.out));
    assert_int_equal(s.frames, 0);
    assert_true(gw_ether_send_to(&e, gw_ether_broadcast, 1, &to, data, 65507, &s.out));
    assert_int_equal(s.frames, 45);
}

/* Headers in the style of a format, and each way to get them wrong. */
static void headers_and_their_faults(void **state)
{
    static const gw_ip_style style = {.ttl = 128, .may_fragment = true, .no_udp_checksum = true};
    static const struct {
        size_t at;
        uint32_t faults;
        uint8_t want;
    } rows[] = {
        {IP, 0, 0x45},
        {IP + 1, 0, 0},
        {IP + 8, 0, 128},
        {UDP + 6, 0, 0},
        {IP + 8, GW_ETHER_BIT(TTL), 64},
        {IP + 1, GW_ETHER_BIT(TOS), 0x10},
        {IP, GW_ETHER_BIT(IP_OPTIONS), 0x46},
        {IP + 3, GW_ETHER_BIT(IP_LENGTH), 20 + 8 + 32 + 4},
    };
    gw_endpoint to = end_of(THEIRS, 7);
    uint8_t data[32] = {1};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(rows); i++) {
        start(OURS, rows[i].faults);
        e.setup.style = &style;
        assert_true(gw_ether_send_to(&e, gw_ether_broadcast, 7, &to, data, 32, &s.out));
        assert_int_equal(s.frame[0][rows[i].at], rows[i].want);
        size_t header = (s.frame[0][IP] & 0x0fu) * (size_t)4;
        assert_int_equal(gw_inet_fold(gw_inet_sum(0, s.frame[0] + IP, header)), 0);
    }
    start(OURS, GW_ETHER_BIT(IP_CHECKSUM) | GW_ETHER_BIT(UDP_CHECKSUM));
    e.setup.style = &style;
    assert_true(gw_ether_send_to(&e, gw_ether_broadcast, 7, &to, data, 32, &s.out));
    assert_int_not_equal(gw_inet_fold(gw_inet_sum(0, s.frame[0] + IP, 20)), 0);
    assert_int_not_equal(gw_load_be16(s.frame[0] + UDP + 6), 0);
}

static void stalls_only_when_told_to(void **state)
{
    static const struct {
        size_t at;
        uint32_t fault;
        uint16_t value;
    } rows[] = {
        {IP + 6, GW_ETHER_BIT(FRAGMENT_STALLS), 0x2000},
        {IP, GW_ETHER_BIT(OPTIONS_STALL), 0x4600},
        {UDP + 4, GW_ETHER_BIT(SHORT_LENGTH_STALL), 3},
        {12, GW_ETHER_BIT(ETHERTYPE_STALLS), 0x88b5},
    };
    uint8_t good[GW_ETHER_FRAME_MAX];
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(rows); i++) {
        for (unsigned faulty = 0; faulty < 2; faulty++) {
            uint8_t frame[GW_ETHER_FRAME_MAX];
            start(OURS, faulty != 0 ? rows[i].fault : 0);
            size_t len = their_datagram(good, "0123456789abcdef", 16);
            memcpy(frame, good, len);
            gw_store_be(frame + rows[i].at, rows[i].value, 2);
            (void)gw_ether_receive(&e, frame, len, 0, &s.out);
            s.datagrams = 0;
            (void)gw_ether_receive(&e, good, len, 0, &s.out);
            assert_int_equal(s.datagrams, faulty != 0 ? 0 : 1);
        }
    }
}

static void mirrors_only_when_told_to(void **state)
{
    static const gw_ip_style style = {.ttl = 128};
    enum { BARE = GW_ETHER_HEADER + 28, TOS = 0x20 };
    gw_endpoint to = end_of(THEIRS, 7);
    gw_arp arp = {.operation = GW_ARP_REQUEST, .sender_ip = THEIRS, .target_ip = OURS};
    uint8_t frame[GW_ETHER_FRAME_MAX], request[GW_ETHER_FRAME_MIN];
    (void)state;
    gw_ether_own_mac(arp.sender_hw, THEIRS);
    for (unsigned faulty = 0; faulty < 2; faulty++) {
        start(OURS, faulty != 0 ? GW_ETHER_BIT(TOS_MIRRORED) | GW_ETHER_BIT(RUNT_MIRRORED) : 0);
        e.setup.style = &style;
        size_t len = their_datagram(frame, "in", 2);
        frame[IP + 1] = TOS;
        assert_int_equal(gw_ether_receive(&e, frame, len, 0, &s.out), GW_ETHER_DATAGRAM);
        assert_true(
            gw_ether_send_to(&e, gw_ether_broadcast, 7, &to, (const uint8_t *)"out", 3, &s.out));
        assert_int_equal(s.frame[0][IP + 1], faulty != 0 ? TOS : 0);
        (void)gw_ether_arp(request, gw_ether_broadcast, &arp);
        (void)gw_ether_receive(&e, request, BARE, 0, &s.out);
        (void)gw_ether_receive(&e, request, sizeof(request), 0, &s.out);
        assert_int_equal(s.frames, 3);
        assert_int_equal(s.len[1], faulty != 0 ? (size_t)BARE : (size_t)GW_ETHER_FRAME_MIN);
        assert_int_equal(s.len[2], GW_ETHER_FRAME_MIN);
    }
}

/* Who waits for an answer waits, unless it is faulty. */
static void sends_unanswered_only_when_told_to(void **state)
{
    gw_endpoint to = end_of(THEIRS, 7);
    (void)state;
    for (unsigned faulty = 0; faulty < 2; faulty++) {
        start(OURS, faulty != 0 ? GW_ETHER_BIT(ASKED_IS_KNOWN) : 0);
        for (unsigned i = 0; i < 2; i++)
            assert_true(gw_ether_send(&e, 7, &to, (const uint8_t *)"x", 1, 0, &s.out));
        assert_int_equal(s.frames, 1 + faulty);
        assert_int_equal(gw_load_be16(s.frame[0] + 12), GW_ETHERTYPE_ARP);
    }
}

/* A reply about somebody else, and one that is not about Ethernet, tell nothing of a neighbour. */
static void learns_badly_only_when_told_to(void **state)
{
    gw_endpoint to = end_of(THEIRS, 7);
    uint8_t theirs[6], frame[GW_ETHER_FRAME_MIN];
    gw_arp arp = {.operation = GW_ARP_REPLY, .sender_ip = THEIRS, .target_ip = OURS};
    (void)state;
    gw_ether_own_mac(theirs, THEIRS);
    gw_ether_own_mac(arp.sender_hw, SOMEBODY);
    for (unsigned fault = 0; fault < 3; fault++) {
        const uint32_t faults[] = {0, GW_ETHER_BIT(ANY_REPLY), GW_ETHER_BIT(ANY_HARDWARE)};
        start(OURS, faults[fault]);
        (void)hear_arp(GW_ARP_REQUEST, THEIRS, OURS, true, 0);
        assert_true(gw_ether_send(&e, 7, &to, (const uint8_t *)"x", 1, 0, &s.out));
        (void)hear_arp(GW_ARP_REPLY, SOMEBODY, OURS, false, 0);
        bool is_theirs = memcmp(lookup(THEIRS, 0), theirs, sizeof(theirs)) == 0;
        assert_int_equal(is_theirs, fault != 1);
        (void)hear_arp(GW_ARP_REPLY, THEIRS, OURS, false, 0);
        size_t len = gw_ether_arp(frame, e.setup.mac, &arp);
        frame[IP + 1] = 6; /* IEEE 802, not Ethernet */
        (void)gw_ether_receive(&e, frame, len, 0, &s.out);
        is_theirs = memcmp(lookup(THEIRS, 0), theirs, sizeof(theirs)) == 0;
        assert_int_equal(is_theirs, fault != 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_for_itself_only),
        cmocka_unit_test(learns_from_whoever_asks),
        cmocka_unit_test(asks_before_it_sends),
        cmocka_unit_test(gives_up_who_never_answers),
        cmocka_unit_test(needs_no_arp_for_everybody),
        cmocka_unit_test(forgets_the_oldest_entry),
        cmocka_unit_test(hands_up_what_is_for_it),
        cmocka_unit_test(checksums_tell_what_is_damaged),
        cmocka_unit_test(survives_what_is_broken),
        cmocka_unit_test(cuts_and_puts_together),
        cmocka_unit_test(refuses_what_is_too_long),
        cmocka_unit_test(headers_and_their_faults),
        cmocka_unit_test(stalls_only_when_told_to),
        cmocka_unit_test(mirrors_only_when_told_to),
        cmocka_unit_test(sends_unanswered_only_when_told_to),
        cmocka_unit_test(learns_badly_only_when_told_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
