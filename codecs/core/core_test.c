/* SPDX-License-Identifier: BSD-2-Clause */
/* Cursor, texts, writers, checksums, and messages without bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/testing/cover.h"
#include "goldwire/checksum.h"
#include "goldwire/cursor.h"
#include "goldwire/message.h"
#include "goldwire/text.h"
#include "goldwire/writer.h"

static void reads_are_all_or_nothing(void **state)
{
    static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7};
    gw_cursor c = gw_cursor_over(bytes, sizeof bytes);
    uint64_t wide = 99;
    uint32_t word = 99;
    uint16_t half = 99;

    (void)state;
    assert_false(gw_cursor_be64(&c, &wide));
    assert_int_equal(gw_cursor_offset(&c), 0);
    assert_int_equal(wide, 99);
    assert_true(gw_cursor_be32(&c, &word));
    assert_int_equal(word, 0x01020304);
    assert_false(gw_cursor_be32(&c, &word));
    assert_int_equal(gw_cursor_offset(&c), 4);
    assert_true(gw_cursor_le16(&c, &half));
    assert_int_equal(half, 0x0605);
    assert_false(gw_cursor_be(&c, &wide, 2));
    assert_true(gw_cursor_be(&c, &wide, 1));
    assert_int_equal(wide, 7);
    assert_true(gw_cursor_be(&c, &wide, 0));
    assert_int_equal(wide, 0);
    assert_false(gw_cursor_skip(&c, SIZE_MAX));
}

static void spans_are_as_long_as_64_bits_tell(void **state)
{
    (void)state;
    assert_int_equal(gw_span_ns(5, 7), 2);
    assert_int_equal(gw_span_ns(7, 5), -2);
    assert_int_equal(gw_span_ns(-3, 4), 7);
    assert_int_equal(gw_span_ns(0, INT64_MAX), INT64_MAX);
    assert_int_equal(gw_span_ns(-1, INT64_MAX), INT64_MAX);
    assert_int_equal(gw_span_ns(INT64_MIN, INT64_MAX), INT64_MAX);
    assert_int_equal(gw_span_ns(0, INT64_MIN), INT64_MIN);
    assert_int_equal(gw_span_ns(1, INT64_MIN), INT64_MIN);
    assert_int_equal(gw_span_ns(INT64_MAX, INT64_MIN), INT64_MIN);
    assert_int_equal(gw_span_ns(INT64_MIN, INT64_MIN), 0);
    assert_int_equal(gw_wait_ns(5, 7), 2);
    assert_int_equal(gw_wait_ns(7, 5), 0);
    assert_int_equal(gw_wait_ns(INT64_MIN, INT64_MAX), INT64_MAX);
}

static void what_is_kept_of_a_message_points_nowhere(void **state)
{
    const uint8_t bytes[14] = {0};
    gw_message m = gw_message_of(bytes, sizeof bytes);

    (void)state;
    m.link = m.lower = bytes;
    m.link_len = m.lower_len = sizeof bytes;
    m.frame_len = 60;
    m.ib = (const gw_ib *)(const void *)bytes;
    m.frame = 7;
    gw_message kept = gw_message_kept(&m);
    assert_null(kept.data);
    assert_null(kept.link);
    assert_null(kept.lower);
    assert_null(kept.ib);
    assert_int_equal(kept.link_len + kept.lower_len + kept.frame_len, 0);
    assert_int_equal(kept.cap_len, sizeof bytes);
    assert_int_equal(kept.len, sizeof bytes);
    assert_int_equal(kept.frame, 7);
}

static void every_width_is_read_in_both_orders(void **state)
{
    static const uint8_t bytes[] = {0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0};
    gw_cursor c = gw_cursor_over(bytes, sizeof bytes);
    uint64_t wide = 0;
    uint32_t word = 0;
    uint16_t half = 0;

    (void)state;
    assert_true(gw_cursor_be64(&c, &wide));
    assert_true(wide == 0x123456789abcdef0ULL);
    c = gw_cursor_over(bytes, sizeof bytes);
    assert_true(gw_cursor_le64(&c, &wide));
    assert_true(wide == 0xf0debc9a78563412ULL);
    assert_false(gw_cursor_le64(&c, &wide) || gw_cursor_le32(&c, &word) ||
                 gw_cursor_le16(&c, &half));
    c = gw_cursor_over(bytes, sizeof bytes);
    assert_true(gw_cursor_le32(&c, &word));
    assert_int_equal(word, 0x78563412);
    assert_true(gw_cursor_be16(&c, &half));
    assert_int_equal(half, 0x9abc);
    assert_int_equal(gw_cursor_left(&c), 2);
}

static void child_ends_early_and_counts_from_the_parent(void **state)
{
    static const uint8_t bytes[] = {1, 2, 3, 4, 5};
    gw_cursor c = gw_cursor_over(bytes, sizeof bytes), child;
    uint8_t one;

    (void)state;
    assert_true(gw_cursor_skip(&c, 1));
    assert_false(gw_cursor_sub(&c, &child, 5));
    assert_true(gw_cursor_sub(&c, &child, 2));
    assert_true(gw_cursor_u8(&child, &one));
    assert_int_equal(gw_cursor_offset(&child), 2);
    assert_true(gw_cursor_u8(&child, &one));
    assert_int_equal(one, 3);
    assert_false(gw_cursor_u8(&child, &one));
    assert_true(gw_cursor_u8(&c, &one));
    assert_int_equal(one, 4);
}

static void odd_widths_load_like_even_ones(void **state)
{
    static const uint8_t bytes[] = {0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0};

    (void)state;
    assert_int_equal(gw_load_be(bytes, 3), 0x123456);
    assert_int_equal(gw_load_le(bytes, 3), 0x563412);
    assert_true(gw_load_be(bytes, 7) == 0x123456789abcdeULL);
    assert_true(gw_load_be64(bytes) == 0x123456789abcdef0ULL);
    assert_true(gw_load_le64(bytes) == 0xf0debc9a78563412ULL);
}

static void writer_stops_for_good_when_full(void **state)
{
    uint8_t buf[6] = {0xee, 0xee, 0xee, 0xee, 0xee, 0xee};
    gw_writer w = gw_writer_over(buf, 5);

    (void)state;
    gw_write_be(&w, 0xabcdef, 2); /* the high byte is cut */
    gw_write_le(&w, 0x0102, 2);
    gw_write_be(&w, 1, 2);
    assert_true(w.full);
    assert_int_equal(w.len, 4);
    gw_write_be(&w, 1, 1);
    assert_int_equal(w.len, 4);
    assert_memory_equal(buf, ((uint8_t[]){0xcd, 0xef, 0x02, 0x01, 0xee, 0xee}), 6);
}

