/* SPDX-License-Identifier: BSD-2-Clause */
/* Every link type, VLAN stacks, and what is not IP. */
#include "net_test.h"

static void put_udp4(frame *f)
{
    put_ipv4(f, 17, 12, 0);
    put_udp(f, 12);
    put(f, 0x4e6f1144, 4);
}

static void put_udp6(frame *f)
{
    put_ipv6(f, 17, 12);
    put_udp(f, 12);
    put(f, 0x4e6f1144, 4);
}

static void check_udp4(unsigned link, const frame *f)
{
    static const uint8_t src[16] = {10, 0, 0, 1};
    static const uint8_t dst[16] = {10, 0, 0, 2};
    gw_net net;
    assert_int_equal(parse(&net, link, f), GW_NET_OK);
    assert_int_equal(net.ip_version, 4);
    assert_int_equal(net.protocol, 17);
    assert_int_equal(net.transport, GW_OVER_UDP);
    assert_int_equal(net.ttl, 63);
    assert_int_equal(net.src.family, GW_FAMILY_IPV4);
    assert_memory_equal(net.src.ip, src, 16);
    assert_memory_equal(net.dst.ip, dst, 16);
    assert_int_equal(net.src.port, 60368);
    assert_int_equal(net.dst.port, 1234);
    assert_int_equal(net.payload_len, 4);
    assert_int_equal(gw_cursor_left(&net.payload), 4);
    assert_int_equal(gw_load_be32(net.payload.p), 0x4e6f1144);
    assert_false(net.udp_checksum_zero);
    assert_null(net.fault);
    check_every_prefix(link, f, f->len - 4);
}

static void check_udp6(unsigned link, const frame *f)
{
    static const uint8_t src[16] = {0xfe, 0x80, [15] = 1};
    gw_net net;
    assert_int_equal(parse(&net, link, f), GW_NET_OK);
    assert_int_equal(net.ip_version, 6);
    assert_int_equal(net.ttl, 64);
    assert_int_equal(net.src.family, GW_FAMILY_IPV6);
    assert_memory_equal(net.src.ip, src, 16);
    assert_int_equal(net.dst.ip[15], 2);
    assert_int_equal(net.payload_len, 4);
    check_every_prefix(link, f, f->len - 4);
}

static void test_ethernet(void **state)
{
    frame v4 = {.len = 0};
    frame v6 = {.len = 0};
    (void)state;
    put_ethernet(&v4, 0x0800);
    put_udp4(&v4);
    check_udp4(GW_LINK_ETHERNET, &v4);
    put_ethernet(&v6, 0x86dd);
    put_udp6(&v6);
    check_udp6(GW_LINK_ETHERNET, &v6);
}

static void test_cooked(void **state)
{
    frame v1 = {.len = 0};
    frame v2 = {.len = 0};
    (void)state;
    put(&v1, 4, 2);
    put(&v1, 1, 2);
    put(&v1, 6, 2);
    put(&v1, 0x02000a0000010000, 8);
    put(&v1, 0x0800, 2);
    put_udp4(&v1);
    check_udp4(GW_LINK_SLL, &v1);

    put(&v2, 0x86dd, 2);
    put(&v2, 0, 2);
    put(&v2, 3, 4);
    put(&v2, 1, 2);
    put(&v2, 0x0406, 2);
    put(&v2, 0x02000a0000010000, 8);
    put_udp6(&v2);
    check_udp6(GW_LINK_SLL2, &v2);
}

static void test_raw(void **state)
{
    static const unsigned either[] = {GW_LINK_RAW, 12, 14};
    frame v4 = {.len = 0};
    frame v6 = {.len = 0};
    frame bad = {.len = 0};
    gw_net net;
    (void)state;
    put_udp4(&v4);
    put_udp6(&v6);
    for (size_t i = 0; i < GW_ARRAY_LEN(either); i++) {
        check_udp4(either[i], &v4);
        check_udp6(either[i], &v6);
    }
    check_udp4(GW_LINK_IPV4, &v4);
    check_udp6(GW_LINK_IPV6, &v6);

    assert_int_equal(parse(&net, GW_LINK_IPV4, &v6), GW_NET_MALFORMED);
    assert_fault(&net, 0, "IPv4 version");
    assert_int_equal(parse(&net, GW_LINK_IPV6, &v4), GW_NET_TRUNCATED);
    assert_fault(&net, 0, "IPv6 header");
    put(&bad, 0x55, 1);
    assert_int_equal(parse(&net, GW_LINK_RAW, &bad), GW_NET_MALFORMED);
    assert_fault(&net, 0, "IP version");
}

