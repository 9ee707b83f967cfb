/* SPDX-License-Identifier: BSD-2-Clause */
/* IPv4 and IPv6: lengths, options, padding, fragments, extension headers, jumbograms. */
#include "net_test.h"

/* Offsets in a frame of link type GW_LINK_IPV4. */
enum {
    V4_FIRST = 0,
    V4_TOTAL_LEN = 2,
    V4_FLAGS = 6,
};

static frame udp4(void)
{
    frame f = {.len = 0};
    put_ipv4(&f, 17, 12, 0);
    put_udp(&f, 12);
    put(&f, 0x11223344, 4);
    return f;
}

static void set16(frame *f, uint32_t at, uint16_t value)
{
    f->bytes[at] = (uint8_t)(value >> 8);
    f->bytes[at + 1] = (uint8_t)value;
}

static void test_padding(void **state)
{
    frame f = udp4();
    gw_net net;
    (void)state;
    put(&f, 0, 8);
    put(&f, 0, 8);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_OK);
    assert_int_equal(net.payload_len, 4);
    assert_int_equal(gw_cursor_left(&net.payload), 4);
}

static void test_ipv4_options(void **state)
{
    (void)state;
    for (uint32_t words = 5; words <= 15; words++) {
        frame f = {.len = 0};
        gw_net net;
        put_ipv4(&f, 17, (uint16_t)(12 + (words - 5) * 4), 0);
        f.bytes[V4_FIRST] = (uint8_t)(0x40 | words);
        for (uint32_t i = 5; i < words; i++)
            put(&f, 0x01010101, 4);
        put_udp(&f, 12);
        put(&f, 0x11223344, 4);
        assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_OK);
        assert_int_equal(net.src.port, 60368);
        check_every_prefix(GW_LINK_IPV4, &f, words * 4 + 8);
    }
}

static void test_ipv4_lengths(void **state)
{
    frame f = udp4();
    gw_net net;
    (void)state;

    f.bytes[V4_FIRST] = 0x44;
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_MALFORMED);
    assert_fault(&net, 0, "IPv4 header length");
    f.bytes[V4_FIRST] = 0x46;
    set16(&f, V4_TOTAL_LEN, 23);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_MALFORMED);
    assert_fault(&net, 2, "IPv4 total length");
    f.bytes[V4_FIRST] = 0x45;
    set16(&f, V4_TOTAL_LEN, 33);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_MALFORMED);
    assert_fault(&net, 2, "IPv4 total length");
    assert_int_equal(net.src.ip[3], 1);
    set16(&f, V4_TOTAL_LEN, 0);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_MALFORMED);
    assert_fault(&net, 2, "IPv4 total length");
}

/* A network card that cuts segments itself gets them with no length. */
static void test_offloaded_tcp(void **state)
{
    frame v4 = {.len = 0};
    frame v6 = {.len = 0};
    gw_net net;
    (void)state;
    put_ipv4(&v4, 6, 0, 0);
    set16(&v4, V4_TOTAL_LEN, 0);
    put_tcp(&v4, 5, GW_TCP_ACK);
    put(&v4, 0x1122334455, 5);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &v4), GW_NET_OK);
    assert_int_equal(net.payload_len, 5);
    put_ipv6(&v6, 6, 0);
    put_tcp(&v6, 5, GW_TCP_ACK);
    put(&v6, 0x1122334455, 5);
    assert_int_equal(parse(&net, GW_LINK_IPV6, &v6), GW_NET_OK);
    assert_int_equal(net.payload_len, 5);
}

static void test_ipv4_fragments(void **state)
{
    frame f = udp4();
    gw_net net;
    (void)state;

    set16(&f, V4_FLAGS, 0x4000); /* don't fragment */
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_OK);
    set16(&f, V4_FLAGS, 0x0003);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_FRAGMENT);
    assert_int_equal(net.fragment_offset, 24);
    assert_int_equal(net.fragment_id, 0x1234);
    assert_false(net.more_fragments);
    assert_int_equal(net.payload_len, 12);
    assert_int_equal(gw_cursor_offset(&net.payload), 20);
    assert_int_equal(net.src.port, 0);

    set16(&f, V4_FLAGS, 0x2000);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_MALFORMED);
    assert_fault(&net, 6, "IPv4 total length: of a fragment");
    put(&f, 0, 4);
    set16(&f, V4_TOTAL_LEN, 36);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_FRAGMENT);
    assert_true(net.more_fragments);
    assert_int_equal(net.payload_len, 16);
    set16(&f, V4_TOTAL_LEN, 20);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_MALFORMED);

    /* The last offset that fits: 65512 and 3 bytes more after the header of 20. */
    set16(&f, V4_TOTAL_LEN, 23);
    set16(&f, V4_FLAGS, 0x1ffd);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_FRAGMENT);
    set16(&f, V4_TOTAL_LEN, 24);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_MALFORMED);
    assert_fault(&net, 6, "IPv4 fragment offset");
}

