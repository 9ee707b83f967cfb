/* SPDX-License-Identifier: BSD-2-Clause */
/* A board that dies of what a case sends last is silent, and silence is no success: whatever the
 * case waits for, it does not pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "run/run.h"
#include "run/select.h"
#include "run/testing/between_testing.h"

#define LAST 4        /* packets of a case that boards die of */
#define TAKE_NS 50000 /* more than a way to memory and back */

typedef struct board {
    between way; /* first */
    bool in_case;
    bool probed;      /* by a sign of life */
    unsigned sent;    /* by the case, signs of life aside */
    unsigned dies_of; /* the packet of this number, from 1; 0: none */
    size_t num_said;
    struct { /* before it died, and still on their way */
        const between_connection *conn;
        int64_t stamp_ns; /* when it came */
        size_t len;
        uint8_t bytes[4096];
    } answers[16];
} board;

static board b; /* under test */
static unsigned num_died;
static unsigned num_answers; /* that came after the death of who sent them */
static const gw_suite *judge;

static bool probe(gw_ctx *ctx, int64_t timeout_ns)
{
    b.probed = true;
    bool seen = judge->alive(ctx, timeout_ns);
    b.probed = false;
    return seen;
}

static void note_case(void *arg, size_t done, size_t total, const gw_case *next)
{
    (void)done;
    (void)total;
    (void)arg;
    b.in_case = next != NULL;
}

static bool note_end(void *arg, const gw_result *result, const gw_evidence *evidence, char *why,
                     size_t why_cap)
{
    (void)result;
    (void)evidence;
    (void)why;
    (void)why_cap;
    (void)arg;
    b.in_case = false;
    return true;
}

static bool is_dead(void)
{
    return b.dies_of > 0 && b.sent >= b.dies_of;
}

/* Keeps what the board has answered on |conn| so far. */
static void take_answers(between_connection *conn)
{
    static uint8_t bytes[GW_CASE_RECV_MAX];
    gw_transport *t = conn->inner;
    int64_t stamp_ns;
    gw_endpoint from;
    size_t len;
    int64_t until = t->ops->now(t) + TAKE_NS;
    while (b.num_said < GW_ARRAY_LEN(b.answers) &&
           t->ops->recv(t, bytes, sizeof(bytes), &len, until, &stamp_ns, &from) == GW_RECV_DATA) {
        assert_true(len <= sizeof(b.answers[0].bytes));
        b.answers[b.num_said].conn = conn;
        b.answers[b.num_said].stamp_ns = stamp_ns;
        b.answers[b.num_said].len = len;
        memcpy(b.answers[b.num_said++].bytes, bytes, len);
    }
}

static bool send_or_die(between_connection *conn, const uint8_t *data, size_t len)
{
    if (is_dead())
        return true;
    b.sent += b.in_case && !b.probed;
    if (is_dead())
        take_answers(conn);
    return conn->inner->ops->send(conn->inner, data, len);
}

static gw_recv_status hear(between_connection *conn, uint8_t *buf, size_t cap, size_t *len,
                           int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    gw_transport *t = conn->inner;
    if (!is_dead())
        return t->ops->recv(t, buf, cap, len, deadline, stamp_ns, from);
    for (size_t i = 0; i < b.num_said && cap > 0; i++) {
        if (b.answers[i].conn != conn)
            continue;
        *len = b.answers[i].len;
        memcpy(buf, b.answers[i].bytes, *len);
        b.answers[i].conn = NULL;
        *stamp_ns = b.answers[i].stamp_ns;
        *from = conn->t.remote;
        return GW_RECV_DATA;
    }
    t->ops->wait(t, deadline);
    return GW_RECV_TIMEOUT;
}

/* The verdict of |one| when the board dies of packet |dies_of|. */
static gw_verdict verdict_of(const char *role, gw_carriage carriage, const gw_case *one,
                             unsigned dies_of)
{
    char why[256] = "";
    gw_run run;
    gw_suite suite = *gw_suite_by_role(role);
    judge = gw_suite_by_role(role);
    suite.alive = probe;
    suite.conclude = NULL; /* what a recording adds is none of the case's */
    gw_dut *dut = gw_dut_in_memory(gw_board_by_role(role), NULL, carriage, why, sizeof(why));
    assert_non_null(dut);
    b = (board){.way = {.send = send_or_die, .recv = hear}, .dies_of = dies_of};
    between_lay(&b.way, gw_dut_target(dut));
    gw_run_setup setup = {.suite = &suite,
                          .board = gw_builtin_board(role),
                          .target = &b.way.target,
                          .cases = &one,
                          .num_cases = 1,
                          .seed = 1,
                          .progress = note_case,
                          .keep = note_end};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    gw_verdict verdict = run.results[0].verdict;
    gw_run_free(&run);
    gw_dut_close(dut);
    return verdict;
}

static unsigned passes_of_the_dead(const char *role, gw_carriage carriage)
{
    static const char *const all[] = {"*"};
    gw_case_list cases;
    unsigned passes = 0;
    assert_true(gw_select(&cases, gw_suite_by_role(role), all, 1));
    for (size_t i = 0; i < cases.num; i++) {
        if (verdict_of(role, carriage, cases.cases[i], 0) != GW_PASS)
            continue;
        unsigned sent = b.sent;
        for (unsigned n = sent; n > 0 && n + LAST > sent; n--) {
            gw_verdict verdict = verdict_of(role, carriage, cases.cases[i], n);
            num_died++;
            num_answers += b.num_said > 0;
            if (verdict != GW_PASS)
                continue;
            print_error("%s, dead since packet %u of %u: %s passes\n", role, n, sent,
                        cases.cases[i]->id);
            passes++;
        }
    }
    gw_case_list_free(&cases);
    return passes;
}

static void the_dead_pass_nothing(void **state)
{
    static const char *const roles[] = {"etherbone-slave",
                                        "textarossa-node",
                                        "textarossa-switch",
                                        "op2p-node",
                                        "ims-buf",
                                        "l1-ru",
                                        "l1-cn",
                                        "l1-du"};
    unsigned passes = 0;
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(roles); i++) {
        passes += passes_of_the_dead(roles[i], GW_CARRY_UDP);
        if (gw_carriage_fits(gw_board_by_role(roles[i]), GW_CARRY_TCP))
            passes += passes_of_the_dead(roles[i], GW_CARRY_TCP);
    }
    assert_int_equal(passes, 0);
    assert_true(num_died > 1500);
    assert_true(num_answers > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dead_pass_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
