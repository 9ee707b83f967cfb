/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory maps from files, the SDB table made of them, and the bus they make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "boards/map.h"
#include "boards/sdb.h"
#include "boards/wishbone.h"
#include "goldwire/cursor.h"
#include "harness/temporary_testing.h"

static gw_eb_map *open_text(const char *text, char *why, size_t why_cap)
{
    gw_temporary file;
    assert_true(gw_temporary_file(&file, text));
    const char *path = file.path;
    gw_eb_map *map = gw_eb_map_open(path, why, why_cap);
    unlink(path);
    /* The name is random: leave it out of what is compared. */
    if (map == NULL && strncmp(why, path, strlen(path)) == 0)
        memmove(why, why + strlen(path), strlen(why) - strlen(path) + 1);
    return map;
}

static const gw_peer_config usual;

static gw_eb_map *good(const char *text)
{
    char why[512] = "";
    gw_eb_map *map = open_text(text, why, sizeof(why));
    if (map == NULL)
        fail_msg("%s", why);
    return map;
}

static void refuse(const char *text, const char *expected)
{
    char why[512] = "";
    assert_null(open_text(text, why, sizeof(why)));
    assert_string_equal(why, expected);
}

static void the_example_is_the_default(void **state)
{
    (void)state;
    char why[512] = "";
    gw_eb_map *map = gw_eb_map_open(GW_SOURCE_DIR "/conformance/formats/etherbone/slave/board.yaml",
                                    why, sizeof(why));
    if (map == NULL) {
        fail_msg("%s", why);
        return;
    }
    assert_int_equal(map->num_regions, gw_eb_default_map.num_regions);
    for (size_t i = 0; i < map->num_regions; i++) {
        const gw_eb_region *a = &map->regions[i];
        const gw_eb_region *b = &gw_eb_default_map.regions[i];
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->address, b->address);
        assert_int_equal(a->size, b->size);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->counter, b->counter);
        assert_null(a->content);
    }
    assert_int_equal(map->sdb, gw_eb_default_map.sdb);
    assert_int_equal(map->widths, gw_eb_default_map.widths);
    gw_eb_map_close(map);
}

