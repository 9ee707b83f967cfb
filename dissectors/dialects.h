/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which dialect speaks at which address and port: a default, and a table above it. */
#ifndef DISSECTORS_DIALECTS_H
#define DISSECTORS_DIALECTS_H

#include "compat.h"

#include <epan/prefs.h>

#include "goldwire/format.h"

/* gw_ws_dialects is one format's default and table. */
typedef struct gw_ws_dialects gw_ws_dialects;

/* gw_ws_dialects_register adds the preferences "Default dialect" and "Dialect table" for |format|
 * to |module|. */
gw_ws_dialects *gw_ws_dialects_register(module_t *module, const gw_format *format);

/* gw_ws_dialect_for returns the dialect of the device at either end: the first line of the table
 * that fits, or what the capture says of |pinfo|'s interface (NULL: of none), or else the default.
 */
const gw_dialect *gw_ws_dialect_for(const gw_ws_dialects *d, packet_info *pinfo,
                                    const gw_endpoint *src, const gw_endpoint *dst);

#endif
