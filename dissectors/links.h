/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private link types: taken for a format, given back to whoever had them when a preference says
 * so. */
#ifndef DISSECTORS_LINKS_H
#define DISSECTORS_LINKS_H

#include "bridge.h"

#include <epan/prefs.h>

/* gw_ws_links_register makes a dissector for each link type of |bridge|'s format, called |names| in
 * the order of its list, and a preference in |module| that gives it back. Once a format, after
 * bridge->track and bridge->dialects are set. */
void gw_ws_links_register(const gw_ws_bridge *bridge, module_t *module, const char *const *names);

/* gw_ws_links_apply takes the link types that are wanted and gives the others back: what
 * prefs_register_protocol and the handoff call. */
void gw_ws_links_apply(void);

#endif
