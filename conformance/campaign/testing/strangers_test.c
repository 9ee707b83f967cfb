/* SPDX-License-Identifier: BSD-2-Clause */
/* What a campaign opens at a good board, whoever it says to be, is closed before the board is
 * looked at: one that has no room left is no finding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "campaign/fire.h"
#include "campaign/watch.h"
#include "device/dut.h"
#include "formats/builtin.h"
#include "goldwire/ims.h"

/* A software buffer has four data channels, and knows 64 Workers. */
#define WORKERS 40u
#define ROUNDS 80u /* each of other Workers */
#define FIRST_LID 0x200u
#define FIRST_QPN 0x300u

typedef struct crowd {
    gw_case one; /* the first member */
    bool ran;
} crowd;

static void ask(gw_shots *shots, const gw_board_file *board, uint32_t number, uint8_t method)
{
    uint8_t bytes[256];
    const gw_ims_status s = {.method = method,
                             .major = GW_IMS_MAJOR,
                             .minor = GW_IMS_MINOR,
                             .lid = FIRST_LID + number,
                             .qpn = FIRST_QPN + number,
                             .key = 0x900 + number};
    gw_ims_draft draft =
        gw_ims_draft_status(board->claims.status_qpn, s.qpn, board->claims.status_qkey, number, &s);
    size_t len = gw_ims_build(bytes, sizeof(bytes), &draft, NULL);
    assert_true(len > 0);
    assert_true(gw_shots_add(shots, &(gw_shot){.anew = method == GW_IMS_STAT_REQ}, bytes,
                             (uint32_t)len, NULL, 0));
}

/* Returns how many packets came. */
static unsigned call(gw_ctx *ctx, unsigned round)
{
    unsigned came = 0;
    gw_shots shots = {0};
    char why[200] = "";
    for (uint32_t i = 0; i < WORKERS; i++) {
        ask(&shots, gw_case_board(ctx), round * WORKERS + i, GW_IMS_STAT_REQ);
        ask(&shots, gw_case_board(ctx), round * WORKERS + i, GW_IMS_DATA_REQ);
    }
    gw_evidence_clear(&ctx->evidence);
    assert_true(gw_fire(ctx, &shots, 0, shots.num, NULL, why, sizeof(why)));
    gw_shots_free(&shots);
    for (unsigned n = 1; n <= ctx->evidence.num_packets; n++)
        came += gw_evidence_get(&ctx->evidence, n)->dir == GW_DIR_IN;
    return came;
}

static void look_at_it(gw_ctx *ctx)
{
    crowd *c = (crowd *)(uintptr_t)gw_case_self(ctx);
    const gw_case *which = gw_suite_case(ctx->suite, "ims-c/status-format");
    gw_watch watch = {.cases = &which, .num_cases = 1};
    assert_non_null(which);
    if (c->ran)
        return;
    c->ran = true;
    for (unsigned round = 0; round < ROUNDS; round++) {
        gw_anomaly anomaly = {0};
        assert_true(call(ctx, round) > WORKERS / 2);
        if (!gw_watch_look(&watch, ctx, GW_WATCH_CASES, &anomaly, NULL))
            fail_msg("round %u: %s", round, anomaly.text);
    }
}

static void leave_a_crowd_at(gw_dut *dut)
{
    static const char *const no_rules[] = {NULL};
    char why[256] = "";
    gw_run run;
    assert_non_null(dut);
    crowd c = {.one = {.id = "fuzz/crowd",
                       .title = "Test",
                       .rules = no_rules,
                       .endless = true,
                       .run = look_at_it}};
    const gw_board_file *board = gw_builtin_board("ims-buf");
    const gw_case *cases[] = {&c.one};
    gw_run_setup setup = {.suite = gw_suite_by_role("ims-buf"),
                          .board = board,
                          .target = gw_dut_target(dut),
                          .cases = cases,
                          .num_cases = 1,
                          .seed = 1};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    assert_true(c.ran);
    gw_run_free(&run);
    gw_dut_close(dut);
}

static void a_crowd_of_workers_takes_its_leave(void **state)
{
    char why[256] = "";
    const gw_board *board = gw_board_by_role("ims-buf");
    const gw_impairment lossy = {.loss = GW_IMPAIR_SCALE / 20, .seed = 1};
    (void)state;
    leave_a_crowd_at(gw_dut_in_memory(board, NULL, GW_CARRY_UDP, why, sizeof(why)));
    leave_a_crowd_at(gw_dut_behind(board, NULL, GW_CARRY_UDP, &lossy, why, sizeof(why)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_crowd_of_workers_takes_its_leave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
