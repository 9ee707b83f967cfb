/* SPDX-License-Identifier: BSD-2-Clause */
/* How devices take probes, what they survive, and what a message is called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/testing/hex.h"
#include "etherbone/internal.h"

static const gw_dialect *dialect(const char *name)
{
    const gw_dialect *d = gw_dialect_by_name(&gw_etherbone, name);
    assert_non_null(d);
    return d;
}

static void probes_are_as_long_as_their_device_has_them(void **state)
{
    uint8_t probe[GW_EB_PROBE_MAX];
    uint8_t expected[GW_EB_PROBE_MAX];

    (void)state;
    assert_int_equal(gw_eb_build_any_probe(probe, 0x44, 0x12345678, NULL), 8);
    assert_int_equal(gw_hex_bytes(expected, 8, "4e6f1144 12345678"), 8);
    assert_memory_equal(probe, expected, 8);
    assert_int_equal(gw_eb_build_any_probe(probe, 0x44, 0x12345678, dialect("litex")), 12);
    assert_int_equal(gw_hex_bytes(expected, 12, "4e6f1144 12345678 12345678"), 12);
    assert_memory_equal(probe, expected, 12);
}

static bool is_unit(unsigned bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* What the contracts of the reader rest on (codecs/proof/etherbone.c). */
static void every_layout_has_room_for_what_is_in_it(void **state)
{
    gw_eb_layout l;
    unsigned found = 0;

    (void)state;
    for (unsigned i = 0; i < gw_etherbone.num_dialects * 256u; i++) {
        if (!gw_eb_layout_for(&l, (uint8_t)(i % 256), &gw_etherbone.dialects[i / 256]))
            continue;
        found++;
        assert_in_range(l.record_header, 4, 8);
        assert_in_range(l.header_len, 4, 8);
        assert_true(is_unit(l.addr_unit) && is_unit(l.data_unit));
        assert_in_range(l.addr_bytes, 1, l.addr_unit);
        assert_in_range(l.data_bytes, 1, l.data_unit);
    }
    assert_int_equal(found, 3 * 16 + 192); /* of gsi all that say 32 in either half */
}

static bool answers(const char *hex, uint32_t id)
{
    uint8_t bytes[32];
    size_t len = gw_hex_bytes(bytes, sizeof bytes, hex);

    return gw_eb_probe_answers(bytes, len, id);
}

static void an_id_comes_back_where_its_device_puts_it(void **state)
{
    (void)state;
    assert_true(answers("4e6f1244 12345678", 0x12345678));
    assert_false(answers("4e6f1244 12345678", 0x12345679));
    assert_true(answers("4e6f1244 00000000 12345678", 0x12345678));
    assert_false(answers("4e6f1244 00000000 1234567800", 0x12345678));
    assert_false(answers("4e6f1244 123456", 0x12345600));
}

static bool survives(const char *name, const char *hex)
{
    uint8_t bytes[128];
    size_t len = gw_hex_bytes(bytes, sizeof bytes, hex);

    return gw_eb_survives(dialect(name), bytes, len);
}

#define LITEX "4e6f1044 00000000 "

static void litex_dies_of_what_it_does_not_expect(void **state)
{
    (void)state;
    assert_true(survives("strict", "4e"));
    assert_true(survives("litex", LITEX "000f0100 00000100 11111111"));
    assert_true(survives("litex", LITEX "000f0001 00008000 00000200"));
    assert_true(survives("litex", "4e6f1144 12345678 12345678"));
    assert_true(survives("litex", "00001044 00000000 00000000")); /* dropped */
    assert_false(survives("litex", "4e6f1144 12345678"));         /* too short a probe */
    assert_false(survives("litex", "4e6f1144 12345678 12345678 00"));
    assert_false(survives("litex", LITEX "000f0000"));               /* nothing to do */
    assert_false(survives("litex", LITEX "000f0100 00000100 1111")); /* cut */
    assert_false(survives("litex", LITEX "000f0101 00000100 11111111 00008000 00000200"));
    assert_false(survives("litex", LITEX "000f1100 00000100")); /* 17 words */
}

static void assert_called(const char *hex, uint8_t part, const char *expected)
{
    uint8_t bytes[128];
    char line[128];
    gw_text t = gw_text_over(line, sizeof line);
    gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, sizeof bytes, hex));

    m.part = part;
    m.part_arg = 0x44;
    m.transport = part == GW_EB_PACKET ? GW_OVER_UDP : GW_OVER_TCP;
    gw_etherbone.summary(&m, NULL, &t);
    assert_string_equal(line, expected);
}

static void every_part_has_a_summary(void **state)
{
    (void)state;
    assert_called("68656c6c 6f0a", GW_EB_BANNER, "Server banner");
    assert_called("00112233", GW_EB_LOST, "Stream bytes that cannot be placed");
    assert_called("4e6f1044", GW_EB_HEAD, "Stream header a32 d32");
    assert_called("4e6f110f 00000001", GW_EB_PACKET, "Probe a? d8/16/32/64");
    assert_called("4e6f1044 000f0001 00008000 00000200 000f0001 00008000 00000204 "
                  "000f0001 00008000 00000208 000f0001 00008000 0000020c 000f0000",
                  GW_EB_PACKET, "Read 1 @ 0x200; Read 1 @ 0x204; Read 1 @ 0x208; 1 more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_has_room_for_what_is_in_it),
        cmocka_unit_test(probes_are_as_long_as_their_device_has_them),
        cmocka_unit_test(an_id_comes_back_where_its_device_puts_it),
        cmocka_unit_test(litex_dies_of_what_it_does_not_expect),
        cmocka_unit_test(every_part_has_a_summary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
