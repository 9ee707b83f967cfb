/* SPDX-License-Identifier: BSD-2-Clause */
/* Campaigns against our own boards, in memory and virtual time: a good one is left alone, and what
 * a bad one does not survive is found, made small, and named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/campaign.h"
#include "campaign/fence.h"
#include "campaign/found.h"
#include "campaign/learn.h"
#include "campaign/name.h"
#include "campaign/shrink.h"
#include "device/dut.h"
#include "formats/builtin.h"
#include "goldwire/etherbone.h"
#include "harness/temporary_testing.h"
#include "run/select.h"

#define FOUND_MAX 8

/* What a campaign came to. */
typedef struct outcome {
    gw_campaign_report report;
    gw_found_context context;
    char names[FOUND_MAX][GW_FOUND_NAME];
    size_t packets[FOUND_MAX]; /* of each */
    unsigned shown[FOUND_MAX];
    size_t num;
    size_t most;     /* findings after which it ends */
    const char *dir; /* where they are kept, or NULL */
} outcome;

static bool take(void *arg, const gw_catch *found)
{
    outcome *o = arg;
    char why[256] = "";
    assert_true(o->num < FOUND_MAX);
    gw_found_name(o->names[o->num], &o->context, found);
    for (size_t i = 0; i < o->num; i++)
        if (strcmp(o->names[i], o->names[o->num]) == 0)
            return true;
    o->packets[o->num] = gw_shots_packets(&found->shots);
    o->shown[o->num] = found->shown;
    if (o->dir != NULL)
        assert_true(gw_found_store(o->dir, o->names[o->num], &o->context, found, why, sizeof(why)));
    return ++o->num < o->most;
}

static outcome fuzz(const char *role, const char *mutant, gw_carriage carriage, uint64_t packets,
                    uint64_t seed, size_t most)
{
    char why[256] = "";
    gw_run run;
    gw_case_list all;
    static gw_campaign campaign;
    const gw_board *board = gw_board_by_role(role);
    const gw_suite *suite = gw_suite_by_role(role);
    const gw_mutant *fault = mutant != NULL ? gw_mutant_by_id(board, mutant) : NULL;
    assert_true(mutant == NULL || fault != NULL);
    gw_dut *dut = gw_dut_in_memory(board, fault, carriage, why, sizeof(why));
    assert_non_null(dut);
    assert_true(gw_select(&all, suite, NULL, 0));
    gw_lesson lesson = {.keep_stories = true};
    gw_run_setup setup = {.suite = suite,
                          .board = gw_builtin_board(role),
                          .target = gw_dut_target(dut),
                          .cases = all.cases,
                          .num_cases = all.num,
                          .seed = seed};
    assert_true(gw_learn(&lesson, &setup, why, sizeof(why)));
    assert_true(lesson.answered);
    assert_true(lesson.stock.num > 0);
    outcome o = {.context = {.suite = suite, .target = setup.target, .call = ""}, .most = most};
    gw_watch watch = {.cases = lesson.cases,
                      .num_cases = lesson.num_cases,
                      .hostile = lesson.hostile,
                      .num_hostile = lesson.num_hostile};
    gw_campaign_setup fuzzing = {.stock = &lesson.stock,
                                 .watch = &watch,
                                 .context = &o.context,
                                 .seed = seed,
                                 .packets = packets,
                                 .catches = take,
                                 .arg = &o};
    gw_campaign_init(&campaign, &fuzzing);
    const gw_case *cases[] = {&campaign.one};
    setup.cases = cases;
    setup.num_cases = 1;
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    gw_run_free(&run);
    o.report = campaign.report;
    gw_lesson_free(&lesson);
    gw_case_list_free(&all);
    gw_dut_close(dut);
    return o;
}

