/* SPDX-License-Identifier: BSD-2-Clause */
/* Streams cut into messages: any split of the bytes gives the same answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "etherbone/internal.h"

enum { LOG_CAP = 1 << 16 };

/* What came out, flattened: part, widths, both lengths and the bytes of every message. Pieces of a
 * lost stretch are one stretch, wherever the cuts fell. */
struct log {
    uint8_t bytes[LOG_CAP];
    size_t len;
    unsigned messages;
    gw_message last;
    uint8_t last_part;
};

static void note(void *ctx, const gw_message *m)
{
    struct log *log = ctx;

    assert_true(log->len + m->cap_len + 16 < LOG_CAP);
    if (m->part != GW_EB_LOST || log->last_part != GW_EB_LOST || log->messages == 0) {
        log->bytes[log->len++] = m->part;
        log->bytes[log->len++] = (uint8_t)m->part_arg;
        if (m->part != GW_EB_LOST) {
            gw_store_be(log->bytes + log->len, m->cap_len, 4);
            gw_store_be(log->bytes + log->len + 4, m->len, 4);
            log->len += 8;
        }
        log->messages++;
    }
    memcpy(log->bytes + log->len, m->data, m->cap_len);
    log->len += m->cap_len;
    log->last = *m;
    log->last_part = m->part;
}

static uint64_t memory[4096]; /* 32 KiB for one stream's state */

static void start(const char *dialect)
{
    assert_true(gw_eb_stream.size <= sizeof memory);
    gw_eb_stream.init(memory, gw_dialect_by_name(&gw_etherbone, dialect));
}

static void push(struct log *log, unsigned dir, const uint8_t *data, size_t len, uint64_t frame)
{
    uint8_t exact[8192]; /* a copy, so that the stream cannot lean on bytes that are gone */
    assert_true(len <= sizeof exact);
    memcpy(exact, data, len);
    gw_message m = gw_message_of(exact, len);
    m.frame = frame;
    gw_eb_stream.push(memory, dir, &m, note, log);
    memset(exact, 0xdd, sizeof exact);
}

/* Client: probe, then records at the negotiated 32/32. Server: response, then a reply. */
static const uint8_t client[] = {
    0x4e, 0x6f, 0x11, 0xff, 0, 0, 0,    7,                                        /* probe */
    0x08, 0x0f, 0x01, 0x00, 0, 0, 0,    0x10, 0xca, 0xfe, 0, 1,                   /* write 1 */
    0x08, 0x00, 0x00, 0x00,                                                       /* empty */
    0xa8, 0x0f, 0x00, 0x02, 0, 0, 0x80, 0,    0,    0,    0, 0x10, 0, 0, 0, 0x14, /* read 2 */
};
static const uint8_t server[] = {
    0x4e, 0x6f, 0x16, 0x44, 0, 0, 0,    7,                               /* probe response */
    0x0e, 0x0f, 0x02, 0x00, 0, 0, 0x80, 0, 0xca, 0xfe, 0, 1, 0, 0, 0, 0, /* reply 2 */
};

static uint32_t random_state = 1;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % below;
}

static void any_split_gives_the_same_messages(void **state)
{
    static struct log whole, split;

    (void)state;
    memset(&whole, 0, sizeof whole);
    start("strict");
    push(&whole, 0, client, 8, 1);
    push(&whole, 1, server, sizeof server, 2);
    push(&whole, 0, client + 8, sizeof client - 8, 3);
    assert_int_equal(whole.messages, 6);
    assert_int_equal(whole.last.part, GW_EB_RECORD);
    assert_int_equal(whole.last.part_arg, 0x44);

    for (unsigned round = 0; round < 2000; round++) {
        memset(&split, 0, sizeof split);
        start("strict");
        push(&split, 0, client, 8, 1);
        for (size_t at = 0; at < sizeof server;) {
            size_t len = 1 + draw((uint32_t)(sizeof server - at));
            push(&split, 1, server + at, len, 2);
            at += len;
        }
        for (size_t at = 8; at < sizeof client;) {
            size_t len = round == 0 ? 1 : 1 + draw((uint32_t)(sizeof client - at));
            push(&split, 0, client + at, len, 3 + at);
            at += len;
        }
        assert_int_equal(split.len, whole.len);
        assert_memory_equal(split.bytes, whole.bytes, whole.len);
    }
    /* one byte a frame: the last read record came in sixteen of them */
    start("strict");
    memset(&split, 0, sizeof split);
    push(&split, 0, client, 8, 1);
    push(&split, 1, server, 8, 2);
    for (size_t at = 8; at < sizeof client; at++)
        push(&split, 0, client + at, 1, 100 + at);
    assert_int_equal(split.last.num_frames, 16);
    assert_int_equal(split.last.frame, 100 + sizeof client - 1);
    assert_int_equal(split.last.frames[0], 100 + sizeof client - 16);
}

