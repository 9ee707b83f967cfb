/* SPDX-License-Identifier: BSD-2-Clause */
/* What boards of all roles are asked by `certify --measure`: requests are as long as they say,
 * break no rule, and each answer finds its own, also when one before it was given up. How fast
 * anything is is nobody's business here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "goldwire/ib.h"
#include "goldwire/ims.h"
#include "run/ctx.h"
#include "speed/speed.h"

typedef struct trial {
    const gw_load *load;
    uint32_t size;
    void *state;
    const char *where;
    uint32_t carried; /* bytes of the messages with the payload, of the first exchange */
    unsigned answers; /* messages that came then */
    unsigned findings;
    bool ended; /* it got to its end */
} trial;

/* What is common to all trials of a run. */
typedef struct course {
    const char *where;
    unsigned sizes;   /* that were tried to their end */
    unsigned refused; /* that do not apply */
    bool lost;        /* the board does not answer */
} course;

typedef struct judge {
    gw_verdict_sink sink; /* the first member */
    unsigned findings;
} judge;

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    print_error("%s: %s\n", f->rule->id, f->text);
    ((judge *)sink)->findings++;
}

/* ---- one size ---- */

/* Whole messages of the first link: those of streams are cut by their formats' own tests. */
static void check_packets(gw_ctx *ctx, trial *t)
{
    const gw_format *format = ctx->suite->format;
    judge j = {.sink = {.finding = on_finding}};
    for (unsigned i = 1; i <= gw_case_num_seen(ctx); i++) {
        const gw_evidence_packet *packet = gw_case_seen(ctx, i);
        uint32_t icrc = format == &gw_ims ? GW_IB_ICRC : 0;
        /* What is in the FIFOs of a switch's port is told apart from an Ethernet by captures alone.
         */
        bool fifos = packet->link != NULL && strncmp(packet->link, "port", 4) == 0;
        if (packet->kind != GW_EVIDENCE_BYTES || packet->regs || packet->stream || fifos)
            continue;
        gw_message m = gw_message_of(gw_case_seen_bytes(ctx, i), packet->len - icrc);
        m.transport = GW_OVER_UDP;
        m.src = packet->dir == GW_DIR_OUT ? packet->local : packet->remote;
        m.dst = packet->dir == GW_DIR_OUT ? packet->remote : packet->local;
        format->check(&m, gw_case_dialect(ctx), &j.sink);
    }
    t->findings += j.findings;
}

static void count_carried(gw_ctx *ctx, trial *t, unsigned from)
{
    for (unsigned i = from; i <= gw_case_num_seen(ctx); i++) {
        const gw_evidence_packet *packet = gw_case_seen(ctx, i);
        bool out = packet->dir == GW_DIR_OUT;
        if (packet->kind == GW_EVIDENCE_BYTES && !packet->regs && out != t->load->back)
            t->carried += packet->len;
    }
}

/* Messages that came from packet |from| to |to|. */
static unsigned count_answers(gw_ctx *ctx, unsigned from, unsigned to)
{
    unsigned num = 0;
    for (unsigned i = from; i <= to; i++) {
        const gw_evidence_packet *packet = gw_case_seen(ctx, i);
        num += packet->kind == GW_EVIDENCE_BYTES && !packet->regs && packet->dir == GW_DIR_IN;
    }
    return num;
}

static void make_ready(gw_ctx *ctx, trial *t)
{
    if (t->load->ready == NULL)
        return;
    assert_int_equal(t->load->depth, 1);
    t->load->ready(ctx, t->state);
}

static void exchange(gw_ctx *ctx, trial *t)
{
    unsigned slot = GW_LOAD_DEPTH_MAX;
    make_ready(ctx, t);
    unsigned request = t->load->send(ctx, t->state, 0);
    unsigned answer = t->load->await(ctx, t->state, gw_case_reply_ns(ctx), &slot);
    if (answer <= request || slot != 0)
        fail_msg("%s: %s of %u bytes: slot %u, packets %u and %u", t->where, t->load->id, t->size,
                 slot, request, answer);
    const gw_evidence_packet *first = gw_case_seen(ctx, request);
    const gw_evidence_packet *last = gw_case_seen(ctx, answer);
    assert_true(first != NULL && last != NULL);
    assert_int_equal(first->dir, GW_DIR_OUT);
    assert_int_equal(last->dir, GW_DIR_IN);
    assert_true(last->time_ns >= first->time_ns || t->load->from_last);
    if (t->carried > 0)
        return;
    count_carried(ctx, t, request);
    t->answers = count_answers(ctx, request, answer);
}

static void expect_nothing(gw_ctx *ctx, trial *t, const char *after)
{
    unsigned slot = 0;
    if (t->load->await(ctx, t->state, gw_case_settle_ns(ctx), &slot) != 0)
        fail_msg("%s: %s of %u bytes: an answer in slot %u after %s", t->where, t->load->id,
                 t->size, slot, after);
}

