/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations: each rule that they show, broken once, and what answers what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "goldwire/writer.h"
#include "ims/testing/scene.h"

static gw_ims_scene s;

static void start_as(const char *dialect)
{
    assert_true(gw_ims_scene_start(&s, dialect, sizeof s.memory));
}

/* A Worker whose data channel is open: four packets. */
static void start_open(void)
{
    start_as("strict");
    gw_ims_scene_set_up(&s);
}

static void expect(const char *rules, const char *relations)
{
    gw_ims_scene_end(&s);
    assert_string_equal(s.rules, rules);
    assert_string_equal(s.relations, relations);
}

#define SET_UP "2 answers 1; 4 answers 3; "

/* ---- good ---- */

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

/* ---- the status channel ---- */

static void directions_are_kept(void **state)
{
    (void)state;
    start_as("strict");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_ask(&s, GW_IMS_DATA_RES); /* a Worker that answers */
    gw_endpoint worker = s.worker;
    s.worker = s.buffer;
    s.buffer = worker;
    s.status.qpn = SCENE_SERVICE_QP;
    gw_ims_scene_ask(&s, GW_IMS_STAT_REQ); /* a buffer that asks */
    expect("C3@3 C3@4 ", "2 answers 1; ");
}

static void answers_go_where_the_request_says(void **state)
{
    (void)state;
    start_as("strict");
    s.dest_key++;
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    s.dest_key--;
    s.dest_qp++;
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
    expect("B4@2 B4@4 ", SET_UP);
    start_as("strict");
    gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
    s.status.lid++;
    gw_ims_scene_answer(&s, GW_IMS_STAT_RES);
    expect("B5@2 ", "2 answers 1; ");
}

static void lids_of_native_links_are_compared(void **state)
{
    uint8_t lrh[GW_IB_LRH];
    gw_ib ib = {.lrh = lrh};

    (void)state;
    start_as("strict");
    gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
    gw_ib_put_lrh(lrh, 0, 0, SCENE_LID + 1, 7, 48, false);
    s.ib = &ib;
    gw_ims_scene_answer(&s, GW_IMS_STAT_RES);
    expect("B4@2 ", "2 answers 1; ");
}

static void foreign_keys_are_not_answered(void **state)
{
    (void)state;
    start_as("strict");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    s.service_key++;
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    expect("B2@4 ", SET_UP);
}

static void strangers_are_not_answered(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
    expect("W2@7 B8@8 ", SET_UP "6 answers 5; 8 answers 7; ");
}

static void requests_come_in_order(void **state)
{
    (void)state;
    start_as("strict");
    gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_ask(&s, GW_IMS_DATA_REQ);
    expect("W2@2 ", "0 unanswered 1; 0 unanswered 2; ");
    start_as("strict");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_exchange(&s, GW_IMS_DATA_TERM);
    expect("W21@3 ", SET_UP);
}

static void versions_are_told_and_judged(void **state)
{
    (void)state;
    start_as("strict");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    s.status.minor = 0;
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
    expect("B14@4 ", SET_UP);
    start_as("strict");
    s.status.major = 2;
    gw_ims_scene_set_up(&s);
    expect("W29@3 ", SET_UP);
}

static void silence_is_noticed(void **state)
{
    static const struct {
        uint8_t method;
        const char *rule;
    } kinds[] = {{GW_IMS_STAT_REQ, "B3@5 "},
                 {GW_IMS_DATA_REQ, "B9@5 "},
                 {GW_IMS_DATA_TERM, "B11@5 "},
                 {GW_IMS_STAT_TERM, "B12@5 "}};

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(kinds); i++) {
        start_open();
        gw_ims_scene_ask(&s, kinds[i].method);
        gw_ims_session.advance(s.memory, s.now_ns + SCENE_GIVE_UP_NS + 1, &s.sink);
        gw_ims_scene_answer(&s, kinds[i].method | GW_IMS_RESPONSE); /* too late */
        expect(kinds[i].rule, SET_UP "0 unanswered 5; 6 stale 5; ");
    }
    start_open(); /* asked again, and answered: nothing was wrong */
    gw_ims_scene_ask(&s, GW_IMS_DATA_TERM);
    gw_ims_scene_exchange(&s, GW_IMS_DATA_TERM);
    expect("", SET_UP "7 answers 6?; ");
    start_open(); /* a repeated STAT_TERM has nobody to answer it */
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    gw_ims_scene_ask(&s, GW_IMS_STAT_TERM);
    gw_ims_session.advance(s.memory, s.now_ns + SCENE_GIVE_UP_NS + 1, &s.sink);
    expect("", SET_UP "6 answers 5; 0 unanswered 7; ");
}

