/* SPDX-License-Identifier: BSD-2-Clause */
/* A station's life: what comes in, and whose turn it is. */
#include "harness/ether.h"

#include <string.h>

#include "ether_faults.h"
#include "ether_parts.h"
#include "goldwire/cursor.h"

void gw_ether_init(gw_ether *e, const gw_ether_setup *setup)
{
    memset(e, 0, sizeof(*e));
    e->setup = *setup;
}

/* Whether the frame |net| was read of is meant for this station's IP address. */
static bool is_for_us(const gw_ether *e, const gw_net *net)
{
    return gw_ether_same(&net->dst, &e->setup.at);
}

/* Puts fragments together; true when |net| has become a whole datagram. */
static bool assemble(gw_ether *e, gw_net *net, int64_t now_ns)
{
    uint64_t frames[GW_MESSAGE_FRAMES];
    uint32_t num_frames;

    return e->setup.defrag != NULL &&
           gw_defrag_add(e->setup.defrag, net, e->num_frames, now_ns, frames, &num_frames) ==
               GW_DEFRAG_COMPLETE &&
           gw_net_parse_transport(net, net->payload, net->payload_len) == GW_NET_OK;
}

static gw_ether_kind take_ip(gw_ether *e, gw_net *net, gw_net_status status, const uint8_t *end,
                             int64_t now_ns, gw_ether_out *out)
{
    bool fragment = status == GW_NET_FRAGMENT;

    if (status == GW_NET_OTHER_IP && net->protocol == GW_PROTOCOL_ICMPV6)
        return gw_ether_take_nd(e, net, now_ns, out);
    if (!is_for_us(e, net))
        return GW_ETHER_FOREIGN;
    if (e->setup.verifies && gw_ether_damaged(net, status))
        return GW_ETHER_BAD;
    if (fragment ? !assemble(e, net, now_ns) : status != GW_NET_OK)
        return fragment ? GW_ETHER_FRAGMENT : GW_ETHER_BAD;
    if (net->transport == GW_OVER_TCP && out->segment != NULL) {
        out->segment(out, net);
        return GW_ETHER_SEGMENT;
    }
    if (net->transport != GW_OVER_UDP)
        return GW_ETHER_FOREIGN;
    if (!gw_ether_fault_takes(e, net, end, fragment))
        return GW_ETHER_BAD;
    out->datagram(out, net);
    return GW_ETHER_DATAGRAM;
}

gw_ether_kind gw_ether_receive(gw_ether *e, const uint8_t *frame, size_t len, int64_t now_ns,
                               gw_ether_out *out)
{
    gw_net net = {0};
    gw_net_status status = gw_net_parse(&net, GW_LINK_ETHERNET, gw_cursor_over(frame, len),
                                        len < UINT32_MAX ? (uint32_t)len : UINT32_MAX);
    bool ours = net.link != NULL &&
                (memcmp(net.link, e->setup.mac, 6) == 0 ||
                 memcmp(net.link, gw_ether_broadcast, 6) == 0 || gw_ether_is_group(e, net.link));

    e->num_frames++;
    if (!ours || net.num_vlans > 0)
        return GW_ETHER_FOREIGN;
    if (!gw_ether_fault_hears(e, &net, status, len))
        return GW_ETHER_BAD;
    if (status == GW_NET_NOT_IP && net.ethertype == GW_ETHERTYPE_ARP)
        return gw_ether_take_arp(e, &net, now_ns, out);
    return take_ip(e, &net, status, frame + len, now_ns, out);
}
