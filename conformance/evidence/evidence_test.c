/* SPDX-License-Identifier: BSD-2-Clause */
/* Evidence: what is kept, what is bounded, and what the file says. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "evidence/evidence.h"
#include "evidence/packet_message.h"
#include "goldwire/etherbone.h"
#include "goldwire/ib.h"
#include "goldwire/ims.h"
#include "goldwire/net.h"
#include "goldwire/op2p.h"
#include "harness/capture.h"
#include "harness/temporary_testing.h"

static const gw_endpoint here = {.ip = {127, 0, 0, 1}, .port = 40000, .family = GW_FAMILY_IPV4};
static const gw_endpoint there = {.ip = {127, 0, 0, 2}, .port = 60368, .family = GW_FAMILY_IPV4};

static gw_evidence_packet packet(gw_direction dir, gw_evidence_kind kind, bool stream, uint32_t len)
{
    return (gw_evidence_packet){.time_ns = INT64_C(1700000000123456789),
                                .local = here,
                                .remote = there,
                                .len = len,
                                .dir = (uint8_t)dir,
                                .kind = (uint8_t)kind,
                                .stream = stream};
}

typedef void (*look_fn)(const gw_frame *frame, const gw_net *net, unsigned number);

/* Writes the evidence, reads it back, shows each frame to |look|, and returns how many there were.
 */
static unsigned read_back(const gw_evidence *e, look_fn look)
{
    gw_temporary place;
    char why[256] = "";
    int fd = gw_temporary_open(&place);
    const char *path = place.path;
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "wb");
    assert_non_null(file);
    assert_true(gw_evidence_write(e, file, "title"));
    assert_int_equal(fclose(file), 0);
    gw_capture *capture = gw_capture_open(path, why, sizeof(why));
    assert_non_null(capture);
    gw_frame frame;
    unsigned num = 0;
    gw_capture_status status;
    while ((status = gw_capture_next(capture, &frame)) == GW_CAPTURE_FRAME) {
        gw_net net;
        num++;
        assert_int_equal(gw_net_parse(&net, frame.link_type,
                                      gw_cursor_over(frame.data, frame.cap_len), frame.len),
                         GW_NET_OK);
        look(&frame, &net, num);
    }
    assert_int_equal(status, GW_CAPTURE_END);
    gw_capture_close(capture);
    assert_int_equal(unlink(path), 0);
    return num;
}

static void look_at_datagrams(const gw_frame *frame, const gw_net *net, unsigned number)
{
    assert_int_equal(frame->time_ns, INT64_C(1700000000123456789));
    assert_int_equal(net->transport, GW_OVER_UDP);
    if (number == 1) {
        assert_int_equal(frame->dir, GW_DIR_OUT);
        assert_string_equal(frame->comment, "title\none\ntwo");
        assert_true(gw_endpoint_equal(&net->src, &here));
        assert_memory_equal(net->payload.p, "abc", 3);
    } else {
        assert_int_equal(frame->dir, GW_DIR_IN);
        assert_true(gw_endpoint_equal(&net->dst, &here));
        assert_null(frame->comment);
        assert_int_equal(net->payload_len, 0);
    }
}

/* Three links, one of them the registers: each says what it holds, and only a wire names ports. */
static void look_at_links(const gw_frame *frame, const gw_net *net, unsigned number)
{
    static const char *const links[] = {"left", "right", "regs", "left"};
    const gw_announcement *a = frame->announced;
    (void)net;
    assert_non_null(a);
    assert_ptr_equal(a->format, number == 3 ? &gw_etherbone : &gw_op2p);
    assert_string_equal(a->dialect->name, number == 3 ? "strict" : "vhdl");
    assert_string_equal(a->role, "op2p-node");
    assert_string_equal(a->link, links[number - 1]);
    assert_int_equal(a->num_ports, number == 4 ? 2 : 0);
    assert_true(gw_announcement_covers(a, 60368, 1));
    assert_int_equal(gw_announcement_covers(a, 5353, 5353), number != 4);
}

