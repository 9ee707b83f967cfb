/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases that break something on purpose, in campaigns against our own boards in memory: what they
 * find, what they are not played for, and what a good board shows as well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "campaign/campaign.h"
#include "campaign/learn.h"
#include "campaign/name.h"
#include "campaign/reference.h"
#include "device/dut.h"
#include "formats/builtin.h"
#include "goldwire/etherbone.h"
#include "harness/temporary_testing.h"
#include "run/ctx.h"
#include "run/select.h"

#define ROLE "etherbone-slave"
#define PLACE 0x1234u /* in the board's RAM */
#define WORD 0xc0ffee01u
#define FOUND_MAX 4

/* ---- cases of our own ---- */

static unsigned times_played;

static const gw_miss odd_miss = {.rule = "EB-S21"};

static void complain(gw_ctx *ctx)
{
    times_played++;
    gw_case_fail(ctx, &odd_miss, "the test takes every board for a bad one");
}

/* No good board passes it. */
static const gw_case hasty = {.id = "eb-s/hasty",
                              .title = "Test",
                              .rules = GW_LIST("EB-S21"),
                              .negative = true,
                              .run = complain};

static const gw_case on_hasty = {.id = "eb-s/on-hasty",
                                 .title = "Test",
                                 .rules = GW_LIST("EB-S21"),
                                 .after = GW_LIST("eb-s/hasty"),
                                 .negative = true,
                                 .run = complain};

static size_t build(uint8_t out[64], const gw_eb_operation *op)
{
    gw_eb_builder b;
    assert_true(gw_eb_build_packet(&b, out, 64, 0x44, NULL));
    assert_true(gw_eb_build_record(&b, op));
    return gw_eb_build_end(&b, op->num_writes > 0);
}

/* Takes what a packet before it has written for a fault. */
static void read_back(gw_ctx *ctx)
{
    uint8_t bytes[64];
    const uint64_t address = PLACE;
    gw_packet packet;
    gw_connection *conn = gw_case_connection(ctx);
    size_t len = build(bytes, &(gw_eb_operation){.reads = &address,
                                                 .num_reads = 1,
                                                 .return_base = 0x100,
                                                 .flags = GW_EB_CYC,
                                                 .byte_enable = 0xf});
    (void)gw_case_send(ctx, conn, bytes, len);
    if (gw_case_recv(ctx, conn, gw_case_reply_ns(ctx), &packet) != GW_RECV_DATA || packet.len < 4)
        gw_case_inconc(ctx, "no answer");
    if (packet.data[packet.len - 1] == (uint8_t)WORD)
        gw_case_fail(ctx, &odd_miss, "somebody has written there");
}

static const gw_case forgetful = {.id = "eb-s/forgetful",
                                  .title = "Test",
                                  .rules = GW_LIST("EB-S21"),
                                  .negative = true,
                                  .run = read_back};

/* Fails, and then again, where it first draws a certain number. */
static uint64_t unlucky;
static uint64_t drawn_first;
static unsigned draws;

static void draw(gw_ctx *ctx)
{
    uint64_t drawn = gw_case_random(ctx);
    if (draws++ == 0)
        drawn_first = drawn;
    if (drawn_first == unlucky)
        gw_case_fail(ctx, &odd_miss, "bad luck");
}

static const gw_case gambling = {.id = "eb-s/gambling",
                                 .title = "Test",
                                 .rules = GW_LIST("EB-S21"),
                                 .negative = true,
                                 .run = draw};

#define ODD_PACKETS                                                                                \
    4u /* and so many are the whole campaign's, a quarter of which is for such cases */

/* Broken, and told from all else by its length. */
static const uint8_t odd_one[] = {0x4e, 0x6f, 0x11, 0x44, 0xde, 0xad, 0xbe, 0xef, 0x99, 0x98, 0x97};

static const char *ring;      /* the folder that it is in */
static unsigned times_sent;   /* to a board ... */
static unsigned times_behind; /* ... before it was in the ring */
static const gw_transport_ops *usual_ops;

