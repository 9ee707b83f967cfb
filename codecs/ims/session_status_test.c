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

static void ask_as(const gw_ims_status *status, uint32_t service_qp, uint32_t service_key)
{
    gw_ims_draft d = gw_ims_draft_status(service_qp, status->qpn, service_key, 0, status);
    gw_ims_scene_send(&s, &d, &s.worker, &s.buffer);
}

static void let_time_pass(void)
{
    gw_ims_session.advance(s.memory, s.now_ns + SCENE_GIVE_UP_NS + 1, &s.sink);
}

/* What a STAT_REQ says that went elsewhere, the buffer does not know. */
static void a_registration_that_goes_elsewhere_changes_nothing(void **state)
{
    (void)state;
    for (uint32_t key = 0; key < 2; key++) {
        start_as("strict");
        gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
        gw_ims_status other = s.status;
        other.method = GW_IMS_STAT_REQ;
        other.key = SCENE_QKEY + 1;
        ask_as(&other, SCENE_SERVICE_QP + 1 - key, SCENE_SERVICE_KEY + key);
        gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ); /* with the old key */
        gw_ims_scene_exchange(&s, GW_IMS_DATA_TERM);
        let_time_pass();
        expect("", "2 answers 1; 5 answers 4; 7 answers 6; 0 unanswered 3; ");
    }
    start_as("strict"); /* it may have got lost: both keys will do */
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_status other = s.status;
    other.method = GW_IMS_STAT_REQ;
    other.key = SCENE_QKEY + 1;
    ask_as(&other, SCENE_SERVICE_QP, SCENE_SERVICE_KEY);
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
    s.dest_key++;
    gw_ims_scene_exchange(&s, GW_IMS_DATA_TERM);
    gw_ims_scene_answer(&s, GW_IMS_STAT_RES); /* now it is known which */
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    expect("", "2 answers 1; 5 answers 4; 7 answers 6; 8 answers 3; 10 answers 9; ");
}

/* Of two that wait either may be what the answer is to. */
static void registrations_that_wait_together_are_not_told_apart(void **state)
{
    (void)state;
    for (uint32_t first = 0; first < 2; first++) {
        start_as("strict");
        gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
        gw_ims_status other = s.status;
        other.method = GW_IMS_STAT_REQ;
        other.key = SCENE_QKEY + 1;
        ask_as(&other, SCENE_SERVICE_QP, SCENE_SERVICE_KEY + 1);
        s.dest_key += first;
        gw_ims_scene_answer(&s, GW_IMS_STAT_RES);
        gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
        s.dest_key = SCENE_QKEY;
        gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
        assert_string_equal(s.rules, first == 0 ? "" : "B4@5 ");
    }
    start_as("strict"); /* the same again is no other */
    gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
    s.dest_key++;
    gw_ims_scene_answer(&s, GW_IMS_STAT_RES);
    expect("B4@3 ", "3 answers 2?; ");
}

/* Where nobody was seen to answer, nobody may be there. */
static void nothing_is_owed_where_nobody_answers(void **state)
{
    (void)state;
    start_as("strict");
    gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
    let_time_pass();
    expect("", "0 unanswered 1; ");
    start_open(); /* another Worker asks with another key */
    s.status.qpn++;
    s.service_key++;
    gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
    let_time_pass();
    expect("", SET_UP "0 unanswered 5; ");
    start_open(); /* and with the right one */
    s.status.qpn++;
    gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
    let_time_pass();
    expect("B3@5 ", SET_UP "0 unanswered 5; ");
}

