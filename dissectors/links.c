/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private link types: who has them, and frames that are one message each. */
#include "links.h"

#include <epan/wmem_scopes.h>
#include <wiretap/wtap.h>

#include "dialects.h"
#include "goldwire/net.h"
#include "message.h"
#include "ours.h"
#include "runs.h"
#include "track.h"
#include "unit.h"

typedef struct private_link private_link;
struct private_link {
    private_link *next; /* of the list of all */
    const gw_ws_bridge *bridge;
    const gw_link *link;
    gw_ws_runs *runs; /* NULL: a frame is a message */
    uint32_t encap;
    gw_ws_bool wanted;
    bool taken;
    dissector_handle_t handle;
    dissector_handle_t former; /* who had it */
};

static private_link *links;

static gw_message frame_of(tvbuff_t *tvb, packet_info *pinfo, const gw_link *link)
{
    gw_message m = gw_ws_message(tvb, pinfo, 0, tvb_reported_length(tvb), GW_OVER_NOTHING);

    m.src = m.dst = (gw_endpoint){0};
    m.link_type = link->link_type;
    m.part = link->part;
    if ((pinfo->rec->presence_flags & WTAP_HAS_INTERFACE_ID) != 0)
        m.interface = pinfo->rec->rec_header.packet_header.interface_id;
    return m;
}

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data, void *ctx)
{
    const private_link *l = (const private_link *)ctx;
    gw_message m = frame_of(tvb, pinfo, l->link);
    (void)data;

    if (l->runs != NULL) {
        gw_ws_runs_dissect(l->runs, tvb, pinfo, tree, &m);
        return (int)tvb_reported_length(tvb);
    }
    gw_ws_unit unit = {.message = m,
                       .dialect = gw_ws_dialect_for(l->bridge->dialects, pinfo, &m.src, &m.dst),
                       .id = pinfo->num};
    if (!gw_ws_ours(l->bridge, tvb, pinfo, &m, unit.dialect)) {
        (void)call_data_dissector(tvb, pinfo, tree);
        col_add_fstr(pinfo->cinfo, COL_INFO,
                     "Link type %u is private, and this is not %s: anybody may use it",
                     l->link->link_type, l->bridge->format->title);
        return (int)tvb_reported_length(tvb);
    }
    if (!PINFO_FD_VISITED(pinfo))
        gw_ws_track_feed(l->bridge->track, &m, unit.dialect, unit.id);
    gw_ws_show_unit(l->bridge, tvb, pinfo, tree, 0, &unit, true, true);
    return (int)tvb_reported_length(tvb);
}

static void apply(private_link *l)
{
    if ((l->wanted != FALSE) == l->taken)
        return;
    l->taken = l->wanted != FALSE;
    if (l->taken) {
        l->former = dissector_get_uint_handle(find_dissector_table("wtap_encap"), l->encap);
        dissector_add_uint("wtap_encap", l->encap, l->handle);
        return;
    }
    dissector_delete_uint("wtap_encap", l->encap, l->handle);
    if (l->former != NULL)
        dissector_add_uint("wtap_encap", l->encap, l->former);
}

void gw_ws_links_apply(void)
{
    for (private_link *l = links; l != NULL; l = l->next)
        apply(l);
}

static void register_preference(private_link *l, module_t *module)
{
    unsigned user = l->link->link_type - GW_LINK_USER0;

    prefs_register_bool_preference(
        module, wmem_strdup_printf(wmem_epan_scope(), "user%u", user),
        wmem_strdup_printf(wmem_epan_scope(), "Take DLT_USER%u (link type %u): %s", user,
                           l->link->link_type, l->link->what),
        "Anybody may use this link type for anything. Off gives it back to whoever had it",
        &l->wanted);
}

void gw_ws_links_register(const gw_ws_bridge *bridge, module_t *module, const char *const *names)
{
    for (size_t i = 0; i < bridge->format->num_links; i++) {
        private_link *l = wmem_new0(wmem_epan_scope(), private_link);
        l->next = links;
        links = l;
        l->bridge = bridge;
        l->link = &bridge->format->links[i];
        l->wanted = TRUE;
        l->encap = WTAP_ENCAP_USER0 + (l->link->link_type - (uint32_t)GW_LINK_USER0);
        if (l->link->stream != NULL)
            l->runs = gw_ws_runs_register(bridge, l->link);
        l->handle = register_dissector_with_data(names[i], dissect, bridge->proto, l);
        register_preference(l, module);
    }
}
