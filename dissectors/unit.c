/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One message as Wireshark shows it. */
#include "unit.h"

#include "ends.h"
#include "goldwire/text.h"
#include "objects.h"
#include "registers.h"
#include "track.h"

#define SUMMARY_LEN 256

void gw_ws_set_columns(const gw_ws_bridge *bridge, packet_info *pinfo, const char *summary,
                       bool first)
{
    col_set_str(pinfo->cinfo, COL_PROTOCOL, bridge->column);
    if (first)
        col_add_str(pinfo->cinfo, COL_INFO, summary);
    else
        col_append_sep_str(pinfo->cinfo, COL_INFO, " | ", summary);
}

/* What a request asks for by name, where addresses have names. */
static void name(const gw_ws_bridge *bridge, packet_info *pinfo, const gw_ws_unit *unit)
{
    if (unit->registers == NULL)
        return;
    const gw_ws_asked *asked = gw_ws_tap_asked(bridge->tap, pinfo, unit->id);
    const char *known = asked != NULL && asked->on_bus
                            ? gw_ws_registers_name(unit->registers, pinfo, asked->address)
                            : NULL;

    if (known != NULL)
        gw_ws_tap_name(bridge->tap, unit->id, known);
}

/* Tells who counts. What an ICMP error quotes is no new message. */
static void tell(const gw_ws_bridge *bridge, packet_info *pinfo, const gw_ws_unit *unit,
                 const gw_ws_pair *pair, const gw_ws_finding *findings, const gw_error *stopped,
                 bool tracked)
{
    const gw_dialect *dialect = unit->dialect;

    if (pinfo->flags.in_error_pkt || !gw_ws_tap_open(bridge->tap))
        return;
    gw_ws_account *account = gw_ws_tap_begin(bridge->tap, pinfo, &unit->message, dialect, unit->id);
    name(bridge, pinfo, unit);
    account->pair = pair;
    account->stopped = *stopped;
    for (; findings != NULL; findings = findings->next)
        gw_ws_tap_fault(account, pinfo, findings->rule,
                        gw_dialect_knows(dialect, findings->rule, NULL, findings->text) != NULL);
    if (tracked)
        gw_ws_track_tell(bridge->track, pinfo, dialect, unit->id, account);
    gw_ws_tap_tell(bridge->tap, pinfo, account);
}

gw_ws_place gw_ws_show_unit(const gw_ws_bridge *bridge, tvbuff_t *tvb, packet_info *pinfo,
                            proto_tree *tree, uint32_t offset, const gw_ws_unit *unit, bool first,
                            bool tracked)
{
    const gw_message *m = &unit->message;
    gw_ws_place place = {
        .tvb = tvb, .pinfo = pinfo, .offset = offset, .registers = unit->registers};
    bool shown = proto_field_is_referenced(tree, bridge->proto);
    char summary[SUMMARY_LEN] = "";

    *bridge->told = 0;
    if (shown || pinfo->cinfo != NULL) {
        gw_text text = gw_text_over(summary, sizeof summary);
        if (unit->other_way)
            gw_text_str(&text, "(other direction) ");
        bridge->format->summary(m, unit->dialect, &text);
        if (unit->registers != NULL)
            gw_message_names_summary(unit->registers, m, unit->dialect, &text);
        gw_ws_set_columns(bridge, pinfo, summary, first);
    }
    if (tree != NULL)
        place.item =
            proto_tree_add_item(tree, bridge->proto, tvb, (int)offset, (int)m->cap_len, ENC_NA);
    if (shown) {
        proto_item_append_text(place.item, ", %s", summary);
        place.tree = proto_item_add_subtree(place.item, bridge->ett);
    }
    const gw_ws_pair *pair = gw_ws_ends_show(bridge->ends, &place, m, unit->dialect);
    gw_message judged = *m;
    if (tracked)
        judged.origin = gw_ws_track_origin(bridge->track, unit->id);
    gw_ws_finding *findings = gw_ws_bridge_check(bridge, pinfo, &judged, unit->dialect);
    gw_error stopped = gw_ws_bridge_show(bridge, &place, m, unit->dialect, findings);
    if (tracked)
        gw_ws_track_show(bridge->track, &place, unit->dialect, unit->id);
    if (bridge->objects != NULL && tracked)
        gw_ws_objects_show(bridge->objects, &place, m, unit->dialect, unit->id);
    tell(bridge, pinfo, unit, pair, findings, &stopped, tracked);
    return place;
}
