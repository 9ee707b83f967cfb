/* SPDX-License-Identifier: BSD-2-Clause */
/* Campaigns against boards that call us, our own in memory: what the cases find over and over, and
 * what they do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "campaign/campaign.h"
#include "campaign/learn.h"
#include "campaign/name.h"
#include "device/dut.h"
#include "formats/builtin.h"
#include "formats/etherbone/master/suite.h"
#include "goldwire/etherbone.h"
#include "goldwire/ims.h"
#include "run/ctx.h"
#include "run/select.h"

#define MASTER "etherbone-master"
#define WORKER "ims-worker"
#define FOUND_MAX 4

/* A board that is learnt from and then fuzzed. */
typedef struct trial {
    const char *role;
    const char *mutant; /* NULL: none */
    gw_carriage carriage;
    const gw_case *legal;   /* instead of those that it passes; or NULL */
    const gw_case *hostile; /* instead of those of the suite; or NULL */
    bool falls_silent;      /* its first case makes it so */
    uint64_t packets;
    uint64_t seed; /* 0: 1 */
    gw_coverage *coverage;
} trial;

typedef struct outcome {
    gw_campaign_report report;
    gw_found_context context;
    size_t given_up; /* hostile cases that are not played any more, ... */
    size_t unfit;    /* ... and those that mean nothing over a stream, which a board is tried by */
    uint64_t order;  /* in which cases were played: a hash of it */
    size_t num;
    char names[FOUND_MAX][GW_FOUND_NAME];
    const gw_case *by[FOUND_MAX];
} outcome;

/* ---- cases of our own ---- */

static const gw_target *under_test; /* the reference has another */
static unsigned times_played;

static const gw_miss made_up = {.rule = "EB-M14"};

static bool is_under_test(const gw_ctx *ctx)
{
    return ctx->target == under_test;
}

static void spoil(gw_ctx *ctx)
{
    if (is_under_test(ctx) && ++times_played > 1)
        gw_case_fail(ctx, &made_up, "the board is not what it was");
}

static void spoil_any(gw_ctx *ctx)
{
    times_played++;
    gw_case_fail(ctx, &made_up, "the test takes every board for a bad one");
}

static void answer_well(gw_ctx *ctx)
{
    static const gw_eb_master_behavior good = {.offer = GW_EB_MASTER_WIDE};
    (void)gw_eb_master_try_exchange(ctx, &good);
}

static void spoil_once(gw_ctx *ctx)
{
    answer_well(ctx);
    if (is_under_test(ctx) && ++times_played == 2)
        gw_case_fail(ctx, &made_up, "once only");
}

/* As on a machine that has much else to do. */
static void dawdle(gw_ctx *ctx)
{
    answer_well(ctx);
    (void)nanosleep(&(struct timespec){.tv_nsec = 60 * GW_MS}, NULL);
}

static bool falls_silent;

static gw_transport *open_nothing(gw_target *target, unsigned link, int64_t timeout_ns,
                                  bool *unreachable, char *why, size_t why_cap)
{
    (void)target;
    (void)link;
    (void)timeout_ns;
    *unreachable = true;
    (void)snprintf(why, why_cap, "gone");
    return NULL;
}

static void hear_nothing(gw_ctx *ctx)
{
    times_played++;
    if (falls_silent)
        ctx->target->open = open_nothing;
    gw_case_inconc(ctx, "nobody calls");
}

/* As the suite does when it was not called several times in a row. */
static void give_up_once(gw_ctx *ctx)
{
    if (is_under_test(ctx) && times_played++ == 0)
        gw_eb_master_state_of(ctx)->gone = true;
    answer_well(ctx);
}

#define TEST_CASE(name, is_negative, function)                                                     \
    static const gw_case name = {.id = "eb-m/" #name,                                              \
                                 .title = "Test",                                                  \
                                 .rules = GW_LIST("EB-M14"),                                       \
                                 .negative = is_negative,                                          \
                                 .run = function}

TEST_CASE(spoiled, false, spoil);
TEST_CASE(hasty, true, spoil_any);
TEST_CASE(doubtful, true, spoil_once);
TEST_CASE(dawdling, false, dawdle);
TEST_CASE(silent, true, hear_nothing);
TEST_CASE(given_up, true, give_up_once);

/* ---- campaigns ---- */

static bool take(void *arg, const gw_catch *found)
{
    outcome *o = arg;
    assert_true(o->num < FOUND_MAX);
    gw_found_name(o->names[o->num], &o->context, found);
    o->by[o->num] = found->anomaly.by;
    assert_int_equal(gw_shots_packets(&found->shots), 0);
    assert_int_equal(found->shown, GW_CATCH_TRIES);
    o->num++;
    return true;
}

static void put_in(const gw_case **list, size_t *num, const gw_case *one)
{
    if (one == NULL)
        return;
    list[0] = one;
    *num = 1;
}

