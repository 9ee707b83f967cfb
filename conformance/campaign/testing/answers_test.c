/* SPDX-License-Identifier: BSD-2-Clause */
/* Campaigns that alter answers to boards that call us: boards that pass every case, and do not
 * survive one answer behind a few others, are found, made small and named; good ones are left
 * alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/altered/hunt.h"
#include "campaign/campaign.h"
#include "campaign/found.h"
#include "campaign/learn.h"
#include "device/dut.h"
#include "formats/builtin.h"
#include "formats/etherbone/master/board.h"
#include "harness/temporary_testing.h"
#include "run/select.h"

#define MASTER "etherbone-master"
#define WORKER "ims-worker"
#define FOUND_MAX 8
#define BEFORE 3 /* answers that have to be good before the one that is not survived */

/* ---- boards that no case finds ---- */

/* Dies of reserved bits in a reply, once some of its tasks are done: no case sets any there. */
static gw_eb_master_take hang_on_reserved(const gw_eb_master_heard *heard)
{
    bool reserved = (heard->record->flags & (GW_EB_RESERVED_10 | GW_EB_RESERVED_01)) != 0;
    heard->m->hung = heard->m->hung || (reserved && heard->m->num_done >= BEFORE);
    return heard->m->hung ? GW_EB_END : GW_EB_TAKE;
}

static const gw_eb_master_mutation hangs_on_reserved = {.reply = hang_on_reserved};
static const gw_mutant fragile_master = {.id = "m-hangs-on-reserved-reply",
                                         .rules = GW_LIST("EB-M18"),
                                         .what = "dies of reserved bits in a later reply",
                                         .mutation = &hangs_on_reserved};

/* A Worker that dies of padding that is none, in a packet behind some others. */
static const gw_board *worker;
static unsigned heard;
static bool hung;

static bool begin_worker(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    heard = 0;
    hung = false;
    return worker->init(state, config, why, why_cap);
}

#define PAD 0x30 /* bits of the second byte of a BTH */

static int64_t step_worker(void *state, const gw_peer_event *event, int64_t now_ns,
                           gw_peer_out *out)
{
    bool packet = event->kind == GW_PEER_BYTES && event->len > 12;
    hung = hung || (packet && heard >= BEFORE && (event->data[1] & PAD) != 0);
    heard += packet;
    return hung ? GW_PEER_NEVER : worker->step(state, event, now_ns, out);
}

static bool is_worker_done(const void *state)
{
    return !hung && worker->done(state);
}

static gw_board fragile_worker(void)
{
    worker = gw_board_by_role(WORKER);
    gw_board fragile = *worker;
    fragile.init = begin_worker;
    fragile.step = step_worker;
    fragile.done = is_worker_done;
    return fragile;
}

/* A fragile master that is called again and again by a loop, as one at the far end of a cable is,
 * and that stays dead until it is restarted. */
#define LOOP_NS (50 * GW_MS)

static struct {
    const gw_board *master;
    const gw_peer_config *config;
    bool stream;
    bool dead;
    int64_t again_ns;
    bool (*restart)(gw_target *target, char *why, size_t why_cap);
} loop;

static bool begin_loop(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    loop.config = config;
    loop.again_ns = 0;
    return loop.master->init(state, config, why, why_cap);
}

static int64_t step_loop(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    char why[64];
    const gw_peer_event anew = {.kind = GW_PEER_OPEN, .stream = loop.stream};
    if (loop.dead)
        return GW_PEER_NEVER;
    if (event->kind == GW_PEER_OPEN)
        loop.stream = event->stream;
    if (loop.again_ns != 0) {
        if (now_ns < loop.again_ns)
            return loop.again_ns;
        loop.again_ns = 0;
        loop.master->fini(state);
        assert_true(loop.master->init(state, loop.config, why, sizeof(why)));
        return loop.master->step(state, &anew, now_ns, out);
    }
    int64_t next_ns = loop.master->step(state, event, now_ns, out);
    loop.dead = ((const gw_eb_master *)state)->hung;
    if (!loop.dead && loop.master->done(state))
        next_ns = loop.again_ns = now_ns + LOOP_NS;
    return next_ns;
}

static bool restart_loop(gw_target *target, char *why, size_t why_cap)
{
    loop.dead = false;
    return loop.restart(target, why, why_cap);
}

