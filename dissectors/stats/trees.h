/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees of counts of one format: *Statistics > FORMAT > ...*, and tshark's -z ABBR,tree. */
#ifndef DISSECTORS_STATS_TREES_H
#define DISSECTORS_STATS_TREES_H

#include "goldwire/format.h"

/* gw_ws_messages_register registers `-z NAME,tree`: messages by kind, and what the format's tables
 * tally of their fields. */
void gw_ws_messages_register(const gw_format *format);

/* gw_ws_findings_register registers `-z NAME.findings,tree`: broken rules by level, and where
 * decoding stopped. */
void gw_ws_findings_register(const gw_format *format);

/* gw_ws_answers_register registers `-z NAME.answers,tree`: what became of requests, and what
 * answers answered. */
void gw_ws_answers_register(const gw_format *format);

#endif
