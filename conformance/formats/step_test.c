/* SPDX-License-Identifier: BSD-2-Clause */
/* A board out of step: a reply that one case leaves behind comes in front of one that a later case
 * asks for. The later case is not to blame for it, whatever it tests. */
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

/* What a board does with one of its replies to the case |culprit|: it keeps it for later. */
typedef enum fault {
    SAYS_AGAIN, /* the last one, which comes once more */
    IS_LATE,    /* the first one, which was waited for in vain */
} fault;

typedef struct reply {
    const between_connection *conn; /* that it came on; NULL: none is kept */
    unsigned link;
    int64_t stamp_ns; /* when it came */
    size_t len;
    uint8_t bytes[GW_CASE_RECV_MAX];
} reply;

typedef struct board {
    between way; /* first */
    const gw_case *culprit;
    const gw_case *runs; /* now */
    fault fault;
    unsigned skip;   /* replies to others that come before the old one */
    unsigned handed; /* old replies that came */
    reply old;
    reply held; /* back, behind the old one */
} board;

static void note_case(void *arg, size_t done, size_t total, const gw_case *next)
{
    (void)done;
    (void)total;
    ((board *)arg)->runs = next;
}

static void keep(reply *r, const between_connection *conn, const uint8_t *data, size_t len,
                 int64_t stamp_ns)
{
    r->conn = conn;
    r->link = conn->link;
    r->stamp_ns = stamp_ns;
    r->len = len;
    memcpy(r->bytes, data, len);
}

static void hand_out(reply *r, uint8_t *data, size_t cap, size_t *len)
{
    assert_true(r->len <= cap);
    memcpy(data, r->bytes, r->len);
    *len = r->len;
    r->conn = NULL;
}

static gw_recv_status recv_out_of_step(between_connection *conn, uint8_t *data, size_t cap,
                                       size_t *len, int64_t deadline, int64_t *stamp_ns,
                                       gw_endpoint *from)
{
    board *b = (board *)conn->way;
    const gw_transport_ops *ops = conn->inner->ops;
    if (b->held.conn == conn && cap > 0) {
        hand_out(&b->held, data, cap, len);
        *stamp_ns = b->held.stamp_ns;
        *from = conn->t.remote;
        return GW_RECV_DATA;
    }
    gw_recv_status got = ops->recv(conn->inner, data, cap, len, deadline, stamp_ns, from);
    if (got != GW_RECV_DATA || b->runs == NULL)
        return got;
    bool late = b->fault == IS_LATE && b->old.conn == NULL;
    if (b->runs == b->culprit && (b->fault == SAYS_AGAIN || late))
        keep(&b->old, conn, data, *len, *stamp_ns);
    if (b->runs == b->culprit && late)
        return ops->recv(conn->inner, data, cap, len, deadline, stamp_ns, from);
    if (b->runs == b->culprit || b->old.conn == NULL || b->old.link != conn->link)
        return got;
    if (b->skip > 0) {
        b->skip--;
        return got;
    }
    keep(&b->held, conn, data, *len, *stamp_ns);
    hand_out(&b->old, data, cap, len);
    b->handed++;
    return got;
}

static void forget(between_connection *conn)
{
    board *b = (board *)conn->way;
    if (b->held.conn == conn)
        b->held.conn = NULL;
}

static void expect_no_blame(const board *b, const char *role, const gw_run *run)
{
    for (size_t i = 0; i < run->num_results; i++) {
        const gw_result *r = &run->results[i];
        bool blamed = r->verdict == GW_FAIL || r->verdict == GW_WARN || r->verdict == GW_ERROR;
        if (r->which != b->culprit && blamed)
            fail_msg("%s, out of step since %s: %s is blamed: %s", role, b->culprit->id,
                     r->which->id, r->text);
    }
}

/* Runs all cases on a board that keeps a reply to |b|->culprit. */
static void run_out_of_step(board *b, const char *role, const gw_case_list *cases)
{
    char why[256] = "";
    gw_run run;
    gw_dut *dut = gw_dut_in_memory(gw_board_by_role(role), NULL, GW_CARRY_UDP, why, sizeof(why));
    assert_non_null(dut);
    b->way = (between){.recv = recv_out_of_step, .close = forget};
    between_lay(&b->way, gw_dut_target(dut));
    b->runs = NULL;
    b->old.conn = NULL;
    b->held.conn = NULL;
    gw_run_setup setup = {.suite = gw_suite_by_role(role),
                          .board = gw_builtin_board(role),
                          .target = &b->way.target,
                          .cases = cases->cases,
                          .num_cases = cases->num,
                          .seed = 1,
                          .progress = note_case,
                          .progress_arg = b};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    expect_no_blame(b, role, &run);
    gw_run_free(&run);
    gw_dut_close(dut);
}

static void nobody_is_blamed_for_an_old_reply(void **state)
{
    static board b;
    static const char *const all[] = {"*"};
    static const char *const roles[] = {"etherbone-slave", "textarossa-node", "op2p-node",
                                        "ims-buf",         "l1-cn",           "l1-du"};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(roles); i++) {
        gw_case_list cases;
        unsigned handed = 0;
        assert_true(gw_select(&cases, gw_suite_by_role(roles[i]), all, 1));
        for (size_t k = 0; k < cases.num; k++) {
            b.culprit = cases.cases[k];
            b.fault = k % 2 == 0 ? SAYS_AGAIN : IS_LATE;
            b.skip = k / 2 % 3;
            b.handed = 0;
            run_out_of_step(&b, roles[i], &cases);
            handed += b.handed;
        }
        assert_true(handed > cases.num / 3);
        gw_case_list_free(&cases);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_blamed_for_an_old_reply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
