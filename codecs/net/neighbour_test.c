/* SPDX-License-Identifier: BSD-2-Clause */
/* Neighbor Discovery: messages as they are, cut, damaged, and from behind a router. */
#include "goldwire/checksum.h"
#include "net_test.h"

enum { IP = 14, HOPS = IP + 7, ICMP = IP + 40 };

/* Writes the checksum over what stands in |f|. */
static void sum_up(frame *f)
{
    uint8_t *p = f->bytes + ICMP;
    const uint16_t len = (uint16_t)(f->len - ICMP);
    const uint8_t rest[] = {(uint8_t)(len >> 8), (uint8_t)len, 0, 58};

    memset(p + 2, 0, 2);
    uint32_t sum = gw_inet_sum(0, f->bytes + IP + 8, 32);
    sum = gw_inet_fold(gw_inet_sum(gw_inet_sum(sum, rest, sizeof rest), p, len));
    p[2] = (uint8_t)(sum >> 8);
    p[3] = (uint8_t)sum;
}

static frame message(uint8_t type, uint8_t flags, uint8_t option)
{
    frame f = {.len = 0};

    put_ethernet(&f, 0x86dd);
    put_ipv6(&f, 58, 32);
    f.bytes[HOPS] = 255;
    put(&f, type, 1);
    put(&f, 0, 3);
    put(&f, (uint32_t)flags << 24, 4);
    put(&f, 0xfe80000000000000, 8);
    put(&f, 2, 8);
    put(&f, option, 1);
    put(&f, 1, 1);
    put(&f, 0x02000a000001, 6);
    sum_up(&f);
    return f;
}

static bool reads(gw_neighbour *out, const frame *f)
{
    gw_net net;

    assert_int_equal(gw_net_parse(&net, GW_LINK_ETHERNET, gw_cursor_over(f->bytes, f->len), f->len),
                     GW_NET_OTHER_IP);
    return gw_net_neighbour(out, &net);
}

static void both_messages_are_read(void **state)
{
    gw_neighbour n;
    frame f = message(GW_NEIGHBOUR_ASKS, 0, 1);

    (void)state;
    assert_true(reads(&n, &f));
    assert_false(n.told);
    assert_true(n.has_hw);
    assert_memory_equal(n.hw, "\x02\x00\x0a\x00\x00\x01", 6);
    assert_int_equal(n.target[15], 2);
    f = message(GW_NEIGHBOUR_TELLS, 0x60, 2);
    assert_true(reads(&n, &f));
    assert_true(n.told && n.solicited && n.has_hw);
    /* The address of the other kind of message is none. */
    f = message(GW_NEIGHBOUR_TELLS, 0, 1);
    assert_true(reads(&n, &f));
    assert_false(n.solicited || n.has_hw);
}

static void refuses(size_t at, uint8_t value, bool sums)
{
    gw_neighbour n;
    frame f = message(GW_NEIGHBOUR_ASKS, 0, 1);

    f.bytes[at] = value;
    if (sums)
        sum_up(&f);
    assert_false(reads(&n, &f));
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    refuses(HOPS, 254, false);     /* passed a router */
    refuses(ICMP, 134, true);      /* another type */
    refuses(ICMP + 1, 1, true);    /* another code */
    refuses(ICMP + 8, 0xff, true); /* a multicast address */
    refuses(ICMP + 9, 7, false);   /* its checksum */
    refuses(ICMP + 25, 0, true);   /* options without a length, ... */
    refuses(ICMP + 25, 2, true);   /* ... and with one too long */
}

/* A message of |bytes|, which the packet says as well, whose option is |units| long. */
static bool reads_sized(gw_neighbour *out, uint16_t bytes, uint8_t units)
{
    const frame whole = message(GW_NEIGHBOUR_ASKS, 0, 1);
    frame f = {.len = 0};

    put_ethernet(&f, 0x86dd);
    put_ipv6(&f, 58, bytes);
    f.bytes[HOPS] = 255;
    memcpy(f.bytes + ICMP, whole.bytes + ICMP, 32);
    f.bytes[ICMP + 25] = units;
    f.len = ICMP + bytes;
    sum_up(&f);
    return reads(out, &f);
}

static void options_end_with_the_message(void **state)
{
    gw_neighbour n;

    (void)state;
    assert_true(reads_sized(&n, 24, 0)); /* it has none */
    assert_false(n.has_hw);
    assert_true(reads_sized(&n, 32, 1) && n.has_hw);
    assert_false(reads_sized(&n, 16, 0)); /* the target is cut */
    assert_false(reads_sized(&n, 25, 1)); /* so is an option, behind its type */
    assert_true(reads_sized(&n, 40, 2));  /* of twice the length of an Ethernet address */
    assert_false(n.has_hw);
}

static void other_packets_are_none(void **state)
{
    const frame whole = message(GW_NEIGHBOUR_ASKS, 0, 1);
    gw_neighbour n;
    gw_net net;

    (void)state;
    assert_int_equal(
        gw_net_parse(&net, GW_LINK_ETHERNET, gw_cursor_over(whole.bytes, whole.len), whole.len),
        GW_NET_OTHER_IP);
    net.protocol = 59;
    assert_false(gw_net_neighbour(&n, &net));
    net.protocol = 58;
    net.ip_version = 4;
    assert_false(gw_net_neighbour(&n, &net));
    net.ip_version = 6;
    assert_true(gw_net_neighbour(&n, &net));
}

static void what_is_cut_is_refused(void **state)
{
    const frame f = message(GW_NEIGHBOUR_ASKS, 0, 1);
    gw_neighbour n;

    (void)state;
    for (uint32_t len = IP + 40; len < f.len; len++) {
        gw_net net;
        uint8_t *copy = malloc(len);
        assert_non_null(copy);
        memcpy(copy, f.bytes, len);
        (void)gw_net_parse(&net, GW_LINK_ETHERNET, gw_cursor_over(copy, len), f.len);
        assert_false(gw_net_neighbour(&n, &net));
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_messages_are_read),       cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(options_end_with_the_message), cmocka_unit_test(other_packets_are_none),
        cmocka_unit_test(what_is_cut_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
