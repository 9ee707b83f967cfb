/* SPDX-License-Identifier: BSD-2-Clause */
/* Datagrams over frames, against a made-up Ethernet whose clock moves when somebody waits. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "harness/capture.h"
#include "harness/raw.h"

#define US UINT32_C(0x0a000001)
#define BOARD UINT32_C(0x0a000002)

enum { MOST = 32, UDP = GW_ETHER_HEADER + 20, PAYLOAD = UDP + 8 };

/* What went, and what will come. */
typedef struct wire {
    gw_transport t;
    int64_t now;
    unsigned sent;
    size_t sent_len[MOST];
    uint8_t sent_frame[MOST][GW_ETHER_FRAME_MAX];
    unsigned coming;
    unsigned taken;
    size_t coming_len[MOST];
    uint8_t coming_frame[MOST][GW_ETHER_FRAME_MAX];
    bool answers; /* ARP requests for the board */
} wire;

static wire w;

/* What the tap was told. */
static struct {
    unsigned frames;
    unsigned datagrams;
} told;

static void will_come(const uint8_t *frame, size_t len)
{
    assert_true(w.coming < MOST);
    memcpy(w.coming_frame[w.coming], frame, len);
    w.coming_len[w.coming++] = len;
}

static void arp_will_come(uint16_t operation)
{
    uint8_t frame[GW_ETHER_FRAME_MIN];
    gw_arp arp = {.operation = operation, .sender_ip = BOARD, .target_ip = US};
    uint8_t mac[6];
    gw_ether_own_mac(arp.sender_hw, BOARD);
    gw_ether_own_mac(mac, US);
    will_come(frame, gw_ether_arp(frame, mac, &arp));
}

static void datagram_will_come(uint32_t from, uint16_t port, const char *text)
{
    uint8_t frame[GW_ETHER_FRAME_MAX];
    gw_endpoint src = {.port = port, .family = GW_FAMILY_IPV4};
    gw_endpoint dst = {.port = 5000, .family = GW_FAMILY_IPV4};
    gw_store_be(src.ip, from, 4);
    gw_store_be(dst.ip, US, 4);
    will_come(frame,
              gw_frame_udp(frame, sizeof(frame), &src, &dst, (const uint8_t *)text, strlen(text)));
}

static int64_t wire_now(gw_transport *t)
{
    (void)t;
    return w.now;
}

static bool wire_send(gw_transport *t, const uint8_t *data, size_t len)
{
    (void)t;
    assert_true(w.sent < MOST && len <= GW_ETHER_FRAME_MAX);
    memcpy(w.sent_frame[w.sent], data, len);
    w.sent_len[w.sent++] = len;
    if (w.answers && gw_load_be16(data + 12) == GW_ETHERTYPE_ARP)
        arp_will_come(GW_ARP_REPLY);
    return true;
}

static gw_recv_status wire_recv(gw_transport *t, uint8_t *buf, size_t cap, size_t *len,
                                int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    (void)t;
    (void)from;
    if (w.taken == w.coming) {
        if (w.now < deadline)
            w.now = deadline;
        return GW_RECV_TIMEOUT;
    }
    assert_true(w.coming_len[w.taken] <= cap);
    memcpy(buf, w.coming_frame[w.taken], w.coming_len[w.taken]);
    *len = w.coming_len[w.taken++];
    w.now += 1000;
    *stamp_ns = w.now;
    return GW_RECV_DATA;
}

static void wire_wait(gw_transport *t, int64_t deadline)
{
    (void)t;
    w.now = deadline;
}

static void wire_close(gw_transport *t)
{
    (void)t;
}

static unsigned tap(void *arg, uint8_t dir, int64_t stamp_ns, const uint8_t *frame, size_t len,
                    const gw_net *net)
{
    (void)arg;
    (void)frame;
    assert_true(len >= GW_ETHER_HEADER);
    assert_true(dir == GW_DIR_OUT ? stamp_ns == INT64_MIN : stamp_ns > 0);
    told.datagrams += net != NULL ? 1 : 0;
    return ++told.frames;
}

