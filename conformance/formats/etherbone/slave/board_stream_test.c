/* SPDX-License-Identifier: BSD-2-Clause */
/* The software EtherBone slave over a byte stream: one header, then records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "boards/talk_testing.h"
#include "goldwire/etherbone.h"
#include "goldwire/writer.h"

static gw_transport *slave(const char *mutant, const char *dialect)
{
    return talk_to("etherbone-slave", mutant, dialect, true);
}

static void probe_then_bare_records(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    ask(t, "4e6f1144 00000001", "4e6f16ff 00000001");
    ask(t, "080f0001 00008000 00020004", "080f0100 00008000 c0de0001");
    say(t, "080f0100 00000000 12345678"); /* a write has no answer */
    hear_nothing(t);
    ask(t, "080f0001 00008002 00000000", "080f0100 00008002 12345678");
    gw_transport_close(t);
}

static void header_then_bare_records(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    /* no probe: each direction has one header, ours when there is something to say */
    say(t, "4e6f1044");
    hear_nothing(t);
    say(t, "080f0100 00000000 12345678");
    hear_nothing(t);
    ask(t, "080f0001 00008000 00000000", "4e6f1444 080f0100 00008000 12345678");
    ask(t, "080f0001 00008002 00020000", "080f0100 00008002 c0de0000");
    gw_transport_close(t);

    t = slave(NULL, NULL);
    ask(t, "4e6f1048 00000000 08ff0001 00000000 0000000000008000 0000000000020000",
        "4e6f1448 00000000 08ff0100 00000000 0000000000008000 c0de0000c0de0001");
    gw_transport_close(t);
}

/* The widths are the widest that both have, and both know it from the probe and its answer. */
static void negotiates_widths(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    ask(t, "4e6f1161 00000001", "4e6f16ff 00000001"); /* a 16 or 32, d 8: 32/8 */
    ask(t, "08010001 00008000 00020003", "08010100 00008000 00000000");
    ask(t, "08010001 00008000 00020000", "08010100 00008000 000000c0");
    gw_transport_close(t);

    t = slave(NULL, NULL);
    ask(t, "4e6f11ff 00000001", "4e6f16ff 00000001");
    ask(t, "08ff0001 00000000 0000000000008000 0000000000020000",
        "08ff0100 00000000 0000000000008000 c0de0000c0de0001");
    gw_transport_close(t);
}

static void bytes_may_come_one_by_one(void **state)
{
    (void)state;
    uint8_t bytes[128];
    size_t len = unhex(bytes, "4e6f11ff 00000001"
                              "08ff0201 00000000 0000000000000040 1111111111111111 "
                              "2222222222222222 0000000000008000 0000000000000048");
    for (size_t step = 1; step <= len; step++) {
        gw_transport *t = slave(NULL, NULL);
        for (size_t at = 0; at < len; at += step)
            assert_true(t->ops->send(t, bytes + at, at + step < len ? step : len - at));
        hear(t, "4e6f16ff 00000001"
                "08ff0100 00000000 0000000000008000 2222222222222222");
        hear_nothing(t);
        gw_transport_close(t);
    }
}

/* Probe and more records than the codec can hold back, in one segment. */
static void much_may_come_at_once(void **state)
{
    (void)state;
    static uint8_t bytes[65000];
    static uint8_t got[65536];
    gw_transport *t = slave(NULL, NULL);
    gw_writer w = gw_writer_over(bytes, sizeof(bytes));
    gw_write_be(&w, UINT64_C(0x4e6f11ff00000001), 8);
    unsigned records = 0;
    while (w.len + 24 <= w.cap) {
        gw_write_be(&w, UINT64_C(0x08ff000100000000), 8);
        gw_write_be(&w, records++, 8);
        gw_write_be(&w, 0x20000, 8);
    }
    assert_true(t->ops->send(t, bytes, w.len));
    hear(t, "4e6f16ff 00000001");
    size_t have = 0;
    while (have < (size_t)records * 24) {
        size_t len = 0;
        assert_int_equal(t->ops->recv(t, got + have, sizeof(got) - have, &len,
                                      t->ops->now(t) + TALK_PATIENCE, NULL, NULL),
                         GW_RECV_DATA);
        have += len;
    }
    assert_int_equal(have, (size_t)records * 24);
    for (unsigned i = 0; i < records; i++) {
        assert_int_equal(gw_load_be64(got + 24 * (size_t)i + 8), i);
        assert_true(gw_load_be64(got + 24 * (size_t)i + 16) == UINT64_C(0xc0de0000c0de0001));
    }
    gw_transport_close(t);
}