static void nothing_is_found_in_good_boards(void **state)
{
    static const char *const roles[] = {
        "etherbone-slave", "op2p-node", "textarossa-node", "textarossa-switch",
        "ims-buf",         "l1-ru",     "l1-cn",           "l1-du"};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(roles); i++) {
        outcome o = fuzz(roles[i], NULL, GW_CARRY_UDP, 6000, 1 + i, 1);
        if (o.num > 0)
            print_message("%s: %s\n", roles[i], o.names[0]);
        assert_int_equal(o.num, 0);
        assert_string_equal(o.report.lost, "");
        assert_true(o.report.packets >= 6000);
        assert_true(o.report.mutated > o.report.packets / 4);
    }
    outcome o = fuzz("etherbone-slave", NULL, GW_CARRY_TCP, 6000, 1, 1);
    assert_int_equal(o.num, 0);
    assert_string_equal(o.report.lost, "");
}

/* None of the three packets does it alone. */
static void three_packets_that_hang_a_board_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *role;
        const char *mutant;
        gw_carriage over;
        const char *symptom;
    } hangs[] = {
        {"etherbone-slave", "m-hangs-on-reserved-third", GW_CARRY_UDP, "silent."},
        {"etherbone-slave", "m-hangs-on-reserved-third", GW_CARRY_TCP, "mute."},
        {"ims-buf", "m-hangs-on-short-third", GW_CARRY_UDP, "silent."},
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(hangs); i++) {
        for (uint64_t seed = 1; seed <= 10; seed++) {
            outcome o = fuzz(hangs[i].role, hangs[i].mutant, hangs[i].over, 100000, seed, 1);
            assert_int_equal(o.num, 1);
            assert_uint_in_range(o.packets[0], 1, 3);
            assert_int_equal(o.shown[0], GW_CATCH_TRIES);
            assert_memory_equal(o.names[0], hangs[i].symptom, strlen(hangs[i].symptom));
        }
    }
}

/* However its packets and the cases that show it differ from campaign to campaign. */
static void a_fault_is_called_the_same_by_any_seed(void **state)
{
    static const struct {
        const char *role;
        const char *mutant;
        unsigned packets;
        const char *names[2];
    } faults[] = {
        {"ims-buf", "m-stat-term-keeps-channel", 12000, {"wrong.IMS-B12", "wrong.IMS-C1"}},
        {"etherbone-slave", "m-dirty-padding", 12000, {"broken.EB-S13", "broken.EB-S13"}},
        {"etherbone-slave", "m-hangs-on-truncated", 2000, {"silent.unreadable"}},
        {"textarossa-node", "m-short-datagram-stalls", 1000, {"deaf.unreadable"}},
        {"op2p-node", "m-as-long-as-asked", 12000, {"broken.OP-E04", "broken.OP-E04"}},
        {"op2p-node", "m-copies-rfu", 12000, {"broken.OP-E03", "broken.OP-E03"}}};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(faults); i++) {
        for (uint64_t seed = 1; seed <= 2; seed++) {
            outcome o = fuzz(faults[i].role, faults[i].mutant, GW_CARRY_UDP, faults[i].packets,
                             seed, FOUND_MAX - 1);
            assert_true(o.num >= 1);
            for (size_t n = 0; n < o.num; n++)
                if (strcmp(o.names[n], faults[i].names[0]) != 0 &&
                    (faults[i].names[1] == NULL || strcmp(o.names[n], faults[i].names[1]) != 0))
                    fail_msg("%s is called %s", faults[i].mutant, o.names[n]);
        }
    }
}

/* One packet, as short as it gets; and the same name whatever the order was. */
static void a_fault_has_one_name(void **state)
{
    char names[2][GW_FOUND_NAME];
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        outcome o = fuzz("etherbone-slave", "m-dirty-padding", GW_CARRY_UDP, 20000, seed, 1);
        assert_int_equal(o.num, 1);
        assert_int_equal(o.packets[0], 1);
        memcpy(names[seed - 1], o.names[0], GW_FOUND_NAME);
    }
    assert_string_equal(names[0], names[1]);
    assert_string_equal(names[0], "broken.EB-S13");
}