/* Among the last |most| that the board was not seen well after. */
static bool is_in_ring(const void *data, size_t len, size_t most)
{
    char why[256] = "";
    gw_shots shots = {0};
    size_t unsettled = 0;
    bool there = false;
    assert_true(gw_journal_read(&shots, &unsettled, ring, GW_JOURNAL_FILE, why, sizeof(why)));
    most = most < unsettled ? most : unsettled;
    for (size_t i = shots.num - most; i < shots.num && !there; i++) {
        const gw_shot *shot = &shots.list[i];
        there = shot->len == len && memcmp(gw_shots_data(&shots, shot), data, len) == 0;
    }
    gw_shots_free(&shots);
    return there;
}

static bool send_looking(gw_transport *t, const uint8_t *data, size_t len)
{
    times_sent++;
    times_behind += !is_in_ring(data, len, 1);
    return usual_ops->send(t, data, len);
}

/* ---- whatever a campaign sends ---- */

#define AT_ONCE 64 /* packets that go into the ring together, at the most */

static gw_transport *(*usual_open)(gw_target *target, unsigned link, int64_t timeout_ns,
                                   bool *unreachable, char *why, size_t why_cap);

static bool send_looking_back(gw_transport *t, const uint8_t *data, size_t len)
{
    times_sent++;
    times_behind += !is_in_ring(data, len, AT_ONCE);
    return usual_ops->send(t, data, len);
}

static gw_transport *open_looking(gw_target *target, unsigned link, int64_t timeout_ns,
                                  bool *unreachable, char *why, size_t why_cap)
{
    static gw_transport_ops ops;
    gw_transport *t = usual_open(target, link, timeout_ns, unreachable, why, why_cap);
    if (t == NULL)
        return NULL;
    usual_ops = t->ops;
    ops = *usual_ops;
    ops.send = send_looking_back;
    t->ops = &ops;
    return t;
}

static void send_odd_one(gw_ctx *ctx)
{
    gw_connection *conn = gw_case_connection(ctx);
    gw_transport *t = gw_case_transport(conn);
    usual_ops = t->ops;
    gw_transport_ops ops = *t->ops;
    ops.send = send_looking;
    t->ops = &ops;
    for (unsigned i = 0; i < ODD_PACKETS; i++)
        (void)gw_case_send(ctx, conn, odd_one, sizeof(odd_one));
    t->ops = usual_ops;
}

static const gw_case odd = {.id = "eb-s/odd",
                            .title = "Test",
                            .rules = GW_LIST("EB-S21"),
                            .negative = true,
                            .run = send_odd_one};

/* ---- campaigns ---- */

typedef struct outcome {
    gw_campaign_report report;
    gw_found_context context;
    size_t num;
    char names[FOUND_MAX][GW_FOUND_NAME];
    size_t packets[FOUND_MAX];
    const gw_case *by[FOUND_MAX];
} outcome;

static bool take(void *arg, const gw_catch *found)
{
    outcome *o = arg;
    assert_true(o->num < FOUND_MAX);
    gw_found_name(o->names[o->num], &o->context, found);
    o->packets[o->num] = gw_shots_packets(&found->shots);
    o->by[o->num] = found->anomaly.by;
    assert_int_equal(found->shown, GW_CATCH_TRIES);
    return ++o->num < FOUND_MAX;
}

/* A board, described by |file|, that is learnt from and then fuzzed. */
typedef struct trial {
    const char *role;
    const char *mutant; /* NULL: none */
    const gw_board_file *file;
    const gw_case *const *hostile; /* instead of those of the suite, NULL at the end; or NULL */
    uint64_t packets;
    bool first_only; /* the first finding ends it */
    gw_ahead *ahead;
    bool looked_at; /* each packet */
    gw_coverage *coverage;
} trial;

static bool take_first(void *arg, const gw_catch *found)
{
    (void)take(arg, found);
    return false;
}

