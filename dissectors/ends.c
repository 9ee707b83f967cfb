/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of links that have no other ones. */
#include "ends.h"

#include <stdio.h>
#include <string.h>

#include <epan/address_types.h>
#include <epan/wmem_scopes.h>

#define NAME_LEN 64
#define MAX_PAIRS 65536 /* that get a number */

/* What an address of ours holds. */
typedef struct end_data {
    uint8_t format;      /* its place in gw_formats */
    uint8_t is_node;     /* a node, and not only an end of the link */
    char name[NAME_LEN]; /* terminated */
} end_data;

enum { SRC, DST, ADDR, NUM_FIELDS };

struct gw_ws_ends {
    gw_ws_ends_fn fn;
    int proto;
    uint8_t format;
    const char *names[NUM_FIELDS]; /* of the fields */
    int hf[NUM_FIELDS];
    int hf_conversation;
    wmem_map_t *pairs; /* numbers of conversations, by both names; file scope */
};

/* Who sends a message, and who it is for, by name. */
typedef struct ends_names {
    char from[NAME_LEN];
    char to[NAME_LEN];
    bool from_node; /* the format names it */
    bool to_node;
} ends_names;

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

static void show_field(const gw_ws_ends *e, const gw_ws_place *p, int which, const char *name,
                       bool is_node)
{
    if (name[0] == '\0')
        return;
    proto_item *one = proto_tree_add_string(p->tree, e->hf[which], p->tvb, (int)p->offset, 0, name);
    proto_item_set_generated(one);
    if (!is_node)
        proto_item_set_hidden(one);
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

static void put_carrier(gw_text *t, const gw_endpoint *end)
{
    if (t->len == 0 && end->family != GW_FAMILY_NONE)
        gw_text_endpoint(t, end);
}

/* What the format does not name goes by its carrier's address. */
static void name_ends(ends_names *n, const gw_message *message, gw_ws_ends_fn fn,
                      const gw_dialect *dialect)
{
    gw_text from = gw_text_over(n->from, sizeof n->from);
    gw_text to = gw_text_over(n->to, sizeof n->to);

    if (fn != NULL)
        fn(message, dialect, &from, &to);
    n->from_node = from.len > 0;
    n->to_node = to.len > 0;
    put_carrier(&from, &message->src);
    put_carrier(&to, &message->dst);
    bool on_link = message->transport == GW_OVER_NOTHING && message->dir != GW_DIR_UNKNOWN;
    if (on_link && from.len == 0)
        put_link_end(&from, message, GW_DIR_OUT);
    if (on_link && to.len == 0 && !n->from_node)
        put_link_end(&to, message, GW_DIR_IN);
}

static void show(const gw_ws_ends *ends, const gw_ws_place *place, const gw_message *message,
                 const ends_names *n)
{
    if (message->transport == GW_OVER_NOTHING) {
        packet_info *pinfo = place->pinfo;
        set_column(ends, pinfo, &pinfo->src, &pinfo->dl_src, n->from, n->from_node);
        set_column(ends, pinfo, &pinfo->dst, &pinfo->dl_dst, n->to, n->to_node);
    }
    if (place->tree == NULL)
        return;
    bool on_link = message->transport == GW_OVER_NOTHING && message->src.family == GW_FAMILY_NONE;
    show_field(ends, place, SRC, n->from, n->from_node || on_link);
    show_field(ends, place, DST, n->to, n->to_node || on_link);
}

/* ---- conversations ---- */

/* The number of the conversation between two ends, whichever speaks: they are counted as they come.
 */
static bool number_of(gw_ws_ends *e, packet_info *pinfo, const ends_names *n, uint32_t *number)
{
    bool in_order = strcmp(n->from, n->to) <= 0;
    char key[2 * NAME_LEN];

    if (n->from[0] == '\0' || n->to[0] == '\0')
        return false;
    (void)snprintf(key, sizeof key, "%s\n%s", in_order ? n->from : n->to,
                   in_order ? n->to : n->from);
    const void *kept;
    void *value;
    if (wmem_map_lookup_extended(e->pairs, key, &kept, &value)) {
        *number = GPOINTER_TO_UINT(value);
        return true;
    }
    *number = wmem_map_size(e->pairs);
    if (PINFO_FD_VISITED(pinfo) || *number >= MAX_PAIRS)
        return false;
    wmem_map_insert(e->pairs, wmem_strdup(wmem_file_scope(), key), GUINT_TO_POINTER(*number));
    return true;
}

static const gw_ws_pair *pair_of(gw_ws_ends *e, packet_info *pinfo, const ends_names *n)
{
    gw_ws_pair *pair = wmem_new0(pinfo->pool, gw_ws_pair);

    pair->from = wmem_strdup(pinfo->pool, n->from);
    pair->to = wmem_strdup(pinfo->pool, n->to);
    pair->numbered = number_of(e, pinfo, n, &pair->number);
    return pair;
}

const gw_ws_pair *gw_ws_ends_show(gw_ws_ends *ends, const gw_ws_place *place,
                                  const gw_message *message, const gw_dialect *dialect)
{
    ends_names n;

    name_ends(&n, message, ends->fn, dialect);
    show(ends, place, message, &n);
    const gw_ws_pair *pair = pair_of(ends, place->pinfo, &n);
    if (place->tree == NULL)
        return pair;
    gw_ws_pair_keep(place->pinfo, ends->proto, pair);
    if (pair->numbered)
        proto_item_set_generated(proto_tree_add_uint(place->tree, ends->hf_conversation, place->tvb,
                                                     (int)place->offset, 0, pair->number));
    return pair;
}

void gw_ws_ends_show_link(const gw_ws_ends *ends, const gw_ws_place *place, const gw_message *bytes)
{
    ends_names n;

    name_ends(&n, bytes, NULL, NULL);
    show(ends, place, bytes, &n);
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

static void register_conversation(gw_ws_ends *e, const gw_ws_bridge *bridge)
{
    hf_register_info *reg = (hf_register_info *)wmem_alloc0(wmem_epan_scope(), sizeof *reg);

    e->hf_conversation = -1;
    reg->p_id = &e->hf_conversation;
    reg->hfinfo = (header_field_info){
        .name = "Conversation",
        .abbrev = wmem_strdup_printf(wmem_epan_scope(), "%s.conversation", bridge->format->name),
        .type = FT_UINT32,
        .display = BASE_DEC,
        .blurb = "Number of the conversation between these two ends, from 0",
        HFILL};
    proto_register_field_array(bridge->proto, reg, 1);
    e->pairs =
        wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), wmem_str_hash, g_str_equal);
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
    e->proto = bridge->proto;
    while (gw_formats[e->format] != bridge->format)
        e->format++;
    by_format[e->format] = e;
    register_fields(e, bridge);
    register_conversation(e, bridge);
    return e;
}
