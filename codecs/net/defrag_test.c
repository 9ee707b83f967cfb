/* SPDX-License-Identifier: BSD-2-Clause */
/* Fragments in any order, copied, overlapping, missing, cut, pushed out. */
#include "net_test.h"

#define SLOTS 3
#define SECOND INT64_C(1000000000)

/* What the collector complained about. */
typedef struct faults {
    int num;
    uint64_t frame;
    char why[160];
    uint8_t src;
} faults;

typedef struct fixture {
    void *mem;
    gw_defrag *d;
    faults faults;
    uint64_t frames[GW_MESSAGE_FRAMES];
    uint32_t num_frames;
    gw_net net;
} fixture;

static uint8_t data[65536];

static void on_fault(void *ctx, uint64_t number, const gw_net *net, const char *why)
{
    faults *f = ctx;
    f->num++;
    f->frame = number;
    f->src = net->src.ip[0];
    strncpy(f->why, why, sizeof f->why - 1);
    assert_int_equal(gw_cursor_left(&net->payload), 0);
}

static void begin(fixture *x)
{
    memset(x, 0, sizeof *x);
    x->mem = malloc(gw_defrag_size(SLOTS));
    assert_non_null(x->mem);
    memset(x->mem, 0xa5, gw_defrag_size(SLOTS));
    x->d = gw_defrag_init(x->mem, SLOTS, on_fault, &x->faults);
    assert_non_null(x->d);
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7 + (i >> 8));
}

static void end(fixture *x)
{
    free(x->mem);
}

static gw_net fragment(unsigned version, uint32_t id, uint32_t off, uint32_t len, bool more)
{
    gw_net net = {
        .ip_version = (uint8_t)version,
        .protocol = 17,
        .fragment_id = id,
        .fragment_offset = off,
        .more_fragments = more,
        .payload = gw_cursor_over(data + off, len),
        .payload_len = len,
    };
    net.src.family = version == 4 ? GW_FAMILY_IPV4 : GW_FAMILY_IPV6;
    net.dst.family = net.src.family;
    net.src.ip[0] = 1;
    net.dst.ip[0] = 2;
    return net;
}

static gw_defrag_result add(fixture *x, gw_net net, uint64_t number, int64_t time_ns)
{
    x->net = net;
    return gw_defrag_add(x->d, &x->net, number, time_ns, x->frames, &x->num_frames);
}

static void assert_whole(const fixture *x, uint32_t len)
{
    assert_int_equal(x->net.payload_len, len);
    assert_int_equal(gw_cursor_left(&x->net.payload), len);
    assert_memory_equal(x->net.payload.p, data, len);
    assert_false(x->net.more_fragments);
    assert_int_equal(x->net.fragment_offset, 0);
    assert_int_equal(x->net.src.ip[0], 1);
}

/* Any split, any order, any copies: one datagram, once. */
static void test_any_order(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int round = 0; round < 3000; round++) {
        uint32_t cuts[64] = {0};
        uint32_t order[64];
        uint32_t num = 2 + (uint32_t)(draw(&seed) % 40);
        fixture x;

        begin(&x);
        for (uint32_t i = 1; i <= num; i++)
            cuts[i] = cuts[i - 1] + 8 * (1 + (uint32_t)(draw(&seed) % 190));
        cuts[num] -= (uint32_t)(draw(&seed) % 8);
        for (uint32_t i = 0; i < num; i++) {
            uint32_t j = (uint32_t)(draw(&seed) % (i + 1));
            order[i] = order[j];
            order[j] = i;
        }
        for (uint32_t i = 0; i < num; i++) {
            uint32_t at = order[i];
            gw_net net =
                fragment(round % 2 ? 4 : 6, 77, cuts[at], cuts[at + 1] - cuts[at], at + 1 < num);
            gw_defrag_result want = i + 1 < num ? GW_DEFRAG_PENDING : GW_DEFRAG_COMPLETE;
            assert_int_equal(add(&x, net, 10 + i, 0), want);
            if (i + 1 < num && draw(&seed) % 4 == 0)
                assert_int_equal(add(&x, net, 99, 0), GW_DEFRAG_PENDING);
            if (want == GW_DEFRAG_PENDING)
                assert_int_equal(x.num_frames, 0);
        }
        assert_whole(&x, cuts[num]);
        assert_int_equal(x.num_frames, num);
        for (uint32_t i = 0; i < num && i < GW_MESSAGE_FRAMES; i++)
            assert_int_equal(x.frames[i], 10 + i);
        gw_defrag_end(x.d);
        assert_int_equal(x.faults.num, 0);
        end(&x);
    }
}