static outcome fuzz(const trial *t)
{
    char why[256] = "";
    gw_run run;
    gw_case_list all;
    static gw_campaign campaign;
    const gw_board *board = gw_board_by_role(t->role);
    const gw_mutant *fault = t->mutant != NULL ? gw_mutant_by_id(board, t->mutant) : NULL;
    assert_true(t->mutant == NULL || fault != NULL);
    gw_dut *dut = gw_dut_in_memory(board, fault, GW_CARRY_UDP, why, sizeof(why));
    assert_non_null(dut);
    outcome o = {.context = {.suite = gw_suite_by_role(t->role), .target = gw_dut_target(dut)}};
    assert_true(gw_select(&all, o.context.suite, NULL, 0));
    if (t->looked_at) {
        usual_open = gw_dut_target(dut)->open;
        gw_dut_target(dut)->open = open_looking;
    }
    gw_lesson lesson = {.ahead = t->ahead, .keep_stories = true};
    gw_run_setup setup = {.suite = o.context.suite,
                          .board = t->file != NULL ? t->file : gw_builtin_board(t->role),
                          .target = gw_dut_target(dut),
                          .cases = all.cases,
                          .num_cases = all.num,
                          .seed = 1};
    assert_true(gw_learn(&lesson, &setup, why, sizeof(why)));
    assert_true(lesson.stock.num > 0);
    for (size_t i = 0; t->hostile != NULL && (i == 0 || t->hostile[i - 1] != NULL); i++) {
        lesson.hostile[i] = t->hostile[i];
        lesson.num_hostile = i;
    }
    gw_watch watch = {.cases = lesson.cases,
                      .num_cases = lesson.num_cases,
                      .hostile = lesson.hostile,
                      .num_hostile = lesson.num_hostile};
    gw_campaign_init(&campaign, &(gw_campaign_setup){.stock = &lesson.stock,
                                                     .watch = &watch,
                                                     .context = &o.context,
                                                     .seed = 1,
                                                     .packets = t->packets,
                                                     .ahead = t->ahead,
                                                     .coverage = t->coverage,
                                                     .catches = t->first_only ? take_first : take,
                                                     .arg = &o});
    const gw_case *cases[] = {&campaign.one};
    setup.cases = cases;
    setup.num_cases = 1;
    setup.ahead = t->ahead != NULL ? gw_ahead_write : NULL;
    setup.ahead_arg = t->ahead;
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    gw_run_free(&run);
    o.report = campaign.report;
    gw_lesson_free(&lesson);
    gw_case_list_free(&all);
    gw_dut_close(dut);
    return o;
}

/* What only a case sees is found by that case alone, and called by the rule that the board breaks.
 */
static void a_case_finds_what_packets_do_not_show(void **state)
{
    static const struct {
        const char *role;
        const char *mutant;
        const char *name;
        const char *by;
    } faults[] = {
        {ROLE, "m-byte-enable-cut", "wrong.EB-S21", "eb-s/reply-byte-enable"},
        {"l1-du", "m-waits-for-ever", "wrong.L1-U03", "l1-u/in-time"}, /* after a long wait */
        {"l1-ru", "m-pure-clear", "wrong.L1-D03", "l1-d/clear-dirty"}, /* endless */
    };
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(faults); i++) {
        outcome o = fuzz(&(trial){.role = faults[i].role,
                                  .mutant = faults[i].mutant,
                                  .packets = 20000,
                                  .first_only = true});
        assert_int_equal(o.num, 1);
        assert_string_equal(o.names[0], faults[i].name);
        assert_int_equal(o.packets[0], 0);
        assert_string_equal(o.by[0]->id, faults[i].by);
    }
}

/* What the packets of a case do whoever sends them is called as what other packets do. */
static void what_its_packets_do_is_theirs(void **state)
{
    (void)state;
    outcome o = fuzz(&(trial){
        .role = ROLE, .mutant = "m-hangs-on-truncated", .packets = 2000, .first_only = true});
    assert_int_equal(o.num, 1);
    assert_memory_equal(o.names[0], "silent.", strlen("silent."));
    assert_int_equal(o.packets[0], 1);
    assert_null(o.by[0]);
}

static void a_case_that_a_good_board_fails_finds_nothing(void **state)
{
    static const gw_case *const both[] = {&hasty, &on_hasty, NULL};
    (void)state;
    times_played = 0;
    outcome o = fuzz(&(trial){.role = ROLE, .hostile = both, .packets = 2000});
    assert_int_equal(o.num, 0);
    assert_int_equal(o.report.excused, 1);
    assert_true(times_played > 0);
    /* Nor is it played again, nor what builds on it. */
    unsigned before = times_played;
    o = fuzz(&(trial){.role = ROLE, .hostile = both, .packets = 8000});
    assert_int_equal(times_played, 2 * before);
    assert_int_equal(o.report.excused, 1);
}