static void one_seed_does_the_same_twice(void **state)
{
    (void)state;
    outcome a = fuzz("op2p-node", NULL, GW_CARRY_UDP, 2000, 7, 1);
    outcome b = fuzz("op2p-node", NULL, GW_CARRY_UDP, 2000, 7, 1);
    assert_int_equal(a.report.packets, b.report.packets);
    assert_int_equal(a.report.mutated, b.report.mutated);
    assert_int_equal(a.report.fenced, b.report.fenced);
}

/* ---- cases of ours, each alone ---- */

static const char *const no_rules[] = {NULL};

/* Runs the case |one|, which says itself when it has done enough, against an EtherBone slave, and
 * ends that. */
static void run_alone(gw_dut *dut, const gw_case *one)
{
    char why[256] = "";
    gw_run run;
    const gw_case *cases[] = {one};
    gw_run_setup setup = {.suite = gw_suite_by_role("etherbone-slave"),
                          .board = gw_builtin_board("etherbone-slave"),
                          .target = gw_dut_target(dut),
                          .cases = cases,
                          .num_cases = 1,
                          .seed = 1};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    gw_run_free(&run);
    gw_dut_close(dut);
}

/* An EtherBone slave that hangs by the third of its reserved bits. */
static gw_dut *start_deadly(void)
{
    char why[256] = "";
    const gw_board *board = gw_board_by_role("etherbone-slave");
    const gw_mutant *fault = gw_mutant_by_id(board, "m-hangs-on-reserved-third");
    gw_dut *dut = gw_dut_in_memory(board, fault, GW_CARRY_UDP, why, sizeof(why));
    assert_non_null(dut);
    return dut;
}

/* ---- made small ---- */

#define FLAGS 28 /* where the header of the third record is in the packet */
#define RESERVED 0x10
#define HEADER 2
#define HEADER_RESERVED 0x08

/* A write, a read, and a read with a reserved bit; two fields beside that one are changed as well.
 * One more reserved bit, of the packet's header, was set already. */
static const uint8_t is[] = {0x4e, 0x6f, 0x18, 0x44, 0x08, 0x0f, 1, 0, 0,    0, 0, 0x20, 1, 2,
                             3,    4,    0x08, 0x0f, 0,    1,    0, 0, 0x80, 0, 0, 0,    0, 0x20,
                             0x1c, 0x0e, 0,    1,    0,    0,    0, 0, 0,    0, 0, 0x20};
static const uint8_t was[] = {0x4e, 0x6f, 0x18, 0x44, 0x08, 0x0f, 1, 0, 0,    0, 0, 0x20, 1, 2,
                              3,    4,    0x08, 0x0f, 0,    1,    0, 0, 0x80, 0, 0, 0,    0, 0x20,
                              0x08, 0x0f, 0,    1,    0,    0,    0, 0, 0,    0, 0, 0x20};

typedef struct shrunk {
    gw_case one; /* the first member */
    gw_found_context context;
    gw_catch found;
    bool ran;
} shrunk;

static void shrink_it(gw_ctx *ctx)
{
    shrunk *s = (shrunk *)(uintptr_t)gw_case_self(ctx);
    gw_watch watch = {0};
    unsigned tries;
    gw_search search = {.ctx = ctx, .watch = &watch, .like = &s->found.anomaly};
    if (s->ran)
        return;
    s->ran = true;
    /* What there is no time to try has not been tried in vain. */
    search.most = 2;
    assert_int_equal(gw_search_count(&search, &s->found.shots, GW_CATCH_TRIES, &tries), 2);
    assert_int_equal(tries, 2);
    search.most = 0;
    search.until_ns = 1;
    assert_int_equal(gw_search_count(&search, &s->found.shots, GW_CATCH_TRIES, &tries), 0);
    assert_int_equal(tries, 0);
    search.until_ns = 0;
    assert_true(gw_search_try(&search, &s->found.shots, 0, s->found.shots.num));
    assert_true(gw_shrink(&search, &s->context, &s->found.shots, 1));
    (void)gw_search_ready(&search);
}

