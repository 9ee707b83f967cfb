/* SPDX-License-Identifier: BSD-2-Clause */
/* UDP and TCP headers, in a frame and in a reassembled datagram. */
#include "net_test.h"

static gw_net_status udp_with_length(gw_net *net, uint16_t len)
{
    frame f = {.len = 0};
    put_ipv4(&f, 17, 16, 0);
    put_udp(&f, len);
    put(&f, 0x1122334455667788, 8);
    return gw_net_parse(net, GW_LINK_IPV4, gw_cursor_over(f.bytes, f.len), f.len);
}

static void test_udp_length(void **state)
{
    gw_net net;
    (void)state;

    for (uint16_t len = 8; len <= 16; len++) { /* what follows is no part of the datagram */
        assert_int_equal(udp_with_length(&net, len), GW_NET_OK);
        assert_int_equal(net.payload_len, len - 8);
        assert_int_equal(gw_cursor_left(&net.payload), len - 8);
    }
    for (uint16_t len = 1; len < 8; len++) {
        assert_int_equal(udp_with_length(&net, len), GW_NET_MALFORMED);
        assert_fault(&net, 24, "UDP length: at least 8");
    }
    assert_int_equal(udp_with_length(&net, 0), GW_NET_MALFORMED);
    assert_fault(&net, 24, "UDP length: 0 is allowed in an IPv6 jumbogram only");
    assert_int_equal(udp_with_length(&net, 17), GW_NET_MALFORMED);
    assert_fault(&net, 24, "UDP length: no more than the IP payload");
    assert_int_equal(net.src.port, 60368);
}

static void test_udp_in_too_small_ip(void **state)
{
    frame f = {.len = 0};
    gw_net net;
    (void)state;
    put_ipv4(&f, 17, 7, 0);
    put(&f, 0, 8); /* the eighth byte is the link's padding */
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_MALFORMED);
    assert_fault(&net, 20, "UDP header");
}

static void test_udp_checksum_zero(void **state)
{
    frame f = {.len = 0};
    gw_net net;
    (void)state;
    put_ipv4(&f, 17, 8, 0);
    put_udp(&f, 8);
    memset(f.bytes + 26, 0, 2);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_OK);
    assert_true(net.udp_checksum_zero);
    assert_int_equal(net.payload_len, 0);
}

static void test_tcp(void **state)
{
    (void)state;
    for (uint8_t words = 5; words <= 15; words++) {
        frame f = {.len = 0};
        gw_net net;
        put_ipv4(&f, 6, (uint16_t)(words * 4 + 4), 0);
        put_tcp(&f, words, GW_TCP_ACK | GW_TCP_FIN);
        put(&f, 0x11223344, 4);
        assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_OK);
        assert_int_equal(net.transport, GW_OVER_TCP);
        assert_int_equal(net.tcp_seq, 0x01020304);
        assert_int_equal(net.tcp_ack, 0x05060708);
        assert_int_equal(net.tcp_flags, GW_TCP_ACK | GW_TCP_FIN);
        assert_int_equal(net.src.port, 60368);
        assert_int_equal(net.payload_len, 4);
        assert_int_equal(gw_load_be32(net.payload.p), 0x11223344);
        check_every_prefix(GW_LINK_IPV4, &f, 20 + words * 4);
    }
}