static void test_other_ip(void **state)
{
    static const uint8_t v4[] = {0, 1, 2, 41, 44, 47, 50, 60, 132};
    static const uint8_t v6[] = {50, 58, 59, 132, 135};
    gw_net net;
    (void)state;
    for (size_t i = 0; i < sizeof v4; i++) {
        frame f = {.len = 0};
        put_ipv4(&f, v4[i], 8, 0);
        put(&f, 0, 8);
        assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_OTHER_IP);
        assert_int_equal(net.protocol, v4[i]);
    }
    for (size_t i = 0; i < sizeof v6; i++) {
        frame f = {.len = 0};
        put_ipv6(&f, v6[i], 8);
        put(&f, 0, 8);
        assert_int_equal(parse(&net, GW_LINK_IPV6, &f), GW_NET_OTHER_IP);
        assert_int_equal(net.protocol, v6[i]);
    }
}

static void test_ipv4_authentication(void **state)
{
    frame f = {.len = 0};
    gw_net net;
    (void)state;
    put_ipv4(&f, 51, 24 + 12, 0);
    put(&f, 0x1104, 2); /* UDP, 24 bytes */
    for (int i = 2; i < 24; i++)
        put(&f, 0, 1);
    put_udp(&f, 12);
    put(&f, 0x11223344, 4);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_OK);
    assert_int_equal(net.protocol, 17);
    check_every_prefix(GW_LINK_IPV4, &f, 20 + 24 + 8);
}

/* One extension header of |len| bytes. */
static void put_extension(frame *f, uint8_t type, uint8_t next, uint32_t len)
{
    put(f, next, 1);
    put(f, type == 51 ? len / 4 - 2 : len / 8 - 1, 1);
    for (uint32_t i = 2; i < len; i++)
        put(f, 0, 1);
}

static void test_ipv6_chain(void **state)
{
    static const struct {
        uint8_t type;
        uint32_t len;
    } chain[] = {{0, 8}, {60, 24}, {43, 16}, {51, 24}, {44, 8}, {60, 8}};
    frame f = {.len = 0};
    gw_net net;
    uint32_t len = 0;
    (void)state;

    for (size_t i = 0; i < GW_ARRAY_LEN(chain); i++)
        len += chain[i].len;
    put_ipv6(&f, chain[0].type, (uint16_t)(len + 12));
    for (size_t i = 0; i < GW_ARRAY_LEN(chain); i++) {
        uint8_t next = i + 1 < GW_ARRAY_LEN(chain) ? chain[i + 1].type : 17;
        put_extension(&f, chain[i].type, next, chain[i].len);
    }
    put_udp(&f, 12);
    put(&f, 0x11223344, 4);
    assert_int_equal(parse(&net, GW_LINK_IPV6, &f), GW_NET_OK);
    assert_int_equal(net.protocol, 17);
    assert_int_equal(net.payload_len, 4);
    check_every_prefix(GW_LINK_IPV6, &f, 40 + len + 8);
}

static void test_ipv6_chain_faults(void **state)
{
    gw_net net;
    (void)state;

    frame late = {.len = 0};
    put_ipv6(&late, 60, 24);
    put_extension(&late, 60, 0, 8);
    put_extension(&late, 0, 59, 16);
    assert_int_equal(parse(&net, GW_LINK_IPV6, &late), GW_NET_MALFORMED);
    assert_fault(&net, 48, "IPv6 hop-by-hop options");

    frame beyond = {.len = 0};
    put_ipv6(&beyond, 43, 8);
    put_extension(&beyond, 43, 17, 16);
    assert_int_equal(parse(&net, GW_LINK_IPV6, &beyond), GW_NET_MALFORMED);
    assert_fault(&net, 40, "IP extension header");

    frame missing = {.len = 0};
    put_ipv6(&missing, 44, 4);
    put(&missing, 0, 4);
    assert_int_equal(parse(&net, GW_LINK_IPV6, &missing), GW_NET_MALFORMED);
    assert_fault(&net, 40, "IP extension header");

    frame longer = {.len = 0};
    put_ipv6(&longer, 17, 13);
    put_udp(&longer, 12);
    put(&longer, 0, 4);
    assert_int_equal(parse(&net, GW_LINK_IPV6, &longer), GW_NET_MALFORMED);
    assert_fault(&net, 4, "IPv6 payload length");
}

