/* SPDX-License-Identifier: BSD-2-Clause */
/* Link streams that were measured, whole and in pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/testing/cover.h"
#include "goldwire/ib.h"
#include "goldwire/textarossa.h"
#include "textarossa/link/apelink.h"

/* Beats, most significant digit first: credits around packets of 0, 17 (stuffed) and 1 bytes. */
static const char *const beats[] = {
    "4D000000000000000000000101004040", /* idle */
    "4D000000000000000000000101004040",
    "FFFFAAAA5555AAAAFFFFAAAA5555AAAA", /* size 0: header and footer */
    "FFFFBBBB6666BBBBFFFFBBBB6666BBBB",
    "760000003EBEFF3F4000000000200000",
    "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
    "4D000000000000000000000101004040",
    "FFFFAAAA5555AAAAFFFFAAAA5555AAAA", /* size 17: two words, a credit stuffed between them */
    "FFFFBBBB6666BBBBFFFFBBBB6666BBBB",
    "690000003EBEFF3F4011000000200001",
    "00000000000000A10000000000000000",
    "FFFFAAAA5555AAAAFFFFAAAA5555AAAA",
    "4D000000000000000000000101004040",
    "00000000000000A10000000000000001",
    "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
    "4D000000000000000000000101004040",
    "FFFFAAAA5555AAAAFFFFAAAA5555AAAA", /* size 1 */
    "FFFFBBBB6666BBBBFFFFBBBB6666BBBB",
    "180000003EBEFF3F4001000000200000",
    "00000000000000A30000000000000000",
    "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
    "4D000000000000000000000101004040",
};

enum {
    BYTES = 16 * GW_ARRAY_LEN(beats),
    GAP = 16 * 15, /* where the third packet's credit is */
};

typedef struct log {
    char text[512]; /* "idle 32; link 64; " */
    uint8_t bytes[2 * BYTES];
    size_t len;
    uint64_t session[1 << 12];
} log;

static void blame(gw_verdict_sink *sink, const gw_finding *finding)
{
    (void)sink;
    fail_msg("%s at %u: %s", finding->rule->id, finding->offset, finding->text);
}

static void keep_text(void *ctx, const gw_message *m)
{
    static const char *const parts[] = {"datagram", "link", "idle", "stray"};
    log *l = ctx;
    size_t at = strlen(l->text);

    (void)snprintf(l->text + at, sizeof l->text - at, "%s %u; ", parts[m->part], m->len);
}

static void on_message(void *ctx, const gw_message *m)
{
    log *l = ctx;
    gw_error error = {0};

    keep_text(ctx, m);
    assert_true(l->len + m->len <= sizeof l->bytes);
    memcpy(l->bytes + l->len, m->data, m->len);
    l->len += m->len;
    const char *fault = gw_cover_walk(&gw_textarossa, m, NULL, &error);
    if (fault != NULL)
        fail_msg("%s: %s", l->text, fault);
    if (m->part == GW_TX_PART_LINK || m->part == GW_TX_PART_IDLE)
        assert_int_equal(error.kind, GW_OK);
}

static void keep(void *ctx, const gw_message *m)
{
    *(gw_message *)ctx = *m;
}

static uint8_t digit_of(char c)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *at = strchr(digits, c);

    assert_non_null(at);
    return (uint8_t)(at - digits);
}

static void stream_bytes(uint8_t *out)
{
    for (size_t i = 0; i < GW_ARRAY_LEN(beats); i++) {
        for (size_t k = 0; k < 16; k++) {
            const char *pair = beats[i] + 2 * (15 - k);
            out[16 * i + k] = (uint8_t)(digit_of(pair[0]) << 4 | digit_of(pair[1]));
        }
    }
}

/* Idle beats are handed over with each piece, so only their sum is the same. */
static void only_links(const char *text, char *out)
{
    out[0] = '\0';
    for (const char *at = strstr(text, "link"); at != NULL; at = strstr(at + 1, "link"))
        strncat(out, at, strcspn(at, ";") + 1);
}

static void any_split_gives_the_same_packets(void **state)
{
    uint8_t bytes[BYTES];
    void *memory = malloc(gw_ape_stream.size);
    char links[256];

    (void)state;
    assert_non_null(memory);
    stream_bytes(bytes);
    for (size_t split = 0; split <= BYTES; split++) {
        log l = {.len = 0};
        gw_message first = gw_message_of(bytes, split);
        gw_message second = gw_message_of(bytes + split, BYTES - split);
        gw_ape_stream.init(memory, NULL);
        gw_ape_stream.push(memory, 0, &first, on_message, &l);
        gw_ape_stream.push(memory, 0, &second, on_message, &l);
        gw_ape_stream.end(memory, on_message, &l);
        only_links(l.text, links);
        assert_string_equal(links, "link 64;link 128;link 80;");
        assert_int_equal(l.len, BYTES);
        assert_memory_equal(l.bytes, bytes, BYTES);
    }
    free(memory);
}

