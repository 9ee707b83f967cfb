/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames, responses and images: each rule that a conversation shows, broken once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "goldwire/writer.h"
#include "ims/testing/session_scene.h"

/* ---- frames ---- */

static void nothing_is_written_before_or_after(void **state)
{
    (void)state;
    start_as("strict");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_write(&s, 0, 64);
    expect("W4@3 ", "2 answers 1; 0 unanswered 3; ");
    /* At first it may have been overtaken by what was sent behind it. */
    static const struct {
        int64_t after_ns;
        bool lossless;
        const char *rules;
    } frames[] = {
        {0, false, "B11@8 "}, {0, true, "W22@7 B11@8 "}, {SCENE_GIVE_UP_NS, false, "W22@7 B11@8 "}};
    for (size_t i = 0; i < GW_ARRAY_LEN(frames); i++) {
        start_open();
        s.now_ns += INT64_C(3) * SCENE_GIVE_UP_NS; /* it is open for long */
        if (frames[i].lossless)
            gw_ims_session.lossless(s.memory);
        gw_ims_scene_exchange(&s, GW_IMS_DATA_TERM);
        s.now_ns += frames[i].after_ns;
        gw_ims_scene_write(&s, 0, 64);
        gw_ims_scene_ack(&s, 0);
        expect(frames[i].rules, SET_UP "6 answers 5; 8 answers 7; ");
    }
    start_open(); /* it was removed */
    s.now_ns += INT64_C(3) * SCENE_GIVE_UP_NS;
    gw_ims_scene_answer(&s, GW_IMS_STAT_DOWN);
    gw_ims_scene_write(&s, 0, 64);
    s.now_ns += SCENE_GIVE_UP_NS;
    gw_ims_scene_write(&s, 64, 64);
    assert_string_equal(s.rules, "W22@7 ");
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
    gw_ims_session.lossless(s.memory);
    gw_ims_scene_write(&s, 64, 64);
    gw_ims_scene_ack(&s, 64);
    expect("W5@5 ", SET_UP "6 answers 5; ");
}

/* Frames before the first that is seen may have got lost whole: they come again, each at its own
 * place. */
static void the_first_that_is_seen_may_be_a_later_one(void **state)
{
    static const struct {
        int64_t at;
        const char *rules;
    } firsts[] = {
        {64, ""}, {64000, ""}, {-64, "W5@5 "}, {32, "W5@5 "}, {(int64_t)GW_IMS_RING, "W5@5 "}};

    (void)state;
    start_open();
    gw_ims_scene_write(&s, 64, 64);
    gw_ims_scene_ack(&s, 64);
    gw_ims_scene_write(&s, 128, 64);
    gw_ims_scene_ack(&s, 128);
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_write(&s, 192, 64);
    gw_ims_scene_ack(&s, 192);
    assert_string_equal(s.rules, "");
    gw_ims_scene_write(&s, 320, 64); /* and no more than there was room for */
    assert_string_equal(s.rules, "W11@13 ");
    for (size_t i = 0; i < GW_ARRAY_LEN(firsts); i++) {
        start_open();
        gw_ims_scene_write(&s, (uint64_t)firsts[i].at, 64);
        assert_string_equal(s.rules, firsts[i].rules);
    }
}

/* A Worker that has its answer goes by it, or by the one that nobody asked for. */
static void of_two_answers_either_may_be_heeded(void **state)
{
    (void)state;
    for (uint64_t key = 0; key < 2; key++) {
        start_open();
        gw_ims_scene_grant(&s, SCENE_DATA_QP, 64, SCENE_RKEY + 1);
        s.rkey += (uint32_t)key;
        gw_ims_scene_write(&s, key * 64, 64);
        gw_ims_scene_ack(&s, key * 64);
        expect("", SET_UP "5 repeats 3; 7 answers 6; ");
    }
}

/* A frame that a new channel leaves without its end is not that channel's. */
static void a_frame_under_way_is_the_old_channels(void **state)
{
    static const uint8_t data[64];

    (void)state;
    start_open();
    gw_ims_scene_piece(&s, 64, 128, 0, data, 64);
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    gw_ims_scene_set_up(&s);
    s.rules[0] = '\0';
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_write(&s, 64, 64);
    gw_ims_scene_write(&s, 128, 64);
    assert_null(strstr(s.rules, "W11"));
}

