/* SPDX-License-Identifier: BSD-2-Clause */
/* The software IMS Worker: frames, what their responses mean, and losses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats/ims/worker/board_testing.h"

static void expect_pattern(const pair *b, size_t len)
{
    uint8_t *due = malloc(len);
    assert_non_null(due);
    gw_ims_pattern(0, due, len);
    assert_memory_equal(b->memory, due, len);
    free(due);
}

/* ---- streaming ---- */

static void streams_all_it_has(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    acknowledge_the_rest(b, 0);
    assert_int_equal(b->p.bth.dest_qp, QPND);
    assert_int_equal(b->p.bth.psn, (small.psn + 31) & GW_IB_NUMBER_MASK);
    assert_int_equal(b->p.payload_sent, 128);
    close_channel(b);
    assert_true(content(b));
    expect_pattern(b, small.size);
    end(b);
}

static void keeps_several_frames_outstanding(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    for (unsigned i = 0; i < small.outstanding; i++)
        assert_int_equal(take_frame(b), frame_at(i));
    assert_false(hear_within(b, 20 * MS));
    respond(b, frame_at(1), 0); /* in any order */
    assert_int_equal(take_frame(b), frame_at(3));
    assert_false(hear_within(b, 20 * MS));
    end(b);
}

/* The first packet of a frame has 60 bytes of headers. */
static void packets_are_as_long_as_the_path_carries(void **state)
{
    static const struct {
        uint32_t mtu;
        uint32_t told;
        uint32_t size;
    } paths[] = {{0, 4096, 4096},    {4156, 4096, 4096}, {4155, 4096, 2048}, {1500, 4096, 1024},
                 {1500, 1024, 1024}, {1500, 960, 960},   {576, 4096, 512},   {576, 64, 64}};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(paths); i++) {
        gw_ims_worker_setup setup = small;
        setup.size = setup.frame = 2 * 4096;
        setup.packet = paths[i].told;
        pair *b = begin_over(&setup, NULL, &(gw_impairment){.mtu = paths[i].mtu});
        open_channel(b);
        assert_true(hear_within(b, SECOND));
        assert_int_equal(b->p.payload_sent, paths[i].size);
        end(b);
    }
}

static void needs_the_queue_pair_where_the_buffer_only_echoes(void **state)
{
    (void)state;
    pair *b = begin(&small, "qpnd-echo");
    expect_request(b, GW_IMS_STAT_REQ);
    answer(b, GW_IMS_STAT_RES);
    expect_request(b, GW_IMS_DATA_REQ);
    gw_ims_status echo = status_of(GW_IMS_DATA_RES);
    echo.key = small.qpnd;
    say_status(b, &echo);
    take_frame(b);
    assert_int_equal(b->p.bth.dest_qp, small.buffer_qpnd);
    end(b);
}

/* Every seventh packet, of either side, is lost; packets of a frame that lacks some, too. */
static void survives_losses(void **state)
{
    gw_ims_worker_setup patient = small;
    unsigned count = 0;
    unsigned frames = 0;
    bool whole = false;
    (void)state;
    patient.tries = 100;
    patient.size = UINT64_C(64) * 1024;
    pair *b = begin(&patient, NULL);
    while (hear_within(b, 10 * SECOND)) {
        if (++count % 7 == 0)
            whole = whole && b->p.kind != GW_IMS_IS_DATA;
        else if (b->p.kind == GW_IMS_IS_STATUS && ++count % 7 != 0)
            answer(b, b->p.status.method | GW_IMS_RESPONSE);
        else if (b->p.kind == GW_IMS_IS_DATA && (whole = whole || b->p.first) && store(b)) {
            frames++;
            if (++count % 7 != 0)
                respond(b, b->va, 0);
        }
    }
    assert_true(gw_mem_done(b->mem));
    assert_true(content(b));
    assert_uint_in_range(frames, 65, 1000);
    assert_true(worker(b)->resent > 0);
    expect_pattern(b, patient.size);
    end(b);
}

/* ---- responses ---- */

static void sends_refused_frames_again(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    for (unsigned bit = 0; bit < GW_IMS_NUM_EVENTS; bit++) {
        uint32_t events = 1u << bit;
        if ((events & (GW_IMS_FATAL | GW_IMS_OUTSIDE_WINDOW)) != 0)
            continue;
        end(b);
        b = begin(&small, NULL);
        open_channel(b);
        assert_int_equal(take_frame(b), frame_at(0));
        respond(b, (events & GW_IMS_NO_START) != 0 ? 0 : frame_at(0), events);
        take_up_to(b, frame_at(0));
    }
    end(b);
}

/* Before revision 1.1 events are a code; before 1.0 there is half an address. */
static void knows_older_revisions(void **state)
{
    static const char *const dialects[] = {"v1-0", "v0-0"};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(dialects); i++) {
        gw_ims_status stat_res = status_of(GW_IMS_STAT_RES);
        gw_ims_status data_res = status_of(GW_IMS_DATA_RES);
        uint64_t mask = i == 0 ? UINT64_MAX : UINT32_MAX;
        stat_res.major = data_res.major = i == 0;
        stat_res.minor = data_res.minor = 0;
        pair *b = begin(&small, dialects[i]);
        expect_request(b, GW_IMS_STAT_REQ);
        assert_int_equal(b->p.status.major, stat_res.major);
        assert_int_equal(b->p.status.minor, 0);
        say_status(b, &stat_res);
        expect_request(b, GW_IMS_DATA_REQ);
        say_status(b, &data_res);
        take_frame(b);
        respond(b, frame_at(0) & mask, GW_IMS_INVALID_RKEY); /* or whatever 8 may be */
        take_up_to(b, frame_at(0));
        for (unsigned k = 0; k < 3; k++)
            respond(b, frame_at(k) & mask, 0);
        assert_int_equal(take_frame(b), frame_at(3));
        end(b);
    }
}