/* Fields side by side are changed in one run of bytes: those that do nothing are taken back. */
static void what_does_nothing_is_taken_back(void **state)
{
    (void)state;
    gw_dut *dut = start_deadly();
    shrunk s = {
        .one = {.id = "fuzz/shrink",
                .title = "Test",
                .rules = no_rules,
                .endless = true,
                .run = shrink_it},
        .context = {.suite = gw_suite_by_role("etherbone-slave"),
                    .target = gw_dut_target(dut),
                    .call = ""},
        .found = {.anomaly = {.symptom = GW_SYMPTOM_SILENT, .text = "as it was seen first"}}};
    assert_true(
        gw_shots_add(&s.found.shots, &(gw_shot){.anew = true}, is, sizeof(is), was, sizeof(was)));
    run_alone(dut, &s.one);
    assert_true(s.ran);
    const gw_shot *shot = &s.found.shots.list[0];
    const uint8_t *bytes = gw_shots_data(&s.found.shots, shot);
    assert_true(shot->len > FLAGS + 1);
    assert_int_equal(bytes[HEADER], was[HEADER] ^ HEADER_RESERVED);
    assert_memory_equal(bytes + HEADER + 1, was + HEADER + 1, FLAGS - HEADER - 1);
    assert_int_equal(bytes[FLAGS], was[FLAGS] ^ RESERVED);
    assert_int_equal(bytes[FLAGS + 1], was[FLAGS + 1]);
    /* What is told is how it was seen last. */
    assert_non_null(strstr(s.found.anomaly.text, "does not answer any more"));
    gw_catch_free(&s.found);
}

/* The same, with one read more at its end, as it comes out of a story. */
static const uint8_t longer[] = {0x4e, 0x6f, 0x18, 0x44, 0x08, 0x0f, 1, 0, 0, 0,    0, 0x20, 1,
                                 2,    3,    4,    0x08, 0x0f, 0,    1, 0, 0, 0x80, 0, 0,    0,
                                 0,    0x20, 0x1c, 0x0f, 0,    1,    0, 0, 0, 0,    0, 0,    0,
                                 0x20, 0x08, 0x0f, 0,    1,    0,    0, 0, 0, 0,    0, 0,    0x20};

#define TRIES_MOST 500u
#define TRIES_ENOUGH                                                                               \
    100u /* a round over each byte and piece, and another in which nothing goes                    \
          */

static void shrink_a_story(gw_ctx *ctx)
{
    shrunk *s = (shrunk *)(uintptr_t)gw_case_self(ctx);
    gw_watch watch = {0};
    gw_search search = {.ctx = ctx, .watch = &watch, .like = &s->found.anomaly, .most = TRIES_MOST};
    if (s->ran)
        return;
    s->ran = true;
    assert_true(gw_search_try(&search, &s->found.shots, 0, 1));
    assert_true(gw_shrink(&search, &s->context, &s->found.shots, 1));
    assert_true(search.tries < TRIES_ENOUGH);
    search.most = 0;
    (void)gw_search_ready(&search);
}

/* A packet that lost a piece is not made what it was again, over and over. */
static void what_was_never_mutated_is_made_small_and_that_ends(void **state)
{
    (void)state;
    gw_dut *dut = start_deadly();
    shrunk s = {.one = {.id = "fuzz/shrink",
                        .title = "Test",
                        .rules = no_rules,
                        .endless = true,
                        .run = shrink_a_story},
                .context = {.suite = gw_suite_by_role("etherbone-slave"),
                            .target = gw_dut_target(dut),
                            .call = ""},
                .found = {.anomaly = {.symptom = GW_SYMPTOM_SILENT}}};
    assert_true(
        gw_shots_add(&s.found.shots, &(gw_shot){.anew = true}, longer, sizeof(longer), NULL, 0));
    run_alone(dut, &s.one);
    assert_true(s.ran);
    assert_int_equal(s.found.shots.num, 1);
    assert_false(s.found.shots.list[0].mutated);
    assert_true(s.found.shots.list[0].len < sizeof(longer));
    gw_catch_free(&s.found);
}

