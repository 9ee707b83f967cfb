/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Service response times: how long requests waited, by kind, by address, by who answered and, of
 * EtherBone, by register (`-z NAME,srt`). */
#ifndef DISSECTORS_STATS_SERVICE_H
#define DISSECTORS_STATS_SERVICE_H

#include "goldwire/format.h"

/* gw_ws_service_register registers the tables of |format|, whose protocol is |proto|, on its tap.
 */
void gw_ws_service_register(const gw_format *format, int proto);

#endif