static gw_board looping_master(void)
{
    loop.master = gw_board_by_role(MASTER);
    gw_board looping = *loop.master;
    looping.init = begin_loop;
    looping.step = step_loop;
    return looping;
}

/* Nobody knows when such a board is at its end. */
static void leave_alone(gw_target *target)
{
    loop.dead = false;
    loop.restart = target->restart;
    target->restart = restart_loop;
    target->over = NULL;
    target->fresh = false;
}

/* ---- campaigns ---- */

typedef struct trial {
    const char *role;
    bool fragile;
    bool loops;
    const char *mutant; /* one of the suite's; or NULL */
    bool legal;         /* no case that breaks something is played */
    gw_carriage carriage;
    double loss;
    uint64_t packets;
    uint64_t seed;
    const char *dir; /* where findings are kept; or NULL */
} trial;

typedef struct outcome {
    gw_campaign_report report;
    gw_found_context context;
    size_t num;
    char names[FOUND_MAX][GW_FOUND_NAME];
    size_t answers[FOUND_MAX];
    unsigned places[FOUND_MAX]; /* in which these are not what they were */
    const char *dir;
} outcome;

/* In how many places the answers differ from what they were; one longer or shorter in one more. */
static unsigned places_of(const gw_shots *shots)
{
    unsigned places = 0;
    for (size_t i = 0; i < shots->num; i++) {
        const gw_shot *shot = &shots->list[i];
        const uint8_t *now = gw_shots_data(shots, shot), *was = gw_shots_was(shots, shot);
        if (!shot->mutated)
            continue;
        bool differed = false;
        for (size_t at = 0; at < shot->len && at < shot->was_len; at++) {
            bool differs = now[at] != was[at];
            places += differs && !differed;
            differed = differs;
        }
        places += shot->len != shot->was_len;
    }
    return places;
}

static bool take(void *arg, const gw_catch *found)
{
    outcome *o = arg;
    char why[256] = "";
    char name[GW_FOUND_NAME];
    gw_found_name(name, &o->context, found);
    for (size_t i = 0; i < o->num; i++)
        if (strcmp(o->names[i], name) == 0)
            return true;
    assert_true(o->num < FOUND_MAX);
    assert_true(found->answers);
    assert_int_equal(found->shown, GW_CATCH_TRIES);
    memcpy(o->names[o->num], name, sizeof(name));
    o->answers[o->num] = found->shots.num;
    o->places[o->num] = places_of(&found->shots);
    if (o->dir != NULL)
        assert_true(gw_found_store(o->dir, name, &o->context, found, why, sizeof(why)));
    o->num++;
    return true;
}

static gw_dut *open_board(const trial *t, gw_board *board)
{
    char why[256] = "";
    const gw_impairment path = {.loss = (uint32_t)(t->loss * GW_IMPAIR_SCALE), .seed = t->seed};
    bool masters = strcmp(t->role, MASTER) == 0;
    *board = t->loops                 ? looping_master()
             : t->fragile && !masters ? fragile_worker()
                                      : *gw_board_by_role(t->role);
    const gw_mutant *fault = t->fragile && masters ? &fragile_master
                             : t->mutant != NULL   ? gw_mutant_by_id(board, t->mutant)
                                                   : NULL;
    assert_true(t->mutant == NULL || fault != NULL);
    gw_dut *dut = t->loss > 0 ? gw_dut_behind(board, fault, t->carriage, &path, why, sizeof(why))
                              : gw_dut_in_memory(board, fault, t->carriage, why, sizeof(why));
    assert_non_null(dut);
    if (t->loops)
        leave_alone(gw_dut_target(dut));
    return dut;
}

/* Brings a finding about again, as triage does. */
typedef struct again {
    gw_case one; /* the first member */
    const outcome *o;
    bool done;
    unsigned shown;
} again;