/* ---- a board that dies of a case ---- */

/* Sends what the board hangs by, and says that something else is wrong. */
static void ask_for_too_much(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "EB-S11"};
    (void)gw_case_send(ctx, gw_case_connection(ctx), is, sizeof(is));
    gw_case_fail(ctx, &miss, "no reply");
}

typedef struct looked {
    gw_case one; /* the first member */
    gw_anomaly anomaly;
    bool ran;
} looked;

static const char *const deadly_rules[] = {"EB-S11", NULL};
static const gw_case deadly = {
    .id = "fuzz/deadly", .title = "Test", .rules = deadly_rules, .run = ask_for_too_much};

static void look_once(gw_ctx *ctx)
{
    looked *l = (looked *)(uintptr_t)gw_case_self(ctx);
    const gw_case *cases[] = {&deadly};
    gw_watch watch = {.cases = cases, .num_cases = 1};
    gw_evidence said = {0};
    if (l->ran)
        return;
    l->ran = true;
    assert_false(gw_watch_look(&watch, ctx, GW_WATCH_ONE_CASE, &l->anomaly, &said));
    gw_evidence_free(&said);
    gw_search search = {.ctx = ctx, .watch = &watch, .like = &l->anomaly};
    (void)gw_search_ready(&search);
}

/* It would fail each further attempt, and each other case: that it is dead is what is wrong. */
static void a_board_that_dies_of_a_case_is_dead_and_not_wrong(void **state)
{
    (void)state;
    gw_dut *dut = start_deadly();
    looked l = {.one = {.id = "fuzz/look",
                        .title = "Test",
                        .rules = no_rules,
                        .endless = true,
                        .run = look_once}};
    run_alone(dut, &l.one);
    assert_true(l.ran);
    assert_int_equal(l.anomaly.symptom, GW_SYMPTOM_SILENT);
    assert_null(l.anomaly.rule);
    assert_ptr_equal(l.anomaly.by, &deadly);
}

/* ---- a campaign whose time is up ---- */

static unsigned num_tries;

static void fail_always(gw_ctx *ctx)
{
    gw_miss miss = {.rule = "EB-S11"};
    num_tries++;
    gw_case_fail(ctx, &miss, "not what it said before");
}

static const gw_case failing = {
    .id = "fuzz/failing", .title = "Test", .rules = deadly_rules, .run = fail_always};

static void look_in_time_and_late(gw_ctx *ctx)
{
    looked *l = (looked *)(uintptr_t)gw_case_self(ctx);
    if (l->ran)
        return;
    l->ran = true;
    for (unsigned late = 0; late < 2; late++) {
        gw_watch watch = {.until_ns = late};
        l->anomaly = (gw_anomaly){.by = &failing};
        num_tries = 0;
        assert_false(gw_watch_look(&watch, ctx, GW_WATCH_BY, &l->anomaly, NULL));
        assert_int_equal(num_tries, late ? 1 : 2);
        assert_int_equal(strstr(l->anomaly.text, "no time") != NULL, late);
        /* What was seen once only is not taken for brought about. */
        const gw_shots none = {0};
        gw_search search = {.ctx = ctx, .watch = &watch, .like = &l->anomaly};
        assert_int_equal(gw_search_try(&search, &none, 0, 0), !late);
    }
}

static void nothing_is_repeated_when_the_time_is_up(void **state)
{
    char why[256] = "";
    (void)state;
    gw_dut *dut =
        gw_dut_in_memory(gw_board_by_role("etherbone-slave"), NULL, GW_CARRY_UDP, why, sizeof(why));
    assert_non_null(dut);
    looked l = {.one = {.id = "fuzz/look",
                        .title = "Test",
                        .rules = no_rules,
                        .endless = true,
                        .run = look_in_time_and_late}};
    run_alone(dut, &l.one);
    assert_true(l.ran);
}

/* ---- a path that is not blamed for what a board swallows ---- */

#define LOOKS 40

