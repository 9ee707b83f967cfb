/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the way from frames to messages. Frames are made in memory and fed one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "goldwire/etherbone.h"
#include "goldwire/net.h"
#include "goldwire/writer.h"
#include "inspect/pipeline.h"

#define MESSAGES_MAX 64
#define NOTES_MAX 64
#define ETHERNET 14

/* What came out of a pipeline. */
typedef struct kept_message {
    gw_message message;
    const gw_dialect *dialect;
    uint32_t lost_before;
    uint8_t tcp_dir;
    bool start_missing;
    uint8_t data[512];
} kept_message;

typedef struct scene {
    gw_selection selection;
    gw_pipeline *pipeline;
    uint64_t frames;
    size_t num_messages;
    kept_message messages[MESSAGES_MAX];
    size_t num_notes;
    char notes[NOTES_MAX][256];
    uint64_t note_frames[NOTES_MAX];
} scene;

static const gw_endpoint v4_client = {{10, 0, 0, 1}, 50000, GW_FAMILY_IPV4, 0};
static const gw_endpoint v4_server = {{10, 0, 0, 2}, 60368, GW_FAMILY_IPV4, 0};
static const gw_endpoint v6_client = {{0xfe, 0x80, [15] = 1}, 50000, GW_FAMILY_IPV6, 0};
static const gw_endpoint v6_server = {{0xfe, 0x80, [15] = 2}, 60368, GW_FAMILY_IPV6, 0};

/* One read, 16 bytes; a header for a stream; one record with a write, 12 bytes. */
static const uint8_t packet[] = {0x4e, 0x6f, 0x10, 0x44, 0x28, 0x0f, 0x00, 0x01,
                                 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x10, 0x00};
static const uint8_t header[] = {0x4e, 0x6f, 0x10, 0x44};
static const uint8_t record[] = {0x08, 0x0f, 0x01, 0x00, 0x00, 0x00,
                                 0x10, 0x00, 0xca, 0xfe, 0x00, 0x01};

static void on_found(void *ctx, const gw_found *found)
{
    scene *s = ctx;

    assert_true(s->num_messages < MESSAGES_MAX);
    assert_true(found->message->cap_len <= sizeof s->messages[0].data);
    assert_ptr_equal(found->format, &gw_etherbone);
    kept_message *k = &s->messages[s->num_messages++];
    k->message = *found->message;
    k->dialect = found->dialect;
    k->lost_before = found->lost_before;
    k->tcp_dir = found->tcp_dir;
    k->start_missing = found->start_missing;
    if (found->message->cap_len > 0)
        memcpy(k->data, found->message->data, found->message->cap_len);
}

static void on_note(void *ctx, uint64_t frame, const char *text)
{
    scene *s = ctx;

    assert_true(s->num_notes < NOTES_MAX);
    s->note_frames[s->num_notes] = frame;
    snprintf(s->notes[s->num_notes++], sizeof s->notes[0], "%s", text);
}

static int open_scene(void **state)
{
    scene *s = calloc(1, sizeof *s);

    if (s == NULL)
        return -1;
    gw_selection_init(&s->selection);
    s->pipeline = gw_pipeline_new(&s->selection, on_found, on_note, s);
    *state = s;
    return s->pipeline != NULL ? 0 : -1;
}

static int close_scene(void **state)
{
    scene *s = *state;

    gw_pipeline_free(s->pipeline);
    free(s);
    return 0;
}

/* Feeds |cap_len| of |len| bytes as the next frame. */
static void feed_cut(scene *s, const uint8_t *data, size_t len, size_t cap_len)
{
    gw_frame frame = {
        .data = data,
        .cap_len = (uint32_t)cap_len,
        .len = (uint32_t)len,
        .link_type = GW_LINK_ETHERNET,
        .number = ++s->frames,
        .time_ns = (int64_t)s->frames * 1000,
        .dir = GW_DIR_IN,
    };
    gw_pipeline_frame(s->pipeline, &frame);
}

static void feed(scene *s, const uint8_t *data, size_t len)
{
    feed_cut(s, data, len, len);
}

static void feed_udp(scene *s, const gw_endpoint *src, const gw_endpoint *dst, const void *payload,
                     size_t len)
{
    uint8_t frame[2048];
    size_t n = gw_frame_udp(frame, sizeof frame, src, dst, payload, len);

    assert_true(n > 0);
    feed(s, frame, n);
}

