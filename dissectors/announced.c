/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Captures that say what they hold. Whatever owns the ports, a conversation that was told of has
 * its dissector before UDP or TCP looks for one. */
#include "announced.h"

#include <string.h>

#include <epan/conversation.h>
#include <wiretap/wtap.h>

#include "goldwire/net.h"

/* Who dissects what is announced as a format. */
typedef struct taker {
    const gw_format *format;
    dissector_handle_t udp;
    dissector_handle_t tcp;
} taker;

enum {
#define GW_FORMAT(name) PLACE_OF_##name,
#include "goldwire/formats.def"
    NUM_FORMATS
};

static taker takers[NUM_FORMATS];
static size_t num_takers;

bool gw_ws_announced(gw_announcement *out, packet_info *pinfo)
{
    if (pinfo->rec == NULL || pinfo->rec->rec_type != REC_TYPE_PACKET ||
        (pinfo->rec->presence_flags & WTAP_HAS_INTERFACE_ID) == 0)
        return false;
    const char *says = gw_ws_interface_description(pinfo);
    return says != NULL && gw_announcement_read(out, says, strlen(says));
}

bool gw_ws_announced_as(const gw_format *format, packet_info *pinfo)
{
    gw_announcement a;

    return gw_ws_announced(&a, pinfo) && a.format == format &&
           gw_announcement_covers(&a, (uint16_t)pinfo->srcport, (uint16_t)pinfo->destport);
}

static address address_of(const gw_endpoint *end)
{
    address a;

    if (end->family == GW_FAMILY_IPV4)
        set_address(&a, AT_IPv4, 4, end->ip);
    else
        set_address(&a, AT_IPv6, 16, end->ip);
    return a;
}

static void take(const taker *t, const packet_info *pinfo, const gw_net *net)
{
    bool udp = net->transport == GW_OVER_UDP;
    dissector_handle_t handle = udp ? t->udp : t->tcp;
    conversation_type type = udp ? CONVERSATION_UDP : CONVERSATION_TCP;
    address src = address_of(&net->src), dst = address_of(&net->dst);

    if (handle == NULL)
        return;
    conversation_t *c =
        find_conversation(pinfo->num, &src, &dst, type, net->src.port, net->dst.port, 0);
    if (c == NULL)
        c = conversation_new(pinfo->num, &src, &dst, type, net->src.port, net->dst.port, 0);
    conversation_set_dissector(c, handle);
}

/* Claims nothing: the frame is dissected as ever. */
static gw_ws_bool look(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    gw_announcement a;
    gw_net net;
    (void)tree;
    (void)data;

    if (PINFO_FD_VISITED(pinfo) || pinfo->flags.in_error_pkt || !gw_ws_announced(&a, pinfo))
        return FALSE;
    uint32_t len = tvb_captured_length(tvb);
    if (tvb_raw_offset(tvb) != 0 || len == 0)
        return FALSE;
    gw_cursor bytes = gw_cursor_over(tvb_get_ptr(tvb, 0, (int)len), len);
    gw_net_status status = gw_net_parse(&net, GW_LINK_ETHERNET, bytes, tvb_reported_length(tvb));
    if (status == GW_NET_FRAGMENT && net.fragment_offset == 0)
        status = gw_net_parse_transport(&net, net.payload, net.payload_len);
    if (net.src.port == 0 || (status != GW_NET_OK && status != GW_NET_TRUNCATED) ||
        !gw_announcement_covers(&a, net.src.port, net.dst.port))
        return FALSE;
    for (size_t i = 0; i < num_takers; i++) {
        if (takers[i].format == a.format)
            take(&takers[i], pinfo, &net);
    }
    return FALSE;
}

void gw_ws_announced_register(const gw_format *format, int proto, dissector_handle_t udp,
                              dissector_handle_t tcp)
{
    if (num_takers == 0)
        heur_dissector_add("eth", look, "Captures that say what they hold", "goldwire_announced",
                           proto, HEURISTIC_ENABLE);
    takers[num_takers++] = (taker){format, udp, tcp};
}
