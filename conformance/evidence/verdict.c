/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of verdicts and the exit code that a set of them means. */
#include "evidence/verdict.h"

#include <string.h>

#include "evidence/exit.h"

static const char *const names[GW_NUM_VERDICTS] = {
    [GW_PASS] = "PASS",   [GW_FAIL] = "FAIL", [GW_WARN] = "WARN",     [GW_INCONC] = "INCONC",
    [GW_ERROR] = "ERROR", [GW_NA] = "NA",     [GW_WAIVED] = "WAIVED", [GW_XPASS] = "XPASS",
};

const char *gw_verdict_name(gw_verdict verdict)
{
    return (unsigned)verdict < GW_NUM_VERDICTS ? names[verdict] : "?";
}

bool gw_verdict_by_name(gw_verdict *out, const char *name)
{
    for (unsigned i = 0; i < GW_NUM_VERDICTS; i++) {
        if (strcmp(names[i], name) != 0)
            continue;
        *out = (gw_verdict)i;
        return true;
    }
    return false;
}

unsigned gw_counts_total(const gw_counts *counts)
{
    unsigned total = 0;
    for (unsigned i = 0; i < GW_NUM_VERDICTS; i++)
        total += counts->of[i];
    return total;
}

int gw_counts_exit(const gw_counts *counts, bool strict)
{
    unsigned failed = counts->of[GW_FAIL] + (strict ? counts->of[GW_WARN] + counts->untried : 0);
    unsigned expired = counts->expired_fails + (strict ? counts->expired_warns : 0);
    if (counts->of[GW_ERROR] > 0)
        return GW_EXIT_TOOL;
    if (failed > expired || counts->over_claims > 0)
        return GW_EXIT_FAIL;
    if (counts->of[GW_XPASS] > 0 || expired > 0)
        return GW_EXIT_XPASS;
    if (counts->of[GW_INCONC] > 0)
        return GW_EXIT_INCONC;
    /* A run in which nothing could be judged must not look green. */
    return counts->of[GW_PASS] > 0 ? GW_EXIT_OK : GW_EXIT_NOTHING;
}