static void records_before_the_answer_wait_for_it(void **state)
{
    static struct log log;

    (void)state;
    memset(&log, 0, sizeof log);
    start("strict");
    push(&log, 0, client, sizeof client, 1);
    assert_int_equal(log.messages, 1); /* the probe: widths are open */
    push(&log, 1, server, 8, 2);
    assert_int_equal(log.messages, 5);
    assert_int_equal(log.last.part_arg, 0x44);
    assert_int_equal(log.last.frame, 1);
}

static void no_common_width_loses_the_stream(void **state)
{
    static struct log log;
    static const uint8_t narrow[] = {0x4e, 0x6f, 0x11, 0x11, 0, 0, 0, 7, 0x08, 0, 0, 0};

    (void)state;
    memset(&log, 0, sizeof log);
    start("strict");
    push(&log, 0, narrow, 8, 1);
    push(&log, 1, server, 8, 2);
    push(&log, 0, narrow + 8, 4, 3);
    assert_int_equal(log.last.part, GW_EB_LOST);
}

static void a_header_without_probe_fixes_the_widths(void **state)
{
    static struct log log;
    static const uint8_t bytes[] = {0x4e, 0x6f, 0x10, 0x22, 0x08, 0x03, 0x01, 0x00,
                                    0x00, 0x10, 0xca, 0xfe, 0x08, 0x00, 0x00, 0x00};

    (void)state;
    memset(&log, 0, sizeof log);
    start("strict");
    push(&log, 0, bytes, sizeof bytes, 1);
    assert_int_equal(log.messages, 3);
    assert_int_equal(log.last.part_arg, 0x22);
    assert_int_equal(log.last.len, 4);
}

static void foreign_streams_and_gaps_are_lost_not_guessed(void **state)
{
    static struct log log;
    static const uint8_t http[] = "GET / HTTP/1.0\r\n\r\n";

    (void)state;
    memset(&log, 0, sizeof log);
    start("strict");
    push(&log, 0, http, 3, 1);
    assert_int_equal(log.messages, 0); /* three bytes decide nothing */
    push(&log, 0, http + 3, sizeof http - 4, 2);
    assert_int_equal(log.messages, 1);
    assert_int_equal(log.last.part, GW_EB_LOST);

    memset(&log, 0, sizeof log);
    start("strict");
    push(&log, 0, client, 8, 1);
    push(&log, 1, server, 8, 2);
    push(&log, 0, client + 8, 6, 3);
    gw_eb_stream.gap(memory, 0, note, &log);
    assert_int_equal(log.last.part, GW_EB_RECORD);
    assert_int_equal(log.last.cap_len, 6);
    assert_int_equal(log.last.len, 12); /* the capture lost the rest: not the sender's fault */
    push(&log, 0, client + 16, 4, 4);
    assert_int_equal(log.last.part, GW_EB_LOST);
    push(&log, 1, server + 8, 16, 5); /* the other direction goes on */
    assert_int_equal(log.last.part, GW_EB_RECORD);
}

static void an_ended_stream_hands_out_its_rest(void **state)
{
    static struct log log;

    (void)state;
    memset(&log, 0, sizeof log);
    start("strict");
    push(&log, 0, client, 8, 1);
    push(&log, 1, server, 8, 2);
    push(&log, 0, client + 8, 5, 3);
    gw_eb_stream.end(memory, note, &log);
    assert_int_equal(log.last.part, GW_EB_RECORD);
    assert_int_equal(log.last.cap_len, 5);
    assert_int_equal(log.last.len, 5);
}

