/* SPDX-License-Identifier: BSD-2-Clause */
/* Toy cases for tests of reports, and what a report comes to. */
#ifndef GOLDWIRE_REPORT_TOY_TESTING_H
#define GOLDWIRE_REPORT_TOY_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "goldwire/etherbone.h"
#include "report/report.h"

enum { TOY_GOOD, TOY_BAD, TOY_SOFT, TOY_LOST, TOY_NONE, TOY_NUM };

static const gw_case toy_cases[] = {
    [TOY_GOOD] = {.id = "t/good", .title = "All is well", .rules = GW_LIST("EB-S03", "EB-S08")},
    [TOY_BAD] = {.id = "t/bad", .title = "Something is wrong", .rules = GW_LIST("EB-S04")},
    [TOY_SOFT] = {.id = "t/soft", .title = "Not as it should be", .rules = GW_LIST("EB-S28")},
    [TOY_LOST] = {.id = "t/lost", .title = "Nobody knows", .rules = GW_LIST("EB-S42")},
    [TOY_NONE] = {.id = "t/none", .title = "Not for this board", .rules = GW_LIST("EB-S46")},
    [TOY_NUM] = {0},
};
static const gw_case *const toy_groups[] = {toy_cases};
static const gw_suite toy_suite = {.role = "toy",
                                   .format = &gw_etherbone,
                                   .families = GW_LIST("EB-S"),
                                   .groups = toy_groups,
                                   .num_groups = 1};

/* What |write| makes of |report|; to be freed. */
static char *toy_written(void (*write)(FILE *file, const gw_report *report),
                         const gw_report *report)
{
    char *text = NULL;
    size_t len = 0;
    FILE *file = open_memstream(&text, &len);
    assert_non_null(file);
    write(file, report);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(strlen(text), len);
    return text;
}

#endif