static void feed_tcp(scene *s, const gw_endpoint *src, const gw_endpoint *dst, uint32_t seq,
                     uint32_t ack, uint8_t flags, const void *payload, size_t len)
{
    uint8_t frame[2048];
    size_t n = gw_frame_tcp(frame, sizeof frame, src, dst, seq, ack, flags, payload, len);

    assert_true(n > 0);
    feed(s, frame, n);
}

/* The handshake: the client's first byte is 101, the server's 201. */
static void connect(scene *s, const gw_endpoint *client, const gw_endpoint *server)
{
    feed_tcp(s, client, server, 100, 0, GW_TCP_SYN, NULL, 0);
    feed_tcp(s, server, client, 200, 101, GW_TCP_SYN | GW_TCP_ACK, NULL, 0);
    feed_tcp(s, client, server, 101, 201, GW_TCP_ACK, NULL, 0);
}

static void assert_message(const scene *s, size_t i, const void *data, size_t len)
{
    assert_true(i < s->num_messages);
    assert_int_equal(s->messages[i].message.cap_len, len);
    assert_memory_equal(s->messages[i].data, data, len);
}

static void assert_note(const scene *s, uint64_t frame, const char *part)
{
    for (size_t i = 0; i < s->num_notes; i++) {
        if (s->note_frames[i] == frame && strstr(s->notes[i], part) != NULL)
            return;
    }
    fail_msg("no note of frame %d says '%s'; the first says '%s'", (int)frame, part,
             s->num_notes > 0 ? s->notes[0] : "");
}

/* ---- UDP ---- */

static void finds_datagrams_on_known_ports(void **state)
{
    scene *s = *state;

    feed_udp(s, &v4_client, &v4_server, packet, sizeof packet);
    feed_udp(s, &v4_server, &v4_client, packet, sizeof packet);
    feed_udp(s, &v6_client, &v6_server, packet, sizeof packet);
    gw_pipeline_end(s->pipeline);

    assert_int_equal(s->num_messages, 3);
    for (size_t i = 0; i < 3; i++) {
        const gw_message *m = &s->messages[i].message;
        assert_message(s, i, packet, sizeof packet);
        assert_int_equal(m->len, sizeof packet);
        assert_int_equal(m->frame, i + 1);
        assert_int_equal(m->num_frames, 1);
        assert_int_equal(m->frames[0], i + 1);
        assert_int_equal(m->time_ns, (i + 1) * 1000);
        assert_int_equal(m->transport, GW_OVER_UDP);
        assert_int_equal(m->dir, GW_DIR_IN);
        assert_string_equal(s->messages[i].dialect->name, "strict");
    }
    assert_true(gw_endpoint_equal(&s->messages[0].message.src, &v4_client));
    assert_true(gw_endpoint_equal(&s->messages[1].message.dst, &v4_client));
    assert_true(gw_endpoint_equal(&s->messages[2].message.dst, &v6_server));
    assert_int_equal(s->num_notes, 0);
}

static void walks_vlan_tags(void **state)
{
    static const uint8_t tags[] = {0x88, 0xa8, 0x00, 0x07, 0x81, 0x00, 0x60, 0x2a};
    scene *s = *state;
    uint8_t plain[256], tagged[256];
    size_t n = gw_frame_udp(plain, sizeof plain, &v4_client, &v4_server, packet, sizeof packet);

    memcpy(tagged, plain, 12);
    memcpy(tagged + 12, tags, sizeof tags);
    memcpy(tagged + 12 + sizeof tags, plain + 12, n - 12);
    feed(s, tagged, n + sizeof tags);
    feed(s, plain, n);

    assert_int_equal(s->num_messages, 2);
    assert_message(s, 0, packet, sizeof packet);
    assert_int_equal(s->messages[0].message.num_vlans, 2);
    assert_int_equal(s->messages[0].message.vlans[0], 7);
    assert_int_equal(s->messages[0].message.vlans[1], 42);
    assert_int_equal(s->messages[1].message.num_vlans, 0);
}

