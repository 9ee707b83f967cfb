/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a board is as quick as it claims, as far as this tool can tell. */
#ifndef GOLDWIRE_MEASURE_BUDGET_H
#define GOLDWIRE_MEASURE_BUDGET_H

#include "goldwire/base.h"

typedef enum gw_budget_verdict {
    GW_BUDGET_KEPT = 0,
    GW_BUDGET_BROKEN,
    GW_BUDGET_UNKNOWN, /* this tool cannot measure that finely */
} gw_budget_verdict;

/* gw_budget returns what a claim of |claimed_ns| allows: the claim and a margin of 20 us or a tenth
 * of it, whichever is more. */
int64_t gw_budget(int64_t claimed_ns);

/* gw_budget_measurable says whether a tool whose own part is |floor_ns| can tell a response time
 * from |budget_ns|. */
bool gw_budget_measurable(int64_t budget_ns, int64_t floor_ns);

/* gw_budget_judge compares a measured percentile with |budget_ns|. |floor_ns| is the tool's own
 * part in what it measures: a budget below it, or missed by less, is nobody's fault. */
gw_budget_verdict gw_budget_judge(int64_t measured_ns, int64_t budget_ns, int64_t floor_ns);

#endif