/* Who asks in a way that is not specified may be answered or not, and is nobody's witness then. */
static void odd_requests_may_be_passed_over(void **state)
{
    (void)state;
    start_as("strict");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_status odd = s.status;
    odd.method = GW_IMS_DATA_REQ;
    odd.key = 1; /* no queue pair for data */
    ask_as(&odd, SCENE_SERVICE_QP, SCENE_SERVICE_KEY);
    let_time_pass();
    expect("", "2 answers 1; 0 unanswered 3; ");
    for (unsigned how = 0; how < 2; how++) {
        start_open();
        odd.method = GW_IMS_DATA_TERM;
        gw_ims_draft d =
            gw_ims_draft_status(SCENE_SERVICE_QP, SCENE_QPN, SCENE_SERVICE_KEY, 0, &odd);
        uint8_t body[GW_IMS_STATUS];
        gw_ims_put_status(body, &odd, GW_IMS_LE);
        d.raw = true;
        d.payload = body;
        d.payload_len = sizeof body;
        d.bth.opcode = how == 0 ? GW_IB_UD_SEND_ONLY_IMM : GW_IB_UC_SEND_ONLY;
        gw_ims_scene_send(&s, &d, &s.worker, &s.buffer);
        gw_ims_scene_write(&s, 0, 64);
        gw_ims_scene_ack(&s, 0);
        let_time_pass();
        expect("", SET_UP "7 answers 6; 0 unanswered 5; ");
    }
    start_as("strict");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    odd = s.status;
    odd.method = GW_IMS_STAT_REQ;
    odd.lid |= 0x10000;
    odd.key = SCENE_QKEY;
    ask_as(&odd, SCENE_SERVICE_QP, SCENE_SERVICE_KEY);
    let_time_pass();
    expect("", "2 answers 1; 0 unanswered 3; ");
}

/* A Worker need not take what is no datagram, has immediate data, or a key that is not its own. */
static void odd_answers_may_be_passed_over(void **state)
{
    (void)state;
    for (unsigned how = 0; how < 3; how++) {
        start_as("strict");
        gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
        gw_ims_scene_ask(&s, GW_IMS_DATA_REQ); /* it was registered before, with another key */
        gw_ims_scene_answer(&s, GW_IMS_DATA_RES);
        gw_ims_status odd = s.status;
        odd.method = GW_IMS_STAT_DOWN;
        gw_ims_draft d =
            gw_ims_draft_status(SCENE_QPN, SCENE_SERVICE_QP, SCENE_QKEY + (how == 2), 0, &odd);
        uint8_t body[GW_IMS_STATUS];
        gw_ims_put_status(body, &odd, GW_IMS_LE);
        d.raw = true;
        d.payload = body;
        d.payload_len = sizeof body;
        if (how < 2)
            d.bth.opcode = how == 0 ? GW_IB_UD_SEND_ONLY_IMM : GW_IB_UC_SEND_ONLY;
        gw_ims_scene_send(&s, &d, &s.buffer, &s.worker);
        gw_ims_scene_write(&s, 0, 64);
        assert_string_equal(s.rules, "W2@2 ");
    }
}

/* How many data channels a buffer has, nobody told. */
static void a_channel_is_owed_when_one_is_free(void **state)
{
    (void)state;
    start_open();
    s.status.qpn++;
    s.dest_qp++;
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_ask(&s, GW_IMS_DATA_REQ);
    let_time_pass();
    expect("", SET_UP "6 answers 5; 0 unanswered 7; ");
    start_open(); /* one's own is there already */
    gw_ims_scene_ask(&s, GW_IMS_DATA_REQ);
    let_time_pass();
    expect("B9@5 ", SET_UP "0 unanswered 5; ");
}

/* The first end may have been heard, and its answer have got lost: then silence is right. */
static void ends_are_owed_an_answer_once(void **state)
{
    static const uint8_t ends[] = {GW_IMS_STAT_TERM, GW_IMS_DATA_TERM};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(ends); i++) {
        start_open();
        gw_ims_scene_ask(&s, ends[i]);
        gw_ims_scene_ask(&s, ends[i]);
        let_time_pass();
        expect("", SET_UP "0 unanswered 6; ");
    }
}

/* A channel that was given away again is its former owner's no more, whether its end was seen or
 * not. */
