/* SPDX-License-Identifier: BSD-2-Clause */
/* Command lines that a shell takes as they are meant. */
#ifndef GOLDWIRE_EVIDENCE_QUOTE_H
#define GOLDWIRE_EVIDENCE_QUOTE_H

#include "goldwire/text.h"

/* gw_quote appends a space, unless |text| is empty, then |option| and |value|, quoted when a shell
 * would take it for more than a word; nothing when |value| is NULL. */
void gw_quote(gw_text *text, const char *option, const char *value);

#endif