/* What every message says of itself, and that nothing of what the capture cut breaks a rule. */
static void keep_cut(void *ctx, const gw_message *m)
{
    gw_verdict_sink sink = {.finding = blame};
    log *l = ctx;
    gw_error error = {0};

    keep_text(ctx, m);
    l->len += m->len;
    const char *fault = gw_cover_walk(&gw_textarossa, m, NULL, &error);
    if (fault != NULL)
        fail_msg("%s: %s", l->text, fault);
    assert_int_equal(error.kind, m->cap_len < m->len ? GW_TRUNCATED : GW_OK);
    assert_int_equal(error.capture_cut, m->cap_len < m->len);
    gw_textarossa.check(m, NULL, &sink);
    gw_textarossa.session->feed(l->session, m, NULL, &sink);
}

/* Whatever part of a frame of |len| bytes was kept, the packet behind it is found, what was cut
 * says so, and whether a credit stood between the two nobody knows. */
static void cut_first_frame(uint32_t len)
{
    uint8_t bytes[BYTES];
    void *memory = malloc(gw_ape_stream.size);
    log l;

    assert_non_null(memory);
    stream_bytes(bytes);
    for (uint32_t kept = 0; kept < len; kept++) {
        gw_message first = gw_message_of(bytes, len);
        gw_message second = gw_message_of(bytes + len, BYTES - len);
        memset(&l, 0, sizeof l);
        assert_true(gw_textarossa.session->init(l.session, sizeof l.session, 1000));
        first.frame = 1;
        first.cap_len = kept;
        second.frame = 2;
        first.dir = second.dir = GW_DIR_IN;
        gw_ape_stream.init(memory, NULL);
        gw_ape_stream.push(memory, 0, &first, keep_cut, &l);
        gw_ape_stream.gap(memory, 0, keep_cut, &l);
        assert_int_equal(l.len, len);
        gw_ape_stream.push(memory, 0, &second, keep_cut, &l);
        gw_ape_stream.end(memory, keep_cut, &l);
        if (strstr(l.text, "link 80; idle 16; ") == NULL)
            fail_msg("%u bytes kept: %s", kept, l.text);
    }
    free(memory);
}

static void a_snap_length_blames_nobody(void **state)
{
    (void)state;
    cut_first_frame(16 * 12); /* in the second packet */
    cut_first_frame(16 * 16); /* before the third one's MAGIC */
}

/* Beats go on where the cut frame's own length says, in the middle of one if need be. */
static void beats_are_found_behind_a_cut(void **state)
{
    enum { FRAME = 16 * 12 + 5 };
    uint8_t bytes[BYTES];
    void *memory = malloc(gw_ape_stream.size);
    log l = {.len = 0};

    (void)state;
    assert_non_null(memory);
    stream_bytes(bytes);
    assert_true(gw_textarossa.session->init(l.session, sizeof l.session, 1000));
    gw_message first = gw_message_of(bytes, FRAME);
    gw_message second = gw_message_of(bytes + FRAME, BYTES - FRAME);
    first.frame = 1;
    first.cap_len = 40;
    second.frame = 2;
    gw_ape_stream.init(memory, NULL);
    gw_ape_stream.push(memory, 0, &first, keep_cut, &l);
    gw_ape_stream.gap(memory, 0, keep_cut, &l);
    gw_ape_stream.push(memory, 0, &second, keep_cut, &l);
    assert_string_equal(l.text, "idle 197; stray 11; stray 48; link 80; idle 16; ");
    free(memory);
}

/* So they do when the end of a beat is cut again. */
static void beats_are_found_behind_two_cuts(void **state)
{
    enum { FRAME = 16 * 12 + 5, SHORT = 7 };
    uint8_t bytes[BYTES];
    void *memory = malloc(gw_ape_stream.size);
    log l = {.len = 0};

    (void)state;
    assert_non_null(memory);
    stream_bytes(bytes);
    assert_true(gw_textarossa.session->init(l.session, sizeof l.session, 1000));
    gw_message frames[] = {gw_message_of(bytes, FRAME), gw_message_of(bytes + FRAME, SHORT),
                           gw_message_of(bytes + FRAME + SHORT, BYTES - FRAME - SHORT)};
    frames[0].cap_len = 40;
    frames[1].cap_len = 3;
    gw_ape_stream.init(memory, NULL);
    for (unsigned i = 0; i < GW_ARRAY_LEN(frames); i++) {
        frames[i].frame = i + 1;
        gw_ape_stream.push(memory, 0, &frames[i], keep_cut, &l);
        if (frames[i].cap_len < frames[i].len)
            gw_ape_stream.gap(memory, 0, keep_cut, &l);
    }
    assert_string_equal(l.text,
                        "idle 197; stray 3; stray 4; stray 4; stray 48; link 80; idle 16; ");
    free(memory);
}

