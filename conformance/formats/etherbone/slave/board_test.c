/* SPDX-License-Identifier: BSD-2-Clause */
/* The software EtherBone slave, datagram by datagram. Addresses are those of the default map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boards/map.h"
#include "boards/talk_testing.h"
#include "goldwire/etherbone.h"
#include "goldwire/writer.h"

static gw_transport *slave(const char *mutant, const char *dialect)
{
    return talk_to("etherbone-slave", mutant, dialect, false);
}

/* ---- probes (spec 820-868) ---- */

static void answers_probes(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    ask(t, "4e6f1144 00000001", "4e6f16ff 00000001");
    ask(t, "4e6f11ff deadbeef", "4e6f16ff deadbeef");
    ask(t, "4e6f1100 00000002", "4e6f16ff 00000002"); /* asks with no width: still told ours */
    ask(t, "4e6f1141 00000003", "4e6f16ff 00000003");
    /* any version; PF with NR, PR or the reserved bit */
    ask(t, "4e6f0144 00000004", "4e6f16ff 00000004");
    ask(t, "4e6ff144 00000005", "4e6f16ff 00000005");
    ask(t, "4e6f1544 00000006", "4e6f16ff 00000006");
    ask(t, "4e6f1344 00000007", "4e6f16ff 00000007");
    ask(t, "4e6f1944 00000008", "4e6f16ff 00000008");
    gw_transport_close(t);
}

static void ignores_what_stands_behind_a_probe(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    ask(t, "4e6f1144 00000001 080f0100 00001000 12345678", "4e6f16ff 00000001");
    ask(t, "4e6f1044 080f0001 00008000 00001000", "4e6f1444 080f0100 00008000 00000000");
    gw_transport_close(t);
}

static void drops_what_is_not_for_it(void **state)
{
    (void)state;
    static const char *const dropped[] = {
        "",
        "4e",
        "4e6f",
        "4e6f11",
        "4e6f1144",                            /* a probe without an id */
        "4e6f1144 000000",                     /* ... with half of it */
        "4e6e1044 080f0001 00008000 00001000", /* magic */
        "4e6e1144 00000001",                   /* magic of a probe */
        "4e6f2044 080f0001 00008000 00001000", /* version */
        "4e6f0044 080f0001 00008000 00001000", /* version */
        "4e6f1644 00000001",                   /* a probe response nobody asked for */
        "4e6f1004 080f0001 00008000 00001000", /* no address width */
        "4e6f1040 080f0001 00008000 00001000", /* no port width */
        "4e6f1000 080f0001 00008000 00001000", /* neither */
        "4e6f1044",                            /* nothing to do */
        "4e6f1088",                            /* not even a whole header */
        "4e6f1044 00000000",                   /* an empty record */
        "4e6f1044 08000000",                   /* ... that ends a cycle */
        "4e6f1044 080f0100 00001000 cafe0001", /* a write */
        "4e6f1444 080f0100 00001004 cafe0002", /* a write that says NR */
    };
    gw_transport *t = slave(NULL, NULL);
    for (size_t i = 0; i < GW_ARRAY_LEN(dropped); i++) {
        say(t, dropped[i]);
        hear_nothing(t);
    }
    ask(t, "4e6f1044 080f0003 00008000 00001000 00001004 00001008",
        "4e6f1444 080f0300 00008000 cafe0001 cafe0002 00000000");
    gw_transport_close(t);
}

/* ---- replies ---- */

static void answers_reads(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    ask(t, "4e6f1044 080f0001 00008000 00020004", "4e6f1444 080f0100 00008000 c0de0001");
    /* NR although there are reads: answered all the same */
    ask(t, "4e6f1444 080f0001 00008000 00020008", "4e6f1444 080f0100 00008000 c0de0002");
    /* in the order of the request, duplicates too, unaligned addresses rounded down */
    ask(t, "4e6f1044 080f0004 12345678 0002000c 00020004 00020004 0002000b",
        "4e6f1444 080f0400 12345678 c0de0003 c0de0001 c0de0001 c0de0002");
    gw_transport_close(t);
}

static void writes_before_reads(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    ask(t, "4e6f1044 a80f0302 00000100 11111111 22222222 33333333 00008000 00000104 00000100",
        "4e6f1444 0e0f0200 00008000 22222222 11111111");
    gw_transport_close(t);
}