/* A new channel's responses are not those to what was written before it. */
static void a_new_channel_answers_no_earlier_frame(void **state)
{
    (void)state;
    start_as("strict");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    s.rkey++;
    gw_ims_scene_write(&s, 0, 64); /* with a key that a response would have to tell */
    s.rkey--;
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
    gw_ims_scene_ack(&s, 0);
    expect("W4@3 ", "2 answers 1; 5 answers 4; 6 unsolicited 0; 0 unanswered 3; ");
}

/* A buffer that names another Worker may mean this one, whose answer may come again then. */
static void an_answer_again_begins_no_new_channel(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    s.status.lid++;
    gw_ims_scene_answer(&s, GW_IMS_STAT_RES);
    s.status.lid--;
    gw_ims_scene_answer(&s, GW_IMS_DATA_RES);
    gw_ims_scene_write(&s, 64, 64);
    gw_ims_scene_ack(&s, 64);
    expect("B5@7 ", SET_UP "6 answers 5; 7 repeats 1; 8 repeats 3; 10 answers 9; ");
    start_open();
    s.status.lid++;
    gw_ims_scene_answer(&s, GW_IMS_DATA_RES);
    s.status.lid--;
    gw_ims_scene_answer(&s, GW_IMS_STAT_RES);
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    expect("B5@5 ", SET_UP "5 repeats 3; 6 repeats 1; 8 answers 7; ");
}

