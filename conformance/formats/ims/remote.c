/* SPDX-License-Identifier: BSD-2-Clause */
/* RoCEv2 datagrams in and out of IMS boards. */
#include "formats/ims/remote.h"

#include "goldwire/writer.h"
#include "harness/checksum.h"

void gw_ims_remote_open(gw_ims_remote *remote, const gw_peer_event *event)
{
    *remote = (gw_ims_remote){.open = true, .here = *event->here, .there = *event->there};
    remote->there.port = gw_peer_roce_port(event->here->port, event->there->port);
}

static bool is_right(const gw_peer_event *event, bool any_id)
{
    return gw_ib_judge_udp(&gw_fast_env, event->there, event->here, event->data, event->len,
                           any_id) == GW_IB_RIGHT;
}

/* Whether the datagram is undamaged. Whoever sends identification 0 from the start does so always.
 */
static bool undamaged(gw_ims_remote *remote, const gw_peer_event *event)
{
    if (remote->loose)
        return is_right(event, true);
    if (is_right(event, false)) {
        remote->exact += remote->exact < GW_IMS_REMOTE_EXACT;
        return true;
    }
    remote->loose = remote->exact < GW_IMS_REMOTE_EXACT && is_right(event, true);
    return remote->loose;
}

bool gw_ims_remote_take(gw_ims_remote *remote, gw_ims_packet *out, const gw_peer_event *event,
                        const gw_dialect *dialect)
{
    if (event->len <= GW_IB_ICRC || !undamaged(remote, event))
        return false;
    gw_message message = gw_message_of(event->data, event->len - GW_IB_ICRC);
    message.transport = GW_OVER_UDP;
    gw_error error = gw_ims_decode(out, &message, dialect);
    return error.kind == GW_OK || out->has_bth;
}

size_t gw_ims_remote_build(const gw_ims_remote *remote, uint8_t *out, size_t cap,
                           const gw_ims_draft *draft, const gw_dialect *dialect)
{
    size_t len = cap < GW_IB_ICRC ? 0 : gw_ims_build(out, cap - GW_IB_ICRC, draft, dialect);

    if (len == 0)
        return 0;
    gw_store_le(out + len, gw_ib_icrc_udp(&gw_fast_env, &remote->here, &remote->there, out, len),
                GW_IB_ICRC);
    return len + GW_IB_ICRC;
}