static void bring_about(gw_ctx *ctx)
{
    again *a = (again *)(uintptr_t)gw_case_self(ctx);
    if (a->done)
        return;
    a->done = true;
    for (size_t i = 0; i < a->o->num; i++) {
        gw_catch found;
        char path[512];
        char why[256] = "";
        gw_watch watch = {0};
        (void)snprintf(path, sizeof(path), "%s/findings/%s/finding.json", a->o->dir,
                       a->o->names[i]);
        assert_true(gw_found_load(&found, &a->o->context, path, why, sizeof(why)));
        assert_true(found.answers);
        gw_search search = {.ctx = ctx, .watch = &watch, .like = &found.anomaly};
        gw_hunt hunt = {.search = &search, .board = gw_case_board(ctx), .how = found.how};
        a->shown += gw_hunt_try(&hunt, &found.how);
        gw_hunt_free(&hunt);
        gw_catch_free(&found);
    }
}

static unsigned triage(const trial *t, outcome *o)
{
    static const char *const no_rules[] = {NULL};
    char why[256] = "";
    gw_run run;
    gw_board board;
    gw_dut *dut = open_board(t, &board);
    o->context.target = gw_dut_target(dut);
    again a = {.one = {.id = "fuzz/again",
                       .title = "Test",
                       .rules = no_rules,
                       .endless = true,
                       .run = bring_about},
               .o = o};
    const gw_case *cases[] = {&a.one};
    const gw_run_setup setup = {.suite = o->context.suite,
                                .board = gw_board_by_role(t->role)->file,
                                .target = gw_dut_target(dut),
                                .cases = cases,
                                .num_cases = 1,
                                .seed = 1};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    gw_run_free(&run);
    gw_dut_close(dut);
    return a.shown;
}

static outcome fuzz(const trial *t)
{
    char why[256] = "";
    gw_run run;
    gw_case_list all;
    gw_board board;
    static gw_campaign campaign;
    gw_dut *dut = open_board(t, &board);
    outcome o = {
        .context = {.suite = gw_suite_by_role(t->role), .target = gw_dut_target(dut), .call = ""},
        .dir = t->dir};
    assert_true(gw_select(&all, o.context.suite, NULL, 0));
    gw_lesson lesson = {0};
    gw_run_setup setup = {.suite = o.context.suite,
                          .board = gw_board_by_role(t->role)->file,
                          .target = gw_dut_target(dut),
                          .cases = all.cases,
                          .num_cases = all.num,
                          .seed = t->seed};
    assert_true(gw_learn(&lesson, &setup, why, sizeof(why)));
    gw_watch watch = {.cases = lesson.cases,
                      .num_cases = lesson.num_cases,
                      .hostile = lesson.hostile,
                      .num_hostile = t->legal ? 0 : lesson.num_hostile};
    gw_campaign_init(&campaign, &(gw_campaign_setup){.stock = &lesson.stock,
                                                     .watch = &watch,
                                                     .context = &o.context,
                                                     .seed = t->seed,
                                                     .packets = t->packets,
                                                     .catches = take,
                                                     .arg = &o});
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

static void remove_findings(const outcome *o)
{
    char path[512];
    for (size_t i = 0; i < o->num; i++) {
        (void)snprintf(path, sizeof(path), "%s/findings/%s/" GW_FOUND_FILE, o->dir, o->names[i]);
        assert_int_equal(unlink(path), 0);
        (void)snprintf(path, sizeof(path), "%s/findings/%s/" GW_FOUND_CAPTURE, o->dir, o->names[i]);
        assert_int_equal(unlink(path), 0);
        (void)snprintf(path, sizeof(path), "%s/findings/%s", o->dir, o->names[i]);
        assert_int_equal(rmdir(path), 0);
    }
    (void)snprintf(path, sizeof(path), "%s/findings", o->dir);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(o->dir), 0);
}

/* ---- the tests ---- */

static const struct {
    const char *role;
    gw_carriage carriage;
    const char *name; /* of what is found each time: that, and perhaps ANOTHER */
} fragile[] = {
    {MASTER, GW_CARRY_UDP, "silent.answer.EB-S13"},
    {MASTER, GW_CARRY_TCP, "silent.answer.EB-S13"},
    {WORKER, GW_CARRY_UDP, "silent.answer.unreadable"},
};

/* Reserved bits in a reply that is cut as well. */
#define ANOTHER "silent.answer.unreadable"

static void expect_name(const outcome *o, const char *name)
{
    for (size_t i = 0; i < o->num; i++)
        if (strcmp(o->names[i], name) == 0)
            return;
    fail_msg("%s was not found", name);
}

/* Each case, those that break something on purpose too, says of them what it says of good boards.
 */