static void tells_what_the_capture_cut(void **state)
{
    scene *s = *state;
    uint8_t frame[256];
    size_t n = gw_frame_udp(frame, sizeof frame, &v4_client, &v4_server, packet, sizeof packet);

    feed_cut(s, frame, n, n - 6);
    feed_cut(s, frame, n, ETHERNET + 10);
    assert_int_equal(s->num_messages, 1);
    assert_message(s, 0, packet, sizeof packet - 6);
    assert_int_equal(s->messages[0].message.len, sizeof packet);
    assert_note(s, 1, "kept 10 of 16 bytes");
    assert_note(s, 2, "byte 14 of the frame");
    assert_int_equal(gw_pipeline_count(s->pipeline)->unreadable, 1);
}

static void leaves_foreign_frames_alone(void **state)
{
    static const uint8_t ptp[60] = {[12] = 0x88, [13] = 0xf7};
    gw_endpoint a = v4_client, b = v4_server;
    scene *s = *state;
    char why[256];
    gw_text text = gw_text_over(why, sizeof why);

    a.port = 5353;
    b.port = 5354;
    feed(s, ptp, sizeof ptp);
    feed_udp(s, &a, &b, "hello, world, this is foreign", 29);
    feed_udp(s, &a, &b, NULL, 0);
    feed_tcp(s, &a, &b, 1, 1, GW_TCP_ACK, packet, sizeof packet);
    gw_pipeline_end(s->pipeline);
    assert_int_equal(s->num_messages, 0);
    gw_pipeline_why_nothing(s->pipeline, &text);
    assert_string_equal(why,
                        "4 frames, 1 not UDP or TCP, 3 on unknown ports; try --proto etherbone or "
                        "op2p or textarossa or l1farm or ims");
}

static void claims_by_content_on_unknown_ports(void **state)
{
    gw_endpoint a = v4_client, b = v4_server;
    scene *s = *state;

    a.port = 5353;
    b.port = 5354;
    feed_udp(s, &a, &b, packet, sizeof packet);
    assert_int_equal(s->num_messages, 1);
    feed_udp(s, &b, &a, packet, sizeof packet - 1);
    assert_int_equal(s->num_messages, 2); /* the two are known by now */
    a.port++;
    feed_udp(s, &a, &b, packet, sizeof packet - 1);
    assert_int_equal(s->num_messages, 2);
    gw_pipeline_end(s->pipeline);
    assert_note(s, 0, "1 datagrams and segments on ports of no format are not read");
}

static void takes_the_rest_when_told(void **state)
{
    gw_endpoint a = v4_client, b = v4_server;
    scene *s = *state;
    char why[256];

    a.port = 5353;
    b.port = 5354;
    assert_false(gw_selection_proto(&s->selection, "ehterbone", why, sizeof why));
    assert_non_null(strstr(why, "did you mean 'etherbone'"));
    assert_true(gw_selection_proto(&s->selection, "etherbone", why, sizeof why));
    feed_udp(s, &a, &b, "hello", 5);
    feed_tcp(s, &a, &b, 1, 1, GW_TCP_SYN, NULL, 0);
    feed_tcp(s, &a, &b, 2, 1, GW_TCP_ACK, header, sizeof header);
    gw_pipeline_end(s->pipeline);
    assert_int_equal(s->num_messages, 2);
    assert_message(s, 0, "hello", 5);
    assert_message(s, 1, header, sizeof header);
}

/* ---- dialects ---- */

static const char *picked(const scene *s, const gw_endpoint *src, const gw_endpoint *dst)
{
    return gw_selection_pick(&s->selection, &gw_etherbone, src, dst)->name;
}

static void picks_the_most_specific_dialect(void **state)
{
    gw_endpoint elsewhere = v4_server;
    scene *s = *state;
    char why[256];

    elsewhere.ip[3] = 9;
    assert_string_equal(picked(s, &v4_client, &v4_server), "strict");
    assert_true(gw_selection_dialect(&s->selection, "gsi@10.0.0.2:60368", why, sizeof why));
    assert_true(gw_selection_dialect(&s->selection, "litex@10.0.0.2", why, sizeof why));
    assert_true(gw_selection_dialect(&s->selection, "libetherbone", why, sizeof why));
    assert_string_equal(picked(s, &v4_client, &v4_server), "gsi");
    assert_string_equal(picked(s, &v4_server, &v4_client), "gsi");
    elsewhere.ip[3] = 2;
    elsewhere.port = 1234;
    assert_string_equal(picked(s, &v4_client, &elsewhere), "litex");
    elsewhere.ip[3] = 9;
    assert_string_equal(picked(s, &v4_client, &elsewhere), "libetherbone");
    assert_true(gw_selection_dialect(&s->selection, "strict", why, sizeof why));
    assert_string_equal(picked(s, &v4_client, &elsewhere), "strict");
}