static gw_transport *station(bool answers)
{
    static const gw_transport_ops ops = {.now = wire_now,
                                         .send = wire_send,
                                         .recv = wire_recv,
                                         .wait = wire_wait,
                                         .close = wire_close};
    char why[128];
    gw_raw_setup setup = {.local = {.port = 5000, .family = GW_FAMILY_IPV4},
                          .remote = {.port = 7, .family = GW_FAMILY_IPV4},
                          .guard_fd = -1};
    memset(&w, 0, sizeof(w));
    memset(&told, 0, sizeof(told));
    w.t.ops = &ops;
    w.answers = answers;
    gw_store_be(setup.local.ip, US, 4);
    gw_store_be(setup.remote.ip, BOARD, 4);
    gw_ether_own_mac(setup.mac, US);
    gw_transport *t = gw_raw_over(&w.t, &setup, why, sizeof(why));
    assert_non_null(t);
    t->raw->tap = tap;
    return t;
}

static size_t receive(gw_transport *t, char *out, size_t cap)
{
    size_t len = 0;
    int64_t stamp = 0;
    gw_endpoint from;
    if (t->ops->recv(t, (uint8_t *)out, cap, &len, w.now + 1000, &stamp, &from) != GW_RECV_DATA)
        return 0;
    assert_true(stamp > 0);
    assert_true(gw_endpoint_equal(&from, &t->remote));
    return len;
}

static void asks_then_sends(void **state)
{
    uint8_t mac[6];
    (void)state;
    gw_transport *t = station(true);
    assert_true(t->ops->send(t, (const uint8_t *)"hello", 5));
    assert_int_equal(w.sent, 2);
    assert_int_equal(gw_load_be16(w.sent_frame[0] + 12), GW_ETHERTYPE_ARP);
    assert_memory_equal(w.sent_frame[1] + PAYLOAD, "hello", 5);
    assert_int_equal(w.sent_len[1], GW_ETHER_FRAME_MIN);
    assert_false(t->raw->unanswered);
    assert_true(gw_raw_find(t, mac));
    assert_memory_equal(w.sent_frame[1], mac, 6);
    /* The request, its answer and the datagram were told of, and the last is what is kept. */
    assert_int_equal(told.frames, 3);
    assert_int_equal(told.datagrams, 1);
    assert_int_equal(t->raw->last.number, 3);
    assert_memory_equal(t->raw->last.frame + PAYLOAD, "hello", 5);
    assert_true(t->ops->send(t, (const uint8_t *)"again", 5));
    assert_int_equal(w.sent, 3);
    gw_transport_close(t);
}

static void sends_to_all_when_nobody_answers(void **state)
{
    uint8_t mac[6];
    (void)state;
    gw_transport *t = station(false);
    assert_true(t->ops->send(t, (const uint8_t *)"hello", 5));
    assert_int_equal(w.sent, GW_ETHER_ASKS + 1);
    assert_true(t->raw->unanswered);
    assert_false(gw_raw_find(t, mac));
    assert_memory_equal(w.sent_frame[GW_ETHER_ASKS], gw_ether_broadcast, 6);
    /* Nobody is asked again for a while, and whoever is heard is known. */
    datagram_will_come(BOARD, 7, "here");
    memset(w.coming_frame[0], 0xff, 6);
    memset(w.coming_frame[0] + 6, 0x12, 6);
    char text[16];
    assert_int_equal(receive(t, text, sizeof(text)), 4);
    assert_true(t->ops->send(t, (const uint8_t *)"again", 5));
    assert_int_equal(w.sent, GW_ETHER_ASKS + 2);
    memset(mac, 0x12, sizeof(mac));
    assert_memory_equal(w.sent_frame[GW_ETHER_ASKS + 1], mac, 6);
    gw_transport_close(t);
}

static void keeps_what_comes_while_it_asks(void **state)
{
    char text[16];
    (void)state;
    gw_transport *t = station(false);
    datagram_will_come(BOARD, 7, "one");
    datagram_will_come(BOARD, 7, "two");
    arp_will_come(GW_ARP_REPLY);
    assert_true(t->ops->send(t, (const uint8_t *)"hello", 5));
    assert_int_equal(w.sent, 2);
    assert_int_equal(receive(t, text, sizeof(text)), 3);
    assert_memory_equal(text, "one", 3);
    assert_int_equal(receive(t, text, sizeof(text)), 3);
    assert_memory_equal(text, "two", 3);
    assert_int_equal(receive(t, text, sizeof(text)), 0);
    gw_transport_close(t);
}

