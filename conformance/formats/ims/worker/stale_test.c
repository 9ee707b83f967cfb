/* SPDX-License-Identifier: BSD-2-Clause */
/* A Worker that says the same for ever is not listened to for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "run/run.h"
#include "run/testing/between_testing.h"

/* A way that repeats what came as number |from|, and nothing else after it. */
typedef struct repeating {
    unsigned from;
    unsigned heard; /* before that */
    size_t len;
    uint8_t data[65536];
} repeating;

static gw_recv_status recv_again(between_connection *conn, uint8_t *buf, size_t cap, size_t *len,
                                 int64_t deadline, int64_t *stamp_ns, gw_endpoint *end)
{
    repeating *r = conn->way->arg;
    gw_transport *inner = conn->inner;
    if (r->heard == r->from) {
        inner->ops->wait(inner, inner->ops->now(inner) + 1000);
        *len = r->len;
        *end = conn->t.remote;
        *stamp_ns = inner->ops->now(inner);
        memcpy(buf, r->data, r->len);
        return GW_RECV_DATA;
    }
    gw_recv_status status = inner->ops->recv(inner, buf, cap, len, deadline, stamp_ns, end);
    if (status == GW_RECV_DATA && ++r->heard == r->from) {
        r->len = *len;
        memcpy(r->data, buf, *len);
    }
    return status;
}

/* Runs two cases on a Worker whose packet |from| comes again and again. */
static void hear_again(unsigned from)
{
    static repeating way;
    char why[256];
    gw_run run;
    const gw_suite *suite = gw_suite_by_role("ims-worker");
    const gw_case *cases[] = {
        gw_suite_case(suite, "ims-w/register"), gw_suite_case(suite, "ims-w/version"),
        gw_suite_case(suite, "ims-w/arbitrary-fields"), gw_suite_case(suite, "ims-w/nack")};
    gw_dut *dut = gw_dut_in_memory(gw_board_by_role("ims-worker"), NULL, false, why, sizeof(why));
    assert_non_null(dut);
    way = (repeating){.from = from};
    between again = {.recv = recv_again, .arg = &way};
    between_lay(&again, gw_dut_target(dut));
    gw_run_setup setup = {.suite = suite,
                          .board = gw_builtin_board("ims-worker"),
                          .target = &again.target,
                          .cases = cases,
                          .num_cases = GW_ARRAY_LEN(cases)};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    assert_int_equal(run.results[0].verdict, GW_PASS);
    assert_non_null(strstr(run.results[1].notes, "says the same over and over"));
    for (size_t i = 0; i < run.num_results; i++)
        assert_int_not_equal(run.results[i].verdict, GW_FAIL);
    if (from <= 2)
        assert_non_null(strstr(run.results[3].text, "is not heard again"));
    gw_run_free(&run);
    gw_dut_close(dut);
}

/* Its registration, its request for a channel, and packets of a frame. What comes twice blames
 * nobody. */
static void who_says_the_same_for_ever_is_not_heard_for_ever(void **state)
{
    (void)state;
    for (unsigned from = 1; from <= 4; from++)
        hear_again(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_says_the_same_for_ever_is_not_heard_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