static void explains_wrong_dialects(void **state)
{
    scene *s = *state;
    char why[256];

    assert_false(gw_selection_dialect(&s->selection, "litx", why, sizeof why));
    assert_non_null(strstr(why, "did you mean 'litex'"));
    assert_false(gw_selection_dialect(&s->selection, "litex@nowhere", why, sizeof why));
    assert_non_null(strstr(why, "'nowhere' is not HOST"));
    assert_int_equal(s->selection.num_dialects, 0);
}

/* ---- fragments ---- */

/* Cuts an IPv4 frame into two fragments, the first with |first| bytes of IP payload. */
static void feed_fragment(scene *s, const uint8_t *whole, size_t n, size_t from, size_t to)
{
    uint8_t frame[2048];
    size_t head = ETHERNET + 20;
    bool more = head + to < n;

    memcpy(frame, whole, head);
    memcpy(frame + head, whole + head + from, to - from);
    gw_store_be(frame + ETHERNET + 2, 20 + to - from, 2);
    gw_store_be(frame + ETHERNET + 4, 0x1234, 2);
    gw_store_be(frame + ETHERNET + 6, (more ? 0x2000u : 0u) | from / 8, 2);
    feed(s, frame, head + to - from);
}

static void joins_fragments(void **state)
{
    scene *s = *state;
    uint8_t whole[256];
    size_t n = gw_frame_udp(whole, sizeof whole, &v4_client, &v4_server, packet, sizeof packet);

    feed_fragment(s, whole, n, 16, 24);
    feed_udp(s, &v4_server, &v4_client, packet, sizeof packet);
    feed_fragment(s, whole, n, 0, 16);
    gw_pipeline_end(s->pipeline);

    assert_int_equal(s->num_messages, 2);
    assert_message(s, 1, packet, sizeof packet);
    assert_int_equal(s->messages[1].message.frame, 3);
    assert_int_equal(s->messages[1].message.num_frames, 2);
    assert_int_equal(s->messages[1].message.frames[0], 1);
    assert_int_equal(s->messages[1].message.frames[1], 3);
    assert_int_equal(s->messages[0].message.num_frames, 1);
    assert_int_equal(s->num_notes, 0);
}

static void says_which_fragments_are_given_up(void **state)
{
    scene *s = *state;
    uint8_t whole[256];
    size_t n = gw_frame_udp(whole, sizeof whole, &v4_client, &v4_server, packet, sizeof packet);

    feed_fragment(s, whole, n, 0, 16);
    gw_pipeline_end(s->pipeline);
    assert_int_equal(s->num_messages, 0);
    assert_note(s, 1, "identification 0x1234");
}

/* ---- TCP ---- */

static void follows_a_stream_byte_by_byte(void **state)
{
    scene *s = *state;
    uint8_t bytes[sizeof header + 2 * sizeof record];
    uint32_t seq = 101;

    memcpy(bytes, header, sizeof header);
    memcpy(bytes + sizeof header, record, sizeof record);
    memcpy(bytes + sizeof header + sizeof record, record, sizeof record);
    connect(s, &v6_client, &v6_server);
    for (size_t i = 0; i < sizeof bytes; i++)
        feed_tcp(s, &v6_client, &v6_server, seq++, 201, GW_TCP_ACK, bytes + i, 1);
    gw_pipeline_end(s->pipeline);

    assert_int_equal(s->num_messages, 3);
    assert_message(s, 0, header, sizeof header);
    assert_message(s, 1, record, sizeof record);
    assert_message(s, 2, record, sizeof record);
    assert_int_equal(s->messages[1].message.part, GW_EB_RECORD);
    assert_int_equal(s->messages[1].message.transport, GW_OVER_TCP);
    assert_int_equal(s->messages[1].message.dir, GW_DIR_IN);
    assert_int_equal(s->messages[1].message.num_frames, sizeof record);
    assert_int_equal(s->messages[1].tcp_dir, 0);
    assert_int_equal(s->num_notes, 0);
}