static void test_ipv6_fragments(void **state)
{
    frame f = {.len = 0};
    gw_net net;
    (void)state;
    put_ipv6(&f, 44, 24);
    put(&f, 0x1100, 2);
    put(&f, 0x0011, 2); /* offset 16, more to come */
    put(&f, 0xdeadbeef, 4);
    put(&f, 0, 8);
    put(&f, 0, 8);
    assert_int_equal(parse(&net, GW_LINK_IPV6, &f), GW_NET_FRAGMENT);
    assert_int_equal(net.fragment_offset, 16);
    assert_true(net.more_fragments);
    assert_int_equal(net.fragment_id, 0xdeadbeef);
    assert_int_equal(net.protocol, 17);
    assert_int_equal(net.payload_len, 16);

    set16(&f, 42, 0xfff8);
    assert_int_equal(parse(&net, GW_LINK_IPV6, &f), GW_NET_MALFORMED);
    assert_fault(&net, 42, "IPv6 fragment offset");
    set16(&f, 4, 23);
    set16(&f, 42, 0x0001);
    assert_int_equal(parse(&net, GW_LINK_IPV6, &f), GW_NET_MALFORMED);
    assert_fault(&net, 42, "IPv6 payload length: of a fragment");
}

/* A jumbogram of |len| bytes after the IPv6 header, of which some hundred were captured. */
static frame jumbo(uint32_t len)
{
    frame f = {.len = 0};
    put_ipv6(&f, 0, 0);
    put(&f, 0x1100, 2);
    put(&f, 0xc204, 2);
    put(&f, len, 4);
    put_udp(&f, 0);
    for (int i = 0; i < 100; i++)
        put(&f, 0x55, 1);
    return f;
}

static gw_net_status parse_long(gw_net *net, const frame *f, uint32_t orig_len)
{
    return gw_net_parse(net, GW_LINK_IPV6, gw_cursor_over(f->bytes, f->len), orig_len);
}

static void test_jumbograms(void **state)
{
    frame f = jumbo(70000);
    gw_net net;
    (void)state;
    assert_int_equal(parse_long(&net, &f, 70040), GW_NET_OK);
    assert_int_equal(net.payload_len, 70000 - 16);
    assert_int_equal(gw_cursor_left(&net.payload), 100);
    assert_int_equal(parse_long(&net, &f, 70039), GW_NET_MALFORMED);
    assert_fault(&net, 4, "IPv6 payload length: no more");
    for (uint32_t cap = 0; cap < 56; cap++) {
        uint8_t *copy;
        assert_int_equal(parse_copy(&net, GW_LINK_IPV6, &f, cap, 70040, &copy), GW_NET_TRUNCATED);
        assert_true(net.fault_offset <= cap);
        free(copy);
    }

    f = jumbo(65535);
    assert_int_equal(parse_long(&net, &f, 70040), GW_NET_MALFORMED);
    assert_fault(&net, 44, "IPv6 jumbo payload length");

    f = jumbo(70000);
    f.bytes[42] = 0xc3; /* another option */
    assert_int_equal(parse_long(&net, &f, 70040), GW_NET_MALFORMED);
    assert_fault(&net, 4, "IPv6 payload length: not 0");
    f.bytes[43] = 5; /* reaches past the header */
    assert_int_equal(parse_long(&net, &f, 70040), GW_NET_MALFORMED);
}

static void test_jumbo_after_padding(void **state)
{
    frame f = {.len = 0};
    gw_net net;
    (void)state;
    put_ipv6(&f, 0, 0);
    put(&f, 0x1101, 2);
    put(&f, 0x00, 1);         /* Pad1 */
    put(&f, 0x0103000000, 5); /* PadN */
    put(&f, 0xc204, 2);
    put(&f, 66000, 4);
    put(&f, 0x0100, 2);
    put_udp(&f, 0);
    assert_int_equal(parse_long(&net, &f, 66040), GW_NET_OK);
    assert_int_equal(net.payload_len, 66000 - 16 - 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_padding),
        cmocka_unit_test(test_ipv4_options),
        cmocka_unit_test(test_ipv4_lengths),
        cmocka_unit_test(test_offloaded_tcp),
        cmocka_unit_test(test_ipv4_fragments),
        cmocka_unit_test(test_other_ip),
        cmocka_unit_test(test_ipv4_authentication),
        cmocka_unit_test(test_ipv6_chain),
        cmocka_unit_test(test_ipv6_chain_faults),
        cmocka_unit_test(test_ipv6_fragments),
        cmocka_unit_test(test_jumbograms),
        cmocka_unit_test(test_jumbo_after_padding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
