/* SPDX-License-Identifier: BSD-2-Clause */
/* What every page of goldwire's is made of: one file that loads nothing, and reads by day, by
 * night, on a phone and on paper. */
#ifndef GOLDWIRE_REPORT_HTML_H
#define GOLDWIRE_REPORT_HTML_H

#include <stdio.h>

#include "run/run.h"

/* gw_html_open begins a page that is called |headline|: |what|. |looks| are added to the usual
 * ones; |script|, NULL for none, is the only one that may run. */
void gw_html_open(FILE *file, const char *headline, const char *what, const char *looks,
                  const char *script);

/* gw_html_close ends it. */
void gw_html_close(FILE *file, const char *script);

/* gw_html_term writes one line of a list of terms; nothing when |text| is NULL or empty. */
void gw_html_term(FILE *file, const char *term, const char *text);

/* gw_html_heading opens a section with the anchor |id|; |title| is plain text of ours. */
void gw_html_heading(FILE *file, const char *id, const char *title);

/* gw_html_time writes a duration for people: "12.3 us". */
void gw_html_time(FILE *file, int64_t time_ns);

/* gw_html_heat returns how hot a cell is that stands for |count|, 1 to 5: one more for each time
 * that |base| goes into it. The cell is a <td class="c mN"> of a table.heat; a verdict's name among
 * its classes gives it its colour, or the page's looks do, as --heat. */
unsigned gw_html_heat(uint64_t count, unsigned base);

/* gw_html_packet writes the bytes of |excerpt|, |num_marked| of them from |marked| on marked. */
void gw_html_packet(FILE *file, const char *term, const gw_excerpt *excerpt, uint32_t marked,
                    uint32_t num_marked);

#endif