/* RFC 3720 B.4, the check values of the CRC catalogues, and RFC 1071's own example. */
static void checksums_meet_published_values(void **state)
{
    static const uint8_t digits[] = "123456789";
    static const uint8_t zeros[32] = {0};
    static const uint8_t rfc1071[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};

    (void)state;
    assert_int_equal(gw_crc32(NULL, 0, digits, 9), 0xcbf43926);
    assert_int_equal(gw_crc32c(NULL, 0, digits, 9), 0xe3069283);
    assert_int_equal(gw_crc32c(NULL, 0, zeros, 32), 0x8a9136aa);
    uint32_t piecewise = gw_crc32c(NULL, gw_crc32c(NULL, 0, digits, 4), digits + 4, 5);
    assert_int_equal(piecewise, 0xe3069283);
    assert_int_equal(gw_inet_fold(gw_inet_sum(0, rfc1071, 8)), 0xffff & ~0xddf2);
    assert_int_equal(gw_inet_sum(0, rfc1071, 3), 0x0001 + 0xf200);
}

/* By the polynomial, a bit at a time. */
static uint32_t crc_by_bit(uint32_t poly, uint32_t crc, const uint8_t *data, size_t len)
{
    crc = ~crc;
    for (size_t i = 0; i < 8 * len; i++) {
        crc ^= data[i / 8] >> i % 8 & 1;
        crc = crc >> 1 ^ ((crc & 1) != 0 ? poly : 0);
    }
    return ~crc;
}

static void crcs_are_their_polynomials(void **state)
{
    uint8_t bytes[80];
    uint32_t random = 1;

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++) {
        random = random * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(random >> 24);
    }
    for (size_t from = 0; from < 8; from++) {
        for (size_t len = 0; from + len <= sizeof bytes; len++) {
            assert_int_equal(gw_crc32(NULL, random, bytes + from, len),
                             crc_by_bit(0xedb88320, random, bytes + from, len));
            assert_int_equal(gw_crc32c(NULL, random, bytes + from, len),
                             crc_by_bit(0x82f63b78, random, bytes + from, len));
        }
    }
    for (unsigned i = 0; i < 256; i++) { /* each entry of the tables has its part in one of these */
        uint8_t same[8];
        memset(same, (int)i, sizeof same);
        assert_int_equal(gw_crc32(NULL, 0, same, 8), crc_by_bit(0xedb88320, 0, same, 8));
        assert_int_equal(gw_crc32c(NULL, 0, same, 8), crc_by_bit(0x82f63b78, 0, same, 8));
    }
}