/* Each look at the clock is another two seconds later: what boards on a network take. */
static int64_t hurry(gw_target *target)
{
    static int64_t time_ns;
    (void)target;
    return time_ns += 2 * GW_SECOND;
}

static uint64_t order;

/* Is told of each case that is played. */
static void note_order(gw_target *target, const char *id)
{
    (void)target;
    for (; *id != '\0'; id++)
        order = (order ^ (uint8_t)*id) * UINT64_C(0x100000001b3);
}

static outcome fuzz(const trial *t)
{
    char why[256] = "";
    gw_run run;
    gw_case_list all;
    static gw_campaign campaign;
    static const gw_board_file nothing;
    const gw_board *board = gw_board_by_role(t->role);
    const gw_board_file *file = gw_builtin_board(t->role);
    const gw_mutant *fault = t->mutant != NULL ? gw_mutant_by_id(board, t->mutant) : NULL;
    assert_true(t->mutant == NULL || fault != NULL);
    gw_dut *dut = gw_dut_in_memory(board, fault, t->carriage, why, sizeof(why));
    assert_non_null(dut);
    under_test = gw_dut_target(dut);
    times_played = 0;
    falls_silent = t->falls_silent;
    outcome o = {.context = {.suite = gw_suite_by_role(t->role), .target = gw_dut_target(dut)}};
    assert_true(gw_select(&all, o.context.suite, NULL, 0));
    gw_lesson lesson = {0};
    gw_run_setup setup = {.suite = o.context.suite,
                          .board = file != NULL ? file : &nothing,
                          .target = gw_dut_target(dut),
                          .cases = all.cases,
                          .num_cases = all.num,
                          .seed = 1};
    assert_true(gw_learn(&lesson, &setup, why, sizeof(why)));
    assert_true(lesson.num_cases > 0 && lesson.num_hostile > 0);
    put_in(lesson.cases, &lesson.num_cases, t->legal);
    put_in(lesson.hostile, &lesson.num_hostile, t->hostile);
    for (size_t i = 0; i < lesson.num_hostile; i++)
        o.unfit += t->carriage == GW_CARRY_TCP && gw_case_needs(lesson.hostile[i], GW_NEEDS_UDP);
    gw_watch watch = {.cases = lesson.cases,
                      .num_cases = lesson.num_cases,
                      .hostile = lesson.hostile,
                      .num_hostile = lesson.num_hostile};
    gw_dut_target(dut)->now = hurry;
    gw_dut_target(dut)->mark = note_order;
    order = 0;
    gw_campaign_init(&campaign, &(gw_campaign_setup){.stock = &lesson.stock,
                                                     .watch = &watch,
                                                     .context = &o.context,
                                                     .coverage = t->coverage,
                                                     .seed = t->seed != 0 ? t->seed : 1,
                                                     .packets = t->packets,
                                                     .catches = take,
                                                     .arg = &o});
    const gw_case *cases[] = {&campaign.one};
    setup.cases = cases;
    setup.num_cases = 1;
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    gw_run_free(&run);
    o.report = campaign.report;
    o.order = order;
    o.given_up = lesson.num_hostile - watch.num_hostile;
    gw_lesson_free(&lesson);
    gw_case_list_free(&all);
    gw_dut_close(dut);
    return o;
}

static void a_good_board_is_answered_again_and_again(void **state)
{
    static const trial good[] = {
        {.role = MASTER, .carriage = GW_CARRY_UDP, .packets = 4000},
        {.role = MASTER, .carriage = GW_CARRY_TCP, .packets = 4000},
        {.role = WORKER, .carriage = GW_CARRY_UDP, .packets = 4000},
    };
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(good); i++) {
        outcome o = fuzz(&good[i]);
        assert_int_equal(o.num, 0);
        assert_string_equal(o.report.lost, "");
        assert_int_equal(o.report.unconfirmed + o.report.excused, 0);
        assert_true(o.report.packets >= good[i].packets);
        assert_true(o.report.batches >= 2); /* whole rounds */
        assert_int_equal(o.given_up, o.unfit);
    }
}

static void what_it_is_answered_counts_in_the_model(void **state)
{
    static const struct {
        const char *role;
        gw_carriage carriage;
        const gw_format *format;
    } good[] = {{MASTER, GW_CARRY_UDP, &gw_etherbone},
                {MASTER, GW_CARRY_TCP, &gw_etherbone},
                {WORKER, GW_CARRY_UDP, &gw_ims}};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(good); i++) {
        gw_coverage *coverage = gw_coverage_new(good[i].format, NULL);
        assert_non_null(coverage);
        outcome o = fuzz(&(trial){.role = good[i].role,
                                  .carriage = good[i].carriage,
                                  .packets = 400,
                                  .coverage = coverage});
        gw_coverage_sum sum = gw_coverage_sum_up(coverage);
        assert_true(o.report.packets >= 400 && coverage->packets > 0);
        assert_true(sum.hit > 0 && sum.hit < sum.possible);
        assert_true(sum.answered > 0 && sum.answered <= sum.hit);
        gw_coverage_free(coverage);
    }
}

