/* SPDX-License-Identifier: BSD-2-Clause */
/* The sections of a campaign's page. For page*.c only. */
#ifndef GOLDWIRE_HARVEST_PAGE_H
#define GOLDWIRE_HARVEST_PAGE_H

#include <stdio.h>

#include <jansson.h>

/* gw_page_findings shows each finding of |findings|, a findings.json. */
void gw_page_findings(FILE *file, const json_t *findings);

/* gw_page_time draws what happened when: the rate, and how the board was. */
void gw_page_time(FILE *file, const json_t *findings);

/* gw_page_model draws what the board was tried with; |model| is a coverage.json. */
void gw_page_model(FILE *file, const json_t *model);

#endif