static void a_buffer_may_repeat_the_workers_queue_pair(void **state)
{
    (void)state;
    start_as("qpnd-echo");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_ask(&s, GW_IMS_DATA_REQ);
    gw_ims_scene_grant(&s, SCENE_DATA_QP, 0, SCENE_RKEY);
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

/* Sends those of a frame's |num| packets that |seen| tells: bit 0 the first. */
static void write_seen(uint64_t at, uint32_t num, unsigned seen)
{
    static const uint8_t data[64];
    for (uint32_t i = 0; i < num; i++) {
        if ((seen >> i & 1) != 0)
            gw_ims_scene_piece(&s, at, num * sizeof data, i * (uint32_t)sizeof data, data,
                               sizeof data);
        else
            s.psn[0]++;
    }
}

static void write_two(uint64_t at, unsigned seen)
{
    write_seen(at, 2, seen);
}

/* A frame whose start was missed was one as well: the next one does not begin where the one before
 * it ended, and it comes again at its own place. */
static void a_frame_whose_start_was_missed_was_one(void **state)
{
    (void)state;
    start_open();
    write_two(0, 2);
    write_two(128, 3);
    write_two(0, 3); /* comes again */
    write_two(256, 2);
    write_two(384, 3);
    write_two(256, 3);
    write_two(512, 1); /* the end is missing, and the start of the next one */
    write_two(640, 2);
    write_two(768, 3);
    assert_string_equal(s.rules, "");
    write_two(1024, 3);
    assert_string_equal(s.rules, "W11@19 ");
    start_open(); /* what was seen comes again, behind what was not */
    write_two(0, 3);
    write_two(128, 2);
    write_two(0, 3);
    write_two(256, 3);
    assert_string_equal(s.rules, "");
    start_open(); /* within one frame */
    write_seen(0, 3, 5);
    write_seen(192, 3, 7);
    write_seen(64, 3, 7);
    assert_string_equal(s.rules, "W11@10 ");
    start_as("strict"); /* a capture that begins later */
    write_two(512, 3);
    write_two(640, 2);
    write_two(0, 3);
    write_two(768, 3);
    assert_string_equal(s.rules, "");
    start_open(); /* of another channel nothing was missed */
    write_two(0, 3);
    write_two(128, 2);
    write_two(256, 3);
    write_two(384, 2);
    gw_ims_scene_exchange(&s, GW_IMS_DATA_TERM);
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
    write_two(0, 3);
    write_two(192, 3);
    assert_string_equal(s.rules, "W11@17 ");
    start_open();
    gw_ims_session.lossless(s.memory);
    write_two(0, 2);
    gw_ims_scene_exchange(&s, GW_IMS_DATA_TERM);
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
    write_two(128, 3);
    assert_string_equal(s.rules, "W5@10 ");
}

/* A start that was missed may have been that of a new frame, however many come again meanwhile; and
 * a Worker leaves out no more than that. */
static void as_many_frames_as_began_unseen_are_left_out(void **state)
{
    (void)state;
    start_open();
    write_two(0, 3);
    write_two(128, 2);
    write_two(256, 2);
    write_two(0, 3); /* comes again, and so does what was missed first */
    write_two(128, 3);
    write_two(384, 3);
    write_two(256, 3);
    assert_string_equal(s.rules, "");
    write_two(640, 3); /* two were missed, and one is accounted for */
    assert_string_equal(s.rules, "");
    write_two(896, 3);
    assert_string_equal(s.rules, "W11@19 ");
    start_open(); /* what was missed makes no other addresses */
    write_two(0, 3);
    write_two(128, 2);
    write_two(0, 3);
    write_two(192, 3);
    assert_string_equal(s.rules, "W11@10 ");
    start_open(); /* packets of one frame are no other one */
    write_seen(0, 4, 9);
    write_seen(512, 4, 15);
    assert_string_equal(s.rules, "W11@7 ");
}

/* What was sent before the capture began may come again in it. */
static void a_capture_may_begin_between_frames_that_come_again(void **state)
{
    (void)state;
    start_as("strict");
    write_two(512, 3);
    write_two(0, 3);   /* had got lost before */
    write_two(768, 3); /* and what is between, the first of all as well */
    assert_string_equal(s.rules, "");
    write_two(960, 3);
    assert_string_equal(s.rules, "W11@7 ");
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

/* The packet that is wrong may be the one that did not come. */
static void packets_that_were_lost_are_not_told_of(void **state)
{
    static const struct {
        bool another; /* frame comes before the response */
        uint32_t events;
        const char *rules;
    } told[] = {
        {false, GW_IMS_OUT_OF_SEQUENCE | GW_IMS_PARITY, "W30@5 "},
        {true, GW_IMS_OUT_OF_SEQUENCE | GW_IMS_FRAME_LENGTH, "W30@5 "},
        {true, GW_IMS_FRAME_LENGTH,
         "W30@5 "}, /* its end, and the next start shows nothing missing */
        {false, GW_IMS_FRAME_LENGTH, "W30@5 B23@7 "},
        {true, GW_IMS_PARITY, "W30@5 B22@8 B23@8 "},
        {false, GW_IMS_PACKET_LENGTH, "W30@5 B22@7 "},
    };
    static const uint8_t data[64];

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(told); i++) {
        start_open();
        gw_ims_scene_piece(&s, 0, 128, 0, data, 64);
        gw_ims_scene_piece(&s, 0, 128, 96, data, 32);
        if (told[i].another)
            gw_ims_scene_write(&s, 128, 64);
        gw_ims_scene_respond(&s, told[i].events, SCENE_VA);
        assert_string_equal(s.rules, told[i].rules);
    }
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
}

/* Frames |from| to |to| - 1 are refused with |events|, once each. */
static void refuse(unsigned from, unsigned to, uint32_t events)
{
    for (uint64_t at = from * UINT64_C(64); at < to * UINT64_C(64); at += 64) {
        gw_ims_scene_write(&s, at, 64);
        gw_ims_scene_respond(&s, events, SCENE_VA + at);
    }
}

static void end_later(void)
{
    s.now_ns += SCENE_GIVE_UP_NS;
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
}

/* A NACK may get lost, but not eight in a row. */
static void what_is_refused_comes_again(void **state)
{
    (void)state;
    start_open();
    refuse(0, 7, GW_IMS_PARITY);
    end_later();
    assert_string_equal(s.rules, "");
    start_open();
    refuse(0, 9, GW_IMS_PARITY);
    end_later();
    assert_string_equal(s.rules, "W14@19 W14@21 ");
    start_open(); /* nor one where nothing does */
    gw_ims_session.lossless(s.memory);
    refuse(0, 1, GW_IMS_PARITY);
    end_later();
    assert_string_equal(s.rules, "W14@5 ");
    start_open(); /* in two data channels */
    refuse(0, 4, GW_IMS_PARITY);
    s.now_ns += SCENE_GIVE_UP_NS;
    gw_ims_scene_exchange(&s, GW_IMS_DATA_TERM);
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
    refuse(0, 4, GW_IMS_PARITY);
    end_later();
    assert_string_equal(s.rules, "W14@23 ");
    start_open(); /* it heeds one, as often as it sends a frame */
    refuse(0, 7, GW_IMS_PARITY);
    refuse(7, 8, GW_IMS_PARITY);
    refuse(7, 8, GW_IMS_PARITY);
    refuse(8, 15, GW_IMS_PARITY);
    end_later();
    assert_string_equal(s.rules, "");
    start_open(); /* the end was on its way already */
    refuse(0, 9, GW_IMS_PARITY);
    gw_ims_scene_exchange(&s, GW_IMS_STAT_TERM);
    assert_string_equal(s.rules, "");
    start_open(); /* a window that does not move */
    refuse(0, 9, GW_IMS_OUTSIDE_WINDOW);
    end_later();
    assert_string_equal(s.rules, "");
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

/* Who listens at another queue pair is unknown: the response is to the frame that went where the
 * buffer said. */
static void a_frame_to_another_queue_pair_is_not_meant(void **state)
{
    static const uint8_t data[64];
    gw_ib_reth reth = {.va = SCENE_VA, .rkey = SCENE_RKEY, .length = 32};
    (void)state;
    start_open();
    gw_ims_draft d = gw_ims_draft_write(SCENE_BUFFER_QP + 1, 0, &reth, 0, data, sizeof data);
    gw_ims_scene_send(&s, &d, &s.worker, &s.buffer);
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    expect("W30@5 ", SET_UP "7 answers 6; 0 unanswered 5; ");
    start_open(); /* nor does a response have to name it when nothing else waits */
    reth.length = sizeof data;
    d = gw_ims_draft_write(SCENE_BUFFER_QP + 1, 0, &reth, 0, data, sizeof data);
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_send(&s, &d, &s.worker, &s.buffer);
    gw_ims_scene_ack(&s, 64);
    expect("", SET_UP "6 answers 5; 8 unsolicited 0; 0 unanswered 7; ");
}

/* The end may have got lost on its way to the buffer, until that confirms it. */
static void an_end_counts_when_it_is_confirmed(void **state)
{
    (void)state;
    start_open();
    gw_ims_session.lossless(s.memory);
    gw_ims_scene_ask(&s, GW_IMS_DATA_TERM);
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_answer(&s, GW_IMS_DATA_DOWN);
    expect("W22@6 ", SET_UP "7 answers 6; 8 answers 5; ");
}

/* A buffer need not take what has immediate data. */
static void what_is_in_doubt_is_held_against_nobody(void **state)
{
    static const uint8_t data[64];
    gw_ib_reth reth = {.va = SCENE_VA, .rkey = SCENE_RKEY + 1, .length = 64};
    (void)state;
    start_open();
    gw_ims_scene_piece(&s, 0, 128, 0, data, 64);
    gw_ims_draft d = gw_ims_draft_write(SCENE_BUFFER_QP, s.psn[0]++, &reth, 0, data, sizeof data);
    d.bth.opcode = GW_IB_UC_WRITE_ONLY_IMM;
    gw_ims_scene_send(&s, &d, &s.worker, &s.buffer);
    gw_ims_scene_piece(&s, 0, 128, 64, data, 64);
    gw_ims_scene_respond(&s, GW_IMS_OUT_OF_SEQUENCE, SCENE_VA);
    gw_ims_session.advance(s.memory, s.now_ns + SCENE_GIVE_UP_NS + 1, &s.sink);
    assert_null(strstr(s.rules, "B"));
}

/* Whether a receiver counts a packet that it got before, or later than its neighbours, is open. */
static void what_is_counted_twice_is_in_doubt(void **state)
{
    static const uint8_t data[64];
    (void)state;
    start_open();
    gw_ims_scene_piece(&s, 0, 192, 0, data, 64);
    s.psn[0]--;
    gw_ims_scene_piece(&s, 0, 192, 64, data, 64);
    gw_ims_scene_piece(&s, 0, 192, 128, data, 64);
    gw_ims_scene_respond(&s, GW_IMS_OUT_OF_SEQUENCE, SCENE_VA);
    expect("", SET_UP "8 answers 7; ");
}

/* A channel that is set up again takes on no frame in the middle. */
static void a_frame_may_break_off_with_its_channel(void **state)
{
    static const uint8_t data[64];
    (void)state;
    start_open();
    gw_ims_scene_piece(&s, 0, 128, 0, data, 64);
    gw_ims_scene_exchange(&s, GW_IMS_DATA_REQ);
    gw_ims_scene_piece(&s, 0, 128, 64, data, 64);
    gw_ims_scene_respond(&s, GW_IMS_NO_START, 0);
    gw_ims_session.advance(s.memory, s.now_ns + SCENE_GIVE_UP_NS + 1, &s.sink);
    assert_string_equal(s.rules, "");
}

/* A capture of one direction, or of two that are no buffer and no Worker. */
static void where_no_channel_was_seen_nothing_is_owed(void **state)
{
    (void)state;
    start_as("strict");
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_session.advance(s.memory, s.now_ns + SCENE_GIVE_UP_NS + 1, &s.sink);
    expect("", "0 unanswered 1; ");
}

/* A frame that comes again closes the hole, and what lies behind it was delivered as well. */
static void what_fills_a_hole_moves_the_window(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, GW_IMS_PARITY, SCENE_VA);
    gw_ims_scene_write(&s, 64, 64);
    gw_ims_scene_ack(&s, 64);
    gw_ims_scene_write(&s, 128, 64);
    gw_ims_scene_ack(&s, 128);
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0); /* 192 bytes */
    gw_ims_scene_write(&s, GW_IMS_RING + 128, 64);
    gw_ims_scene_ack(&s, GW_IMS_RING + 128);
    assert_null(strstr(s.rules, "B24"));
    gw_ims_scene_write(&s, GW_IMS_RING + 192, 64);
    gw_ims_scene_ack(&s, GW_IMS_RING + 192);
    assert_non_null(strstr(s.rules, "B24@16 "));
    start_open(); /* of two holes nobody keeps the second */
    gw_ims_scene_write(&s, 128, 64);
    gw_ims_scene_ack(&s, 128);
    gw_ims_scene_write(&s, 256, 64);
    gw_ims_scene_ack(&s, 256);
    gw_ims_scene_write(&s, GW_IMS_RING + 64, 64);
    gw_ims_scene_ack(&s, GW_IMS_RING + 64);
    assert_null(strstr(s.rules, "B24"));
}