static void a_gap_ends_a_packet(void **state)
{
    uint8_t bytes[BYTES];
    void *memory = malloc(gw_ape_stream.size);
    log l = {.len = 0};

    (void)state;
    assert_non_null(memory);
    stream_bytes(bytes);
    gw_ape_stream.init(memory, NULL);
    gw_message first = gw_message_of(bytes, (size_t)16 * 2);
    gw_message rest = gw_message_of(bytes + GAP, BYTES - GAP);
    gw_message part = gw_message_of(bytes, 7);
    gw_ape_stream.push(memory, 0, &first, on_message, &l);
    gw_ape_stream.gap(memory, 0, on_message, &l);
    gw_ape_stream.push(memory, 0, &rest, on_message, &l);
    gw_ape_stream.push(memory, 0, &part, on_message, &l);
    gw_ape_stream.end(memory, on_message, &l);
    assert_string_equal(l.text, "idle 32; stray 16; link 80; idle 16; stray 7; ");
    free(memory);
}

/* The second packet breaks off behind its first word of payload, and the third begins. */
static void a_packet_begins_anew(void **state)
{
    enum { BEFORE = 16 * 11, THIRD = 16 * 16 };
    uint8_t bytes[BYTES];
    void *memory = malloc(gw_ape_stream.size);
    log strict = {.len = 0}, rtl = {.len = 0};

    (void)state;
    assert_non_null(memory);
    stream_bytes(bytes);
    memmove(bytes + BEFORE, bytes + THIRD, BYTES - THIRD);
    gw_message all = gw_message_of(bytes, BEFORE + BYTES - THIRD);
    gw_ape_stream.init(memory, NULL);
    gw_ape_stream.push(memory, 0, &all, keep_text, &strict);
    assert_string_equal(strict.text, "idle 32; link 64; idle 16; link 64; link 80; idle 16; ");
    gw_ape_stream.init(memory, gw_dialect_by_name(&gw_textarossa, "rtl"));
    gw_ape_stream.push(memory, 0, &all, keep_text, &rtl);
    assert_string_equal(rtl.text, "idle 32; link 64; idle 16; link 128; idle 32; ");
    free(memory);
}

static void note_edac(void *ctx, const gw_message *m)
{
    *(bool *)ctx = (m->part_arg & GW_TX_ARG_EDAC) != 0;
}

/* Pushes |len| bytes and says whether a header in them has to have its check byte. */
static bool edac_after(void *memory, const uint8_t *bytes, size_t len)
{
    bool edac = false;
    gw_message m = gw_message_of(bytes, len);

    gw_ape_stream.push(memory, 0, &m, note_edac, &edac);
    return edac;
}

/* Check bytes are made when a header and a credit had the right ones; not when garbage has some. */
static void headers_and_credits_tell_of_check_bytes(void **state)
{
    enum { PACKET = 16 * 16, PACKET_LEN = 5 * 16, HEADER = PACKET + 2 * 16 };
    uint8_t bytes[BYTES];
    void *memory = malloc(gw_ape_stream.size);

    (void)state;
    assert_non_null(memory);
    stream_bytes(bytes);
    gw_ape_stream.init(memory, NULL);
    assert_false(edac_after(memory, bytes + HEADER, 16)); /* no header where it stands */
    bytes[15] ^= 1;
    assert_false(edac_after(memory, bytes, 16));
    assert_false(edac_after(memory, bytes + PACKET, PACKET_LEN)); /* no credit had one */
    bytes[15] ^= 1;
    assert_true(edac_after(memory, bytes, 16));
    assert_true(edac_after(memory, bytes + PACKET, PACKET_LEN));
    bytes[15] = 0; /* a credit says that they are made no longer */
    assert_false(edac_after(memory, bytes, 16));
    bytes[HEADER + 15] = 0;
    assert_false(edac_after(memory, bytes + PACKET, PACKET_LEN));
    free(memory);
}

