/* SPDX-License-Identifier: BSD-2-Clause */
/* Percentiles, and what a claimed response time allows. */
#include "runner/budget.h"

#define MARGIN_NS INT64_C(20000)
#define MARGIN_SHARE 10 /* of the claim: a tenth */

int64_t gw_permille(const int64_t *values, size_t num, unsigned permille)
{
    if (num == 0)
        return 0;
    size_t rank = (num * permille + 999) / 1000;
    return values[rank == 0 ? 0 : rank > num ? num - 1 : rank - 1];
}

int64_t gw_budget(int64_t claimed_ns)
{
    int64_t share = claimed_ns / MARGIN_SHARE;
    return claimed_ns + (share > MARGIN_NS ? share : MARGIN_NS);
}

gw_budget_verdict gw_budget_judge(int64_t measured_ns, int64_t budget_ns, int64_t floor_ns)
{
    if (measured_ns <= budget_ns)
        return GW_BUDGET_KEPT;
    if (floor_ns > budget_ns || measured_ns - floor_ns <= budget_ns)
        return GW_BUDGET_UNKNOWN;
    return GW_BUDGET_BROKEN;
}