static void maps_flags(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    for (unsigned flags = 0; flags < 256; flags++) {
        char request[80];
        char reply[80];
        /* reads go to the config space with RCA: the error register, 0 here */
        bool config = (flags & GW_EB_RCA) != 0;
        unsigned mapped = (flags & GW_EB_CYC) | (flags & GW_EB_BCA ? GW_EB_WCA : 0) |
                          (flags & GW_EB_RFF ? GW_EB_WFF : 0);
        snprintf(request, sizeof(request), "4e6f1044 %02x0f0001 00008000 %s", flags,
                 config ? "00000004" : "00020000");
        snprintf(reply, sizeof(reply), "4e6f1444 %02x0f0100 00008000 %s", mapped,
                 config ? "00000000" : "c0de0000");
        ask(t, request, reply);
    }
    /* reserved header bit */
    ask(t, "4e6f1844 180f0001 00008000 00020000", "4e6f1444 080f0100 00008000 c0de0000");
    gw_transport_close(t);
}

static void answers_several_records(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    ask(t,
        "4e6f1044 000f0001 00008000 00020000 000f0100 00000000 55555555 080f0002 00008002 "
        "00000000 00020004",
        "4e6f1444 000f0100 00008000 c0de0000 080f0200 00008002 55555555 c0de0001");
    /* a cycle that was answered open and ends without a read: its end is told */
    ask(t, "4e6f1044 000f0001 00008000 00020000 080f0100 00000000 66666666",
        "4e6f1444 000f0100 00008000 c0de0000 080f0000");
    /* ... once */
    ask(t, "4e6f1044 000f0001 00008000 00020000 08000000 08000000 080f0001 00008002 00020004",
        "4e6f1444 000f0100 00008000 c0de0000 08000000 080f0100 00008002 c0de0001");
    /* ... and not when the answered part was closed */
    ask(t, "4e6f1044 080f0001 00008000 00020000 080f0100 00000000 66666666",
        "4e6f1444 080f0100 00008000 c0de0000");
    gw_transport_close(t);
}

static void empty_records_do_nothing(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    enum { EMPTY_LEN = 4 * 300 };
    uint8_t packet[4 + EMPTY_LEN + 12];
    uint8_t expected[16];
    size_t len = unhex(packet, "4e6f1044");
    memset(packet + len, 0, EMPTY_LEN);
    len += EMPTY_LEN;
    len += unhex(packet + len, "080f0001 00008000 00020000");
    unhex(expected, "4e6f1444 080f0100 00008000 c0de0000");
    assert_true(t->ops->send(t, packet, len));
    uint8_t got[64];
    assert_int_equal(t->ops->recv(t, got, sizeof(got), &len, TALK_PATIENCE, NULL, NULL),
                     GW_RECV_DATA);
    assert_int_equal(len, 16);
    assert_memory_equal(got, expected, 16);
    gw_transport_close(t);
}

static void fills_the_largest_record(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    static uint8_t packet[8 + GW_EB_RECORD_MAX];
    static uint8_t got[8192];
    gw_writer w = gw_writer_over(packet, sizeof(packet));
    gw_write_be(&w, 0x4e6f1088, 4);
    gw_write_be(&w, 0, 4);
    gw_write_be(&w, 0x08ffffff, 4);
    gw_write_be(&w, 0, 4);
    gw_write_be(&w, 0x1000, 8);
    for (uint64_t i = 0; i < 255; i++)
        gw_write_be(&w, i * UINT64_C(0x0101010101010101), 8);
    gw_write_be(&w, 0x8000, 8);
    for (uint64_t i = 0; i < 255; i++)
        gw_write_be(&w, 0x1000 + 8 * (254 - i), 8);
    assert_false(w.full);
    assert_true(t->ops->send(t, packet, w.len));
    size_t len = 0;
    assert_int_equal(t->ops->recv(t, got, sizeof(got), &len, TALK_PATIENCE, NULL, NULL),
                     GW_RECV_DATA);
    assert_int_equal(len, 8 + 8 + 8 + 255 * 8);
    for (unsigned i = 0; i < 255; i++)
        assert_int_equal(got[24 + 8 * i], 254 - i);
    gw_transport_close(t);
}

/* ---- widths (spec 808) ---- */

