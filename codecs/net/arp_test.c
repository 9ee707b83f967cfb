/* SPDX-License-Identifier: BSD-2-Clause */
/* ARP packets, whole, cut, and about something else. */
#include "net_test.h"

static frame request(void)
{
    frame f = {.len = 0};

    put_ethernet(&f, GW_ETHERTYPE_ARP);
    put(&f, 0x0001080006040001, 8);
    put(&f, 0x02000a000001, 6);
    put(&f, 0x0a000001, 4);
    put(&f, 0xffffffffffff, 6);
    put(&f, 0x0a000002, 4);
    put(&f, 0, 8);
    put(&f, 0, 8); /* padding */
    put(&f, 0, 2);
    return f;
}

static void a_request_is_read_behind_its_header(void **state)
{
    frame f = request();
    gw_net net;
    gw_arp arp;

    (void)state;
    assert_int_equal(gw_net_parse(&net, GW_LINK_ETHERNET, gw_cursor_over(f.bytes, f.len), f.len),
                     GW_NET_NOT_IP);
    assert_int_equal(net.ethertype, GW_ETHERTYPE_ARP);
    assert_ptr_equal(net.link, f.bytes);
    assert_int_equal(net.link_len, 14);
    assert_int_equal(net.payload_len, 46);
    assert_true(gw_net_arp(&arp, net.payload));
    assert_int_equal(arp.operation, GW_ARP_REQUEST);
    assert_int_equal(arp.sender_ip, 0x0a000001);
    assert_int_equal(arp.target_ip, 0x0a000002);
    assert_memory_equal(arp.sender_hw, f.bytes + 6, 6);
    assert_int_equal(arp.target_hw[5], 0xff);
}

static void tags_belong_to_the_header(void **state)
{
    frame f = {.len = 0};
    gw_net net;

    (void)state;
    put_ethernet(&f, 0x8100);
    put(&f, 0x0007, 2);
    put(&f, GW_ETHERTYPE_ARP, 2);
    put(&f, 0x0001, 2);
    assert_int_equal(gw_net_parse(&net, GW_LINK_ETHERNET, gw_cursor_over(f.bytes, f.len), f.len),
                     GW_NET_NOT_IP);
    assert_int_equal(net.link_len, 18);
    assert_int_equal(net.payload_len, 2);
}

static void what_is_cut_or_about_something_else_is_refused(void **state)
{
    static const unsigned kinds[] = {0, 1, 2, 3, 4, 5}; /* hardware, protocol, their lengths */
    frame f = request();
    gw_arp arp;

    (void)state;
    for (size_t len = 0; len < 28; len++) {
        uint8_t *copy = malloc(len + 1);
        assert_non_null(copy);
        memcpy(copy, f.bytes + 14, len);
        assert_false(gw_net_arp(&arp, gw_cursor_over(copy, len)));
        free(copy);
    }
    for (size_t i = 0; i < GW_ARRAY_LEN(kinds); i++) {
        f.bytes[14 + kinds[i]] ^= 2;
        assert_false(gw_net_arp(&arp, gw_cursor_over(f.bytes + 14, 28)));
        f.bytes[14 + kinds[i]] ^= 2;
    }
    assert_true(gw_net_arp(&arp, gw_cursor_over(f.bytes + 14, 28)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_is_read_behind_its_header),
        cmocka_unit_test(tags_belong_to_the_header),
        cmocka_unit_test(what_is_cut_or_about_something_else_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