static void passes_over_others(void **state)
{
    char text[4];
    (void)state;
    gw_transport *t = station(true);
    datagram_will_come(BOARD, 8, "other port");
    datagram_will_come(BOARD + 1, 7, "other address");
    arp_will_come(GW_ARP_REQUEST);
    datagram_will_come(BOARD, 7, "ours, too long");
    assert_int_equal(receive(t, text, sizeof(text)), 4);
    assert_memory_equal(text, "ours", 4);
    /* The ARP request was answered on the way. */
    assert_int_equal(w.sent, 1);
    assert_int_equal(gw_load_be16(w.sent_frame[0] + GW_ETHER_HEADER + 6), GW_ARP_REPLY);
    gw_transport_close(t);
}

/* The same datagram with a bit flipped on its way. */
static void damaged_will_come(const char *text)
{
    datagram_will_come(BOARD, 7, text);
    w.coming_frame[w.coming - 1][PAYLOAD] ^= 0x20;
}

/* What a checksum tells to be damaged is recorded and left out; of a board that sends nothing else
 * it is what the cases are to see. */
static void leaves_damaged_packets_out(void **state)
{
    char got[16];
    (void)state;
    gw_transport *t = station(true);
    datagram_will_come(BOARD, 7, "one");
    damaged_will_come("two");
    datagram_will_come(BOARD, 7, "three");
    assert_int_equal(receive(t, got, sizeof(got)), 3);
    assert_int_equal(receive(t, got, sizeof(got)), 5);
    assert_memory_equal(got, "three", 5);
    assert_int_equal(told.frames, 3);
    assert_int_equal(told.datagrams, 2);
    assert_int_equal(t->raw->damaged, 1);
    assert_int_equal(t->raw->sound, 2);
    damaged_will_come("four");
    assert_int_equal(gw_raw_recv_frame(t, w.now + 1000, NULL), GW_RECV_TIMEOUT);
    gw_transport_close(t);

    t = station(true);
    for (unsigned i = 0; i < 3; i++) {
        damaged_will_come("bad");
        assert_int_equal(receive(t, got, sizeof(got)), 3);
    }
    gw_transport_close(t);
}

static void shows_and_sends_frames(void **state)
{
    uint8_t frame[GW_ETHER_FRAME_MIN] = {1, 2, 3};
    (void)state;
    gw_transport *t = station(true);
    assert_true(gw_raw_send_frame(t, frame, sizeof(frame)));
    assert_memory_equal(w.sent_frame[0], frame, sizeof(frame));
    t->raw->ether->silent = true;
    arp_will_come(GW_ARP_REQUEST);
    datagram_will_come(BOARD, 8, "other port");
    assert_int_equal(gw_raw_recv_frame(t, w.now + 1, NULL), GW_RECV_DATA);
    assert_int_equal(gw_load_be16(t->raw->last.frame + 12), GW_ETHERTYPE_ARP);
    assert_int_equal(gw_raw_recv_frame(t, w.now + 1, NULL), GW_RECV_DATA);
    assert_int_equal(gw_load_be16(t->raw->last.frame + UDP), 8);
    assert_int_equal(gw_raw_recv_frame(t, w.now + 1, NULL), GW_RECV_TIMEOUT);
    assert_int_equal(w.sent, 1);
    gw_transport_close(t);
}

/* Puts the tags |vlan| into what came last. */
static void tag_last(const gw_vlan *vlan)
{
    uint8_t tagged[GW_ETHER_FRAME_MAX + 8];
    unsigned last = w.coming - 1;
    w.coming_len[last] = gw_vlan_put(vlan, tagged, w.coming_frame[last], w.coming_len[last]);
    memcpy(w.coming_frame[last], tagged, w.coming_len[last]);
}