/* The buffer may have seen the end of what is still on its way here. */
static void a_frame_on_its_way_may_be_answered(void **state)
{
    static const uint8_t data[64];
    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 128);
    gw_ims_scene_piece(&s, 128, 128, 0, data, 64);
    gw_ims_scene_respond(&s, GW_IMS_FRAME_LENGTH, SCENE_VA + 128);
    expect("", SET_UP "8 unsolicited 0; 0 unanswered 6; ");
}

/* What went to another queue pair waits for nothing, even alone. */
static void a_frame_to_another_queue_pair_waits_alone(void **state)
{
    static const uint8_t data[64];
    gw_ib_reth reth = {.va = SCENE_VA, .rkey = SCENE_RKEY, .length = sizeof data};
    (void)state;
    start_open();
    gw_ims_draft d = gw_ims_draft_write(SCENE_BUFFER_QP + 1, 0, &reth, 0, data, sizeof data);
    gw_ims_scene_send(&s, &d, &s.worker, &s.buffer);
    gw_ims_scene_ack(&s, 64); /* to what somebody else wrote */
    gw_ims_session.advance(s.memory, s.now_ns + SCENE_GIVE_UP_NS + 1, &s.sink);
    expect("", SET_UP "6 unsolicited 0; 0 unanswered 5; ");
}