/* The first round is in the catalogue's order; what comes later is the seed's. */
static void another_seed_answers_in_another_order(void **state)
{
    uint64_t orders[3];
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        orders[i] = fuzz(&(trial){.role = MASTER, .packets = 1000, .seed = 1 + i / 2}).order;
    assert_true(orders[0] == orders[1]);
    assert_true(orders[0] != orders[2]);
}

/* Which cases are played again is not the machine's to say where time is nobody's. */
static void in_memory_no_machine_is_too_slow(void **state)
{
    char why[256] = "";
    const gw_case *const cases[] = {&dawdling};
    gw_lesson lesson = {0};
    gw_dut *dut = gw_dut_in_memory(gw_board_by_role(MASTER), NULL, GW_CARRY_UDP, why, sizeof(why));
    (void)state;
    assert_non_null(dut);
    gw_run_setup setup = {.suite = gw_suite_by_role(MASTER),
                          .board = gw_builtin_board(MASTER),
                          .target = gw_dut_target(dut),
                          .cases = cases,
                          .num_cases = 1,
                          .seed = 1};
    assert_true(gw_learn(&lesson, &setup, why, sizeof(why)));
    assert_int_equal(lesson.num_cases, 1);
    gw_lesson_free(&lesson);
    gw_dut_close(dut);
}

static void a_bad_board_is_found_and_named(void **state)
{
    static const struct {
        const char *role;
        const char *mutant;
        const char *name;
    } faults[] = {
        {MASTER, "m-any-magic", "wrong.EB-M28"},
        {MASTER, "m-deaf-after-garbage", "wrong.EB-M14"},
        {WORKER, "m-any-version", "wrong.IMS-W6"},
        {WORKER, "m-seals-again", "wrong.IMS-W27"},
    };
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(faults); i++) {
        outcome o =
            fuzz(&(trial){.role = faults[i].role, .mutant = faults[i].mutant, .packets = 2000});
        bool named = false;
        for (size_t k = 0; k < o.num; k++) {
            named = named || strcmp(o.names[k], faults[i].name) == 0;
            assert_true(gw_watch_is_hostile(o.by[k]));
        }
        assert_true(named);
        assert_string_equal(o.report.lost, "");
    }
}

/* A case that it has passed, and does not pass any more, is found once. */
static void a_board_that_changes_is_found(void **state)
{
    (void)state;
    outcome o = fuzz(&(trial){.role = MASTER, .legal = &spoiled, .packets = 4000});
    assert_int_equal(o.num, 1);
    assert_string_equal(o.names[0], "wrong.EB-M14");
    assert_ptr_equal(o.by[0], &spoiled);
}

static void what_a_good_board_does_as_well_is_no_finding(void **state)
{
    (void)state;
    outcome o = fuzz(&(trial){.role = MASTER, .hostile = &hasty, .packets = 4000});
    assert_int_equal(o.num, 0);
    assert_int_equal(o.report.excused, 1);
    assert_true(times_played > 0);
}

static void what_shows_once_is_no_finding(void **state)
{
    (void)state;
    outcome o = fuzz(&(trial){.role = MASTER, .hostile = &doubtful, .packets = 400});
    assert_int_equal(o.num, 0);
    assert_true(times_played > 2);
}

/* Nobody can tell why: nothing is found, and the campaign does not wait for ever. */
static void a_board_that_calls_no_more_ends_the_campaign(void **state)
{
    (void)state;
    outcome o = fuzz(&(trial){.role = MASTER, .hostile = &silent, .falls_silent = true});
    assert_int_equal(o.num, 0);
    assert_int_equal(times_played, 1);
    assert_string_equal(o.report.lost, "the board does not call any more");
}

/* A suite that has given its board up begins anew. */
static void a_board_that_calls_again_is_tried_on(void **state)
{
    (void)state;
    outcome o = fuzz(&(trial){.role = MASTER, .hostile = &given_up, .packets = 200});
    assert_int_equal(o.num, 0);
    assert_string_equal(o.report.lost, "");
    assert_true(times_played > 1);
    assert_true(o.report.packets >= 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_board_is_answered_again_and_again),
        cmocka_unit_test(what_it_is_answered_counts_in_the_model),
        cmocka_unit_test(another_seed_answers_in_another_order),
        cmocka_unit_test(in_memory_no_machine_is_too_slow),
        cmocka_unit_test(a_bad_board_is_found_and_named),
        cmocka_unit_test(a_board_that_changes_is_found),
        cmocka_unit_test(what_a_good_board_does_as_well_is_no_finding),
        cmocka_unit_test(what_shows_once_is_no_finding),
        cmocka_unit_test(a_board_that_calls_no_more_ends_the_campaign),
        cmocka_unit_test(a_board_that_calls_again_is_tried_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
