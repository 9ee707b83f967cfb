/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conversations and endpoints by the names that messages have for boards. */
#include "stats/peers.h"

#include <string.h>

#include "compat.h"

#include <epan/conversation_table.h>
#include <epan/wmem_scopes.h>

#include "stats/account.h"

/* What a row of one format's tables knows of it, behind what Wireshark knows. */
typedef struct conversation_row {
    ct_dissector_info_t base;
    const char *src, *dst, *either; /* fields */
} conversation_row;

typedef struct endpoint_row {
    et_dissector_info_t base;
    const char *src, *dst, *either;
} endpoint_row;

typedef struct peers {
    conversation_row conversation;
    endpoint_row endpoint;
} peers;

enum {
#define GW_FORMAT(name) PLACE_OF_##name,
#include "goldwire/formats.def"
    NUM_FORMATS
};

static peers by_place[NUM_FORMATS];

static peers *peers_of(const gw_format *format)
{
    size_t place = 0;

    while (gw_formats[place] != format)
        place++;
    return &by_place[place];
}

static const char *field_for(conv_filter_type_e type, const char *src, const char *dst,
                             const char *either)
{
    switch (type) {
    case CONV_FT_SRC_ADDRESS:
        return src;
    case CONV_FT_DST_ADDRESS:
        return dst;
    case CONV_FT_ANY_ADDRESS:
        return either;
    default:
        return CONV_FILTER_INVALID;
    }
}

static const char *conversation_field(conv_item_t *item, conv_filter_type_e type)
{
    const conversation_row *row = (const conversation_row *)item->dissector_info;

    return field_for(type, row->src, row->dst, row->either);
}

static const char *endpoint_field(endpoint_item_t *item, conv_filter_type_e type)
{
    const endpoint_row *row = (const endpoint_row *)item->dissector_info;

    return field_for(type, row->src, row->dst, row->either);
}

static address address_of(const char *name)
{
    address a;

    set_address(&a, AT_STRINGZ, (int)strlen(name) + 1, name);
    return a;
}

static tap_packet_status on_conversation(void *tapdata, packet_info *pinfo, epan_dissect_t *edt,
                                         const void *data, tap_flags_t flags)
{
    const gw_ws_account *account = (const gw_ws_account *)data;
    conv_hash_t *hash = (conv_hash_t *)tapdata;
    const gw_ws_pair *pair = account->pair;
    (void)edt;

    if (pair->from[0] == '\0' || pair->to[0] == '\0')
        return TAP_PACKET_DONT_REDRAW;
    address from = address_of(pair->from), to = address_of(pair->to);
    hash->flags = flags;
    add_conversation_table_data(hash, &from, &to, 0, 0, 1, (int)account->message->len,
                                &pinfo->rel_ts, &pinfo->abs_ts,
                                &peers_of(account->format)->conversation.base, CONVERSATION_NONE);
    return TAP_PACKET_REDRAW;
}

static void add_endpoint(conv_hash_t *hash, const gw_ws_account *account, const char *name,
                         bool sends)
{
    address a;

    if (name[0] == '\0')
        return;
    a = address_of(name);
    add_endpoint_table_data(hash, &a, 0, sends, 1, (int)account->message->len,
                            &peers_of(account->format)->endpoint.base, ENDPOINT_NONE);
}

static tap_packet_status on_endpoint(void *tapdata, packet_info *pinfo, epan_dissect_t *edt,
                                     const void *data, tap_flags_t flags)
{
    const gw_ws_account *account = (const gw_ws_account *)data;
    conv_hash_t *hash = (conv_hash_t *)tapdata;
    (void)pinfo;
    (void)edt;

    hash->flags = flags;
    add_endpoint(hash, account, account->pair->from, true);
    add_endpoint(hash, account, account->pair->to, false);
    return TAP_PACKET_REDRAW;
}

static const char *field(const gw_format *format, const char *key)
{
    return wmem_strdup_printf(wmem_epan_scope(), "%s.%s", format->name, key);
}

void gw_ws_peers_register(const gw_format *format, int proto)
{
    peers *p = peers_of(format);

    p->conversation = (conversation_row){.base = {conversation_field},
                                         .src = field(format, "src"),
                                         .dst = field(format, "dst"),
                                         .either = field(format, "addr")};
    p->endpoint = (endpoint_row){.base = {endpoint_field},
                                 .src = p->conversation.src,
                                 .dst = p->conversation.dst,
                                 .either = p->conversation.either};
    register_conversation_table(proto, TRUE, on_conversation, on_endpoint);
}
