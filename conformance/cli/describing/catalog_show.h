/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire catalog show: everything about one rule, one case, or an id of the past. */
#ifndef GOLDWIRE_CATALOG_SHOW_H
#define GOLDWIRE_CATALOG_SHOW_H

#include "goldwire/base.h"

/* gw_catalog_show tells about |id| on standard output, as text or as one JSON object, and returns a
 * gw_exit. */
int gw_catalog_show(const char *id, bool json);

#endif