/* Whatever ends us behind a packet, it is on the disk; and it counts as tried. */
static void what_a_case_sends_is_in_the_ring_before_and_counted(void **state)
{
    static const gw_case *const one[] = {&odd, NULL};
    gw_temporary dir;
    char why[256] = "";
    (void)state;
    assert_true(gw_temporary_folder(&dir));
    ring = dir.path;
    gw_ahead ahead = {.journal = gw_journal_create(dir.path, why, sizeof(why))};
    assert_non_null(ahead.journal);
    gw_coverage *coverage = gw_coverage_new(&gw_etherbone, NULL);
    assert_non_null(coverage);
    outcome o = fuzz(&(trial){.role = ROLE,
                              .hostile = one,
                              .packets = ODD_PACKETS,
                              .ahead = &ahead,
                              .coverage = coverage});
    assert_int_equal(o.num, 0);
    assert_true(times_sent > 0);
    assert_int_equal(times_behind, 0);
    /* No batch went out: all that is hit is the case's. */
    assert_int_equal(o.report.batches, 0);
    assert_true(gw_coverage_sum_up(coverage).hit > 0);
    gw_coverage_free(coverage);
    gw_ahead_free(&ahead);
    gw_journal_close(ahead.journal);
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/" GW_JOURNAL_FILE, dir.path);
    (void)unlink(path);
    (void)rmdir(dir.path);
}

/* Cases that it is learnt from and tried with, probes, mutated packets, and what is repeated when
 * the board hangs. */
static void all_that_is_sent_is_in_the_ring_before(void **state)
{
    gw_temporary dir;
    char why[256] = "";
    (void)state;
    assert_true(gw_temporary_folder(&dir));
    ring = dir.path;
    times_sent = times_behind = 0;
    gw_ahead ahead = {.journal = gw_journal_create(dir.path, why, sizeof(why))};
    assert_non_null(ahead.journal);
    outcome o = fuzz(&(trial){.role = ROLE,
                              .mutant = "m-hangs-on-truncated",
                              .packets = 400,
                              .first_only = true,
                              .ahead = &ahead,
                              .looked_at = true});
    assert_int_equal(o.num, 1);
    assert_true(times_sent > 500);
    assert_int_equal(times_behind, 0);
    gw_ahead_free(&ahead);
    gw_journal_close(ahead.journal);
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/" GW_JOURNAL_FILE, dir.path);
    (void)unlink(path);
    (void)rmdir(dir.path);
}

/* One that it passes finds the board that differs, beside one that it fails. */
static void what_differs_from_a_good_board_is_found(void **state)
{
    (void)state;
    const gw_suite *suite = gw_suite_by_role(ROLE);
    const gw_case *const all[] = {&hasty, gw_suite_case(suite, "eb-s/reply-byte-enable"), NULL};
    outcome o = fuzz(
        &(trial){.role = ROLE, .mutant = "m-byte-enable-cut", .hostile = all, .packets = 1000});
    assert_int_equal(o.num, 1);
    assert_string_equal(o.names[0], "wrong.EB-S21");
    assert_int_equal(o.report.excused, 1);
}

static void what_is_waived_is_no_finding(void **state)
{
    static gw_board_file file;
    (void)state;
    const gw_case *const one[] = {gw_suite_case(gw_suite_by_role(ROLE), "eb-s/reply-byte-enable"),
                                  NULL};
    gw_waiver waiver = {.ends_ns = INT64_MAX};
    (void)snprintf(waiver.which, sizeof(waiver.which), "%s", one[0]->id);
    file = *gw_builtin_board(ROLE);
    file.waivers[file.num_waivers++] = waiver;
    outcome o = fuzz(&(trial){.role = ROLE,
                              .mutant = "m-byte-enable-cut",
                              .file = &file,
                              .hostile = one,
                              .packets = 400});
    assert_int_equal(o.num, 0);
}

/* ---- what is played ---- */

