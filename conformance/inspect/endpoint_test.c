/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of reading addresses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "goldwire/text.h"
#include "inspect/endpoint.h"

static void reads_what_is_written(void **state)
{
    static const char *const texts[] = {
        "192.168.161.125:60368", "255.255.255.255:1",  "0.0.0.0:0", "[::1]:5",
        "[fe80::1:2]:65535",     "[2001:db8::]:60368", "lid:0x11",  "lid:0xffff/qp:0xffffff",
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(texts); i++) {
        gw_endpoint end;
        char buf[80];
        gw_text text = gw_text_over(buf, sizeof buf);
        assert_true(gw_endpoint_parse(&end, texts[i]));
        gw_text_endpoint(&text, &end);
        assert_string_equal(buf, texts[i]);
    }
}

static void reads_hosts_without_a_port(void **state)
{
    gw_endpoint end;

    (void)state;
    assert_true(gw_endpoint_parse(&end, "10.0.0.7"));
    assert_int_equal(end.family, GW_FAMILY_IPV4);
    assert_int_equal(end.ip[3], 7);
    assert_int_equal(end.port, 0);
    assert_true(gw_endpoint_parse(&end, "::1"));
    assert_int_equal(end.family, GW_FAMILY_IPV6);
    assert_true(gw_endpoint_parse(&end, "[::1]"));
    assert_int_equal(end.ip[15], 1);
}

static void refuses_the_rest(void **state)
{
    static const char *const texts[] = {
        "",
        ":",
        "1.2.3",
        "1.2.3.4:",
        "1.2.3.4:65536",
        "1.2.3.4:99999999999",
        "1.2.3.4x",
        "[::1",
        "[::1]x",
        "[::1]:",
        "[1.2.3.4]:5",
        "::1:",
        "[]",
        "[]:1",
        "1.2.3.4:-1",
        "localhost",
        "localhost:1",
        "1.2.3.4: 5",
        "[[::1]]",
        "[::1]::",
        "[::1%lo]:1",
        "?",
        "lid:",
        "lid:x",
        "lid:0x10000",
        "lid:1/",
        "lid:1/qp:",
        "lid:1/qp:0x1000000",
        "lid:1/qp:2x",
        "lid:-1",
        "lid:99999999999999999999",
        "1111111111111111111111111111111111111111111111111111111111111111111111.1.1.1:1",
    };

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(texts); i++) {
        gw_endpoint end = {.port = 77};
        if (gw_endpoint_parse(&end, texts[i]))
            fail_msg("'%s' was taken", texts[i]);
        assert_int_equal(end.port, 77);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_is_written),
        cmocka_unit_test(reads_hosts_without_a_port),
        cmocka_unit_test(refuses_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
