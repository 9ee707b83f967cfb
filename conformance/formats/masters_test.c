/* SPDX-License-Identifier: BSD-2-Clause */
/* Masters as people write them, small and peculiar: none of them breaks a rule that it does not
 * break, and none passes whom nobody can judge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "formats/etherbone/master/suite.h"
#include "formats/stand_testing.h"
#include "run/run.h"
#include "run/select.h"

#define PATIENCE_NS GW_SECOND
#define THINKS_NS                                                                                  \
    (4 * GW_SECOND) /* longer than an exchange lasts with a master that never ends                 \
                     */

/* How a toy goes about it. */
typedef struct habit {
    unsigned requests;  /* after which it comes to its end */
    uint8_t words;      /* that each reads */
    bool writes;        /* to where it reads */
    bool one_address;   /* it polls */
    bool deaf;          /* it never takes a reply */
    bool gives_up;      /* it ends when its patience is over */
    bool ends_on_false; /* it ends when a reply has another mode than it asked for */
    bool headers;       /* over TCP, one before each request */
    bool only_probes;   /* again and again, and asks for nothing, whatever it is answered */
    bool over_and_over; /* where it would end it begins anew */
    bool thinks;        /* for a while before its third request */
    bool at_work;       /* it has probed before it is heard */
} habit;

typedef struct toy {
    const habit *habit;
    gw_peer_out *out;
    unsigned asked;
    bool stream;
    bool working;
    bool done;
} toy;

static bool toy_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    (void)why;
    (void)why_cap;
    *(toy *)state = (toy){.habit = config->setup};
    return true;
}

static void toy_probe(toy *t)
{
    uint8_t probe[8];
    gw_eb_build_probe(probe, false, 0x44, 0x86);
    t->out->send(t->out, 0, 0, probe, sizeof(probe));
}

static void toy_ask(toy *t)
{
    const habit *h = t->habit;
    uint8_t packet[512];
    uint64_t reads[16];
    uint64_t value = t->asked;
    gw_eb_builder b;
    uint64_t at = h->one_address ? 0x100 : 0x100 + 4 * (uint64_t)t->asked;
    for (unsigned i = 0; i < h->words; i++)
        reads[i] = at;
    gw_eb_operation op = {.flags = GW_EB_BCA | GW_EB_RFF | GW_EB_CYC,
                          .byte_enable = 0x0f,
                          .reads = reads,
                          .num_reads = h->words,
                          .return_base = 0x8000 + 2 * (uint64_t)t->asked,
                          .writes = &value,
                          .write_base = at,
                          .num_writes = h->writes ? 1 : 0};
    bool header = !t->stream || h->headers;
    assert_true(header ? gw_eb_build_packet(&b, packet, sizeof(packet), 0x44, NULL)
                       : gw_eb_build_records(&b, packet, sizeof(packet), 0x44, NULL));
    assert_true(gw_eb_build_record(&b, &op));
    t->asked++;
    t->out->send(t->out, 0, 0, packet, gw_eb_build_end(&b, false));
}

static void toy_end(toy *t)
{
    t->done = !t->habit->over_and_over;
    t->working = false;
    t->asked = 0;
    if (!t->done)
        toy_probe(t);
    else if (t->stream)
        t->out->close(t->out, 0, 0);
}

static void toy_go_on(toy *t)
{
    if (t->asked == t->habit->requests) {
        toy_end(t);
    } else if (t->habit->only_probes) {
        t->asked++;
        toy_probe(t);
    } else {
        toy_ask(t);
    }
}

static int64_t toy_step(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    toy *t = state;
    t->out = out;
    if (event->conn != 0 || t->done)
        return GW_PEER_NEVER;
    if (event->kind == GW_PEER_OPEN) {
        t->stream = event->stream;
        t->working = t->habit->only_probes || t->habit->at_work;
        if (t->habit->at_work)
            toy_ask(t);
        else
            toy_probe(t);
    } else if (event->kind == GW_PEER_BYTES && !t->working) {
        t->working = true;
        toy_ask(t);
    } else if (event->kind == GW_PEER_BYTES && !t->habit->deaf) {
        if (t->habit->thinks && t->asked == 2)
            return now_ns + THINKS_NS;
        bool false_mode = event->len > 4 && (event->data[4] & GW_EB_WFF) == 0;
        if (t->habit->ends_on_false && false_mode)
            toy_end(t);
        else
            toy_go_on(t);
    } else if (event->kind == GW_PEER_TIMER && t->working) {
        if (t->habit->gives_up)
            toy_end(t);
        else
            toy_go_on(t);
    } else if (event->kind == GW_PEER_TIMER && t->habit->over_and_over) {
        toy_probe(t);
    }
    bool waits = t->working || (t->habit->over_and_over && !t->done);
    return waits ? now_ns + PATIENCE_NS : GW_PEER_NEVER;
}