static void lanes_are_not_shared(void **state)
{
    uint8_t lrh[GW_IB_LRH];
    gw_ib ib = {.lrh = lrh};

    (void)state;
    for (unsigned share = 0; share < 3; share++) {
        start_as("strict");
        s.ib = &ib;
        gw_ib_put_lrh(lrh, 0, 0, SCENE_LID, 7, 64, false);
        gw_ims_scene_answer(&s, GW_IMS_STAT_RES);
        gw_ib_put_lrh(lrh, share == 1 ? 0 : 1, share == 2 ? 0 : 1, SCENE_LID, 7, 64, false);
        gw_ims_scene_ack(&s, 0);
        gw_ims_scene_ack(&s, 0);
        gw_ims_scene_end(&s);
        assert_string_equal(s.rules, share == 0 ? "" : "C12@2 "); /* once */
    }
}

/* ---- frames ---- */

static void nothing_is_written_before_or_after(void **state)
{
    (void)state;
    start_as("strict");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_write(&s, 0, 64);
    expect("W4@3 ", "2 answers 1; 0 unanswered 3; ");
    start_open();
    gw_ims_scene_exchange(&s, GW_IMS_DATA_TERM);
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    expect("W22@7 B11@8 ", SET_UP "6 answers 5; 8 answers 7; ");
}

static void the_memory_is_what_the_buffer_gave(void **state)
{
    (void)state;
    start_open();
    s.rkey++;
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, GW_IMS_INVALID_RKEY, SCENE_VA);
    expect("W5@5 ", SET_UP "6 answers 5; ");
    start_open();
    s.rkey++;
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    expect("W5@5 B20@6 ", SET_UP "6 answers 5; ");
    start_open();
    gw_ims_scene_write(&s, 64, 64);
    gw_ims_scene_ack(&s, 64);
    expect("W5@5 ", SET_UP "6 answers 5; ");
}

/* A Worker that has its answer goes by it, or by the one that nobody asked for. */
static void of_two_answers_either_may_be_heeded(void **state)
{
    gw_ims_status status;

    (void)state;
    for (uint64_t key = 0; key < 2; key++) {
        start_open();
        status = s.status;
        status.method = GW_IMS_DATA_RES;
        status.key = SCENE_DATA_QP;
        status.va = SCENE_VA + 64;
        status.rkey = SCENE_RKEY + 1;
        gw_ims_draft d = gw_ims_draft_status(SCENE_QPN, SCENE_SERVICE_QP, SCENE_QKEY, 0, &status);
        gw_ims_scene_send(&s, &d, &s.buffer, &s.worker);
        s.rkey += (uint32_t)key;
        gw_ims_scene_write(&s, key * 64, 64);
        gw_ims_scene_ack(&s, key * 64);
        expect("", SET_UP "5 repeats 3; 7 answers 6; ");
    }
}

static void a_buffer_may_repeat_the_workers_queue_pair(void **state)
{
    gw_ims_status status;

    (void)state;
    start_as("qpnd-echo");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_ask(&s, GW_IMS_DATA_REQ);
    status = s.status;
    status.method = GW_IMS_DATA_RES;
    status.key = SCENE_DATA_QP;
    status.va = SCENE_VA;
    status.rkey = SCENE_RKEY;
    gw_ims_draft d = gw_ims_draft_status(SCENE_QPN, SCENE_SERVICE_QP, SCENE_QKEY, 0, &status);
    gw_ims_scene_send(&s, &d, &s.buffer, &s.worker);
    s.rkey++;
    gw_ims_scene_write(&s, 0, 64);
    expect("W5@5 ", SET_UP "0 unanswered 5; ");
}

static void frames_follow_each_other(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_write(&s, 128, 64);
    gw_ims_scene_ack(&s, 128);
    expect("W11@7 ", SET_UP "6 answers 5; 8 answers 7; ");
}

static void frames_are_of_one_size(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 128);
    gw_ims_scene_write(&s, 128, 64);
    gw_ims_scene_write(&s, 192, 128);
    gw_ims_scene_write(&s, 320, 192);
    gw_ims_scene_end(&s);
    assert_string_equal(s.rules, "W10@7 W10@10 ");
}

