/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree of counts, by Wireshark's names. */
#include "stats/tree.h"

#include <epan/wmem_scopes.h>

void gw_ws_tree_register(const gw_format *format, const char *key, const char *title,
                         stat_tree_packet_cb on_account, stat_tree_init_cb init)
{
    const char *abbr = key == NULL
                           ? format->name
                           : wmem_strdup_printf(wmem_epan_scope(), "%s.%s", format->name, key);

    stats_tree_register_plugin(
        format->name, abbr,
        wmem_strdup_printf(wmem_epan_scope(), "%s" GW_WS_MENU_SEPARATOR "%s", format->title, title),
        TL_REQUIRES_NOTHING, on_account, init, NULL);
}