static void puts_segments_in_order(void **state)
{
    scene *s = *state;
    uint32_t seq = 101 + sizeof header;

    connect(s, &v4_client, &v4_server);
    feed_tcp(s, &v4_client, &v4_server, seq + 5, 201, GW_TCP_ACK, record + 5, sizeof record - 5);
    feed_tcp(s, &v4_client, &v4_server, seq, 201, GW_TCP_ACK, record, 7);
    feed_tcp(s, &v4_client, &v4_server, 101, 201, GW_TCP_ACK, header, sizeof header);
    feed_tcp(s, &v4_client, &v4_server, 101, 201, GW_TCP_ACK, header, sizeof header);
    gw_pipeline_end(s->pipeline);

    assert_int_equal(s->num_messages, 2);
    assert_message(s, 0, header, sizeof header);
    assert_message(s, 1, record, sizeof record);
    assert_int_equal(s->num_notes, 0);
}

static void says_what_a_stream_lost(void **state)
{
    scene *s = *state;
    uint32_t seq = 101;

    connect(s, &v4_client, &v4_server);
    feed_tcp(s, &v4_client, &v4_server, seq, 201, GW_TCP_ACK, header, sizeof header);
    seq += sizeof header + 12;
    feed_tcp(s, &v4_server, &v4_client, 201, seq, GW_TCP_ACK, NULL, 0);
    feed_tcp(s, &v4_client, &v4_server, seq, 201, GW_TCP_ACK, record, sizeof record);
    gw_pipeline_end(s->pipeline);

    assert_int_equal(s->num_messages, 2);
    assert_message(s, 1, record, sizeof record);
    assert_int_equal(s->messages[1].message.part, GW_EB_LOST);
    assert_int_equal(s->messages[1].lost_before, 12);
    assert_int_equal(s->messages[0].lost_before, 0);
    assert_note(s, 5, "12 bytes of TCP stream 0 are missing");
}

static void says_when_a_retransmission_differs(void **state)
{
    scene *s = *state;
    uint8_t other[sizeof header];

    memcpy(other, header, sizeof header);
    other[3] = 0x88;
    connect(s, &v4_client, &v4_server);
    feed_tcp(s, &v4_client, &v4_server, 101, 201, GW_TCP_ACK, header, sizeof header);
    feed_tcp(s, &v4_client, &v4_server, 101, 201, GW_TCP_ACK, other, sizeof other);
    gw_pipeline_end(s->pipeline);

    assert_int_equal(s->num_messages, 1);
    assert_message(s, 0, header, sizeof header);
    assert_note(s, 5, "differs in 1 bytes");
}

static void says_when_the_start_is_missing(void **state)
{
    scene *s = *state;

    s->selection.proto = &gw_etherbone;
    feed_tcp(s, &v4_client, &v4_server, 7777, 201, GW_TCP_ACK, record, sizeof record);
    gw_pipeline_end(s->pipeline);
    assert_int_equal(s->num_messages, 1);
    assert_int_equal(s->messages[0].message.part, GW_EB_LOST);
    assert_true(s->messages[0].start_missing);
    assert_note(s, 1, "began before the capture");
}

static void tells_both_directions_apart(void **state)
{
    static const uint8_t probe[] = {0x4e, 0x6f, 0x11, 0xff, 1, 2, 3, 4};
    static const uint8_t answer[] = {0x4e, 0x6f, 0x16, 0x44, 1, 2, 3, 4};
    scene *s = *state;

    connect(s, &v4_client, &v4_server);
    feed_tcp(s, &v4_client, &v4_server, 101, 201, GW_TCP_ACK, probe, sizeof probe);
    feed_tcp(s, &v4_server, &v4_client, 201, 109, GW_TCP_ACK, answer, sizeof answer);
    feed_tcp(s, &v4_client, &v4_server, 109, 209, GW_TCP_ACK, record, sizeof record);
    gw_pipeline_end(s->pipeline);

    assert_int_equal(s->num_messages, 3);
    assert_int_equal(s->messages[0].tcp_dir, 0);
    assert_int_equal(s->messages[1].tcp_dir, 1);
    assert_int_equal(s->messages[2].tcp_dir, 0);
    assert_int_equal(s->messages[2].message.part, GW_EB_RECORD);
    assert_int_equal(s->messages[2].message.part_arg, 0x44);
}

