/* SPDX-License-Identifier: BSD-2-Clause */
/* Announcements: what is written is read again, and what anybody writes is read without harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "goldwire/announce.h"
#include "goldwire/etherbone.h"
#include "goldwire/op2p.h"

/* Reads a copy that ends where the text does, so that one byte too far is seen. */
static bool read_exactly(gw_announcement *out, const char *text, size_t len)
{
    char *copy = malloc(len > 0 ? len : 1);

    assert_non_null(copy);
    memcpy(copy, text, len);
    bool found = gw_announcement_read(out, copy, len);
    free(copy);
    return found;
}

static bool read_text(gw_announcement *out, const char *text)
{
    return read_exactly(out, text, strlen(text));
}

static void what_is_written_is_read(void **state)
{
    char buf[200];
    gw_text text = gw_text_over(buf, sizeof buf);
    gw_announcement back, a = {.format = &gw_op2p,
                               .dialect = gw_dialect_by_name(&gw_op2p, "vhdl"),
                               .role = "op2p-node",
                               .link = "left one\033",
                               .caller = GW_DIR_OUT,
                               .tunnel = true,
                               .ports = {50000, 40001},
                               .num_ports = 2};

    (void)state;
    gw_announcement_write(&a, &text);
    gw_text_str(&text, " - What sockets sent, port=7.");
    assert_string_equal(buf, "goldwire: op2p dialect=vhdl role=op2p-node link=left_one_ calls=out "
                             "carrier=tunnel port=50000 port=40001 - What sockets sent, port=7.");
    assert_true(read_text(&back, buf));
    assert_ptr_equal(back.format, &gw_op2p);
    assert_ptr_equal(back.dialect, a.dialect);
    assert_string_equal(back.role, "op2p-node");
    assert_string_equal(back.link, "left_one_");
    assert_int_equal(back.caller, GW_DIR_OUT);
    assert_true(back.tunnel);
    assert_int_equal(back.num_ports, 2);
    assert_true(gw_announcement_covers(&back, 50000, 1));
    assert_true(gw_announcement_covers(&back, 1, 40001));
    assert_false(gw_announcement_covers(&back, 7, 1));
}

static void the_side_of_a_sender_is_told_by_direction(void **state)
{
    gw_announcement a;

    (void)state;
    assert_true(read_text(&a, "goldwire: etherbone role=etherbone-slave calls=out - x"));
    assert_int_equal(gw_announcement_side(&a, GW_DIR_OUT), GW_SIDE_CALLER);
    assert_int_equal(gw_announcement_side(&a, GW_DIR_IN), GW_SIDE_CALLED);
    assert_int_equal(gw_announcement_side(&a, GW_DIR_UNKNOWN), GW_SIDE_UNKNOWN);
    assert_true(read_text(&a, "goldwire: etherbone role=etherbone-master calls=in"));
    assert_int_equal(gw_announcement_side(&a, GW_DIR_IN), GW_SIDE_CALLER);
    assert_true(read_text(&a, "goldwire: etherbone calls=both calls=inn"));
    assert_int_equal(gw_announcement_side(&a, GW_DIR_IN), GW_SIDE_UNKNOWN);
    assert_int_equal(gw_announcement_side(NULL, GW_DIR_IN), GW_SIDE_UNKNOWN);
}

static void a_message_is_told_who_sent_it_and_through_what(void **state)
{
    gw_announcement a;
    gw_message m = {.dir = GW_DIR_IN};

    (void)state;
    assert_true(read_text(&a, "goldwire: textarossa calls=out carrier=tunnel - x"));
    gw_announcement_tell(&a, &m);
    assert_int_equal(m.side, GW_SIDE_CALLED);
    assert_true(m.tunnel);
    gw_announcement_tell(NULL, &m);
    assert_int_equal(m.side, GW_SIDE_UNKNOWN);
    assert_false(m.tunnel);
    assert_true(read_text(&a, "goldwire: textarossa carrier=pigeon - x"));
    gw_announcement_tell(&a, &m);
    assert_false(m.tunnel);
}

static void what_is_not_said_is_everything(void **state)
{
    gw_announcement a;

    (void)state;
    assert_true(read_text(&a, "goldwire: etherbone"));
    assert_ptr_equal(a.format, &gw_etherbone);
    assert_null(a.dialect);
    assert_string_equal(a.link, "");
    assert_true(gw_announcement_covers(&a, 1, 2));
}

static void nonsense_is_none(void **state)
{
    static const char *const none[] = {"",
                                       "goldwire",
                                       "goldwire:",
                                       "goldwire: ",
                                       "goldwire: ether",
                                       "goldwire: etherbone2",
                                       "goldwire: dialect=vhdl",
                                       "Goldwire: etherbone",
                                       " goldwire: etherbone"};
    gw_announcement a;

    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(read_text(&a, none[i]));
    assert_true(read_text(
        &a, "goldwire: op2p dialect=nobodys port=65536 port= port=0 port=1x port=99999999999 "
            "colour=red = port=9 \033[31m port=8"));
    assert_null(a.dialect);
    assert_int_equal(a.num_ports, 1);
    assert_int_equal(a.ports[0], 9);
}

static void too_much_is_cut(void **state)
{
    char text[600] = "goldwire: op2p port=1 port=2 port=3 port=4 port=5 role=";
    gw_announcement a;

    (void)state;
    memset(text + strlen(text), 'r', sizeof text - strlen(text));
    assert_true(read_exactly(&a, text, sizeof text));
    assert_int_equal(a.num_ports, GW_ANNOUNCE_PORTS);
    assert_int_equal(strlen(a.role), GW_ANNOUNCE_NAME - 1);
    for (size_t len = 0; len < 64; len++)
        assert_int_equal(read_exactly(&a, text, len), len >= strlen("goldwire: op2p"));
    /* A zero byte ends nothing but the words. */
    assert_true(read_exactly(&a, "goldwire: op2p\0port=9", 21));
    assert_int_equal(a.num_ports, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(the_side_of_a_sender_is_told_by_direction),
        cmocka_unit_test(a_message_is_told_who_sent_it_and_through_what),
        cmocka_unit_test(what_is_not_said_is_everything),
        cmocka_unit_test(nonsense_is_none),
        cmocka_unit_test(too_much_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