typedef struct probed {
    gw_case one; /* the first member */
    gw_path_stats before;
    gw_path_stats after;
    unsigned well;
    bool ran;
} probed;

static void probe_often(gw_ctx *ctx)
{
    probed *p = (probed *)(uintptr_t)gw_case_self(ctx);
    gw_watch watch = {0};
    if (p->ran)
        return;
    p->ran = true;
    p->before = ctx->path;
    for (unsigned i = 0; i < LOOKS; i++) {
        gw_anomaly anomaly = {0};
        gw_evidence said = {0};
        p->well += gw_watch_look(&watch, ctx, GW_WATCH_LIFE, &anomaly, &said);
        gw_evidence_free(&said);
    }
    p->after = ctx->path;
}

/* Behind packets that a board may choke on nobody knows who lost a probe. */
static void what_gets_lost_behind_a_batch_is_not_the_paths(void **state)
{
    char why[256] = "";
    (void)state;
    const gw_impairment path = {.loss = GW_IMPAIR_SCALE / 4, .seed = 3};
    const gw_board *board = gw_board_by_role("etherbone-slave");
    gw_dut *dut = gw_dut_behind(board, NULL, GW_CARRY_UDP, &path, why, sizeof(why));
    assert_non_null(dut);
    probed p = {.one = {.id = "fuzz/probe",
                        .title = "Test",
                        .rules = no_rules,
                        .endless = true,
                        .run = probe_often}};
    run_alone(dut, &p.one);
    assert_true(p.ran);
    assert_uint_in_range(p.well, LOOKS / 2, LOOKS);
    assert_true(p.after.probes > p.before.probes); /* those that were answered at once */
    assert_int_equal(p.after.lost, p.before.lost);
}

/* The bits of one byte belong to several fields. */
static void the_field_that_is_changed_is_named(void **state)
{
    uint8_t now[sizeof(was)];
    gw_shots shots = {0};
    gw_found_context context = {.suite = gw_suite_by_role("etherbone-slave")};
    static const struct {
        size_t at;
        uint8_t bits;
        const char *field;
    } changes[] = {{2, 0x08, "etherbone.reserved"},
                   {2, 0x10, "etherbone.version"},
                   {3, 0x10, "etherbone.addr_width"},
                   {3, 0x01, "etherbone.port_width"}};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(changes); i++) {
        memcpy(now, was, sizeof(now));
        now[changes[i].at] ^= changes[i].bits;
        assert_true(
            gw_shots_add(&shots, &(gw_shot){.anew = true}, now, sizeof(now), was, sizeof(was)));
        const gw_field *field = gw_found_changes(&context, &shots, &shots.list[i]);
        assert_non_null(field);
        assert_string_equal(field->name, changes[i].field);
    }
    gw_shots_free(&shots);
}

/* ---- what may be sent ---- */

static void writes_stay_inside_the_areas(void **state)
{
    uint8_t bytes[64];
    gw_board_file board = {.num_areas = 2,
                           .areas = {{.type = GW_AREA_READONLY, .address = 0, .size = 0x100},
                                     {.type = GW_AREA_RAM, .address = 0x1000, .size = 0x10}}};
    static const struct {
        uint64_t address;
        unsigned words;
        uint8_t flags;
        bool lets;
    } writes[] = {{0x1000, 4, 0, true},  {0x100c, 1, 0, true},    {0x1000, 5, 0, false},
                  {0x1010, 1, 0, false}, {0, 1, 0, false},        {0xfffffffc, 2, 0, false},
                  {0x1000, 0, 0, true},  {0, 1, GW_EB_WCA, false}};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(writes); i++) {
        uint64_t words[8] = {0};
        gw_eb_builder b;
        gw_eb_operation op = {.writes = words,
                              .num_writes = writes[i].words,
                              .write_base = writes[i].address,
                              .flags = writes[i].flags,
                              .byte_enable = 0xf};
        assert_true(gw_eb_build_packet(&b, bytes, sizeof(bytes), 0x44, NULL));
        assert_true(gw_eb_build_record(&b, &op));
        gw_message m = gw_message_of(bytes, gw_eb_build_end(&b, true));
        if (gw_fence_lets(&board, &gw_etherbone, NULL, &m) != writes[i].lets)
            fail_msg("write %zu", i);
    }
}