static void packets_of_a_frame_are_of_one_size(void **state)
{
    static const uint8_t data[256];

    (void)state;
    start_open();
    gw_ims_scene_piece(&s, 0, 256, 0, data, 64);
    gw_ims_scene_piece(&s, 0, 256, 64, data, 128);
    gw_ims_scene_piece(&s, 0, 256, 192, data, 64);
    gw_ims_scene_ack(&s, 0);
    expect("W8@6 ", SET_UP "8 answers 7; ");
}

static void frames_are_whole(void **state)
{
    static const uint8_t data[256];

    (void)state;
    start_open(); /* the end does not come */
    gw_ims_scene_piece(&s, 0, 192, 0, data, 64);
    gw_ims_scene_write(&s, 0, 192);
    gw_ims_scene_ack(&s, 0);
    expect("W30@5 ", SET_UP "9 answers 8; ");
    start_open(); /* less than it says */
    gw_ims_scene_piece(&s, 0, 192, 0, data, 64);
    gw_ims_scene_piece(&s, 0, 192, 160, data, 64);
    gw_ims_scene_respond(&s, GW_IMS_FRAME_LENGTH, SCENE_VA);
    expect("W30@5 ", SET_UP "7 answers 6; ");
    start_open(); /* and nobody notices */
    gw_ims_scene_piece(&s, 0, 192, 0, data, 64);
    gw_ims_scene_piece(&s, 0, 192, 160, data, 64);
    gw_ims_scene_ack(&s, 0);
    expect("W30@5 B22@7 ", SET_UP "7 answers 6; ");
}

static void a_frame_without_a_start_is_told(void **state)
{
    static const uint8_t data[64];

    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_piece(&s, 64, 192, 128, data, 64);
    gw_ims_scene_respond(&s, GW_IMS_NO_START, 0);
    expect("W30@7 ", SET_UP "6 answers 5; 8 answers 7; ");
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_piece(&s, 64, 192, 128, data, 64);
    gw_ims_scene_respond(&s, GW_IMS_FRAME_LENGTH, 0);
    expect("W30@7 B25@8 ", SET_UP "6 answers 5; 8 answers 7; ");
    start_open(); /* for whatever is outstanding, when the start got lost on the way */
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, GW_IMS_NO_START, 0);
    gw_ims_scene_end(&s);
    assert_non_null(strstr(s.relations, "6 answers 5?; "));
}

/* ---- responses ---- */

static void events_are_those_of_the_frame(void **state)
{
    static const uint8_t data[64];

    (void)state;
    start_open();
    gw_ims_scene_write(&s, 4, 64);
    gw_ims_scene_respond(&s, GW_IMS_PARITY, SCENE_VA + 4);
    expect("W5@5 B21@6 ", SET_UP "6 answers 5; ");
    start_open();
    gw_ims_scene_piece(&s, 0, 32, 0, data, 32);
    gw_ims_scene_ack(&s, 0);
    expect("B23@6 ", SET_UP "6 answers 5; ");
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, GW_IMS_INVALID_RKEY, SCENE_VA);
    expect("B18@6 ", SET_UP "6 answers 5; ");
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, GW_IMS_INVALID_VA, SCENE_VA);
    expect("B18@6 ", SET_UP "6 answers 5; ");
    start_as("v1-0"); /* a code says nothing that is known */
    gw_ims_scene_set_up(&s);
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, GW_IMS_INVALID_VA, SCENE_VA);
    expect("", SET_UP "6 answers 5; ");
}

static void responses_name_their_frame(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 64);
    expect("B17@6 ", SET_UP "6 unsolicited 0; 0 unanswered 5; ");
    start_as("v0-0"); /* the upper half does not count */
    gw_ims_scene_set_up(&s);
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, 0, (uint32_t)SCENE_VA);
    expect("", SET_UP "6 answers 5; ");
}

static void frames_beyond_the_window_are_refused(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_write(&s, GW_IMS_RING, 64); /* a frame was delivered: this may be inside */
    gw_ims_scene_ack(&s, GW_IMS_RING);
    gw_ims_scene_write(&s, GW_IMS_RING + 128, 64);
    gw_ims_scene_ack(&s, GW_IMS_RING + 128);
    gw_ims_scene_write(&s, GW_IMS_RING + 192, 64);
    gw_ims_scene_respond(&s, GW_IMS_OUTSIDE_WINDOW, SCENE_VA + GW_IMS_RING + 192);
    gw_ims_scene_end(&s);
    assert_string_equal(s.rules, "W11@7 W11@9 B24@10 ");
}