static void a_channel_has_one_owner(void **state)
{
    (void)state;
    start_open();
    s.status.qpn++;
    s.dest_qp++;
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_ask(&s, GW_IMS_DATA_REQ);
    gw_ims_scene_grant(&s, SCENE_BUFFER_QP, 0, SCENE_RKEY + 1);
    s.rkey++;
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    expect("", SET_UP "6 answers 5; 8 answers 7; 10 answers 9; ");
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

/* A path may let what was sent later come first, or what was sent once come twice. */
static void what_was_overtaken_is_no_answer_to_a_stranger(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_ask(&s, GW_IMS_DATA_TERM);
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    gw_ims_scene_answer(&s, GW_IMS_DATA_DOWN); /* sent before the other */
    gw_ims_scene_answer(&s, GW_IMS_DATA_RES);  /* again */
    expect("", SET_UP "7 answers 6; 8 answers 5; 9 repeats 3; ");
    start_open();
    gw_ims_scene_ask(&s, GW_IMS_DATA_TERM);
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    gw_ims_scene_ask(&s, GW_IMS_DATA_TERM);
    gw_ims_scene_answer(&s, GW_IMS_DATA_DOWN); /* to the first or to the second? */
    expect("", SET_UP "7 answers 6; 9 answers 8?; ");
    start_open();
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    gw_ims_scene_ask(&s, GW_IMS_DATA_TERM);
    gw_ims_scene_answer(&s, GW_IMS_STAT_DOWN); /* again: it was removed before */
    gw_ims_scene_answer(&s, GW_IMS_DATA_DOWN);
    expect("B8@9 ", SET_UP "6 answers 5; 8 repeats 5; 9 answers 7; ");
}

/* What took the Worker off the list once comes again when it is on it again. */
static void a_removal_that_comes_twice_may_be_one(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_answer(&s, GW_IMS_STAT_DOWN);
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
    gw_ims_scene_write(&s, 0, 64);
    expect("", SET_UP "6 answers 5; 8 answers 7; 9 repeats 5; 11 answers 10; 0 unanswered 12; ");
    start_open(); /* or late */
    gw_ims_scene_ask(&s, GW_IMS_STAT_TERM);
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_answer(&s, GW_IMS_STAT_DOWN);
    gw_ims_scene_ask(&s, GW_IMS_DATA_REQ);
    assert_string_equal(s.rules, "");
    start_open(); /* whose answer is missing */
    gw_ims_scene_ask(&s, GW_IMS_STAT_TERM);
    gw_ims_scene_ask(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_answer(&s, GW_IMS_STAT_DOWN);
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
    assert_string_equal(s.rules, "");
    start_open(); /* unasked */
    gw_ims_scene_answer(&s, GW_IMS_STAT_DOWN);
    gw_ims_scene_ask(&s, GW_IMS_DATA_REQ);
    assert_string_equal(s.rules, "W2@6 ");
    start_open(); /* and asked again */
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    gw_ims_scene_ask(&s, GW_IMS_DATA_REQ);
    assert_string_equal(s.rules, "W2@11 ");
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
        cmocka_unit_test(a_registration_that_goes_elsewhere_changes_nothing),
        cmocka_unit_test(registrations_that_wait_together_are_not_told_apart),
        cmocka_unit_test(nothing_is_owed_where_nobody_answers),
        cmocka_unit_test(odd_requests_may_be_passed_over),
        cmocka_unit_test(odd_answers_may_be_passed_over),
        cmocka_unit_test(a_channel_is_owed_when_one_is_free),
        cmocka_unit_test(ends_are_owed_an_answer_once),
        cmocka_unit_test(a_channel_has_one_owner),
        cmocka_unit_test(lids_of_native_links_are_compared),
        cmocka_unit_test(foreign_keys_are_not_answered),
        cmocka_unit_test(strangers_are_not_answered),
        cmocka_unit_test(a_removal_that_comes_twice_may_be_one),
        cmocka_unit_test(what_was_overtaken_is_no_answer_to_a_stranger),
        cmocka_unit_test(requests_come_in_order),
        cmocka_unit_test(versions_are_told_and_judged),
        cmocka_unit_test(silence_is_noticed),
        cmocka_unit_test(lanes_are_not_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