static void evidence_says_what_it_holds(void **state)
{
    (void)state;
    gw_evidence e = {.board = {.format = &gw_op2p,
                               .dialect = gw_dialect_by_name(&gw_op2p, "vhdl"),
                               .role = "op2p-node"}};
    gw_evidence_packet one = packet(GW_DIR_OUT, GW_EVIDENCE_BYTES, false, 3);
    uint8_t frame[128];
    size_t len = gw_frame_udp(frame, sizeof(frame), &here, &there, (const uint8_t *)"abc", 3);
    one.link = "left";
    assert_int_equal(gw_evidence_add(&e, &one, (const uint8_t *)"abc"), 1);
    one.link = "right";
    assert_int_equal(gw_evidence_add(&e, &one, (const uint8_t *)"abc"), 2);
    one.link = "regs";
    one.regs = true;
    assert_int_equal(gw_evidence_add(&e, &one, (const uint8_t *)"abc"), 3);
    one.link = "left";
    one.regs = false;
    assert_int_equal(gw_evidence_add_frame(&e, &one, frame + len - 3, frame, len), 4);
    assert_int_equal(read_back(&e, look_at_links), 4);
    gw_evidence_free(&e);
}

static void datagrams_come_back(void **state)
{
    (void)state;
    gw_evidence e = {0};
    gw_evidence_packet out = packet(GW_DIR_OUT, GW_EVIDENCE_BYTES, false, 3);
    gw_evidence_packet in = packet(GW_DIR_IN, GW_EVIDENCE_BYTES, false, 0);
    assert_int_equal(gw_evidence_add(&e, &out, (const uint8_t *)"abc"), 1);
    assert_int_equal(gw_evidence_add(&e, &in, NULL), 2);
    gw_evidence_comment_on(&e, 1, "one");
    gw_evidence_comment_on(&e, 1, "two");
    gw_evidence_comment_on(&e, 0, "nobody");
    gw_evidence_comment_on(&e, 3, "nobody");
    assert_int_equal(read_back(&e, look_at_datagrams), 2);
    gw_evidence_free(&e);
}

/* Sequence numbers go on without a hole, so that a reassembler finds one stream a direction. */
static uint32_t next_seq[2];

static void look_at_stream(const gw_frame *frame, const gw_net *net, unsigned number)
{
    bool in = frame->dir == GW_DIR_IN;
    assert_int_equal(net->transport, GW_OVER_TCP);
    if (number == 1)
        assert_int_equal(net->tcp_flags, GW_TCP_SYN);
    assert_int_equal(net->tcp_seq, next_seq[in]);
    if ((net->tcp_flags & GW_TCP_ACK) != 0)
        assert_int_equal(net->tcp_ack, next_seq[!in]);
    next_seq[in] += net->payload_len;
    if ((net->tcp_flags & (GW_TCP_SYN | GW_TCP_FIN)) != 0)
        next_seq[in]++;
}

static void streams_come_back(void **state)
{
    (void)state;
    static uint8_t big[4000];
    gw_evidence e = {0};
    gw_evidence_packet open = packet(GW_DIR_OUT, GW_EVIDENCE_OPEN, true, 0);
    gw_evidence_packet out = packet(GW_DIR_OUT, GW_EVIDENCE_BYTES, true, sizeof(big));
    gw_evidence_packet in = packet(GW_DIR_IN, GW_EVIDENCE_BYTES, true, 5);
    gw_evidence_packet closed = packet(GW_DIR_IN, GW_EVIDENCE_CLOSE, true, 0);
    gw_evidence_add(&e, &open, NULL);
    gw_evidence_add(&e, &out, big);
    gw_evidence_add(&e, &in, big);
    gw_evidence_add(&e, &closed, NULL);
    memset(next_seq, 0, sizeof(next_seq));
    assert_int_equal(read_back(&e, look_at_stream), 3 + 3 + 1 + 1);
    gw_evidence_free(&e);
}

/* Which packet each frame belongs to shows in its time. */
static const gw_evidence *spanned;

static void look_at_spans(const gw_frame *frame, const gw_net *net, unsigned number)
{
    unsigned of = (unsigned)(frame->time_ns % 1000);
    gw_evidence_span span = gw_evidence_span_of(spanned, of);
    assert_int_equal(span.number, of);
    assert_uint_in_range(number, span.first, span.first + span.num - 1);
    if (span.kind == GW_EVIDENCE_BYTES) {
        assert_true(gw_endpoint_equal(&span.src, &net->src));
        assert_true(gw_endpoint_equal(&span.dst, &net->dst));
    }
}

