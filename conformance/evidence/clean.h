/* SPDX-License-Identifier: BSD-2-Clause */
/* Text that came from outside, made safe to show: in a terminal, in XML and in HTML. */
#ifndef GOLDWIRE_EVIDENCE_CLEAN_H
#define GOLDWIRE_EVIDENCE_CLEAN_H

#include <stdio.h>

#include "goldwire/base.h"

/* gw_clean copies |text| into |out| as valid UTF-8: bytes that are none, and control characters
 * other than newline, become U+FFFD. What does not fit is cut between characters. Returns |out|. */
char *gw_clean(char *out, size_t cap, const char *text);

/* gw_put_markup writes |text|, cleaned, with the five characters escaped that mean something to XML
 * and HTML; it may stand in an attribute. */
void gw_put_markup(FILE *file, const char *text);

/* gw_put_lines writes the |len| bytes of |text|, cleaned, with its newlines and tabs: what a
 * program wrote, for people. */
void gw_put_lines(FILE *file, const char *text, size_t len);

/* gw_put_plain writes |text|, cleaned, on one line: a newline becomes a space. */
void gw_put_plain(FILE *file, const char *text);

#endif
