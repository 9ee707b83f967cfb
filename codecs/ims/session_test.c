/* SPDX-License-Identifier: BSD-2-Clause */
/* Sessions: good ones, what a capture lacks, and tables that are full. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "goldwire/writer.h"
#include "ims/testing/session_scene.h"

static void a_session_without_fault(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 192);
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_write(&s, 192, 192);
    gw_ims_scene_respond(&s, GW_IMS_PARITY, SCENE_VA + 192);
    gw_ims_scene_write(&s, 192, 192);
    gw_ims_scene_ack(&s, 192);
    gw_ims_scene_write(&s, 384, 64); /* the last one may be shorter */
    gw_ims_scene_ack(&s, 384);
    gw_ims_scene_exchange(&s, GW_IMS_DATA_TERM);
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    expect("", SET_UP "8 answers 7; 12 answers 11; 16 answers 15; 18 answers 17; "
                      "20 answers 19; 22 answers 21; ");
}

/* Whole frames got lost on the way to whoever captures; they come again at their own places. */
static void what_fills_a_hole_is_in_place(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    s.psn[0] += 2; /* 64 and 128 */
    gw_ims_scene_write(&s, 192, 64);
    gw_ims_scene_ack(&s, 192);
    gw_ims_scene_write(&s, 64, 64);
    gw_ims_scene_ack(&s, 64);
    gw_ims_scene_write(&s, 128, 64);
    gw_ims_scene_ack(&s, 128);
    gw_ims_scene_write(&s, 256, 64);
    gw_ims_scene_ack(&s, 256);
    expect("", SET_UP "6 answers 5; 8 answers 7; 10 answers 9; 12 answers 11; 14 answers 13; ");
}

static void several_frames_are_in_flight(void **state)
{
    (void)state;
    start_open();
    for (unsigned i = 0; i < 4; i++)
        gw_ims_scene_write(&s, UINT64_C(64) * i, 64);
    gw_ims_scene_ack(&s, 128); /* in any order */
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_ack(&s, 192);
    gw_ims_scene_ack(&s, 64);
    gw_ims_scene_ack(&s, 64); /* twice is tolerated */
    expect("", SET_UP "9 answers 7; 10 answers 5; 11 answers 8; 12 answers 6; 13 repeats 6; ");
}

static void a_capture_may_begin_anywhere(void **state)
{
    (void)state;
    start_as("strict");
    s.psn[0] = 77;
    gw_ims_scene_piece(&s, 0, 256, 64, (const uint8_t *)"", 0);
    gw_ims_scene_piece(&s, 0, 256, 192, (const uint8_t *)"", 0);
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_answer(&s, GW_IMS_DATA_DOWN);
    gw_ims_scene_answer(&s, GW_IMS_STAT_DOWN);
    expect("", "3 unsolicited 0; ");
}

/* What the capture or the network lost is nobody's fault. */
static void what_was_lost_is_not_judged(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 192);
    gw_ims_scene_ack(&s, 0);
    s.psn[0] += 3; /* a frame at 192 that nobody saw */
    gw_ims_scene_ack(&s, 192);
    gw_ims_scene_write(&s, 384, 192);
    gw_ims_scene_ack(&s, 384);
    gw_ims_scene_piece(&s, 576, 192, 0, (const uint8_t[64]){0}, 64);
    s.psn[0]++;
    gw_ims_scene_piece(&s, 576, 192, 128, (const uint8_t[64]){0}, 64);
    gw_ims_scene_ack(&s, 576);
    expect("", SET_UP "8 answers 7; 9 unsolicited 0; 13 answers 12; 16 answers 15; ");
}

static void packets_with_a_wrong_icrc_were_never_there(void **state)
{
    static const gw_ib wrong = {.icrc_verdict = GW_IB_WRONG};

    (void)state;
    start_as("strict");
    gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
    s.ib = &wrong;
    gw_ims_scene_answer(&s, GW_IMS_STAT_RES);
    s.ib = NULL;
    gw_ims_scene_answer(&s, GW_IMS_STAT_RES);
    expect("", "3 answers 1; ");
}

static void copies_and_latecomers_are_passed_over(void **state)
{
    (void)state;
    start_open();
    for (unsigned copy = 0; copy < 2; copy++) { /* as a mirroring port gives them */
        gw_ims_scene_piece(&s, 0, 192, 0, (const uint8_t[64]){0}, 64);
        if (copy == 0)
            s.psn[0]--;
    }
    gw_ims_scene_piece(&s, 0, 192, 64, (const uint8_t[64]){0}, 64);
    s.psn[0]--;
    gw_ims_scene_piece(&s, 0, 192, 64, (const uint8_t[64]){0}, 64);
    gw_ims_scene_piece(&s, 0, 192, 128, (const uint8_t[64]){0}, 64);
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_end(&s);
    assert_string_equal(s.rules, "");
    assert_non_null(strstr(s.relations, "10 answers 9; "));
}

static void times_may_be_before_all_others(void **state)
{
    (void)state;
    start_as("strict");
    s.now_ns = INT64_C(-2) * SCENE_GIVE_UP_NS;
    gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
    gw_ims_session.advance(s.memory, s.now_ns + SCENE_GIVE_UP_NS + 1, &s.sink);
    expect("", "0 unanswered 1; ");
}

/* ---- tables ---- */

static void full_tables_lose_the_oldest_and_say_so(void **state)
{
    (void)state;
    assert_true(gw_ims_scene_start(&s, "strict", gw_ims_session.min_size));
    gw_ims_scene_set_up(&s);
    for (unsigned i = 0; i < GW_IMS_FRAMES_MIN + 2; i++)
        gw_ims_scene_write(&s, UINT64_C(64) * i, 64);
    assert_string_equal(s.relations, SET_UP "0 untracked 5; 0 untracked 6; ");
    assert_false(gw_ims_scene_start(&s, "strict", gw_ims_session.min_size - 1));

    start_as("strict");
    for (unsigned i = 0; i <= GW_IMS_WORKERS; i++) {
        s.status.qpn = 0x400 + i;
        gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
    }
    assert_string_equal(s.relations, "0 untracked 1; ");
    start_as("strict");
    for (unsigned i = 0; i <= GW_IMS_FLOWS; i++) { /* as many Workers as pass by */
        s.worker = gw_ib_lid_endpoint((uint16_t)(0x100 + i));
        gw_ims_scene_write(&s, 0, 64);
    }
    s.worker = gw_ib_lid_endpoint(0x100);
    gw_ims_scene_ack(&s, 0);
    assert_string_equal(s.relations, "66 unsolicited 0; ");
    assert_string_equal(s.rules, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_without_fault),
        cmocka_unit_test(what_fills_a_hole_is_in_place),
        cmocka_unit_test(several_frames_are_in_flight),
        cmocka_unit_test(a_capture_may_begin_anywhere),
        cmocka_unit_test(what_was_lost_is_not_judged),
        cmocka_unit_test(packets_with_a_wrong_icrc_were_never_there),
        cmocka_unit_test(copies_and_latecomers_are_passed_over),
        cmocka_unit_test(times_may_be_before_all_others),
        cmocka_unit_test(full_tables_lose_the_oldest_and_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
