/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames around payloads: known bytes, sums that add up, and limits. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <string.h>

#include "goldwire/checksum.h"
#include "goldwire/cursor.h"
#include "harness/capture.h"

static const gw_endpoint v4_a = {
    .ip = {192, 168, 161, 125}, .port = 60368, .family = GW_FAMILY_IPV4};
static const gw_endpoint v4_b = {.ip = {10, 0, 0, 1}, .port = 1234, .family = GW_FAMILY_IPV4};
static const gw_endpoint v6_a = {.ip = {0xfd, [13] = 1, 2, 3}, .port = 5, .family = GW_FAMILY_IPV6};
static const gw_endpoint v6_b = {.ip = {[15] = 1}, .port = 6, .family = GW_FAMILY_IPV6};

/* Sums a part with the pseudo-header that |frame| itself shows. Right sums fold to 0. */
static uint16_t sum_of_segment(const uint8_t *frame, size_t len)
{
    const bool v4 = gw_load_be16(frame + 12) == 0x0800;
    const size_t ip = v4 ? 20 : 40;
    const uint8_t *addresses = frame + 14 + (v4 ? 12 : 8);
    const size_t segment = len - 14 - ip;
    const uint8_t rest[] = {(uint8_t)(segment >> 8), (uint8_t)segment, 0, frame[14 + (v4 ? 9 : 6)]};
    uint32_t sum = gw_inet_sum(0, addresses, v4 ? 8 : 32);

    sum = gw_inet_sum(sum, rest, sizeof(rest));
    return gw_inet_fold(gw_inet_sum(sum, frame + 14 + ip, segment));
}

static void udp_over_ipv4(void **state)
{
    static const uint8_t expected[] = {
        0x02, 0x00, 10,   0,    0,    1,    0x02, 0x00, 192,  168,  161,  125,  0x08, 0x00, /* */
        0x45, 0x00, 0x00, 0x20, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0xce, 0xa6,             /* */
        192,  168,  161,  125,  10,   0,    0,    1,                                        /* */
        0xeb, 0xd0, 0x04, 0xd2, 0x00, 0x0c, 0x42, 0x9e, 0x4e, 0x6f, 0x11, 0xff,
    };
    uint8_t out[64];

    (void)state;
    const size_t len =
        gw_frame_udp(out, sizeof(out), &v4_a, &v4_b, (const uint8_t *)"\x4e\x6f\x11\xff", 4);
    assert_int_equal(len, sizeof(expected));
    assert_memory_equal(out, expected, len);
    assert_int_equal(gw_inet_fold(gw_inet_sum(0, out + 14, 20)), 0);
    assert_int_equal(sum_of_segment(out, len), 0);
}

static void udp_over_ipv6(void **state)
{
    uint8_t out[128];

    (void)state;
    const size_t len = gw_frame_udp(out, sizeof(out), &v6_a, &v6_b, (const uint8_t *)"odd", 3);
    assert_int_equal(len, 14 + 40 + 8 + 3);
    assert_memory_equal(out, "\x02\x00\x00\x00\x00\x01\x02\x00\x00\x01\x02\x03\x86\xdd", 14);
    assert_memory_equal(out + 14, "\x60\x00\x00\x00\x00\x0b\x11\x40", 8);
    assert_memory_equal(out + 22, v6_a.ip, 16);
    assert_memory_equal(out + 38, v6_b.ip, 16);
    assert_int_equal(gw_load_be16(out + 54), 5);
    assert_int_equal(gw_load_be16(out + 56), 6);
    assert_int_equal(gw_load_be16(out + 58), 11);
    assert_memory_equal(out + 62, "odd", 3);
    assert_int_equal(sum_of_segment(out, len), 0);
}