/* litex_server: text first, then packets of an 8-byte header and one record each. */
static void litex_streams_repeat_their_header(void **state)
{
    static struct log whole, split;
    static const uint8_t bytes[] = {
        'C', 'o',  'm', 'm', 'N', 'o',  ':', '1',  0x4e, 0x6f, 0x10, 0x44, 0,    0,    0,    0,
        0,   0x0f, 1,   0,   0,   0,    0,   0x10, 0xca, 0xfe, 0,    1,    0x4e, 0x6f, 0x10, 0x44,
        0,   0,    0,   0,   0,   0x0f, 0,   1,    0,    0,    0,    0,    0,    0,    0,    4,
    };

    (void)state;
    memset(&whole, 0, sizeof whole);
    start("litex");
    push(&whole, 1, bytes, sizeof bytes, 1);
    assert_int_equal(whole.messages, 3);
    assert_int_equal(whole.bytes[0], GW_EB_BANNER);
    assert_int_equal(whole.last.part, GW_EB_PACKET);
    assert_int_equal(whole.last.len, 20);
    memset(&split, 0, sizeof split);
    start("litex");
    for (size_t i = 0; i < sizeof bytes; i++)
        push(&split, 1, bytes + i, 1, 1 + i);
    assert_int_equal(split.len, whole.len);
    assert_memory_equal(split.bytes, whole.bytes, whole.len);
}

/* Random bytes after a valid start: never more out than in, every byte out once, in order. */
static void hostile_bytes_come_out_once(void **state)
{
    static struct log log;
    static uint8_t bytes[4000];

    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        size_t len = 16 + draw(sizeof bytes - 16), total = 0;
        for (size_t i = 0; i < len; i++)
            bytes[i] = (uint8_t)draw(256);
        gw_store_be(bytes, 0x4e6f10, 3);
        bytes[3] = (uint8_t)(1u << draw(4) | 16u << draw(4));
        memset(&log, 0, sizeof log);
        start(round % 2 ? "strict" : "gsi");
        for (size_t at = 0; at < len;) {
            size_t piece = 1 + draw((uint32_t)(len - at));
            push(&log, round & 1, bytes + at, piece, at);
            at += piece;
        }
        gw_eb_stream.end(memory, note, &log);
        /* take the log apart again and compare with what went in */
        for (size_t at = 0; at < log.len;) {
            uint8_t part = log.bytes[at];
            at += 2;
            size_t take;
            if (part == GW_EB_LOST) {
                take = log.len - at; /* nothing follows a lost stretch */
            } else {
                take = gw_load_be32(log.bytes + at);
                at += 8;
            }
            assert_true(total + take <= len);
            assert_memory_equal(log.bytes + at, bytes + total, take);
            total += take;
            at += take;
        }
        assert_int_equal(total, len);
    }
}

/* A segment's own bytes live as long as its call. */
static void a_message_points_at_no_segment(void **state)
{
    static struct log log;
    const uint8_t header[14] = {0};
    gw_message m = gw_message_of(client, 4);

    (void)state;
    memset(&log, 0, sizeof log);
    start("strict");
    m.link = header;
    m.link_len = sizeof header;
    gw_eb_stream.push(memory, 0, &m, note, &log);
    gw_eb_stream.end(memory, note, &log);
    assert_int_equal(log.messages, 1);
    assert_null(log.last.link);
    assert_int_equal(log.last.link_len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_split_gives_the_same_messages),
        cmocka_unit_test(records_before_the_answer_wait_for_it),
        cmocka_unit_test(no_common_width_loses_the_stream),
        cmocka_unit_test(a_header_without_probe_fixes_the_widths),
        cmocka_unit_test(foreign_streams_and_gaps_are_lost_not_guessed),
        cmocka_unit_test(an_ended_stream_hands_out_its_rest),
        cmocka_unit_test(litex_streams_repeat_their_header),
        cmocka_unit_test(hostile_bytes_come_out_once),
        cmocka_unit_test(a_message_points_at_no_segment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