static void reads_content_and_places_the_table(void **state)
{
    (void)state;
    gw_eb_map *map = good("widths: 0x44\n"
                          "regions:\n"
                          "- {name: rom, type: readonly, address: 0x12340, size: 16, content: "
                          "00112233AAbb}\n");
    assert_int_equal(map->widths, 0x44);
    assert_int_equal(map->regions[0].content_len, 6);
    assert_memory_equal(map->regions[0].content, "\x00\x11\x22\x33\xaa\xbb", 6);
    assert_int_equal(map->sdb, 0x20000);

    gw_wb_bus bus;
    gw_wb_master master = {0};
    char why[64];
    uint64_t value = 0;
    assert_true(gw_wb_init(&bus, map, &usual, why, sizeof(why)));
    assert_true(gw_wb_read(&bus, &master, 0x12340, 0xff, 8, &value));
    assert_true(value == UINT64_C(0x00112233aabb0000));
    assert_true(gw_wb_read(&bus, &master, 0x20000, 0x0f, 4, &value));
    assert_int_equal(value, GW_SDB_MAGIC);
    assert_false(gw_wb_write(&bus, &master, 0x20000, 0x0f, 4, 0));
    assert_false(gw_wb_read(&bus, &master, 0x12338, 0xff, 8, &value));
    assert_false(gw_wb_read(&bus, &master, 0x12350, 0xff, 8, &value));
    gw_wb_fini(&bus);
    gw_eb_map_close(map);

    map = good("regions: []\n"); /* only the table itself */
    assert_int_equal(map->sdb, 0);
    gw_eb_map_close(map);
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    refuse("region: []\n",
           ":1:1: unknown key 'region'; did you mean 'regions'? allowed: widths, sdb, regions");
    refuse("widths: 0x44\n", ":1:1: the key 'regions' is missing");
    refuse("widths: 0x40\nregions: []\n",
           ":1:9: at least one address width (high digit) and one port width (low digit) are "
           "needed, say 0x44");
    refuse("regions:\n- {name: a, type: rom, address: 0, size: 8}\n",
           ":2:19: unknown word 'rom'; did you mean 'ram'? allowed: ram, fifo, readonly, error, "
           "arbiter");
    refuse("regions:\n- {name: a, type: ram, adress: 0, size: 8}\n",
           ":2:24: unknown key 'adress'; did you mean 'address'? allowed: name, type, address, "
           "size, content");
    refuse("regions:\n- {name: a, type: ram, address: 0}\n", ":2:3: the key 'size' is missing");
    refuse("regions:\n- {name: a, type: ram, address: 4, size: 8}\n",
           ":2:33: the address must be a multiple of 8");
    refuse("regions:\n- {name: a, type: ram, address: 0, size: 12}\n",
           ":2:42: the size must be a multiple of 8, and not 0");
    refuse("regions:\n- {name: a, type: ram, address: 0, size: 0}\n",
           ":2:42: the size must be a multiple of 8, and not 0");
    refuse("regions:\n- {name: a, type: fifo, address: 0, size: 16}\n",
           ":2:43: fifo registers take 8 bytes; leave size out");
    refuse("regions:\n- {name: a, type: fifo, address: 0, content: zero}\n",
           ":2:46: fifo registers have no content");
    refuse("regions:\n- {name: a, type: error, address: 0xfffffffffffffff8, size: 16}\n",
           ":2:61: the region ends beyond 64-bit addresses");
    refuse("regions:\n- {name: a, type: ram, address: 0, size: 0x2000000}\n",
           ":2:3: more than 16777216 bytes of memory in all");
    refuse("regions:\n- {name: a, type: ram, address: 0, size: 0x900000}\n"
           "- {name: b, type: ram, address: 0x1000000, size: 0x900000}\n",
           ":3:3: more than 16777216 bytes of memory in all");
    refuse("regions:\n- {name: a, type: ram, address: 0, size: 16}\n"
           "- {name: b, type: fifo, address: 8}\n",
           ":3:3: 'b' overlaps 'a'");
    refuse("sdb: 8\nregions:\n- {name: a, type: ram, address: 0, size: 16}\n",
           ":1:6: the SDB table (128 bytes) overlaps 'a'");
    refuse("sdb: 0xfffffffffffffff8\nregions: []\n",
           ":1:6: 0xfffffffffffffff8 is too large: at most 18446744073709551551 "
           "(0xffffffffffffffbf)");
    refuse("regions:\n- {name: a, type: error, address: 0xfffffffffffffff0, size: 8}\n",
           ":1:1: no room for the SDB table behind the regions; say where: sdb: 0x...");
    refuse("regions:\n- {name: a, type: ram, address: 0, size: 8, content: 001}\n",
           ":2:54: zero, counter, or at most 8 bytes in hexadecimal");
    refuse("regions:\n- {name: a, type: ram, address: 0, size: 8, content: 00zz}\n",
           ":2:54: 'zz' is no hexadecimal byte; zero and counter are the only words");
    refuse("regions:\n- {name: a_name_that_is_too_long, type: ram, address: 0, size: 8}\n",
           ":2:10: a name has at most 19 characters");
    refuse("regions: 5\n", ":1:10: a list is expected, not a value");
}

static void the_table_describes_the_map(void **state)
{
    (void)state;
    uint8_t table[GW_SDB_RECORD * (GW_EB_MAP_REGIONS + 1)];
    size_t size = gw_sdb_size(&gw_eb_default_map);
    assert_int_equal(size, 6 * GW_SDB_RECORD);
    memset(table, 0xee, sizeof(table));
    gw_sdb_write(table, &gw_eb_default_map);
    assert_int_equal(table[size], 0xee);
    assert_int_equal(gw_load_be32(table), GW_SDB_MAGIC);
    assert_int_equal(gw_load_be16(table + 4), 6);
    assert_int_equal(table[6], 1);
    assert_int_equal(table[63], 0x00); /* interconnect */
    assert_true(gw_load_be64(table + 16) >= gw_eb_default_map.sdb + size - 1);
    for (size_t i = 0; i < gw_eb_default_map.num_regions; i++) {
        const gw_eb_region *region = &gw_eb_default_map.regions[i];
        const uint8_t *record = table + GW_SDB_RECORD * (i + 1);
        assert_int_equal(record[63], 0x01); /* device */
        assert_int_equal(gw_load_be64(record + 8), region->address);
        assert_int_equal(gw_load_be64(record + 16), region->address + region->size - 1);
        assert_true(gw_load_be64(record + 24) == GW_SDB_VENDOR);
        assert_int_equal(gw_load_be32(record + 40), 0x20250101);
        size_t len = strlen(region->name);
        assert_memory_equal(record + 44, region->name, len);
        for (size_t k = len; k < 19; k++)
            assert_int_equal(record[44 + k], ' ');
    }
}

