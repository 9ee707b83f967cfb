/* SPDX-License-Identifier: BSD-2-Clause */
/* What a datagram carries of an event: sub-events, each at its place in the compute node's buffer.
 */
#include "l1farm/internal.h"

bool gw_l1_portion(const gw_message *message, const gw_dialect *dialect, gw_portion *out)
{
    gw_l1_unit u = {0};

    (void)gw_l1_decode(&u, message, dialect);
    if (!u.has_shim || u.shim.kind != GW_L1_KIND_SUBEVENT || u.shim.length == 0 ||
        (uint64_t)u.shim.offset + u.shim.length > GW_L1_SUBEVENT_MAX)
        return false;
    uint32_t sent = message->len > GW_L1_SHIM ? message->len - GW_L1_SHIM : 0;
    uint32_t have = message->cap_len > GW_L1_SHIM ? message->cap_len - GW_L1_SHIM : 0;
    *out = (gw_portion){.data = have > 0 ? message->data + GW_L1_SHIM : NULL,
                        .len = have < u.shim.length ? have : u.shim.length,
                        .sent = sent < u.shim.length ? sent : u.shim.length,
                        .offset = u.shim.offset,
                        .placed = true,
                        .channel = (uint64_t)u.shim.dest << 8 | u.shim.buffer,
                        .at = u.shim.event,
                        .next = u.shim.event,
                        .name = u.shim.event,
                        .what = "event"};
    return true;
}
