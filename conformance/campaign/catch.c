/* SPDX-License-Identifier: BSD-2-Clause */
/* What a finding holds. */
#include "campaign/catch.h"

void gw_catch_free(gw_catch *found)
{
    gw_shots_free(&found->shots);
    gw_evidence_free(&found->said);
    gw_evidence_free(&found->seen);
}