static void test_largest(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    assert_int_equal(add(&x, fragment(6, 1, 65528, 7, false), 1, 0), GW_DEFRAG_PENDING);
    assert_int_equal(add(&x, fragment(6, 1, 0, 65528, true), 2, 0), GW_DEFRAG_COMPLETE);
    assert_whole(&x, 65535);
    assert_int_equal(add(&x, fragment(6, 1, 65528, 8, false), 3, 0), GW_DEFRAG_REFUSED);
    assert_non_null(strstr(x.net.fault, "65535"));
    gw_net net = fragment(6, 1, 8, 8, true);
    net.payload_len = 0xfffffff8;
    assert_int_equal(add(&x, net, 4, 0), GW_DEFRAG_REFUSED);
    net = fragment(6, 1, 8, 12, true);
    assert_int_equal(add(&x, net, 5, 0), GW_DEFRAG_REFUSED);
    net = fragment(6, 1, 12, 8, true);
    assert_int_equal(add(&x, net, 6, 0), GW_DEFRAG_REFUSED);
    net = fragment(6, 1, 8, 0, false);
    assert_int_equal(add(&x, net, 7, 0), GW_DEFRAG_REFUSED);
    assert_int_equal(x.faults.num, 0);
    end(&x);
}

/* Overlaps whose bytes agree bring what is new of them. */
static void test_harmless_overlap(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    assert_int_equal(add(&x, fragment(4, 1, 0, 24, true), 1, 0), GW_DEFRAG_PENDING);
    assert_int_equal(add(&x, fragment(4, 1, 8, 16, true), 2, 0), GW_DEFRAG_PENDING);
    assert_int_equal(add(&x, fragment(4, 1, 16, 21, false), 3, 0), GW_DEFRAG_COMPLETE);
    assert_whole(&x, 37);
    assert_int_equal(x.num_frames, 2); /* the second brought nothing */
    assert_int_equal(x.frames[1], 3);
    end(&x);
}

/* RFC 5722: nothing of such a datagram is delivered, not even what comes later. */
static void test_differing_overlap(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    assert_int_equal(add(&x, fragment(6, 1, 0, 24, true), 1, 0), GW_DEFRAG_PENDING);
    uint8_t other[16];
    memcpy(other, data + 16, sizeof other);
    other[7] ^= 1;
    gw_net net = fragment(6, 1, 16, 16, true);
    net.payload = gw_cursor_over(other, sizeof other);
    assert_int_equal(add(&x, net, 2, 0), GW_DEFRAG_REFUSED);
    assert_int_equal(x.faults.num, 1);
    assert_int_equal(x.faults.frame, 1);
    assert_non_null(strstr(x.faults.why, "overlap"));
    assert_ptr_equal(x.net.fault, strstr(x.net.fault, "fragments overlap"));
    assert_int_equal(add(&x, fragment(6, 1, 24, 8, false), 3, 0), GW_DEFRAG_REFUSED);
    assert_int_equal(add(&x, fragment(6, 1, 0, 24, true), 4, 20 * SECOND), GW_DEFRAG_REFUSED);
    assert_int_equal(x.faults.num, 1);

    /* When its time is over the id is free again. */
    assert_int_equal(add(&x, fragment(6, 1, 0, 24, true), 5, 31 * SECOND), GW_DEFRAG_PENDING);
    assert_int_equal(add(&x, fragment(6, 1, 24, 8, false), 6, 31 * SECOND), GW_DEFRAG_COMPLETE);
    assert_whole(&x, 32);
    gw_defrag_end(x.d);
    assert_int_equal(x.faults.num, 1);
    end(&x);
}

