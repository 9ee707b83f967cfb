/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of keys says what the reader does: it reads each, and wants those that must be there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/board.h"
#include "harness/board_keys.h"

/* A role without claims that must be there. */
static const char *good_value(const gw_board_key *key)
{
    if (strcmp(key->name, "role") == 0)
        return "toaster";
    if (key->example != NULL)
        return key->example;
    if (key->part == GW_PART_HOOKS)
        return "{run: [x]}";
    return strcmp(key->value, "list") == 0 ? "[]" : "{}";
}

/* Writes the keys of |part|, with |changed| as |value|, or without it when that is NULL. */
static void put_part(FILE *file, gw_board_part part, const gw_board_key *changed, const char *value)
{
    for (size_t i = 0; i < gw_num_board_keys; i++) {
        const gw_board_key *key = &gw_board_keys[i];
        const char *shown = key == changed ? value : good_value(key);
        if (key->part == (uint8_t)part && shown != NULL)
            fprintf(file, "%s%s: %s", part == GW_PART_FILE ? "\n" : ", ", key->name, shown);
    }
}

/* Whether a board file is read in which |changed| is |value|. */
static bool is_read(const gw_board_key *changed, const char *value)
{
    static const char *const around[GW_NUM_BOARD_PARTS][2] = {
        [GW_PART_IDENTITY] = {"identity: {", "}"},     [GW_PART_REGISTERS] = {"registers: {", "}"},
        [GW_PART_AREA] = {"areas: [{", "}]"},          [GW_PART_HOOKS] = {"hooks: {", "}"},
        [GW_PART_HOOK] = {"hooks: {soft: {", "}}"},    [GW_PART_WAIVER] = {"waivers: [{", "}]"},
        [GW_PART_SIMULATION] = {"simulation: {", "}"},
    };
    static char text[4096], part[2048];
    gw_board_part which = (gw_board_part)changed->part;
    char why[512];
    gw_board_file board;

    memset(text, 0, sizeof(text));
    memset(part, 0, sizeof(part));
    FILE *file = fmemopen(part, sizeof(part), "w");
    assert_non_null(file);
    put_part(file, which, changed, value);
    assert_int_equal(fclose(file), 0);
    if (which == GW_PART_FILE)
        (void)snprintf(text, sizeof(text), "%s", part);
    else
        (void)snprintf(text, sizeof(text), "goldwire: board\nrole: toaster\n%s%s%s\n",
                       around[which][0], part + (part[0] == ',' ? 2 : 0), around[which][1]);
    return gw_board_parse(&board, "b.yaml", text, strlen(text), why, sizeof(why));
}

static void each_key_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_board_keys; i++) {
        const gw_board_key *key = &gw_board_keys[i];
        if (!is_read(key, good_value(key)))
            fail_msg("%s%s: %s is refused", gw_board_part_path((gw_board_part)key->part), key->name,
                     good_value(key));
        if (is_read(key, "[[[]]]"))
            fail_msg("%s%s: nobody reads it", gw_board_part_path((gw_board_part)key->part),
                     key->name);
    }
}

static void what_must_be_there_is_wanted(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_board_keys; i++) {
        const gw_board_key *key = &gw_board_keys[i];
        if (is_read(key, NULL) == key->must)
            fail_msg("%s%s is %s", gw_board_part_path((gw_board_part)key->part), key->name,
                     key->must ? "not missed" : "missed");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_key_is_read),
        cmocka_unit_test(what_must_be_there_is_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