static void test_loopback(void **state)
{
    static const uint32_t families[] = {24, 28, 30};
    gw_net net;
    (void)state;

    for (int swapped = 0; swapped < 2; swapped++) {
        frame v4 = {.len = 0};
        put(&v4, swapped ? 0x02000000 : 2, 4);
        put_udp4(&v4);
        check_udp4(GW_LINK_NULL, &v4);
        if (!swapped)
            check_udp4(GW_LINK_LOOP, &v4);
        else
            assert_int_equal(parse(&net, GW_LINK_LOOP, &v4), GW_NET_NOT_IP);
        for (size_t i = 0; i < GW_ARRAY_LEN(families); i++) {
            frame v6 = {.len = 0};
            put(&v6, swapped ? families[i] << 24 : families[i], 4);
            put_udp6(&v6);
            check_udp6(GW_LINK_NULL, &v6);
        }
    }

    frame other = {.len = 0};
    put(&other, 7, 4);
    assert_int_equal(parse(&net, GW_LINK_NULL, &other), GW_NET_NOT_IP);
    assert_int_equal(net.ethertype, 7);
}

static void test_vlans(void **state)
{
    static const uint16_t tags[] = {0x88a8, 0x9100, 0x8100};
    (void)state;

    for (uint32_t depth = 1; depth <= 9; depth++) {
        frame f = {.len = 0};
        gw_net net;
        put_ethernet(&f, tags[0]);
        for (uint32_t i = 1; i <= depth; i++) {
            put(&f, 0xf000 | (100 + i), 2); /* priority and drop bits are no part of the id */
            put(&f, i == depth ? 0x0800 : tags[i % 3], 2);
        }
        put_udp4(&f);
        check_udp4(GW_LINK_ETHERNET, &f);
        assert_int_equal(parse(&net, GW_LINK_ETHERNET, &f), GW_NET_OK);
        assert_int_equal(net.num_vlans, depth < GW_MESSAGE_VLANS ? depth : GW_MESSAGE_VLANS);
        for (uint32_t i = 0; i < net.num_vlans; i++)
            assert_int_equal(net.vlans[i], 101 + i);
    }
}

static void test_not_ip(void **state)
{
    /* ARP, PTP, LLDP, an 802.3 length with LLC behind it. */
    static const uint16_t types[] = {0x0806, 0x88f7, 0x88cc, 0x0026, 0x05dc};
    (void)state;

    for (size_t i = 0; i < GW_ARRAY_LEN(types); i++) {
        frame f = {.len = 0};
        gw_net net;
        put_ethernet(&f, types[i]);
        put(&f, 0x4242030000000000, 8);
        assert_int_equal(parse(&net, GW_LINK_ETHERNET, &f), GW_NET_NOT_IP);
        assert_int_equal(net.ethertype, types[i]);
        assert_int_equal(net.ip_version, 0);
    }
}

static void test_unknown_link(void **state)
{
    frame f = {.len = 0};
    gw_net net;
    (void)state;
    put_ethernet(&f, 0x0800);
    put_udp4(&f);
    assert_int_equal(parse(&net, GW_LINK_USER0, &f), GW_NET_UNKNOWN_LINK);
    assert_int_equal(parse(&net, 9999, &f), GW_NET_UNKNOWN_LINK);
}

static void test_empty(void **state)
{
    static const unsigned links[] = {GW_LINK_NULL, GW_LINK_ETHERNET, GW_LINK_RAW,  GW_LINK_LOOP,
                                     GW_LINK_SLL,  GW_LINK_IPV4,     GW_LINK_IPV6, GW_LINK_SLL2};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(links); i++) {
        gw_net net;
        assert_int_equal(gw_net_parse(&net, links[i], gw_cursor_over(NULL, 0), 0),
                         GW_NET_TRUNCATED);
        assert_int_equal(net.fault_offset, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ethernet), cmocka_unit_test(test_cooked),
        cmocka_unit_test(test_raw),      cmocka_unit_test(test_loopback),
        cmocka_unit_test(test_vlans),    cmocka_unit_test(test_not_ip),
        cmocka_unit_test(test_empty),    cmocka_unit_test(test_unknown_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