static uint32_t fake_crc(uint32_t crc, const uint8_t *data, size_t len)
{
    (void)data;
    return crc + (uint32_t)len;
}

static void environment_replaces_checksums_one_by_one(void **state)
{
    gw_env env = {.crc32c = fake_crc};
    static const uint8_t digits[] = "123456789";

    (void)state;
    assert_int_equal(gw_crc32c(&env, 5, digits, 9), 14);
    assert_int_equal(gw_crc32(&env, 0, digits, 9), 0xcbf43926);
}

static gw_endpoint ipv6(const uint8_t ip[16], uint16_t port)
{
    gw_endpoint e = {.family = GW_FAMILY_IPV6, .port = port};
    memcpy(e.ip, ip, 16);
    return e;
}

static void expect_endpoint(const gw_endpoint *e, const char *want)
{
    char buf[64];
    gw_text t = gw_text_over(buf, sizeof buf);
    gw_text_endpoint(&t, e);
    assert_string_equal(buf, want);
}

static void endpoints_read_as_people_write_them(void **state)
{
    gw_endpoint v4 = {.ip = {192, 168, 0, 100}, .port = 60368, .family = GW_FAMILY_IPV4};
    gw_endpoint none = {0};
    gw_endpoint e;

    (void)state;
    expect_endpoint(&v4, "192.168.0.100:60368");
    expect_endpoint(&none, "?");
    e = ipv6((uint8_t[16]){[15] = 1}, 5);
    expect_endpoint(&e, "[::1]:5");
    e = ipv6((uint8_t[16]){0}, 5);
    expect_endpoint(&e, "[::]:5");
    e = ipv6((uint8_t[16]){0x20, 0x01, 0x0d, 0xb8, [9] = 1, [15] = 0x42}, 80);
    expect_endpoint(&e, "[2001:db8::1:0:0:42]:80");
    e = ipv6((uint8_t[16]){0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5}, 80);
    expect_endpoint(&e, "[2001:db8:0:1:2:3:4:5]:80");
    e = ipv6((uint8_t[16]){0xfe, 0x80}, 1);
    expect_endpoint(&e, "[fe80::]:1");
    assert_true(gw_endpoint_equal(&v4, &v4));
    assert_false(gw_endpoint_equal(&v4, &none));
    e = v4;
    e.port++;
    assert_false(gw_endpoint_equal(&v4, &e));
    e = v4;
    e.family = GW_FAMILY_IPV6;
    assert_false(gw_endpoint_equal(&v4, &e));
    e = v4;
    e.ip[3]++;
    assert_false(gw_endpoint_equal(&v4, &e));
}

static void text_is_cut_not_overrun(void **state)
{
    char buf[9];
    gw_text t = gw_text_over(buf, 8);

    (void)state;
    buf[8] = 'x';
    gw_text_dec(&t, UINT64_MAX);
    assert_true(t.cut);
    assert_string_equal(buf, "1844674");
    assert_int_equal(buf[8], 'x');
    t = gw_text_over(buf, 8);
    gw_text_hex(&t, 0x2a, 4);
    assert_string_equal(buf, "0x002a");
    t = gw_text_over(buf, 8);
    gw_text_bytes(&t, (const uint8_t[]){0x0f, 0xa0}, 2);
    assert_string_equal(buf, "0fa0");
    assert_false(t.cut);
}

/* Numbers have as many digits as they need where a digit more begins, and where 32 bits end. */
static void numbers_read_in_decimal(void **state)
{
    uint64_t power = 1;
    char buf[32], want[32];

    (void)state;
    for (unsigned i = 0; i < 20; i++, power *= 10) {
        const uint64_t numbers[] = {power - 1, power, UINT32_MAX + (uint64_t)i};
        for (size_t n = 0; n < GW_ARRAY_LEN(numbers); n++) {
            gw_text t = gw_text_over(buf, sizeof buf);
            gw_text_dec(&t, numbers[n]);
            snprintf(want, sizeof want, "%" PRIu64, numbers[n]);
            assert_string_equal(buf, want);
            assert_int_equal(t.len, strlen(want));
        }
    }
}