/* As many as may be under way, each answered once. */
static void exchange_all(gw_ctx *ctx, trial *t)
{
    bool came[GW_LOAD_DEPTH_MAX] = {false};
    unsigned depth = t->load->depth;
    if (t->load->most != NULL && t->load->most(t->size) < depth)
        depth = t->load->most(t->size);
    assert_true(depth == t->load->depth || (depth > 0 && t->load->fills != NULL));
    make_ready(ctx, t);
    for (unsigned i = 0; i < depth; i++)
        (void)t->load->send(ctx, t->state, i);
    for (unsigned i = 0; i < depth; i++) {
        unsigned slot = GW_LOAD_DEPTH_MAX;
        if (t->load->await(ctx, t->state, gw_case_reply_ns(ctx), &slot) == 0)
            fail_msg("%s: %s of %u bytes: %u of %u came", t->where, t->load->id, t->size, i, depth);
        assert_true(slot < depth);
        assert_false(came[slot]);
        came[slot] = true;
    }
}

/* One is given up and sent again: what comes for the first is too late. Of a stream nothing is sent
 * behind what got lost. */
static void exchange_again(gw_ctx *ctx, trial *t)
{
    unsigned slot = GW_LOAD_DEPTH_MAX;
    make_ready(ctx, t);
    unsigned given_up = t->load->send(ctx, t->state, 0);
    make_ready(ctx, t);
    (void)t->load->send(ctx, t->state, 0);
    unsigned answer = t->load->await(ctx, t->state, gw_case_reply_ns(ctx), &slot);
    if (answer == 0)
        fail_msg("%s: %s of %u bytes: the second of two got no answer", t->where, t->load->id,
                 t->size);
    assert_int_equal(slot, 0);
    unsigned came = count_answers(ctx, given_up, answer);
    if (came < 2 * t->answers)
        fail_msg("%s: %s of %u bytes: the answer to one that was given up was taken: %u of %u",
                 t->where, t->load->id, t->size, came, 2 * t->answers);
    expect_nothing(ctx, t, "one that was given up");
}

static void try_size(gw_ctx *ctx, void *arg)
{
    trial *t = arg;
    gw_evidence_clear(&ctx->evidence);
    t->load->prepare(ctx, t->state, t->size);
    for (unsigned i = 0; i < 3; i++)
        exchange(ctx, t);
    expect_nothing(ctx, t, "each had its own");
    exchange_all(ctx, t);
    expect_nothing(ctx, t, "all of several had theirs");
    if (!gw_case_stream(ctx))
        exchange_again(ctx, t);
    check_packets(ctx, t);
    t->ended = true;
}

static void finish(gw_ctx *ctx, void *arg)
{
    trial *t = arg;
    t->load->finish(ctx, t->state);
}

/* ---- one board ---- */

/* How many bytes more a larger size takes is at least what it is larger by. */
static void try_load(gw_ctx *ctx, course *c, const gw_load *load)
{
    uint32_t before = 0;
    uint32_t carried = 0;
    gw_result spare = {0};
    assert_true(load->num_sizes > 0 && load->depth >= 1 && load->depth <= GW_LOAD_DEPTH_MAX);
    for (size_t i = 0; i < load->num_sizes; i++) {
        trial t = {.load = load, .size = load->sizes[i], .where = c->where};
        assert_true(i == 0 || load->sizes[i] > load->sizes[i - 1]);
        t.state = calloc(1, load->state_size);
        assert_non_null(t.state);
        ctx->suite->begin(ctx);
        (void)gw_ctx_aside(ctx, try_size, &t, &spare);
        if (load->finish != NULL)
            (void)gw_ctx_aside(ctx, finish, &t, NULL);
        free(t.state);
        if (!t.ended && spare.verdict != GW_NA)
            fail_msg("%s: %s of %u bytes: %s", c->where, load->id, t.size, spare.text);
        if (t.findings > 0)
            fail_msg("%s: %s of %u bytes breaks rules", c->where, load->id, t.size);
        c->sizes += t.ended;
        c->refused += !t.ended;
        if (!t.ended)
            continue;
        uint32_t due = load->left_out ? t.size / 2 : t.size;
        if (t.carried < due || t.carried - carried < due - before)
            fail_msg("%s: %s of %u bytes is carried by %u, %u more than %u bytes are", c->where,
                     load->id, t.size, t.carried, t.carried - carried, before);
        before = due;
        carried = t.carried;
    }
}

static void try_loads(gw_ctx *ctx, const char *lost, void *arg)
{
    const gw_loads *loads = ctx->suite->loads;
    course *c = arg;
    c->lost = lost[0] != '\0';
    for (size_t i = 0; !c->lost && i < loads->num_loads; i++)
        try_load(ctx, arg, &loads->loads[i]);
}

