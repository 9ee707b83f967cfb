/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From Wireshark's packet to goldwire's message. */
#include "message.h"

#include <string.h>

#include "announced.h"

gw_endpoint gw_ws_endpoint(const address *addr, uint32_t port)
{
    gw_endpoint end = {.port = (uint16_t)port};

    if (addr->type == AT_IPv4 && addr->len == 4) {
        memcpy(end.ip, addr->data, 4);
        end.family = GW_FAMILY_IPV4;
    } else if (addr->type == AT_IPv6 && addr->len == 16) {
        memcpy(end.ip, addr->data, 16);
        end.family = GW_FAMILY_IPV6;
    }
    return end;
}

/* Wireshark does not tell a dissector how many fragments a datagram came in, only that it came in
 * some: two is the least. */
static uint32_t count_fragments(tvbuff_t *tvb, packet_info *pinfo)
{
    const tvbuff_t *source = tvb_get_ds_tvb(tvb);

    if (pinfo->data_src == NULL || pinfo->data_src->next == NULL || source == NULL)
        return 1;
    return source == gw_ws_source_called(pinfo, "Reassembled IPv4") ||
                   source == gw_ws_source_called(pinfo, "Reassembled IPv6")
               ? 2
               : 1;
}

static uint8_t direction_of(const packet_info *pinfo)
{
    switch (pinfo->p2p_dir) {
    case P2P_DIR_SENT:
        return GW_DIR_OUT;
    case P2P_DIR_RECV:
        return GW_DIR_IN;
    default:
        return GW_DIR_UNKNOWN;
    }
}

/* As much as 64 bits tell, for captures may hold any times. */
static int64_t nanoseconds(const nstime_t *t)
{
    int64_t ns;

    if (__builtin_mul_overflow(t->secs, INT64_C(1000000000), &ns) ||
        __builtin_add_overflow(ns, t->nsecs, &ns))
        return t->secs < 0 ? INT64_MIN : INT64_MAX;
    return ns;
}

static void tell_announced(gw_message *m, packet_info *pinfo)
{
    gw_announcement a;

    if (gw_ws_announced(&a, pinfo) && gw_announcement_covers(&a, m->src.port, m->dst.port))
        gw_announcement_tell(&a, m);
}

gw_message gw_ws_message(tvbuff_t *tvb, packet_info *pinfo, uint32_t offset, uint32_t len,
                         gw_transport_kind transport)
{
    uint32_t captured = (uint32_t)tvb_captured_length_remaining(tvb, (int)offset);
    gw_message m = {.len = len,
                    .cap_len = captured < len ? captured : len,
                    .time_ns = nanoseconds(&pinfo->abs_ts),
                    .src = gw_ws_endpoint(&pinfo->src, pinfo->srcport),
                    .dst = gw_ws_endpoint(&pinfo->dst, pinfo->destport),
                    .frame = pinfo->num,
                    .frames = {pinfo->num},
                    .num_frames = 1,
                    .dir = direction_of(pinfo),
                    .transport = (uint8_t)transport};

    tell_announced(&m, pinfo);
    if (transport == GW_OVER_UDP)
        m.num_frames = count_fragments(tvb, pinfo);
    if (m.cap_len > 0)
        m.data = tvb_get_ptr(tvb, (int)offset, (int)m.cap_len);
    return m;
}