static bool toy_done(const void *state)
{
    return ((const toy *)state)->done;
}

static void toy_fini(void *state)
{
    (void)state;
}

static const char *const links[] = {"bus", NULL};
static const gw_board toy_board = {.role = "etherbone-master",
                                   .links = links,
                                   .format = &gw_etherbone,
                                   .calls_us = true,
                                   .size = sizeof(toy),
                                   .init = toy_init,
                                   .step = toy_step,
                                   .done = toy_done,
                                   .fini = toy_fini};

/* Judges a master by all cases that goes about it as |how| says, and as |lost| where a path, which
 * is a far one then, loses something. */
static void judge_over(stand *s, const habit *how, const habit *lost, bool stream)
{
    *s = (stand){.target = {.fresh = !how->over_and_over, .near = lost == NULL},
                 .board = &toy_board,
                 .config = {.setup = how},
                 .lost = lost};
    stand_judge(s, &gw_eb_m_suite, stream);
}

static void judge(stand *s, const habit *how, bool stream)
{
    judge_over(s, how, NULL, stream);
}

/* Written and read again and again, each time as soon as the last answer is there. */
static void test_who_polls_repeats_nothing(void **state)
{
    static const habit polls = {.requests = 103, .words = 2, .writes = true, .one_address = true};
    (void)state;
    for (unsigned stream = 0; stream < 2; stream++) {
        stand s;
        judge(&s, &polls, stream != 0);
        stand_expect(&s, "eb-m/return-modes", GW_PASS, "");
        stand_leave(&s);
    }
}

/* Whatever else may be right about it: its answers reach nobody. */
static void test_who_takes_no_reply_passes_nothing(void **state)
{
    static const habit deaf = {.requests = 6, .words = 2, .one_address = true, .deaf = true};
    stand s;
    (void)state;
    judge(&s, &deaf, false);
    for (size_t i = 0; i < s.run.num_results; i++)
        assert_int_not_equal(s.run.results[i].verdict, GW_PASS);
    stand_expect(&s, "eb-m/probe-form", GW_INCONC, "the master took none of 6 good replies");
    stand_leave(&s);
}

/* Nothing can be said of requests that nobody sent, nor of how their replies were taken. */
static void test_who_only_probes_passes_nothing_else(void **state)
{
    static const char *const about_probes[] = {"eb-m/probe-form", "eb-m/packet-begin",
                                               "eb-m/probe-again", "eb-m/probe-patience"};
    static const habit prober = {.requests = 2, .deaf = true, .only_probes = true};
    static const habit brief = {.deaf = true, .gives_up = true, .only_probes = true};
    (void)state;
    for (unsigned stream = 0; stream < 2; stream++) {
        stand s;
        judge(&s, stream != 0 ? &brief : &prober, stream != 0);
        for (size_t i = 0; i < s.run.num_results; i++) {
            const gw_result *result = &s.run.results[i];
            bool may = false;
            for (size_t k = 0; k < GW_ARRAY_LEN(about_probes); k++)
                may = may || strcmp(result->which->id, about_probes[k]) == 0;
            if (result->verdict == GW_PASS && !may)
                fail_msg("%s: PASS", result->which->id);
        }
        stand_expect(&s, "eb-m/probe-form", GW_PASS, "");
        /* Who asks no second time may have come for the answer alone. */
        stand_expect(&s, "eb-m/probe-accepted", stream != 0 ? GW_INCONC : GW_FAIL,
                     "the master asks for");
        stand_expect(&s, "eb-m/padding", GW_INCONC, "the master sent no request");
        stand_expect(&s, "eb-m/probe-id", GW_INCONC, "the master sent no request");
        stand_leave(&s);
    }
    stand s;
    judge(&s, &prober, false);
    stand_expect(&s, "eb-m/probe-again", GW_PASS, "");
    stand_expect(&s, "eb-m/open-cycles", GW_INCONC, "");
    stand_expect(&s, "eb-m/reply-order", GW_INCONC, "the master sent no request");
    stand_expect(&s, "eb-m/stranger", GW_INCONC, "");
    stand_leave(&s);
}

/* A tool that asks for one thing, gets it, and is done. */
static void test_one_reply_that_satisfies_is_taken(void **state)
{
    static const habit brief = {.requests = 1, .words = 2};
    (void)state;
    for (unsigned stream = 0; stream < 2; stream++) {
        stand s;
        judge(&s, &brief, stream != 0);
        stand_expect(&s, "eb-m/counts", GW_PASS, "");
        stand_expect(&s, "eb-m/widths", GW_PASS, "");
        stand_leave(&s);
    }
}