static void captures_say_which_way(void **state)
{
    uint8_t frame[4 + 16] = {1, 1, 16, 0};
    gw_message m = gw_message_of(frame, sizeof frame);

    (void)state;
    assert_true(gw_ape_unwrap(&m, NULL));
    assert_int_equal(m.dir, GW_DIR_OUT);
    assert_int_equal(m.len, 16);
    assert_int_equal(m.cap_len, 16);
    assert_ptr_equal(m.data, frame + 4);
    assert_int_equal(gw_ape_wrap(&m, frame, sizeof frame), 4);
    assert_memory_equal(frame, ((uint8_t[]){1, 1, 16, 0}), 4);
    assert_int_equal(gw_ape_wrap(&m, frame, 3), 0);

    m = gw_message_of(frame, 3);
    assert_false(gw_ape_unwrap(&m, NULL)); /* too short */
    assert_int_equal(m.part, GW_TX_PART_STRAY);
    assert_int_equal(m.len, 3);
    for (unsigned i = 0; i < 3; i++) { /* version, direction, width */
        m = gw_message_of(frame, sizeof frame);
        frame[i] += 2;
        assert_false(gw_ape_unwrap(&m, NULL));
        frame[i] -= 2;
    }
    m = gw_message_of(frame, sizeof frame);
    assert_false(gw_ape_unwrap(&m, gw_dialect_by_name(&gw_textarossa, "wide")));
}

/* What ends with the capture is of the frame that brought its last bytes, however many there were.
 */
static void the_end_names_the_last_frame(void **state)
{
    uint8_t bytes[BYTES];
    void *memory = malloc(gw_ape_stream.size);
    gw_message last = {0};

    (void)state;
    assert_non_null(memory);
    stream_bytes(bytes);
    gw_ape_stream.init(memory, NULL);
    for (uint32_t i = 0; i < 20; i++) { /* into the first packet */
        gw_message m = gw_message_of(bytes + 32 + i, 1);
        m.frame = i + 1;
        m.time_ns = 1000 + i;
        gw_ape_stream.push(memory, 1, &m, keep, &last);
    }
    assert_int_equal(last.len, 0);
    gw_ape_stream.end(memory, keep, &last);
    assert_int_equal(last.len, 20);
    assert_int_equal(last.num_frames, 20);
    assert_int_equal(last.frame, 20);
    assert_int_equal(last.time_ns, 1019);
    assert_int_equal(last.dir, GW_DIR_OUT);
    free(memory);
}

/* What the end of a stream hands out of a packet that broke off, which came as |m|. */
static gw_message broken_off(gw_message m, unsigned dir)
{
    uint8_t bytes[BYTES];
    void *memory = malloc(gw_ape_stream.size);
    gw_message last = {0};

    assert_non_null(memory);
    stream_bytes(bytes);
    m.data = bytes + 32;
    m.len = m.cap_len = 20;
    gw_ape_stream.init(memory, NULL);
    gw_ape_stream.push(memory, dir, &m, keep, &last);
    gw_ape_stream.end(memory, keep, &last);
    assert_int_equal(last.len, 20);
    assert_memory_equal(last.data, m.data, 20);
    assert_false(last.data >= bytes && last.data < bytes + BYTES);
    free(memory);
    return last;
}

/* Of a connection the ends are known to the last. */
static void the_end_has_both_ends(void **state)
{
    const gw_endpoint from = {.ip = {10, 0, 0, 1}, .port = 7, .family = GW_FAMILY_IPV4};
    gw_message last =
        broken_off((gw_message){.transport = GW_OVER_TCP, .src = from, .stream = 3}, 1);

    (void)state;
    assert_int_equal(last.transport, GW_OVER_TCP);
    assert_true(gw_endpoint_equal(&last.src, &from));
    assert_int_equal(last.stream, 3);
    assert_int_equal(last.dir, GW_DIR_UNKNOWN);
}

/* A message is handed out behind its segment too, when that is gone: it points at nothing of it. */
static void a_message_points_at_no_segment(void **state)
{
    static const uint8_t headers[14] = {0};
    static const gw_ib around = {0};
    gw_message last = broken_off((gw_message){.link = headers,
                                              .link_len = sizeof headers,
                                              .lower = headers,
                                              .lower_len = sizeof headers,
                                              .frame_len = 60,
                                              .ib = &around},
                                 0);

    (void)state;
    assert_null(last.link);
    assert_null(last.lower);
    assert_int_equal(last.link_len + last.lower_len, 0);
    assert_int_equal(last.frame_len, 0);
    assert_null(last.ib);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_points_at_no_segment),
        cmocka_unit_test(the_end_has_both_ends),
        cmocka_unit_test(any_split_gives_the_same_packets),
        cmocka_unit_test(a_gap_ends_a_packet),
        cmocka_unit_test(a_snap_length_blames_nobody),
        cmocka_unit_test(beats_are_found_behind_a_cut),
        cmocka_unit_test(beats_are_found_behind_two_cuts),
        cmocka_unit_test(a_packet_begins_anew),
        cmocka_unit_test(headers_and_credits_tell_of_check_bytes),
        cmocka_unit_test(captures_say_which_way),
        cmocka_unit_test(the_end_names_the_last_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
