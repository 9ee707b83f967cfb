/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone's findings, by the places of rules and fields. */
#ifndef ETHERBONE_REPORT_H
#define ETHERBONE_REPORT_H

#include "core/report.h"
#include "etherbone/rules.h"

typedef gw_judge gw_eb_judge;

#define GW_EB_NUMBERS(...) GW_NUMBERS(__VA_ARGS__)

/* gw_eb_report is gw_report for |rule| and field GW_EB_F_... |field|. */
void gw_eb_report(const gw_eb_judge *judge, enum gw_eb_rule_place rule, int field, uint32_t offset,
                  const char *text, const uint64_t *numbers);

#endif