static void packets_tell_their_frames(void **state)
{
    (void)state;
    static uint8_t big[4000];
    gw_evidence e = {0};
    gw_evidence_packet list[] = {
        packet(GW_DIR_OUT, GW_EVIDENCE_BYTES, false, 3),
        packet(GW_DIR_OUT, GW_EVIDENCE_OPEN, true, 0),
        packet(GW_DIR_OUT, GW_EVIDENCE_BYTES, true, sizeof(big)),
        packet(GW_DIR_IN, GW_EVIDENCE_BYTES, true, 1460),
        packet(GW_DIR_IN, GW_EVIDENCE_BYTES, true, 0),
        packet(GW_DIR_IN, GW_EVIDENCE_BYTES, true, 1461),
        packet(GW_DIR_IN, GW_EVIDENCE_CLOSE, true, 0),
        packet(GW_DIR_IN, GW_EVIDENCE_OPEN, true, 0), /* on a wire: its frames are there */
        packet(GW_DIR_IN, GW_EVIDENCE_BYTES, true, 9),
        packet(GW_DIR_IN, GW_EVIDENCE_BYTES, false, 0),
    };
    static const unsigned frames[] = {1, 3, 3, 1, 0, 2, 1, 0, 1, 1};
    unsigned total = 0;
    uint8_t frame[128];
    size_t len = gw_frame_udp(frame, sizeof(frame), &there, &here, big, 9);
    list[7].wire = list[8].wire = true;
    for (unsigned i = 0; i < GW_ARRAY_LEN(list); i++) {
        list[i].time_ns = 1000 + i + 1;
        if (i == 8)
            gw_evidence_add_frame(&e, &list[i], frame + len - 9, frame, len);
        else
            gw_evidence_add(&e, &list[i], big);
    }
    for (unsigned i = 0; i < GW_ARRAY_LEN(list); i++) {
        gw_evidence_span span = gw_evidence_span_of(&e, i + 1);
        assert_int_equal(span.first, total + 1);
        assert_int_equal(span.num, frames[i]);
        assert_false(span.doubtful);
        total += span.num;
    }
    spanned = &e;
    assert_int_equal(read_back(&e, look_at_spans), total);
    assert_int_equal(gw_evidence_span_of(&e, 0).number, 0);
    assert_int_equal(gw_evidence_span_of(&e, GW_ARRAY_LEN(list) + 1).number, 0);
    e.overflow = true;
    assert_true(gw_evidence_span_of(&e, GW_ARRAY_LEN(list)).doubtful);
    assert_false(gw_evidence_span_of(&e, 1).doubtful);
    gw_evidence_free(&e);
}

/* A board that floods every case fills no disk, and each case keeps its beginning. */
static void many_floods_are_bounded_together(void **state)
{
    (void)state;
    static uint8_t big[65536];
    gw_evidence e = {0};
    gw_evidence_packet in = packet(GW_DIR_IN, GW_EVIDENCE_BYTES, false, sizeof(big));
    size_t total = 0;
    in.len = 1000;
    for (unsigned run = 0; run < 100; run++) {
        gw_evidence_clear(&e);
        for (unsigned i = 0; i < 20000; i++)
            gw_evidence_add(&e, &in, big);
        assert_true(e.overflow);
        assert_true(e.num_packets >= 50);
        gw_evidence_spend(&e);
        total += e.num_bytes + e.num_packets * GW_EVIDENCE_PACKET_BYTES;
    }
    assert_true(total <= GW_EVIDENCE_RUN_BYTES + 100 * GW_EVIDENCE_LEAST_BYTES);
    gw_evidence_free(&e);
}

/* The file of a flood says at its end that it is not all. */
static unsigned said_at;

static void look_at_flood(const gw_frame *frame, const gw_net *net, unsigned number)
{
    (void)net;
    if (frame->comment != NULL && strstr(frame->comment, "later packets were too many") != NULL)
        said_at = said_at == 0 ? number : UINT_MAX;
}

