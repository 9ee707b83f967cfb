/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests of suites for boards that call us: somebody else's board, in memory and maybe far away,
 * and all cases held against it. */
#ifndef GOLDWIRE_FORMATS_STAND_TESTING_H
#define GOLDWIRE_FORMATS_STAND_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "boards/mem.h"
#include "formats/builtin.h"
#include "run/run.h"

/* stand is a board and the run that judges it. Set |board|, |config|, |path|, |lost|, |file| and,
 * of |target|, whether it is fresh and near; the rest is stand_judge's. */
typedef struct stand {
    gw_target target; /* first */
    const gw_board *board;
    gw_peer_config config;
    gw_impairment path; /* that the run is not told of */
    const void *lost;   /* its setup in two of each three openings, where it does what it does when
                           the path loses something; NULL: there are none such */
    unsigned openings;
    gw_peer_config now;        /* of the board as it was opened last, which keeps it */
    const gw_board_file *file; /* NULL: that of our own board */
    gw_mem *mem;
    gw_run run;
} stand;

static inline gw_transport *stand_open(gw_target *target, unsigned link, int64_t timeout_ns,
                                       bool *unreachable, char *why, size_t why_cap)
{
    stand *s = (stand *)target;
    (void)timeout_ns;
    *unreachable = false;
    gw_mem *before = s->mem;
    s->now = s->config;
    if (s->lost != NULL && s->openings++ % 3 != 2)
        s->now.setup = s->lost;
    s->mem = gw_mem_start(s->board, &s->now, why, why_cap);
    assert_non_null(s->mem);
    gw_mem_impair(s->mem, &s->path, 0, before);
    gw_mem_stop(before);
    return gw_mem_connect(s->mem, link, target->links[link].stream, why, why_cap);
}

static inline bool stand_over(gw_target *target)
{
    return gw_mem_done(((stand *)target)->mem);
}

/* stand_judge runs all cases of |suite| against the board, whose only link is a |stream| or
 * datagrams. stand_leave frees what it made. */
static inline void stand_judge(stand *s, const gw_suite *suite, bool stream)
{
    static const gw_case *cases[256];
    size_t num = 0;
    char why[256] = "";
    for (const gw_case *one = NULL; (one = gw_suite_next(suite, one)) != NULL;)
        cases[num++] = one;
    s->target.open = stand_open;
    s->target.over = stand_over;
    s->target.virtual_time = true;
    s->target.far = !s->target.near;
    s->target.lossy = !s->target.near && !stream;
    s->target.links[0] = (gw_target_link){.name = "", .present = true, .stream = stream};
    s->target.num_links = 1;
    gw_run_setup setup = {.suite = suite,
                          .board = s->file != NULL ? s->file : gw_builtin_board(suite->role),
                          .target = &s->target,
                          .cases = cases,
                          .num_cases = num,
                          .first_ns = 5 * GW_SECOND,
                          .seed = 1};
    if (!gw_run_cases(&s->run, &setup, why, sizeof(why)))
        fail_msg("%s", why);
}

static inline void stand_leave(stand *s)
{
    gw_run_free(&s->run);
    gw_mem_stop(s->mem);
}

/* stand_result returns what became of case |id|. */
static inline const gw_result *stand_result(const stand *s, const char *id)
{
    for (size_t i = 0; i < s->run.num_results; i++)
        if (strcmp(s->run.results[i].which->id, id) == 0)
            return &s->run.results[i];
    fail_msg("no case %s", id);
    return NULL;
}

/* stand_expect fails unless case |id| ended with |verdict| and a text with |text| in it. */
static inline void stand_expect(const stand *s, const char *id, gw_verdict verdict,
                                const char *text)
{
    const gw_result *result = stand_result(s, id);
    if (result->verdict != verdict || strstr(result->text, text) == NULL)
        fail_msg("%s: %s: %s", id, gw_verdict_name(result->verdict), result->text);
}

#endif