/* ---- on disk ---- */

static void a_finding_comes_back_as_it_was_kept(void **state)
{
    gw_temporary dir;
    char why[256] = "";
    char path[512];
    gw_catch back;
    (void)state;
    assert_true(gw_temporary_folder(&dir));
    const gw_board *board = gw_board_by_role("etherbone-slave");
    gw_dut *dut = gw_dut_in_memory(board, NULL, GW_CARRY_UDP, why, sizeof(why));
    assert_non_null(dut);
    gw_found_context context = {.suite = gw_suite_by_role("etherbone-slave"),
                                .target = gw_dut_target(dut),
                                .call = "--dut 'udp://192.0.2.1'"};
    gw_catch found = {.anomaly = {.symptom = GW_SYMPTOM_WRONG,
                                  .rule = gw_format_rule(&gw_etherbone, "EB-S16"),
                                  .by = gw_suite_case(context.suite, "eb-s/write-read"),
                                  .text = "an \"odd\" text\n"},
                      .tries = 4,
                      .shown = 3};
    gw_shot like = {.anew = true, .line = 1};
    assert_true(
        gw_shots_add(&found.shots, &like, (const uint8_t *)"NoD", 3, (const uint8_t *)"Nod", 3));
    assert_true(gw_shots_add(&found.shots, &(gw_shot){.joined = true}, NULL, 0, NULL, 0));
    assert_true(gw_found_store(dir.path, "a-name", &context, &found, why, sizeof(why)));
    assert_true(gw_found_is_there(dir.path, "a-name"));
    /* What is called the same is counted there; what was kept stays, also when it is kept anew. */
    assert_true(gw_found_again(dir.path, "a-name", &context, &found, why, sizeof(why)));
    assert_true(gw_found_store(dir.path, "a-name", &context, &found, why, sizeof(why)));
    found.shots.num--;
    assert_true(gw_found_again(dir.path, "a-name", &context, &found, why, sizeof(why)));
    found.shots.num++;
    assert_false(gw_found_is_there(dir.path, "another"));
    (void)snprintf(path, sizeof(path), "%s/" GW_FOUND_FOLDER "/a-name/" GW_FOUND_FILE, dir.path);
    json_t *root = json_load_file(path, 0, NULL);
    const json_t *variants = json_object_get(root, "variants");
    assert_int_equal(json_array_size(variants), 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(json_integer_value(json_object_get(json_array_get(variants, i), "times")),
                         2 - i);
    json_decref(root);
    assert_true(gw_found_load(&back, &context, path, why, sizeof(why)));
    assert_true(gw_anomaly_equal(&back.anomaly, &found.anomaly));
    assert_string_equal(back.anomaly.text, found.anomaly.text);
    assert_int_equal(back.shots.num, 2);
    assert_true(back.shots.list[0].anew);
    assert_int_equal(back.shots.list[0].line, 1);
    assert_memory_equal(gw_shots_data(&back.shots, &back.shots.list[0]), "NoD", 3);
    assert_memory_equal(gw_shots_was(&back.shots, &back.shots.list[0]), "Nod", 3);
    assert_true(back.shots.list[1].joined);
    assert_false(back.shots.list[1].mutated);
    gw_catch_free(&back);
    gw_catch_free(&found);
    (void)remove(path);
    (void)snprintf(path, sizeof(path), "rm -r %s", dir.path);
    assert_int_equal(system(path), 0); /* NOLINT(cert-env33-c): a name of our own making */
    gw_dut_close(dut);
}

static void what_is_no_finding_is_told(void **state)
{
    static const char *const files[] = {
        "",
        "[",
        "[]",
        "{}",
        "{\"version\":1,\"role\":\"op2p-node\",\"symptom\":\"silent\",\"sent\":[{}]}",
        "{\"version\":1,\"role\":\"etherbone-slave\",\"symptom\":\"sad\",\"sent\":[{}]}",
        "{\"version\":1,\"role\":\"etherbone-slave\",\"symptom\":\"silent\",\"sent\":[]}",
        "{\"version\":1,\"role\":\"etherbone-slave\",\"symptom\":\"silent\",\"sent\":[{}]}",
        "{\"version\":1,\"role\":\"etherbone-slave\",\"symptom\":\"silent\",\"rule\":\"XX-1\","
        "\"sent\":[{\"link\":\"bus\",\"bytes\":\"00\"}]}",
        "{\"version\":1,\"role\":\"etherbone-slave\",\"symptom\":\"silent\","
        "\"sent\":[{\"link\":\"sub\",\"bytes\":\"00\"}]}",
        "{\"version\":1,\"role\":\"etherbone-slave\",\"symptom\":\"silent\","
        "\"sent\":[{\"link\":\"bus\",\"bytes\":\"0\"}]}",
        "{\"version\":1,\"role\":\"etherbone-slave\",\"symptom\":\"silent\","
        "\"sent\":[{\"link\":\"bus\",\"bytes\":\"0g\"}]}",
        "{\"version\":1,\"role\":\"etherbone-slave\",\"symptom\":\"silent\","
        "\"sent\":[{\"link\":\"bus\",\"bytes\":\"00\",\"line\":99}]}",
        "{\"version\":1,\"role\":\"etherbone-slave\",\"symptom\":\"silent\","
        "\"sent\":[{\"link\":\"bus\",\"bytes\":\"00\",\"fate\":\"odd\"}]}",
        "{\"version\":1,\"role\":\"etherbone-slave\",\"symptom\":\"silent\",\"answers\":{"
        "\"story\":null,\"random\":\"0x0000000000000001\",\"seed\":\"0x0000000000000001\","
        "\"shift\":0,\"mask\":\"0x0000000000000001\",\"lost\":\"0x0000000000000000\",\"back\":[]},"
        "\"sent\":[{\"link\":\"bus\",\"bytes\":\"00\",\"fate\":\"sent\"}]}",
    };
    char why[256] = "";
    (void)state;
    const gw_board *board = gw_board_by_role("etherbone-slave");
    gw_dut *dut = gw_dut_in_memory(board, NULL, GW_CARRY_UDP, why, sizeof(why));
    assert_non_null(dut);
    gw_found_context context = {.suite = gw_suite_by_role("etherbone-slave"),
                                .target = gw_dut_target(dut)};
    for (size_t i = 0; i < GW_ARRAY_LEN(files); i++) {
        gw_temporary file;
        gw_catch back;
        assert_true(gw_temporary_file(&file, files[i]));
        why[0] = '\0';
        if (gw_found_load(&back, &context, file.path, why, sizeof(why)))
            fail_msg("file %zu is taken", i);
        assert_non_null(strstr(why, file.path));
        (void)remove(file.path);
    }
    gw_dut_close(dut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_in_good_boards),
        cmocka_unit_test(three_packets_that_hang_a_board_are_found),
        cmocka_unit_test(a_fault_is_called_the_same_by_any_seed),
        cmocka_unit_test(a_fault_has_one_name),
        cmocka_unit_test(one_seed_does_the_same_twice),
        cmocka_unit_test(what_does_nothing_is_taken_back),
        cmocka_unit_test(what_was_never_mutated_is_made_small_and_that_ends),
        cmocka_unit_test(a_board_that_dies_of_a_case_is_dead_and_not_wrong),
        cmocka_unit_test(nothing_is_repeated_when_the_time_is_up),
        cmocka_unit_test(what_gets_lost_behind_a_batch_is_not_the_paths),
        cmocka_unit_test(the_field_that_is_changed_is_named),
        cmocka_unit_test(writes_stay_inside_the_areas),
        cmocka_unit_test(a_finding_comes_back_as_it_was_kept),
        cmocka_unit_test(what_is_no_finding_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