/* The answer to its probe is lost, or the reply to its request, and the tool gives up: the next
 * time it is run says what it does. */
static void test_what_a_path_loses_is_looked_at_once_more(void **state)
{
    static const habit tool = {.requests = 4, .words = 2};
    static const habit unanswered = {.deaf = true, .gives_up = true, .only_probes = true};
    static const habit unsatisfied = {.requests = 6, .words = 2, .one_address = true, .deaf = true};
    static const char *const decided[] = {"eb-m/probe-accepted", "eb-m/counts", "eb-m/return-modes",
                                          "eb-m/narrow-offer", "eb-m/no-echo"};
    (void)state;
    for (unsigned reply = 0; reply < 2; reply++) {
        stand s;
        judge_over(&s, &tool, reply != 0 ? &unsatisfied : &unanswered, false);
        for (size_t i = 0; i < GW_ARRAY_LEN(decided); i++)
            stand_expect(&s, decided[i], GW_PASS, "");
        stand_leave(&s);
    }
}

/* Attempts at a case that fails are compared, and have to be alike over a path of which nobody told
 * anything: what is looked at once more is so before. */
static void test_who_takes_no_response_is_caught_far_away(void **state)
{
    const gw_board *board = gw_board_by_role("etherbone-master");
    stand s = {.target = {.fresh = true},
               .board = board,
               .config = {.mutant = gw_mutant_by_id(board, "m-probe-id-swapped")},
               .path = {.delay_ns = 10 * GW_MS}};
    (void)state;
    assert_non_null(s.config.mutant);
    stand_judge(&s, &gw_eb_m_suite, false);
    stand_expect(&s, "eb-m/probe-accepted", GW_FAIL, "the master asks for nothing");
    stand_leave(&s);
}

static void test_who_ends_does_not_hang(void **state)
{
    static const habit tool = {.requests = 4, .words = 2, .gives_up = true};
    stand s;
    (void)state;
    judge(&s, &tool, false);
    stand_expect(&s, "eb-m/no-reply", GW_INCONC, "came to its end within 1.0 s");
    stand_expect(&s, "eb-m/return-modes", GW_PASS, "");
    stand_leave(&s);
    judge(&s, &tool, true);
    stand_expect(&s, "eb-m/no-reply", GW_INCONC, "closed its connection within 1.0 s");
    stand_leave(&s);
}

/* A cycle that is given up is no cycle that was believed. */
static void test_who_gives_up_a_false_reply_did_not_believe_it(void **state)
{
    static const habit strict = {.requests = 4, .words = 2, .ends_on_false = true};
    stand s;
    (void)state;
    judge(&s, &strict, false);
    stand_expect(&s, "eb-m/return-mode", GW_INCONC, "the master came to its end");
    stand_leave(&s);
}

/* Where one tool gives up, its user starts the next. */
static void test_who_begins_anew_does_not_hang(void **state)
{
    static const habit tools = {.requests = 4, .words = 2, .gives_up = true, .over_and_over = true};
    static const habit strict = {
        .requests = 4, .words = 2, .ends_on_false = true, .over_and_over = true};
    stand s;
    (void)state;
    judge(&s, &tools, false);
    stand_expect(&s, "eb-m/no-reply", GW_INCONC, "began anew within 1.0 s");
    stand_expect(&s, "eb-m/probe-again", GW_INCONC, "is run again");
    stand_leave(&s);
    judge(&s, &strict, false);
    stand_expect(&s, "eb-m/return-mode", GW_INCONC, "the master began anew");
    stand_leave(&s);
}

/* It has begun before it is looked at, or goes on from one case to the next. */
static void test_who_is_at_work_is_looked_at_from_its_next_probe(void **state)
{
    static const habit worker = {.requests = 4, .words = 2, .over_and_over = true, .at_work = true};
    static const habit thinker = {.requests = 4, .words = 2, .over_and_over = true, .thinks = true};
    static const char *const about_probes[] = {"eb-m/probe-form", "eb-m/probe-accepted",
                                               "eb-m/probe-patience", "eb-m/narrow-offer"};
    (void)state;
    for (unsigned thinks = 0; thinks < 2; thinks++) {
        stand s;
        judge(&s, thinks != 0 ? &thinker : &worker, false);
        for (size_t i = 0; i < GW_ARRAY_LEN(about_probes); i++)
            stand_expect(&s, about_probes[i], GW_PASS, "");
        stand_expect(&s, "eb-m/probe-again", GW_INCONC, "is run again");
        stand_leave(&s);
    }
}

