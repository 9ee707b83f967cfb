/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One conversation alone, by the numbers that conversations get as they come. */
#include "stats/follow.h"

#include <string.h>

#include "compat.h"

#include <epan/wmem_scopes.h>

#include "goldwire/format.h"
#include "goldwire/text.h"
#include "stats/account.h"

#define LINE_LEN 320

#define GW_FORMAT(name) extern const gw_format gw_##name;
#include "goldwire/formats.def"

/* ---- what is common to all formats ---- */

static char *filter_of(const gw_format *format, unsigned number)
{
    return g_strdup_printf("%s.conversation == %u", format->name, number);
}

/* The filter of the conversation that |pinfo|'s packet is of, whose number becomes |number|. */
static char *filter_of_packet(const gw_format *format, packet_info *pinfo, unsigned *number)
{
    const gw_ws_pair *pair = gw_ws_pair_of(pinfo, proto_get_id_by_filter_name(format->name));

    if (pair == NULL || !pair->numbered)
        return NULL;
    *number = pair->number;
    return filter_of(format, pair->number);
}

static char *no_filter(address *src, address *dst, int src_port, int dst_port)
{
    (void)src;
    (void)dst;
    (void)src_port;
    (void)dst_port;
    return NULL;
}

static char *no_port(wmem_allocator_t *scope, unsigned port)
{
    (void)port;
    return wmem_strdup(scope, "");
}

static void set_ends(follow_info_t *info, const gw_ws_pair *pair)
{
    address from, to;

    set_address(&from, AT_STRINGZ, (int)strlen(pair->from) + 1, pair->from);
    set_address(&to, AT_STRINGZ, (int)strlen(pair->to) + 1, pair->to);
    copy_address(&info->client_ip, &from);
    copy_address(&info->server_ip, &to);
}

/* A line a message: who spoke first is the client. */
static tap_packet_status on_account(void *tapdata, packet_info *pinfo, epan_dissect_t *edt,
                                    const void *data, tap_flags_t flags)
{
    const gw_ws_account *account = (const gw_ws_account *)data;
    follow_info_t *info = (follow_info_t *)tapdata;
    char line[LINE_LEN];
    gw_text text = gw_text_over(line, sizeof line - 1);
    (void)edt;
    (void)flags;

    if (info->client_ip.type == AT_NONE)
        set_ends(info, account->pair);
    account->format->summary(account->message, account->dialect, &text);
    line[text.len] = '\n';
    follow_record_t *record = g_new0(follow_record_t, 1);
    record->is_server = strcmp((const char *)info->client_ip.data, account->pair->from) != 0;
    record->packet_num = pinfo->num;
    record->abs_ts = pinfo->abs_ts;
    record->data =
        g_byte_array_append(g_byte_array_new(), (const guint8 *)line, (guint)text.len + 1);
    info->bytes_written[record->is_server] += record->data->len;
    info->payload = g_list_prepend(info->payload, record);
    return TAP_PACKET_DONT_REDRAW;
}

/* ---- a format's own: Wireshark's callbacks are given nothing to tell them apart ---- */

typedef struct callbacks {
    follow_conv_filter_func of_packet;
    follow_index_filter_func of_number;
    gw_ws_filter_valid_fn is_valid;
    gw_ws_filter_build_fn build;
} callbacks;

#define GW_FORMAT(name)                                                                            \
    static char *follow_packet_##name(epan_dissect_t *edt, packet_info *pinfo, unsigned *stream,   \
                                      unsigned *sub_stream)                                        \
    {                                                                                              \
        (void)edt;                                                                                 \
        (void)sub_stream;                                                                          \
        return filter_of_packet(&gw_##name, pinfo, stream);                                        \
    }                                                                                              \
    static char *follow_number_##name(unsigned stream, unsigned sub_stream)                        \
    {                                                                                              \
        (void)sub_stream;                                                                          \
        return filter_of(&gw_##name, stream);                                                      \
    }                                                                                              \
    static char *build_##name(packet_info *pinfo GW_WS_USER_DATA)                                  \
    {                                                                                              \
        unsigned number;                                                                           \
        return filter_of_packet(&gw_##name, pinfo, &number);                                       \
    }                                                                                              \
    static gw_ws_bool is_valid_##name(packet_info *pinfo GW_WS_USER_DATA)                          \
    {                                                                                              \
        const gw_ws_pair *pair = gw_ws_pair_of(pinfo, proto_get_id_by_filter_name(#name));         \
        return pair != NULL && pair->numbered;                                                     \
    }
#include "goldwire/formats.def"

static const callbacks by_place[] = {
#define GW_FORMAT(name) {follow_packet_##name, follow_number_##name, is_valid_##name, build_##name},
#include "goldwire/formats.def"
};

void gw_ws_follow_register(const gw_format *format, int proto)
{
    size_t place = 0;

    while (gw_formats[place] != format)
        place++;
    const callbacks *c = &by_place[place];
    gw_ws_register_follow(proto, format->name, c->of_packet, c->of_number, no_filter, no_port,
                          on_account);
    gw_ws_register_filter(format->name, format->title, c->is_valid, c->build);
}
