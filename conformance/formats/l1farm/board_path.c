/* SPDX-License-Identifier: BSD-2-Clause */
/* What the farm's boards share: reading the tunnel, and whom to tell. */
#include <string.h>

#include "formats/l1farm/board.h"

void gw_l1_fini(void *state)
{
    (void)state;
}

void gw_l1_send(gw_l1_way_out *w, const gw_l1_shim *shim, const uint8_t *data)
{
    uint8_t datagram[GW_L1_SHIM + GW_L1_RESULT];
    gw_l1_shim s = *shim;

    if (!w->connected || s.length > GW_L1_RESULT)
        return;
    s.version = 1;
    gw_l1_put_shim(datagram, &s);
    if (s.length > 0)
        memcpy(datagram + GW_L1_SHIM, data, s.length);
    w->out->send(w->out, GW_L1_LINK_OUT, w->conn, datagram, (size_t)GW_L1_SHIM + s.length);
}

bool gw_l1_listen(gw_l1_way_out *w, const gw_peer_event *event, uint16_t number)
{
    if (event->kind == GW_PEER_CLOSE && w->conn == event->conn)
        w->connected = false;
    if (event->kind != GW_PEER_BYTES || event->len < GW_L1_SHIM ||
        !gw_l1_is_tunnel(event->data, event->len))
        return false;
    gw_l1_shim shim = gw_l1_get_shim(event->data);
    if (shim.kind != GW_L1_KIND_LISTEN || shim.length != 0)
        return false;
    w->connected = true;
    w->conn = event->conn;
    shim.dest = number;
    gw_l1_send(w, &shim, NULL);
    return true;
}

bool gw_l1_read(gw_l1_unit *u, const gw_peer_event *event, const gw_dialect *dialect)
{
    gw_message m = gw_message_of(event->data, event->len);

    m.transport = GW_OVER_UDP;
    return gw_l1_decode(u, &m, dialect).kind == GW_OK;
}