static void test_contradicting_lengths(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    assert_int_equal(add(&x, fragment(4, 1, 8, 8, false), 1, 0), GW_DEFRAG_PENDING);
    assert_int_equal(add(&x, fragment(4, 1, 8, 9, false), 2, 0), GW_DEFRAG_REFUSED);
    assert_non_null(strstr(x.net.fault, "past the end"));
    assert_int_equal(add(&x, fragment(4, 2, 16, 8, false), 3, 0), GW_DEFRAG_PENDING);
    assert_int_equal(add(&x, fragment(4, 2, 8, 8, false), 4, 0), GW_DEFRAG_REFUSED);
    assert_non_null(strstr(x.net.fault, "different lengths"));
    assert_int_equal(add(&x, fragment(4, 3, 32, 8, true), 5, 0), GW_DEFRAG_PENDING);
    assert_int_equal(add(&x, fragment(4, 3, 8, 8, false), 6, 0), GW_DEFRAG_REFUSED);
    assert_non_null(strstr(x.net.fault, "ends before"));
    assert_int_equal(x.faults.num, 3);
    end(&x);
}

static void test_missing(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    assert_int_equal(add(&x, fragment(4, 1, 0, 8, true), 5, 0), GW_DEFRAG_PENDING);
    assert_int_equal(add(&x, fragment(4, 1, 16, 8, false), 6, 0), GW_DEFRAG_PENDING);
    gw_defrag_end(x.d);
    assert_int_equal(x.faults.num, 1);
    assert_int_equal(x.faults.frame, 5);
    assert_int_equal(x.faults.src, 1);
    assert_non_null(strstr(x.faults.why, "end of the capture"));
    gw_defrag_end(x.d);
    assert_int_equal(x.faults.num, 1);
    end(&x);
}

static void test_lifetime(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    assert_int_equal(add(&x, fragment(4, 1, 0, 8, true), 1, 0), GW_DEFRAG_PENDING);
    assert_int_equal(add(&x, fragment(4, 1, 16, 8, true), 2, 30 * SECOND), GW_DEFRAG_PENDING);
    assert_int_equal(x.faults.num, 0);
    assert_int_equal(add(&x, fragment(4, 1, 8, 8, false), 3, 30 * SECOND + 1), GW_DEFRAG_PENDING);
    assert_int_equal(x.faults.num, 1);
    assert_int_equal(x.faults.frame, 1);
    assert_non_null(strstr(x.faults.why, "30 s"));

    /* Stamps that jump, as hostile captures have them. */
    assert_int_equal(add(&x, fragment(4, 2, 0, 8, true), 4, INT64_MIN), GW_DEFRAG_PENDING);
    assert_int_equal(add(&x, fragment(4, 2, 8, 8, false), 5, INT64_MAX), GW_DEFRAG_PENDING);
    assert_int_equal(x.faults.num, 3);
    end(&x);
}

static void test_oldest_goes(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    for (uint32_t id = 0; id < SLOTS; id++)
        assert_int_equal(add(&x, fragment(4, id, 0, 8, true), id, 0), GW_DEFRAG_PENDING);
    assert_int_equal(add(&x, fragment(4, 0, 8, 8, true), 10, 0), GW_DEFRAG_PENDING);
    assert_int_equal(x.faults.num, 0);
    assert_int_equal(add(&x, fragment(4, 9, 0, 8, true), 11, 0), GW_DEFRAG_PENDING);
    assert_int_equal(x.faults.num, 1);
    assert_int_equal(x.faults.frame, 0);
    assert_non_null(strstr(x.faults.why, "pushed out"));
    for (uint32_t id = 1; id < SLOTS; id++) {
        assert_int_equal(add(&x, fragment(4, id, 8, 5, false), 12, 0), GW_DEFRAG_COMPLETE);
        assert_whole(&x, 13);
    }
    end(&x);
}