static void a_cycle_may_span_segments(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    ask(t, "4e6f1144 00000001", "4e6f16ff 00000001");
    ask(t, "000f0001 00008000 00040004", "000f0100 00008000 00000001");
    ask(t, "000f0001 00008000 00040004", "000f0100 00008000 00000001");
    ask(t, "08000000", "08000000"); /* the answered cycle is closed for the caller too */
    ask(t, "080f0001 00008000 00040004", "080f0100 00008000 00000002");
    gw_transport_close(t);
}

static void closes_when_nothing_fits(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "4e6e1144 080f0001 00008000 00020000",          /* magic */
        "4e6f2044 080f0001 00008000 00020000",          /* version */
        "4e6f1066 080f0001 00008000 00020000",          /* several widths without a probe */
        "4e6f1644 00000001 080f0001 00008000 00020000", /* a response */
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(refused); i++) {
        gw_transport *t = slave(NULL, NULL);
        say(t, refused[i]);
        hear_close(t);
        gw_transport_close(t);
    }
    gw_transport *t = slave(NULL, NULL);
    ask(t, "4e6f1104 00000001", "4e6f16ff 00000001"); /* no address width in common */
    hear_close(t);
    gw_transport_close(t);
}

static void fills_with_zeros_as_gsi_does(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, "gsi");
    ask(t, "4e6f1144 00000001", "4e6f1644 00000001");
    ask(t, "080f0100 00000000 12345678", "00000000 00000000 080f0000");
    ask(t, "080f0001 00008000 00000000", "080f0100 00008000 12345678");
    gw_transport_close(t);
}

static void answers_packets_as_litex_does(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, "litex");
    ask(t, "4e6f1044 00000000 100f0001 00008000 00020000",
        "4e6f1044 00000000 000f0100 00008000 c0de0000");
    ask(t, "4e6f1044 00000000 100f0001 00008004 00020004",
        "4e6f1044 00000000 000f0100 00008004 c0de0001");
    gw_transport_close(t);
}

/* Any bytes in any pieces: the board lives, and serves the next connection. */
static void any_bytes_are_survived(void **state)
{
    (void)state;
    char why[256];
    gw_peer_config config = {0};
    gw_mem *mem = gw_mem_start(gw_board_by_role("etherbone-slave"), &config, why, sizeof(why));
    assert_non_null(mem);
    uint32_t random = 3;
    for (unsigned round = 0; round < 5000; round++) {
        gw_transport *t = gw_mem_connect(mem, 0, true, why, sizeof(why));
        assert_non_null(t);
        uint8_t bytes[96];
        size_t len = unhex(bytes, "4e6f1144 00000001 280f0102 00000010 11111111 00008000 00020000 "
                                  "00000010 080f0001 00008002 00000004 00000000");
        for (unsigned i = 0; i < round % 5; i++) {
            random = random * 1664525 + 1013904223;
            bytes[(random >> 8) % len] = (uint8_t)(random >> 24);
        }
        size_t at = 0;
        while (at < len) {
            random = random * 1664525 + 1013904223;
            size_t piece = 1 + (random >> 16) % 20;
            piece = piece < len - at ? piece : len - at;
            if (!t->ops->send(t, bytes + at, piece))
                break;
            at += piece;
        }
        gw_transport_close(t);
    }
    gw_transport *t = gw_mem_connect(mem, 0, true, why, sizeof(why));
    gw_mem_stop(mem);
    ask(t, "4e6f1144 00000001", "4e6f16ff 00000001");
    gw_transport_close(t);
}

