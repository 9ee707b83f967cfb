/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From Wireshark's packet to goldwire's message. */
#include "message.h"

#include <string.h>

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

gw_message gw_ws_message(tvbuff_t *tvb, packet_info *pinfo, uint32_t offset, uint32_t len,
                         gw_transport_kind transport)
{
    uint32_t captured = (uint32_t)tvb_captured_length_remaining(tvb, (int)offset);
    gw_message m = {.len = len,
                    .cap_len = captured < len ? captured : len,
                    .time_ns = (int64_t)pinfo->abs_ts.secs * 1000000000 + pinfo->abs_ts.nsecs,
                    .src = gw_ws_endpoint(&pinfo->src, pinfo->srcport),
                    .dst = gw_ws_endpoint(&pinfo->dst, pinfo->destport),
                    .frame = pinfo->num,
                    .frames = {pinfo->num},
                    .num_frames = 1,
                    .transport = (uint8_t)transport};

    if (m.cap_len > 0)
        m.data = tvb_get_ptr(tvb, (int)offset, (int)m.cap_len);
    return m;
}
