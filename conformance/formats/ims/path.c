/* SPDX-License-Identifier: BSD-2-Clause */
/* RoCEv2 datagrams in and out of IMS boards. */
#include "formats/ims/path.h"

#include "goldwire/writer.h"
#include "harness/checksum.h"

void gw_ims_way_open(gw_ims_way *way, const gw_peer_event *event)
{
    *way = (gw_ims_way){.open = true, .here = *event->here, .there = *event->there};
    way->there.port = gw_peer_roce_port(event->here->port, event->there->port);
}

static bool is_right(const gw_peer_event *event, bool any_id)
{
    return gw_ib_judge_udp(&gw_fast_env, event->there, event->here, event->data, event->len,
                           any_id) == GW_IB_RIGHT;
}

/* Whether the datagram is undamaged. Whoever sends identification 0 from the start does so always.
 */
static bool undamaged(gw_ims_way *way, const gw_peer_event *event)
{
    if (way->loose)
        return is_right(event, true);
    if (is_right(event, false)) {
        way->exact += way->exact < GW_IMS_WAY_EXACT;
        return true;
    }
    way->loose = way->exact < GW_IMS_WAY_EXACT && is_right(event, true);
    return way->loose;
}

bool gw_ims_way_take(gw_ims_way *way, gw_ims_packet *out, const gw_peer_event *event,
                     const gw_dialect *dialect)
{
    if (event->len <= GW_IB_ICRC || !undamaged(way, event))
        return false;
    gw_message message = gw_message_of(event->data, event->len - GW_IB_ICRC);
    message.transport = GW_OVER_UDP;
    gw_error error = gw_ims_decode(out, &message, dialect);
    return error.kind == GW_OK || out->has_bth;
}

size_t gw_ims_way_build(const gw_ims_way *way, uint8_t *out, size_t cap, const gw_ims_draft *draft,
                        const gw_dialect *dialect)
{
    size_t len = cap < GW_IB_ICRC ? 0 : gw_ims_build(out, cap - GW_IB_ICRC, draft, dialect);

    if (len == 0)
        return 0;
    gw_store_le(out + len, gw_ib_icrc_udp(&gw_fast_env, &way->here, &way->there, out, len),
                GW_IB_ICRC);
    return len + GW_IB_ICRC;
}