/* Every pair, with bytes written here by hand: header, padding, unit and order. */
static void speaks_all_widths(void **state)
{
    (void)state;
    static const unsigned widths[] = {1, 2, 4, 8};
    for (unsigned a = 0; a < 4; a++) {
        for (unsigned d = 0; d < 4; d++) {
            gw_transport *t = slave(NULL, NULL);
            unsigned addr = widths[a];
            unsigned port = widths[d];
            unsigned unit = addr > port ? addr : port;
            unit = unit < 2 ? 2 : unit;
            unsigned pad = unit == 8 ? 4 : 0;
            uint64_t first = UINT64_C(0x1122334455667788) >> 8 * (8 - port);
            uint64_t second = UINT64_C(0xa1a2a3a4a5a6a7a8) >> 8 * (8 - port);
            unsigned base = 0x40;

            uint8_t request[128];
            gw_writer w = gw_writer_over(request, sizeof(request));
            gw_write_be(&w, 0x4e6f1000 | addr << 4 | port, 4);
            gw_write_zeros(&w, pad);
            gw_write_be(&w, 0x08000202 | ((1u << port) - 1) << 16, 4);
            gw_write_zeros(&w, pad);
            gw_write_be(&w, base, unit);
            gw_write_be(&w, first, unit);
            gw_write_be(&w, second, unit);
            gw_write_be(&w, 0x8004, unit); /* longer than 8-bit addresses: the unit holds it */
            gw_write_be(&w, base + port, unit);
            gw_write_be(&w, base, unit);
            assert_int_equal(w.len, 4 + pad + 4 + pad + 6 * unit);

            uint8_t expected[128];
            gw_writer e = gw_writer_over(expected, sizeof(expected));
            gw_write_be(&e, 0x4e6f1400 | addr << 4 | port, 4);
            gw_write_zeros(&e, pad);
            gw_write_be(&e, 0x08000200 | ((1u << port) - 1) << 16, 4);
            gw_write_zeros(&e, pad);
            gw_write_be(&e, 0x8004, unit);
            gw_write_be(&e, second, unit);
            gw_write_be(&e, first, unit);

            uint8_t got[128];
            size_t len = 0;
            assert_true(t->ops->send(t, request, w.len));
            assert_int_equal(t->ops->recv(t, got, sizeof(got), &len, TALK_PATIENCE, NULL, NULL),
                             GW_RECV_DATA);
            assert_int_equal(len, e.len);
            assert_memory_equal(got, expected, len);

            /* Dirty padding is ignored and does not come back. */
            if (pad > 0) {
                memset(request + 4, 0xee, 4);
                memset(request + 12, 0xee, 4);
                assert_true(t->ops->send(t, request, w.len));
                assert_int_equal(
                    t->ops->recv(t, got, sizeof(got), &len, 2 * TALK_PATIENCE, NULL, NULL),
                    GW_RECV_DATA);
                assert_memory_equal(got, expected, len);
            }
            gw_transport_close(t);
        }
    }
}

static void chooses_among_several_widths(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    /* 16 and 32 bits offered for both: 32/32 it is */
    ask(t, "4e6f1066 080f0001 00008000 00020000", "4e6f1444 080f0100 00008000 c0de0000");
    gw_transport_close(t);
}

static void addresses_wrap_at_their_width(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    ask(t, "4e6f1014 080f0202 000000fc 01010101 02020202 00008000 000000fc 00000000",
        "4e6f1414 080f0200 00008000 01010101 02020202");
    gw_transport_close(t);
}

/* ---- byte enables (spec 960) ---- */

static void serves_lanes(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    say(t, "4e6f1044 080f0100 00000010 11223344");
    ask(t, "4e6f1044 08080001 00008000 00000010", "4e6f1444 08080100 00008000 11000000");
    ask(t, "4e6f1044 08010001 00008000 00000013", "4e6f1444 08010100 00008000 00000044");
    ask(t, "4e6f1044 080c0001 00008000 00000010", "4e6f1444 080c0100 00008000 11220000");
    /* a write of one lane leaves the others alone */
    ask(t, "4e6f1044 08040101 00000010 ffeeffff 00008000 00000010",
        "4e6f1444 08040100 00008000 00ee0000");
    ask(t, "4e6f1044 080f0001 00008000 00000010", "4e6f1444 080f0100 00008000 11ee3344");
    gw_transport_close(t);
}

static void illegal_byte_enables_fail(void **state)
{
    (void)state;
    static const char *const illegal[] = {"00", "05", "06", "07", "09", "0b", "10", "f0", "ff"};
    for (size_t i = 0; i < GW_ARRAY_LEN(illegal); i++) {
        gw_transport *t = slave(NULL, NULL);
        char request[128];
        char reply[128];
        snprintf(request, sizeof(request), "4e6f1044 08%s0101 00000010 12345678 00008000 00020000",
                 illegal[i]);
        snprintf(reply, sizeof(reply), "4e6f1444 08%s0100 00008000 00000000", illegal[i]);
        ask(t, request, reply);
        ask(t, "4e6f1044 480f0001 00008000 00000004", "4e6f1444 080f0100 00008000 00000003");
        ask(t, "4e6f1044 080f0001 00008000 00000010", "4e6f1444 080f0100 00008000 00000000");
        gw_transport_close(t);
    }
}

