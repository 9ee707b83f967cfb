/* SPDX-License-Identifier: BSD-2-Clause */
/* What a claimed response time allows. */
#include "measure/budget.h"

#define MARGIN_NS INT64_C(20000)
#define MARGIN_SHARE 10 /* of the claim: a tenth */

int64_t gw_budget(int64_t claimed_ns)
{
    int64_t share = claimed_ns / MARGIN_SHARE;
    return claimed_ns + (share > MARGIN_NS ? share : MARGIN_NS);
}

bool gw_budget_measurable(int64_t budget_ns, int64_t floor_ns)
{
    return floor_ns <= budget_ns;
}

gw_budget_verdict gw_budget_judge(int64_t measured_ns, int64_t budget_ns, int64_t floor_ns)
{
    if (measured_ns <= budget_ns)
        return GW_BUDGET_KEPT;
    if (!gw_budget_measurable(budget_ns, floor_ns) || measured_ns - floor_ns <= budget_ns)
        return GW_BUDGET_UNKNOWN;
    return GW_BUDGET_BROKEN;
}
