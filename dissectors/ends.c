/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of links that have no other ones. */
#include "ends.h"

#include <stdio.h>
#include <string.h>

#include <epan/address_types.h>
#include <epan/wmem_scopes.h>

#define NAME_LEN 32

/* What an address of ours holds. */
typedef struct end_data {
    uint8_t format;      /* its place in gw_formats */
    uint8_t is_node;     /* a node, and not only an end of the link */
    char name[NAME_LEN]; /* terminated */
} end_data;

enum { SRC, DST, ADDR, NUM_FIELDS };

struct gw_ws_ends {
    gw_ws_ends_fn fn;
    uint8_t format;
    const char *names[NUM_FIELDS]; /* of the fields */
    int hf[NUM_FIELDS];
};

static int our_type = AT_NONE;
static gw_ws_ends *by_format[UINT8_MAX];

/* ---- the type of our addresses ---- */

static const end_data *data_of(const address *addr)
{
    return (const end_data *)addr->data;
}

static int to_str(const address *addr, char *buf, int cap)
{
    return (int)g_strlcpy(buf, data_of(addr)->name, (size_t)cap) + 1;
}

static int str_len(const address *addr)
{
    (void)addr;
    return NAME_LEN;
}

static const char *column_filter(const address *addr, gw_ws_bool is_src)
{
    return by_format[data_of(addr)->format]->names[is_src ? SRC : DST];
}

/* ---- showing ---- */

/* Whether |addr| says less than a node's name would. */
static bool is_vague(const address *addr)
{
    return addr->type == AT_NONE || (addr->type == our_type && data_of(addr)->is_node == 0);
}

static void set_column(const gw_ws_ends *e, packet_info *pinfo, address *addr, address *link,
                       const char *name, bool is_node)
{
    end_data *data;

    if (name[0] == '\0' || our_type == AT_NONE || !is_vague(addr) ||
        (addr->type != AT_NONE && !is_node))
        return;
    data = wmem_new0(pinfo->pool, end_data);
    data->format = e->format;
    data->is_node = is_node;
    g_strlcpy(data->name, name, sizeof data->name);
    set_address(addr, our_type, (int)sizeof *data, data);
    copy_address_shallow(link, addr);
}

static void show_field(const gw_ws_ends *e, const gw_ws_place *p, int which, const char *name)
{
    if (name[0] == '\0')
        return;
    proto_item_set_generated(
        proto_tree_add_string(p->tree, e->hf[which], p->tvb, (int)p->offset, 0, name));
    proto_item *either =
        proto_tree_add_string(p->tree, e->hf[ADDR], p->tvb, (int)p->offset, 0, name);
    proto_item_set_generated(either);
    proto_item_set_hidden(either);
}

/* The ends of a link: the captured port, and whoever is at the other end. */
static void put_link_end(gw_text *t, const gw_message *m, gw_direction sender)
{
    gw_text_str(t, m->dir == sender ? "port " : "partner ");
    gw_text_dec(t, m->interface);
}

static void show(const gw_ws_ends *ends, const gw_ws_place *place, const gw_message *message,
                 gw_ws_ends_fn fn, const gw_dialect *dialect)
{
    char from_buf[NAME_LEN], to_buf[NAME_LEN];
    gw_text from = gw_text_over(from_buf, sizeof from_buf);
    gw_text to = gw_text_over(to_buf, sizeof to_buf);

    if (fn != NULL)
        fn(message, dialect, &from, &to);
    bool from_node = from.len > 0, to_node = to.len > 0;
    bool on_link = message->transport == GW_OVER_NOTHING && message->dir != GW_DIR_UNKNOWN;
    if (on_link && !from_node)
        put_link_end(&from, message, GW_DIR_OUT);
    if (on_link && !to_node && !from_node)
        put_link_end(&to, message, GW_DIR_IN);
    if (message->transport == GW_OVER_NOTHING) {
        packet_info *pinfo = place->pinfo;
        set_column(ends, pinfo, &pinfo->src, &pinfo->dl_src, from_buf, from_node);
        set_column(ends, pinfo, &pinfo->dst, &pinfo->dl_dst, to_buf, to_node);
    }
    if (place->tree == NULL)
        return;
    show_field(ends, place, SRC, from_buf);
    show_field(ends, place, DST, to_buf);
}

void gw_ws_ends_show(const gw_ws_ends *ends, const gw_ws_place *place, const gw_message *message,
                     const gw_dialect *dialect)
{
    show(ends, place, message, ends->fn, dialect);
}

void gw_ws_ends_show_link(const gw_ws_ends *ends, const gw_ws_place *place, const gw_message *bytes)
{
    show(ends, place, bytes, NULL, NULL);
}

/* ---- registration ---- */

static void register_fields(gw_ws_ends *e, const gw_ws_bridge *bridge)
{
    static const struct {
        const char *key, *label, *blurb;
    } fields[NUM_FIELDS] = {
        [SRC] = {"src", "Source", "The node that sends, or the end of the link"},
        [DST] = {"dst", "Destination", "The node that is meant, or the end of the link"},
        [ADDR] = {"addr", "Source or destination", "Either of the two"},
    };
    hf_register_info *regs =
        (hf_register_info *)wmem_alloc0(wmem_epan_scope(), NUM_FIELDS * sizeof *regs);

    for (int i = 0; i < NUM_FIELDS; i++) {
        e->names[i] =
            wmem_strdup_printf(wmem_epan_scope(), "%s.%s", bridge->format->name, fields[i].key);
        e->hf[i] = -1;
        regs[i].p_id = &e->hf[i];
        regs[i].hfinfo = (header_field_info){.name = fields[i].label,
                                             .abbrev = e->names[i],
                                             .type = FT_STRING,
                                             .display = BASE_NONE,
                                             .blurb = fields[i].blurb,
                                             HFILL};
    }
    proto_register_field_array(bridge->proto, regs, NUM_FIELDS);
}

gw_ws_ends *gw_ws_ends_register(const gw_ws_bridge *bridge, gw_ws_ends_fn fn)
{
    gw_ws_ends *e = wmem_new0(wmem_epan_scope(), gw_ws_ends);

    if (our_type == AT_NONE) {
        int type = address_type_dissector_register("AT_GOLDWIRE", "Node of a link", to_str, str_len,
                                                   NULL, column_filter, NULL, NULL, NULL);
        our_type = type >= 0 ? type : AT_NONE;
    }
    e->fn = fn;
    while (gw_formats[e->format] != bridge->format)
        e->format++;
    by_format[e->format] = e;
    register_fields(e, bridge);
    return e;
}