/* ---- the bus ---- */

static void has_a_fifo(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    say(t, "4e6f1044 0a0f0300 00010000 00000001 00000002 00000003");
    ask(t, "4e6f1044 080f0004 00008000 00010000 00010004 00010000 00010000",
        "4e6f1444 080f0400 00008000 00000001 00000002 00000003 00000000");
    /* three pushes and three pops went well, the last pop did not */
    ask(t, "4e6f1044 480f0001 00008000 00000004", "4e6f1444 080f0100 00008000 00000001");
    gw_transport_close(t);
}

static void fixed_writes_hit_one_address(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    say(t, "4e6f1044 0a0f0200 00000020 11111111 22222222");
    ask(t, "4e6f1044 080f0002 00008000 00000020 00000024",
        "4e6f1444 080f0200 00008000 22222222 00000000");
    gw_transport_close(t);
}

static void refuses_and_notes_errors(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    /* ok, unmapped, ok, error region, ok: newest in bit 0 */
    ask(t, "4e6f1044 080f0005 00008000 00000000 00100000 00000004 00030000 00000008",
        "4e6f1444 080f0500 00008000 00000000 00000000 00000000 00000000 00000000");
    ask(t, "4e6f1044 480f0002 00008000 00000000 00000004",
        "4e6f1444 080f0200 00008000 00000000 0000000a");
    /* reading it shifted nothing; ROM refuses writes and stays as it was */
    ask(t, "4e6f1044 080f0101 00020000 ffffffff 00008000 00020000",
        "4e6f1444 080f0100 00008000 c0de0000");
    ask(t, "4e6f1044 480f0001 00008000 00000004", "4e6f1444 080f0100 00008000 0000002a");
    gw_transport_close(t);
}

static void remembers_64_results(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    for (unsigned i = 0; i < 70; i++)
        say(t, "4e6f1044 080f0100 00100000 00000000");
    ask(t, "4e6f1044 480f0002 00008000 00000000 00000004",
        "4e6f1444 080f0200 00008000 ffffffff ffffffff");
    ask(t, "4e6f1044 480f0102 00000000 00000000 00008000 00000000 00000004",
        "4e6f1444 080f0200 00008000 ffffffff fffffffe");
    gw_transport_close(t);
}

static void config_space_at_every_port(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    say(t, "4e6f1044 080f0200 00030000 00000000 00000000"); /* two errors */
    say(t, "4e6f1044 080f0100 00000000 00000000");          /* and a success: 0b110 */
    ask(t, "4e6f1041 48010002 00008000 00000006 00000007",
        "4e6f1441 08010200 00008000 00000000 00000006");
    ask(t, "4e6f1042 48030001 00008000 00000006", "4e6f1442 08030100 00008000 00000006");
    ask(t, "4e6f1044 480f0001 00008000 00000004", "4e6f1444 080f0100 00008000 00000006");
    ask(t, "4e6f1048 00000000 48ff0001 00000000 0000000000008000 0000000000000000",
        "4e6f1448 00000000 08ff0100 00000000 0000000000008000 0000000000000006");
    /* SDB pointer; reserved registers; beyond the registers; MSI: asked for, unsupported */
    ask(t, "4e6f1044 480f0006 00008000 00000008 0000000c 00000010 00000018 00007ffc 00009000",
        "4e6f1444 080f0600 00008000 00000000 00050000 00000000 00000000 00000000 00000000");
    ask(t, "4e6f1044 480f0001 00008000 0000002c", "4e6f1444 080f0100 00008000 00000000");
    ask(t, "4e6f1044 4c0f0101 00000024 00000001 00008000 0000002c",
        "4e6f1444 080f0100 00008000 00000002");
    gw_transport_close(t);
}

static void config_operations_do_not_shift(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    ask(t,
        "4e6f1044 080f0100 00030000 00000000 4c0f0201 00000000 00000001 00000002 00008000 "
        "00000004",
        "4e6f1444 080f0100 00008000 00000001");
    gw_transport_close(t);
}

static void points_to_a_good_sdb_table(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    ask(t, "4e6f1044 080f0003 00008000 00050000 00050004 0005003c",
        "4e6f1444 080f0300 00008000 5344422d 00060100 20202000");
    /* the second record: RAM, 0 to 0xffff, a device; its name ends in blanks */
    ask(t,
        "4e6f1044 080f0007 00008000 00050044 00050048 0005004c 00050050 00050054 0005006c "
        "0005007c",
        "4e6f1444 080f0700 00008000 0000000f 00000000 00000000 00000000 0000ffff 72616d20 "
        "20202001");
    gw_transport_close(t);
}