static void no_case_finds_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(fragile); i++) {
        char why[256] = "";
        gw_case_list all;
        gw_verdict verdicts[2][128];
        const gw_suite *suite = gw_suite_by_role(fragile[i].role);
        assert_true(gw_select(&all, suite, NULL, 0));
        assert_true(all.num <= GW_ARRAY_LEN(verdicts[0]));
        for (unsigned bad = 0; bad < 2; bad++) {
            gw_run run;
            gw_board board;
            const trial t = {
                .role = fragile[i].role, .fragile = bad != 0, .carriage = fragile[i].carriage};
            gw_dut *dut = open_board(&t, &board);
            const gw_run_setup setup = {.suite = suite,
                                        .board = gw_board_by_role(t.role)->file,
                                        .target = gw_dut_target(dut),
                                        .cases = all.cases,
                                        .num_cases = all.num,
                                        .seed = 1};
            assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
            for (size_t k = 0; k < run.num_results; k++)
                verdicts[bad][k] = run.results[k].verdict;
            assert_int_equal(run.counts.of[GW_FAIL] + run.counts.of[GW_WARN], 0);
            gw_run_free(&run);
            gw_dut_close(dut);
        }
        assert_memory_equal(verdicts[0], verdicts[1], all.num * sizeof(verdicts[0][0]));
        gw_case_list_free(&all);
    }
}

static void one_answer_that_is_not_survived_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(fragile); i++) {
        for (uint64_t seed = 1; seed <= 2; seed++) {
            gw_temporary dir;
            assert_true(gw_temporary_folder(&dir));
            const trial t = {.role = fragile[i].role,
                             .fragile = true,
                             .carriage = fragile[i].carriage,
                             .packets = 5000,
                             .seed = seed,
                             .dir = dir.path};
            outcome o = fuzz(&t);
            assert_string_equal(o.report.lost, "");
            expect_name(&o, fragile[i].name);
            for (size_t n = 0; n < o.num; n++) {
                assert_int_equal(o.answers[n], 1);
                assert_true(o.places[n] <= 1);
                if (strcmp(o.names[n], fragile[i].name) != 0)
                    assert_string_equal(o.names[n], ANOTHER);
            }
            assert_int_equal(triage(&t, &o), o.num);
            remove_findings(&o);
        }
    }
}

/* What a finding says of altered answers comes from anybody. */
static void what_makes_no_sense_is_told(void **state)
{
    static const struct {
        const char *from;
        const char *to;
    } changes[] = {
        {"null", "\"eb-m/nowhere\""},
        {"\"random\":\"0x", "\"random\":\"1x"},
        {"\"seed\":\"0x0", "\"seed\":\"0x"},
        {"\"shift\":0", "\"shift\":64"},
        {"\"mask\"", "\"musk\""},
        {"\"answer\":3", "\"answer\":64"},
        {"\"runs\":\"0x", "\"runs\":\"0xg"},
    };
    static const char good[] =
        "{\"version\":1,\"role\":\"etherbone-master\",\"symptom\":\"silent\",\"answers\":{"
        "\"story\":null,\"random\":\"0x0000000000000001\",\"seed\":\"0x0000000000000002\","
        "\"shift\":0,\"mask\":\"0x0000000000000009\",\"lost\":\"0x0000000000000001\",\"back\":[{"
        "\"answer\":3,\"runs\":\"0x0000000000000004\"}]},"
        "\"sent\":[{\"link\":\"bus\",\"bytes\":\"00\",\"fate\":\"twice\"}]}";
    char why[256] = "";
    gw_catch back;
    gw_board board;
    (void)state;
    const trial t = {.role = MASTER};
    gw_dut *dut = open_board(&t, &board);
    const gw_found_context context = {.suite = gw_suite_by_role(MASTER),
                                      .target = gw_dut_target(dut)};
    json_t *root = json_loads(good, 0, NULL);
    assert_true(gw_found_read(&back, &context, root, "file", why, sizeof(why)));
    assert_true(back.answers && back.how.story == NULL);
    assert_int_equal(back.how.seed, 2);
    assert_int_equal(back.how.mask, 9);
    assert_int_equal(back.how.lost, 1);
    assert_int_equal(back.how.back[3], 4);
    assert_int_equal(back.shots.list[0].fate, GW_FATE_TWICE);
    gw_catch_free(&back);
    json_decref(root);
    for (size_t i = 0; i < GW_ARRAY_LEN(changes); i++) {
        char text[sizeof(good) + 32];
        const char *at = strstr(good, changes[i].from);
        assert_non_null(at);
        (void)snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - good), good, changes[i].to,
                       at + strlen(changes[i].from));
        root = json_loads(text, 0, NULL);
        assert_non_null(root);
        assert_false(gw_found_read(&back, &context, root, "file", why, sizeof(why)));
        json_decref(root);
    }
    gw_dut_close(dut);
}

