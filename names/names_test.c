/* SPDX-License-Identifier: BSD-2-Clause */
/* Maps, the files that they are read from, and SDB tables read word by word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/sdb.h"

static const char *name_at(gw_name_map *map, uint64_t address)
{
    const gw_name_map_entry *e = gw_name_map_find(map, address);

    return e != NULL ? e->name : "";
}

static void the_innermost_range_names_an_address(void **state)
{
    gw_name_map map = {0};
    (void)state;

    assert_string_equal(name_at(&map, 0), "");
    assert_true(gw_name_map_add(&map, 0x1000, 0x1fff, "csr   ", 6));
    assert_true(gw_name_map_add(&map, 0x1004, 0x1007, "leds", 4));
    assert_true(gw_name_map_add(&map, 0x1000, 0x1003, "reset", 5));
    assert_true(gw_name_map_add(&map, UINT64_MAX, UINT64_MAX, "last\n", 5));
    assert_string_equal(name_at(&map, 0xfff), "");
    assert_string_equal(name_at(&map, 0x1000), "reset");
    assert_string_equal(name_at(&map, 0x1007), "leds");
    assert_string_equal(name_at(&map, 0x1008), "csr");
    assert_string_equal(name_at(&map, 0x2000), "");
    assert_string_equal(name_at(&map, UINT64_MAX), "last?");
    assert_false(gw_name_map_add(&map, 5, 4, "x", 1));
    assert_false(gw_name_map_add(&map, 4, 5, "  ", 2));
    gw_name_map_clear(&map);
    assert_string_equal(name_at(&map, 0x1000), "");
}

static void a_map_has_an_end(void **state)
{
    gw_name_map map = {0};
    (void)state;

    for (unsigned i = 0; i < GW_NAME_MAP_MAX; i++)
        assert_true(gw_name_map_add(&map, i, i, "r", 1));
    assert_false(gw_name_map_add(&map, 9, 9, "r", 1));
    gw_name_map_clear(&map);
}

static bool reads(gw_name_map *map, const char *text, char *why)
{
    return gw_name_map_read(map, text, strlen(text), why, 100);
}

static void a_csr_csv_names_registers_and_regions(void **state)
{
    gw_name_map map = {0};
    char why[100] = "";
    (void)state;

    assert_true(reads(&map,
                      "# from LiteX\r\n"
                      "csr_base,ctrl,0xf0000000,,\r\n"
                      "csr_register,ctrl_reset,0xf0000000,1,rw\r\n"
                      "csr_register,ctrl_counter,0xf0000004,2,ro\n"
                      "constant,config_clock_frequency,100000000,,\n"
                      "memory_region,csr,0xf0000000,65536,io\n",
                      why));
    assert_string_equal(name_at(&map, 0xf0000003), "ctrl_reset");
    assert_string_equal(name_at(&map, 0xf000000b), "ctrl_counter");
    assert_string_equal(name_at(&map, 0xf000000c), "csr");
    assert_string_equal(name_at(&map, 0xf0010000), "");
    gw_name_map_clear(&map);
}

static void a_yaml_map_names_words_and_ranges(void **state)
{
    gw_name_map map = {0};
    char why[100] = "";
    (void)state;

    assert_true(reads(&map, "---\n# mine\nleds: 0x100\nram: 4096-0x1fff  # of it\n\nlast: 7", why));
    assert_string_equal(name_at(&map, 0x103), "leds");
    assert_string_equal(name_at(&map, 0x104), "");
    assert_string_equal(name_at(&map, 0x1fff), "ram");
    assert_string_equal(name_at(&map, 10), "last");
    gw_name_map_clear(&map);
}

static void other_files_are_refused_by_line(void **state)
{
    static const char *const bad[] = {
        "leds: 1\nleds\n",
        "leds: 1\nleds: x\n",
        "leds: 1\n  leds: 1\n",
        "leds: 1\nleds: 5-4\n",
        "leds: 1\nleds: 0x\n",
        "leds: 1\n: 4\n",
        "leds: 1\nleds: 1-\n",
        "a: 1\ncsr_register,x,0x10\n",
        "a: 1\ncsr_register,x,5,0,rw\n",
        "leds: 1\nwhat,x,1,1\n",
        "a: 1\nmemory_region,,1,1,io\n",
        "a: 1\nb: 0xffffffffffffffff\n",
        "a: 1\nmemory_region,x,1,0xffffffffffffffff,\n",
    };
    (void)state;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gw_name_map map = {0};
        char why[100] = "";
        if (reads(&map, bad[i], why))
            fail_msg("taken: %s", bad[i]);
        assert_non_null(strstr(why, "line 2 "));
        gw_name_map_clear(&map);
    }
}

/* ---- SDB ---- */

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> (8 * (bytes - 1 - i)));
}