static void test_one_word_tells_no_mode(void **state)
{
    static const habit single = {.requests = 4, .words = 1};
    static const habit pairs = {.requests = 4, .words = 2};
    stand s;
    (void)state;
    judge(&s, &single, false);
    stand_expect(&s, "eb-m/return-mode", GW_NA, "one looks the same in either mode");
    stand_leave(&s);
    judge(&s, &pairs, false);
    assert_int_not_equal(stand_result(&s, "eb-m/return-mode")->verdict,
                         GW_NA); /* it takes anything */
    stand_leave(&s);
}

/* They came, whatever they were. */
static void test_requests_that_came_are_not_denied(void **state)
{
    static const habit headers = {.requests = 13, .words = 1, .headers = true};
    stand s;
    (void)state;
    judge(&s, &headers, true);
    stand_expect(&s, "eb-m/one-header", GW_FAIL, "header");
    for (size_t i = 0; i < s.run.num_results; i++)
        assert_null(strstr(s.run.results[i].text, "the master sent no request"));
    stand_leave(&s);
}

/* ---- our own master, far away ---- */

/* How many cases fail when our master, behind |path|, has the fault |mutant|. */
static unsigned failures_of(const char *mutant, const char *path)
{
    char why[256] = "";
    char url[160];
    bool stream = strcmp(mutant, "m-repeats-header") == 0;
    const gw_board *board = gw_board_by_role("etherbone-master");
    const gw_dut_place place = {.link = "", .url = url};
    gw_case_list all;
    gw_run run;
    (void)snprintf(url, sizeof(url), "peer:etherbone-master?via=mem&%s%s%s%s", path,
                   stream ? "&over=tcp" : "", mutant[0] != '\0' ? "&mutant=" : "", mutant);
    gw_dut *dut = gw_dut_open(&place, 1, board, true, why, sizeof(why));
    if (dut == NULL)
        fail_msg("%s: %s", url, why);
    assert_true(gw_select(&all, &gw_eb_m_suite, NULL, 0));
    gw_run_setup setup = {.suite = &gw_eb_m_suite,
                          .board = gw_builtin_board("etherbone-master"),
                          .target = gw_dut_target(dut),
                          .cases = all.cases,
                          .num_cases = all.num,
                          .first_ns = 5 * GW_SECOND,
                          .seed = 1};
    if (!gw_run_cases(&run, &setup, why, sizeof(why)))
        fail_msg("%s: %s", url, why);
    unsigned failures = run.counts.of[GW_FAIL] + run.counts.of[GW_WARN] + run.counts.of[GW_ERROR];
    gw_run_free(&run);
    gw_case_list_free(&all);
    gw_dut_close(dut);
    return failures;
}

static void test_a_good_master_is_good_behind_any_path(void **state)
{
    static const char *const paths[] = {"rtt=1ms",     "rtt=20ms",     "rtt=100ms",
                                        "rtt=400ms",   "loss=0.01",    "loss=0.05",
                                        "loss=0.2",    "reorder=0.1",  "duplicate=0.05",
                                        "corrupt=0.1", "outage=1s+3s", "rtt=20ms&jitter=10ms"};
    char path[64];
    (void)state;
    for (unsigned i = 0; i < GW_ARRAY_LEN(paths); i++)
        for (unsigned seed = 1; seed <= 3; seed++) {
            (void)snprintf(path, sizeof(path), "%s&seed=%u", paths[i], seed);
            if (failures_of("", path) != 0)
                fail_msg("%s", path);
        }
}

static void test_every_fault_shows_over_a_slow_path(void **state)
{
    const gw_board *board = gw_board_by_role("etherbone-master");
    (void)state;
    for (size_t i = 0; i < board->num_mutants; i++)
        if (failures_of(board->mutants[i].id, "rtt=20ms") == 0)
            fail_msg("%s", board->mutants[i].id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_polls_repeats_nothing),
        cmocka_unit_test(test_who_takes_no_reply_passes_nothing),
        cmocka_unit_test(test_who_only_probes_passes_nothing_else),
        cmocka_unit_test(test_one_reply_that_satisfies_is_taken),
        cmocka_unit_test(test_what_a_path_loses_is_looked_at_once_more),
        cmocka_unit_test(test_who_takes_no_response_is_caught_far_away),
        cmocka_unit_test(test_who_ends_does_not_hang),
        cmocka_unit_test(test_who_gives_up_a_false_reply_did_not_believe_it),
        cmocka_unit_test(test_who_begins_anew_does_not_hang),
        cmocka_unit_test(test_who_is_at_work_is_looked_at_from_its_next_probe),
        cmocka_unit_test(test_one_word_tells_no_mode),
        cmocka_unit_test(test_requests_that_came_are_not_denied),
        cmocka_unit_test(test_a_good_master_is_good_behind_any_path),
        cmocka_unit_test(test_every_fault_shows_over_a_slow_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
