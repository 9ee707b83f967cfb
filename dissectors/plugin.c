/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols by which Wireshark finds and loads goldwire.so. */
#include "compat.h"

#include <epan/proto.h>

#include "formats.h"

WS_DLL_PUBLIC_DEF const char plugin_version[] = GW_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

WS_DLL_PUBLIC void plugin_register(void);

/* plugin_register queues the protocols; Wireshark calls it once and keeps the table. */
WS_DLL_PUBLIC_DEF void plugin_register(void)
{
    static proto_plugin formats[] = {
#define GW_FORMAT(name) {gw_ws_##name##_register, gw_ws_##name##_handoff},
#include "goldwire/formats.def"
    };

    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        proto_register_plugin(&formats[i]);
}

WS_DLL_PUBLIC uint32_t plugin_describe(void);

/* plugin_describe names the plugin's kind; a Wireshark that does not know it never asks. */
WS_DLL_PUBLIC_DEF uint32_t plugin_describe(void)
{
    return GW_WS_PLUGIN_KIND;
}