static void device(uint8_t *r, uint64_t first, uint64_t last, const char *name, uint8_t type)
{
    put(r + 8, first, 8);
    put(r + 16, last, 8);
    memset(r + 44, ' ', 19);
    for (unsigned i = 0; name[i] != '\0'; i++)
        r[44 + i] = (uint8_t)name[i];
    r[63] = type;
}

static void interconnect(uint8_t *r, unsigned records)
{
    put(r, 0x5344422d, 4);
    put(r + 4, records, 2);
}

static void take(gw_sdb *sdb, gw_name_map *map, uint64_t base, const uint8_t *bytes, unsigned from,
                 unsigned to)
{
    for (unsigned at = from; at < to; at += 4) {
        uint64_t word = (uint64_t)bytes[at] << 24 | (uint64_t)bytes[at + 1] << 16 |
                        (uint64_t)bytes[at + 2] << 8 | bytes[at + 3];
        gw_sdb_take(sdb, map, base + at, word, 4);
    }
}

static void a_table_names_devices_once_it_was_read(void **state)
{
    static gw_sdb sdb;
    gw_name_map map = {0};
    uint8_t table[4 * 64] = {0};
    (void)state;

    interconnect(table, 3);
    device(table + 64, 0x1000, 0x1fff, "uart", 1);
    device(table + 128, 0x8000, 0xffff, "bridge", 2);
    device(table + 192, 0, UINT64_MAX, "beyond", 1);
    take(&sdb, &map, 0x500, table, 64, 128); /* before the magic: nobody knows what it is */
    assert_string_equal(name_at(&map, 0x1000), "");
    take(&sdb, &map, 0x500, table, 0, 124);
    assert_string_equal(name_at(&map, 0x1000), "");
    take(&sdb, &map, 0x500, table, 124, 256);
    assert_string_equal(name_at(&map, 0x1000), "uart");
    assert_string_equal(name_at(&map, 0x9000), "bridge");
    assert_string_equal(name_at(&map, 0x2000), ""); /* the table has three records */
    take(&sdb, &map, 0x500, table, 0, 256);
    assert_int_equal(map.num, 2);
    /* A table behind the bridge counts from elsewhere. */
    device(table + 64, 0, 0xff, "inner", 1);
    take(&sdb, &map, 0x9000, table, 0, 192);
    assert_int_equal(map.num, 2);
    gw_name_map_clear(&map);
    gw_name_map_clear(&sdb.bridges);
}

static void words_of_64_bits_are_two(void **state)
{
    static gw_sdb sdb;
    gw_name_map map = {0};
    uint8_t table[2 * 64] = {0};
    (void)state;

    interconnect(table, 2);
    device(table + 64, 0x10, 0x1f, "gpio", 1);
    for (unsigned at = 0; at < sizeof table; at += 8) {
        uint64_t word = 0;
        for (unsigned i = 0; i < 8; i++)
            word = word << 8 | table[at + i];
        gw_sdb_take(&sdb, &map, at, word, 8);
    }
    assert_string_equal(name_at(&map, 0x1f), "gpio");
    gw_name_map_clear(&map);
}

static void hostile_tables_are_bounded(void **state)
{
    static gw_sdb sdb;
    gw_name_map map = {0};
    uint8_t table[2 * 64] = {0};
    (void)state;

    interconnect(table, 0xffff);
    device(table + 64, 0x20, 0x1f, "backwards", 1);
    for (unsigned k = 0; k < 100; k++)
        take(&sdb, &map, UINT64_MAX - 127 - (uint64_t)k * 0x100000, table, 0, sizeof table);
    for (unsigned at = 0; at < 1 << 20; at += 4)
        gw_sdb_take(&sdb, &map, UINT64_MAX - 127 + at, 0x5344422d, 4);
    assert_int_equal(sdb.num_tables, GW_SDB_TABLES);
    gw_name_map_clear(&map);
    gw_name_map_clear(&sdb.bridges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_innermost_range_names_an_address),
        cmocka_unit_test(a_map_has_an_end),
        cmocka_unit_test(a_csr_csv_names_registers_and_regions),
        cmocka_unit_test(a_yaml_map_names_words_and_ranges),
        cmocka_unit_test(other_files_are_refused_by_line),
        cmocka_unit_test(a_table_names_devices_once_it_was_read),
        cmocka_unit_test(words_of_64_bits_are_two),
        cmocka_unit_test(hostile_tables_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
