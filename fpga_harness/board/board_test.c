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

/* A role that must claim nothing, and one that must. */
#define HEAD "goldwire: board\nrole: toaster\n"
#define SLAVE "goldwire: board\nrole: etherbone-slave\n"
#define SAID "config_space: true, sdb: true"
#define CLAIMS "claims: {" SAID "}\n"

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
    assert_int_equal(board.num_links, 1);
    assert_string_equal(board.links[0].name, "");
    assert_string_equal(board.links[0].url, "udp://127.0.0.1:60368");
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
    assert_string_equal(board.links[0].name, "net");
    assert_string_equal(board.links[0].url, "udp://h:1");
    assert_string_equal(board.links[1].name, "regs");
    assert_string_equal(board.links[1].url, "udp://h:2");
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
    refuse(SLAVE "claims: {sbd: true}\n", "sdb");
    refuse(SLAVE "claims: {sdb: maybe}\n", "b.yaml:3:15");
    refuse(SLAVE "claims: {port_widths: [32, 24]}\n", "width 24, one of 8, 16, 32, 64 expected");
    refuse(SLAVE "claims: {port_widths: []}\n", "no width");
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

static void some_claims_must_be_said(void **state)
{
    (void)state;
    refuse(SLAVE, "b.yaml:1:1: the claim 'config_space' is missing");
    refuse(SLAVE "claims: {config_space: false}\n", "b.yaml:3:9: the claim 'sdb' is missing");
    refuse("goldwire: board\nrole: etherbone-master\n", "'long_cycles'");
    refuse("goldwire: board\nrole: op2p-node\n", "'forwarding'");
    refuse("goldwire: board\nrole: textarossa-switch\n", "'edac'");
    gw_board_file board = parse(SLAVE CLAIMS);
    assert_int_equal(board.claims.sdb, GW_CLAIM_YES);
}

static void claims_belong_to_roles(void **state)
{
    (void)state;
    refuse("goldwire: board\nrole: op2p-node\nclaims: {sdb: true}\n", "b.yaml:3:10: unknown key");
    refuse(SLAVE "claims: {forwarding: true}\n", "allowed: address_widths");
    gw_board_file board = parse("goldwire: board\nrole: op2p-node\n"
                                "claims: {forwarding: false, node: 0x4321}\n");
    assert_int_equal(board.claims.node, 0x4321);
    assert_int_equal(board.claims.forwarding, GW_CLAIM_NO);
    refuse("goldwire: board\nrole: op2p-node\nclaims: {forwarding: true, node: 0x10000}\n",
           "b.yaml:3:34");
    refuse("goldwire: board\nrole: op2p-node\nclaims: {forwarding: true, node: 0}\n",
           "0 claims nothing");
    board = parse("goldwire: board\nrole: textarossa-node\n"
                  "claims: {edac: true, revision: 0xcafe0001}\n");
    assert_int_equal(board.claims.revision, 0xcafe0001);
}

static void claims_may_exclude_each_other(void **state)
{
    (void)state;
    refuse(SLAVE "claims: {config_space: false, sdb: true}\n", "b.yaml:3:36: the SDB pointer");
    refuse(SLAVE "where: tcp://h:1\nclaims: {tcp: false, " SAID "}\n",
           "b.yaml:4:15: the board is said to be at tcp://h:1, and not to speak TCP");
}