/* Whatever its length, and wherever the room ends, a text is put as far as there is room. */
static void texts_are_cut_where_the_room_ends(void **state)
{
    const gw_endpoint end = {.ip = {192, 0, 2, 255}, .port = 65535, .family = GW_FAMILY_IPV4};
    const char want[] = "192.0.2.255:65535";

    (void)state;
    for (size_t cap = 1; cap < sizeof want + 2; cap++) {
        char as_end[sizeof want + 2], as_str[sizeof want + 2];
        const size_t len = cap < sizeof want ? cap - 1 : sizeof want - 1;
        gw_text t = gw_text_over(as_end, cap), u = gw_text_over(as_str, cap);
        gw_text_endpoint(&t, &end);
        gw_text_str(&u, want);
        assert_int_equal(t.len, len);
        assert_int_equal(u.len, len);
        assert_memory_equal(as_end, want, len);
        assert_memory_equal(as_str, want, len);
        assert_int_equal(as_end[len] | as_str[len], 0);
        assert_int_equal(t.cut, len < sizeof want - 1);
        assert_int_equal(u.cut, len < sizeof want - 1);
    }
}

/* So are numbers, which are written in place where there is room for the longest. */
static void numbers_are_cut_where_the_room_ends(void **state)
{
    const char want[] = "0x1f000007080x001f";

    (void)state;
    for (size_t cap = 1; cap < sizeof want + 20; cap++) {
        char buf[sizeof want + 20];
        const size_t len = cap < sizeof want ? cap - 1 : sizeof want - 1;
        memset(buf, 'x', sizeof buf);
        gw_text t = gw_text_over(buf, cap);
        gw_text_hex(&t, 0x1f, 1);
        gw_text_digits(&t, 1000007, 6);
        gw_text_digits(&t, 1000007, 0);
        gw_text_digits(&t, 108, 2);
        gw_text_hex(&t, 0x1f, 4);
        assert_int_equal(t.len, len);
        assert_memory_equal(buf, want, len);
        assert_int_equal(buf[len], 0);
        assert_int_equal(t.cut, len < sizeof want - 1);
        for (size_t i = cap; i < sizeof buf; i++)
            assert_int_equal(buf[i], 'x');
    }
}

static void values_read_as_their_field_is_written(void **state)
{
    const gw_field dec = {.bits = 32}, hex = {.base = GW_HEX, .bits = 32};
    const gw_field ip = {.base = GW_IPV4, .bits = 32};
    char buf[64];
    gw_text t = gw_text_over(buf, sizeof buf);

    (void)state;
    gw_text_value(&t, &dec, 3232235786, 8);
    gw_text_str(&t, " ");
    gw_text_value(&t, &hex, 0x2a, 4);
    gw_text_str(&t, " ");
    gw_text_value(&t, &ip, 3232235786, 8);
    assert_string_equal(buf, "3232235786 0x002a 192.168.1.10");
}

static void ignore_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    (void)sink;
    (void)finding;
}

/* A frame without bytes has no address either, and nothing may be added to none. */
static void messages_may_have_no_bytes(void **state)
{
    gw_verdict_sink nobody = {.finding = ignore_finding};

    (void)state;
    for (size_t f = 0; f < gw_num_formats; f++) {
        const gw_format *format = gw_formats[f];
        for (size_t d = 0; d < format->num_dialects; d++) {
            for (uint8_t part = 0; part < 3; part++) { /* every format has as many */
                gw_message m = gw_message_of(NULL, 0);
                gw_error error;
                char line[64];
                gw_text text = gw_text_over(line, sizeof line);
                m.part = part;
                const char *fault = gw_cover_walk(format, &m, &format->dialects[d], &error);
                if (fault != NULL)
                    fail_msg("%s, part %u: %s", format->name, part, fault);
                format->check(&m, &format->dialects[d], &nobody);
                format->summary(&m, &format->dialects[d], &text);
                assert_false(format->claims != NULL && format->claims(&m));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_are_all_or_nothing),
        cmocka_unit_test(crcs_are_their_polynomials),
        cmocka_unit_test(every_width_is_read_in_both_orders),
        cmocka_unit_test(spans_are_as_long_as_64_bits_tell),
        cmocka_unit_test(what_is_kept_of_a_message_points_nowhere),
        cmocka_unit_test(child_ends_early_and_counts_from_the_parent),
        cmocka_unit_test(odd_widths_load_like_even_ones),
        cmocka_unit_test(writer_stops_for_good_when_full),
        cmocka_unit_test(checksums_meet_published_values),
        cmocka_unit_test(environment_replaces_checksums_one_by_one),
        cmocka_unit_test(endpoints_read_as_people_write_them),
        cmocka_unit_test(text_is_cut_not_overrun),
        cmocka_unit_test(numbers_read_in_decimal),
        cmocka_unit_test(texts_are_cut_where_the_room_ends),
        cmocka_unit_test(numbers_are_cut_where_the_room_ends),
        cmocka_unit_test(values_read_as_their_field_is_written),
        cmocka_unit_test(messages_may_have_no_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