/* A buffer may take what comes from elsewhere to a queue pair: then its responses are to that. */
static void what_two_write_to_is_held_against_nobody(void **state)
{
    static const uint8_t data[64];
    gw_ib_reth reth = {.va = SCENE_VA, .rkey = SCENE_RKEY, .length = sizeof data};
    gw_endpoint other = gw_ib_lid_endpoint(SCENE_LID + 1);
    (void)state;
    for (unsigned before = 0; before < 2; before++) {
        start_open();
        s.rkey++;
        if (before == 0)
            gw_ims_scene_write(&s, 0, 64); /* has a wrong key */
        gw_ims_draft d = gw_ims_draft_write(SCENE_BUFFER_QP, 0, &reth, 0, data, sizeof data);
        gw_ims_scene_send(&s, &d, &other, &s.buffer);
        if (before == 1)
            gw_ims_scene_write(&s, 0, 64);
        gw_ims_scene_ack(&s, 0); /* the other's */
        gw_ims_session.advance(s.memory, s.now_ns + SCENE_GIVE_UP_NS + 1, &s.sink);
        assert_string_equal(s.rules, before == 0 ? "W5@5 " : "W5@6 ");
    }
    start_open(); /* who has the queue pair anew has it alone */
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    s.worker = other;
    s.status.qpn++;
    s.dest_qp++;
    gw_ims_scene_set_up(&s);
    s.rkey++;
    s.psn[0] = 0;
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    assert_string_equal(s.rules, "W5@11 B20@12 ");
}