static void holds_the_cycle(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    /* two records, one cycle; then a cycle of its own; then one that the packet's end cuts off */
    ask(t,
        "4e6f1044 000f0002 00008000 00040004 0004000c 080f0002 00008002 00040004 0004000c "
        "080f0001 00008004 00040004",
        "4e6f1444 000f0200 00008000 00000001 00000002 080f0200 00008002 00000001 00000004 "
        "080f0100 00008004 00000002");
    ask(t, "4e6f1044 000f0001 00008000 00040004", "4e6f1444 000f0100 00008000 00000003");
    ask(t, "4e6f1044 080f0001 00008000 00040004", "4e6f1444 080f0100 00008000 00000004");
    /* an empty record ends a cycle too */
    ask(t, "4e6f1044 000f0001 00008000 00040004 08000000 080f0001 00008000 00040004",
        "4e6f1444 000f0100 00008000 00000005 08000000 080f0100 00008000 00000006");
    gw_transport_close(t);
}

/* ---- broken packets ---- */

static void cut_records_are_not_executed(void **state)
{
    (void)state;
    static const char whole[] = "4e6f1044 080f0101 00000000 aaaaaaaa 00008000 00020000 "
                                "080f0202 00000004 bbbbbbbb cccccccc 00008002 00020004 00020008";
    uint8_t packet[128];
    size_t len = unhex(packet, whole);
    size_t first = 4 + 20;
    for (size_t cut = 0; cut < len; cut++) {
        gw_transport *t = slave(NULL, NULL);
        assert_true(t->ops->send(t, packet, cut));
        if (cut >= first)
            hear(t, "4e6f1444 080f0100 00008000 c0de0000");
        hear_nothing(t);
        ask(t, "4e6f1044 080f0003 00008000 00000000 00000004 00000008",
            cut >= first ? "4e6f1444 080f0300 00008000 aaaaaaaa 00000000 00000000"
                         : "4e6f1444 080f0300 00008000 00000000 00000000 00000000");
        gw_transport_close(t);
    }
}

/* Whatever comes, an answer is no longer than its question and the board lives. */
static void any_bytes_are_survived(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, NULL);
    uint32_t random = 7;
    unsigned answers = 0;
    for (unsigned round = 0; round < 20000; round++) {
        uint8_t packet[96];
        uint8_t got[8192];
        size_t len = unhex(packet, "4e6f1044 a80f0102 00000010 11111111 00008000 00020000 00000010 "
                                   "080f0001 00008002 00000004 00000000 00000000");
        for (unsigned i = 0; i < 1 + round % 4; i++) {
            random = random * 1664525 + 1013904223;
            packet[(random >> 8) % len] = (uint8_t)(random >> 24);
        }
        len -= round % 9;
        bool probe = (packet[2] & 1) != 0;
        size_t got_len = 0;
        assert_true(t->ops->send(t, packet, len));
        if (t->ops->recv(t, got, sizeof(got), &got_len, t->ops->now(t) + 1000000, NULL, NULL) ==
            GW_RECV_DATA) {
            answers++;
            assert_true(got_len <= len);
            assert_true(probe || got[2] == 0x14);
        }
    }
    assert_uint_in_range(answers, 1000, 20000);
    ask(t, "4e6f1144 00000001", "4e6f16ff 00000001");
    gw_transport_close(t);
}

/* ---- other ways ---- */

static void fills_with_zeros_as_gsi_does(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, "gsi");
    ask(t, "4e6f1144 00000001", "4e6f1644 00000001");
    ask(t, "4e6f1044 080f0001 00008000 00020000", "4e6f1444 080f0100 00008000 c0de0000");
    ask(t, "4e6f1044 080f0100 00000100 cafe0001", "4e6f1444 00000000 00000000 080f0000");
    ask(t, "4e6f1044 a80f0302 00000100 11111111 22222222 33333333 00008000 00000104 00000100",
        "4e6f1444 00000000 00000000 00000000 00000000 0e0f0200 00008000 22222222 11111111");
    ask(t, "4e6f1044 08000000", "4e6f1444 08000000");
    ask(t, "4e6f1044", "4e6f1444");
    say(t, "4e6f1444 080f0001 00008000 00020000"); /* NR: executed, not answered */
    hear_nothing(t);
    /* 48, 84, 24, 14 are all 32/32 to it */
    ask(t, "4e6f1048 080f0001 00008000 00020000", "4e6f1444 080f0100 00008000 c0de0000");
    /* of others nothing is executed, but zeros are sent */
    ask(t, "4e6f1022 080f0001 00008000 00020000", "4e6f1444 00000000 00000000 00000000");
    gw_transport_close(t);
}