static size_t list_hostile(const char *mutant, const char *foundation, size_t *on_it)
{
    char why[256] = "";
    gw_case_list all;
    gw_lesson lesson = {0};
    const gw_board *board = gw_board_by_role(ROLE);
    gw_dut *dut = gw_dut_in_memory(board, mutant != NULL ? gw_mutant_by_id(board, mutant) : NULL,
                                   GW_CARRY_UDP, why, sizeof(why));
    assert_non_null(dut);
    assert_true(gw_select(&all, gw_suite_by_role(ROLE), NULL, 0));
    gw_run_setup setup = {.suite = gw_suite_by_role(ROLE),
                          .board = gw_builtin_board(ROLE),
                          .target = gw_dut_target(dut),
                          .cases = all.cases,
                          .num_cases = all.num,
                          .seed = 1};
    assert_true(gw_learn(&lesson, &setup, why, sizeof(why)));
    size_t num = lesson.num_hostile;
    *on_it = 0;
    for (size_t i = 0; i < num; i++) {
        assert_true(gw_watch_is_hostile(lesson.hostile[i]));
        for (const char *const *id = lesson.hostile[i]->after; id != NULL && *id != NULL; id++)
            *on_it += strcmp(*id, foundation) == 0;
    }
    gw_lesson_free(&lesson);
    gw_case_list_free(&all);
    gw_dut_close(dut);
    return num;
}

/* It would fail for that reason alone. */
static void what_builds_on_a_case_that_fails_is_not_played(void **state)
{
    size_t on_it;
    (void)state;
    size_t good = list_hostile(NULL, "eb-s/read-answered", &on_it);
    assert_true(on_it > 0);
    assert_true(list_hostile("m-answers-stale", "eb-s/read-answered", &on_it) < good);
    assert_int_equal(on_it, 0);
}

/* ---- the good board beside the one under test ---- */

typedef struct asking {
    gw_case one; /* the first member */
    bool ran;
} asking;

static gw_likeness ask(gw_ctx *ctx, const gw_shots *shots, const gw_case *by)
{
    const gw_watch watch = {0};
    const gw_anomaly anomaly = {.symptom = GW_SYMPTOM_WRONG, .by = by};
    return gw_reference_compare(ctx, &watch, shots, 0, shots->num, &anomaly);
}

static void compare(gw_ctx *ctx)
{
    uint8_t bytes[64];
    const uint64_t word = WORD;
    const gw_shots none = {0};
    gw_shots write = {0};
    asking *a = (asking *)(uintptr_t)gw_case_self(ctx);
    if (a->ran)
        return;
    a->ran = true;
    size_t len = build(bytes, &(gw_eb_operation){.writes = &word,
                                                 .num_writes = 1,
                                                 .write_base = PLACE,
                                                 .flags = GW_EB_CYC,
                                                 .byte_enable = 0xf});
    assert_true(gw_shots_add(&write, &(gw_shot){.anew = true}, bytes, (uint32_t)len, NULL, 0));
    assert_int_equal(ask(ctx, &none, &hasty), GW_LIKENESS_ALIKE);
    /* What the packets leave behind, they leave there as well. */
    assert_int_equal(ask(ctx, &none, &forgetful), GW_LIKENESS_APART);
    assert_int_equal(ask(ctx, &write, &forgetful), GW_LIKENESS_ALIKE);
    /* One question has no part in the answer to the next. */
    assert_int_equal(ask(ctx, &none, &forgetful), GW_LIKENESS_APART);
    /* A rule that its answers do not break. */
    const gw_watch watch = {0};
    const gw_anomaly broken = {.symptom = GW_SYMPTOM_BROKEN,
                               .rule = gw_format_rule(&gw_etherbone, "EB-S13")};
    assert_int_equal(gw_reference_compare(ctx, &watch, &write, 0, 1, &broken), GW_LIKENESS_APART);
    gw_shots_free(&write);
}

static gw_likeness try_luck(gw_ctx *ctx, uint64_t random)
{
    const gw_watch watch = {0};
    const gw_shots none = {0};
    const gw_anomaly anomaly = {.symptom = GW_SYMPTOM_WRONG, .by = &gambling, .random = random};
    draws = 0;
    return gw_reference_compare(ctx, &watch, &none, 0, 0, &anomaly);
}