/* A buffer that was seen to name no queue pair may have had one for the Worker before: what
 * somebody else writes there is answered to the Worker. */
static void what_another_wrote_may_be_answered(void **state)
{
    static const uint8_t data[64];
    static const struct {
        uint64_t at;     /* where the other writes */
        uint32_t length; /* ... a frame, and 64 bytes of it */
        const char *rules;
    } writes[] = {{64, 64, ""}, {64, 128, ""}, {128, 64, "B17@5 "}};
    gw_endpoint other = gw_ib_lid_endpoint(SCENE_LID + 1);

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(writes); i++) {
        gw_ib_reth own = {.va = SCENE_VA, .rkey = SCENE_RKEY, .length = sizeof data};
        gw_ib_reth others = {.va = SCENE_VA + writes[i].at, .length = writes[i].length};
        start_as("strict");
        gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
        gw_ims_draft d = gw_ims_draft_write(SCENE_BUFFER_QP + 1, 0, &own, 0, data, sizeof data);
        gw_ims_scene_send(&s, &d, &s.worker, &s.buffer);
        d = gw_ims_draft_write(SCENE_BUFFER_QP, 0, &others, 0, data, sizeof data);
        gw_ims_scene_send(&s, &d, &other, &s.buffer);
        s.rules[0] = '\0'; /* what the Workers may not do */
        gw_ims_scene_ack(&s, 64);
        assert_string_equal(s.rules, writes[i].rules);
    }
    start_as("strict"); /* a packet that nothing began waits for a response as well */
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_piece(&s, 64, 192, 128, data, 64);
    gw_ib_reth others = {.va = SCENE_VA + 64, .length = sizeof data};
    gw_ims_draft d = gw_ims_draft_write(SCENE_BUFFER_QP + 1, 0, &others, 0, data, sizeof data);
    gw_ims_scene_send(&s, &d, &other, &s.buffer);
    s.rules[0] = '\0';
    gw_ims_scene_ack(&s, 64);
    assert_string_equal(s.rules, "");
}

/* It may be to what the Worker wrote to the queue pair that somebody else writes to, and not to
 * what it wrote elsewhere. */