static void tcp(void **state)
{
    uint8_t out[128];

    (void)state;
    size_t len =
        gw_frame_tcp(out, sizeof(out), &v4_a, &v4_b, 0x01020304, 0xf1f2f3f4, 0x12, NULL, 0);
    assert_int_equal(len, 14 + 20 + 20);
    assert_int_equal(gw_load_be16(out + 16), 40);
    assert_int_equal(out[23], 6);
    assert_memory_equal(out + 34,
                        "\xeb\xd0\x04\xd2\x01\x02\x03\x04\xf1\xf2\xf3\xf4\x50\x12\xff\xff", 16);
    assert_int_equal(gw_load_be16(out + 52), 0);
    assert_int_equal(gw_inet_fold(gw_inet_sum(0, out + 14, 20)), 0);
    assert_int_equal(sum_of_segment(out, len), 0);

    len = gw_frame_tcp(out, sizeof(out), &v6_b, &v6_a, 1, 2, 0x18, (const uint8_t *)"bytes", 5);
    assert_int_equal(len, 14 + 40 + 20 + 5);
    assert_int_equal(sum_of_segment(out, len), 0);
    assert_memory_equal(out + 74, "bytes", 5);
}

/* A sum of zero is written as all ones: zero would say that there is none. */
static void a_udp_sum_of_zero(void **state)
{
    uint8_t out[64];
    uint8_t payload[2] = {0, 0};

    (void)state;
    size_t len = gw_frame_udp(out, sizeof(out), &v4_a, &v4_b, payload, 2);
    memcpy(payload, out + 40, 2); /* now the payload fills up to all ones */
    assert_int_equal(gw_frame_udp(out, sizeof(out), &v4_a, &v4_b, payload, 2), len);
    assert_int_equal(gw_load_be16(out + 40), 0xffff);
    assert_int_equal(sum_of_segment(out, len), 0);
}

static void limits(void **state)
{
    static uint8_t out[70000];
    static const uint8_t payload[70000];
    const gw_endpoint none = {0};
    uint8_t small[50];

    (void)state;
    assert_int_equal(gw_frame_udp(out, sizeof(out), &v4_a, &v6_a, payload, 1), 0);
    assert_int_equal(gw_frame_udp(out, sizeof(out), &none, &none, payload, 1), 0);
    assert_int_equal(gw_frame_udp(small, sizeof(small), &v4_a, &v4_b, payload, 8), 50);
    assert_int_equal(gw_frame_udp(small, sizeof(small), &v4_a, &v4_b, payload, 9), 0);
    assert_int_equal(gw_frame_tcp(small, sizeof(small), &v4_a, &v4_b, 0, 0, 0, payload, 0), 0);
    assert_int_equal(gw_frame_udp(small, 0, &v4_a, &v4_b, payload, 0), 0);
    assert_int_equal(gw_frame_udp(out, sizeof(out), &v4_a, &v4_b, payload, 65507), 14 + 65535);
    assert_int_equal(gw_load_be16(out + 16), 65535);
    assert_int_equal(gw_frame_udp(out, sizeof(out), &v4_a, &v4_b, payload, 65508), 0);
    assert_int_equal(gw_frame_udp(out, sizeof(out), &v6_a, &v6_b, payload, 65527), 54 + 65535);
    assert_int_equal(gw_frame_udp(out, sizeof(out), &v6_a, &v6_b, payload, 65528), 0);
    assert_int_equal(gw_frame_udp(out, sizeof(out), &v4_a, &v4_b, payload, SIZE_MAX), 0);
    assert_int_equal(gw_frame_tcp(out, sizeof(out), &v4_a, &v4_b, 0, 0, 0, payload, 65495),
                     14 + 65535);
    assert_int_equal(gw_frame_tcp(out, sizeof(out), &v4_a, &v4_b, 0, 0, 0, payload, 65496), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(udp_over_ipv4),     cmocka_unit_test(udp_over_ipv6), cmocka_unit_test(tcp),
        cmocka_unit_test(a_udp_sum_of_zero), cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
