/* SPDX-License-Identifier: BSD-2-Clause */
/* From a link's own captures to what its tunnel carries. */
#include "replay/trace_link.h"

#include "replay/format.h"

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

const char *gw_trace_carry(gw_carried *out, const gw_found *found, uint16_t sequence)
{
    const gw_message *m = found->message;
    const gw_replay_format *row = gw_replay_format_of(found->format);
    const char *why = "a unit captured without a network beneath it, of a format that no transport "
                      "carries so: record what the board's own port sends";

    out->message = *m;
    out->dir = (gw_direction)m->dir;
    if (row->carry != NULL)
        why = row->carry(out, m, sequence);
    if (why == NULL)
        set_ends(out, m->interface);
    return why;
}