static void answers_probes_as_long_as_they_are_as_gsi_does(void **state)
{
    (void)state;
    static const char *const dropped[] = {"4e6f21ff 01020304", "4e6f15ff 01020304",
                                          "4e6f16ff 01020304", "4e6f11ff 01",
                                          "4e6f11ff 0102",     "4e6f10"};
    gw_transport *t = slave(NULL, "gsi");
    ask(t, "4e6f11ff", "4e6f1644");
    ask(t, "4e6f1111 01020304", "4e6f1644 01020304");
    ask(t, "4e6f11ff 01020304 00000000", "4e6f1644 01020304 00000000");
    ask(t, "4e6f11ff 01020304 080f0001 00008000", "4e6f1644 01020304 080f0100 00008000");
    for (size_t i = 0; i < GW_ARRAY_LEN(dropped); i++) {
        say(t, dropped[i]);
        hear_nothing(t);
    }
    gw_transport_close(t);
}

/* A probe whose masks do not both hold 32 bits is answered, and what follows it is not executed. */
static void looks_at_both_masks_of_a_probe_as_gsi_does(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, "gsi");
    ask(t, "4e6f1184 01020304 080f0100 00000200 11111111",
        "4e6f1644 01020304 00000000 00000000 00000000");
    ask(t, "4e6f11cc 01020304 080f0001 00008000 00000200",
        "4e6f1644 01020304 080f0100 00008000 00000000");
    gw_transport_close(t);
}

/* What says that it is a probe response is a packet like any other. */
static void overlooks_the_response_flag_as_gsi_does(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, "gsi");
    ask(t, "4e6f1244 080f0100 00000200 11111111", "4e6f1444 00000000 00000000 080f0000");
    ask(t, "4e6f1044 080f0001 00008000 00000200", "4e6f1444 080f0100 00008000 11111111");
    gw_transport_close(t);
}

static void executes_what_has_come_as_gsi_does(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, "gsi");
    ask(t, "4e6f1044 080f0300 00000200 11111111 22222222",
        "4e6f1444 00000000 00000000 00000000 00000000");
    ask(t, "4e6f1044 080f0003 00008000 00000200 00000204 00000208",
        "4e6f1444 080f0300 00008000 11111111 22222222 00000000");
    ask(t, "4e6f1044 080f0001 00008000", "4e6f1444 080f0100 00008000");
    gw_transport_close(t);
}

typedef struct heard {
    gw_peer_out out; /* first */
    uint8_t bytes[64];
    size_t len;
} heard;

static void take_down(gw_peer_out *out, unsigned link, uint32_t conn, const uint8_t *data,
                      size_t len)
{
    heard *h = (heard *)(void *)out;
    (void)link;
    (void)conn;
    assert_true(len <= sizeof(h->bytes));
    memcpy(h->bytes, data, len);
    h->len = len;
}

/* Gives the slave |state| the first |len| bytes of |hex|, and the others as padding; the answer is
 * |reply|. */
static void tell_padded(void *state, const char *hex, size_t len, const char *reply)
{
    const gw_board *board = gw_board_by_role("etherbone-slave");
    uint8_t frame[64];
    uint8_t expected[64];
    heard h = {.out = {.send = take_down}};
    gw_peer_event event = {.kind = GW_PEER_BYTES, .data = frame, .len = len};
    event.padding = unhex(frame, hex) - len;
    (void)board->step(state, &event, 0, &h.out);
    assert_int_equal(h.len, unhex(expected, reply));
    assert_memory_equal(h.bytes, expected, h.len);
}

/* Nothing is left to count behind a datagram of one word; behind longer ones the count is right. */
static void executes_padding_as_gsi_does(void **state)
{
    const gw_board *board = gw_board_by_role("etherbone-slave");
    gw_peer_config config = {.dialect = gw_dialect_by_name(&gw_etherbone, "gsi")};
    char why[64];
    void *slave_state = calloc(1, board->size);
    (void)state;
    assert_non_null(slave_state);
    assert_true(board->init(slave_state, &config, why, sizeof(why)));
    tell_padded(slave_state, "4e6f1044 080f0100 00000300 11111111 0000", 4, "4e6f1444");
    tell_padded(slave_state, "4e6f1044 080f0001 00008000 00000300", 16,
                "4e6f1444 080f0100 00008000 11111111");
    tell_padded(slave_state, "4e6f1044 080f0100 00000300 22222222 0000", 12,
                "4e6f1444 00000000 00000000");
    tell_padded(slave_state, "4e6f1044 080f0001 00008000 00000300", 16,
                "4e6f1444 080f0100 00008000 11111111");
    board->fini(slave_state);
    free(slave_state);
}