static void says_when_connections_are_too_many(void **state)
{
    gw_endpoint client = v4_client;
    scene *s = *state;

    s->selection.proto = &gw_etherbone;
    for (unsigned i = 0; i <= GW_PIPELINE_CONNECTIONS; i++) {
        client.port = (uint16_t)(20000 + i);
        feed_tcp(s, &client, &v4_server, 100, 0, GW_TCP_SYN, NULL, 0);
        /* Half a header: its end is told when the connection goes. */
        feed_tcp(s, &client, &v4_server, 101, 0, GW_TCP_ACK, header, 2);
        if (i + 1 == GW_PIPELINE_CONNECTIONS)
            assert_int_equal(s->num_messages, 0);
    }
    assert_int_equal(s->num_messages, 1);
    assert_message(s, 0, header, 2);
    assert_int_equal(s->messages[0].message.src.port, 20000);
    assert_note(s, s->frames - 1, "stream 0 is no longer followed");
}

static void holds_notes_back(void **state)
{
    scene *s = *state;
    uint8_t frame[256];
    size_t n = gw_frame_udp(frame, sizeof frame, &v4_client, &v4_server, packet, sizeof packet);

    for (unsigned i = 0; i < 100; i++)
        feed_cut(s, frame, n, ETHERNET + 10);
    assert_true(s->num_notes < 20);
    size_t told = s->num_notes;
    gw_pipeline_end(s->pipeline);
    char expected[64];
    snprintf(expected, sizeof expected, "%zu more frames that cannot be read", 100 - told);
    assert_note(s, 0, expected);
}

static void on_arp(void *ctx, const gw_message *m)
{
    scene *s = ctx;

    assert_int_equal(m->len, 4);
    assert_memory_equal(m->data, "\x00\x01\x08\x00", 4);
    assert_int_equal(m->link_len, 14);
    assert_int_equal(m->frame_len, 18);
    assert_int_equal(m->frame, s->frames);
    assert_int_equal(m->dir, GW_DIR_IN);
    s->num_messages++;
}

/* ARP is handed to who asks for it, and is not IP to everybody. */
static void arp_is_told_to_who_asks(void **state)
{
    static const uint8_t arp[] = {255, 255, 255, 255, 255, 255, 2,    0, 0,
                                  0,   0,   1,   8,   6,   0,   0x01, 8, 0};
    scene *s = *state;

    feed(s, arp, sizeof arp);
    assert_int_equal(s->num_messages, 0);
    gw_pipeline_arp(s->pipeline, on_arp);
    feed(s, arp, sizeof arp);
    assert_int_equal(s->num_messages, 1);
    assert_int_equal(gw_pipeline_count(s->pipeline)->not_ip, 2);
    assert_int_equal(gw_pipeline_count(s->pipeline)->messages, 0);
}

int main(void)
{
#define SCENE(test) cmocka_unit_test_setup_teardown(test, open_scene, close_scene)
    const struct CMUnitTest tests[] = {
        SCENE(finds_datagrams_on_known_ports),
        SCENE(walks_vlan_tags),
        SCENE(tells_what_the_capture_cut),
        SCENE(leaves_foreign_frames_alone),
        SCENE(claims_by_content_on_unknown_ports),
        SCENE(takes_the_rest_when_told),
        SCENE(picks_the_most_specific_dialect),
        SCENE(explains_wrong_dialects),
        SCENE(joins_fragments),
        SCENE(says_which_fragments_are_given_up),
        SCENE(follows_a_stream_byte_by_byte),
        SCENE(puts_segments_in_order),
        SCENE(says_what_a_stream_lost),
        SCENE(says_when_a_retransmission_differs),
        SCENE(says_when_the_start_is_missing),
        SCENE(tells_both_directions_apart),
        SCENE(says_when_connections_are_too_many),
        SCENE(holds_notes_back),
        SCENE(arp_is_told_to_who_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