/* It draws the same numbers. */
static void compare_luck(gw_ctx *ctx)
{
    asking *a = (asking *)(uintptr_t)gw_case_self(ctx);
    assert_int_equal(try_luck(ctx, 77), GW_LIKENESS_APART);
    unlucky = drawn_first;
    assert_int_equal(try_luck(ctx, 78), GW_LIKENESS_APART);
    assert_int_equal(try_luck(ctx, 77), GW_LIKENESS_ALIKE);
    a->ran = true;
}

/* It cannot speak what it does not know, and then nothing is known. */
static void compare_unknown(gw_ctx *ctx)
{
    static const gw_dialect foreign = {.name = "nobody-speaks-it", .blurb = "Test"};
    static gw_ctx other;
    const gw_shots none = {0};
    asking *a = (asking *)(uintptr_t)gw_case_self(ctx);
    gw_run_setup setup = *ctx->setup;
    setup.dialect = &foreign;
    other.setup = &setup;
    other.target = ctx->target;
    other.suite = ctx->suite;
    assert_int_equal(ask(&other, &none, &hasty), GW_LIKENESS_UNKNOWN);
    a->ran = true;
}

/* Described as another board than it is, it is described by its own file instead: what it does is
 * known all the same. */
static void compare_elsewhere(gw_ctx *ctx)
{
    static gw_ctx other;
    static gw_board_file file;
    const gw_shots none = {0};
    asking *a = (asking *)(uintptr_t)gw_case_self(ctx);
    const gw_case *write = gw_suite_case(ctx->suite, "eb-s/write-read");
    const gw_case *by = gw_suite_case(ctx->suite, "eb-s/reply-byte-enable");
    const gw_watch watch = {.cases = &write, .num_cases = 1};
    const gw_anomaly anomaly = {.symptom = GW_SYMPTOM_WRONG, .by = by};
    gw_run_setup setup = *ctx->setup;
    file = *setup.board;
    for (size_t i = 0; i < file.num_areas; i++)
        file.areas[i].address += UINT64_C(0x70000000);
    setup.board = &file;
    other.setup = &setup;
    other.target = ctx->target;
    other.suite = ctx->suite;
    assert_int_equal(gw_reference_compare(&other, &watch, &none, 0, 0, &anomaly),
                     GW_LIKENESS_APART);
    a->ran = true;
}

static void run_asking(void (*run_it)(gw_ctx *))
{
    static const char *const no_rules[] = {NULL};
    char why[256] = "";
    gw_run run;
    gw_dut *dut = gw_dut_in_memory(gw_board_by_role(ROLE), NULL, GW_CARRY_UDP, why, sizeof(why));
    assert_non_null(dut);
    asking a = {.one = {.id = "fuzz/asking",
                        .title = "Test",
                        .rules = no_rules,
                        .endless = true,
                        .run = run_it}};
    const gw_case *cases[] = {&a.one};
    gw_run_setup setup = {.suite = gw_suite_by_role(ROLE),
                          .board = gw_builtin_board(ROLE),
                          .target = gw_dut_target(dut),
                          .cases = cases,
                          .num_cases = 1,
                          .seed = 1};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    assert_true(a.ran);
    gw_run_free(&run);
    gw_dut_close(dut);
}

static void a_good_board_is_asked_beside(void **state)
{
    (void)state;
    run_asking(compare);
    run_asking(compare_elsewhere);
    run_asking(compare_luck);
}

static void without_a_good_board_nothing_is_known(void **state)
{
    (void)state;
    run_asking(compare_unknown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_finds_what_packets_do_not_show),
        cmocka_unit_test(what_its_packets_do_is_theirs),
        cmocka_unit_test(a_case_that_a_good_board_fails_finds_nothing),
        cmocka_unit_test(what_a_case_sends_is_in_the_ring_before_and_counted),
        cmocka_unit_test(all_that_is_sent_is_in_the_ring_before),
        cmocka_unit_test(what_differs_from_a_good_board_is_found),
        cmocka_unit_test(what_is_waived_is_no_finding),
        cmocka_unit_test(what_builds_on_a_case_that_fails_is_not_played),
        cmocka_unit_test(a_good_board_is_asked_beside),
        cmocka_unit_test(without_a_good_board_nothing_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
