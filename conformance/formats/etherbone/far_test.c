/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone boards at the end of paths that take time, lose and bring out of order: what a mutant
 * does wrong is told from what its path did, and no good board is blamed for the latter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/dut.h"
#include "formats/builtin.h"
#include "harness/transport.h"
#include "run/run.h"
#include "run/select.h"
#include "selftest/selftest.h"

/* A mutant that has to be found out, and not for anything else, over each of some paths. */
typedef struct culprit {
    const char *role;
    const char *mutant; /* NULL: the good board */
    const char *path;   /* as in a URL; the seed is added */
    unsigned first;
    unsigned seeds;
} culprit;

static gw_impairment path_of(const char *text, unsigned seed)
{
    char url_text[128];
    char why[128];
    gw_url url;
    (void)snprintf(url_text, sizeof(url_text), "roce://127.0.0.1?%s&seed=%u", text, seed);
    assert_true(gw_url_parse(&url, url_text, why, sizeof(why)));
    return url.impairment;
}

static const gw_mutant *mutant_of(const gw_board *board, const char *id)
{
    for (size_t i = 0; i < board->num_mutants; i++)
        if (strcmp(board->mutants[i].id, id) == 0)
            return &board->mutants[i];
    fail_msg("no mutant %s", id);
    return NULL;
}

static void expect_caught(const culprit *c, unsigned seed)
{
    char why[256] = "";
    gw_detection d;
    gw_impairment path = path_of(c->path, seed);
    const gw_board *board = gw_board_by_role(c->role);
    if (!gw_selftest(&d, gw_suite_by_role(c->role), board, mutant_of(board, c->mutant), &path, why,
                     sizeof(why)))
        fail_msg("%s", why);
    if (!d.detected)
        fail_msg("%s over %s, seed %u: not caught", c->mutant, c->path, seed);
    if (d.num_extra > 0)
        fail_msg("%s over %s, seed %u: %s is blamed: %s", c->mutant, c->path, seed, d.extra[0]->id,
                 d.extra_text);
}

static void expect_blameless(const culprit *c, unsigned seed)
{
    char why[256] = "";
    gw_detection d;
    gw_impairment path = path_of(c->path, seed);
    if (!gw_selftest(&d, gw_suite_by_role(c->role), gw_board_by_role(c->role), NULL, &path, why,
                     sizeof(why)))
        fail_msg("%s", why);
    if (d.num_extra > 0)
        fail_msg("%s over %s, seed %u: %s is blamed: %s", c->role, c->path, seed, d.extra[0]->id,
                 d.extra_text);
}

static void each(const culprit *c, size_t num)
{
    for (size_t i = 0; i < num; i++)
        for (unsigned s = 0; s < c[i].seeds; s++)
            if (c[i].mutant != NULL)
                expect_caught(&c[i], c[i].first + s);
            else
                expect_blameless(&c[i], c[i].first + s);
}

/* What one packet, or the same again and again, shows is no doing of a path that loses some. */
static void masters_show_what_no_path_does(void **state)
{
    static const culprit culprits[] = {
        {"etherbone-master", "m-deaf-after-garbage", "rtt=20ms", 1, 1},
        {"etherbone-master", "m-deaf-after-garbage", "loss=0.01", 1, 2},
        {"etherbone-master", "m-refuses-zero-fill", "loss=0.01", 1, 2},
        {"etherbone-master", "m-last-record-only", "loss=0.01", 1, 2},
        {"etherbone-master", "m-ignores-offer", "loss=0.01", 1, 4},
        {"etherbone-master", "m-endless-probes", "loss=0.01", 1, 2},
        {"etherbone-master", "m-probe-burst", "loss=0.01", 1, 2},
    };
    (void)state;
    each(culprits, GW_ARRAY_LEN(culprits));
}

/* The conversation that all others are held against may have lacked something itself. */
static void a_good_conversation_may_be_the_one_that_lacks(void **state)
{
    static const culprit good[] = {{"etherbone-master", NULL, "corrupt=0.01", 9, 1}};
    (void)state;
    each(good, GW_ARRAY_LEN(good));
}

/* A master asks again before an answer can be there when its patience is shorter than the path. */
static void who_asks_again_has_not_gone_on(void **state)
{
    static const culprit good[] = {{"etherbone-master", NULL, "rtt=450ms", 1, 1},
                                   {"etherbone-master", NULL, "rtt=600ms", 1, 1},
                                   {"etherbone-master", NULL, "rtt=800ms", 1, 1}};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(good); i++)
        expect_blameless(&good[i], 1);
}

/* Where a word is written until it is there, only the case about that sees that it came late. */
static void slaves_are_charged_with_what_they_break(void **state)
{
    static const culprit culprits[] = {
        {"etherbone-slave", "m-echoes-odd-writes", "rtt=20ms", 1, 2},
        {"etherbone-slave", "m-posted-writes", "loss=0.01", 3, 2},
        {"etherbone-slave", "m-counts-kept", "loss=0.01", 1, 1},
        {"etherbone-slave", "m-illegal-lanes-stay", "loss=0.01", 2, 2},
        {"etherbone-slave", "m-drops-in-burst", "loss=0.01", 1, 3},
    };
    (void)state;
    each(culprits, GW_ARRAY_LEN(culprits));
}

static void good_slaves_keep_no_order_for_their_path(void **state)
{
    static const culprit good[] = {
        {"etherbone-slave", NULL, "reorder=0.01", 11, 1},
        {"etherbone-slave", NULL, "reorder=0.05", 15, 1},
        {"etherbone-slave", NULL, "reorder=0.1", 7, 1},
    };
    (void)state;
    each(good, GW_ARRAY_LEN(good));
}

/* The very first probe may get lost on its path to a board that answers probes. */
static void one_lost_probe_makes_no_board_that_answers_none(void **state)
{
    static const culprit good[] = {{"etherbone-slave", NULL, "corrupt=0.1", 27, 1}};
    (void)state;
    each(good, GW_ARRAY_LEN(good));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masters_show_what_no_path_does),
        cmocka_unit_test(a_good_conversation_may_be_the_one_that_lacks),
        cmocka_unit_test(who_asks_again_has_not_gone_on),
        cmocka_unit_test(slaves_are_charged_with_what_they_break),
        cmocka_unit_test(good_slaves_keep_no_order_for_their_path),
        cmocka_unit_test(one_lost_probe_makes_no_board_that_answers_none),
    };
    return cmocka_run_group_tests_name("eb_far", tests, NULL, NULL);
}