/* What is in another VLAN is counted, recorded when it is the board's, and heard by nobody. */
static void keeps_to_its_vlan(void **state)
{
    const gw_vlan ours = {.ids = {100}, .num = 1, .pcp = 2};
    const gw_vlan another = {.ids = {101}, .num = 1};
    char got[16];
    (void)state;
    gw_transport *t = station(false);
    t->raw->vlan = ours;
    arp_will_come(GW_ARP_REPLY);
    tag_last(&another); /* so this is no answer, ... */
    arp_will_come(GW_ARP_REPLY);
    tag_last(&ours); /* ... and this is */
    assert_true(t->ops->send(t, (const uint8_t *)"hello", 5));
    assert_int_equal(w.sent, 2);
    assert_int_equal(w.sent_len[1], GW_ETHER_FRAME_MIN + GW_VLAN_TAG);
    assert_memory_equal(w.sent_frame[1] + 12, "\x81\x00\x40\x64\x08\x00", 6);
    assert_int_equal(t->raw->mistagged, 1);
    datagram_will_come(BOARD, 7, "one");
    datagram_will_come(BOARD, 7, "two");
    tag_last(&another);
    datagram_will_come(BOARD, 7, "three");
    tag_last(&ours);
    assert_int_equal(receive(t, got, sizeof(got)), 5);
    assert_memory_equal(got, "three", 5);
    assert_int_equal(t->raw->mistagged, 3);
    assert_int_equal(told.datagrams, 2);
    /* What cases see of a frame has no tags. */
    assert_memory_equal(t->raw->last.frame + PAYLOAD, "three", 5);
    gw_transport_close(t);
}

static void leaves_the_checksum_out(void **state)
{
    (void)state;
    gw_transport *t = station(true);
    assert_true(t->ops->no_checksum(t, true));
    assert_true(t->ops->send(t, (const uint8_t *)"x", 1));
    assert_true(t->ops->no_checksum(t, false));
    assert_true(t->ops->send(t, (const uint8_t *)"x", 1));
    assert_int_equal(gw_load_be16(w.sent_frame[1] + UDP + 6), 0);
    assert_int_not_equal(gw_load_be16(w.sent_frame[2] + UDP + 6), 0);
    gw_transport_close(t);
}

static void cuts_long_datagrams(void **state)
{
    static uint8_t data[3000];
    static uint8_t back[4000];
    static uint8_t huge[65508];
    size_t len = 0;
    (void)state;
    gw_transport *t = station(true);
    data[2999] = 7;
    assert_true(t->ops->send(t, data, sizeof(data)));
    assert_int_equal(w.sent, 1 + 3);
    assert_int_equal(told.datagrams, 1);
    assert_int_equal(t->raw->last.number, told.frames);
    /* The same come back, as if from the board. */
    unsigned first = w.coming;
    for (unsigned i = 1; i < 4; i++) {
        will_come(w.sent_frame[i], w.sent_len[i]);
        uint8_t *f = w.coming_frame[first + i - 1];
        gw_ether_own_mac(f, US);
        gw_ether_own_mac(f + 6, BOARD);
        gw_store_be(f + GW_ETHER_HEADER + 12, BOARD, 4);
        gw_store_be(f + GW_ETHER_HEADER + 16, US, 4);
        if (i != 1)
            continue;
        gw_store_be(f + UDP, 7, 2);
        gw_store_be(f + UDP + 2, 5000, 2);
    }
    assert_int_equal(t->ops->recv(t, back, sizeof(back), &len, w.now + 1000, NULL, NULL),
                     GW_RECV_DATA);
    assert_int_equal(len, sizeof(data));
    assert_memory_equal(back, data, len);
    assert_false(t->ops->send(t, huge, sizeof(huge)));
    assert_non_null(strstr(t->error, "65508 bytes"));
    gw_transport_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_then_sends),
        cmocka_unit_test(sends_to_all_when_nobody_answers),
        cmocka_unit_test(keeps_what_comes_while_it_asks),
        cmocka_unit_test(passes_over_others),
        cmocka_unit_test(leaves_damaged_packets_out),
        cmocka_unit_test(shows_and_sends_frames),
        cmocka_unit_test(keeps_to_its_vlan),
        cmocka_unit_test(leaves_the_checksum_out),
        cmocka_unit_test(cuts_long_datagrams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
