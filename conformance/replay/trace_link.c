/* SPDX-License-Identifier: BSD-2-Clause */
/* From a link's own captures to what its tunnel carries. */
#include "replay/trace_link.h"

#include <string.h>

#include "goldwire/l1farm.h"
#include "goldwire/textarossa.h"

gw_endpoint gw_trace_port(uint32_t number, bool partner)
{
    gw_endpoint end = {.port = (uint16_t)(2 * number + (partner ? 1 : 2))};
    return end;
}

bool gw_trace_is_port(const gw_endpoint *end)
{
    return end->family == GW_FAMILY_NONE && end->port != 0;
}

static void set_ends(gw_carried *out, uint32_t interface)
{
    bool sent = out->dir == GW_DIR_OUT;
    out->message.src = gw_trace_port(interface, !sent);
    out->message.dst = gw_trace_port(interface, sent);
    out->message.dir = (uint8_t)out->dir;
    out->message.stream = interface;
    out->message.ib = NULL;
}

static const char *carry_op2p(gw_carried *out, const gw_message *m, uint16_t sequence)
{
    gw_op2p_packet p;
    gw_op2p_shim shim = {.version = 1, .kind = GW_OP2P_KIND_PDU};
    size_t head = m->part == GW_OP2P_EVENT ? GW_OP2P_SHIM : 0;

    (void)gw_op2p_decode(&p, m);
    if (head > 0 && (!p.has_shim || p.shim.version != 1))
        return "the capture's header before this frame is none that is known";
    if (head > 0) {
        shim = p.shim;
        out->dir = (p.shim.flags & GW_OP2P_FLAG_OUT) != 0 ? GW_DIR_OUT : GW_DIR_IN;
    }
    if (out->dir == GW_DIR_UNKNOWN)
        return "the capture does not say which way this frame went: record link type 148, or "
               "pcapng, which keep the direction";
    if (m->cap_len - head > sizeof(out->bytes) - GW_OP2P_SHIM)
        return "a frame is longer than any OP2P frame";
    shim.flags &= (uint8_t)~GW_OP2P_FLAG_OUT;
    shim.sequence = sequence;
    gw_op2p_put_tunnel(out->bytes, &shim);
    if (m->cap_len > head)
        memcpy(out->bytes + GW_OP2P_SHIM, m->data + head, m->cap_len - head);
    out->message.data = out->bytes;
    out->message.cap_len = (uint32_t)(GW_OP2P_SHIM + m->cap_len - head);
    out->message.len = (uint32_t)(GW_OP2P_SHIM + m->len - head);
    out->message.part = 0;
    out->message.transport = GW_OVER_UDP;
    return NULL;
}

static const char *carry_apelink(gw_carried *out, const gw_message *m)
{
    if (m->part == GW_TX_PART_STRAY)
        return "bytes of this link are missing or cut, so what follows cannot be placed";
    if (out->dir == GW_DIR_UNKNOWN)
        return "the capture does not say which way these beats went";
    out->message.transport = GW_OVER_TCP;
    return NULL;
}

static const char *refuse_l1farm(const gw_message *m)
{
    switch (m->part) {
    case GW_L1_SCI:
    case GW_L1_TRACE:
        return "SCI lies beneath the tunnel that boards of the farm are reached by: capture the "
               "tunnel, or look at the ringlet with `goldwire check'";
    case GW_L1_TAGNET:
        return "tag lines alone lack the registers and the listener that a readout unit needs "
               "first: record the tunnel with `goldwire record'";
    default:
        return "what was seen at a memory is not what somebody sent: capture the tunnel";
    }
}

const char *gw_trace_carry(gw_carried *out, const gw_found *found, uint16_t sequence)
{
    const gw_message *m = found->message;
    const char *why = "a unit captured without a network beneath it, of a format that no transport "
                      "carries so: record what the board's own port sends";

    out->message = *m;
    out->dir = (gw_direction)m->dir;
    if (found->format == &gw_op2p)
        why = carry_op2p(out, m, sequence);
    else if (found->format == &gw_textarossa)
        why = carry_apelink(out, m);
    else if (found->format == &gw_l1farm)
        why = refuse_l1farm(m);
    if (why == NULL)
        set_ends(out, m->interface);
    return why;
}
