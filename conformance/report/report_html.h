/* SPDX-License-Identifier: BSD-2-Clause */
/* The sections of the HTML report, and what they are made of. For report_html*.c only. */
#ifndef GOLDWIRE_REPORT_REPORT_HTML_H
#define GOLDWIRE_REPORT_REPORT_HTML_H

#include "report/html.h"
#include "report/report.h"

/* ---- parts ---- */

extern const char gw_html_script[];

/* gw_html_verdict writes the verdict's name in its colour. */
void gw_html_verdict(FILE *file, gw_verdict verdict);

/* gw_html_counts writes those of the |counts| that are not 0, each in its colour. */
void gw_html_counts(FILE *file, const gw_counts *counts);

/* How many failures of a page are shown with their messages. */
#define GW_HTML_DECODED 100

/* gw_html_messages writes, folded, the messages that the failure |r| is about, one term of a list;
 * nothing when no evidence was kept. *|room| counts those that the page still takes. */
void gw_html_messages(FILE *file, const gw_report *report, const gw_result *r, uint32_t *room);

/* ---- sections ---- */

void gw_html_identity(FILE *file, const gw_report *report);
void gw_html_claims(FILE *file, const gw_report *report);
void gw_html_waivers(FILE *file, const gw_report *report);
void gw_html_timing(FILE *file, const gw_report *report);
void gw_html_timeline(FILE *file, const gw_report *report);
void gw_html_path(FILE *file, const gw_report *report);
void gw_html_failures(FILE *file, const gw_report *report);
void gw_html_inconclusive(FILE *file, const gw_report *report);
void gw_html_cases(FILE *file, const gw_report *report);
void gw_html_coverage(FILE *file, const gw_report *report);
void gw_html_traceability(FILE *file, const gw_report *report);
void gw_html_uncovered(FILE *file, const gw_report *report);

#endif
