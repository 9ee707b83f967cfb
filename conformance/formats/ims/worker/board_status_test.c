/* SPDX-License-Identifier: BSD-2-Clause */
/* The software IMS Worker: registration, versions, and how it ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formats/ims/worker/board_testing.h"

static void repeats_requests_and_gives_up(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    for (unsigned i = 0; i < small.status_tries; i++)
        expect_request(b, GW_IMS_STAT_REQ);
    assert_false(hear_within(b, 10 * SECOND));
    assert_true(gw_mem_done(b->mem));
    assert_false(content(b));
    end(b);

    b = begin(&small, NULL);
    expect_request(b, GW_IMS_STAT_REQ);
    answer(b, GW_IMS_STAT_RES);
    for (unsigned i = 0; i < small.status_tries; i++)
        expect_request(b, GW_IMS_DATA_REQ);
    expect_request(b, GW_IMS_STAT_TERM);
    end(b);
}

/* Who is off the list gets no answer, so a lost STAT_DOWN must not matter. */
static void takes_silence_for_goodbye(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    acknowledge_the_rest(b, 0);
    for (unsigned i = 0; i < small.status_tries; i++)
        expect_request(b, GW_IMS_DATA_TERM);
    for (unsigned i = 0; i < small.status_tries; i++)
        expect_request(b, GW_IMS_STAT_TERM);
    assert_false(hear_within(b, 10 * SECOND));
    assert_true(gw_mem_done(b->mem));
    assert_true(content(b));
    end(b);
}

static void judges_the_version(void **state)
{
    static const struct {
        uint8_t registered, opened;
        bool streams;
    } versions[] = {{1, 1, true}, {0, 1, true}, {1, 0, true}, {0, 0, false}, {2, 1, false}};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(versions); i++) {
        gw_ims_status stat_res = status_of(GW_IMS_STAT_RES);
        gw_ims_status data_res = status_of(GW_IMS_DATA_RES);
        stat_res.major = versions[i].registered;
        data_res.major = versions[i].opened;
        pair *b = begin(&small, NULL);
        expect_request(b, GW_IMS_STAT_REQ);
        say_status(b, &stat_res);
        if (versions[i].registered > 1) {
            expect_request(b, GW_IMS_STAT_TERM);
        } else {
            expect_request(b, GW_IMS_DATA_REQ);
            say_status(b, &data_res);
            if (versions[i].streams)
                assert_int_equal(take_frame(b), frame_at(0));
            else
                expect_request(b, GW_IMS_DATA_TERM);
        }
        end(b);
    }
}

static void refuses_impossible_memory(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        gw_ims_status res = status_of(GW_IMS_DATA_RES);
        if (i == 0)
            res.va = BASE + 32;
        else if (i == 1)
            res.va = UINT64_MAX - 63;
        else
            res.key = 1;
        pair *b = begin(&small, NULL);
        expect_request(b, GW_IMS_STAT_REQ);
        answer(b, GW_IMS_STAT_RES);
        expect_request(b, GW_IMS_DATA_REQ);
        say_status(b, &res);
        close_channel(b);
        assert_false(content(b));
        end(b);
    }
}

static void obeys_a_buffer_that_hangs_up(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    take_frame(b);
    answer(b, GW_IMS_DATA_DOWN);
    skip_data(b);
    assert_int_equal(b->p.status.method, GW_IMS_STAT_TERM);
    answer(b, GW_IMS_STAT_DOWN);
    assert_true(gw_mem_done(b->mem));
    assert_false(content(b));
    end(b);

    b = begin(&small, NULL);
    open_channel(b);
    take_frame(b);
    answer(b, GW_IMS_STAT_DOWN);
    assert_true(gw_mem_done(b->mem));
    assert_false(content(b));
    end(b);
}

static void ignores_what_is_not_for_it(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    expect_request(b, GW_IMS_STAT_REQ);
    gw_ims_status status = status_of(GW_IMS_STAT_RES);
    gw_ims_status other = status;
    other.lid ^= 1;
    say_status(b, &other);
    other = status;
    other.qpn |= 0x01000000; /* the same in 24 bits */
    say_status(b, &other);
    gw_ims_draft draft = gw_ims_draft_status(small.qpn, small.buffer_qpn, small.qkey, 0, &status);
    draft.deth.qkey ^= 1;
    say(b, &draft);
    draft = gw_ims_draft_status(small.qpn + 1, small.buffer_qpn, small.qkey, 0, &status);
    say(b, &draft);
    answer(b, GW_IMS_DATA_RES); /* too early */
    answer(b, GW_IMS_DATA_DOWN);
    answer(b, GW_IMS_DATA_REQ); /* only a Worker says that */
    uint8_t bytes[GW_IB_PACKET_MAX];
    draft = gw_ims_draft_status(small.qpn, small.buffer_qpn, small.qkey, 0, &status);
    size_t len =
        gw_ims_build_datagram(bytes, sizeof(bytes), &draft, NULL, &b->t->local, &b->t->remote);
    for (size_t cut = 0; cut < len; cut++)
        assert_true(b->t->ops->send(b->t, bytes, cut));
    bytes[len - 1] ^= 0x10;
    assert_true(b->t->ops->send(b->t, bytes, len));
    assert_int_equal(worker(b)->phase, WORKER_REGISTERING);
    answer(b, GW_IMS_STAT_RES);
    expect_request(b, GW_IMS_DATA_REQ);
    end(b);
}

static void reports_a_buffer_that_moves(void **state)
{
    (void)state;
    pair *b = begin(&small, NULL);
    open_channel(b);
    answer(b, GW_IMS_DATA_RES); /* once more the same */
    gw_ims_status moved = status_of(GW_IMS_DATA_RES);
    moved.va += 64;
    say_status(b, &moved);
    acknowledge_the_rest(b, 0);
    close_channel(b);
    assert_false(content(b));
    end(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeats_requests_and_gives_up),
        cmocka_unit_test(takes_silence_for_goodbye),
        cmocka_unit_test(judges_the_version),
        cmocka_unit_test(refuses_impossible_memory),
        cmocka_unit_test(obeys_a_buffer_that_hangs_up),
        cmocka_unit_test(ignores_what_is_not_for_it),
        cmocka_unit_test(reports_a_buffer_that_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