/* Where nobody sees its end, that it calls again is all that is known. */
static void a_board_that_calls_no_more_is_found(void **state)
{
    (void)state;
    for (unsigned stream = 0; stream < 2; stream++) {
        const trial t = {.role = MASTER,
                         .fragile = true,
                         .loops = true,
                         .legal = true,
                         .carriage = stream != 0 ? GW_CARRY_TCP : GW_CARRY_UDP,
                         .packets = 3000,
                         .seed = 1};
        outcome o = fuzz(&t);
        assert_string_equal(o.report.lost, "");
        assert_true(o.report.recoveries > 0 || o.num > 0);
        expect_name(&o, "silent.answer.EB-S13");
        const trial good = {.role = MASTER,
                            .loops = true,
                            .legal = true,
                            .carriage = t.carriage,
                            .packets = 1000,
                            .seed = 1};
        o = fuzz(&good);
        assert_string_equal(o.report.lost, "");
        assert_int_equal(o.num, 0);
        assert_true(o.report.altered > 10);
    }
}

/* Which breaks what we broke. */
static void who_sends_answers_back_has_not_made_them(void **state)
{
    (void)state;
    outcome o = fuzz(&(trial){
        .role = MASTER, .mutant = "m-echoes-strangers", .legal = true, .packets = 5000, .seed = 1});
    assert_string_equal(o.report.lost, "");
    assert_int_equal(o.num, 0);
    assert_true(o.report.altered > 100);
}

/* What a board says is its own doing where a rule holds whatever it was answered. */
static void what_it_must_never_say_is_found(void **state)
{
    static const struct {
        const char *role;
        const char *mutant;
        const char *name;
    } faults[] = {
        {MASTER, "m-version-heard", "broken.answer.EB-M01"},
        {MASTER, "m-widths-heard", "broken.answer.EB-M04"},
    };
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(faults); i++) {
        outcome o = fuzz(&(trial){.role = faults[i].role,
                                  .mutant = faults[i].mutant,
                                  .legal = true,
                                  .packets = 5000,
                                  .seed = 1});
        assert_string_equal(o.report.lost, "");
        expect_name(&o, faults[i].name);
        for (size_t n = 0; n < o.num; n++)
            assert_memory_equal(o.names[n], "broken.answer.EB-M", strlen("broken.answer.EB-M"));
    }
}

static void good_boards_are_left_alone(void **state)
{
    static const struct {
        const char *role;
        gw_carriage carriage;
        double loss;
    } good[] = {
        {MASTER, GW_CARRY_UDP, 0},    {MASTER, GW_CARRY_TCP, 0},    {WORKER, GW_CARRY_UDP, 0},
        {MASTER, GW_CARRY_UDP, 0.05}, {WORKER, GW_CARRY_UDP, 0.05},
    };
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(good); i++) {
        outcome o = fuzz(&(trial){.role = good[i].role,
                                  .carriage = good[i].carriage,
                                  .loss = good[i].loss,
                                  .packets = 4000,
                                  .seed = 1 + i});
        assert_int_equal(o.num, 0);
        assert_string_equal(o.report.lost, "");
        assert_true(o.report.altered > 10);
        assert_true(o.report.mutated >= o.report.altered / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_case_finds_them),
        cmocka_unit_test(one_answer_that_is_not_survived_is_found),
        cmocka_unit_test(what_makes_no_sense_is_told),
        cmocka_unit_test(a_board_that_calls_no_more_is_found),
        cmocka_unit_test(what_it_must_never_say_is_found),
        cmocka_unit_test(who_sends_answers_back_has_not_made_them),
        cmocka_unit_test(good_boards_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
