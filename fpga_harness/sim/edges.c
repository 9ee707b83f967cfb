/* SPDX-License-Identifier: BSD-2-Clause */
/* What the simulator tells of the signals of a port. */
#include "link.h"

void gw_sim_hear_edges(gw_sim *sim, const gw_wire_head *head, const uint8_t *body)
{
    unsigned port = head->port;
    if (port >= GW_SIM_PORTS || head->len < GW_WIRE_EDGES_HEAD)
        return;
    unsigned kind = sim->ports[port].kind;
    if ((head->flags & GW_WIRE_RESPONSE) != 0) {
        if (head->id != sim->edges_id)
            return;
        sim->edges_id = 0;
        sim->view = gw_sim_view_of(body, head->len, port, kind, sim->base_ps, &sim->moment);
        return;
    }
    for (size_t i = 0; i < sim->num_breaches; i++) {
        gw_sim_breaches *one = &sim->breaches[i];
        if (one->port != port || one->which != gw_wire_get32(body + 16) || one->view != NULL)
            continue;
        sim->views[i] = gw_sim_view_of(body, head->len, port, kind, sim->base_ps, NULL);
        one->view = sim->views[i];
    }
}
