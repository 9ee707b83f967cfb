/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wholes, by Wireshark's names. */
#include "stats/export.h"

#include <inttypes.h>

#include <epan/export_object.h>
#include <epan/tap.h>

#include "goldwire/text.h"

#define HOST_LEN 64

static tap_packet_status on_object(void *tapdata, packet_info *pinfo, epan_dissect_t *edt,
                                   const void *data, tap_flags_t flags)
{
    export_object_list_t *list = (export_object_list_t *)tapdata;
    const gw_ws_export *object = (const gw_ws_export *)data;
    export_object_entry_t *entry = g_new0(export_object_entry_t, 1);
    char host[HOST_LEN];
    gw_text receiver = gw_text_over(host, sizeof host);
    (void)pinfo;
    (void)edt;
    (void)flags;

    if (object->receiver->family != GW_FAMILY_NONE)
        gw_text_endpoint(&receiver, object->receiver);
    entry->pkt_num = object->frame;
    entry->hostname = g_strdup(host);
    entry->content_type = g_strdup(object->what);
    entry->filename =
        g_strdup_printf("%s-%u-0x%" PRIx64 ".bin", object->what, object->frame, object->name);
    g_strdelimit(entry->filename, " ", '-');
    entry->payload_len = object->len;
    entry->payload_data = (guint8 *)g_memdup2(object->data, object->len);
    list->add_entry(list->gui_data, entry);
    return TAP_PACKET_REDRAW;
}

int gw_ws_export_register(int proto)
{
    return register_export_object(proto, on_object, NULL);
}

bool gw_ws_export_open(int tap)
{
    return have_tap_listener(tap);
}

void gw_ws_export_tell(int tap, packet_info *pinfo, const gw_ws_export *object)
{
    tap_queue_packet(tap, pinfo, wmem_memdup(pinfo->pool, object, sizeof *object));
}