/* A record that reads once has a cycle of its own, unless an earlier one holds the line up. */
static void drops_cycles_as_gsi_does(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, "gsi");
    ask(t,
        "4e6f1044 000f0001 00008000 00040004 000f0001 00008002 00040004 080f0001 00008004 00040004",
        "4e6f1444 000f0100 00008000 00000001 000f0100 00008002 00000002 080f0100 00008004 "
        "00000003");
    ask(t, "4e6f1044 000f0002 00008000 00040004 00040004 080f0001 00008004 00040004",
        "4e6f1444 000f0200 00008000 00000004 00000004 080f0100 00008004 00000004");
    ask(t, "4e6f1044 000f0001 00008000 00040004 080f0002 00008004 00040004 00040004",
        "4e6f1444 000f0100 00008000 00000005 080f0200 00008004 00000006 00000006");
    gw_transport_close(t);
}

static void keeps_errors_for_all_as_gsi_does(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, "gsi");
    ask(t, "4e6f1044 080f0001 00008000 00030000", "4e6f1444 080f0100 00008000 00000000");
    ask(t, "4e6f1044 480f0002 00008000 00000004 00000084",
        "4e6f1444 080f0200 00008000 00000001 00000001");
    ask(t, "4e6f1044 4c0f0101 0000000c deadbeef 00008000 0000000c",
        "4e6f1444 00000000 00000000 080f0100 00008000 00050000");
    gw_transport_close(t);
}

static void answers_as_libetherbone_does(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, "libetherbone");
    ask(t, "4e6f11ff 01020304", "4e6f16ff 01020304");
    say(t, "4e6f11ff 01020304 00000000");
    ask(t, "4e6f1844 080f0001 00008000 00020004", "4e6f1c44 080f0100 00008000 c0de0001");
    ask(t, "4e6f1088 0000beef 08ff0001 00000000 0000000000008000 0000000000020000",
        "4e6f1488 0000beef 08ff0100 00000000 0000000000008000 c0de0000c0de0001");
    say(t, "4e6f1044 080f0001 00008000 00020004 080f0001 00008002"); /* all of it or nothing */
    hear_nothing(t);
    ask(t, "4e6f1044 080f0001 00008000 00030000", "4e6f1444 080f0100 00008000 00000000");
    ask(t, "4e6f1044 480f0001 00008000 00000004", "4e6f1444 080f0100 00008000 00000000");
    /* Several widths: the widest are taken, and all come back. */
    ask(t, "4e6f1074 080f0001 00008000 00020004", "4e6f1474 080f0100 00008000 c0de0001");
    ask(t, "4e6f104c 0000beef 08ff0001 00000000 0000000000008000 0000000000020000",
        "4e6f144c 0000beef 08ff0100 00000000 0000000000008000 c0de0000c0de0001");
    say(t, "4e6f104c 000000"); /* less than the header of these widths */
    hear_nothing(t);
    /* A cycle that a read left open is ended anew by each record that ends one and reads nothing.
     */
    ask(t,
        "4e6f1044 000f0001 00008000 00020004 080c0100 00000100 11223344 "
        "0a0f0100 00000100 00000000",
        "4e6f1444 000f0100 00008000 c0de0001 08000000 08000000");
    gw_transport_close(t);
}

static void answers_as_litex_does(void **state)
{
    (void)state;
    gw_transport *t = slave(NULL, "litex");
    ask(t, "4e6f11ff 01020304 aabbccdd", "4e6f1244 00000000 aabbccdd");
    ask(t, "4e6f1044 00000000 ffff0001 00008000 00020000",
        "4e6f1044 00000000 000f0100 00008000 c0de0000");
    ask(t, "4e6f2488 00000000 00080002 00008000 00020007 00100000",
        "4e6f1044 00000000 00080200 00008000 c0de0001 ffffffff");
    say(t, "4e6f1044 00000000 40080200 00000100 11223344 55667788"); /* WFF is ignored */
    ask(t, "4e6f1044 00000000 000f0002 00008000 00000100 00000104",
        "4e6f1044 00000000 000f0200 00008000 11000000 55000000");
    say(t, "4e6e1044 00000000 000f0001 00008000 00020000");
    hear_nothing(t);
    gw_transport_close(t);
}