static void a_flood_is_bounded(void **state)
{
    (void)state;
    static uint8_t big[65536];
    gw_evidence e = {0};
    gw_evidence_packet in = packet(GW_DIR_IN, GW_EVIDENCE_BYTES, false, sizeof(big));
    for (size_t i = 0; i < 2 * (GW_EVIDENCE_MAX_BYTES / sizeof(big)); i++)
        gw_evidence_add(&e, &in, big);
    assert_true(e.overflow);
    assert_true(e.num_bytes + 2 * sizeof(big) >= GW_EVIDENCE_MAX_BYTES);
    in.len = 0;
    gw_evidence_clear(&e);
    for (unsigned i = 0; i < 2 * GW_EVIDENCE_MAX_PACKETS; i++)
        gw_evidence_add(&e, &in, NULL);
    assert_int_equal(e.num_packets, GW_EVIDENCE_MAX_PACKETS);
    assert_true(e.overflow);
    assert_int_equal(read_back(&e, look_at_flood), GW_EVIDENCE_MAX_PACKETS);
    assert_int_equal(said_at, GW_EVIDENCE_MAX_PACKETS);
    gw_evidence_clear(&e);
    assert_false(e.overflow);
    assert_int_equal(gw_evidence_add(&e, &in, NULL), 1);
    assert_null(gw_evidence_get(&e, 2));
    gw_evidence_free(&e);
}

/* A packet as a message has its ends as they were, and is said by whom the board's file says. */
static void packets_are_messages_again(void **state)
{
    (void)state;
    static const uint8_t bytes[GW_IB_ICRC + 1] = "abcd";
    gw_message m;
    gw_evidence e = {.board = {.format = &gw_op2p, .caller = GW_DIR_OUT, .tunnel = true}};
    gw_evidence_packet ours = packet(GW_DIR_OUT, GW_EVIDENCE_BYTES, true, sizeof(bytes));
    gw_evidence_packet regs = packet(GW_DIR_IN, GW_EVIDENCE_BYTES, false, sizeof(bytes));
    gw_evidence_packet crc = packet(GW_DIR_IN, GW_EVIDENCE_BYTES, false, GW_IB_ICRC);
    gw_evidence_packet open = packet(GW_DIR_OUT, GW_EVIDENCE_OPEN, true, 0);
    ours.line = 7;
    regs.regs = true;
    gw_evidence_add(&e, &ours, bytes);
    gw_evidence_add(&e, &regs, bytes);
    gw_evidence_add(&e, &crc, bytes);
    gw_evidence_add(&e, &open, NULL);
    assert_true(gw_evidence_message(&m, &e, 1, &gw_op2p));
    assert_int_equal(m.len, sizeof(bytes));
    assert_int_equal(m.side, GW_SIDE_CALLER);
    assert_int_equal(m.transport, GW_OVER_TCP);
    assert_true(gw_endpoint_equal(&m.src, &here) && gw_endpoint_equal(&m.dst, &there));
    assert_true(m.tunnel && m.stream == 7 && m.frame == 1 && m.num_frames == 1);
    assert_true(gw_evidence_message(&m, &e, 2, &gw_etherbone));
    assert_int_equal(m.side, GW_SIDE_CALLED);
    assert_int_equal(m.transport, GW_OVER_UDP);
    assert_true(gw_endpoint_equal(&m.src, &there) && gw_endpoint_equal(&m.dst, &here));
    assert_false(m.tunnel);
    assert_true(gw_evidence_message(&m, &e, 2, &gw_ims));
    assert_int_equal(m.len, sizeof(bytes) - GW_IB_ICRC);
    assert_true(gw_evidence_message(&m, &e, 3, &gw_etherbone));
    assert_false(gw_evidence_message(&m, &e, 3, &gw_ims));
    assert_false(gw_evidence_message(&m, &e, 4, &gw_etherbone));
    assert_false(gw_evidence_message(&m, &e, 5, &gw_etherbone));
    gw_evidence_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evidence_says_what_it_holds),
        cmocka_unit_test(datagrams_come_back),
        cmocka_unit_test(streams_come_back),
        cmocka_unit_test(packets_tell_their_frames),
        cmocka_unit_test(a_flood_is_bounded),
        cmocka_unit_test(many_floods_are_bounded_together),
        cmocka_unit_test(packets_are_messages_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
