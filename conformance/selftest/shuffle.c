/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the catalogue in random orders and compares the verdicts. */
#include "selftest/shuffle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/builtin.h"
#include "run/select.h"

/* One board and one way to reach it. */
typedef struct shuffling {
    gw_shuffle_report *out;
    const gw_suite *suite;
    const gw_board *board;
    const gw_dialect *dialect;
    gw_carriage carriage;
    gw_case_list usual;    /* the catalogue */
    gw_verdict *verdicts;  /* of its cases, in that order */
    const gw_case **order; /* a random one */
    uint64_t random;
    char *why;
    size_t why_cap;
} shuffling;

static uint64_t next_random(shuffling *s)
{
    uint64_t z = s->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static gw_dut *start_board(const shuffling *s)
{
    static const char *const over[] = {"", "&over=tcp", "&over=raw"};
    char url[160];
    (void)snprintf(url, sizeof(url), "peer:%s?via=mem%s%s%s", s->board->role, over[s->carriage],
                   s->dialect != NULL ? "&dialect=" : "",
                   s->dialect != NULL ? s->dialect->name : "");
    gw_dut_place place = {.link = "", .url = url};
    return gw_dut_open(&place, 1, s->board, s->board->calls_us, s->why, s->why_cap);
}

/* Runs |cases| on a board of their own. */
static bool run_cases(shuffling *s, gw_run *run, const gw_case *const *cases, size_t num)
{
    static const gw_board_file nothing;
    const gw_board_file *description = gw_builtin_board(s->board->role);
    gw_dut *dut = start_board(s);
    if (dut == NULL)
        return false;
    gw_run_setup setup = {.suite = s->suite,
                          .board = description != NULL ? description : &nothing,
                          .dialect = s->dialect,
                          .target = gw_dut_target(dut),
                          .cases = cases,
                          .num_cases = num,
                          .seed = 1};
    bool ok = gw_run_cases(run, &setup, s->why, s->why_cap);
    if (!ok)
        gw_run_free(run);
    gw_dut_close(dut);
    s->out->runs++;
    return ok;
}

static size_t place_of(const shuffling *s, const gw_case *which)
{
    size_t i = 0;
    while (s->usual.cases[i] != which)
        i++;
    return i;
}

static void compare(shuffling *s, const gw_run *run, size_t i, unsigned order)
{
    const gw_result *result = &run->results[i];
    gw_verdict usual = s->verdicts[place_of(s, result->which)];
    s->out->cases++;
    if (result->verdict == usual)
        return;
    if (s->out->num_found < GW_SHUFFLE_MAX) {
        gw_disagreement *d = &s->out->found[s->out->num_found];
        *d = (gw_disagreement){.which = result->which,
                               .usual = usual,
                               .other = result->verdict,
                               .order = order,
                               .behind = i > 0 ? run->results[i - 1].which : NULL,
                               .dialect = s->dialect,
                               .over = gw_carriage_name(s->carriage)};
        (void)snprintf(d->text, sizeof(d->text), "%.150s", result->text);
    }
    s->out->num_found++;
}

static bool run_usual(shuffling *s)
{
    gw_run run;
    if (!run_cases(s, &run, s->usual.cases, s->usual.num))
        return false;
    for (size_t i = 0; i < s->usual.num; i++)
        s->verdicts[i] = run.results[i].verdict;
    gw_run_free(&run);
    return true;
}

/* Each order is as likely as any other. */
static void mix(shuffling *s)
{
    for (size_t i = s->usual.num; i > 1; i--) {
        size_t k = (size_t)(next_random(s) % i);
        const gw_case *last = s->order[i - 1];
        s->order[i - 1] = s->order[k];
        s->order[k] = last;
    }
}

static bool run_mixed(shuffling *s, unsigned order)
{
    gw_run run;
    mix(s);
    if (!run_cases(s, &run, s->order, s->usual.num))
        return false;
    for (size_t i = 0; i < run.num_results; i++)
        compare(s, &run, i, order);
    gw_run_free(&run);
    return true;
}

static bool run_alone(shuffling *s, const gw_case *which)
{
    gw_run run;
    if (!run_cases(s, &run, &which, 1))
        return false;
    compare(s, &run, 0, 0);
    gw_run_free(&run);
    return true;
}

static bool run_all_ways(shuffling *s, unsigned orders)
{
    bool ok = run_usual(s);
    for (unsigned order = 1; ok && order <= orders; order++)
        ok = run_mixed(s, order);
    for (size_t i = 0; ok && i < s->usual.num; i++)
        ok = run_alone(s, s->usual.cases[i]);
    return ok;
}

/* Whether the cases are made for this board. */
static bool fits(const shuffling *s)
{
    char why[256];
    bool stream = gw_board_link_streams(s->board, 0, s->carriage == GW_CARRY_TCP);
    return gw_carriage_fits(s->board, s->carriage) &&
           (s->suite->accepts == NULL || s->suite->accepts(s->dialect, stream, why, sizeof(why)));
}

bool gw_shuffle(gw_shuffle_report *out, const gw_suite *suite, const gw_board *board,
                unsigned orders, uint64_t seed, char *why, size_t why_cap)
{
    shuffling s = {
        .out = out, .suite = suite, .board = board, .random = seed, .why = why, .why_cap = why_cap};
    bool ok = gw_select(&s.usual, suite, NULL, 0);
    s.verdicts = calloc(s.usual.num + 1, sizeof(*s.verdicts));
    s.order = calloc(s.usual.num + 1, sizeof(const gw_case *));
    ok = ok && s.verdicts != NULL && s.order != NULL;
    if (!ok)
        (void)snprintf(why, why_cap, "out of memory");
    for (size_t i = 0; ok && i < s.usual.num; i++)
        s.order[i] = s.usual.cases[i];
    for (size_t d = 0; ok && d < suite->format->num_dialects; d++)
        for (unsigned c = GW_CARRY_UDP; ok && c <= GW_CARRY_RAW; c++) {
            s.dialect = d > 0 ? &suite->format->dialects[d] : NULL;
            s.carriage = (gw_carriage)c;
            ok = !fits(&s) || run_all_ways(&s, orders);
        }
    gw_case_list_free(&s.usual);
    free(s.verdicts);
    free(s.order);
    return ok;
}