static void waits_outside_the_window(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    assert_int_equal(take_frame(b), frame_at(0));
    int64_t refused = b->t->ops->now(b->t);
    respond(b, frame_at(0), GW_IMS_OUTSIDE_WINDOW | GW_IMS_OUT_OF_SEQUENCE);
    for (unsigned i = 1; i < 3; i++)
        respond(b, take_frame(b), 0);
    for (;;) {
        uint64_t va = take_frame(b);
        if (va == frame_at(0))
            break;
        respond(b, va, 0);
    }
    assert_uint_in_range(b->t->ops->now(b->t) - refused, small.wait_ns, small.wait_ns + 3 * MS);
    end(b);
}

static void stops_when_nothing_helps(void **state)
{
    static const uint32_t events[] = {GW_IMS_INVALID_RKEY, GW_IMS_INVALID_VA,
                                      GW_IMS_INVALID_VA | GW_IMS_OUTSIDE_WINDOW};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(events); i++) {
        pair *b = begin(&small, NULL);
        open_channel(b);
        assert_int_equal(take_frame(b), frame_at(0));
        respond(b, frame_at(0), events[i]);
        bool last = true;
        for (;;) {
            assert_true(hear_within(b, 10 * SECOND));
            if (b->p.kind != GW_IMS_IS_DATA)
                break;
            last = store(b);
            assert_true(b->va != frame_at(0));
        }
        assert_true(last); /* nothing is left half sent */
        assert_int_equal(b->p.status.method, GW_IMS_DATA_TERM);
        assert_false(content(b));
        end(b);
    }
}

static void old_acks_prove_nothing(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    assert_int_equal(take_frame(b), frame_at(0));
    respond(b, frame_at(0), GW_IMS_PARITY);
    respond(b, frame_at(0), 0); /* cannot be about the frame as it will be sent */
    take_up_to(b, frame_at(0));
    respond(b, frame_at(0), 0);
    respond(b, frame_at(0), 0);
    respond(b, frame_at(1), 0);
    respond(b, frame_at(2), 0);
    respond(b, frame_at(77), 0);
    acknowledge_the_rest(b, 3);
    close_channel(b);
    assert_true(content(b));
    assert_int_equal(worker(b)->resent, 1);
    end(b);
}

/* The ACK of the first sending comes when the frame is already on its way again. */
static void a_late_ack_counts(void **state)
{
    (void)state;
    gw_ims_worker_setup one = small;
    one.outstanding = 1;
    one.burst = 1;
    one.gap_ns = MS;
    pair *b = begin(&one, NULL);
    open_channel(b);
    assert_int_equal(take_frame(b), frame_at(0));
    assert_true(hear_within(b, 10 * SECOND)); /* the first packet of the second sending */
    assert_true(b->p.first);
    respond(b, frame_at(0), 0);
    for (unsigned i = 0; i < 3; i++)
        assert_true(hear_within(b, 10 * SECOND));
    assert_true(b->p.last); /* all of it, for half a frame is an error */
    assert_int_equal(take_frame(b), frame_at(1));
    end(b);
}

/* An ACK before the last packet is nonsense. */
static void an_early_ack_does_not_count(void **state)
{
    (void)state;
    gw_ims_worker_setup one = small;
    one.outstanding = 1;
    one.burst = 1;
    one.gap_ns = MS;
    pair *b = begin(&one, NULL);
    open_channel(b);
    assert_true(hear_within(b, 10 * SECOND));
    assert_false(store(b));
    respond(b, frame_at(0), 0);
    assert_int_equal(take_frame(b), frame_at(0));
    assert_int_equal(take_frame(b), frame_at(0));
    end(b);
}

static void gives_up_and_takes_its_leave(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    unsigned times = 0;
    open_channel(b);
    for (;;) {
        assert_true(hear_within(b, 10 * SECOND));
        if (b->p.kind == GW_IMS_IS_STATUS)
            break;
        times += store(b) && b->va == frame_at(0);
    }
    assert_int_equal(times, small.tries);
    assert_int_equal(b->p.status.method, GW_IMS_DATA_TERM);
    answer(b, GW_IMS_DATA_DOWN);
    expect_request(b, GW_IMS_STAT_TERM);
    answer(b, GW_IMS_STAT_DOWN);
    assert_true(gw_mem_done(b->mem));
    assert_false(content(b));
    end(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_all_it_has),
        cmocka_unit_test(packets_are_as_long_as_the_path_carries),
        cmocka_unit_test(keeps_several_frames_outstanding),
        cmocka_unit_test(needs_the_queue_pair_where_the_buffer_only_echoes),
        cmocka_unit_test(survives_losses),
        cmocka_unit_test(sends_refused_frames_again),
        cmocka_unit_test(knows_older_revisions),
        cmocka_unit_test(waits_outside_the_window),
        cmocka_unit_test(stops_when_nothing_helps),
        cmocka_unit_test(old_acks_prove_nothing),
        cmocka_unit_test(a_late_ack_counts),
        cmocka_unit_test(an_early_ack_does_not_count),
        cmocka_unit_test(gives_up_and_takes_its_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