static void what_two_write_to_may_be_the_channel(void **state)
{
    static const uint8_t data[64];
    gw_ib_reth reth = {.va = SCENE_VA + 8, .rkey = SCENE_RKEY, .length = sizeof data};
    gw_ib_reth others = {.va = SCENE_VA + 128, .rkey = SCENE_RKEY, .length = sizeof data};
    gw_endpoint other = gw_ib_lid_endpoint(SCENE_LID + 1);

    (void)state;
    start_as("strict");
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_draft d = gw_ims_draft_write(SCENE_BUFFER_QP, 0, &others, 0, data, sizeof data);
    gw_ims_scene_send(&s, &d, &other, &s.buffer);
    d = gw_ims_draft_write(SCENE_BUFFER_QP + 1, 0, &reth, 0, data, sizeof data);
    gw_ims_scene_send(&s, &d, &s.worker, &s.buffer);
    gw_ims_scene_write(&s, 256, 64);
    s.rules[0] = '\0'; /* what the Workers may not do */
    gw_ims_scene_ack(&s, 8);
    assert_string_equal(s.rules, "");
    start_as("strict"); /* nor is it to what nothing began there */
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    d = gw_ims_draft_write(SCENE_BUFFER_QP, 0, &others, 0, data, sizeof data);
    gw_ims_scene_send(&s, &d, &other, &s.buffer);
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    gw_ims_scene_piece(&s, 64, 192, 128, data, 64);
    s.rules[0] = '\0';
    gw_ims_scene_respond(&s, GW_IMS_FRAME_LENGTH, 0);
    assert_string_equal(s.rules, "");
}

/* Two at one address wait: which of them a response is to, nobody knows. */
static void a_response_is_to_either_at_its_address(void **state)
{
    (void)state;
    start_open();
    s.rkey++;
    gw_ims_scene_write(&s, 0, 64);
    s.rkey--;
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, GW_IMS_INVALID_RKEY, SCENE_VA);
    assert_string_equal(s.rules, "W5@5 ");
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    s.rkey++;
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_ack(&s, 0);
    assert_string_equal(s.rules, "W5@6 ");
}

/* What was answered waits no more; but a copy of it, which the path made, is answered as well. */
static void a_copy_is_answered_as_well(void **state)
{
    (void)state;
    for (uint8_t lossless = 0; lossless < 2; lossless++) {
        start_open();
        if (lossless != 0)
            gw_ims_session.lossless(s.memory);
        s.rkey++;
        gw_ims_scene_write(&s, 0, 64);
        gw_ims_scene_respond(&s, GW_IMS_INVALID_RKEY, SCENE_VA);
        s.rkey--;
        gw_ims_scene_write(&s, 0, 64);
        gw_ims_scene_respond(&s, GW_IMS_INVALID_RKEY, SCENE_VA);
        expect(lossless != 0 ? "W5@5 W16@7 B18@8 " : "W5@5 W16@7 ",
               SET_UP "6 answers 5; 8 answers 7; ");
    }
    start_open(); /* which was not so of the first either */
    s.rkey++;
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, GW_IMS_INVALID_RKEY, SCENE_VA);
    s.rkey--;
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_respond(&s, GW_IMS_INVALID_VA, SCENE_VA);
    expect("W5@5 W16@7 B18@8 ", SET_UP "6 answers 5; 8 answers 7; ");
}

/* A response that names no frame may be to any that waits. */
static void what_names_no_frame_may_be_the_answer(void **state)
{
    (void)state;
    start_open();
    gw_ims_scene_write(&s, 0, 64);
    gw_ims_scene_write(&s, 64, 64);
    gw_ims_scene_respond(&s, GW_IMS_NO_START, 0);
    gw_ims_scene_respond(&s, GW_IMS_NO_START, 0);
    gw_ims_session.advance(s.memory, s.now_ns + SCENE_GIVE_UP_NS + 1, &s.sink);
    assert_string_equal(s.rules, "");
}

/* A Worker need not take a response with immediate data for one. */
static void odd_responses_may_be_passed_over(void **state)
{
    gw_ims_ack ack = {.type = GW_IMS_TYPE_NACK, .events = GW_IMS_INVALID_VA, .va = SCENE_VA};
    (void)state;
    for (uint8_t imm = 0; imm < 2; imm++) {
        start_open();
        gw_ims_scene_write(&s, 0, 64);
        gw_ims_draft d = gw_ims_draft_ack(SCENE_DATA_QP, 0, &ack);
        d.bth.opcode = imm == 0 ? d.bth.opcode : GW_IB_UC_SEND_ONLY_IMM;
        gw_ims_scene_send(&s, &d, &s.buffer, &s.worker);
        gw_ims_scene_write(&s, 0, 64);
        gw_ims_scene_ack(&s, 0);
        expect(imm == 0 ? "B18@6 W16@7 " : "B18@6 ", SET_UP "6 answers 5; 8 answers 7; ");
    }
}