/* Everything that tells datagrams apart, and IPv6's protocol, which does not. */
static void test_keys(void **state)
{
    fixture x;
    gw_net net;
    (void)state;
    begin(&x);
    assert_int_equal(add(&x, fragment(4, 1, 0, 8, true), 1, 0), GW_DEFRAG_PENDING);
    for (int what = 0; what < 5; what++) {
        net = fragment(4, 1, 8, 8, false);
        if (what == 0)
            net.fragment_id = 2;
        if (what == 1)
            net.protocol = 6;
        if (what == 2)
            net.src.ip[3] = 9;
        if (what == 3)
            net.dst.ip[3] = 9;
        if (what == 4)
            net.vlans[net.num_vlans++] = 5;
        assert_int_equal(add(&x, net, 2, what), GW_DEFRAG_PENDING);
        gw_defrag_end(x.d);
        assert_int_equal(add(&x, fragment(4, 1, 0, 8, true), 1, 0), GW_DEFRAG_PENDING);
    }
    assert_int_equal(add(&x, fragment(4, 1, 8, 8, false), 3, 0), GW_DEFRAG_COMPLETE);

    net = fragment(6, 1, 8, 8, false);
    net.protocol = 60;
    net.ttl = 1;
    assert_int_equal(add(&x, net, 4, 0), GW_DEFRAG_PENDING);
    assert_int_equal(add(&x, fragment(6, 1, 0, 8, true), 5, 0), GW_DEFRAG_COMPLETE);
    assert_int_equal(x.net.protocol, 17); /* the first fragment's counts */
    assert_int_equal(x.net.ttl, 0);
    end(&x);
}

/* The capture kept |cap| bytes of each fragment of 24. */
static void test_cut(void **state)
{
    (void)state;
    for (uint32_t cap = 0; cap < 24; cap++) {
        for (int backwards = 0; backwards < 2; backwards++) {
            fixture x;
            begin(&x);
            for (uint32_t i = 0; i < 3; i++) {
                uint32_t at = backwards ? 2 - i : i;
                gw_net net = fragment(4, 1, at * 24, at == 2 ? 23 : 24, at < 2);
                net.payload = gw_cursor_over(data + (size_t)24 * at, cap);
                assert_int_equal(add(&x, net, i, 0),
                                 i < 2 ? GW_DEFRAG_PENDING : GW_DEFRAG_COMPLETE);
                if (i < 2) /* a copy, just as cut, agrees */
                    assert_int_equal(add(&x, net, i, 0), GW_DEFRAG_PENDING);
            }
            assert_int_equal(x.net.payload_len, 71);
            assert_int_equal(gw_cursor_left(&x.net.payload), cap);
            assert_memory_equal(x.net.payload.p, data, cap);
            end(&x);
        }
    }
}

/* Through the parser, twice over: frame to fragment, datagram to UDP. */
static void test_whole_way(void **state)
{
    fixture x;
    gw_net net;
    (void)state;
    begin(&x);
    for (int i = 0; i < 2; i++) {
        frame f = {.len = 0};
        put_ethernet(&f, 0x0800);
        put_ipv4(&f, 17, 16, i == 0 ? 0x2000 : 0x0002);
        if (i == 0)
            put_udp(&f, 32);
        put_bytes(&f, data + (size_t)16 * (size_t)i, i == 0 ? 8 : 16);
        put(&f, 0, 6);
        assert_int_equal(parse(&net, GW_LINK_ETHERNET, &f), GW_NET_FRAGMENT);
        assert_int_equal(add(&x, net, 1, 0), i == 0 ? GW_DEFRAG_PENDING : GW_DEFRAG_COMPLETE);
    }
    assert_int_equal(gw_net_parse_transport(&x.net, x.net.payload, x.net.payload_len), GW_NET_OK);
    assert_int_equal(x.net.src.port, 60368);
    assert_int_equal(x.net.payload_len, 24);
    assert_int_equal(gw_cursor_offset(&x.net.payload), 8);
    assert_memory_equal(x.net.payload.p, data, 8);
    assert_memory_equal(x.net.payload.p + 8, data + 16, 16);
    end(&x);
}

static void test_sizes(void **state)
{
    uint64_t mem;
    (void)state;
    assert_int_equal(gw_defrag_size(0), 0);
    assert_int_equal(gw_defrag_size(SIZE_MAX / 1000), 0);
    assert_true(gw_defrag_size(16) < (size_t)16 * 68 * 1024);
    assert_null(gw_defrag_init(&mem, 0, on_fault, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_largest),
        cmocka_unit_test(test_harmless_overlap),
        cmocka_unit_test(test_differing_overlap),
        cmocka_unit_test(test_contradicting_lengths),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_lifetime),
        cmocka_unit_test(test_oldest_goes),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_whole_way),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
