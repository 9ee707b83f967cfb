/* SPDX-License-Identifier: BSD-2-Clause */
/* Board files: what is read, and what is said about wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/board.h"

#define HEAD "goldwire: board\nrole: etherbone-slave\n"

static gw_board_file parse(const char *text)
{
    gw_board_file board;
    char why[512] = "";
    if (!gw_board_parse(&board, "b.yaml", text, strlen(text), why, sizeof(why)))
        fail_msg("%s", why);
    return board;
}

static void refuse(const char *text, const char *expected)
{
    gw_board_file board;
    char why[512] = "";
    assert_false(gw_board_parse(&board, "b.yaml", text, strlen(text), why, sizeof(why)));
    if (strstr(why, expected) == NULL)
        fail_msg("'%s' should contain '%s'", why, expected);
}

static void reads_the_example(void **state)
{
    (void)state;
    gw_board_file board;
    char why[512] = "";
    if (!gw_board_load(&board, GW_SOURCE_DIR "/fpga_harness/boards/etherbone-slave.yaml", why,
                       sizeof(why)))
        fail_msg("%s", why);
    assert_string_equal(board.role, "etherbone-slave");
    assert_string_equal(board.dialect, "strict");
    assert_string_equal(gw_board_url(&board, ""), "udp://127.0.0.1:60368");
    assert_null(gw_board_url(&board, "regs"));
    assert_int_equal(board.claims.address_widths, 15);
    assert_int_equal(board.claims.port_widths, 15);
    assert_int_equal(board.claims.tcp, GW_CLAIM_YES);
    assert_int_equal(board.claims.zero_filled_reply, GW_CLAIM_NO);
    assert_int_equal(board.claims.pipeline, 16);
    assert_int_equal(board.num_areas, 5);
    assert_string_equal(board.areas[1].name, "fifo");
    assert_int_equal(board.areas[1].type, GW_AREA_FIFO);
}

static void what_is_left_out_is_unknown(void **state)
{
    (void)state;
    gw_board_file board = parse(HEAD);
    assert_int_equal(board.num_links, 0);
    assert_int_equal(board.num_areas, 0);
    assert_int_equal(board.claims.address_widths, 0);
    assert_int_equal(board.claims.sdb, GW_CLAIM_UNKNOWN);
    assert_string_equal(board.make, "");
}

static void reads_links(void **state)
{
    (void)state;
    gw_board_file board = parse(HEAD "where: {net: udp://h:1, regs: 'udp://h:2'}\n");
    assert_int_equal(board.num_links, 2);
    assert_string_equal(gw_board_url(&board, "regs"), "udp://h:2");
    assert_null(gw_board_url(&board, ""));
}

static void finds_areas_in_reach(void **state)
{
    (void)state;
    gw_board_file board =
        parse(HEAD "areas:\n"
                   "  - {name: far, type: ram, address: 0x100000000, size: 64}\n"
                   "  - {name: small, type: ram, address: 0x80, size: 8}\n"
                   "  - {name: near, type: ram, address: 0xf0, size: 32}\n"
                   "  - {name: top, type: readonly, address: 0xfffffffffffffff8, size: 8}\n");
    assert_string_equal(gw_board_area(&board, GW_AREA_RAM, 64, 16)->name, "far");
    assert_string_equal(gw_board_area(&board, GW_AREA_RAM, 32, 16)->name, "near");
    assert_string_equal(gw_board_area(&board, GW_AREA_RAM, 8, 1)->name, "small");
    assert_string_equal(gw_board_area(&board, GW_AREA_RAM, 8, 16)->name, "near");
    assert_null(gw_board_area(&board, GW_AREA_RAM, 8, 17));
    assert_null(gw_board_area(&board, GW_AREA_RAM, 4, 0));
    assert_null(gw_board_area(&board, GW_AREA_FIFO, 64, 1));
    assert_string_equal(gw_board_area(&board, GW_AREA_READONLY, 64, 8)->name, "top");
    assert_null(gw_board_area(&board, GW_AREA_READONLY, 32, 8));
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    refuse("role: etherbone-slave\n", "goldwire");
    refuse("goldwire: bord\nrole: x\n", "b.yaml:1:11");
    refuse(HEAD "aeras: []\n", "b.yaml:3:1: ");
    refuse(HEAD "aeras: []\n", "areas");
    refuse(HEAD "claims: {sbd: true}\n", "sdb");
    refuse(HEAD "claims: {sdb: maybe}\n", "b.yaml:3:15");
    refuse(HEAD "claims: {port_widths: [32, 24]}\n", "width 24, one of 8, 16, 32, 64 expected");
    refuse(HEAD "claims: {port_widths: []}\n", "no width");
    refuse(HEAD "where: [udp://h:1]\n", "a URL expected");
    refuse(HEAD "areas:\n  - {name: a, type: rom, address: 0, size: 1}\n", "b.yaml:4:21");
    refuse(HEAD "areas:\n  - {name: a, type: ram, address: 0, size: 0}\n", "0 bytes");
    refuse(HEAD "areas:\n  - {name: a, type: ram, address: 0xffffffffffffffff, size: 2}\n",
           "64-bit address space");
    refuse(HEAD "areas:\n"
                "  - {name: a, type: ram, address: 0, size: 17}\n"
                "  - {name: b, type: ram, address: 16, size: 1}\n",
           "area b overlaps area a");
    refuse("goldwire: board\nrole: "
           "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
           "at most 63 fit");
}

static void bounds_lists(void **state)
{
    (void)state;
    char text[8192] = HEAD "areas:\n";
    for (unsigned i = 0; i <= GW_BOARD_MAX_AREAS; i++) {
        size_t len = strlen(text);
        (void)snprintf(text + len, sizeof(text) - len,
                       "  - {name: a%u, type: ram, address: %u, size: 8}\n", i, i * 8);
    }
    refuse(text, "more than 32 areas");
    char links[1024] = HEAD "where:\n";
    for (unsigned i = 0; i <= GW_BOARD_MAX_LINKS; i++) {
        size_t len = strlen(links);
        (void)snprintf(links + len, sizeof(links) - len, "  l%u: udp://h:1\n", i);
    }
    refuse(links, "more than 8 links");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_example),  cmocka_unit_test(what_is_left_out_is_unknown),
        cmocka_unit_test(reads_links),        cmocka_unit_test(finds_areas_in_reach),
        cmocka_unit_test(says_what_is_wrong), cmocka_unit_test(bounds_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