/* Dead until reset after what it was not made for. */
static void dies_as_litex_does(void **state)
{
    (void)state;
    static const char *const deadly[] = {
        "",
        "4e6f11ff",
        "4e6f1144 00000001",
        "4e6f1144 00000001 00000000 00000000",
        "4e6f1044 00000000",
        "4e6f1044 00000000 10000000",
        "4e6f1044 00000000 100f0101 00000100 11111111 00008000 00020000",
        "4e6f1044 00000000 100f0001 00008000",
        "4e6f1044 00000000 100f0001 00008000 00020000 00000000",
        "4e6f1044 100f0001 00008000 00020000",
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(deadly); i++) {
        gw_transport *t = slave(NULL, "litex");
        say(t, deadly[i]);
        say(t, "4e6f1044 00000000 000f0001 00008000 00020000");
        hear_nothing(t);
        gw_transport_close(t);
    }
}

static void clients_do_not_mix(void **state)
{
    (void)state;
    char why[256];
    gw_peer_config config = {0};
    gw_mem *mem = gw_mem_start(gw_board_by_role("etherbone-slave"), &config, why, sizeof(why));
    assert_non_null(mem);
    gw_transport *a = gw_mem_connect(mem, 0, false, why, sizeof(why));
    gw_transport *b = gw_mem_connect(mem, 0, false, why, sizeof(why));
    gw_transport *c = gw_mem_connect(mem, 0, true, why, sizeof(why));
    gw_mem_stop(mem);
    say(a, "4e6f1044 080f0001 00008000 00100000"); /* an error of its own */
    say(b, "4e6f1044 080f0101 00000000 0badcafe 00008004 00000000");
    say(c, "4e6f1144 00000009");
    hear(c, "4e6f16ff 00000009");
    hear(b, "4e6f1444 080f0100 00008004 0badcafe");
    hear(a, "4e6f1444 080f0100 00008000 00000000");
    ask(a, "4e6f1044 480f0001 00008000 00000004", "4e6f1444 080f0100 00008000 00000001");
    ask(b, "4e6f1044 480f0001 00008000 00000004", "4e6f1444 080f0100 00008000 00000000");
    gw_transport_close(b);
    ask(a, "4e6f1044 080f0001 00008000 00000000", "4e6f1444 080f0100 00008000 0badcafe");
    gw_transport_close(a);
    gw_transport_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_probes),
        cmocka_unit_test(ignores_what_stands_behind_a_probe),
        cmocka_unit_test(drops_what_is_not_for_it),
        cmocka_unit_test(answers_reads),
        cmocka_unit_test(writes_before_reads),
        cmocka_unit_test(maps_flags),
        cmocka_unit_test(answers_several_records),
        cmocka_unit_test(empty_records_do_nothing),
        cmocka_unit_test(fills_the_largest_record),
        cmocka_unit_test(speaks_all_widths),
        cmocka_unit_test(chooses_among_several_widths),
        cmocka_unit_test(addresses_wrap_at_their_width),
        cmocka_unit_test(serves_lanes),
        cmocka_unit_test(illegal_byte_enables_fail),
        cmocka_unit_test(has_a_fifo),
        cmocka_unit_test(fixed_writes_hit_one_address),
        cmocka_unit_test(refuses_and_notes_errors),
        cmocka_unit_test(remembers_64_results),
        cmocka_unit_test(config_space_at_every_port),
        cmocka_unit_test(config_operations_do_not_shift),
        cmocka_unit_test(points_to_a_good_sdb_table),
        cmocka_unit_test(holds_the_cycle),
        cmocka_unit_test(cut_records_are_not_executed),
        cmocka_unit_test(any_bytes_are_survived),
        cmocka_unit_test(fills_with_zeros_as_gsi_does),
        cmocka_unit_test(answers_probes_as_long_as_they_are_as_gsi_does),
        cmocka_unit_test(looks_at_both_masks_of_a_probe_as_gsi_does),
        cmocka_unit_test(overlooks_the_response_flag_as_gsi_does),
        cmocka_unit_test(executes_what_has_come_as_gsi_does),
        cmocka_unit_test(executes_padding_as_gsi_does),
        cmocka_unit_test(drops_cycles_as_gsi_does),
        cmocka_unit_test(keeps_errors_for_all_as_gsi_does),
        cmocka_unit_test(answers_as_libetherbone_does),
        cmocka_unit_test(answers_as_litex_does),
        cmocka_unit_test(dies_as_litex_does),
        cmocka_unit_test(clients_do_not_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
