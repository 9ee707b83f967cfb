/* SPDX-License-Identifier: BSD-2-Clause */
/* A case that relies on another one is found, and named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "formats/etherbone/suite.h"
#include "selftest/shuffle.h"

#define LEFT UINT64_C(0x600dda7a)

static uint64_t place(gw_ctx *ctx)
{
    return gw_ebc_area(ctx, GW_AREA_RAM, 8)->address;
}

static void leaves(gw_ctx *ctx)
{
    gw_ebc_write(ctx, place(ctx), LEFT);
    gw_ebc_expect_word(ctx, "EB-S16", place(ctx), LEFT, "what was written");
}

static void relies(gw_ctx *ctx)
{
    gw_ebc_expect_word(ctx, "EB-S16", place(ctx), LEFT, "what another case has left");
}

static void stands_alone(gw_ctx *ctx)
{
    (void)gw_ebc_read(ctx, place(ctx));
}

#define CASE(name, function)                                                                       \
    {                                                                                              \
        .id = name, .title = "Toy case", .rules = GW_LIST("EB-S16"), .run = function               \
    }

static const gw_case honest[] = {CASE("t/leaves", leaves), CASE("t/alone", stands_alone), {0}};
static const gw_case relying[] = {
    CASE("t/leaves", leaves), CASE("t/relies", relies), CASE("t/alone", stands_alone), {0}};

static gw_shuffle_report shuffle(const gw_case *cases)
{
    char why[256] = "";
    gw_shuffle_report report = {0};
    const gw_board *board = gw_board_by_role("etherbone-slave");
    gw_suite suite = *gw_suite_by_role("etherbone-slave");
    suite.groups = &cases;
    suite.num_groups = 1;
    if (!gw_shuffle(&report, &suite, board, 4, 1, why, sizeof(why)))
        fail_msg("%s", why);
    return report;
}

static void cases_that_stand_alone_agree(void **state)
{
    (void)state;
    gw_shuffle_report report = shuffle(honest);
    assert_int_equal(report.num_found, 0);
    /* Four orders of two cases and both alone, over each carriage and in each dialect. */
    assert_true(report.runs > 10);
    assert_int_equal(report.cases % 10, 0);
}

static void a_case_that_relies_on_another_is_named(void **state)
{
    (void)state;
    gw_shuffle_report report = shuffle(relying);
    bool alone = false;
    assert_true(report.num_found > 0);
    for (unsigned i = 0; i < report.num_found && i < GW_SHUFFLE_MAX; i++) {
        const gw_disagreement *d = &report.found[i];
        assert_string_equal(d->which->id, "t/relies");
        assert_int_equal(d->usual, GW_PASS);
        assert_int_not_equal(d->other, GW_PASS);
        assert_non_null(strstr(d->text, "what another case has left"));
        alone = alone || d->order == 0;
    }
    assert_true(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_that_stand_alone_agree),
        cmocka_unit_test(a_case_that_relies_on_another_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