/* What comes together is one message. */
static void reads_messages_as_libetherbone_does(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, "libetherbone");
    ask(t, "4e6f1144 00000001", "4e6f16ff 00000001");
    ask(t, "080f0001 00008000 00020004", "080f0100 00008000 c0de0001");
    ask(t, "080f0001 00008000 00030000 480f0001 00008002 00000004",
        "080f0100 00008000 00000000 080f0100 00008002 00000001");
    ask(t, "480f0001 00008002 00000004", "080f0100 00008002 00000000"); /* of its own message */
    ask(t, "000f0001 00008000 00020004", "000f0100 00008000 c0de0001");
    ask(t, "080f0001 00008000 00020004", "080f0100 00008000 c0de0001");
    say(t, "08"); /* no record */
    hear_close(t);
    gw_transport_close(t);

    t = slave(NULL, "libetherbone"); /* a header each, without a probe */
    ask(t, "4e6f1844 080f0001 00008000 00020004", "4e6f1c44 080f0100 00008000 c0de0001");
    ask(t, "4e6f1048 0000beef 08ff0001 00000000 0000000000008000 0000000000020000",
        "4e6f1448 0000beef 08ff0100 00000000 0000000000008000 c0de0000c0de0001");
    say(t, "080f0001 00008000 00020004");
    hear_close(t);
    gw_transport_close(t);

    t = slave(NULL, "libetherbone");
    say(t, "4e6f1144 00000001 080f0001 00008000 00020004");
    hear_close(t);
    gw_transport_close(t);
}

/* In the middle of a record or cycle, it waits for the rest. */
static void waits_as_libetherbone_does(void **state)
{
    static const char *const begun[][3] = {
        {"080f0001 00008000", "00020000", "080f0100 00008000 c0de0000"},
        {"000f0100 00000000 cafe0001", "080f0001 00008000 00020000", "080f0100 00008000 c0de0000"},
    };
    char why[256];
    gw_peer_config config = {.dialect = gw_dialect_by_name(&gw_etherbone, "libetherbone")};
    (void)state;
    for (size_t i = 0; i < 2 * GW_ARRAY_LEN(begun); i++) {
        gw_mem *mem = gw_mem_start(gw_board_by_role("etherbone-slave"), &config, why, sizeof(why));
        assert_non_null(mem);
        gw_transport *a = gw_mem_connect(mem, 0, true, why, sizeof(why));
        gw_transport *b = gw_mem_connect(mem, 0, true, why, sizeof(why));
        gw_mem_stop(mem);
        ask(a, "4e6f1144 00000001", "4e6f16ff 00000001");
        say(a, begun[i / 2][0]);
        say(b, "4e6f1144 00000002");
        hear_nothing(b);
        if (i % 2 == 0)
            ask(a, begun[i / 2][1], begun[i / 2][2]);
        else
            gw_transport_close(a);
        hear(b, "4e6f16ff 00000002");
        ask(b, "080f0001 00008000 00020000", "080f0100 00008000 c0de0000");
        gw_transport_close(b);
        if (i % 2 == 0)
            gw_transport_close(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probe_then_bare_records),
        cmocka_unit_test(header_then_bare_records),
        cmocka_unit_test(negotiates_widths),
        cmocka_unit_test(bytes_may_come_one_by_one),
        cmocka_unit_test(much_may_come_at_once),
        cmocka_unit_test(a_cycle_may_span_segments),
        cmocka_unit_test(closes_when_nothing_fits),
        cmocka_unit_test(reads_messages_as_libetherbone_does),
        cmocka_unit_test(waits_as_libetherbone_does),
        cmocka_unit_test(fills_with_zeros_as_gsi_does),
        cmocka_unit_test(answers_packets_as_litex_does),
        cmocka_unit_test(any_bytes_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