static void reads_identity(void **state)
{
    (void)state;
    static const char sum[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    char text[512];
    (void)snprintf(text, sizeof(text),
                   HEAD "identity:\n  serial: \"7\"\n  firmware_sha256: \"%s\"\n"
                        "  bitstream_sha256: \"%s\"\n",
                   sum, sum);
    gw_board_file board = parse(text);
    assert_string_equal(board.serial, "7");
    assert_string_equal(board.firmware_sha256, sum);
    assert_string_equal(board.bitstream_sha256, sum);
    refuse(HEAD "identity: {firmware_sha256: 0123}\n", "b.yaml:3:29: 64 hexadecimal digits");
    (void)snprintf(text, sizeof(text), HEAD "identity: {bitstream_sha256: \"%.63sG\"}\n", sum);
    refuse(text, "64 hexadecimal digits");
}

static void reads_registers(void **state)
{
    (void)state;
    gw_board_file board = parse(HEAD "registers: {base: 0x40000000, RESET_REG: 0x50000010}\n");
    assert_int_equal(board.register_base, 0x40000000);
    assert_int_equal(board.num_registers, 1);
    assert_string_equal(board.registers[0].name, "RESET_REG");
    assert_int_equal(board.registers[0].address, 0x50000010);
    assert_int_equal(board.registers[0].line, 3);
    assert_int_equal(board.registers[0].column, 31);
    refuse(HEAD "registers: [1]\n", "b.yaml:3:12: a mapping from register names");
    refuse(HEAD "registers: {base: 0x100000000}\n", "b.yaml:3:19");
}

static void reads_hooks(void **state)
{
    (void)state;
    gw_board_file board = parse(HEAD "hooks:\n"
                                     "  soft: {run: [lab, reset, \"7\"], timeout: 5, settle: 0}\n"
                                     "  start: {run: [sim]}\n");
    assert_true(gw_board_has_hooks(&board));
    const gw_hook *soft = &board.hooks[GW_HOOK_SOFT];
    assert_int_equal(soft->num_args, 3);
    assert_string_equal(soft->args[2], "7");
    assert_int_equal(soft->timeout_s, 5);
    assert_int_equal(soft->settle_s, 0);
    assert_int_equal(board.hooks[GW_HOOK_POWER].num_args, 0);
    assert_int_equal(board.hooks[GW_HOOK_START].timeout_s, 3600);
    board = parse(HEAD);
    assert_false(gw_board_has_hooks(&board));
    refuse(HEAD "hooks: {soft: {run: reset the board}}\n", "b.yaml:3:21: a list of arguments");
    refuse(HEAD "hooks: {soft: {run: []}}\n", "names no program");
    refuse(HEAD "hooks: {soft: {timeout: 5}}\n", "the key 'run' is missing");
    refuse(HEAD "hooks: {soft: {run: [x], timeout: 0}}\n", "b.yaml:3:35: 0 s");
    refuse(HEAD "hooks: {sotf: {run: [x]}}\n", "did you mean 'soft'?");
    refuse(HEAD "hooks: {soft: {run: [a,a,a,a,a,a,a,a,a,a,a,a,a]}}\n", "more than 12 arguments");
}

#define WAIVER(expires)                                                                            \
    HEAD "waivers:\n"                                                                              \
         "  - {case: eb-s/length, owner: Ada, ticket: FW-7, reason: known, text: 9 bytes,\n"       \
         "     firmware: \"1.4\", expires: " expires "}\n"

static void reads_waivers(void **state)
{
    (void)state;
    gw_board_file board = parse(WAIVER("2024-02-29"));
    assert_int_equal(board.num_waivers, 1);
    const gw_waiver *w = &board.waivers[0];
    assert_string_equal(w->which, "eb-s/length");
    assert_string_equal(w->owner, "Ada");
    assert_string_equal(w->ticket, "FW-7");
    assert_string_equal(w->reason, "known");
    assert_string_equal(w->text, "9 bytes");
    assert_string_equal(w->firmware, "1.4");
    assert_string_equal(w->expires, "2024-02-29");
    /* 2024-03-01 00:00 UTC */
    assert_true(w->ends_ns == INT64_C(1709251200) * 1000000000);
    assert_int_equal(w->line, 4);
    static const char *const wrong[] = {
        WAIVER("2023-02-29"), WAIVER("2024-13-01"), WAIVER("2024-1-1"),    WAIVER("soon"),
        WAIVER("2024-00-10"), WAIVER("24-01-01"),   WAIVER("2024-01-01x"),
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(wrong); i++)
        refuse(wrong[i], "b.yaml:5:32: a day is expected");
    refuse(HEAD "waivers:\n  - {case: x, owner: y}\n", "the key 'ticket' is missing");
    refuse(HEAD "waivers: {case: x}\n", "b.yaml:3:10");
}

static void ram_may_be_written(void **state)
{
    (void)state;
    gw_board_file board = parse(HEAD "areas:\n"
                                     "  - {name: a, type: ram, address: 0x100, size: 0x10}\n"
                                     "  - {name: b, type: readonly, address: 0x200, size: 16}\n");
    assert_true(gw_board_may_write(&board, 0x100, 16));
    assert_true(gw_board_may_write(&board, 0x10f, 1));
    assert_false(gw_board_may_write(&board, 0x10f, 2));
    assert_false(gw_board_may_write(&board, 0xff, 1));
    assert_false(gw_board_may_write(&board, 0x110, 1));
    assert_false(gw_board_may_write(&board, 0x200, 1));
    assert_false(gw_board_may_write(&board, 0x101, UINT64_MAX));
}

static void reads_how_long_it_may_take(void **state)
{
    (void)state;
    gw_board_file board = parse(HEAD);
    assert_int_equal(board.pace.patience, 0);
    assert_int_equal(board.pace.clock_hz, 0);
    board =
        parse(HEAD "patience: 50\n"
                   "simulation: {clock_hz: 156250000, answer_cycles: 9000, settle_cycles: 7}\n");
    assert_int_equal(board.pace.patience, 50);
    assert_int_equal(board.pace.clock_hz, 156250000);
    assert_int_equal(board.pace.answer_cycles, 9000);
    assert_int_equal(board.pace.settle_cycles, 7);
    refuse(HEAD "patience: 0\n", "b.yaml:3:11: 0 is none");
    refuse(HEAD "patience: 10001\n", "b.yaml:3:11");
    refuse(HEAD "simulation: {clock_hz: 0}\n", "0 is none");
    refuse(HEAD "simulation: {settle: 3}\n", "settle_cycles");
    refuse(HEAD "simulation: 3\n", "b.yaml:3:13");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_example),
        cmocka_unit_test(what_is_left_out_is_unknown),
        cmocka_unit_test(reads_links),
        cmocka_unit_test(finds_areas_in_reach),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(bounds_lists),
        cmocka_unit_test(some_claims_must_be_said),
        cmocka_unit_test(claims_belong_to_roles),
        cmocka_unit_test(claims_may_exclude_each_other),
        cmocka_unit_test(reads_identity),
        cmocka_unit_test(reads_registers),
        cmocka_unit_test(reads_hooks),
        cmocka_unit_test(reads_waivers),
        cmocka_unit_test(reads_how_long_it_may_take),
        cmocka_unit_test(ram_may_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