static void every_frame_is_answered(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_session.advance(s.memory, s.now_ns + SCENE_GIVE_UP_NS + 1, &s.sink);
    gw_ims_scene_ack(&s, 0);
    expect("B15@5 ", SET_UP "0 unanswered 5; 6 stale 5; ");
    start_open(); /* sent again in time */
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    expect("", SET_UP "7 answers 6; ");
}

static void workers_react(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, GW_IMS_OUTSIDE_WINDOW, SCENE_VA);
    gw_ims_scene_write(&s, 0, 64); /* at once */
    gw_ims_scene_ack(&s, 0);
    expect("W15@7 ", SET_UP "6 answers 5; 8 answers 7; ");
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, GW_IMS_OUTSIDE_WINDOW, SCENE_VA);
    s.now_ns += GW_IMS_WAIT_NS;
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    expect("", SET_UP "6 answers 5; 8 answers 7; ");
    start_open();
    s.rkey++;
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, GW_IMS_INVALID_RKEY, SCENE_VA);
    s.rkey--;
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    expect("W5@5 W16@7 ", SET_UP "6 answers 5; 8 answers 7; ");
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, GW_IMS_PARITY, SCENE_VA);
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    expect("W14@5 ", SET_UP "6 answers 5; 8 answers 7; ");
}

/* ---- images ---- */

static void say_image(uint64_t va_told, uint8_t damage)
{
    static uint8_t image[GW_IMS_IMAGE_4BIT];

    memset(image, 0x5a, sizeof image);
    gw_ims_image_seal(NULL, &gw_ims_image_default, image, sizeof image, va_told);
    image[20000] ^= damage;
    for (uint32_t at = 0; at < sizeof image; at += 4096) {
        size_t left = sizeof image - at;
        gw_ims_scene_piece(&s, 0, sizeof image, at, image + at, left < 4096 ? left : 4096);
    }
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_end(&s);
}

static void images_are_judged_when_asked_for(void **state)
{
    (void)state;
    start_as("images");
    gw_ims_scene_set_up(&s);
    say_image(SCENE_VA, 0);
    assert_string_equal(s.rules, "");
    start_as("images");
    gw_ims_scene_set_up(&s);
    say_image(SCENE_VA + 64, 0);
    assert_string_equal(s.rules, "W26@5 ");
    start_as("images");
    gw_ims_scene_set_up(&s);
    say_image(SCENE_VA, 1);
    assert_string_equal(s.rules, "W27@5 ");
    start_open();
    say_image(0, 1);
    assert_string_equal(s.rules, "");
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
        cmocka_unit_test(directions_are_kept),
        cmocka_unit_test(answers_go_where_the_request_says),
        cmocka_unit_test(lids_of_native_links_are_compared),
        cmocka_unit_test(foreign_keys_are_not_answered),
        cmocka_unit_test(strangers_are_not_answered),
        cmocka_unit_test(requests_come_in_order),
        cmocka_unit_test(versions_are_told_and_judged),
        cmocka_unit_test(silence_is_noticed),
        cmocka_unit_test(lanes_are_not_shared),
        cmocka_unit_test(nothing_is_written_before_or_after),
        cmocka_unit_test(the_memory_is_what_the_buffer_gave),
        cmocka_unit_test(of_two_answers_either_may_be_heeded),
        cmocka_unit_test(a_buffer_may_repeat_the_workers_queue_pair),
        cmocka_unit_test(frames_follow_each_other),
        cmocka_unit_test(frames_are_of_one_size),
        cmocka_unit_test(packets_of_a_frame_are_of_one_size),
        cmocka_unit_test(frames_are_whole),
        cmocka_unit_test(a_frame_without_a_start_is_told),
        cmocka_unit_test(events_are_those_of_the_frame),
        cmocka_unit_test(responses_name_their_frame),
        cmocka_unit_test(frames_beyond_the_window_are_refused),
        cmocka_unit_test(every_frame_is_answered),
        cmocka_unit_test(workers_react),
        cmocka_unit_test(images_are_judged_when_asked_for),
        cmocka_unit_test(full_tables_lose_the_oldest_and_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
