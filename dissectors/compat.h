/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between the Wireshark versions that this plugin is built for: 4.0, 4.2, 4.4, 4.6. */
#ifndef DISSECTORS_COMPAT_H
#define DISSECTORS_COMPAT_H

#define WS_BUILD_DLL
#include <wireshark.h>
#include <ws_version.h>

#define GW_WS_AT_LEAST(major, minor)                                                               \
    (WIRESHARK_VERSION_MAJOR > (major) ||                                                          \
     (WIRESHARK_VERSION_MAJOR == (major) && WIRESHARK_VERSION_MINOR >= (minor)))

/* GLib's gboolean gave way to bool bit by bit: in tables of preferences from 4.2 on, in dissectors
 * and preferences from 4.4 on. */
#if GW_WS_AT_LEAST(4, 2)
typedef bool gw_ws_table_bool;
#else
typedef gboolean gw_ws_table_bool;
#endif
#if GW_WS_AT_LEAST(4, 4)
typedef bool gw_ws_bool;
#else
typedef gboolean gw_ws_bool;
#endif

#endif
