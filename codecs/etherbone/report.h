/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone's findings, by the places of rules and fields. */
#ifndef ETHERBONE_REPORT_H
#define ETHERBONE_REPORT_H

#include "core/report.h"
#include "etherbone/internal.h"
#include "etherbone/rules.h"

/* gw_eb_report reports that |rule| is broken in |field| (GW_EB_F_...) of a group that begins at
 * byte |start|; |text| and |numbers| as for gw_report. */
static inline void gw_eb_report(const gw_judge *judge, enum gw_eb_rule_place rule, int field,
                                uint32_t start, const char *text, const uint64_t *numbers)
{
    const gw_field *f = gw_eb_field(field);

    gw_report(judge, &gw_eb_rules[rule], f, start + f->byte, text, numbers);
}

#endif
