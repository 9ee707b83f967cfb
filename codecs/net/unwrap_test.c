/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames inside ERF records and exported PDUs. */
#include "net_test.h"

typedef struct unwrapped {
    gw_net_status status;
    uint32_t link_type;
    uint32_t len;
    gw_cursor inside;
    const char *fault;
    uint32_t fault_offset;
} unwrapped;

static unwrapped unwrap(const frame *f, uint32_t link_type, uint32_t len)
{
    unwrapped u = {.link_type = link_type, .len = len};
    u.inside = gw_cursor_over(f->bytes, f->len);
    u.status = gw_net_unwrap(&u.link_type, &u.inside, &u.len, &u.fault, &u.fault_offset);
    return u;
}

static void put_erf(frame *f, uint8_t type, uint16_t wire_len)
{
    put(f, 0, 8); /* time */
    put(f, type, 1);
    put(f, 0, 5);
    put(f, wire_len, 2);
}

static void test_erf_types(void **state)
{
    static const struct {
        uint8_t type;
        uint8_t padding;
        uint32_t link_type;
    } types[] = {
        {2, 2, GW_LINK_ETHERNET},
        {21, 0, GW_LINK_INFINIBAND},
        {22, 0, GW_LINK_IPV4},
        {23, 0, GW_LINK_IPV6},
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(types); i++) {
        frame f = {.len = 0};
        put_erf(&f, types[i].type, 4);
        put(&f, 0, types[i].padding);
        put(&f, 0x11223344, 4);
        put(&f, 0, 4); /* of the record, which is padded */
        unwrapped u = unwrap(&f, GW_LINK_ERF, f.len);
        assert_int_equal(u.status, GW_NET_OK);
        assert_int_equal(u.link_type, types[i].link_type);
        assert_int_equal(u.len, 4);
        assert_int_equal(gw_cursor_left(&u.inside), 4);
        assert_int_equal(gw_load_be32(u.inside.p), 0x11223344);
        assert_int_equal(gw_cursor_offset(&u.inside), 16 + types[i].padding);
    }
}

static void test_erf_extensions(void **state)
{
    frame f = {.len = 0};

    (void)state;
    put_erf(&f, 0x80 | 21, 100);
    put(&f, UINT64_C(0x8300000000000000), 8);
    put(&f, UINT64_C(0x0300000000000000), 8);
    put(&f, 0x11223344, 4);
    unwrapped u = unwrap(&f, GW_LINK_ERF, f.len);
    assert_int_equal(u.status, GW_NET_OK);
    assert_int_equal(u.len, 100); /* the capture cut it */
    assert_int_equal(gw_cursor_left(&u.inside), 4);
    f.len -= 5;
    u = unwrap(&f, GW_LINK_ERF, f.len);
    assert_int_equal(u.status, GW_NET_TRUNCATED);
    assert_int_equal(u.fault_offset, 24);
    assert_string_equal(u.fault, "ERF extension header: 8 bytes expected");
}

static void test_erf_that_cannot_be_read(void **state)
{
    frame f = {.len = 0};

    (void)state;
    put_erf(&f, 2, 60);
    put(&f, 0, 1);
    unwrapped u = unwrap(&f, GW_LINK_ERF, f.len);
    assert_int_equal(u.status, GW_NET_TRUNCATED);
    assert_int_equal(u.fault_offset, 16);
    f.len = 15;
    u = unwrap(&f, GW_LINK_ERF, f.len);
    assert_int_equal(u.status, GW_NET_TRUNCATED);
    assert_int_equal(u.fault_offset, 0);
    assert_int_equal(u.link_type, GW_LINK_ERF);
    assert_int_equal(u.len, 15);
    f.len = 0;
    put_erf(&f, 48, 0);
    assert_int_equal(unwrap(&f, GW_LINK_ERF, f.len).status, GW_NET_UNKNOWN_LINK);
}

static void put_tag(frame *f, uint16_t tag, const char *value, uint16_t len)
{
    put(f, tag, 2);
    put(f, len, 2);
    put_bytes(f, value, len);
}

static void test_exported_pdus(void **state)
{
    frame f = {.len = 0};

    (void)state;
    put_tag(&f, 20, "\0\0\0\1", 4);
    put_tag(&f, 12, "infiniband\0\0", 12);
    put_tag(&f, 0, "", 0);
    uint32_t tags = f.len;
    put(&f, 0x11223344, 4);
    unwrapped u = unwrap(&f, GW_LINK_EXPORTED_PDU, f.len + 50);
    assert_int_equal(u.status, GW_NET_OK);
    assert_int_equal(u.link_type, GW_LINK_INFINIBAND);
    assert_int_equal(u.len, 54); /* the capture cut it */
    assert_int_equal(gw_load_be32(u.inside.p), 0x11223344);
    for (f.len = 0; f.len < tags; f.len++) {
        u = unwrap(&f, GW_LINK_EXPORTED_PDU, f.len);
        assert_int_equal(u.status, GW_NET_TRUNCATED);
        assert_true(u.fault_offset <= f.len && u.fault != NULL);
        assert_int_equal(u.len, f.len);
    }
}

static void test_exported_pdus_of_others(void **state)
{
    static const struct {
        const char *name;
        uint16_t len;
    } others[] = {{"infini", 6}, {"infinibands", 11}, {"sip", 3}};
    frame f = {.len = 0};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(others); i++) {
        f.len = 0;
        put_tag(&f, 12, others[i].name, others[i].len);
        put_tag(&f, 0, "", 0);
        unwrapped u = unwrap(&f, GW_LINK_EXPORTED_PDU, f.len);
        assert_int_equal(u.status, GW_NET_UNKNOWN_LINK);
        assert_int_equal(u.link_type, GW_LINK_EXPORTED_PDU);
    }
    f.len = 0;
    put_tag(&f, 12, "infiniband", 10);
    put_tag(&f, 0, "", 0);
    assert_int_equal(unwrap(&f, GW_LINK_EXPORTED_PDU, f.len).status, GW_NET_OK);
    assert_int_equal(unwrap(&f, GW_LINK_ETHERNET, f.len).status, GW_NET_UNKNOWN_LINK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_erf_types),
        cmocka_unit_test(test_erf_extensions),
        cmocka_unit_test(test_erf_that_cannot_be_read),
        cmocka_unit_test(test_exported_pdus),
        cmocka_unit_test(test_exported_pdus_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