static course try_board(const gw_suite *suite, const gw_board_file *file, gw_carriage carriage,
                        const gw_mutant *mutant)
{
    char why[256] = "";
    char where[96];
    gw_run run;
    const gw_case *one = gw_suite_next(suite, NULL);
    course c = {.where = where};
    gw_dut *dut =
        gw_dut_in_memory(gw_board_by_role(suite->role), mutant, carriage, why, sizeof(why));
    if (dut == NULL)
        fail_msg("%s: %s", suite->role, why);
    (void)snprintf(where, sizeof(where), "%s over %s", suite->role, gw_carriage_name(carriage));
    gw_run_setup setup = {.suite = suite,
                          .board = file,
                          .target = gw_dut_target(dut),
                          .cases = &one,
                          .num_cases = 1,
                          .seed = 1,
                          .after = try_loads,
                          .after_arg = &c};
    if (!gw_run_cases(&run, &setup, why, sizeof(why)))
        fail_msg("%s: %s", where, why);
    gw_run_free(&run);
    gw_dut_close(dut);
    c.where = "";
    return c;
}

static void loads_are_as_they_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_suites; i++) {
        const gw_suite *suite = gw_suites[i];
        const gw_board *board = gw_board_by_role(suite->role);
        if (suite->loads == NULL)
            continue;
        for (gw_carriage way = GW_CARRY_UDP; way <= GW_CARRY_RAW; way++) {
            if (!gw_carriage_fits(board, way))
                continue;
            course c = try_board(suite, gw_builtin_board(suite->role), way, NULL);
            if (c.sizes <= 3 * c.refused)
                fail_msg("%s over %s: %u sizes, and %u that do not apply", suite->role,
                         gw_carriage_name(way), c.sizes, c.refused);
        }
    }
}

/* Where nothing may be written, less is asked, and nothing that writes. */
/* A second answer is nobody's. */
static void what_is_answered_twice_counts_once(void **state)
{
    static const char *const boards[][2] = {{"op2p-node", "m-answers-twice"}};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(boards); i++) {
        const gw_suite *suite = gw_suite_by_role(boards[i][0]);
        const gw_board *board = gw_board_by_role(suite->role);
        const gw_mutant *mutant = gw_mutant_by_id(board, boards[i][1]);
        assert_non_null(mutant);
        course c = try_board(suite, gw_builtin_board(suite->role), GW_CARRY_UDP, mutant);
        assert_true(c.sizes > 0);
    }
}

static void without_areas_less_is_asked(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_suites; i++) {
        const gw_suite *suite = gw_suites[i];
        if (suite->loads == NULL)
            continue;
        gw_board_file file = *gw_builtin_board(suite->role);
        bool any = file.num_areas > 0;
        file.num_areas = 0;
        course c =
            try_board(suite, &file,
                      gw_carriage_fits(gw_board_by_role(suite->role), GW_CARRY_UDP) ? GW_CARRY_UDP
                                                                                    : GW_CARRY_TCP,
                      NULL);
        if (any)
            assert_true(c.refused > 0 || c.lost || strcmp(suite->role, "textarossa-node") == 0);
    }
}

/* Whom nothing is measured of calls us: the verb says so. */
static void whoever_answers_is_measured(void **state)
{
    static const char *const roles[] = {
        "etherbone-slave", "op2p-node", "textarossa-node", "textarossa-switch",
        "ims-buf",         "l1-ru",     "l1-cn",           "l1-du"};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(roles); i++)
        if (gw_suite_by_role(roles[i])->loads == NULL)
            fail_msg("%s", roles[i]);
    for (size_t i = 0; i < gw_num_suites; i++) {
        const gw_suite *suite = gw_suites[i];
        unsigned points = 0;
        if (suite->calls_us && suite->loads != NULL)
            fail_msg("%s calls us", suite->role);
        for (size_t k = 0; suite->loads != NULL && k < suite->loads->num_loads; k++)
            points += (unsigned)suite->loads->loads[k].num_sizes;
        assert_true(points <= GW_SPEED_POINTS);
    }
}

static bool has_load(const gw_loads *loads, const char *id)
{
    for (size_t i = 0; i < loads->num_loads; i++)
        if (strcmp(loads->loads[i].id, id) == 0)
            return true;
    return false;
}

static void what_is_printed_says_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_suites; i++) {
        const gw_loads *loads = gw_suites[i]->loads;
        if (loads == NULL)
            continue;
        assert_non_null(loads->document);
        assert_true(loads->num_printed > 0 || loads->silent != NULL);
        for (size_t k = 0; k < loads->num_printed; k++) {
            const gw_printed *p = &loads->printed[k];
            assert_true(p->value > 0 && p->what[0] != '\0' && p->where[0] != '\0');
            if (p->load != NULL && !has_load(loads, p->load))
                fail_msg("%s: a number for %s", gw_suites[i]->role, p->load);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_are_as_they_say),
        cmocka_unit_test(what_is_answered_twice_counts_once),
        cmocka_unit_test(without_areas_less_is_asked),
        cmocka_unit_test(whoever_answers_is_measured),
        cmocka_unit_test(what_is_printed_says_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