static void accesses_take_their_lanes(void **state)
{
    (void)state;
    gw_wb_bus bus;
    gw_wb_master master = {0};
    char why[64];
    uint64_t value = 0;
    assert_true(gw_wb_init(&bus, &gw_eb_default_map, &usual, why, sizeof(why)));
    assert_true(gw_wb_write(&bus, &master, 0x10, 0xff, 8, UINT64_C(0x0102030405060708)));
    /* big-endian: the most significant byte has the lowest address, at every port width */
    for (unsigned i = 0; i < 8; i++) {
        assert_true(gw_wb_read(&bus, &master, 0x10 + i, 0x01, 1, &value));
        assert_int_equal(value, i + 1);
    }
    assert_true(gw_wb_read(&bus, &master, 0x13, 0x02, 2, &value));
    assert_int_equal(value, 0x0300);
    assert_true(gw_wb_read(&bus, &master, 0x14, 0x0c, 4, &value));
    assert_int_equal(value, 0x05060000);
    assert_true(gw_wb_write(&bus, &master, 0x14, 0x0c, 4, 0xaabbccdd));
    assert_true(gw_wb_read(&bus, &master, 0x10, 0xff, 8, &value));
    assert_true(value == UINT64_C(0x01020304aabb0708));
    assert_true(gw_wb_part(UINT64_C(0x0102030405060708), 0xe, 2) == 0x0708);
    assert_true(gw_wb_part(UINT64_C(0x0102030405060708), 0x9, 1) == 0x02);
    assert_true(gw_wb_part(UINT64_C(0x0102030405060708), 0x8, 8) == UINT64_C(0x0102030405060708));
    gw_wb_fini(&bus);
}

static void the_fifo_fills_and_empties(void **state)
{
    (void)state;
    gw_wb_bus bus;
    gw_wb_master master = {0};
    char why[64];
    uint64_t value = 1;
    assert_true(gw_wb_init(&bus, &gw_eb_default_map, &usual, why, sizeof(why)));
    assert_false(gw_wb_read(&bus, &master, GW_EB_MAP_FIFO, 0x0f, 4, &value));
    assert_int_equal(value, 0);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < GW_EB_FIFO_DEPTH; i++)
            assert_true(gw_wb_write(&bus, &master, GW_EB_MAP_FIFO, 0x0f, 4, i + round));
        assert_false(gw_wb_write(&bus, &master, GW_EB_MAP_FIFO, 0x0f, 4, 7));
        for (unsigned i = 0; i < GW_EB_FIFO_DEPTH; i++) {
            assert_true(gw_wb_read(&bus, &master, GW_EB_MAP_FIFO + 4, 0x0f, 4, &value));
            assert_int_equal(value, i + round);
        }
    }
    gw_wb_fini(&bus);
}

static void the_arbiter_tells_cycles_apart(void **state)
{
    (void)state;
    gw_wb_bus bus;
    gw_wb_master one = {0};
    gw_wb_master two = {0};
    char why[64];
    uint64_t value = 0;
    assert_true(gw_wb_init(&bus, &gw_eb_default_map, &usual, why, sizeof(why)));
    assert_true(gw_wb_read(&bus, &one, GW_EB_MAP_ARBITER, 0xff, 8, &value));
    assert_int_equal(value, 1);
    assert_true(gw_wb_read(&bus, &two, GW_EB_MAP_ARBITER, 0xff, 8, &value));
    assert_int_equal(value, 2);
    assert_true(gw_wb_read(&bus, &one, GW_EB_MAP_ARBITER + 8, 0xff, 8, &value));
    assert_int_equal(value, 2); /* operations of its own cycle */
    gw_wb_end_cycle(&one);
    assert_true(gw_wb_read(&bus, &one, GW_EB_MAP_ARBITER, 0xff, 8, &value));
    assert_int_equal(value, 3);
    assert_false(gw_wb_write(&bus, &one, GW_EB_MAP_ARBITER, 0xff, 8, 0));
    gw_wb_fini(&bus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_is_the_default),
        cmocka_unit_test(reads_content_and_places_the_table),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(the_table_describes_the_map),
        cmocka_unit_test(accesses_take_their_lanes),
        cmocka_unit_test(the_fifo_fills_and_empties),
        cmocka_unit_test(the_arbiter_tells_cycles_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
