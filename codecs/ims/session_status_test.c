/* SPDX-License-Identifier: BSD-2-Clause */
/* The status channel: each rule that a conversation shows, broken once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "goldwire/writer.h"
#include "ims/testing/session_scene.h"

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

static void an_answer_that_went_elsewhere_may_not_have_come(void **state)
{
    (void)state;
    start_as("strict");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    s.dest_qp++;
    gw_ims_scene_answer(&s, GW_IMS_STAT_DOWN); /* to another queue pair */
    s.dest_qp--;
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
    expect("B4@3 ", "2 answers 1; 3 unsolicited 0; 5 answers 4; ");
    start_as("strict");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    s.status.lid++;
    gw_ims_scene_answer(&s, GW_IMS_STAT_DOWN); /* about another Worker */
    s.status.lid--;
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
    expect("B5@3 ", "2 answers 1; 3 unsolicited 0; 5 answers 4; ");
}

/* The buffer answers with the queue key that it was told last, and forgets both at once. */
static void workers_of_one_name_change_each_others_standing(void **state)
{
    (void)state;
    start_open();
    gw_endpoint worker = s.worker, namesake = gw_ib_lid_endpoint(SCENE_LID + 1);
    gw_ims_status asked = s.status;
    asked.method = GW_IMS_STAT_REQ;
    asked.key = SCENE_QKEY + 1;
    gw_ims_draft d = gw_ims_draft_status(SCENE_SERVICE_QP, SCENE_QPN, SCENE_SERVICE_KEY, 0, &asked);
    gw_ims_scene_send(&s, &d, &namesake, &s.buffer);
    s.worker = namesake;
    s.dest_key = SCENE_QKEY + 1;
    gw_ims_scene_answer(&s, GW_IMS_STAT_RES);
    s.worker = worker;
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ); /* with the other's key */
    s.worker = namesake;
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    s.worker = worker;
    gw_ims_scene_ask(&s, GW_IMS_DATA_TERM); /* who is not there any more */
    gw_ims_session.advance(s.memory, s.now_ns + SCENE_GIVE_UP_NS + 1, &s.sink);
    expect("", SET_UP "6 answers 5; 8 answers 7; 10 answers 9; 0 unanswered 11; ");
}

/* A buffer throws away what is for another queue pair, or has another key: it owes no answer, and
 * its channel stays open. */
static void requests_that_go_elsewhere_change_nothing(void **state)
{
    (void)state;
    for (uint32_t key = 0; key < 2; key++) {
        start_open();
        gw_ims_status end = s.status;
        end.method = GW_IMS_DATA_TERM;
        gw_ims_draft d = gw_ims_draft_status(SCENE_SERVICE_QP + 1 - key, SCENE_QPN,
                                             SCENE_SERVICE_KEY + key, 0, &end);
        gw_ims_scene_send(&s, &d, &s.worker, &s.buffer);
        gw_ims_scene_write(&s, 0, 64);
        gw_ims_scene_ack(&s, 0);
        gw_ims_session.advance(s.memory, s.now_ns + SCENE_GIVE_UP_NS + 1, &s.sink);
        expect("", SET_UP "7 answers 6; 0 unanswered 5; ");
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_are_kept),
        cmocka_unit_test(answers_go_where_the_request_says),
        cmocka_unit_test(an_answer_that_went_elsewhere_may_not_have_come),
        cmocka_unit_test(workers_of_one_name_change_each_others_standing),
        cmocka_unit_test(requests_that_go_elsewhere_change_nothing),
        cmocka_unit_test(lids_of_native_links_are_compared),
        cmocka_unit_test(foreign_keys_are_not_answered),
        cmocka_unit_test(strangers_are_not_answered),
        cmocka_unit_test(requests_come_in_order),
        cmocka_unit_test(versions_are_told_and_judged),
        cmocka_unit_test(silence_is_noticed),
        cmocka_unit_test(lanes_are_not_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