/* The window, and how long a segment may be, which only a SYN tells. */
static void test_tcp_window_and_segment(void **state)
{
    static const struct {
        uint8_t flags;
        uint64_t options; /* eight bytes */
        uint16_t segment;
    } rows[] = {
        {GW_TCP_SYN, 0x020405b401010101, 1460},  {GW_TCP_SYN, 0x0101020405b40000, 1460},
        {GW_TCP_SYN, 0x0303070204023400, 0x234}, {GW_TCP_SYN, 0x0101010101010204, 0},
        {GW_TCP_SYN, 0x0000020405b40000, 0},     {GW_TCP_SYN, 0x0500020405b40000, 0},
        {GW_TCP_SYN, 0x0501020405b40000, 0},     {GW_TCP_ACK, 0x020405b401010101, 0},
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(rows); i++) {
        frame f = {.len = 0};
        gw_net net;
        put_ethernet(&f, 0x0800);
        put_ipv4(&f, 6, 28, 0);
        put_tcp(&f, 5, rows[i].flags);
        f.bytes[34 + 12] = 7 << 4;
        f.bytes[34 + 14] = 0x12;
        f.bytes[34 + 15] = 0x34;
        put(&f, rows[i].options, 8);
        assert_int_equal(
            gw_net_parse(&net, GW_LINK_ETHERNET, gw_cursor_over(f.bytes, f.len), f.len), GW_NET_OK);
        assert_int_equal(net.tcp_window, 0x1234);
        assert_int_equal(net.tcp_mss, rows[i].segment);
    }
}

static void test_tcp_data_offset(void **state)
{
    gw_net net;
    (void)state;
    for (uint8_t words = 0; words < 16; words++) {
        frame f = {.len = 0};
        put_ipv4(&f, 6, 24, 0);
        put_tcp(&f, 6, GW_TCP_ACK);
        f.bytes[20 + 12] = (uint8_t)(words << 4);
        gw_net_status status = parse(&net, GW_LINK_IPV4, &f);
        assert_int_equal(status, words == 5 || words == 6 ? GW_NET_OK : GW_NET_MALFORMED);
        if (status == GW_NET_MALFORMED)
            assert_fault(&net, 32, "TCP data offset");
    }
    frame f = {.len = 0};
    put_ipv4(&f, 6, 19, 0);
    put_tcp(&f, 5, GW_TCP_ACK);
    assert_int_equal(parse(&net, GW_LINK_IPV4, &f), GW_NET_MALFORMED);
    assert_fault(&net, 20, "TCP header");
}

/* As after gw_defrag: addresses and protocol are known, the payload is not yet. */
static void test_reassembled(void **state)
{
    frame f = {.len = 0};
    gw_net net = {.ip_version = 6, .protocol = 60};
    (void)state;
    put(&f, 0x1100000000000000, 8); /* destination options, then UDP */
    put_udp(&f, 12);
    put(&f, 0x11223344, 4);
    gw_cursor c = gw_cursor_over(f.bytes, f.len);
    assert_int_equal(gw_net_parse_transport(&net, c, f.len), GW_NET_OK);
    assert_int_equal(net.protocol, 17);
    assert_int_equal(net.payload_len, 4);
    assert_int_equal(net.src.port, 60368);

    /* The capture cut a fragment. */
    for (uint32_t cap = 0; cap < f.len; cap++) {
        net = (gw_net){.ip_version = 6, .protocol = 60};
        gw_net_status status = gw_net_parse_transport(&net, gw_cursor_over(f.bytes, cap), f.len);
        assert_int_equal(status, cap < 16 ? GW_NET_TRUNCATED : GW_NET_OK);
        if (status == GW_NET_OK)
            assert_int_equal(gw_cursor_left(&net.payload), cap - 16);
        else
            assert_true(net.fault_offset <= cap);
    }
}

static void test_fragment_in_reassembled(void **state)
{
    frame f = {.len = 0};
    gw_net net = {.ip_version = 6, .protocol = 44};
    (void)state;
    put(&f, 0x1100000100000000, 8);
    put(&f, 0, 8);
    gw_cursor c = gw_cursor_over(f.bytes, f.len);
    assert_int_equal(gw_net_parse_transport(&net, c, f.len), GW_NET_MALFORMED);
    assert_fault(&net, 0, "IPv6 fragment header");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_udp_length),
        cmocka_unit_test(test_udp_in_too_small_ip),
        cmocka_unit_test(test_udp_checksum_zero),
        cmocka_unit_test(test_tcp),
        cmocka_unit_test(test_tcp_window_and_segment),
        cmocka_unit_test(test_tcp_data_offset),
        cmocka_unit_test(test_reassembled),
        cmocka_unit_test(test_fragment_in_reassembled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