/* Two Workers of one host told the same queue pair: whose response it is, nobody can tell. */
static void responses_to_two_are_held_against_nobody(void **state)
{
    (void)state;
    start_open();
    s.status.qpn++;
    s.dest_qp++;
    gw_ims_scene_exchange(&s, GW_IMS_STAT_REQ);
    gw_ims_scene_ask(&s, GW_IMS_DATA_REQ);
    gw_ims_scene_grant(&s, SCENE_BUFFER_QP + 1, 0, SCENE_RKEY + 1);
    s.rkey += 2;
    gw_ims_scene_write(&s, 0, 64); /* a wrong key, to the first channel */
    static const uint8_t data[64];
    gw_ib_reth reth = {.va = SCENE_VA, .rkey = SCENE_RKEY + 1, .length = 64};
    gw_ims_draft d = gw_ims_draft_write(SCENE_BUFFER_QP + 1, 0, &reth, 0, data, sizeof data);
    gw_ims_scene_send(&s, &d, &s.worker, &s.buffer);
    gw_ims_scene_ack(&s, 0); /* the second's */
    gw_ims_scene_respond(&s, GW_IMS_INVALID_RKEY, SCENE_VA);
    assert_string_equal(s.rules, "W5@9 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_written_before_or_after),
        cmocka_unit_test(a_frame_under_way_is_the_old_channels),
        cmocka_unit_test(the_memory_is_what_the_buffer_gave),
        cmocka_unit_test(the_first_that_is_seen_may_be_a_later_one),
        cmocka_unit_test(of_two_answers_either_may_be_heeded),
        cmocka_unit_test(a_new_channel_answers_no_earlier_frame),
        cmocka_unit_test(an_answer_again_begins_no_new_channel),
        cmocka_unit_test(a_buffer_may_repeat_the_workers_queue_pair),
        cmocka_unit_test(frames_follow_each_other),
        cmocka_unit_test(a_frame_whose_start_was_missed_was_one),
        cmocka_unit_test(as_many_frames_as_began_unseen_are_left_out),
        cmocka_unit_test(a_capture_may_begin_between_frames_that_come_again),
        cmocka_unit_test(frames_are_of_one_size),
        cmocka_unit_test(packets_of_a_frame_are_of_one_size),
        cmocka_unit_test(frames_are_whole),
        cmocka_unit_test(a_frame_without_a_start_is_told),
        cmocka_unit_test(a_frame_to_another_queue_pair_is_not_meant),
        cmocka_unit_test(events_are_those_of_the_frame),
        cmocka_unit_test(packets_that_were_lost_are_not_told_of),
        cmocka_unit_test(responses_name_their_frame),
        cmocka_unit_test(frames_beyond_the_window_are_refused),
        cmocka_unit_test(every_frame_is_answered),
        cmocka_unit_test(workers_react),
        cmocka_unit_test(what_is_refused_comes_again),
        cmocka_unit_test(an_end_counts_when_it_is_confirmed),
        cmocka_unit_test(what_is_in_doubt_is_held_against_nobody),
        cmocka_unit_test(what_is_counted_twice_is_in_doubt),
        cmocka_unit_test(a_frame_may_break_off_with_its_channel),
        cmocka_unit_test(where_no_channel_was_seen_nothing_is_owed),
        cmocka_unit_test(what_fills_a_hole_moves_the_window),
        cmocka_unit_test(a_frame_on_its_way_may_be_answered),
        cmocka_unit_test(a_frame_to_another_queue_pair_waits_alone),
        cmocka_unit_test(what_two_write_to_is_held_against_nobody),
        cmocka_unit_test(what_another_wrote_may_be_answered),
        cmocka_unit_test(what_two_write_to_may_be_the_channel),
        cmocka_unit_test(a_response_is_to_either_at_its_address),
        cmocka_unit_test(a_copy_is_answered_as_well),
        cmocka_unit_test(what_names_no_frame_may_be_the_answer),
        cmocka_unit_test(odd_responses_may_be_passed_over),
        cmocka_unit_test(responses_to_two_are_held_against_nobody),
        cmocka_unit_test(images_are_judged_when_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
