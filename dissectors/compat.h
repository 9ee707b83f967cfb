/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between the Wireshark versions that this plugin is built for: 4.0, 4.2, 4.4, 4.6. */
#ifndef DISSECTORS_COMPAT_H
#define DISSECTORS_COMPAT_H

#define WS_BUILD_DLL
#include <wireshark.h>
#include <ws_version.h>

#include <epan/epan.h>
#include <epan/follow.h>
#include <epan/packet.h>
#include <epan/tvbuff.h>
#include <wiretap/wtap.h>

/* It does not declare what it takes. */
#include <epan/conversation_filter.h>

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

/* What 4.4 brought: another name for one byte, and a plugin's kind in `tshark -G plugins`. */
#if GW_WS_AT_LEAST(4, 4)
#include <wsutil/plugins.h>
#define GW_WS_PLUGIN_KIND WS_PLUGIN_DESC_DISSECTOR
#else
#define tvb_get_uint8 tvb_get_guint8
#define GW_WS_PLUGIN_KIND 0
#endif

/* What splits the path of a tree in the Statistics menu. */
#if GW_WS_AT_LEAST(4, 4)
#define GW_WS_MENU_SEPARATOR "//"
#else
#define GW_WS_MENU_SEPARATOR "/"
#endif

/* gw_ws_interface_description returns what the capture says of the interface of |pinfo|'s frame, or
 * NULL. Sections count from 4.2 on. */
static inline const char *gw_ws_interface_description(packet_info *pinfo)
{
    uint32_t id = pinfo->rec->rec_header.packet_header.interface_id;

#if GW_WS_AT_LEAST(4, 2)
    return epan_get_interface_description(pinfo->epan, id, pinfo->rec->section_number);
#else
    return epan_get_interface_description(pinfo->epan, id);
#endif
}

/* gw_ws_fill_label writes to |out|, of ITEM_LABEL_LENGTH bytes, what a tree shows of |fi|. 4.6
 * tells also where its value begins. */
static inline void gw_ws_fill_label(field_info *fi, char *out)
{
#if GW_WS_AT_LEAST(4, 6)
    proto_item_fill_label(fi, out, NULL);
#else
    proto_item_fill_label(fi, out);
#endif
}

/* gw_ws_source_called returns the data of |pinfo| that Wireshark shows as |name|, or NULL. */
static inline tvbuff_t *gw_ws_source_called(packet_info *pinfo, const char *name)
{
#if GW_WS_AT_LEAST(4, 6)
    const struct data_source *source = get_data_source_by_name(pinfo, name);
    return source != NULL ? get_data_source_tvb(source) : NULL;
#else
    return get_data_source_tvb_by_name(pinfo, name);
#endif
}

/* gw_ws_register_follow registers *Follow* of |proto|, which |on_packet| hears of by |tap|. 4.2
 * asks also how many there are of it and of its parts, which may be left open. */
static inline void gw_ws_register_follow(int proto, const char *tap,
                                         follow_conv_filter_func of_packet,
                                         follow_index_filter_func of_number,
                                         follow_address_filter_func of_addresses,
                                         follow_port_to_display_func port, tap_packet_cb on_packet)
{
#if GW_WS_AT_LEAST(4, 2)
    register_follow_stream(proto, tap, of_packet, of_number, of_addresses, port, on_packet, NULL,
                           NULL);
#else
    register_follow_stream(proto, tap, of_packet, of_number, of_addresses, port, on_packet);
#endif
}

/* The callbacks of a conversation filter: 4.4 hands them what was registered with them. */
#if GW_WS_AT_LEAST(4, 4)
#define GW_WS_USER_DATA , void *user_data G_GNUC_UNUSED
#else
#define GW_WS_USER_DATA
#endif
typedef gw_ws_bool (*gw_ws_filter_valid_fn)(packet_info *pinfo GW_WS_USER_DATA);
typedef char *(*gw_ws_filter_build_fn)(packet_info *pinfo GW_WS_USER_DATA);

/* gw_ws_register_filter registers the conversation filter |title| of protocol |name|. */
static inline void gw_ws_register_filter(const char *name, const char *title,
                                         gw_ws_filter_valid_fn is_valid,
                                         gw_ws_filter_build_fn build)
{
#if GW_WS_AT_LEAST(4, 4)
    register_conversation_filter(name, title, is_valid, build, NULL);
#else
    register_conversation_filter(name, title, is_valid, build);
#endif
}

#endif
